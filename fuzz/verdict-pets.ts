import { type Json, Literal } from './oracle/json.ts'
import { asNewPet, asPet, canonicalInt64, type Pet, samePet } from './oracle/new-pet.ts'
import { asPetRecord, type PetRecord, sameRecord } from './oracle/pet-record.ts'
import { described, type PetState } from './oracle/world.ts'
import { sentIn } from './request.ts'
import { nextPage, type Shown, startOf } from './shown.ts'
import type { Store } from './store.ts'
import { checkReplay } from './verdict-once.ts'
import { checkSearch } from './verdict-search.ts'

export function checkCreated(shown: Shown) {
  const { request, response, value, store } = shown
  const pet = asPet(value)
  const sent = asNewPet(sentIn(request))
  if (!pet || !sent || !samePet(pet, sent))
    return `a 201 whose body is not the pet that was sent: ${startOf(response.body)}`
  const location = response.headers.get('location')
  if (!location?.endsWith(`/v1/pets/${pet.id}`)) return `201: Location is ${location}`
  const { isReplay, fault } = checkReplay(shown)
  if (isReplay || fault !== undefined) return fault
  return store.add(pet, store.keyIn(request)) ? undefined : `201: the id ${pet.id} was given before`
}

export function checkPet({ parameter, value, response, store, sentAt }: Shown) {
  const pet = asPet(value)
  if (pet?.id !== canonicalInt64(parameter)) return `a 200 that is not the pet: ${startOf(response.body)}`
  return pet && checkKnown(pet, store, sentAt)
}

/** A page contains what was asked for, in order, each pet once and as it is now; a list by id lacks none. */
export function checkList(shown: Shown) {
  const { search, response, value, store, sentAt } = shown
  const isFull = search.get('view') === 'full'
  const asItem: (item: Json) => Pet | PetRecord | undefined = isFull ? asPetRecord : (item) => asPet(item)
  const pets = Array.isArray(value) ? value.map(asItem) : undefined
  if (!pets?.every((pet) => pet !== undefined))
    return `a list with an item that is not a pet: ${startOf(response.body)}`
  const { limit } = search
  const ids = search.get('id')?.split(',').map(canonicalInt64)
  const asked = { status: search.get('status'), categoryId: search.int64('categoryId') }
  const newestFirst = search.get('sort') === 'newest'
  if (pets.length > limit) return `${pets.length} pets with a limit of ${limit}`
  // In the order of words, and its pages may be short.
  const name = search.get('name')
  const isByName = name !== undefined
  const inOrder = (before: Pet, after: Pet) => (newestFirst ? after.id < before.id : after.id > before.id)
  if (!isByName && pets.some((pet, i) => i > 0 && !inOrder(pets[i - 1] ?? pet, pet)))
    return 'a list that is out of order or contains a pet twice'
  if (new Set(pets.map(({ id }) => id)).size < pets.length) return 'a list that contains a pet twice'
  const other = pets.find((pet) => !isAskedFor(pet, asked) || (ids && !ids.includes(pet.id)))
  if (other) return `a list contains the pet ${other.id}, which was not asked for`
  const next = nextPage(response)
  if (next === undefined && response.headers.has('link')) return `Link is ${response.headers.get('link')}`
  if (next !== undefined && pets.length < limit && !isByName) return 'a page that is not full has a next link'
  if (next !== undefined) store.keepCursor(next)
  const misfound = isByName ? checkSearch(name, shown, pets, (pet) => isAskedFor(pet, asked)) : undefined
  if (misfound !== undefined) return misfound
  const isWhole = next === undefined && search.get('cursor') === undefined
  const missing = ids?.find((id) => {
    const due = id !== undefined && isWhole ? store.seen(id, sentAt) : undefined
    return due && isAskedFor(due, asked) && !pets.some((pet) => pet.id === id)
  })
  if (missing !== undefined) return `a list by id lacks ${missing}`
  return pets.map((pet) => checkKnown(pet, store, sentAt)).find((fault) => fault !== undefined)
}

export function checkStatusCounts({ response, value }: Shown) {
  const counts = value instanceof Map ? [...value] : []
  const isSound =
    counts.map(([status]) => status).join() === 'available,pending,sold,none' &&
    counts.every(([, count]) => count instanceof Literal && /^(?:\d{1,3}|1000)$/.test(count.text))
  return isSound ? undefined : `no counts by status: ${startOf(response.body)}`
}

export function isAskedFor(
  pet: Omit<PetState, 'version'>,
  { status, categoryId }: { status?: string | undefined; categoryId?: bigint | undefined },
) {
  return (status === undefined || pet.status === status) && (categoryId === undefined || pet.categoryId === categoryId)
}

function checkKnown(pet: Pet | PetRecord, store: Store, sentAt: number) {
  const known = store.seen(pet.id, sentAt)
  if (known === null) return `the pet ${pet.id} is shown, but was deleted`
  if (known === undefined) return undefined
  const isSame = 'version' in pet ? sameRecord(known, pet) : samePet(known, pet)
  return isSame ? undefined : `the pet ${pet.id} does not read back as it is (${described(known)})`
}
