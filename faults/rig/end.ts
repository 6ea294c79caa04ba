import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Ends a process by a signal, and returns when it has ended; at once where it has, or was never started. */
export async function end(child: ChildProcess | undefined, signal: NodeJS.Signals) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}
