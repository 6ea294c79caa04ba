import { setTimeout as sleep } from 'node:timers/promises'

const EVERY_MS = 100

/** What should have come about did not: the promise that it would is broken. */
export class WaitedInVain extends Error {
  override name = 'WaitedInVain'
}

/** Asks again and again until there is an answer; says what was waited for if there is none in time. */
export async function until<T>(what: string, withinMs: number, ask: () => Promise<T | undefined | false>): Promise<T> {
  const endsAt = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > endsAt) throw new WaitedInVain(`waited ${withinMs / 1_000} s in vain until ${what}`)
    await sleep(EVERY_MS)
  }
}
