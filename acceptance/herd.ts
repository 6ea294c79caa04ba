import type { Context } from './clause.ts'
import { type Pet, petOf, STATUSES } from './expect.ts'
import { Lost } from './response.ts'
import type { Wire } from './wire.ts'

const OF_EACH_KIND = 27

/** The pets that a run adds for its clauses. Those that several clauses need are added once, when the first one asks. */
export function keepHerd(wire: Wire): Pick<Context, 'add' | 'pet' | 'herd'> {
  const add = async (newPet: string) => petOf(await wire.call(post(newPet)), 201)
  const herd = once(async () => {
    const pets: Pet[] = []
    for (let i = 1; i <= OF_EACH_KIND; i++) {
      const kinds = [...STATUSES.map((status) => `,"status":"${status}"`), '']
      pets.push(...(await Promise.all(kinds.map((status) => add(`{"name":"verify herd","categoryId":${i}${status}}`)))))
    }
    return pets
  })
  const pet = once(() => add('{"name":"verify Rex","categoryId":7,"status":"available"}'))
  return { add, pet, herd }
}

export function post(body: string | Buffer, headers: Record<string, string> = {}) {
  return { method: 'POST', path: '/pets', headers: { 'Content-Type': 'application/json', ...headers }, body }
}

function once<T>(work: () => Promise<T>) {
  let result: Promise<T> | undefined
  return () =>
    (result ??= work().catch((error: unknown) => {
      // A lost connection may be the fault of another clause; any other failure would come again.
      if (error instanceof Lost) result = undefined
      throw error
    }))
}
