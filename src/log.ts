import { fstatSync } from 'node:fs'
import { hostname } from 'node:os'
import { type DestinationStream, pino } from 'pino'
import type { Answered } from './http/answer.ts'
import { LineGatherer } from './lib/line-gatherer.ts'

/** The log of a process: one line of JSON for whatever happens. */
export function openLog(level: string, output: DestinationStream = standardOutput()) {
  const base = { pid: process.pid, hostname: hostname() }
  const log = pino({ level, base, serializers: { err: toldOf } }, output)
  const begin = (name: string) => (log.isLevelEnabled(name) ? `{"level":${log.levels.values[name]},"time":` : undefined)
  const [info, warn, error] = [begin('info'), begin('warn'), begin('error')]
  const parts = new CommonParts(base)
  /**
   * A line as the logger would write it, for what happens most often, in a fifth of the time: nothing of this needs to be
   * escaped, neither names of ours nor the Request-Ids that we accept, but for the reason of a failure.
   */
  const logAnswer = ({ operation, method, requestId, status, keyId, ms, trace_id, code, reason }: Answered) => {
    const line = status < 500 ? info : status === 503 ? warn : error
    if (line === undefined) return
    const who = keyId === undefined ? '' : `,"keyId":"${keyId}"`
    const trace = trace_id === undefined ? '' : `,"trace_id":"${trace_id}"`
    const why = code === undefined ? '' : `,"code":"${code}"`
    const because = reason === undefined ? '' : `,"reason":${JSON.stringify(reason)}`
    output.write(
      `${line}${Date.now()},${parts.of(operation, method)}${requestId}","status":${status}${who},"ms":${ms}${trace}${why}${because},"msg":"answered"}\n`,
    )
  }
  // Where not even failures are told, nothing is put together for them.
  return { log, logAnswer: error === undefined ? undefined : logAnswer }
}

/**
 * What the lines of an operation have in common, put together once. A string that is made of many costs with each of them
 * when it is written.
 */
class CommonParts {
  readonly #base: object
  readonly #parts = new Map<string, Map<string | undefined, string>>()

  constructor(base: object) {
    this.#base = base
  }

  of(operation: string | undefined, method: string) {
    return this.#parts.get(method)?.get(operation) ?? this.#make(operation, method)
  }

  #make(operation: string | undefined, method: string) {
    const part = JSON.stringify({ ...this.#base, operation, method, requestId: '' }).slice(1, -'"}'.length)
    const ofMethod = this.#parts.get(method) ?? new Map<string | undefined, string>()
    this.#parts.set(method, ofMethod.set(operation, part))
    return part
  }
}

/** Drivers hang whole connections on their errors; nobody wants to read these. */
function toldOf(error: Error) {
  const { type, message, stack, code } = pino.stdSerializers.err(error) as Record<string, unknown>
  return { type, message, stack, code }
}

/** Lines are gathered for up to a tenth of a second: one write for each would cost more than all else that is logged. */
function standardOutput() {
  // Each piece is handed to another thread and back, so they are as large as may be. The kernel puts no more than 4 KiB into
  // a pipe in one piece: longer pieces of several processes would mix.
  const most = fstatSync(1).isFile() ? 262_144 : 4_096
  // When nobody reads the log, it ends at some point; the service goes on.
  const options = { dest: 1, sync: false, contentMode: 'buffer', maxWrite: most, maxLength: 16_777_216 } as const
  // Its types know only text.
  const output = pino.destination(options) as unknown as { write: (piece: Buffer) => void; flushSync: () => void }
  const lines = new LineGatherer(most, (piece) => output.write(piece))
  setInterval(() => lines.flush(), 100).unref()
  process.on('exit', () => {
    output.flushSync()
    // Nobody will be there to wait for anything.
    pino.destination({ dest: 1, sync: true }).write(String(lines.take()))
  })
  return lines
}
