import type { Clause } from '../clause.ts'
import { expect, expectError, expectPet, jsonOf, petOf, STATUSES } from '../expect.ts'
import { rejection } from '../rejection.ts'

const NOT_FOUND = 'The requested resource could not be found: 404 with an Error body'
const NOT_CANONICAL = 'A `petId` that is not an int64 in its canonical form names no pet: 404 pet_not_found'

const IMPOSSIBLE: [id: string, petId: string][] = [
  ['word', 'abc'],
  ['fraction', '1.5'],
  ['fraction-of-zeros', '1.0'],
  ['exponent', '1e0'],
  ['plus', '+1'],
  ['leading-zero', '01'],
  ['minus-zero', '-0'],
  ['hex', '0x1'],
  ['space', '%201'],
  ['above', '9223372036854775808'],
  ['below', '-9223372036854775809'],
  ['long', '9'.repeat(10_000)],
  ['other-digits', '%D9%A1'],
  ['bad-encoding', '%ZZ'],
  ['nul', '1%00'],
  ['slash', '1%2F2'],
  ['prototype', '__proto__'],
  ['space-behind', '1%20'],
  ['newline', '%0A'],
  ['utf-8', '%FF'],
  ['percent', '%'],
  ['dots', '..%2F1'],
  ['null', 'null'],
]

export const GET: Clause[] = [
  {
    id: 'get.ok',
    profile: 'spec',
    sentence: 'Animal found: 200, and the body is the Pet.',
    run: async ({ call, pet }) => {
      const given = await pet()
      expectPet(await call({ path: `/pets/${given.id}` }), 200, given)
    },
  },
  {
    id: 'get.media-type',
    profile: 'spec',
    sentence: 'Response bodies are `application/json`: GET /pets/{petId}.',
    run: async ({ call, pet }) => void jsonOf(await call({ path: `/pets/${(await pet()).id}` })),
  },
  ...[...STATUSES, undefined].map(
    (status): Clause => ({
      id: `get.status.${status ?? 'absent'}`,
      profile: 'spec',
      sentence: `Returns one animal by identifier: one ${status ? `with the status ${status}` : 'without a status, which then is absent'}.`,
      run: async ({ call, herd }) => {
        const given = (await herd()).filter((pet) => pet.status === status).slice(0, 3)
        for (const pet of given) expectPet(await call({ path: `/pets/${pet.id}` }), 200, pet)
      },
    }),
  ),
  {
    id: 'get.again',
    profile: 'spec',
    sentence: 'GET /pets/{petId} changes nothing: two requests return the same Pet.',
    run: async ({ call, pet }) => {
      const path = `/pets/${(await pet()).id}`
      const first = petOf(await call({ path }), 200)
      expectPet(await call({ path }), 200, first)
    },
  },
  rejection('get.missing.largest', `${NOT_FOUND}: the largest int64.`, { path: '/pets/9223372036854775807' }, 404),
  rejection('get.missing.smallest', `${NOT_FOUND}: the smallest int64.`, { path: '/pets/-9223372036854775808' }, 404),
  rejection('get.missing.large', `${NOT_FOUND}: 9007199254740993000.`, { path: '/pets/9007199254740993000' }, 404),
  ...['9223372036854775807', '0', '-1'].map((petId) =>
    rejection(
      `get.code.${petId}`,
      `No pet has this id: 404 pet_not_found (${petId}).`,
      { path: `/pets/${petId}` },
      404,
      'pet_not_found',
    ),
  ),
  ...IMPOSSIBLE.map(([id, petId]) =>
    rejection(`get.impossible.${id}`, `${NOT_CANONICAL} (${id}).`, { path: `/pets/${petId}` }, 404, 'pet_not_found'),
  ),
  {
    id: 'get.no-leading-zero',
    profile: 'full',
    sentence: 'The id of an existing pet with a leading zero names no pet.',
    run: async ({ call, pet }) => {
      const { id } = await pet()
      expectError(await call({ path: `/pets/0${id}` }), 404, 'pet_not_found')
    },
  },
  {
    id: 'get.no-neighbour',
    profile: 'full',
    sentence: 'An id that a double would round to that of an existing pet is not that pet.',
    run: async ({ call, pet }) => {
      const { id } = await pet()
      const response = await call({ path: `/pets/${id + 2n ** 62n}` })
      expect(response, response.status === 404, 'the status 404')
    },
  },
]
