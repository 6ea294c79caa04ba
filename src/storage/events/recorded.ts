import type { IdRange } from '../pets/imports.ts'
import { arrayOf } from '../postgres/batches.ts'
import { LOCKS } from '../postgres/locks.ts'
import type { Queryable } from '../postgres/statement.ts'

/** Who made a change. Absent where the service itself acted. */
export interface Actor {
  keyId?: string | undefined
}

export function keyIdsOf(actors: Actor[]) {
  return arrayOf(actors.map(({ keyId = null }) => keyId))
}

/** What an event says beside the pet, as SQL. */
interface EventSql {
  type: string
  orderId?: string
  /** The names of the fields that differ from before, joined by spaces. */
  changed?: string
  keyId?: string
}

/**
 * SQL that adds the event of each change. `from` has the pets as they are after it: `id`, `version`, `name`, `category_id`,
 * `status`. No change is made without it, since both are one statement.
 */
export function insertEvents(from: string, { type, orderId = 'null', changed = 'null', keyId = 'null' }: EventSql) {
  return `
        insert into events (pet_id, version, type, name, category_id, status, order_id, changed, key_id)
        select id, version, ${type}, name, category_id, status, ${orderId}, ${changed}, ${keyId} from ${from}`
}

/** One event for all pets of an import, in the transaction that finishes it. */
export async function recordImport(transaction: Queryable, added: number, ranges: readonly IdRange[]) {
  // Two imports that end together would take the same number.
  await transaction.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCKS.imports] })
  await transaction.query({
    text: `
      insert into events (pet_id, version, type, added, id_ranges)
      select 0, coalesce(max(version), 0) + 1, 'pets.imported', $1, $2 from events where pet_id = 0`,
    values: [added, `{${ranges.map(({ first, last }) => `[${first},${last}]`).join()}}`],
  })
}
