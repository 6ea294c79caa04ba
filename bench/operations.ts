import { randomUUID } from 'node:crypto'

/** An operation to measure: a request to the service, and the statement that does the same on bare PostgreSQL. */
export interface Operation {
  name: string
  /** A script for pgbench; `:pets` is how many there are. */
  bare: string
  /** A request of the kind, for a store of so many pets. */
  request: (pets: number) => Request
}

export interface Request {
  method: string
  path: string
  body: string
  /** Its Idempotency-Key. */
  key?: string
}

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

export const OPERATIONS = [create, createOnce, get, list, walk]

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
