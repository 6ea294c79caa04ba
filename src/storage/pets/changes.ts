import type { PetStatus } from '../../domain/types/pet.ts'
import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { type Measured, outcomesUnknown } from '../../lib/metric.ts'
import { type Actor, keyIdsOf } from '../events/recorded.ts'
import { pgArrayLiteral, WRITE_ONCE_BATCHES } from '../postgres/batches.ts'
import { RowConcurrency, retryWhileLocked } from '../postgres/busy-rows.ts'
import { aggregateOf, int64Text, optionalWord, text, valueAt, word } from '../postgres/columns.ts'
import { type Condition, matchesOf } from '../postgres/conditions.ts'
import { OutcomeUnknown } from '../postgres/failures.ts'
import type { Statement, Writable } from '../postgres/statement.ts'
import { EACH_WORD, type Worded, withWords } from '../search/written-words.ts'
import type { StoredPetRecord } from './pet-rows.ts'

/** What is to become of a pet. What is undefined stays as it is; a status of `null` is removed. */
export interface PetChange {
  name?: string | undefined
  categoryId?: bigint | undefined
  status?: PetStatus | null | undefined
}

interface Target extends Actor {
  id: bigint
  condition: Condition
}

type Update = Target & PetChange

export type Result =
  | { outcome: 'changed' | 'unchanged' | 'deleted'; pet: StoredPetRecord }
  | { outcome: 'missing' }
  /** The condition names other versions. */
  | { outcome: 'mismatch'; pet: Pick<StoredPetRecord, 'version'> }
  /** Only a condition that names the version may end this status. */
  | { outcome: 'sold' }
  /** By an order, to which the status belongs. */
  | { outcome: 'held'; pet: Pick<StoredPetRecord, 'heldBy'> }

/** Changes of pets. What is reported as changed or deleted is committed and flushed. */
export interface PetChanges extends Measured {
  update: (update: Update, caller?: Caller) => Promise<Result>
  delete: (target: Target, caller?: Caller) => Promise<Result>
}

const MAX_CHANGES = 200

export function openPetChanges(db: Writable, onBatch?: OnBatch): PetChanges {
  let unknown = 0
  const concurrency = new RowConcurrency()
  const open = <Item extends Target>(name: string, statementOf: (items: Item[]) => Statement) => {
    const batcher = new Batcher({
      ...WRITE_ONCE_BATCHES,
      name,
      onBatch,
      maxItems: MAX_CHANGES,
      conflictKey: ({ id }: Item) => id,
      send: async (items: Item[], deadline) => {
        const rows = await db.writeOnce<ResultColumns>(statementOf(items), deadline).catch((error: unknown) => {
          if (error instanceof OutcomeUnknown) unknown++
          throw error
        })
        return rows.flatMap(toResults)
      },
    })
    return (item: Item, caller?: Caller) =>
      concurrency.run(item.id, () => retryWhileLocked(() => batcher.submit(item, caller), caller))
  }
  const update = open('pets.update', updateStatement)
  return {
    update: (item, caller) => update(withWords(item), caller),
    delete: open('pets.delete', deleteStatement),
    metrics: [outcomesUnknown(() => unknown)],
  }
}

type ResultRow = StoredPetRecord & { outcome: Result['outcome'] | 'busy' }
type ResultColumns = Record<keyof ResultRow, unknown>

const RESULTS = aggregateOf<ResultRow>({
  outcome: word<ResultRow['outcome']>('outcome'),
  id: int64Text('id'),
  name: text('name'),
  categoryId: int64Text('category_id'),
  status: optionalWord<PetStatus>('status'),
  version: int64Text('version'),
  heldBy: optionalWord<string>('held_by::text'),
})

/** Undefined for a pet that another transaction is changing. */
function toResults(row: ResultColumns): (Result | undefined)[] {
  const columns = RESULTS.decode(row)
  return columns.outcome.map((outcome, i) => {
    if (outcome === 'busy') return undefined
    if (outcome === 'missing') return { outcome }
    const pet = {
      id: valueAt(columns.id, i),
      name: valueAt(columns.name, i),
      categoryId: valueAt(columns.categoryId, i),
      status: columns.status[i],
      version: valueAt(columns.version, i),
      heldBy: columns.heldBy[i],
    }
    return { outcome, pet }
  })
}

// Both statements lock the rows first, and decide on what they have locked: the newest version of a row, which may be newer than
// the snapshot of the statement. PostgreSQL checks constraints on a row made from the one in the snapshot before it turns to the
// newest, so an update sets every column that they compare. They skip rows that others have locked, so that they never wait.
const locked = (strength: string) => `
        select id, name, category_id, status, version, held_by from pets
        where id = any($1::bigint[]) order by id for ${strength} skip locked`

/** `matches`: see `matchesOf`. No version is `none`. */
const MISMATCH = `input.matches <> '*' and old.version::text <> all (string_to_array(input.matches, ','))`

// A row that was neither locked nor written, though it exists: another transaction is changing it, or has just deleted it.
const RESULT_OF_EACH = `
      select ${RESULTS.selectList}
      from (
        select input.id, coalesce(decided.name, '') as name, coalesce(decided.category_id, 0) as category_id, decided.status,
               coalesce(written.version, decided.version, 0) as version, decided.held_by,
               case
                 when decided.outcome in ('changed', 'deleted') and written.id is null then 'busy'
                 when decided.outcome is not null then decided.outcome
                 when (select true from pets where pets.id = input.id) then 'busy'
                 else 'missing'
               end as outcome
        from input left join decided on decided.id = input.id left join written on written.id = input.id
        order by input.position) as results`

/** Two updates of one pet must not share a statement. */
export function updateStatement(updates: Worded<Update>[]): Statement {
  return {
    name: 'pets.update',
    text: `
      with input as materialized (
        select * from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::boolean[], $7::text[], $8::text[])
          with ordinality as input (id, matches, name, category_id, status, has_status, key_id, words, position)),
      old as materialized (${locked('no key update')}),
      decided as materialized (
        select old.id, new.name, new.category_id, new.status, old.version, old.held_by, key_id,
               concat_ws(' ', case when new.name <> old.name then 'name' end,
                         case when new.category_id <> old.category_id then 'categoryId' end,
                         case when new.status is distinct from old.status then 'status' end) as changed,
               case when new.name <> old.name then old.name end as previous_name,
               case when new.category_id <> old.category_id then old.category_id end as previous_category_id,
               case when new.status is distinct from old.status then coalesce(old.status, 'none') end as previous_status,
               case
                 when ${MISMATCH} then 'mismatch'
                 when old.status = 'sold' and new.status is distinct from 'sold' and coalesce(input.matches, '*') = '*'
                   then 'sold'
                 when input.has_status and old.held_by is not null then 'held'
                 when (new.name, new.category_id, new.status) is not distinct from (old.name, old.category_id, old.status)
                   then 'unchanged'
                 else 'changed'
               end as outcome
        from input join old on old.id = input.id,
        lateral (
          select coalesce(input.name, old.name) as name, coalesce(input.category_id, old.category_id) as category_id,
                 case when input.has_status then input.status else old.status end as status) as new),
      written as (
        update pets
        set name = decided.name, category_id = decided.category_id, status = decided.status, version = decided.version + 1,
            held_by = decided.held_by
        from decided where pets.id = decided.id and decided.outcome = 'changed'
        returning pets.id, pets.version, decided.name, decided.category_id, decided.status, decided.held_by, changed, key_id,
                  previous_name, previous_category_id, previous_status),
      recorded as (
        insert into events (pet_id, version, type, name, category_id, status, order_id, changed, key_id,
                            previous_name, previous_category_id, previous_status)
        select id, version, 'pet.updated', name, category_id, status, held_by, changed, key_id,
               previous_name, previous_category_id, previous_status from written),
      worded as (
        insert into pet_words (word, pet_id)
        select word, id from written join input using (id), ${EACH_WORD}
        order by word collate "C", id on conflict do nothing),
      outdated as (
        insert into stale_names (pet_id, name)
        select id, old.name from written join old using (id) where written.name <> old.name)
      ${RESULT_OF_EACH}`,
    values: [
      ...targetColumns(updates),
      updates.map(({ name = null }) => name),
      pgArrayLiteral(updates.map(({ categoryId = null }) => categoryId)),
      pgArrayLiteral(updates.map(({ status = null }) => status)),
      pgArrayLiteral(updates.map(({ status }) => String(status !== undefined))),
      keyIdsOf(updates),
      updates.map(({ words }) => words),
    ],
  }
}

export function deleteStatement(targets: Target[]): Statement {
  return {
    name: 'pets.delete',
    text: `
      with input as materialized (
        select * from unnest($1::bigint[], $2::text[], $3::text[])
          with ordinality as input (id, matches, key_id, position)),
      old as materialized (${locked('update')}),
      decided as materialized (
        select old.*, key_id,
               case when ${MISMATCH} then 'mismatch' when old.held_by is not null then 'held' else 'deleted' end as outcome
        from input join old on old.id = input.id),
      written as (
        delete from pets using decided where pets.id = decided.id and decided.outcome = 'deleted'
        returning pets.id, pets.version + 1 as version, pets.name, pets.category_id, pets.status, key_id),
      recorded as (
        insert into events (pet_id, version, type, name, category_id, status, key_id)
        select id, version, 'pet.deleted', name, category_id, status, key_id from written),
      outdated as (insert into stale_names (pet_id, name) select id, name from written)
      ${RESULT_OF_EACH}`,
    values: [...targetColumns(targets), keyIdsOf(targets)],
  }
}

function targetColumns(targets: Target[]) {
  return [pgArrayLiteral(targets.map(({ id }) => id)), targets.map(({ condition }) => matchesOf(condition))]
}
