import { randomUUID } from 'node:crypto'

/** An operation to measure: a request to the service, and the statement that does the same on bare PostgreSQL. */
export interface Operation {
  name: string
  /** A script for pgbench; `:pets` is how many there are. */
  bare: string
  /** How many requests do what the script does once; 1 if absent. */
  requestsPerScript?: number
  /** A request of the kind, for a store of so many pets. */
  request: (pets: number) => Request
}

export interface Request {
  method: string
  path: string
  body: string
  /** Its Idempotency-Key. */
  key?: string
  /** The path of a POST that follows its 201, where `{id}` is the id that was returned. */
  next?: string
}

// Milliseconds and a random number, as the service draws it.
const ORDER_ID = `(floor(extract(epoch from clock_timestamp()) * 1000)::bigint << 21) + floor(random() * 2097152)::bigint`
const COLUMNS = 'id, name, category_id, status'

export const create: Operation = {
  name: 'create',
  bare: `
    \\set category random(1, 1000)
    insert into pets (name, category_id, status) values ('Rex', :category, 'available') returning id;`,
  request: () => ({
    method: 'POST',
    path: '/v1/pets',
    body: JSON.stringify({ name: 'Rex', categoryId: upTo(1_000), status: 'available' }),
  }),
}

/** Each has an Idempotency-Key of its own, which is stored together with the pet. */
export const createOnce: Operation = {
  name: 'create once',
  bare: `
    \\set category random(1, 1000)
    with stored as (
      insert into idempotency_keys (api_key_id, chain_id, key, fingerprint, pet_id)
      values ('key_bench', 'key_bench', gen_random_uuid()::text, sha256(:category::text::bytea), nextval('pets_id_seq'))
      on conflict do nothing returning pet_id)
    insert into pets (id, name, category_id, status)
    select pet_id, 'Rex', :category, 'available' from stored returning id;`,
  request: (pets) => ({ ...create.request(pets), key: randomUUID() }),
}

export const get: Operation = {
  name: 'get',
  bare: `
    \\set id random(1, :pets)
    select ${COLUMNS} from pets where id = :id;`,
  request: (pets) => read(`/v1/pets/${upTo(pets)}`),
}

export const list: Operation = {
  name: 'list',
  bare: `
    select ${COLUMNS} from pets where id > 0 order by id limit 21;`,
  request: () => read('/v1/pets'),
}

/** Each request is for another page, so no two can share one. */
const walk: Operation = {
  name: 'walk',
  bare: `
    \\set after random(1, :pets)
    select ${COLUMNS} from pets where id > :after and status = 'available' order by id limit 21;`,
  request: (pets) => read(`/v1/pets?status=available&cursor=${cursorAfter(upTo(pets))}`),
}

/** Searches need stores with words. Each of these names is found by its number, or with all others by a letter. */
export const find: Operation = {
  name: 'find',
  bare: `
    \\set n random(1, :pets)
    select ${COLUMNS} from pets join (
      select pet_id from pet_words where word = (:n)::text order by word, pet_id limit 21) as found on id = pet_id;`,
  request: (pets) => read(`/v1/pets?name=${upTo(pets)}`),
}

export const findLetter: Operation = {
  name: 'find p',
  bare: `
    select ${COLUMNS} from pets join (
      select pet_id from pet_words where word >= 'p' and word < 'q' order by word, pet_id limit 21) as found on id = pet_id;`,
  request: () => read('/v1/pets?name=p'),
}

/** One pet, of all that there are. The bare statement locks the row too, since that is how the others learn why it was left alone. */
const update: Operation = {
  name: 'update',
  bare: `
    \\set id random(1, :pets)
    \\set n random(1, 1000000)
    with locked as (select id, held_by from pets where id = :id for no key update)
    update pets set name = 'Rex ' || :n, version = version + 1 from locked
    where pets.id = locked.id and locked.held_by is null returning pets.id, name, category_id, status, version;`,
  request: (pets) => ({
    method: 'PATCH',
    path: `/v1/pets/${upTo(pets)}`,
    body: JSON.stringify({ name: `Rex ${upTo(1_000_000)}` }),
  }),
}

/**
 * Places an order and completes it: two transactions, two requests. No pet can be sold twice, so the requests sell those with even
 * ids, all of them available, from the first, and the script those from the last, by a sequence.
 */
const sell: Operation = {
  name: 'sell',
  requestsPerScript: 2,
  bare: `
    with pet as (
      select id from pets where id = (select nextval('bench_sales')) and status = 'available' for no key update),
    placed as (
      insert into orders (pet_id, id, version, expires_at)
      select id, ${ORDER_ID}, 2, now() + interval '15 minutes' from pet returning pet_id, id)
    update pets set status = 'pending', held_by = placed.id, version = version + 1 from placed
    where pets.id = placed.pet_id returning pets.id as pet_id, held_by as order_id \\gset
    with pet as (select id from pets where id = :pet_id and held_by = :order_id for no key update),
    closed as (
      update orders set status = 'completed', closed_at = now() from pet
      where pet_id = pet.id and orders.id = :order_id returning pet_id)
    update pets set status = 'sold', held_by = null, version = version + 1 from closed
    where pets.id = closed.pet_id returning pets.id;`,
  request: () => {
    lastSold += 2
    return {
      method: 'POST',
      path: '/v1/store/orders',
      body: JSON.stringify({ petId: lastSold }),
      next: '/v1/store/orders/{id}/complete',
    }
  },
}
let lastSold = 0

/** The same work on both sides: the pet, its event, and its words, of which one is at a random place. */
export const createWithWords: Operation = {
  name: 'create with words',
  bare: `
    \\set category random(1, 1000)
    \\set n random(1, 1000000)
    with input as materialized (
      select nextval('pets_id_seq') as id, 'Rex ' || :n as name, :category::bigint as category_id, 'available' as status,
             'key_bench' as key_id, 'rex ' || :n as words),
    inserted as (
      insert into pets (id, name, category_id, status, worded) select id, name, category_id, status, true from input),
    recorded as (
      insert into events (pet_id, version, type, name, category_id, status, key_id)
      select id, 1, 'pet.created', name, category_id, status, key_id from input),
    worded as (insert into pet_words (word, pet_id) select word, id from input, unnest(string_to_array(words, ' ')) as word)
    select id from input;`,
  request: () => ({
    method: 'POST',
    path: '/v1/pets',
    body: JSON.stringify({ name: `Rex ${upTo(1_000_000)}`, categoryId: upTo(1_000), status: 'available' }),
  }),
}

export const OPERATIONS = [create, createOnce, get, list, walk]
/** They need a key with all scopes, and pets that are left to be sold. */
export const SELLING = [update, sell]

export function read(path: string): Request {
  return { method: 'GET', path, body: '' }
}

export function upTo(most: number) {
  return 1 + Math.floor(Math.random() * most)
}

/** A cursor is opaque to callers; a bench may know that it is a version and an id, and so begin anywhere. */
export function cursorAfter(id: number) {
  const bytes = Buffer.alloc(9, 1)
  bytes.writeBigInt64BE(BigInt(id), 1)
  return bytes.toString('base64url')
}
