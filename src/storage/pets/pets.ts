import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { encodeCursor } from '../../lib/cursor.ts'
import { counter, type Measured } from '../../lib/metric.ts'
import { arrayOf, BATCHES } from '../postgres/batches.ts'
import { aggregateOf, int64sOf, int64Text, optionalWord, text, valueAt } from '../postgres/columns.ts'
import { OutcomeUnknown } from '../postgres/failures.ts'
import type { Queryable, Statement, Writable } from '../postgres/statement.ts'
import { type PetStatus, petsJson, type StoredPet } from './stored-pet.ts'

export type { PetStatus } from './stored-pet.ts'

export interface NewPet {
  name: string
  categoryId: bigint
  status?: PetStatus | undefined
}

export interface Pet extends NewPet {
  id: bigint
}

/** A part of a walk: up to `limit` pets after the id `after`. */
export interface PageRequest {
  status?: PetStatus | undefined
  after: bigint
  limit: number
}

/** A page as clients receive it. Equal requests that arrive together share one, so it is printed once for all of them. */
export interface Page {
  /** A JSON array of pets. */
  readonly json: string
  /** The cursor of the next page; absent on the last page. */
  readonly next?: string
}

/** The pets of a database. Requests that arrive together share a statement; each gets its own result, or its own error. */
export interface Pets extends Measured {
  /** Adds a pet; when this returns, the pet is committed and flushed. */
  insert: (pet: NewPet, caller?: Caller) => Promise<Pet>
  find: (id: bigint, caller?: Caller) => Promise<StoredPet | undefined>
  /** For each id its pet, if there is one. */
  findAll: (ids: bigint[], caller?: Caller) => Promise<(StoredPet | undefined)[]>
  list: (request: PageRequest, caller?: Caller) => Promise<Page>
}

// A larger batch would not be cheaper per item, and would make its first items wait for the others.
const MAX_INSERTS = 200
const MAX_FINDS = 200
const MAX_ID_LISTS = 10
const MAX_PAGES = 30

const INSERT_BATCHES = {
  ...BATCHES,
  maxItems: MAX_INSERTS,
  timeoutError: (wasSent: boolean) =>
    wasSent ? new OutcomeUnknown('the database did not respond in time') : BATCHES.timeoutError(false),
}

const PETS = aggregateOf<StoredPet>({
  id: int64Text('id'),
  name: text('name'),
  categoryId: int64Text('category_id'),
  status: optionalWord<PetStatus>('status'),
})
type PetColumns = Record<keyof StoredPet, unknown>

export function openPets(db: Writable, onBatch?: OnBatch): Pets {
  let outcomesUnknown = 0
  const inserts = new Batcher({
    ...INSERT_BATCHES,
    name: 'pets.insert',
    onBatch,
    send: (pets: NewPet[], deadline) =>
      insertAll(db, pets, deadline).catch((error: unknown) => {
        if (error instanceof OutcomeUnknown) outcomesUnknown++
        throw error
      }),
  })
  const finds = new Batcher({
    ...BATCHES,
    name: 'pets.find',
    onBatch,
    maxItems: MAX_FINDS,
    send: (ids: bigint[], deadline) => findAll(db, ids, deadline),
  })
  // Apart from single finds, which would wait for a hundred times as many otherwise.
  const idLists = new Batcher({
    ...BATCHES,
    name: 'pets.findAll',
    onBatch,
    maxItems: MAX_ID_LISTS,
    send: (lists: bigint[][], deadline) => findLists(db, lists, deadline),
  })
  const listOf = (status?: PetStatus) =>
    new Batcher({
      ...BATCHES,
      name: `pets.list.${status ?? 'all'}`,
      onBatch,
      maxItems: MAX_PAGES,
      // The one place that decides which pages are equal.
      keyOf: ({ after, limit }: PageRequest) => `${after} ${limit}`,
      send: (requests, deadline) => listAll(db, status, requests, deadline),
    })
  const lists = { all: listOf(), available: listOf('available'), pending: listOf('pending'), sold: listOf('sold') }
  return {
    insert: (pet, caller) => inserts.submit(pet, caller),
    find: (id, caller) => finds.submit(id, caller),
    findAll: (ids, caller) => idLists.submit(ids, caller),
    list: (request, caller) => lists[request.status ?? 'all'].submit(request, caller),
    metrics: [
      counter('petstore_outcomes_unknown_total', 'Batches of creates whose outcome is unknown.', () => outcomesUnknown),
    ],
  }
}

async function insertAll(db: Writable, pets: NewPet[], deadline: number): Promise<Pet[]> {
  const insertion: Statement = {
    name: 'pets.insert',
    // Ids are drawn before the insert, so that they do not depend on the order of `returning`, which PostgreSQL does not
    // promise and a sharded one does not keep.
    text: `
      with input as materialized (
        select nextval('pets_id_seq') as id, name, category_id, status, position
        from unnest($1::text[], $2::bigint[], $3::text[]) with ordinality as new (name, category_id, status, position)),
      inserted as (insert into pets (id, name, category_id, status) select id, name, category_id, status from input)
      select string_agg(id::text, ',' order by position) as ids from input`,
    values: petColumns(pets),
  }
  const [row] = await db.writeOnce<{ ids: string }>(insertion, deadline)
  const ids = int64sOf(row?.ids, pets.length)
  return pets.map((pet, i) => ({ id: valueAt(ids, i), ...pet }))
}

/** New pets as arrays, one for each column. */
export function petColumns(pets: NewPet[]) {
  return [
    pets.map(({ name }) => name),
    arrayOf(pets.map(({ categoryId }) => categoryId)),
    arrayOf(pets.map(({ status = null }) => status)),
  ]
}

async function findAll(db: Queryable, ids: bigint[], deadline: number): Promise<(StoredPet | undefined)[]> {
  const rows = await db.query<PetColumns>(findStatement(ids), deadline)
  const found = new Map(rows.flatMap(toPets).map((pet) => [pet.id, pet]))
  return ids.map((id) => found.get(String(id)))
}

async function findLists(db: Queryable, lists: bigint[][], deadline: number) {
  const found = await findAll(db, lists.flat(), deadline)
  return lists.map(({ length }) => found.splice(0, length))
}

export function findStatement(ids: bigint[]): Statement {
  return {
    name: 'pets.find',
    text: `select ${PETS.selectList} from pets where id = any($1::bigint[])`,
    values: [arrayOf(ids)],
  }
}

async function listAll(
  db: Queryable,
  status: PetStatus | undefined,
  requests: PageRequest[],
  deadline: number,
): Promise<Page[]> {
  const rows = await db.query<PetColumns>(listStatement(status, requests), deadline)
  return requests.map(({ limit }, i) => pageOf(toPets(valueAt(rows, i)), limit))
}

/**
 * Each status has a statement of its own with the value written in it, so that the planner can use that status's partial
 * index. With `status = $1` it settles on a plan that walks the whole table for a rare status.
 */
export function listStatement(status: PetStatus | undefined, requests: PageRequest[]): Statement {
  return {
    name: `pets.list.${status ?? 'all'}`,
    text: `
      select pets.*
      from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
      lateral (
        select ${PETS.selectList}
        from (
          select * from pets
          where id > page.after${status ? ` and status = '${status}'` : ''}
          order by id limit page.count) as pets) as pets
      order by page.position`,
    // One more than requested shows whether another page follows.
    values: [arrayOf(requests.map(({ after }) => after)), arrayOf(requests.map(({ limit }) => limit + 1))],
  }
}

/** Of pets in the order of the walk, the first `limit`. */
export function pageOf(pets: StoredPet[], limit: number): Page {
  const last = pets[limit - 1]
  if (pets.length <= limit || !last) return { json: petsJson(pets) }
  return { json: petsJson(pets.slice(0, limit)), next: encodeCursor('oldest', BigInt(last.id)) }
}

function toPets(row: PetColumns): StoredPet[] {
  const { id: ids, name: names, categoryId: categoryIds, status: statuses } = PETS.decode(row)
  return ids.map((id, i) => ({
    id,
    name: valueAt(names, i),
    categoryId: valueAt(categoryIds, i),
    status: statuses[i],
  }))
}
