import type { IdRange } from '../../domain/types/event.ts'
import { pgArrayLiteral } from '../postgres/batches.ts'
import { LOCKS } from '../postgres/locks.ts'
import type { Queryable } from '../postgres/statement.ts'

/** Who made a change; absent where the service itself or its operator acted. Every statement that changes pets inserts their events too. */
export interface Actor {
  keyId?: string | undefined
}

export function keyIdsOf(actors: Actor[]) {
  return pgArrayLiteral(actors.map(({ keyId = null }) => keyId))
}

/** One event for all pets of an import, in the transaction that finishes it. Without ranges if the ids are not known. */
export async function recordImport(transaction: Queryable, added: number, ranges: readonly IdRange[] | undefined) {
  // Two imports that end together would take the same number.
  await transaction.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCKS.imports] })
  await transaction.query({
    text: `
      insert into events (pet_id, version, type, added, id_ranges)
      select 0, coalesce(max(version), 0) + 1, 'pets.imported', $1, $2 from events where pet_id = 0`,
    values: [added, ranges && `{${ranges.map(({ first, last }) => `[${first},${last}]`).join()}}`],
  })
}
