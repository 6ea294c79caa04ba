import type { Clause } from '../clause.ts'
import { expect, type Pet, petsOf } from '../expect.ts'
import { rejection } from '../rejection.ts'

const rejected = (id: string, sentence: string, query: string, code = 'invalid_parameter') =>
  rejection(`list.${id}`, sentence, { path: `/pets?${query}` }, 400, code)

const LIMITS: [id: string, limit: string][] = [
  ['zero', '0'],
  ['above', '101'],
  ['negative', '-1'],
  ['fraction', '1.0'],
  ['exponent', '1e1'],
  ['plus', '+5'],
  ['space', '%205'],
  ['leading-zero', '05'],
  ['hex', '0x10'],
  ['empty', ''],
  ['word', 'ten'],
  ['huge', '100000000000000000000'],
  ['other-digits', '%D9%A3'],
]
const STATUS_VALUES: [id: string, status: string][] = [
  ['empty', ''],
  ['case', 'Sold'],
  ['list', 'sold,pending'],
  ['word', 'null'],
  ['encoding', '%ZZ'],
]
const IDS: [id: string, ids: string][] = [
  ['empty', ''],
  ['trailing-comma', '1,'],
  ['word', '1,abc'],
  ['leading-zero', '01'],
  ['fraction', '1.0'],
  ['plus', '%2B1'],
  ['above', '9223372036854775808'],
  ['below', '-9223372036854775809'],
  ['too-many', Array.from({ length: 101 }, (_, i) => i + 1).join(',')],
]
const CURSORS: [id: string, cursor: string][] = [
  ['empty', ''],
  ['word', 'abc'],
  ['long', 'A'.repeat(500)],
  ['not-base64', '!!!!!!!!!!!!'],
]

const idsOf = (pets: Pet[]) => pets.map(({ id }) => id)
const sorted = (ids: bigint[]) => ids.toSorted((a, b) => Number(a - b)).join()

/** A query by `id`, made from the herd, and the pets of the herd that it finds. */
const FOUND: [id: string, sentence: string, query: (herd: Pet[]) => string, expected: (herd: Pet[]) => Pet[]][] = [
  ['one', 'finds the animal with this identifier', ([a]) => `id=${a?.id}`, (herd) => herd.slice(0, 1)],
  [
    'several',
    'takes several, separated by commas',
    (herd) => `id=${idsOf(herd.slice(3, 9)).join()}`,
    (herd) => herd.slice(3, 9),
  ],
  [
    'encoded',
    'takes commas that are percent-encoded',
    (herd) => `id=${idsOf(herd.slice(3, 5)).join('%2C')}`,
    (herd) => herd.slice(3, 5),
  ],
  [
    'repeated',
    'returns an animal once, however often it is named',
    ([a]) => `id=${a?.id},${a?.id}`,
    (herd) => herd.slice(0, 1),
  ],
  [
    'unknown',
    'passes over identifiers that no animal has',
    ([a]) => `id=${a?.id},9223372036854775806`,
    (herd) => herd.slice(0, 1),
  ],
  [
    'nobody',
    'returns an empty list when no animal has any of them',
    () => 'id=-9223372036854775808,9223372036854775806',
    () => [],
  ],
  [
    'hundred',
    'takes up to 100',
    (herd) => `id=${idsOf(herd.slice(0, 100)).join()}&limit=100`,
    (herd) => herd.slice(0, 100),
  ],
  [
    'status',
    'holds together with `status`',
    (herd) => `id=${idsOf(herd.slice(0, 40)).join()}&status=sold`,
    (herd) => herd.slice(0, 40).filter(({ status }) => status === 'sold'),
  ],
]

export const LIST_PARAMETERS: Clause[] = [
  ...LIMITS.map(([id, limit]) =>
    rejected(
      `limit.refused.${id}`,
      `\`limit\` takes an integer from 1 to 100 in plain digits; anything else is 400 (${limit || 'nothing'}).`,
      `limit=${limit}`,
    ),
  ),
  ...STATUS_VALUES.map(([id, status]) =>
    rejected(
      `status.refused.${id}`,
      `\`status\` takes one of the three values; anything else is 400 (${status || 'nothing'}).`,
      `status=${status}`,
    ),
  ),
  ...IDS.map(([id, ids]) =>
    rejected(
      `id.refused.${id}`,
      `\`id\` takes up to 100 int64 in their canonical form; anything else is 400 (${id}).`,
      `id=${ids}`,
    ),
  ),
  ...CURSORS.map(([id, cursor]) =>
    rejected(
      `cursor.refused.${id}`,
      `A \`cursor\` that did not come from a Link is 400 invalid_cursor (${id}).`,
      `cursor=${cursor}`,
      'invalid_cursor',
    ),
  ),
  rejected('limit.refused.twice', '`limit` given twice is 400.', 'limit=5&limit=5'),
  rejected('limit.refused.twice-encoded', '`limit` given twice is 400, however it is spelled.', 'limit=5&%6cimit=5'),
  rejected('status.refused.twice', '`status` given twice is 400.', 'status=sold&status=sold'),
  rejected('id.refused.twice', '`id` given twice is 400.', 'id=1&id=2'),
  rejected('cursor.refused.twice', '`cursor` given twice is 400.', 'cursor=a&cursor=a', 'invalid_cursor'),
  {
    id: 'list.unknown-parameter',
    profile: 'full',
    sentence: 'Unknown parameters that resemble no known one are ignored.',
    run: async ({ call, herd }) => {
      await herd()
      const response = await call({ path: '/pets?limit=3&colour=red&_=1&ts=2&v=3&utm_source=verify' })
      expect(response, petsOf(response).length === 3, '3 animals')
    },
  },
  ...FOUND.map(
    ([id, sentence, query, expected]): Clause => ({
      id: `list.id.${id}`,
      profile: 'full',
      sentence: `The filter \`id\` ${sentence}.`,
      run: async ({ call, herd }) => {
        const pets = await herd()
        const response = await call({ path: `/pets?${query(pets)}` })
        const ids = sorted(idsOf(expected(pets)))
        expect(response, sorted(idsOf(petsOf(response))) === ids, ids ? `the animals ${ids}` : 'an empty list')
      },
    }),
  ),
]
