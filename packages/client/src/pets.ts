import { writeNewPet, writePatch } from './bodies.ts'
import type { Connection } from './connection.ts'
import { digits } from './json.ts'
import {
  type Kind,
  type NewPet,
  PET,
  PET_COUNT,
  PET_COUNTS,
  PET_RECORD,
  type Pet,
  type PetCount,
  type PetCounts,
  type PetPatch,
  type PetRecord,
  type PetStatus,
} from './kinds.ts'
import { createList } from './lists.ts'
import type { CallOptions, CreateOptions } from './options.ts'
import { itemIn } from './responses.ts'
import { create, send } from './send.ts'

export interface ChangeOptions extends CallOptions {
  /**
   * The version that the pet must still have, else the call rejects with the code `version_mismatch` and changes nothing. It is
   * required for a new status of a sold pet.
   */
  ifMatch?: bigint | undefined
}

export interface ListOptions extends CallOptions {
  /** Only pets of this status. */
  status?: PetStatus | undefined
  /** Only the pets with these ids, up to 100. With none, the list is empty, and nothing is sent. */
  ids?: readonly bigint[] | undefined
  /** Only pets of this category. */
  categoryId?: bigint | undefined
  /**
   * Only pets whose name has, for each of these words, a word that begins with it: `mo` finds Big Moe. The list is in the order of these
   * words. Not with `ids` or `sort`. A page may be short, even empty, and have a next one. Beta: it may still change.
   */
  name?: string | undefined
  /** The order of the list: `oldest` first, which is the default, or `newest` first. */
  sort?: 'oldest' | 'newest' | undefined
  /** With `full`, each pet has its `version`, and its `orderId` while an order holds it. */
  view?: 'basic' | 'full' | undefined
  /** The size of a page, 1 to 100; not how many pets there are in all. Iterating uses 100 by default. */
  limit?: number | undefined
}

export interface CountOptions extends CallOptions {
  /** Only pets of this status. */
  status?: PetStatus | undefined
  /** Only pets of this category. */
  categoryId?: bigint | undefined
}

export interface CountsOptions extends CallOptions {
  /** The category whose pets are counted. */
  categoryId: bigint
}

export interface PetPage<Item extends Pet = Pet> {
  pets: Item[]
  /** Where the next page begins; undefined on the last page. */
  next: string | undefined
  /**
   * Set on pages of a search by `name` while not all pets can be found yet, as after an import: how many of 100 can. Beta: it may still
   * change.
   */
  searchIncomplete?: number | undefined
}

/** Every pet, page after page: `for await (const pet of list)`. */
export interface PetList<Item extends Pet = Pet> extends AsyncIterable<Item> {
  /** One page: the first, or the one that `next` of another page points to. */
  page(cursor?: string): Promise<PetPage<Item>>
}

export interface Pets {
  /** Pets in a stable order. Returns every pet that exists and matches for the whole walk exactly once. */
  list(options: ListOptions & { view: 'full' }): PetList<PetRecord>
  list(options?: ListOptions): PetList
  /** How many pets match, up to 1,000: with `isMore`, 1,000 or more. Beta: it may still change. */
  count(options?: CountOptions): Promise<PetCount>
  /** How many pets of a category have each status, where 1000 stands for 1,000 or more. Beta: it may still change. */
  counts(options: CountsOptions): Promise<PetCounts>
  /** Adds a pet. When this resolves, the pet is stored durably. */
  create(pet: NewPet, options?: CreateOptions): Promise<Pet>
  /**
   * Changes what `patch` contains; `status: null` removes the status. Returns the pet with its new version.
   *
   * It is not retried if its outcome is unknown, as after `connection_failed`: read the pet again to see whether it was changed.
   */
  update(id: bigint, patch: PetPatch, options?: ChangeOptions): Promise<PetRecord>
  /** Deletes a pet. Like `update`, it is not retried if its outcome is unknown. */
  delete(id: bigint, options?: ChangeOptions): Promise<void>
  /**
   * One pet. If there is none with this id, it rejects with the code `pet_not_found`.
   *
   * @deprecated Will be removed on 5 December 2030. Use `list({ ids: [id] })`, which leaves out pets that do not exist.
   */
  get(id: bigint, options?: CallOptions): Promise<Pet>
}

export function createPets(connection: Connection): Pets {
  function list(options: ListOptions & { view: 'full' }): PetList<PetRecord>
  function list(options?: ListOptions): PetList
  function list(options: ListOptions = {}): PetList {
    return options.view === 'full' ? listAs(PET_RECORD, options) : listAs(PET, options)
  }

  function listAs<Item extends Pet>(kind: Kind<Item>, options: ListOptions): PetList<Item> {
    return createList(connection, {
      path: '/pets',
      query: queryOf(options),
      kind,
      pageOf: (pets, next, headers) => ({ pets, next, ...incompleteness(headers) }),
      signal: options.signal,
    })
  }

  return {
    list,
    count: async ({ status, categoryId, signal } = {}) => {
      const search = new URLSearchParams()
      if (status !== undefined) search.set('status', status)
      if (categoryId !== undefined) search.set('categoryId', digits('categoryId', categoryId))
      return itemIn(await send(connection, { method: 'GET', path: `/pets/count?${search}`, signal }), PET_COUNT)
    },
    counts: async ({ categoryId, signal }) => {
      const path = `/pets/counts?categoryId=${digits('categoryId', categoryId)}`
      return itemIn(await send(connection, { method: 'GET', path, signal }), PET_COUNTS)
    },
    create: async (pet, options) => itemIn(await create(connection, '/pets', writeNewPet(pet), options), PET),
    update: async (id, patch, { ifMatch, signal } = {}) => {
      const headers = { 'content-type': 'application/merge-patch+json', ...condition(ifMatch) }
      const body = writePatch(patch)
      const response = await send(connection, { method: 'PATCH', path: pathOf(id), headers, body, once: true, signal })
      return itemIn(response, PET_RECORD)
    },
    delete: async (id, { ifMatch, signal } = {}) => {
      const headers = condition(ifMatch)
      await send(connection, { method: 'DELETE', path: pathOf(id), headers, once: true, signal })
    },
    get: async (id, { signal } = {}) =>
      itemIn(await send(connection, { method: 'GET', path: pathOf(id), signal }), PET),
  }
}

function pathOf(id: bigint) {
  return `/pets/${digits('id', id)}`
}

/** A version that got lost on its way here must not become a change without a condition: only `undefined` is one. */
export function condition(ifMatch: bigint | undefined): Record<string, string> {
  return ifMatch === undefined ? {} : { 'if-match': `"${digits('ifMatch', ifMatch)}"` }
}

function incompleteness(headers: Headers | undefined) {
  const percent = headers?.get('petstore-search-incomplete')
  return percent && { searchIncomplete: Number(percent) }
}

function queryOf({ limit, status, ids, categoryId, name, sort, view }: ListOptions) {
  // Needs no request; the service rejects a filter without ids.
  if (ids?.length === 0) return undefined
  return {
    limit,
    status,
    id: ids?.map((id) => digits('ids', id)).join(','),
    categoryId: categoryId === undefined ? undefined : digits('categoryId', categoryId),
    name,
    sort,
    view,
  }
}
