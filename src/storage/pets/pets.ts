import type { NewPet, PetPage, View } from '../../domain/types/pet.ts'
import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { type Measured, outcomesUnknown } from '../../lib/metric.ts'
import { type Actor, keyIdsOf } from '../events/recorded.ts'
import { BATCHES, pgArrayLiteral, WRITE_ONCE_BATCHES } from '../postgres/batches.ts'
import { int64sOf, valueAt } from '../postgres/columns.ts'
import { OutcomeUnknown } from '../postgres/failures.ts'
import type { Queryable, Statement, Writable } from '../postgres/statement.ts'
import { EACH_WORD, type Worded, withWords } from '../search/written-words.ts'
import { openCounts } from './counts.ts'
import { openPages, type PageRequest } from './pages.ts'
import {
  type PetColumns,
  READERS,
  SELECT_LISTS,
  type StoredPet,
  toVersionedPets,
  VERSIONED_SELECT_LIST,
  type VersionedPet,
} from './pet-rows.ts'

export interface InsertedPet extends NewPet {
  id: bigint
}

/** The pets of a database. Requests that arrive together share a statement; each gets its own result, or its own error. */
export interface Pets extends Measured, ReturnType<typeof openCounts> {
  /** Adds a pet; when this returns, the pet is committed and flushed. */
  insert: (pet: NewPet & Actor, caller?: Caller) => Promise<InsertedPet>
  find: (id: bigint, caller?: Caller) => Promise<VersionedPet | undefined>
  /** For each id its pet, if there is one; a record of it with the view `full`. */
  findAll: (ids: bigint[], view: View, caller?: Caller) => Promise<(StoredPet | undefined)[]>
  list: (request: PageRequest, caller?: Caller) => Promise<PetPage>
}

// A larger batch would not be cheaper per item, and would make its first items wait for the others.
const MAX_INSERTS = 200
const MAX_FINDS = 200
const MAX_ID_LISTS = 10

export function openPets(db: Writable, onBatch?: OnBatch): Pets {
  let unknown = 0
  const inserts = new Batcher({
    ...WRITE_ONCE_BATCHES,
    name: 'pets.insert',
    onBatch,
    maxItems: MAX_INSERTS,
    send: (pets: Worded<NewPet & Actor>[], deadline) =>
      insertAll(db, pets, deadline).catch((error: unknown) => {
        if (error instanceof OutcomeUnknown) unknown++
        throw error
      }),
  })
  const finds = new Batcher({
    ...BATCHES,
    name: 'pets.find',
    onBatch,
    maxItems: MAX_FINDS,
    send: (ids: bigint[], deadline) => findVersioned(db, ids, deadline),
  })
  // Apart from single finds, which would wait for a hundred times as many otherwise.
  const idListsOf = (name: string, view: View) =>
    new Batcher({
      ...BATCHES,
      name,
      onBatch,
      maxItems: MAX_ID_LISTS,
      send: (lists: bigint[][], deadline) => findLists(db, view, lists, deadline),
    })
  const idLists = { basic: idListsOf('pets.findAll', 'basic'), full: idListsOf('pets.findAll.full', 'full') }
  return {
    insert: (pet, caller) => inserts.submit(withWords(pet), caller),
    find: (id, caller) => finds.submit(id, caller),
    findAll: (ids, view, caller) => idLists[view].submit(ids, caller),
    list: openPages(db, onBatch),
    ...openCounts(db, onBatch),
    metrics: [outcomesUnknown(() => unknown)],
  }
}

async function insertAll(db: Writable, pets: Worded<NewPet & Actor>[], deadline: number): Promise<InsertedPet[]> {
  const [row] = await db.writeOnce<{ ids: string }>(insertStatement(pets), deadline)
  const ids = int64sOf(row?.ids, pets.length)
  return pets.map(({ name, categoryId, status }, i) => ({ id: valueAt(ids, i), name, categoryId, status }))
}

function insertStatement(pets: Worded<NewPet & Actor>[]): Statement {
  return {
    name: 'pets.insert',
    // Ids are drawn before the insert: PostgreSQL does not promise the order of `returning`.
    text: `
      with input as materialized (
        select nextval('pets_id_seq') as id, name, category_id, status, key_id, words, position
        from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[])
          with ordinality as new (name, category_id, status, key_id, words, position)),
      inserted as (
        insert into pets (id, name, category_id, status, worded) select id, name, category_id, status, true from input),
      recorded as (
        insert into events (pet_id, version, type, name, category_id, status, key_id)
        select id, 1, 'pet.created', name, category_id, status, key_id from input),
      worded as (insert into pet_words (word, pet_id) select word, id from input, ${EACH_WORD})
      select string_agg(id::text, ',' order by position) as ids from input`,
    values: [...petColumns(pets), keyIdsOf(pets), pets.map(({ words }) => words)],
  }
}

/** New pets as arrays, one for each column. */
export function petColumns(pets: NewPet[]) {
  return [
    pets.map(({ name }) => name),
    pgArrayLiteral(pets.map(({ categoryId }) => categoryId)),
    pgArrayLiteral(pets.map(({ status = null }) => status)),
  ]
}

async function findVersioned(db: Queryable, ids: bigint[], deadline: number) {
  const rows = await db.query<PetColumns>(findVersionedStatement(ids), deadline)
  return inOrder(ids, rows.flatMap(toVersionedPets))
}

async function findAll(db: Queryable, view: View, ids: bigint[], deadline: number) {
  const rows = await db.query<PetColumns>(findStatement(view, ids), deadline)
  return inOrder(ids, rows.flatMap(READERS[view]))
}

function inOrder<Found extends StoredPet>(ids: bigint[], pets: Found[]): (Found | undefined)[] {
  const found = new Map(pets.map((pet) => [pet.id, pet]))
  return ids.map((id) => found.get(String(id)))
}

async function findLists(db: Queryable, view: View, lists: bigint[][], deadline: number) {
  const found = await findAll(db, view, lists.flat(), deadline)
  return lists.map(({ length }) => found.splice(0, length))
}

export function findStatement(view: View, ids: bigint[]): Statement {
  return byIds(view === 'full' ? 'pets.find.full' : 'pets.find', SELECT_LISTS[view], ids)
}

export function findVersionedStatement(ids: bigint[]): Statement {
  return byIds('pets.find.versioned', VERSIONED_SELECT_LIST, ids)
}

function byIds(name: string, selectList: string, ids: bigint[]): Statement {
  return { name, text: `select ${selectList} from pets where id = any($1::bigint[])`, values: [pgArrayLiteral(ids)] }
}
