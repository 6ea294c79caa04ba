import { asEvent, type Event, tellsOf } from './oracle/event.ts'
import { possible, type World } from './oracle/world.ts'
import { nextPage, type Shown, startOf } from './shown.ts'
import type { Store } from './store.ts'

/** A page contains what was asked for, in order; each event describes a change that was made, and each such change has one. */
export function checkEvents(shown: Shown) {
  const { search, response, value, store, sentAt } = shown
  const events = Array.isArray(value) ? value.map(asEvent) : undefined
  if (!events?.every((event) => event !== undefined))
    return `a list with an item that is not an event: ${startOf(response.body)}`
  if (events.length > search.limit) return `${events.length} events with a limit of ${search.limit}`
  const types = search.get('type')?.split(',')
  if (types && events.some(({ type }) => !types.includes(type)))
    return `a page of ${types.join()} contains another type`
  const keyId = search.get('keyId')
  if (keyId !== undefined && events.some((event) => event.keyId !== keyId))
    return `a page of ${keyId} contains a change of another key`
  const isNewest = search.get('sort') === 'newest'
  const link = response.headers.get('link')
  const next = nextPage(response)
  // Only what leads back from the newest event has a last page.
  if (next === undefined && (!isNewest || link)) return `a page of events whose Link is ${link}`
  for (const event of events) {
    const fault = checkEvent(event, store, sentAt)
    if (fault !== undefined) return fault
  }
  const cursor = new URLSearchParams(next).get('cursor') ?? undefined
  const petId = search.int64('petId')
  if (petId !== undefined) return checkHistory(petId, shown, events, { isNewest, next: cursor })
  return isNewest ? checkNewest(shown, events, cursor) : checkFeed(shown, events, cursor ?? '')
}

function checkNewest({ search, store }: Shown, events: Event[], next: string | undefined) {
  const isFiltered = search.get('type') !== undefined || search.get('keyId') !== undefined
  let last = store.placeBefore(search.get('cursor') ?? '')
  for (const { sequence, id } of events) {
    if (sequence === undefined) return 'an event of the feed without a sequence'
    const isNext = last === undefined || (isFiltered ? sequence < last : sequence === last - 1n)
    if (!isNext) return `the newest events continue before ${last} with ${sequence}`
    if (!store.isAt(sequence, id)) return `the place ${sequence} of the feed had another event before`
    last = sequence
  }
  // With a filter, the page may have looked further than it shows.
  if (next !== undefined) store.keepPlaceBefore(next, isFiltered ? undefined : last)
  return undefined
}

function checkFeed({ search, store }: Shown, events: Event[], next: string) {
  const isFiltered = search.get('type') !== undefined || search.get('keyId') !== undefined
  let last = store.placeOf(search.get('cursor') ?? '')
  for (const { sequence, id } of events) {
    if (sequence === undefined) return 'an event of the feed without a sequence'
    const isNext = isFiltered ? sequence > (last ?? -1n) : last === undefined || sequence === last + 1n
    if (!isNext) return `the feed continues after ${last} with ${sequence}`
    if (!store.isAt(sequence, id)) return `the place ${sequence} of the feed had another event before`
    last = sequence
  }
  // With a filter, the page may have looked further than it shows.
  store.keepPlace(next, isFiltered ? undefined : last)
  return undefined
}

function checkHistory(
  petId: bigint,
  { search, store, sentAt }: Shown,
  events: Event[],
  { isNewest, next }: { isNewest: boolean; next: string | undefined },
) {
  const cursor = search.get('cursor')
  const start = isNewest ? 2n ** 63n : 0n
  const after = cursor === undefined ? start : store.versionOf(cursor)
  const step = isNewest ? -1n : 1n
  const versions = events.map(({ pet }) => pet?.version ?? 0n)
  if (events.some(({ pet, sequence }) => pet?.id !== petId || sequence !== undefined))
    return `the history of ${petId} contains something else`
  if (versions.some((version, i) => i > 0 && version !== (versions[i - 1] ?? 0n) + step))
    return `the history of ${petId} has the versions ${versions.join()}`
  if (next !== undefined) store.keepHistory(next, versions.at(-1) ?? after)
  const window = { from: sentAt, to: performance.now() }
  const world = store.world(petId)
  if (!world || after === undefined || !store.isSettled(petId, window)) return undefined
  const due = possible(world, window).map(({ past }) => {
    const all = past.map(({ pet }) => pet.version)
    const wanted = isNewest
      ? all.toReversed().filter((version) => version < after)
      : all.filter((version) => version > after)
    return wanted.slice(0, search.limit).join()
  })
  return due.includes(versions.join())
    ? undefined
    : `the history of ${petId} after ${after} has the versions ${versions.join()}, not ${due.join(' or ')}`
}

/** It describes a change that was confirmed, or one that may be under way. */
function checkEvent(event: Event, store: Store, sentAt: number) {
  const { pet, type, keyId } = event
  if (type === 'order.expired' && keyId !== undefined) return `an order expired by the key ${keyId}`
  const world = pet && store.world(pet.id)
  if (!world) return undefined
  const window = { from: sentAt, to: performance.now() }
  const worlds = possible(world, window)
  const changes = worlds.flatMap(({ past }) => changeOf(past, pet.version) ?? [])
  const words = `${type} of ${pet.id} ${pet.version}`
  // Of a change under way: it may also have ended an order that could have expired by now.
  if (!changeOf(world.past, pet.version) && !store.isSettled(pet.id, window)) return undefined
  if (changes.length === 0) return `the event ${words} is of no change that was confirmed`
  if (!worlds.some((each) => isTold(event, each))) return `the event ${words} is not of its change`
  // What keys with fewer scopes can do is to create.
  const by = changes[0]?.by ?? (type === 'pet.created' ? undefined : store.key)
  return type !== 'order.expired' && by !== undefined && !store.isKeyId(by, keyId)
    ? `the event ${words} has the key ${keyId}`
    : undefined
}

function isTold(event: Event, world: World) {
  const change = changeOf(world.past, event.pet?.version ?? 0n)
  return change !== undefined && tellsOf(event, change, world)
}

function changeOf(past: World['past'], version: bigint) {
  return past[Number(version) - 1]
}

/** Whether these are the events of the pet, all of them. */
export function isPast(world: World, events: Event[]) {
  return events.length === world.past.length && events.every((event) => isTold(event, world))
}
