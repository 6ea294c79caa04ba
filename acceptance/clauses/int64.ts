import type { Clause } from '../clause.ts'
import { expect, expectPet, petsOf } from '../expect.ts'
import { post } from '../herd.ts'
import { rejection } from '../rejection.ts'

const json = (literal: string) => `{"name":"verify int64","categoryId":${literal}}`
const pet = (literal: string) => post(json(literal))

// Where a double, 32 bits or an unsigned number would go wrong.
const VALUES = [
  '0',
  '-1',
  '2147483648',
  '-2147483649',
  '4294967296',
  '9007199254740991',
  '9007199254740993',
  '-9007199254740993',
  '1234567890123456789',
  '9223372036854775807',
  '-9223372036854775808',
]

// Written otherwise, but integers all the same.
const LITERALS: [id: string, literal: string, value: bigint][] = [
  ['fraction-of-zeros', '5.0', 5n],
  ['exponent-zero', '5e0', 5n],
  ['exponent', '5E2', 500n],
  ['exponent-negative', '500e-2', 5n],
  ['minus-zero', '-0', 0n],
  ['exact-exponent', '9.223372036854775807e18', 9223372036854775807n],
  ['exact-fraction', '9007199254740993.000', 9007199254740993n],
]

const REJECTED: [id: string, literal: string][] = [
  ['nearly-one', '1.00000000000000000001'],
  ['above-by-a-fraction', '9223372036854775807.5'],
  ['above-by-exponent', '9.223372036854775808e18'],
  ['huge', '1e400'],
  ['tiny', '1e-400'],
  ['exponent-beyond-64', '0e65'],
  ['over-64-characters', `1.${'0'.repeat(64)}`],
  ['absurd', '1e999999999'],
]

const EXACT = '`categoryId` is an int64, kept exact to the last digit'

export const INT64: Clause[] = [
  ...VALUES.flatMap((value): Clause[] => [
    {
      id: `int64.create.${value}`,
      profile: 'spec',
      sentence: `${EXACT}: ${value}, in the response to POST /pets.`,
      run: async ({ call }) =>
        void expectPet(await call(pet(value)), 201, { name: 'verify int64', categoryId: BigInt(value) }),
    },
    {
      id: `int64.get.${value}`,
      profile: 'spec',
      sentence: `${EXACT}: ${value}, in the response to GET /pets/{petId}.`,
      run: async ({ call, add }) => {
        const { id } = await add(json(value))
        const expected = { id, name: 'verify int64', categoryId: BigInt(value) }
        expectPet(await call({ path: `/pets/${id}` }), 200, expected)
      },
    },
    {
      id: `int64.list.${value}`,
      profile: 'full',
      sentence: `${EXACT}: ${value}, in the response to GET /pets.`,
      run: async ({ call, add }) => {
        const { id } = await add(json(value))
        const response = await call({ path: `/pets?id=${id}` })
        const found = petsOf(response)
        expect(
          response,
          found.length === 1 && found[0]?.categoryId === BigInt(value),
          `one animal, \`categoryId\` ${value}`,
        )
      },
    },
  ]),
  ...LITERALS.map(
    ([id, literal, value]): Clause => ({
      id: `int64.literal.${id}`,
      profile: 'full',
      sentence: `A number whose value is exactly integral is accepted: ${literal}.`,
      run: async ({ call }) =>
        void expectPet(await call(pet(literal)), 201, { name: 'verify int64', categoryId: value }),
    }),
  ),
  ...REJECTED.map(([id, literal]) =>
    rejection(
      `int64.refused.${id}`,
      `A number that is not an int64, or absurdly written, is 400: ${id}.`,
      pet(literal),
      400,
      'invalid_body',
    ),
  ),
  {
    id: 'int64.id.range',
    profile: 'full',
    sentence: 'Assigned ids start at 1 and stay below 2^53, so that every JSON parser reads them right.',
    run: async ({ call, herd }) => {
      const ids = (await herd()).map(({ id }) => id)
      const response = await call({ path: `/pets?id=${ids.slice(0, 100).join()}&limit=100` })
      expect(
        response,
        ids.every((id) => id >= 1n && id < 2n ** 53n),
        'ids from 1 to 2^53 − 1',
      )
    },
  },
  {
    id: 'int64.bare',
    profile: 'full',
    sentence: 'An int64 is written as a bare JSON integer: no quotes, no fraction, no exponent.',
    run: async ({ call }) => {
      const response = await call(pet('1000000000000000000'))
      expect(response, /"categoryId":\s*1000000000000000000\b/.test(response.text), '"categoryId":1000000000000000000')
    },
  },
]
