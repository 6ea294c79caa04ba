import type { Order, PetRecord, Petstore } from '../../packages/client/src/index.ts'
import type { StoredOrder, StoredPet, StoredShop } from './stored.ts'

const PAGE = 100

/** Where the lists of the service differ from what is stored; nothing may change meanwhile. */
export async function differencesToLists(store: Petstore, { pets, orders }: StoredShop) {
  return [...(await inOrders(store, orders)), ...(await inPets(store, pets))]
}

async function inOrders(store: Petstore, orders: StoredOrder[]) {
  const listed = new Map<string, Order[]>()
  for await (const order of store.orders.list()) listed.set(order.id, [...(listed.get(order.id) ?? []), order])
  return orders.flatMap((stored) => {
    const [first, second] = listed.get(stored.orderId) ?? []
    if (!first || second) return [`${stored.orderId} is ${first ? 'listed twice' : 'not listed'}`]
    const isSame =
      first.status === stored.status &&
      first.petId === stored.petId &&
      (first.reference ?? null) === stored.reference &&
      (first.closedAt === undefined) === (stored.closedAt === null)
    return isSame ? [] : [`${stored.orderId} is ${stored.status} and listed as ${first.status}`]
  })
}

async function inPets(store: Petstore, pets: StoredPet[]) {
  const listed = new Map<bigint, PetRecord>()
  for (let i = 0; i < pets.length; i += PAGE) {
    const ids = pets.slice(i, i + PAGE).map(({ id }) => id)
    const page = await store.pets.list({ ids, view: 'full', limit: PAGE }).page()
    for (const pet of page.pets) listed.set(pet.id, pet)
  }
  return pets.flatMap(({ id, ...stored }) => {
    const pet = listed.get(id)
    const isSame =
      pet?.version === stored.version &&
      (pet.status ?? null) === stored.status &&
      (pet.orderId ?? null) === stored.orderId
    return isSame ? [] : [`pet ${id} is listed as ${pet ? `version ${pet.version}, ${pet.status}` : 'missing'}`]
  })
}
