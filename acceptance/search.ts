import { randomBytes } from 'node:crypto'
import type { Context } from './clause.ts'
import { expect, type Pet, petsOf } from './expect.ts'

/** A word that no other pet has. */
export function newWord() {
  return `q${randomBytes(8).toString('hex')}`
}

export function nameOf(name: string, categoryId = 1n, status = '') {
  return `{"name":${JSON.stringify(name)},"categoryId":${categoryId}${status && `,"status":"${status}"`}}`
}

export const queryOf = (name: string) => `name=${encodeURIComponent(name)}`
export const idsOf = (pets: { id: bigint }[]) => pets.map(({ id }) => id).join()

export async function expectFound({ call }: Pick<Context, 'call'>, query: string, pets: { id: bigint }[]) {
  const response = await call({ path: `/pets?${query}` })
  expect(response, idsOf(petsOf(response)) === idsOf(pets), `the pets ${idsOf(pets) || 'none'}`)
}

/** In the order in which they are to be found by `word`. */
export async function litter({ add }: Pick<Context, 'add'>, word: string, categoryId = 1n) {
  const pets: Pet[] = []
  for (const [name, status] of [
    [word, 'sold'],
    [`Big ${word}`, 'available'],
    [`${word}e ${word}mo`, ''],
    [`${word}e`, 'available'],
    [`${word}mo`, 'sold'],
    [`${word}z\u{1f422}`, ''],
  ] as const)
    pets.push(await add(nameOf(name, categoryId, status)))
  return pets
}
