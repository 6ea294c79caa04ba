import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { WRITE_ONCE_BATCHES } from '../postgres/batches.ts'
import { RowConcurrency, retryWhileLocked } from '../postgres/busy-rows.ts'
import { type Condition, matchesOf } from '../postgres/conditions.ts'
import type { Statement, Writable } from '../postgres/statement.ts'

export interface CategoryName {
  id: bigint
  name: string
}

type PutResult =
  | { outcome: 'added' | 'changed' | 'unchanged'; version: bigint }
  /** There is no record, and the condition names one. */
  | { outcome: 'missing' }
  /** The condition names other versions. */
  | { outcome: 'mismatch'; version: bigint }

type RemoveResult = { outcome: 'deleted' | 'mismatch'; version: bigint } | { outcome: 'missing' }

type Change = (CategoryName | { id: bigint; name?: undefined }) & { condition: Condition }
type ChangeResult = PutResult | RemoveResult
type BusyRow = Record<string, unknown> & (ChangeResult | { outcome: 'busy' })

/** Changes of records. They are rare, so each is a statement of its own, and they take turns: a process uses one connection for them. */
export function openCategoryChanges(db: Writable, onBatch?: OnBatch) {
  const concurrency = new RowConcurrency()
  const batcher = new Batcher({
    ...WRITE_ONCE_BATCHES,
    name: 'categories.change',
    onBatch,
    maxItems: 1,
    send: (changes: Change[], deadline) => Promise.all(changes.map((change) => attempt(db, change, deadline))),
  })
  const run = (change: Change, caller?: Caller) =>
    concurrency.run(change.id, () => retryWhileLocked(() => batcher.submit(change, caller), caller))
  return {
    put: (category: CategoryName, condition: Condition, caller?: Caller) =>
      run({ ...category, condition }, caller) as Promise<PutResult>,
    remove: (id: bigint, condition: Condition, caller?: Caller) =>
      run({ id, condition }, caller) as Promise<RemoveResult>,
  }
}

/** Undefined if another transaction is changing the record. */
async function attempt(db: Writable, { id, name, condition }: Change, deadline: number) {
  const statement = name === undefined ? removeStatement(id, condition) : putStatement({ id, name }, condition)
  const [row] = await db.writeOnce<BusyRow>(statement, deadline)
  return row === undefined || row.outcome === 'busy' ? undefined : row
}

// Without a condition, it is null, and the comparison is not true.
const MISMATCH = `matches <> '*' and version::text <> all (string_to_array(matches, ','))`

/** Skips a record that another transaction has locked. Returns no row if one has added it after this statement began. */
function putStatement({ id, name }: CategoryName, condition: Condition): Statement {
  return {
    name: 'categories.put',
    text: `
      with input as materialized (select $1::bigint as id, $2::text as name, $3::text as matches),
      old as materialized (
        select id, name, version from categories where id = $1 for no key update skip locked),
      decided as materialized (
        select input.*, old.version,
               case
                 when old.id is null and exists (select from categories where id = $1) then 'busy'
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
        select id, version from categories where id = $1 for update skip locked),
      decided as materialized (
        select old.id, old.version,
               case
                 when old.id is null and exists (select from categories where id = $1) then 'busy'
                 when old.id is null then 'missing'
                 when ${MISMATCH} then 'mismatch'
                 else 'deleted'
               end as outcome
        from (select $2::text as matches) as input left join old on true),
      deleted as (delete from categories using decided where categories.id = decided.id and outcome = 'deleted')
      select outcome, version from decided`,
    values: [id, matchesOf(condition)],
  }
}
