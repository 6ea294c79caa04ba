const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Settles at the first signal to stop. The handlers are removed then, so that a second one ends the process at once. */
export function stopRequested() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = () => {
    for (const signal of SIGNALS) process.off(signal, stop)
    resolve()
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return promise
}
