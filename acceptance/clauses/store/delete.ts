import { randomUUID } from 'node:crypto'
import type { Clause, Context } from '../../clause.ts'
import { expect, expectError, expectHeader, petOf, petsOf } from '../../expect.ts'
import { post } from '../../herd.ts'
import { clause, expectDeleted, newCategory, newPet, patch, recordsOf, remove } from '../../store.ts'
import { pagesOf } from '../../walk.ts'

/** Lists that held the pet before it was deleted. */
const LISTS: [id: string, what: string, query: (petId: bigint, category: bigint) => string][] = [
  ['id', 'by its id', (petId) => `id=${petId}`],
  ['status', 'by its id and status', (petId) => `id=${petId}&status=available`],
  ['full', 'with view=full', (petId) => `view=full&id=${petId}`],
  ['category', 'of its category', (_, category) => `categoryId=${category}`],
  ['category-status', 'of its category and status', (_, category) => `categoryId=${category}&status=available`],
  ['newest', 'of its category, newest first', (_, category) => `categoryId=${category}&sort=newest`],
]

const sorted = (ids: bigint[]) => ids.toSorted((a, b) => Number(a - b)).join()

/** Walks over six pets two at a time, and deletes the last one of the first page, where the cursor stands. */
function goesOn(id: string, what: string, query: (pets: bigint[], category: bigint) => string): Clause {
  const sentence = `P16: A walk whose cursor stood on a deleted pet goes on: ${what}.`
  return clause(`delete.p16.cursor.${id}`, sentence, async (context) => {
    const category = newCategory()
    const pets: bigint[] = []
    for (let i = 0; i < 6; i++) pets.push((await context.add(newPet('available', category))).id)
    const pages = await pagesOf(context, '/pets', `?limit=2&${query(pets, category)}`, {
      between: async (page, number) => {
        const last = petsOf(page).at(-1)
        if (number === 1 && last) expectDeleted(await context.call(remove(last.id)))
      },
    })
    const met = pages.flatMap(petsOf).map(({ id: petId }) => petId)
    for (const page of pages.slice(-1))
      expect(page, sorted(met) === sorted(pets), `each of ${sorted(pets)} once`, met.join())
  })
}

async function deleted({ call, add }: Context, category = newCategory()) {
  const pet = await add(newPet('available', category))
  expectDeleted(await call(remove(pet.id)))
  return pet
}

export const DELETE: Clause[] = [
  ...LISTS.map(([id, what, query]) =>
    clause(`delete.p16.list.${id}`, `P16: After DELETE the pet is in no list: ${what}.`, async (context) => {
      const category = newCategory()
      const pet = await context.add(newPet('available', category))
      const path = `/pets?${query(pet.id, category)}`
      const before = await context.call({ path })
      expect(before, petsOf(before).length === 1, 'a list with the pet, before it is deleted')
      expectDeleted(await context.call(remove(pet.id)))
      const after = await context.call({ path })
      expect(after, petsOf(after).length === 0, 'an empty list')
    }),
  ),
  clause('delete.p16.get', 'P16: After DELETE getPet is 404.', async (context) => {
    const { id } = await deleted(context)
    expectError(await context.call({ path: `/pets/${id}` }), 404, 'pet_not_found')
  }),
  clause('delete.p16.again', 'P16: A second DELETE is 404, and so is a PATCH.', async (context) => {
    const { id } = await deleted(context)
    expectError(await context.call(remove(id)), 404, 'pet_not_found')
    expectError(await context.call(patch(id, '{"name":"verify again"}')), 404, 'pet_not_found')
  }),
  clause('delete.p16.id', 'P16: The id of a deleted pet is never reused.', async (context) => {
    const category = newCategory()
    const gone = await Promise.all(Array.from({ length: 5 }, () => deleted(context, category)))
    for (let i = 0; i < 5; i++) {
      const response = await context.call(post(newPet('available', category)))
      const { id } = petOf(response, 201)
      expect(
        response,
        gone.every((pet) => pet.id !== id),
        'an `id` that no deleted pet had',
      )
    }
  }),
  clause('delete.p16.others', 'P16: DELETE deletes no other pet.', async (context) => {
    const category = newCategory()
    const kept = await context.add(newPet('available', category))
    await deleted(context, category)
    const later = await context.add(newPet('available', category))
    const response = await context.call({ path: `/pets?view=full&categoryId=${category}` })
    const left = recordsOf(response).map(({ id, version }) => `${id} ${version}`)
    expect(response, left.join() === `${kept.id} 1,${later.id} 1`, 'the two others, unchanged', left.join())
  }),
  goesOn('id', 'by ids', (pets) => `id=${pets.join()}`),
  goesOn('newest', 'by ids, newest first', (pets) => `sort=newest&id=${pets.join()}`),
  goesOn('category', 'of a category', (_, category) => `categoryId=${category}`),
  goesOn('category-status', 'of a category and status', (_, category) => `categoryId=${category}&status=available`),
  clause(
    'delete.p17',
    'P17: A keyed create whose pet was deleted since replays as before, byte for byte, and adds nothing.',
    async ({ call }) => {
      const category = newCategory()
      const request = post(newPet('available', category), { 'Idempotency-Key': randomUUID() })
      const first = await call(request)
      expectDeleted(await call(remove(petOf(first, 201).id)))
      const again = await call(request)
      petOf(again, 201)
      expect(again, again.text === first.text, first.text)
      expectHeader(again, 'Location', first.headers.get('location') ?? '')
      expectHeader(again, 'Idempotent-Replayed', 'true')
      const listed = await call({ path: `/pets?categoryId=${category}` })
      expect(listed, petsOf(listed).length === 0, 'an empty list: the pet stays deleted')
    },
  ),
]
