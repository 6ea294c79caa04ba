import { type Request, sentIn } from '../request.ts'
import type { HttpResponse } from '../response.ts'
import { startOf } from '../shown.ts'
import { type Json, readJson } from './json.ts'
import { canonicalInt64 } from './new-pet.ts'
import { asNewOrder, asOrder, between, checkEnd, sameOrder } from './order.ts'
import { asPatch, asPetRecord, patched, sameRecord } from './pet-record.ts'
import { askedBy } from './route.ts'
import { type Change, close, described, type PetState, place, type Window, type World } from './world.ts'

/** What a request does to one pet. */
export interface PetChange {
  operationId: string
  /** The id in the path. */
  parameter: string
  sent: Json | undefined
  petId: bigint
}

/** The change that a request asks for, of a pet that can be named. */
export function changeBy(
  request: Request,
  { petOf }: { petOf: (orderId: string) => bigint | undefined },
): PetChange | undefined {
  const { operation, parameter = '' } = askedBy(request)
  const sent = sentIn(request)
  const petIdOf: Record<string, () => bigint | undefined> = {
    updatePet: () => canonicalInt64(parameter),
    deletePet: () => canonicalInt64(parameter),
    placeOrder: () => asNewOrder(sent)?.petId,
    completeOrder: () => petOf(parameter),
    cancelOrder: () => petOf(parameter),
  }
  const operationId = operation?.operationId ?? ''
  const petId = petIdOf[operationId]?.()
  return petId === undefined ? undefined : { operationId, parameter, sent, petId }
}

/** What is so after a change that this response confirms; or what is wrong with the response if it was made in this world. */
export function worldAfter(change: PetChange, response: HttpResponse, world: World, window: Window): World | string {
  switch (change.operationId) {
    case 'updatePet':
      return afterUpdate(change, response, world)
    case 'deletePet':
      return afterDelete(world)
    case 'placeOrder':
      return afterPlace(change, response, world, window)
    default:
      return afterClose(change, response, world)
  }
}

function afterUpdate({ sent, petId }: PetChange, { headers, body }: HttpResponse, world: World) {
  const { pet } = world
  const patch = asPatch(sent)
  const after = pet && patch && patched(pet, patch)
  const record = asPetRecord(readJson(body) ?? null)
  if (!after || record?.id !== petId || !sameRecord(record, after))
    return `a 200 that is not the pet after the change (${after ? described(after) : 'none'}): ${startOf(body)}`
  if (headers.get('etag') !== `"${after.version}"`) return `200: ETag is ${headers.get('etag')}, not "${after.version}"`
  return { ...world, pet: after, past: [...world.past, ...changesBetween(pet, after)] }
}

/** None where nothing has changed. */
function changesBetween(before: PetState, after: PetState): Change[] {
  const changed = (['categoryId', 'name', 'status'] as const).filter((name) => before[name] !== after[name]).join()
  return changed === '' ? [] : [{ type: 'pet.updated', pet: after, changed }]
}

function afterDelete(world: World) {
  const { pet, ...without } = world
  if (!pet) return `the pet ${world.petId} was deleted twice`
  if (pet.orderId !== undefined) return `the pet ${world.petId} was deleted, but an order holds it`
  const gone = { type: 'pet.deleted', pet: { ...pet, version: pet.version + 1n } }
  return { ...without, past: [...world.past, gone] }
}

function afterPlace({ sent, petId }: PetChange, { body }: HttpResponse, world: World, window: Window) {
  const order = orderSent(sent, body)
  if (typeof order === 'string') return order
  if (world.pet?.status !== 'available') return `the pet ${petId} was ordered, but is not available`
  return place(world, order, window)
}

/** The order that a response shows; or why it is not the one that was sent. */
export function orderSent(sent: Json | undefined, body: Buffer) {
  const due = asNewOrder(sent)
  const order = asOrder(readJson(body))
  if (!due || order?.petId !== due.petId || order.reference !== due.reference || order.status !== 'placed')
    return `a 201 whose body is not the order that was sent: ${startOf(body)}`
  return between(order.placedAt, order.expiresAt) === due.expiresIn * 1_000
    ? order
    : `an order that does not expire after ${due.expiresIn} s: ${startOf(body)}`
}

function afterClose({ operationId, parameter }: PetChange, { body }: HttpResponse, world: World) {
  const known = world.orders.get(parameter)
  const order = asOrder(readJson(body))
  if (!known || !order || !sameOrder(order, known)) return `a 200 that is not the order: ${startOf(body)}`
  const way = operationId === 'completeOrder' ? 'completed' : 'cancelled'
  // One that has ended stays as it is.
  const due = known.status === 'placed' ? { ...known, status: way } : known
  if (order.status !== way) return `the order ${order.id} is ${order.status}, not ${way}`
  return checkEnd(due, order) ?? (due === known ? world : close(world, known, way, order.closedAt))
}
