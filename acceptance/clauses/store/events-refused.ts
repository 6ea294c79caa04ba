import type { Clause } from '../../clause.ts'
import { EVENTS, endOfFeed, historyOf } from '../../events.ts'
import { expect, expectError, expectStatus } from '../../expect.ts'
import { ORDERS, placed } from '../../orders.ts'
import type { Response } from '../../response.ts'
import { clause, newPet, refused } from '../../store.ts'
import { nextOf } from '../../walk.ts'

const BAD: [id: string, what: string, query: string, code?: string][] = [
  ['limit.zero', 'limit 0', 'limit=0'],
  ['limit.above', 'limit 101', 'limit=101'],
  ['limit.empty', 'an empty limit', 'limit='],
  ['limit.twice', 'limit twice', 'limit=1&limit=1'],
  ['wait.above', 'wait 10', 'wait=10'],
  ['wait.below', 'wait -1', 'wait=-1'],
  ['wait.fraction', 'wait 1.5', 'wait=1.5'],
  ['wait.empty', 'an empty wait', 'wait='],
  ['wait.twice', 'wait twice', 'wait=1&wait=1'],
  ['from.word', 'an unknown from', 'from=newest'],
  ['from.empty', 'an empty from', 'from='],
  ['from.date', 'a from without a time', 'from=2026-11-16'],
  ['from.local', 'a from without an offset', 'from=2026-11-16T09:30:00'],
  ['from.no-day', 'a from on a day that there is not', 'from=2026-02-30T00:00:00Z'],
  ['sort.word', 'an unknown sort', 'sort=latest'],
  ['sort.empty', 'an empty sort', 'sort='],
  ['sort.twice', 'sort twice', 'sort=newest&sort=newest'],
  ['from.twice', 'from twice', 'from=now&from=now'],
  ['type.word', 'an unknown type', 'type=pet.sold'],
  ['type.one-of-two', 'an unknown type beside a known one', 'type=pet.created,pet.sold'],
  ['type.case', 'a type in another case', 'type=Pet.created'],
  ['type.empty', 'an empty type', 'type='],
  ['type.nine', 'nine types', `type=${Array(9).fill('pet.created').join()}`],
  ['pet-id.empty', 'an empty petId', 'petId='],
  ['pet-id.word', 'a petId that is no number', 'petId=abc'],
  ['pet-id.leading-zero', 'a petId with a leading zero', 'petId=01'],
  ['pet-id.above', 'a petId above int64', 'petId=9223372036854775808'],
  ['pet-id.list', 'a list of petIds', 'petId=1,2'],
  ['pet-id.twice', 'petId twice', 'petId=1&petId=1'],
  ['pet-id.wait', 'petId with wait', 'petId=1&wait=1'],
  ['pet-id.no-wait', 'petId with wait 0', 'petId=1&wait=0'],
  ['pet-id.type', 'petId with type', 'petId=1&type=pet.created'],
  ['pet-id.from', 'petId with from', 'petId=1&from=oldest'],
  ['pet-id.key', 'petId with keyId', 'petId=1&keyId=key_0000000000000000'],
  ['key-id.unknown', 'the id of no key', 'keyId=key_0000000000000000'],
  ['key-id.newest', 'the id of no key, the newest first', 'sort=newest&keyId=key_0000000000000000'],
  ['key-id.word', 'a keyId that is none', 'keyId=ben'],
  ['key-id.empty', 'an empty keyId', 'keyId='],
  ['key-id.nul', 'a keyId with U+0000', 'keyId=key_a%00'],
  ['key-id.list', 'two keyIds', 'keyId=key_a,key_b'],
  ['key-id.twice', 'keyId twice', 'keyId=key_a&keyId=key_a'],
  ['cursor.empty', 'an empty cursor', 'cursor=', 'invalid_cursor'],
  ['cursor.word', 'a cursor that did not come from a Link', 'cursor=abc', 'invalid_cursor'],
  ['cursor.long', 'a cursor of 500 characters', `cursor=${'A'.repeat(500)}`, 'invalid_cursor'],
]

const cursorIn = (response: Response) => new URLSearchParams(nextOf(response)).get('cursor') ?? ''

/** Where cursors come from, and where they must not be accepted. */
const FOREIGN: [
  id: string,
  what: string,
  from: (petId: bigint) => string,
  to: (cursor: string, petId: bigint) => string,
][] = [
  ['pets', 'a cursor of listPets', () => '/pets?limit=1', (cursor) => `${EVENTS}?cursor=${cursor}`],
  [
    'newest',
    'a cursor of the newest pets',
    () => '/pets?limit=1&sort=newest',
    (cursor) => `${EVENTS}?cursor=${cursor}`,
  ],
  ['orders', 'a cursor of listOrders', () => `${ORDERS}?limit=1`, (cursor) => `${EVENTS}?cursor=${cursor}`],
  ['history', 'a cursor of a history', (petId) => historyOf(petId).path, (cursor) => `${EVENTS}?cursor=${cursor}`],
  [
    'in-history',
    'a cursor of the feed in a history',
    () => `${EVENTS}?limit=1`,
    (cursor, petId) => historyOf(petId, `&cursor=${cursor}`).path,
  ],
  ['in-pets', 'a cursor of the feed in listPets', () => `${EVENTS}?limit=1`, (cursor) => `/pets?cursor=${cursor}`],
  [
    'orders-in-pets',
    'a cursor of listOrders in listPets',
    () => `${ORDERS}?limit=1`,
    (cursor) => `/pets?cursor=${cursor}`,
  ],
  [
    'pets-in-orders',
    'a cursor of listPets in listOrders',
    () => '/pets?limit=1',
    (cursor) => `${ORDERS}?cursor=${cursor}`,
  ],
  [
    'in-orders',
    'a cursor of the feed in listOrders',
    () => `${EVENTS}?limit=1`,
    (cursor) => `${ORDERS}?cursor=${cursor}`,
  ],
]

export const EVENTS_REFUSED: Clause[] = [
  ...BAD.map(([id, what, query, code = 'invalid_parameter']) =>
    refused(
      `events.e9.${id}`,
      `E9: \`listEvents\` rejects ${what} with 400.`,
      { path: `${EVENTS}?${query}` },
      400,
      code,
    ),
  ),
  clause('events.e9.from-cursor', 'E9: `from` beside `cursor` is 400.', async (context) => {
    const start = await endOfFeed(context)
    for (const from of ['now', 'oldest'])
      expectError(await context.call({ path: `${EVENTS}${start}&from=${from}` }), 400, 'invalid_parameter')
  }),
  ...FOREIGN.map(([id, what, from, to]) =>
    clause(`events.e9.cursor.${id}`, `E9: ${what[0]?.toUpperCase()}${what.slice(1)} is 400.`, async (context) => {
      const [{ pet }] = await Promise.all([placed(context), placed(context), context.add(newPet())])
      const source = await context.call({ path: from(pet.id) })
      expectStatus(source, 200)
      const cursor = cursorIn(source)
      expect(source, cursor !== '', 'a Link with a cursor')
      expectError(await context.call({ path: to(cursor, pet.id) }), 400, 'invalid_cursor')
    }),
  ),
  clause(
    'events.cursor.altered',
    'A cursor whose last characters were altered is 400 or 410, never a page.',
    async (context) => {
      const cursor = new URLSearchParams(await endOfFeed(context)).get('cursor') ?? ''
      for (const at of [-3, -5, -7, -9]) {
        const other = cursor.at(at) === 'A' ? 'B' : 'A'
        const altered = cursor.slice(0, at) + other + cursor.slice(cursor.length + at + 1)
        const response = await context.call({ path: `${EVENTS}?cursor=${altered}` })
        expectError(
          response,
          response.status === 410 ? 410 : 400,
          response.status === 410 ? 'cursor_expired' : 'invalid_cursor',
        )
      }
    },
  ),
]
