import type { Clause } from '../clause.ts'
import { expect, expectError, expectStatus, isInt64, jsonOf, type Pet, petsOf, STATUSES } from '../expect.ts'
import type { Response } from '../response.ts'

type Item = Record<string, unknown>

function itemsOf(response: Response) {
  expectStatus(response, 200)
  const body = jsonOf(response)
  expect(response, Array.isArray(body), 'a bare JSON array')
  return body as Item[]
}

/** What holds for a page of a hundred, in a store that has more. */
const PAGE: [id: string, sentence: string, expected: string, holds: (items: Item[]) => boolean][] = [
  [
    'pet.id',
    'The `id` of a returned Pet is always present, an int64.',
    '`id`, an int64',
    (items) => items.every(({ id }) => isInt64(id)),
  ],
  [
    'pet.name',
    'The `name` of a returned Pet is always present, a string.',
    '`name`, a string',
    (items) => items.every(({ name }) => typeof name === 'string'),
  ],
  [
    'pet.category-id',
    'The `categoryId` of a returned Pet is always present, an int64.',
    '`categoryId`, an int64',
    (items) => items.every(({ categoryId }) => isInt64(categoryId)),
  ],
  [
    'pet.status',
    'The `status` of a returned Pet is optional; allowed values: available, pending, sold.',
    '`status` absent or one of the three values',
    (items) => items.every((item) => !('status' in item) || STATUSES.includes(item['status'] as string)),
  ],
  [
    'pet.unique',
    '`id` is a unique identifier: no two animals of a list share one.',
    'each `id` once',
    (items) => new Set(items.map(({ id }) => id)).size === items.length,
  ],
]

const LIMIT = '`limit`: minimum 1, maximum 100, default 20; the maximum number of animals returned'

function returns(id: string, query: string, count: number, sentence: string): Clause {
  return {
    id: `list.limit.${id}`,
    profile: 'spec',
    sentence,
    run: async ({ call, herd }) => {
      await herd()
      const response = await call({ path: `/pets${query}` })
      expect(response, petsOf(response).length === count, `${count} animals, since more than that exist`)
    },
  }
}

/** The published interface does not define the response to a value out of bounds, but that must still have one of its forms. */
function refusedOr(
  id: string,
  query: string,
  sentence: string,
  expected: string,
  holds: (pets: Pet[]) => boolean,
): Clause {
  return {
    id: `list.${id}`,
    profile: 'spec',
    sentence,
    run: async ({ call, herd }) => {
      await herd()
      const response = await call({ path: `/pets?${query}` })
      if (response.status >= 400 && response.status < 500) expectError(response, response.status)
      else expect(response, holds(petsOf(response)), `${expected}, or a rejection with the Error body`)
    },
  }
}

const ofStatus = (status: string): Clause[] => [
  {
    id: `list.status.${status}.only`,
    profile: 'spec',
    sentence: `Returns only animals with this availability status: ${status}.`,
    run: async ({ call, herd }) => {
      await herd()
      const response = await call({ path: `/pets?status=${status}&limit=100` })
      const pets = petsOf(response)
      expect(
        response,
        pets.every((pet) => pet.status === status),
        `only animals with \`status\` ${status}`,
      )
      expect(response, pets.length > 0, `some animals, since there are some with \`status\` ${status}`)
    },
  },
  {
    id: `list.status.${status}.created`,
    profile: 'spec',
    sentence: `The list operation filters by status equality: an animal added as ${status} is among the ${status} ones.`,
    run: async ({ call, add }) => {
      const pet = await add(`{"name":"verify listed","categoryId":3,"status":"${status}"}`)
      const response = await call({ path: `/pets?status=${status}&limit=100` })
      const pets = petsOf(response)
      // A full page says nothing: the animal may be on another one.
      expect(response, pets.length === 100 || pets.some(({ id }) => id === pet.id), `the animal ${pet.id} among them`)
    },
  },
  returns(`with-${status}`, `?status=${status}&limit=7`, 7, `\`limit\` and \`status\` hold together: ${status}.`),
  returns(
    `default-with-${status}`,
    `?status=${status}`,
    20,
    `\`limit\` has the default 20, also with \`status\`: ${status}.`,
  ),
]

export const LIST: Clause[] = [
  {
    id: 'list.ok',
    profile: 'spec',
    sentence: 'GET /pets returns 200 and Pets, a JSON array of Pet objects.',
    run: async ({ call }) => void petsOf(await call({ path: '/pets' })),
  },
  {
    id: 'list.media-type',
    profile: 'spec',
    sentence: 'Response bodies are `application/json`: GET /pets.',
    run: async ({ call }) => void jsonOf(await call({ path: '/pets' })),
  },
  ...PAGE.map(
    ([id, sentence, expected, holds]): Clause => ({
      id: `list.${id}`,
      profile: 'spec',
      sentence,
      run: async ({ call, herd }) => {
        await herd()
        const response = await call({ path: '/pets?limit=100' })
        const items = itemsOf(response)
        expect(response, items.length > 0 && holds(items), `${expected}, in every Pet`)
      },
    }),
  ),
  returns('default', '', 20, `${LIMIT}: without it, 20.`),
  returns('minimum', '?limit=1', 1, `${LIMIT}: with 1, one.`),
  returns('maximum', '?limit=100', 100, `${LIMIT}: with 100, a hundred.`),
  ...[2, 19, 20, 21, 50, 99].map((limit) =>
    returns(`${limit}`, `?limit=${limit}`, limit, `${LIMIT}: with ${limit}, ${limit}.`),
  ),
  ...['101', '1000', '9223372036854775807'].map((limit) =>
    refusedOr(
      `limit.above.${limit}`,
      `limit=${limit}`,
      `${LIMIT}: never more than 100, whatever is asked for (${limit}).`,
      'at most 100 animals',
      (pets) => pets.length <= 100,
    ),
  ),
  ...['0', '-1', 'ten', '1.5'].map((limit) =>
    refusedOr(
      `limit.odd.${limit}`,
      `limit=${limit}`,
      `${LIMIT}: an invalid value (${limit}) returns a response of the interface.`,
      'at most 100 animals',
      (pets) => pets.length <= 100,
    ),
  ),
  ...STATUSES.flatMap(ofStatus),
  {
    id: 'list.status.none',
    profile: 'spec',
    sentence: 'No default is given for `status`: an animal added without one matches no status filter.',
    run: async ({ call, herd }) => {
      const without = (await herd()).filter(({ status }) => status === undefined)
      for (const status of STATUSES) {
        const response = await call({ path: `/pets?status=${status}&limit=100` })
        const found = petsOf(response).find(({ id }) => without.some((pet) => pet.id === id))
        expect(response, found === undefined, `no animal without a status; ${found?.id} was added without one`)
      }
    },
  },
  ...['Sold', 'gone', 'sold,pending', 'null'].map((status) =>
    refusedOr(
      `status.other.${status}`,
      `status=${status}`,
      `The list operation filters by status equality with the given value: no animal has the status ${status}.`,
      'an empty list',
      (pets) => pets.length === 0,
    ),
  ),
]
