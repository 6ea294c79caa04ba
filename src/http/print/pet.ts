import type { PetCounts } from '../../domain/types/category.ts'
import type { Pet, PetPage, PetRecord } from '../../domain/types/pet.ts'
import { orderIdText } from '../../lib/ids/order-id.ts'
import { once } from './once.ts'

/** What `Pet` describes. */
export function petJson({ id, name, categoryId, status }: Pet) {
  const start = `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}`
  return status ? `${start},"status":"${status}"}` : `${start}}`
}

/** What `PetRecord` describes: a pet, then what clients need to change it. */
export function petRecordJson({ version, heldBy, ...pet }: PetRecord) {
  const start = `${petJson(pet).slice(0, -1)},"version":${version}`
  return heldBy ? `${start},"orderId":"${orderIdText({ petId: BigInt(pet.id), id: BigInt(heldBy) })}"}` : `${start}}`
}

/** What `PetCount` describes. */
export function petCountJson({ count, isMore }: { count: number; isMore: boolean }) {
  return `{"count":${count},"isMore":${isMore}}`
}

/** What `PetCounts` describes. */
export function petCountsJson({ available, pending, sold, none }: PetCounts) {
  return `{"available":${available},"pending":${pending},"sold":${sold},"none":${none}}`
}

/** Those that were read with their version are printed with it. */
export const petPageJson = once(({ pets }: Pick<PetPage, 'pets'>) => {
  let json = '['
  for (const pet of pets) {
    const item = 'version' in pet ? petRecordJson(pet) : petJson(pet)
    json += json === '[' ? item : `,${item}`
  }
  return `${json}]`
})
