const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Settles at the first signal to stop. A second one, of whichever kind, finds no handler, and so ends the process at once. */
export function stopRequested() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = () => {
    for (const signal of SIGNALS) process.off(signal, stop)
    resolve()
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return promise
}
