import { recordImport } from '../storage/events/recorded.ts'
import { takeRanges } from '../storage/pets/imports.ts'
import type { Queryable } from '../storage/postgres/statement.ts'
import type { IdRange } from './types/event.ts'

// What one request for pets by their ids returns.
const PAGE = 100n
// In the event of an import: it is sent to every receiver.
const MAX_RANGES = 100

/** Records the event of an import that adds no more pets: it has finished, or is given up. */
export async function recordPets(transaction: Queryable, head: string, added: number) {
  const ranges = await takeRanges(transaction, head, added)
  await recordImport(transaction, added, ranges && joinRanges(ranges))
}

/** Puts ranges together that are less than a page of pets apart; if there are too many, those that are further apart, too. */
export function joinRanges(ranges: readonly IdRange[]): IdRange[] {
  for (let gap = PAGE; ; gap *= 2n) {
    const joined: IdRange[] = []
    for (const { first, last } of ranges) {
      const before = joined.at(-1)
      if (before && first - before.last <= gap) before.last = last > before.last ? last : before.last
      else joined.push({ first, last })
    }
    if (joined.length <= MAX_RANGES) return joined
  }
}
