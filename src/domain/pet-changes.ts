import type { Caller } from '../lib/batch.ts'
import { orderIdText } from '../lib/ids/order-id.ts'
import type { PetChange, Result } from '../storage/pets/changes.ts'
import type { Condition } from '../storage/postgres/conditions.ts'
import { DomainError } from './errors.ts'
import { petNotFound } from './pets.ts'
import type { Principal } from './principal.ts'
import type { Store } from './store.ts'
import type { PetRecord } from './types/pet.ts'

type Changes = Pick<Store, 'petChanges'>

/** Changes a pet, and returns it; a change to the values that it has makes no new version. */
export async function updatePet(
  { petChanges }: Changes,
  { keyId }: Principal,
  id: bigint,
  change: PetChange,
  condition: Condition,
  caller?: Caller,
): Promise<PetRecord> {
  const result = await petChanges.update({ id, condition, keyId, ...change }, caller)
  return petOf(result, id, condition, 'its status cannot be changed')
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

function petOf(result: Result, id: bigint, condition: Condition, prevented: string) {
  const { outcome } = result
  if (outcome === 'missing') throw petNotFound(id)
  if (outcome === 'mismatch') throw versionMismatch(id, BigInt(result.pet.version), condition)
  if (outcome === 'sold') throw versionRequired(id)
  if (outcome === 'held') throw petReserved(id, BigInt(result.pet.heldBy ?? 0), prevented)
  return result.pet
}

export function versionMismatch(id: bigint, version: bigint, condition: Condition) {
  const expected = typeof condition === 'object' ? condition : []
  return new DomainError('version_mismatch', { kind: 'other version', of: 'pet', id, version, expected })
}

export function versionRequired(id: bigint) {
  return new DomainError(
    'version_required',
    `The pet ${id} is sold. To take back a sale, send the version of the pet in If-Match; GET /v1/pets?view=full&id=${id} shows it.`,
  )
}

/** `prevented` says what cannot be done while the order is open. */
export function petReserved(id: bigint, heldBy: bigint, prevented: string) {
  return new DomainError(
    'pet_reserved',
    `The order ${orderIdText({ petId: id, id: heldBy })} holds the pet ${id}: ${prevented}. Complete or cancel the order first.`,
  )
}
