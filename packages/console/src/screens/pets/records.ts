import type { PetPatch, PetRecord, PetstoreEvent } from '@petstore/client'
import { effect, signal } from '@preact/signals'
import { pets } from '../../api.ts'
import { feedState } from '../../feed.ts'
import { keepNewest } from '../../newest.ts'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'

/** The newest record of a pet; null if there is none. */
export type Known = PetRecord | null

interface Expected {
  id: bigint
  patch: PetPatch
}

/** The newest records of the pets that are shown. */
const records = signal<ReadonlyMap<bigint, Known>>(new Map())
/** The pets that are known to be deleted. One that a read did not find may just not have been added yet. */
const deleted = new Set<bigint>()
/** The pets that are being read for the first time. */
const reading = new Set<bigint>()
/** Changes that the service has not confirmed yet, oldest first. */
const expected = signal<readonly Expected[]>([])
/** The version after the last change of a pet that is on its way. */
const sending = new Map<bigint, Promise<bigint>>()

/** By field and pet: the last event that changed it. */
const lastEvents = new Map<string, PetstoreEvent>()
/** So many are kept, far more than any screen shows; those that were read longest ago go first. */
const MOST_KNOWN = 5_000
/** The event of a change comes this soon, or not at all. */
const EVENT_MS = 1_000

/** The pet that this console has just added. */
export const added = signal<PetRecord | undefined>(undefined)

/** A pet as it is shown: as it was read, with the changes that are on their way. Undefined if it was not read yet. */
export function petOf(id: bigint): Known | undefined {
  const record = records.value.get(id)
  return record && expected.value.reduce((pet, one) => (one.id === id ? patched(pet, one.patch) : pet), record)
}

/** Its name, else its id, in words. */
export const petName = (id: bigint) => petOf(id)?.name ?? texts.pets.panel.titleOf(id)

function patched({ status, ...pet }: PetRecord, patch: PetPatch): PetRecord {
  const { name = pet.name, categoryId = pet.categoryId, status: next = status } = patch
  return { ...pet, name, categoryId, ...(next && { status: next }) }
}

/** A late response can't undo a newer one: the highest version stays, and a deleted pet stays deleted. */
export function upsert(found: readonly PetRecord[], missing: readonly bigint[] = []) {
  const next = new Map(records.value)
  for (const pet of found) {
    const was = next.get(pet.id)
    // The newest entries of a map are those that were deleted and set again.
    next.delete(pet.id)
    if (deleted.has(pet.id)) next.set(pet.id, null)
    else next.set(pet.id, was && was.version > pet.version ? was : pet)
  }
  for (const id of missing) {
    next.delete(id)
    next.set(id, null)
  }
  keepNewest(next, MOST_KNOWN)
  records.value = next
}

export function markDeleted(id: bigint) {
  deleted.add(id)
  keepNewest(deleted, MOST_KNOWN)
  upsert([], [id])
}

/** Forgets all other pets. */
export function replaceAll(found: readonly PetRecord[], kept: bigint | undefined) {
  const ids = new Set(found.map(({ id }) => id))
  if (kept !== undefined) ids.add(kept)
  for (const id of deleted) if (!ids.has(id)) deleted.delete(id)
  for (const [place, { data }] of lastEvents) if (!ids.has(data.pet?.id ?? 0n)) lastEvents.delete(place)
  records.value = new Map([...records.value].filter(([id]) => ids.has(id)))
  upsert(found)
}

/** An event has the pet after the change, so nothing needs to be read. */
export function upsertEvent(event: PetstoreEvent) {
  const { pet } = event.data
  if (!pet || !(records.value.has(pet.id) || reading.has(pet.id))) return
  for (const field of ['version', ...(event.data.changed ?? [])]) lastEvents.set(`${field} ${pet.id}`, event)
  keepNewest(lastEvents, MOST_KNOWN)
  if (event.type === 'pet.deleted') markDeleted(pet.id)
  else upsert([pet])
}

/** The event after which a field of a pet is as it is now; undefined if none has come. `version`: the last of all. */
export function eventOf(id: bigint, field: 'name' | 'version') {
  const event = lastEvents.get(`${field} ${id}`)
  return event && event.data.pet?.[field] === records.peek().get(id)?.[field] ? event : undefined
}

/** Resolves when a pet is as it must be after an order: by the event of the change, or by a read where none comes. */
export async function settled(id: bigint, isSo: (pet: Known | undefined) => boolean) {
  if (feedState.peek() === 'live' && can('pets:read')) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = effect(() => {
      if (isSo(petOf(id))) resolve()
    })
    setTimeout(resolve, EVENT_MS)
    await promise
    stop()
  }
  if (!isSo(petOf(id))) await readPet(id)
}

export const readPet = (id: bigint, ending?: AbortSignal) => readPets([id], ending)

/** At most 100. A key that can't read pets knows none. */
export async function readPets(all: readonly bigint[], ending?: AbortSignal) {
  const ids = [...new Set(all)]
  if (ids.length === 0 || !can('pets:read')) return
  for (const id of ids) reading.add(id)
  try {
    const { pets: found } = await pets.list({ ids, view: 'full', limit: ids.length, signal: ending }).page()
    const known = new Set(found.map(({ id }) => id))
    upsert(
      found,
      ids.filter((id) => !known.has(id)),
    )
  } finally {
    for (const id of ids) reading.delete(id)
  }
}

/**
 * Shows a change at once, and sends it on condition that the pet still has the version `ifMatch`. Changes of one pet are sent one after
 * the other, each with the version that the one before has made; if one is rejected, so are those that wait for it.
 */
export async function change(id: bigint, patch: PetPatch, ifMatch: bigint) {
  const mine = { id, patch }
  expected.value = [...expected.value, mine]
  const sent = (sending.get(id) ?? Promise.resolve(ifMatch)).then((version) =>
    pets.update(id, patch, { ifMatch: version }),
  )
  const version = sent.then((pet) => pet.version)
  version.catch(() => {})
  sending.set(id, version)
  try {
    const pet = await sent
    upsert([pet])
    return pet
  } finally {
    expected.value = expected.value.filter((one) => one !== mine)
    if (sending.get(id) === version) sending.delete(id)
  }
}

/** The change that takes `patch` back from a pet that was `pet` before. */
export function inverse(pet: PetRecord, patch: PetPatch): PetPatch {
  // A patch has a field or more, and so has this.
  return {
    ...(patch.name !== undefined && { name: pet.name }),
    ...(patch.categoryId !== undefined && { categoryId: pet.categoryId }),
    ...(patch.status !== undefined && { status: pet.status ?? null }),
  } as PetPatch
}
