/** Settles at the first signal to stop. A second one finds no handler, and so ends the process at once. */
export function stopRequested() {
  return new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}
