import type { Context } from './clause.ts'
import { expect, expectStatus, isInt64, isObject, jsonOf, type Pet } from './expect.ts'
import { asOrder, close, type Order, orderOf, place } from './orders.ts'
import type { Response } from './response.ts'
import { asRecord, newPet, type PetRecord, patch, recordOf } from './store.ts'
import { nextOf } from './walk.ts'

export interface Event {
  id: string
  source: string
  type: string
  subject: string
  time: string
  /** Absent in a history. */
  sequence?: string
  data: { pet?: PetRecord; order?: Order; changed?: string[]; previous?: Record<string, unknown>; keyId?: string }
  /** As it was sent, to compare whole events. */
  raw: Record<string, unknown>
}

export const EVENTS = '/events'
/** Pets are hardly ever imported during a run. */
export const RARE = 'pets.imported'
const ATTRIBUTES = ['specversion', 'id', 'source', 'type', 'subject', 'time', 'sequence', 'data']
const SEQUENCE = /^\d{16}$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** How long after its 2xx an event may come. */
const LATEST_MS = 1_000
/** The machine of the run may be busy. */
const TOLERANCE_MS = 2_000

export function historyOf(petId: bigint | string, query = '') {
  return { path: `${EVENTS}?petId=${petId}${query}` }
}

/** The events of a page of the feed, each with its place. */
export function eventsOf(response: Response): Event[] {
  const events = listOf(response)
  for (const { sequence } of events)
    expect(response, sequence !== undefined && SEQUENCE.test(sequence), '`sequence`, 16 digits', String(sequence))
  return events
}

/** The events of a page of a history. */
export function pastOf(response: Response): Event[] {
  const events = listOf(response)
  for (const { sequence } of events) expect(response, sequence === undefined, 'a history without `sequence`')
  return events
}

function listOf(response: Response) {
  expectStatus(response, 200)
  const body = jsonOf(response)
  expect(response, Array.isArray(body), 'a bare JSON array')
  return body.map((item) => asEvent(response, item))
}

function asEvent(response: Response, value: unknown): Event {
  expect(response, isObject(value), 'an event, which is a JSON object')
  const { specversion, id, source, type, subject, time, sequence, data } = value
  expect(response, specversion === '1.0', 'a CloudEvent with `specversion` 1.0')
  expect(response, typeof id === 'string' && /^evt_[\w-]+$/.test(id), 'a CloudEvent with `id`, evt_…')
  expect(response, typeof source === 'string' && source !== '', 'a CloudEvent with `source`')
  expect(response, typeof type === 'string' && /^[a-z]+\.[a-z]+$/.test(type), 'a CloudEvent with `type`')
  expect(response, typeof subject === 'string' && /^pets(?:\/\d+)?$/.test(subject), 'a CloudEvent with `subject`')
  expect(response, typeof time === 'string' && INSTANT.test(time), '`time`, in UTC with milliseconds')
  expect(response, isObject(data), 'a CloudEvent with `data`, a JSON object')
  const unknown = Object.keys(value).find((name) => !ATTRIBUTES.includes(name))
  expect(response, unknown === undefined, `no attribute but ${ATTRIBUTES.join(', ')}`, unknown)
  const position = typeof sequence === 'string' ? { sequence } : {}
  return { id, source, type, subject, time, ...position, data: asData(response, type, data), raw: value }
}

function asData(response: Response, type: string, data: Record<string, unknown>) {
  const { pet, order, changed, previous, keyId, added, idRanges } = data
  const isOfPet = type !== 'pets.imported'
  expect(response, idRanges === undefined || (!isOfPet && isRanges(idRanges)), '`idRanges` of an import, ascending')
  expect(response, isOfPet ? isObject(pet) : isInt64(added), '`data` with `pet`, or `added` of an import')
  expect(response, type.startsWith('order.') === isObject(order), '`data` with `order` in the events of orders')
  const isList = Array.isArray(changed) && changed.every((name) => typeof name === 'string')
  expect(response, changed === undefined || isList, '`changed`, names of fields')
  const isPrevious = previous === undefined || (isObject(previous) && isList)
  expect(response, isPrevious, '`previous`, an object, beside `changed`')
  // An event of an earlier version may lack it.
  const names = isObject(previous) ? Object.keys(previous).toSorted().join() : undefined
  const isSame = names === undefined || (isList && names === changed.toSorted().join())
  expect(response, isSame, '`previous` with the fields of `changed`', names)
  expect(response, keyId === undefined || typeof keyId === 'string', '`keyId`, a string')
  return {
    ...(isOfPet && { pet: asRecord(response, pet) }),
    ...(isObject(order) && { order: asOrder(response, order) }),
    ...(isList && { changed: changed.map(String) }),
    ...(isObject(previous) && { previous }),
    ...(typeof keyId === 'string' && { keyId }),
  }
}

function isRanges(value: unknown) {
  let end = 0n
  return (
    Array.isArray(value) &&
    value.every((range: unknown) => {
      if (!isObject(range) || !isInt64(range['first']) || !isInt64(range['last'])) return false
      const isNext = range['first'] > end && range['last'] >= range['first']
      end = range['last']
      return isNext
    })
  )
}

/** The query of the page after this one, which a page of events always has. */
export function followingOf(response: Response) {
  const next = nextOf(response)
  expect(response, next !== undefined, 'a Link with rel="next"')
  return next
}

/** The query of the page after all events of now. */
export async function endOfFeed({ call }: Pick<Context, 'call'>, query = 'limit=100') {
  const response = await call({ path: `${EVENTS}?from=now&${query}` })
  eventsOf(response)
  return followingOf(response)
}

/** Everything that comes into the feed after `start`, from other clients too, until an event that `isLast`. */
export async function follow({ call }: Pick<Context, 'call'>, start: string, isLast: (event: Event) => boolean) {
  const events: Event[] = []
  const deadline = performance.now() + LATEST_MS + TOLERANCE_MS
  for (let next = start; ; ) {
    const response = await call({ path: `${EVENTS}${next}` })
    const page = eventsOf(response)
    events.push(...page)
    next = followingOf(response)
    if (page.some(isLast)) return { events, next, response }
    if (page.length === 0)
      expect(response, performance.now() < deadline, 'an event, a second after the response to its request', 'none')
  }
}

/** All that was done before is in the feed: adds a pet, and reads the feed up to it. */
export async function caughtUp(context: Pick<Context, 'call' | 'add'>, start: string) {
  const mark = await context.add(newPet())
  const waiting = start.includes('wait=') ? start : `${start}&wait=1`
  return follow(context, waiting, ({ data }) => data.pet?.id === mark.id)
}

/** The events of these pets, out of those of everyone. */
export function ofPets(events: Event[], ...pets: Pick<Pet, 'id'>[]) {
  return events.filter(({ data }) => pets.some(({ id }) => id === data.pet?.id))
}

/** An event in a few words: its type, the version of the pet, and what has changed. */
function outlineOf({ type, data }: Event) {
  return `${type} ${data.pet?.version}${data.changed ? ` ${data.changed.toSorted().join('+')}` : ''}`
}

/** Since `start` exactly this was done to a pet, in the order of its versions. */
export async function expectEvents(
  context: Pick<Context, 'call' | 'add'>,
  start: string,
  petId: bigint,
  expected: string[],
) {
  const { events, response } = await caughtUp(context, start)
  const own = ofPets(events, { id: petId })
  const seen = own.map(outlineOf).join(', ')
  expect(response, seen === expected.join(', '), `the events ${expected.join(', ') || 'none'}`, seen || 'none')
  return { own, response }
}

/** A new pet, and the place in the feed before anything else is done to it. */
export async function startWithPet(context: Context, status?: string) {
  const pet = await context.add(newPet(status))
  const { next } = await caughtUp(context, await endOfFeed(context))
  return { pet, start: next }
}

/** And an order that holds it. */
export async function startWithOrder(context: Context, more = '') {
  const { pet, start } = await startWithPet(context, 'available')
  const response = await context.call(place(pet.id, more))
  return { pet, start, response, order: orderOf(response, 201) }
}

/** Some changes of every kind, and the place in the feed before them. */
export async function someChanges(context: Context) {
  const start = await endOfFeed(context)
  const pets = await Promise.all(Array.from({ length: 4 }, () => context.add(newPet('available'))))
  for (const [i, { id }] of pets.entries()) {
    recordOf(await context.call(patch(id, `{"name":"verify feed ${i}"}`)))
    const order = orderOf(await context.call(place(id)), 201)
    if (i > 0) orderOf(await context.call(close(order.id, i === 1 ? 'complete' : 'cancel')))
  }
  return { start, pets }
}
