import { randomUUID } from 'node:crypto'
import { CategoryNames } from './category-names.ts'
import { last } from './last.ts'
import { canonicalInt64, type Pet } from './oracle/new-pet.ts'
import { type PetState, possible, type Window, type World } from './oracle/world.ts'
import { headers, type Known, type Request } from './request.ts'
import { afterOthers, type Changeable } from './turns.ts'

interface Entry extends Changeable {
  world: World
  /** When its 201 had arrived: later requests must find it. */
  since: number
}

const CURSORS = 100
const RECENT = 100
// Few, so that most of them still exist, and each is changed often.
const RECENT_WEBHOOKS = 10
const NO_KEY = `petk_live_${'0'.repeat(36)}`

/** Every pet and order that the service has confirmed to this run, as they must be now; and cursors that it has returned. */
export class Store implements Known {
  readonly key: string
  readonly earlierKey: string | undefined
  readonly #pets = new Map<bigint, Entry>()
  readonly #ids: bigint[] = []
  readonly #cursors = new Set<string>()
  /** The first response to each Idempotency-Key. */
  readonly #first = new Map<string, string>()
  readonly #petOf = new Map<string, bigint>()
  readonly #orderIds: string[] = []
  /** The cursors of the feed, and the numbers that they come after where these are known. */
  readonly #places = new Map<string, bigint | undefined>()
  /** The cursors that lead back from the newest event, and the numbers that they come before where these are known. */
  readonly #newest = new Map<string, bigint | undefined>()
  /** The cursors of histories, and the versions that they come after where these are known. */
  readonly #histories = new Map<string, bigint | undefined>()
  /** The events of the feed, by their numbers. */
  readonly #feed = new Map<bigint, string>()
  readonly #keyIds = new Map<string, string>()
  readonly #webhookIds = new Set<string>()
  readonly categories = new CategoryNames()

  constructor(key: string, earlierKey?: string) {
    this.key = key
    this.earlierKey = earlierKey
  }

  /** False when the id was given to another pet before. */
  add({ id, ...rest }: Pet, by?: string) {
    if (this.#pets.has(id)) return false
    const pet = { ...rest, version: 1n }
    const created = { type: 'pet.created', pet, ...(by !== undefined && { by }) }
    const world: World = { petId: id, pet, orders: new Map(), past: [created] }
    this.#pets.set(id, { world, since: performance.now(), changing: 0, changedAt: 0, last: Promise.resolve() })
    this.#ids.push(id)
    return true
  }

  firstWith(idempotencyKey: string) {
    return this.#first.get(idempotencyKey)
  }

  /** From now on the key repeats this response. */
  keepFirst(idempotencyKey: string, body: string) {
    this.#first.set(idempotencyKey, body)
  }

  /** The API key that a request carries. */
  keyIn(request: Request) {
    const [value = '', ...more] = headers(request, 'authorization')
    const token = value.trim().replace(/^bearer +/i, '')
    return [this.key, this.earlier].find((key) => key === token && more.length === 0)
  }

  /** What is so from now on. */
  keep(world: World) {
    const entry = this.#pets.get(world.petId)
    if (entry) entry.world = world
    for (const id of world.orders.keys()) {
      if (this.#petOf.has(id)) continue
      this.#petOf.set(id, world.petId)
      this.#orderIds.push(id)
    }
  }

  /** After a response that could not be understood nothing is known of the pet. */
  forget(petId: bigint) {
    this.#pets.delete(petId)
    const at = this.#ids.indexOf(petId)
    if (at >= 0) this.#ids.splice(at, 1)
  }

  world(petId: bigint) {
    return this.#pets.get(petId)?.world
  }

  readonly petOf = (orderId: string) => this.#petOf.get(orderId)

  /** What 404 denies, though it was confirmed before. */
  isLost(operationId: string, parameter: string, from: number) {
    const petId = canonicalInt64(parameter)
    if (operationId === 'deleteCategory' && petId !== undefined && this.categories.last(petId))
      return `the name of the category ${petId} is gone`
    if (operationId === 'getPet' && petId !== undefined && this.seen(petId, from)) return `the pet ${petId} is gone`
    return operationId === 'getOrder' && this.#petOf.has(parameter) ? `the order ${parameter} is gone` : undefined
  }

  isSettled(petId: bigint, { from }: Window) {
    const entry = this.#pets.get(petId)
    return entry !== undefined && entry.since < from && entry.changing === 0 && entry.changedAt < from
  }

  /** The pet as any request sent at `from` must have seen it; null if it was deleted before; undefined if that is not certain. */
  seen(petId: bigint, from: number): PetState | null | undefined {
    const window = { from, to: performance.now() }
    const world = this.world(petId)
    if (!world || !this.isSettled(petId, window)) return undefined
    const [only, ...more] = possible(world, window)
    return more.length > 0 ? undefined : (only?.pet ?? null)
  }

  /** Runs what may change these pets, after all that does so already. */
  async changing<T>(petIds: bigint[], run: () => Promise<T>): Promise<T> {
    const entries = [...new Set(petIds)].flatMap((id) => this.#pets.get(id) ?? [])
    return await afterOthers(entries, run)
  }

  get size() {
    return this.#ids.length
  }

  idsSince(size: number) {
    return this.#ids.slice(size)
  }

  get recentIds() {
    return this.#ids.slice(-RECENT)
  }

  /** Of the last orders, those that any request sent at `from` must have seen in the same state, and at the same time of their end. */
  ordersSeen(from: number) {
    const window = { from, to: performance.now() }
    return this.#lastOrders.flatMap(({ id, world }) => {
      const [only, ...more] = this.isSettled(world.petId, window) ? possible(world, window) : []
      const order = more.length > 0 ? undefined : only?.orders.get(id)
      return order && (order.status === 'placed' || order.closedAt !== undefined) ? order : []
    })
  }

  /** When one of the last orders ended. */
  closedAt(index: number) {
    const times = this.#lastOrders.flatMap(({ id, world }) => world.orders.get(id)?.closedAt ?? [])
    return last(times, index) ?? '2026-11-16T00:00:00Z'
  }

  get #lastOrders() {
    return this.#orderIds.slice(-RECENT).flatMap((id) => {
      const world = this.world(this.#petOf.get(id) ?? 0n)
      return world ? { id, world } : []
    })
  }

  /** One of the last pets; the first id there can be while there is none. */
  petId(index: number) {
    return last(this.#ids, index) ?? 1n
  }

  /** One of the last pets that can be ordered, if there is one. */
  availableId(index: number) {
    const available = this.#ids.slice(-RECENT).filter((id) => this.world(id)?.pet?.status === 'available')
    return last(available, index) ?? this.petId(index)
  }

  orderId(index: number) {
    return last(this.#orderIds, index) ?? 'ord_none'
  }

  /** One of the last orders that have not ended, if there is one. */
  openOrderId(index: number) {
    const open = this.#orderIds.slice(-RECENT).filter((id) => {
      const petId = this.#petOf.get(id)
      return petId !== undefined && this.world(petId)?.pet?.orderId === id
    })
    return last(open, index) ?? this.orderId(index)
  }

  version(index: number) {
    return this.world(this.petId(index))?.pet?.version ?? 1n
  }

  /** A value that was never sent before, not even by an earlier run. */
  unique() {
    return randomUUID()
  }

  keepCursor(query: string) {
    this.#cursors.add(new URLSearchParams(query).get('cursor') ?? '')
    const [oldest] = this.#cursors
    if (this.#cursors.size > CURSORS && oldest !== undefined) this.#cursors.delete(oldest)
  }

  /** The number that this cursor of the feed comes after, if it is known. */
  placeOf(cursor: string) {
    return this.#places.get(cursor)
  }

  keepPlace(cursor: string, sequence: bigint | undefined) {
    this.#places.set(cursor, sequence ?? this.#places.get(cursor))
  }

  /** The number that this cursor comes before, if it is known. */
  placeBefore(cursor: string) {
    return this.#newest.get(cursor)
  }

  keepPlaceBefore(cursor: string, sequence: bigint | undefined) {
    this.#newest.set(cursor, sequence ?? this.#newest.get(cursor))
  }

  /** The version that this cursor of a history comes after, if it is known; before, in one that begins with the newest. */
  versionOf(cursor: string) {
    return this.#histories.get(cursor)
  }

  keepHistory(cursor: string, after: bigint | undefined) {
    this.#histories.set(cursor, after)
  }

  /** Whether this number of the feed has always been that of this event. */
  isAt(sequence: bigint, eventId: string) {
    const before = this.#feed.get(sequence)
    this.#feed.set(sequence, before ?? eventId)
    return before === undefined || before === eventId
  }

  /** Whether the changes of this API key, and of no other, have this id. */
  isKeyId(key: string, keyId: string | undefined) {
    if (keyId === undefined) return false
    const before = this.#keyIds.get(keyId)
    this.#keyIds.set(keyId, before ?? key)
    return before === undefined || before === key
  }

  feedCursor(index: number) {
    return last([...this.#places.keys()].slice(-RECENT), index) ?? 'none'
  }

  newestCursor(index: number) {
    return last([...this.#newest.keys()].slice(-RECENT), index) ?? 'none'
  }

  historyCursor(index: number) {
    return last([...this.#histories.keys()].slice(-RECENT), index) ?? 'none'
  }

  /** False when the id was given to another webhook before. */
  keepWebhook(id: string) {
    const isNew = !this.#webhookIds.has(id)
    this.#webhookIds.add(id)
    return isNew
  }

  /** One of the last webhooks, which may have been deleted. */
  webhookId(index: number) {
    return last([...this.#webhookIds].slice(-RECENT_WEBHOOKS), index) ?? 'wh_none'
  }

  /** All that this run has created. */
  get webhookIds() {
    return [...this.#webhookIds]
  }

  cursor(index: number) {
    return last([...this.#cursors], index) ?? 'none'
  }

  get earlier() {
    return this.earlierKey ?? NO_KEY
  }
}
