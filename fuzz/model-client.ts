import { Broken, comparePets, compareTexts, cursorIn, eventsIn, items } from './model-pages.ts'
import type { Event } from './oracle/event.ts'
import { asOrder } from './oracle/order.ts'
import { type Order, possible, type World } from './oracle/world.ts'
import { createdId, orderIn, type Sending, type Session, sendOne } from './properties.ts'
import { fill, plainRequest, type Request } from './request.ts'
import { nextPage } from './shown.ts'
import { isPast } from './verdict-events.ts'
import { isAskedFor } from './verdict-pets.ts'

// The contract says a second; this is so much later that a busy machine is not the cause.
const FEED_MS = 5_000

/** The pets that a story lists. */
export interface Listed {
  limit: number
  status?: string | null
  /** Lists the category of this pet. */
  category?: number | null
  view?: string | null
  newestFirst?: boolean
}

/** Sends one request after the other, and compares each response with the pets and orders that must exist. */
export class ModelClient {
  readonly sent: Sending[] = []
  readonly #session: Session
  /** Of this story, also those that were deleted. */
  #ids: bigint[] = []
  readonly #orders: string[] = []
  readonly #keyed: { path: string; key: string; body: string }[] = []
  #cursor = ''
  /** The place in the feed where this story begins. */
  #feedCursor = ''
  readonly #reference: string

  constructor(session: Session) {
    this.#session = session
    this.#reference = session.store.unique()
  }

  /** Takes a cursor after which this story takes place: a cursor holds a position and nothing else. */
  async begin() {
    this.#feedCursor = cursorIn(await this.#ask('/v1/events?from=now'))
    const first = await this.create('{"name":"first","categoryId":1}')
    const second = await this.create('{"name":"second","categoryId":2}')
    if (first === undefined || second === undefined) throw new Broken('two plain pets were not created')
    const response = await this.#ask(`/v1/pets?id=${first},${second}&limit=1`)
    const next = nextPage(response)
    if (next === undefined) throw new Broken('a page of one of two pets has no next link')
    this.#cursor = cursorIn(response)
    this.#ids = [second]
  }

  /** Adds the pets that others have created since. */
  adopt(ids: bigint[]) {
    this.#ids.push(...ids.toSorted((a, b) => Number(a - b)))
  }

  async create(body: string, headers: Request['headers'] = []) {
    const response = await this.#send('POST', '/v1/pets', headers, body)
    // The response with a pet that existed before has been checked already.
    const id = response.headers.has('idempotent-replayed') ? undefined : createdId(response)
    if (id === undefined) return undefined
    const last = this.#ids.at(-1)
    if (last !== undefined && id <= last) throw new Broken(`the id ${id} is not greater than the one before it`)
    this.#ids.push(id)
    return id
  }

  async createOnce(body: string) {
    const key = this.#session.store.unique()
    await this.create(body, [['Idempotency-Key', key]])
    this.#keyed.push({ path: '/v1/pets', key, body })
  }

  /** Repeats a create or an order that had a key, or sends something else with it. */
  async again(pick: number, otherBody: string | null) {
    const keyed = this.#keyed[pick % this.#keyed.length]
    if (!keyed) return
    const headers: Request['headers'] = [['Idempotency-Key', keyed.key]]
    if (keyed.path === '/v1/pets') await this.create(otherBody ?? keyed.body, headers)
    else await this.#send('POST', keyed.path, headers, keyed.body)
  }

  async get(pick: number) {
    const id = this.#pick(pick)
    const { status } = await this.#ask(`/v1/pets/${id}`)
    const due = this.#pet(id) ? 200 : 404
    if (status !== due) throw new Broken(`GET of the pet ${id} returned ${status}, not ${due}`)
  }

  async update(pick: number, body: string, condition: string | null) {
    const id = this.#pick(pick)
    await this.#send('PATCH', `/v1/pets/${id}`, this.#condition(id, condition), body)
  }

  async delete(pick: number, condition: string | null) {
    const id = this.#pick(pick)
    await this.#send('DELETE', `/v1/pets/${id}`, this.#condition(id, condition))
  }

  /** Orders a pet: with a key, it can be repeated. `story` in its reference is that of this story. */
  async place(pick: number, more: string, once: boolean) {
    const body = `{"petId":${this.#pick(pick)}${more.replace('story', this.#reference)}}`
    const key = this.#session.store.unique()
    const path = '/v1/store/orders'
    const response = await this.#send('POST', path, once ? [['Idempotency-Key', key]] : [], body)
    const id = orderIn(response)
    if (id !== undefined) this.#orders.push(id)
    // A refused order has stored no key: the same request may succeed later.
    if (once) this.#keyed.push({ path, key, body })
  }

  async close(pick: number, way: 'complete' | 'cancel') {
    const id = this.#orders[pick % this.#orders.length]
    if (id !== undefined) await this.#send('POST', `/v1/store/orders/${id}/${way}`)
  }

  /** All orders of a pet or with the reference of this story, along their links; or the newest of all, which are those of this story. */
  async listOrders(by: 'pet' | 'reference' | null, pick: number, status: string | null, limit: number) {
    const filter = { pet: `petId=${this.#pick(pick)}`, reference: `reference=${this.#reference}` }
    const due = this.#ordersBy(by, pick).filter((order) => status === null || order.status === status)
    const found: Order[] = []
    let query: string | undefined = `limit=${limit}${by ? `&${filter[by]}` : ''}${status ? `&status=${status}` : ''}`
    // Of all orders, those of earlier stories follow.
    while (query !== undefined && (by === null ? found.length < due.length : found.length <= due.length)) {
      const response = await this.#ask(`/v1/store/orders?${query}`)
      found.push(...items(response).flatMap((item) => asOrder(item) ?? []))
      query = nextPage(response)
    }
    const shown = by === null ? found.slice(0, due.length) : found
    // Orders of the same millisecond come in any order.
    const ids = (orders: Order[]) =>
      orders
        .map(({ placedAt, id }) => `${placedAt} ${id}`)
        .toSorted(compareTexts)
        .join()
    if (ids(shown) !== ids(due)) throw new Broken(`the list of orders is ${ids(shown) || 'empty'}, not ${ids(due)}`)
  }

  /** Every version of a pet, along the links. That each page is right has been checked with its response. */
  async history(pick: number, limit: number) {
    const id = this.#pick(pick)
    const events: Event[] = []
    for (let query: string | undefined = `petId=${id}&limit=${limit}`; query !== undefined; ) {
      const response = await this.#ask(`/v1/events?${query}`)
      const page = eventsIn(response)
      events.push(...page)
      query = page.length < limit ? undefined : nextPage(response)
    }
    this.#comparePast(id, events, performance.now())
  }

  /** All that came into the feed since this story began: each change of its pets once, in the order of versions. */
  async feed(limit: number, types: string[] | null) {
    const from = performance.now()
    const last = await this.create('{"name":"last","categoryId":1}')
    const all = await this.#follow(`limit=${limit}&wait=1`, from, (events) =>
      events.some(({ pet }) => pet?.id === last),
    )
    for (const id of this.#ids)
      this.#comparePast(
        id,
        all.filter(({ pet }) => pet?.id === id),
        from,
      )
    if (types === null) return
    const due = all.filter(({ type }) => types.includes(type))
    const typed = await this.#follow(
      `limit=${limit}&type=${types.join()}`,
      from,
      (events) => events.length >= due.length,
    )
    const ids = (events: Event[]) =>
      events
        .slice(0, due.length)
        .map(({ id }) => id)
        .join()
    if (ids(typed) !== ids(due)) throw new Broken(`the feed of ${types.join()} is ${ids(typed)}, not ${ids(due)}`)
  }

  async #follow(query: string, from: number, isWhole: (events: Event[]) => boolean) {
    const events: Event[] = []
    for (let next = `${query}&cursor=${this.#feedCursor}`; !isWhole(events); ) {
      const response = await this.#ask(`/v1/events?${next}`)
      const page = eventsIn(response)
      events.push(...page)
      if (page.length === 0 && performance.now() - from > FEED_MS)
        throw new Broken(`an event did not come into the feed within ${FEED_MS} ms`)
      next = nextPage(response) ?? ''
    }
    return events
  }

  #comparePast(id: bigint, events: Event[], from: number) {
    const world = this.#session.store.world(id)
    const isDue = (each: World) => isPast(each, events)
    if (!world || possible(world, { from, to: performance.now() }).some(isDue)) return
    const words = events.map(({ type, pet }) => `${type} ${pet?.version}`)
    const due = world.past.map(({ type, pet }) => `${type} ${pet.version}`)
    throw new Broken(`the events of ${id} are ${words.join(', ')}, not ${due.join(', ')}`)
  }

  #ordersBy(by: 'pet' | 'reference' | null, pick: number): Order[] {
    const pets = by === 'pet' ? [this.#pick(pick)] : this.#ids
    const orders = pets.flatMap((id) => [...(this.#session.store.world(id)?.orders.values() ?? [])])
    return by === 'reference' ? orders.filter(({ reference }) => reference === this.#reference) : orders
  }

  async listByIds(picks: number[], { limit, view, newestFirst = false }: Listed) {
    const ids = [...new Set(picks.map((pick) => this.#pick(pick)))].toSorted((a, b) => Number(a - b))
    const query = `limit=${limit}&id=${ids.join(',')}${view ? `&view=${view}` : ''}${newestFirst ? '&sort=newest' : ''}`
    const response = await this.#ask(`/v1/pets?${query}`)
    const existing = (newestFirst ? ids.toReversed() : ids).filter((id) => this.#pet(id))
    comparePets(response, existing.slice(0, limit), existing.length > limit)
  }

  /** The first page, or all of them along their links. The newest come without a cursor: others follow after them. */
  async list({ limit, status = null, category = null, view = null, newestFirst = false }: Listed, toTheEnd: boolean) {
    const categoryId = category === null ? undefined : this.#pet(this.#pick(category))?.categoryId
    const asked = { ...(status === null ? {} : { status }), ...(categoryId === undefined ? {} : { categoryId }) }
    const matching = this.#ids.filter((id) => {
      const pet = this.#pet(id)
      return pet && isAskedFor(pet, asked)
    })
    const due = newestFirst ? matching.toReversed() : matching
    const parameters = Object.entries({ limit, ...asked, ...(view === null ? {} : { view }) })
    const start = newestFirst ? 'sort=newest' : `cursor=${this.#cursor}`
    let query = [...parameters.map((pair) => pair.join('=')), start].join('&')
    for (let at = 0; ; at += limit) {
      const page = due.slice(at, at + limit)
      if (newestFirst && page.length < limit) return
      const response = await this.#ask(`/v1/pets?${query}`)
      const more = due.length > at + limit
      comparePets(response, page, newestFirst && !more ? undefined : more)
      const next = nextPage(response)
      if (!more || !toTheEnd) return
      query = next ?? ''
    }
  }

  #pick(index: number) {
    const id = this.#ids[index % this.#ids.length]
    if (id === undefined) throw new Broken('no pet exists to ask for')
    return id
  }

  #pet(id: bigint) {
    return this.#session.store.world(id)?.pet
  }

  #condition(id: bigint, condition: string | null): Request['headers'] {
    const version = this.#pet(id)?.version ?? 1n
    return condition === null ? [] : [['If-Match', condition.replaceAll('now', String(version))]]
  }

  async #ask(target: string) {
    return this.#send('GET', target)
  }

  async #send(method: string, target: string, headers: Request['headers'] = [], body?: string) {
    const { store } = this.#session
    const request = fill(plainRequest(method, target, headers, body), store)
    this.sent.push({ requests: [request] })
    const { response, fault } = await sendOne(this.#session, request)
    if (fault !== undefined || !response) throw new Broken(fault ?? 'no response arrived')
    return response
  }
}
