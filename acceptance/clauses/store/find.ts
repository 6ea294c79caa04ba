import type { Clause, Context } from '../../clause.ts'
import { expect, expectStatus, type Pet, petsOf, STATUSES } from '../../expect.ts'
import { clause, expectDeleted, newCategory, newPet, patch, recordOf, refused, remove } from '../../store.ts'
import { nextOf, pagesOf } from '../../walk.ts'

const ids = (pets: { id: bigint }[]) => pets.map(({ id }) => id).join()

const VALUES: [id: string, what: string, query: string][] = [
  ['empty', 'empty', 'categoryId='],
  ['twice', 'twice', 'categoryId=1&categoryId=1'],
  ['list', 'a list', 'categoryId=1,2'],
  ['leading-zero', 'a leading zero', 'categoryId=01'],
  ['plus', 'a plus', 'categoryId=%2B1'],
  ['minus-zero', 'minus zero', 'categoryId=-0'],
  ['fraction', 'a fraction', 'categoryId=1.0'],
  ['word', 'a word', 'categoryId=dogs'],
  ['above', 'above int64', 'categoryId=9223372036854775808'],
  ['below', 'below int64', 'categoryId=-9223372036854775809'],
]
const SORTS: [id: string, what: string, query: string][] = [
  ['empty', 'empty', 'sort='],
  ['word', 'another word', 'sort=id'],
  ['case', 'another case', 'sort=Newest'],
  ['twice', 'twice', 'sort=newest&sort=newest'],
  ['list', 'a list', 'sort=newest,oldest'],
]

/** Three pets of each status and three without one, mixed, in a category of their own. */
async function family({ add }: Context) {
  const category = newCategory()
  const pets: Pet[] = []
  for (let i = 0; i < 3; i++)
    for (const status of ['sold', undefined, 'available', 'pending']) pets.push(await add(newPet(status, category)))
  return { category, pets }
}

type Query = (pets: Pet[], category: bigint) => string

/** Queries over a family, and which of it they find. */
const QUERIES: [id: string, what: string, query: Query, finds: (pet: Pet, place: number) => boolean][] = [
  ['category', 'with categoryId', (_, category) => `categoryId=${category}`, () => true],
  ...STATUSES.map((status): [string, string, Query, (pet: Pet) => boolean] => [
    status,
    `with categoryId and status=${status}`,
    (_, category) => `categoryId=${category}&status=${status}`,
    (pet) => pet.status === status,
  ]),
  [
    'id',
    'with categoryId and id',
    (pets, category) => `categoryId=${category}&id=${ids(pets.slice(2, 9))}`,
    (_, place) => place >= 2 && place < 9,
  ],
  [
    'id-status',
    'with categoryId, id and status',
    (pets, category) => `categoryId=${category}&status=sold&id=${ids(pets.slice(2, 9))}`,
    (pet, place) => place >= 2 && place < 9 && pet.status === 'sold',
  ],
  ['full', 'with categoryId and view=full', (_, category) => `categoryId=${category}&view=full`, () => true],
  ['ids', 'with id alone', (pets) => `id=${ids(pets)}`, () => true],
]

export const FIND: Clause[] = [
  ...QUERIES.flatMap(([id, what, query, finds]) => [
    ...[2, 5, 100].map((limit) =>
      clause(
        `find.f1.${id}.${limit}`,
        `F1: A walk meets every pet that matches exactly once, and ends: ${what}, ${limit} on a page.`,
        async (context) => {
          const { category, pets } = await family(context)
          const expected = ids(pets.filter(finds))
          const pages = await pagesOf(context, '/pets', `?limit=${limit}&${query(pets, category)}`)
          for (const page of pages) expect(page, petsOf(page).length <= limit, `at most ${limit} pets`)
          for (const page of pages.slice(-1)) {
            const met = ids(pages.flatMap(petsOf).toSorted((a, b) => Number(a.id - b.id)))
            expect(page, met === expected, `the pets ${expected}`, met)
          }
        },
      ),
    ),
    ...[3, 100].map((limit) =>
      clause(
        `find.f3.${id}.${limit}`,
        `F3: sort=newest is the exact reverse when nothing changes: ${what}, ${limit} on a page.`,
        async (context) => {
          const { category, pets } = await family(context)
          const oldest = await pagesOf(context, '/pets', `?limit=${limit}&${query(pets, category)}`)
          const newest = await pagesOf(context, '/pets', `?limit=${limit}&sort=newest&${query(pets, category)}`)
          const expected = ids(oldest.flatMap(petsOf).toReversed())
          for (const page of newest.slice(-1)) {
            const met = ids(newest.flatMap(petsOf))
            expect(page, met === expected && met !== '', `the pets ${expected}`, met)
          }
        },
      ),
    ),
  ]),
  clause('find.f1.changes', 'F1: A walk keeps its promise while pets come and go.', async (context) => {
    const { category, pets } = await family(context)
    const leaving = pets.filter((_, i) => i % 5 === 4)
    const pages = await pagesOf(context, '/pets', `?limit=2&categoryId=${category}`, {
      between: async (_, number) => {
        await context.add(newPet('available', category))
        const pet = leaving[number - 1]
        if (pet) recordOf(await context.call(patch(pet.id, `{"categoryId":${category ^ 1n}}`)))
        const other = pets[number * 3]
        if (other) recordOf(await context.call(patch(other.id, `{"name":"verify ${number}"}`)))
        if (number === 1) for (const late of pets.slice(-1)) expectDeleted(await context.call(remove(late.id)))
      },
      most: 100,
    })
    const met = pages.flatMap(petsOf).map(({ id }) => id)
    for (const page of pages.slice(-1)) {
      expect(page, new Set(met).size === met.length, 'no pet twice', met.join())
      const missed = pets.slice(0, -1).filter((pet) => !leaving.includes(pet) && !met.includes(pet.id))
      expect(page, missed.length === 0, 'every pet that stayed', `${ids(missed)} missed`)
    }
  }),
  clause('find.f1.moved', 'F1: A pet is found in the category it has now, and not where it was.', async (context) => {
    const [from, to] = [newCategory(), newCategory()]
    const { id } = await context.add(newPet('sold', from))
    recordOf(await context.call(patch(id, `{"categoryId":${to}}`)))
    for (const [category, count] of [
      [from, 0],
      [to, 1],
    ] as const)
      for (const more of ['', '&status=sold', `&id=${id}`]) {
        const response = await context.call({ path: `/pets?categoryId=${category}${more}` })
        expect(response, petsOf(response).length === count, `${count} pets`)
      }
  }),
  ...['9223372036854775807', '-9223372036854775808', '9007199254740993', '0'].map((value) =>
    clause(`find.f1.int64.${value}`, `F1: \`categoryId\` is exact to the last digit: ${value}.`, async (context) => {
      const pet = await context.add(newPet('available', BigInt(value)))
      const found = await context.call({ path: `/pets?categoryId=${value}&id=${pet.id}` })
      expect(found, ids(petsOf(found)) === String(pet.id), `the pet ${pet.id}`)
      const neighbour = BigInt(value) > 0n ? BigInt(value) - 1n : BigInt(value) + 1n
      const response = await context.call({ path: `/pets?categoryId=${neighbour}&id=${pet.id}` })
      expect(response, petsOf(response).length === 0, 'an empty list')
    }),
  ),
  clause('find.f1.absent', 'F1: Where no pet matches, the list is empty and has no Link.', async ({ call }) => {
    const category = newCategory()
    for (const more of ['', '&status=sold', '&sort=newest', '&view=full', '&id=1,2,3']) {
      const response = await call({ path: `/pets?categoryId=${category}${more}` })
      expect(response, petsOf(response).length === 0 && nextOf(response) === undefined, 'an empty list without Link')
    }
  }),
  clause('find.f3.first', 'F3: sort=newest begins with the pet that was added last.', async ({ call, add }) => {
    const pets = [await add(newPet('available')), await add(newPet('available'))]
    const response = await call({ path: '/pets?sort=newest&limit=100' })
    const found = petsOf(response).filter(({ id }) => pets.some((pet) => pet.id === id))
    expect(response, ids(found) === ids(pets.toReversed()), `${ids(pets.toReversed())} on the first page`)
  }),
  ...['all pets', ...STATUSES].map((status, i) =>
    clause(
      `find.f3.walk.${i + 1}`,
      `F3: with sort=newest, ids descend from page to page: ${status}.`,
      async ({ call, add }) => {
        for (let n = 0; n < 5; n++) await add(newPet(STATUSES[i - 1] ?? 'available'))
        let next: string | undefined = `?sort=newest&limit=2${i === 0 ? '' : `&status=${status}`}`
        let last: bigint | undefined
        // Two pages that have a next one: others may add pets meanwhile, which come before the first.
        for (let page = 1; page <= 2; page++) {
          const response = await call({ path: `/pets${next}` })
          for (const { id } of petsOf(response)) {
            expect(response, last === undefined || id < last, `an id below ${last}`)
            last = id
          }
          next = nextOf(response)
          expect(response, next !== undefined, 'a next page')
        }
      },
    ),
  ),
  clause('find.f3.oldest', 'F3: sort=oldest is byte for byte the same as no sort.', async (context) => {
    const { pets } = await family(context)
    const path = `/pets?limit=5&id=${ids(pets)}`
    const plain = await context.call({ path })
    const response = await context.call({ path: `${path}&sort=oldest` })
    expectStatus(response, 200)
    expect(response, response.text === plain.text, plain.text)
  }),
  clause('find.together', 'Lists that are requested at once are each what they are alone.', async (context) => {
    const families = [await family(context), await family(context)]
    const filters = ['', ...STATUSES.map((status) => `&status=${status}`)]
    const orders = ['', '&sort=newest', '&view=full', '&sort=newest&view=full']
    const paths = families.flatMap(({ category }) =>
      filters.flatMap((filter) => orders.map((order) => `/pets?limit=2&categoryId=${category}${filter}${order}`)),
    )
    const together = await Promise.all(paths.map((path) => context.call({ path })))
    for (const [i, path] of paths.entries()) {
      const alone = await context.call({ path })
      for (const response of together.slice(i, i + 1)) expect(response, response.text === alone.text, alone.text)
    }
  }),
  ...['', 'categoryId', 'status'].map((filter, i) =>
    clause(
      `find.f4.${filter || 'plain'}`,
      `F4: A cursor of one direction in the other is 400 invalid_cursor${filter && `, with ${filter}`}.`,
      async (context) => {
        const { category, pets } = await family(context)
        const query = [`id=${ids(pets)}`, `categoryId=${category}`, `id=${ids(pets)}&status=sold`][i] ?? ''
        for (const [sort, other] of [
          ['newest', 'oldest'],
          ['oldest', 'newest'],
        ] as const) {
          const page = await context.call({ path: `/pets?limit=2&sort=${sort}&${query}` })
          const cursor = new URLSearchParams(nextOf(page)).get('cursor')
          expect(page, cursor !== null, 'a Link to a next page, with a cursor')
          const path = `/pets?limit=2&sort=${other}&${query}&cursor=${cursor}`
          await refused('', '', { path }, 400, 'invalid_cursor').run(context)
        }
      },
    ),
  ),
  clause('find.link', 'The link repeats `categoryId`, `sort` and `view` of the page.', async (context) => {
    const { category } = await family(context)
    const response = await context.call({ path: `/pets?limit=2&categoryId=${category}&sort=newest&view=full&x=1` })
    const next = new URLSearchParams(nextOf(response))
    const given = [...next].filter(([name]) => name !== 'cursor').map((pair) => pair.join('='))
    const expected = [`categoryId=${category}`, 'limit=2', 'sort=newest', 'view=full'].join()
    expect(response, given.toSorted().join() === expected && next.has('cursor'), `${expected} and a cursor`)
  }),
  ...[...VALUES, ...SORTS].map(([id, what, query]) =>
    refused(
      `find.refused.${query.split('=', 1)[0] === 'sort' ? 'sort' : 'category-id'}.${id}`,
      `\`categoryId\` takes one int64 in its canonical form, \`sort\` newest or oldest; anything else is 400: ${what}.`,
      { path: `/pets?${query}` },
      400,
      'invalid_parameter',
    ),
  ),
]
