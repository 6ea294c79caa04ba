import { setTimeout as sleep } from 'node:timers/promises'

const EVERY_MS = 100

/**
 * Asks again and again until there is an answer; says what was waited for if there is none in time. To ask in vain, as by a
 * call that times out, is to have no answer yet.
 */
export async function until<T>(what: string, withinMs: number, ask: () => Promise<T | undefined | false>): Promise<T> {
  const endsAt = performance.now() + withinMs
  for (;;) {
    let failure: Error | undefined
    try {
      const answer = await ask()
      if (answer !== undefined && answer !== false) return answer
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
