import { Console } from 'node:console'
import type { Readable, Writable } from 'node:stream'

/** What a command uses of the process that it runs in. The program passes `process` itself. */
export interface Io {
  readonly stdin: Readable & { isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly env: NodeJS.ProcessEnv
  /** Where `petstore dev` keeps its data. Other paths are those of the process. */
  cwd: () => string
  on: (signal: StopSignal, listener: () => void) => unknown
  off: (signal: StopSignal, listener: () => void) => unknown
  /** Where a service logs, if not to the standard output of this process. */
  readonly logTo?: Writable
}

export type Output = Writable & { isTTY?: boolean; columns?: number }

export type StopSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP'

const SIGNALS: StopSignal[] = ['SIGTERM', 'SIGINT', 'SIGHUP']

/** Settles at the first signal to stop. The handlers are removed then, so that a second one ends the process at once. */
export function stopRequested(io: Pick<Io, 'on' | 'off'>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = () => {
    for (const signal of SIGNALS) io.off(signal, stop)
    resolve()
  }
  for (const signal of SIGNALS) io.on(signal, stop)
  return promise
}

/** Prints a line. By way of a console, since a reader who has closed the pipe, as `head` does, is no failure. */
export function print({ stdout }: Pick<Io, 'stdout'>, text = '') {
  new Console(stdout).log(text)
}

export function printError({ stderr }: Pick<Io, 'stderr'>, text: string) {
  new Console(stderr).log(text)
}

export function printJson(io: Pick<Io, 'stdout'>, value: unknown) {
  print(io, JSON.stringify(value))
}
