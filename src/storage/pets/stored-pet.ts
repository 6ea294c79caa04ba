import { orderIdText } from '../../lib/ids/order-id.ts'

export type PetStatus = 'available' | 'pending' | 'sold'

/** A pet as it is read: its integers stay the digits that PostgreSQL wrote, since all that is done with them is to print them. */
export interface StoredPet {
  id: string
  name: string
  categoryId: string
  status?: PetStatus | undefined
}

/** A pet as clients receive it; the serializer of `Pet`, which prints the response to a create, writes the same bytes. */
export function petJson({ id, name, categoryId, status }: StoredPet) {
  const start = `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}`
  return status ? `${start},"status":"${status}"}` : `${start}}`
}

/** A pet with its version, which is its ETag. */
export interface VersionedPet extends StoredPet {
  version: string
}

/** A pet with its version, and the order that holds it. */
export interface StoredPetRecord extends VersionedPet {
  heldBy?: string | undefined
}

/** What `PetRecord` describes: a pet, then what clients need to change it. */
export function petRecordJson({ version, heldBy, ...pet }: StoredPetRecord) {
  const start = `${petJson(pet).slice(0, -1)},"version":${version}`
  return heldBy ? `${start},"orderId":"${orderIdText({ petId: BigInt(pet.id), id: BigInt(heldBy) })}"}` : `${start}}`
}

/** Those that were read with their version are printed with it. */
export function petsJson(pets: (StoredPet | StoredPetRecord)[]) {
  let json = '['
  for (const pet of pets) {
    const item = 'version' in pet ? petRecordJson(pet) : petJson(pet)
    json += json === '[' ? item : `,${item}`
  }
  return `${json}]`
}
