/**
 * Runs `read` once at a time. Calls while it runs share one more run after it: their promise settles with a read that began after they
 * asked, and each read gets to its end, however often it is asked for.
 */
export function oneAtATime(read: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const run = (): Promise<void> => {
    if (running) {
      next ??= running.then(() => {
        next = undefined
        return run()
      })
      return next
    }
    running = read().finally(() => {
      running = undefined
    })
    return running
  }
  return run
}
