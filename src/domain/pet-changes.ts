import type { Caller } from '../lib/batch.ts'
import { orderIdText } from '../lib/order-id.ts'
import type { Condition, PetChange, Result } from '../storage/pets/changes.ts'
import { petRecordJson } from '../storage/pets/stored-pet.ts'
import type { Context } from './context.ts'
import { DomainError } from './errors.ts'
import { petNotFound } from './pets.ts'
import type { Principal } from './principal.ts'

type Changes = Pick<Context, 'petChanges'>

/** Changes a pet. Returns it as JSON, with its version; a change to the values that it has makes no new version. */
export async function updatePet(
  { petChanges }: Changes,
  { keyId }: Principal,
  id: bigint,
  change: PetChange,
  condition: Condition,
  caller?: Caller,
) {
  const result = await petChanges.update({ id, condition, keyId, ...change }, caller)
  const pet = petOf(result, id, condition, 'its status cannot be changed')
  return { json: petRecordJson(pet), version: pet.version }
}

export async function deletePet(
  { petChanges }: Changes,
  { keyId }: Principal,
  id: bigint,
  condition: Condition,
  caller?: Caller,
) {
  petOf(await petChanges.delete({ id, condition, keyId }, caller), id, condition, 'it cannot be deleted')
}

function petOf(result: Result, id: bigint, condition: Condition, heldMeans: string) {
  const { outcome } = result
  if (outcome === 'missing') throw petNotFound(id)
  if (outcome === 'mismatch') throw versionMismatch(id, BigInt(result.pet.version), condition)
  if (outcome === 'sold') throw versionRequired(id)
  if (outcome === 'held') throw petReserved(id, BigInt(result.pet.heldBy ?? 0), heldMeans)
  return result.pet
}

// A message repeats no more of a long list.
const MOST_NAMED = 3

export function versionMismatch(id: bigint, version: bigint, condition: Condition) {
  const named = typeof condition === 'object' ? condition.slice(0, MOST_NAMED).join(' or ') : ''
  const message = named
    ? `The pet ${id} has version ${version}; the request is for version ${named}. Read the pet again, and send the version that you have read in If-Match.`
    : `The pet ${id} has version ${version}, and the condition of the request matches no version. Send If-Match: "${version}", or no condition.`
  return new DomainError('version_mismatch', message, { version })
}

export function versionRequired(id: bigint) {
  return new DomainError(
    'version_required',
    `The pet ${id} is sold. To take back a sale, send the version of the pet in If-Match; GET /v1/pets?view=full&id=${id} shows it.`,
  )
}

/** `means`: what is not possible as long as the order is open. */
export function petReserved(id: bigint, heldBy: bigint, means: string) {
  return new DomainError(
    'pet_reserved',
    `The order ${orderIdText({ petId: id, id: heldBy })} holds the pet ${id}: ${means}. Complete or cancel the order first.`,
  )
}
