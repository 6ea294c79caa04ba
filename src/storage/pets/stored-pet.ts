import { orderIdText } from '../../lib/ids/order-id.ts'
import type { StoredPet, StoredPetRecord } from './pet-rows.ts'

function petJson({ id, name, categoryId, status }: StoredPet) {
  const start = `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}`
  return status ? `${start},"status":"${status}"}` : `${start}}`
}

/** What `PetRecord` describes: a pet, then what clients need to change it. */
export function petRecordJson({ version, heldBy, ...pet }: StoredPetRecord) {
  const start = `${petJson(pet).slice(0, -1)},"version":${version}`
  return heldBy ? `${start},"orderId":"${orderIdText({ petId: BigInt(pet.id), id: BigInt(heldBy) })}"}` : `${start}}`
}
