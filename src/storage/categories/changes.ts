import type { Caller } from '../../lib/batch.ts'
import { retryWhileLocked } from '../postgres/busy-rows.ts'
import { type Condition, matchesOf } from '../postgres/conditions.ts'
import type { Statement, Writable } from '../postgres/statement.ts'

export interface CategoryName {
  id: bigint
  name: string
}

export type PutResult =
  | { outcome: 'added' | 'changed' | 'unchanged'; version: bigint }
  /** There is no record, and the condition names one. */
  | { outcome: 'missing' }
  /** The condition names other versions. */
  | { outcome: 'mismatch'; version: bigint }

export type RemoveResult = { outcome: 'deleted' | 'mismatch'; version: bigint } | { outcome: 'missing' }

/** Changes of records. They are rare, so each is a statement of its own, which waits for another change of its record. */
export function openCategoryChanges(db: Writable) {
  return {
    async put(category: CategoryName, condition: Condition, caller?: Caller): Promise<PutResult> {
      const statement = putStatement(category, condition)
      return retryWhileLocked(async () => {
        const [row] = await db.writeOnce<PutResult & Record<string, unknown>>(statement)
        return row
      }, caller)
    },
    async remove(id: bigint, condition: Condition): Promise<RemoveResult> {
      const [row] = await db.writeOnce<RemoveResult & Record<string, unknown>>(removeStatement(id, condition))
      return row ?? { outcome: 'missing' }
    },
  }
}

// Without a condition, it is null, and the comparison is not true.
const MISMATCH = `matches <> '*' and version::text <> all (string_to_array(matches, ','))`

/** Returns no row if another transaction has added the record after this statement began. */
function putStatement({ id, name }: CategoryName, condition: Condition): Statement {
  return {
    name: 'categories.put',
    text: `
      with input as materialized (select $1::bigint as id, $2::text as name, $3::text as matches),
      old as materialized (
        select id, name, version from categories where id = $1 for no key update),
      decided as materialized (
        select input.*, old.version,
               case
                 when old.id is null and matches <> 'none' then 'missing'
                 when old.id is null then 'added'
                 when ${MISMATCH} then 'mismatch'
                 when old.name = input.name then 'unchanged'
                 else 'changed'
               end as outcome
        from input left join old on true),
      added as (
        insert into categories (id, name) select id, name from decided where outcome = 'added'
        on conflict (id) do nothing returning version),
      changed as (
        update categories set name = decided.name, version = decided.version + 1
        from decided where categories.id = decided.id and outcome = 'changed' returning categories.version)
      select outcome, coalesce(added.version, changed.version, decided.version) as version
      from decided left join added on true left join changed on true
      where outcome <> 'added' or added.version is not null`,
    values: [id, name, matchesOf(condition)],
  }
}

function removeStatement(id: bigint, condition: Condition): Statement {
  return {
    name: 'categories.remove',
    text: `
      with old as materialized (
        select id, version, $2::text as matches from categories where id = $1 for update),
      decided as materialized (
        select id, version, case when ${MISMATCH} then 'mismatch' else 'deleted' end as outcome from old),
      deleted as (delete from categories using decided where categories.id = decided.id and outcome = 'deleted')
      select outcome, version from decided`,
    values: [id, matchesOf(condition)],
  }
}
