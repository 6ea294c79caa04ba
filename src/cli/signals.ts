/** How long, once told to stop, calls are still taken, so that whoever sends them can notice and turn away. */
export const GRACE_MS = 1_000

/** Settles at the first signal to stop. A second one finds no handler, and so ends the process at once. */
export function stopRequested() {
  return new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}
