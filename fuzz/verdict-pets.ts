import type { Expectation } from './oracle/expectation.ts'
import type { Json } from './oracle/json.ts'
import type { ListQuery } from './oracle/list-query.ts'
import { asPet, type Pet, samePet } from './oracle/new-pet.ts'
import { asPetRecord, type PetRecord, sameRecord } from './oracle/pet-record.ts'
import type { PetState } from './oracle/world.ts'
import type { HttpResponse } from './response.ts'
import type { Store } from './store.ts'

export function checkCreated(
  { creates, replays, apiKey, idempotencyKey }: Expectation,
  { headers: given, body }: HttpResponse,
  value: Json,
  store: Store,
) {
  const pet = asPet(value)
  if (!pet || !creates || !samePet(pet, creates)) return `a 201 whose body is not the pet that was sent: ${shown(body)}`
  if (!given.get('location')?.endsWith(`/v1/pets/${pet.id}`)) return `201: Location is ${given.get('location')}`
  const isReplay = given.get('idempotent-replayed')
  if (isReplay !== (replays && 'true')) return `201: Idempotent-Replayed is ${isReplay}`
  if (replays) return replays.id === pet.id ? undefined : `201: the key of ${replays.id} has added ${pet.id}`
  if (idempotencyKey !== undefined) store.keepKey(apiKey ?? '', idempotencyKey, pet)
  return store.add(pet, apiKey) ? undefined : `201: the id ${pet.id} was given before`
}

export function checkPet(petId: bigint, value: Json, body: Buffer, store: Store, sentAt: number) {
  const pet = asPet(value)
  if (pet?.id !== petId) return `a 200 that is not the pet: ${shown(body)}`
  return checkKnown(pet, store, sentAt)
}

/** The response to a change shows the pet as it is after it, with its new version. */
export function checkRecord(due: PetRecord | (PetState & { id: bigint }), value: Json, body: Buffer) {
  const record = asPetRecord(value)
  if (record && record.id === due.id && sameRecord(record, due)) return undefined
  return `a 200 that is not the pet after the change (${described(due)}): ${shown(body)}`
}

/** A page contains what was asked for, in order, each pet once and as it is now; a list by id lacks none. */
export function checkList(query: ListQuery, response: HttpResponse, value: Json, store: Store, sentAt: number) {
  const asItem: (item: Json) => Pet | PetRecord | undefined = query.isFull ? asPetRecord : (item) => asPet(item)
  const pets = Array.isArray(value) ? value.map(asItem) : undefined
  if (!pets?.every((pet) => pet !== undefined)) return `a list with an item that is not a pet: ${shown(response.body)}`
  const { limit, status, ids, categoryId, newestFirst } = query
  if (pets.length > limit) return `${pets.length} pets with a limit of ${limit}`
  const inOrder = (before: Pet, after: Pet) => (newestFirst ? after.id < before.id : after.id > before.id)
  if (pets.some((pet, i) => i > 0 && !inOrder(pets[i - 1] ?? pet, pet)))
    return 'a list that is out of order or contains a pet twice'
  if (status !== undefined && pets.some((pet) => pet.status !== status))
    return `a list of ${status} pets contains another status`
  if (categoryId !== undefined && pets.some((pet) => pet.categoryId !== categoryId))
    return `a list of category ${categoryId} contains another category`
  if (ids && pets.some((pet) => !ids.includes(pet.id))) return 'a list by id contains a pet that was not asked for'
  const next = nextPage(response)
  if (next === undefined && response.headers.has('link')) return `Link is ${response.headers.get('link')}`
  if (next !== undefined && pets.length < limit) return 'a page that is not full has a next link'
  if (next !== undefined) store.keepCursor(newestFirst ? 'newest' : 'oldest', next)
  const isDue = (pet: PetState | null | undefined) => pet && isAskedFor(pet, query)
  const missing =
    ids && query.cursor === undefined && next === undefined
      ? ids.find((id) => isDue(store.seen(id, sentAt)) && !pets.some((pet) => pet.id === id))
      : undefined
  if (missing !== undefined) return `a list by id lacks ${missing}`
  for (const pet of pets) {
    const fault = checkKnown(pet, store, sentAt)
    if (fault) return fault
  }
  return undefined
}

export function isAskedFor(pet: PetState, { status, categoryId }: Pick<ListQuery, 'status' | 'categoryId'>) {
  return (status === undefined || pet.status === status) && (categoryId === undefined || pet.categoryId === categoryId)
}

/** The query of the next page, when a page has one. */
export function nextPage({ headers: given }: HttpResponse) {
  return /^<[^<>?]*\/(?:pets|orders|events)\?([^<>]*cursor=[^<>]*)>; rel="next"$/.exec(given.get('link') ?? '')?.[1]
}

function checkKnown(pet: Pet | PetRecord, store: Store, sentAt: number) {
  const known = store.seen(pet.id, sentAt)
  if (known === null) return `the pet ${pet.id} is shown, but was deleted`
  if (known === undefined) return undefined
  const isSame = 'version' in pet ? sameRecord(known, pet) : samePet(known, pet)
  return isSame ? undefined : `the pet ${pet.id} does not read back as it is (${described(known)})`
}

function described({ categoryId, status, version, orderId }: PetState) {
  return `categoryId ${categoryId}, status ${status}, version ${version}, orderId ${orderId}`
}

export function shown(body: Buffer) {
  return body.toString('utf8', 0, 300)
}
