/** What several requests may change. */
export interface Changeable {
  /** How many requests that may change it are under way, and when the last one ended. */
  changing: number
  changedAt: number
  /** Changes wait for each other, so that what each must return is known. */
  last: Promise<void>
}

/** Runs what may change these, after all that does so already. */
export async function afterOthers<T>(entries: readonly Changeable[], run: () => Promise<T>): Promise<T> {
  const done = Promise.withResolvers<void>()
  const before = entries.map(({ last }) => last)
  for (const entry of entries) {
    entry.last = done.promise
    entry.changing++
  }
  await Promise.all(before)
  try {
    return await run()
  } finally {
    for (const entry of entries) {
      entry.changing--
      entry.changedAt = performance.now()
    }
    done.resolve()
  }
}
