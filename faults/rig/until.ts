import { setTimeout as sleep } from 'node:timers/promises'

const EVERY_MS = 100

/**
 * Polls until there is a result, and throws with what was waited for if there is none in time. A poll that fails, for example
 * by a request that times out, counts as no result yet.
 */
export async function until<T>(what: string, withinMs: number, ask: () => Promise<T | undefined | false>): Promise<T> {
  const endsAt = performance.now() + withinMs
  for (;;) {
    let failure: Error | undefined
    try {
      const result = await ask()
      if (result !== undefined && result !== false) return result
    } catch (error) {
      failure = error as Error
    }
    if (performance.now() > endsAt) {
      const reason = failure === undefined ? '' : `; the last time: ${String(failure)}`
      throw new Error(`waited ${withinMs / 1_000} s in vain until ${what}${reason}`, { cause: failure })
    }
    await sleep(EVERY_MS)
  }
}
