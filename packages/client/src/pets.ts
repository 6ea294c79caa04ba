import type { Connection } from './connection.ts'
import { digits, isPet, type NewPet, type Pet, type PetStatus, writeNewPet } from './json.ts'
import { nextTarget } from './link.ts'
import { bodyOf, type HttpResponse, send, unexpected } from './send.ts'

export interface CallOptions {
  /** Aborts the call: it rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}

export interface CreateOptions extends CallOptions {
  /**
   * By this the service recognizes calls that add the same pet. Each call generates one and keeps it when it is retried.
   * Pass your own, 1 to 255 printable ASCII characters, if a later call, perhaps of another process, may repeat this one.
   * The service remembers it for 24 hours, and rejects a different pet with it: `idempotency_key_reused`.
   */
  idempotencyKey?: string | undefined
}

export interface ListOptions extends CallOptions {
  /** Only pets of this status. */
  status?: PetStatus | undefined
  /** Only the pets with these ids, up to 100. With none, the list is empty, and nothing is sent. */
  ids?: readonly bigint[] | undefined
  /** The size of a page, 1 to 100; not how many pets there are in all. Iterating uses 100 by default. */
  limit?: number | undefined
}

export interface PetPage {
  pets: Pet[]
  /** Where the next page begins; undefined on the last page. */
  next: string | undefined
}

/** Every pet, page after page: `for await (const pet of list)`. */
export interface PetList extends AsyncIterable<Pet> {
  /** One page: the first, or the one that `next` of another page points to. */
  page(cursor?: string): Promise<PetPage>
}

export interface Pets {
  /** Pets in a stable order. Returns every pet that exists and matches for the whole walk exactly once. */
  list(options?: ListOptions): PetList
  /** Adds a pet. When this resolves, the pet is stored durably. */
  create(pet: NewPet, options?: CreateOptions): Promise<Pet>
  /**
   * One pet. If there is none with this id, it rejects with the code `pet_not_found`.
   *
   * @deprecated Will be removed on 5 December 2030. Use `list({ ids: [id] })`, which leaves out pets that do not exist.
   */
  get(id: bigint, options?: CallOptions): Promise<Pet>
}

const LARGEST_PAGE = 100

export function createPets(connection: Connection): Pets {
  return {
    list: (options = {}) => ({
      page: (cursor) => fetchPage(connection, options, cursor),
      [Symbol.asyncIterator]: () => walk(connection, { ...options, limit: options.limit ?? LARGEST_PAGE }),
    }),
    create: async (pet, { idempotencyKey = crypto.randomUUID(), signal } = {}) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }
      return petIn(await send(connection, { method: 'POST', path: '/pets', headers, body: writeNewPet(pet), signal }))
    },
    get: async (id, { signal } = {}) =>
      petIn(await send(connection, { method: 'GET', path: `/pets/${digits('id', id)}`, signal })),
  }
}

async function* walk(connection: Connection, options: ListOptions) {
  let cursor: string | undefined
  do {
    const page = await fetchPage(connection, options, cursor)
    yield* page.pets
    cursor = page.next
  } while (cursor !== undefined)
}

async function fetchPage(connection: Connection, options: ListOptions, cursor: string | undefined): Promise<PetPage> {
  const { status, ids, limit, signal } = options
  // Known without asking; the service rejects a filter without ids.
  if (ids?.length === 0) return { pets: [], next: undefined }
  const query = new URLSearchParams()
  if (limit !== undefined) query.set('limit', String(limit))
  if (status !== undefined) query.set('status', status)
  if (ids !== undefined) query.set('id', ids.map((id) => digits('ids', id)).join(','))
  if (cursor !== undefined) query.set('cursor', cursor)
  const response = await send(connection, { method: 'GET', path: `/pets?${query}`, signal })
  const pets = bodyOf(response)
  if (!Array.isArray(pets) || !pets.every(isPet)) throw unexpected(response, 'The response is not a list of pets.')
  return { pets, next: nextCursor(response) }
}

/**
 * Only the cursor is taken from the link, and used with our own base URL: the key is sent nowhere else, whatever the link
 * says, and a service that knows itself by another name can be listed all the same.
 */
function nextCursor(response: HttpResponse) {
  const target = nextTarget(response.headers.get('link'))
  if (target === undefined) return undefined
  const cursor = new URLSearchParams(target.split(/[?#]/)[1]).get('cursor')
  // A walk that ends early would look like a complete one.
  if (cursor === null) throw unexpected(response, 'The link to the next page has no cursor.')
  return cursor
}

function petIn(response: HttpResponse) {
  const pet = bodyOf(response)
  if (!isPet(pet)) throw unexpected(response, 'The response is not a pet.')
  return pet
}
