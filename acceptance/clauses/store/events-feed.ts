import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Clause, Context } from '../../clause.ts'
import {
  caughtUp,
  EVENTS,
  type Event,
  endOfFeed,
  eventsOf,
  follow,
  followingOf,
  historyOf,
  ofPets,
} from '../../events.ts'
import { expect, expectError, expectStatus } from '../../expect.ts'
import { close, ORDERS, orderOf, place, placed } from '../../orders.ts'
import type { Response } from '../../response.ts'
import { clause, newPet, patch, recordOf, refused } from '../../store.ts'
import { nextOf } from '../../walk.ts'

const DENSE = 'E2: `sequence` is dense: each event has the number after that of the event before'
const WALKS = 'E3: Walks with any `limit` give the same events'
/** Nobody imports pets during a run, or hardly ever. */
const RARE = 'pets.imported'
/** How long after the commit a wait ends, at the latest. */
const LATEST_MS = 250
const LOOKED_AT = 1_000n

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
    'in-orders',
    'a cursor of the feed in listOrders',
    () => `${EVENTS}?limit=1`,
    (cursor) => `${ORDERS}?cursor=${cursor}`,
  ],
]

/** Some changes of every kind, and the place in the feed before them. */
async function someChanges(context: Context) {
  const start = await endOfFeed(context)
  const pets = await Promise.all(Array.from({ length: 4 }, () => context.add(newPet('available'))))
  for (const [i, { id }] of pets.entries()) {
    recordOf(await context.call(patch(id, `{"name":"verify feed ${i}"}`)))
    const order = orderOf(await context.call(place(id)), 201)
    if (i > 0) orderOf(await context.call(close(order.id, i === 1 ? 'complete' : 'cancel')))
  }
  return { start, pets }
}

function expectDense(response: Response, events: Event[]) {
  const numbers = events.map(({ sequence }) => BigInt(sequence ?? ''))
  const gap = numbers.findIndex((number, i) => i > 0 && number !== (numbers[i - 1] ?? 0n) + 1n)
  expect(response, gap < 0, 'numbers one after the other', `${numbers[gap - 1]}, then ${numbers[gap]}`)
}

/** From `start`, the events up to the one with this number. */
async function upTo(context: Context, start: string, limit: number, last: string) {
  const query = new URLSearchParams(start)
  query.set('limit', String(limit))
  const { events, response } = await follow(context, `?${query.toString()}`, ({ sequence }) => sequence === last)
  return { response, events: events.filter(({ sequence = '' }) => sequence <= last) }
}

const rawOf = (events: Event[]) => events.map(({ raw }) => raw)

export const EVENTS_FEED: Clause[] = [
  clause('events.e2.dense', `${DENSE}.`, async (context) => {
    const { start } = await someChanges(context)
    const { events, response } = await caughtUp(context, start)
    expect(response, events.length >= 16, 'all events of the clause')
    expectDense(response, events)
  }),
  clause('events.e2.oldest', `${DENSE}, from the oldest that is kept.`, async ({ call, add }) => {
    await add(newPet())
    const response = await call({ path: `${EVENTS}?limit=100` })
    const events = eventsOf(response)
    expect(response, events.length > 0, 'the oldest events')
    expectDense(response, events)
  }),
  clause('events.e2.once', 'E2: No event is twice in the feed.', async (context) => {
    const { start } = await someChanges(context)
    const { events, response } = await caughtUp(context, start)
    expect(response, new Set(events.map(({ id }) => id)).size === events.length, 'ids that are all different')
    const versions = events.map(({ data }) => `${data.pet?.id} ${data.pet?.version}`)
    expect(response, new Set(versions).size === events.length, 'versions that are all different')
  }),
  clause('events.order', 'Events of one pet are in the order of versions.', async (context) => {
    const { start, pets } = await someChanges(context)
    const { events, response } = await caughtUp(context, start)
    for (const pet of pets) {
      const versions = ofPets(events, pet).map(({ data }) => Number(data.pet?.version))
      expect(response, versions.join() === versions.map((_, i) => i + 1).join(), '1, 2, 3 …', versions.join())
    }
  }),
  ...[1, 2, 7, 100].map((limit) =>
    clause(`events.e3.${limit}`, `${WALKS}: ${limit} on a page.`, async (context) => {
      const { start, pets } = await someChanges(context)
      const { events } = await caughtUp(context, start)
      const last = ofPets(events, ...pets).at(-1)?.sequence ?? ''
      const expected = events.filter(({ sequence = '' }) => sequence <= last)
      const walked = await upTo(context, start, limit, last)
      expect(walked.response, isDeepStrictEqual(rawOf(walked.events), rawOf(expected)), 'the same events')
    }),
  ),
  ...[1, 3, 100].map((limit) =>
    clause(
      `events.e3.limit.${limit}`,
      `E3: A page has exactly ${limit} events, if as many follow.`,
      async (context) => {
        const start = await endOfFeed(context)
        await Promise.all(Array.from({ length: limit }, () => context.add(newPet())))
        await caughtUp(context, start)
        const response = await context.call({
          path: `${EVENTS}?limit=${limit}&cursor=${new URLSearchParams(start).get('cursor')}`,
        })
        const count = eventsOf(response).length
        expect(response, count === limit, `${limit} events`, `${count} events`)
      },
    ),
  ),
  clause('events.limit.default', '`limit` of listEvents has the default 20.', async (context) => {
    const start = await endOfFeed(context)
    await Promise.all(Array.from({ length: 21 }, () => context.add(newPet())))
    await caughtUp(context, start)
    const response = await context.call({ path: `${EVENTS}?cursor=${new URLSearchParams(start).get('cursor')}` })
    const count = eventsOf(response).length
    expect(response, count === 20, '20 events', `${count} events`)
  }),
  clause(
    'events.stable',
    'An event has one place for ever: a page that is read again is the same.',
    async (context) => {
      const { start } = await someChanges(context)
      await caughtUp(context, start)
      const path = `${EVENTS}${start.replace('limit=100', 'limit=16')}`
      const first = await context.call({ path })
      await context.add(newPet())
      const again = await context.call({ path })
      expect(again, eventsOf(first).length === 16 && again.text === first.text, first.text)
      expect(again, nextOf(again) === nextOf(first), `the Link of before: ${nextOf(first)}`)
    },
  ),
  clause(
    'events.from.oldest',
    '`from=oldest` is the default: the walk starts at the oldest event.',
    async (context) => {
      await caughtUp(context, await endOfFeed(context))
      // Between two requests the oldest may be removed; but hardly three times.
      for (let tries = 1; ; tries++) {
        const plain = await context.call({ path: `${EVENTS}?limit=1` })
        const oldest = await context.call({ path: `${EVENTS}?limit=1&from=oldest` })
        const same = eventsOf(plain).length === 1 && plain.text === oldest.text
        expect(oldest, same || tries < 3, plain.text)
        if (same) return
      }
    },
  ),
  clause('events.from.now', '`from=now` starts after all events of before.', async (context) => {
    const pet = await context.add(newPet())
    await caughtUp(context, await endOfFeed(context))
    const { events, response } = await caughtUp(context, await endOfFeed(context))
    expect(response, ofPets(events, pet).length === 0, 'no event from before the request')
  }),
  clause('events.e4.empty', 'E4: An empty page has a next; following it later misses nothing.', async (context) => {
    // With a type that hardly comes, an empty page is certain.
    const empty = await context.call({ path: `${EVENTS}?from=now&type=${RARE}` })
    eventsOf(empty)
    const next = new URLSearchParams(followingOf(empty))
    next.delete('type')
    const pets = [await context.add(newPet()), await context.add(newPet())]
    const { events, response } = await caughtUp(context, `?${next.toString()}`)
    expect(response, ofPets(events, ...pets).length === 2, 'the events of both pets that were added since')
  }),
  clause('events.e4.again', 'E4: The link of an empty page can be followed again and again.', async (context) => {
    let next = await endOfFeed(context, `type=${RARE}`)
    for (let i = 0; i < 4; i++) {
      const response = await context.call({ path: `${EVENTS}${next}` })
      eventsOf(response)
      next = followingOf(response)
    }
  }),
  clause(
    'events.e5.ends',
    'E5: A wait ends as soon as there is an event: in 250 ms, the best of five.',
    async (context) => {
      const delays: number[] = []
      while (delays.length === 0 || Math.min(...delays) > LATEST_MS) {
        const name = `verify wait ${randomUUID()}`
        const start = await endOfFeed(context)
        const [{ response, at }, added] = await Promise.all([
          follow(context, `${start}&wait=9`, ({ data }) => data.pet?.name === name).then((found) => ({
            ...found,
            at: performance.now(),
          })),
          context.add(`{"name":"${name}","categoryId":1}`).then(() => performance.now()),
        ])
        delays.push(Math.round(at - added))
        const inTime = Math.min(...delays) <= LATEST_MS
        expect(response, inTime || delays.length < 5, 'the event within 250 ms', `${delays.join()} ms`)
      }
    },
  ),
  ...[1, 2].map((seconds) =>
    clause(
      `events.e5.over.${seconds}`,
      `E5: wait=${seconds} returns [] after ${seconds} s, if nothing comes.`,
      async ({ call }) => {
        const from = performance.now()
        const response = await call({ path: `${EVENTS}?from=now&type=${RARE}&wait=${seconds}` })
        const ms = Math.round(performance.now() - from)
        const came = eventsOf(response).length > 0
        expect(response, came || ms >= seconds * 1_000 - 50, `a wait of ${seconds} s`, `[] after ${ms} ms`)
        expect(response, came || ms < seconds * 1_000 + 3_000, `[] after ${seconds} s`, `[] after ${ms} ms`)
      },
    ),
  ),
  clause('events.e5.none', 'E5: Without `wait`, and with wait=0, an empty page comes at once.', async ({ call }) => {
    for (const wait of ['', '&wait=0']) {
      const from = performance.now()
      const response = await call({ path: `${EVENTS}?from=now&type=${RARE}${wait}` })
      const ms = Math.round(performance.now() - from)
      eventsOf(response)
      expect(response, ms < 3_000, 'a page at once', `after ${ms} ms`)
    }
  }),
  clause('events.e5.ready', 'E5: A wait with events to return does not wait.', async (context) => {
    const { start } = await someChanges(context)
    await caughtUp(context, start)
    const from = performance.now()
    const response = await context.call({ path: `${EVENTS}${start}&wait=9` })
    const ms = Math.round(performance.now() - from)
    expect(response, eventsOf(response).length > 0 && ms < 3_000, 'the events at once', `after ${ms} ms`)
  }),
  clause('events.e5.type', 'E5: A wait for a type is not ended by events of other types.', async (context) => {
    const start = await endOfFeed(context, 'type=order.cancelled')
    const { order } = await placed(context)
    const [{ events, response }] = await Promise.all([
      follow(context, `${start}&wait=9`, ({ data }) => data.order?.id === order.id),
      context.add(newPet()).then(() => context.call(close(order.id, 'cancel'))),
    ])
    expect(
      response,
      events.every(({ type }) => type === 'order.cancelled'),
      'only order.cancelled',
    )
  }),
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
  ...[
    'pet.created',
    'pet.updated',
    'order.placed',
    'order.completed',
    'order.cancelled',
    'order.placed,order.cancelled',
  ].map((types) =>
    clause(
      `events.e10.type.${types.replace(',', '-')}`,
      `E10: \`type=${types}\` has all events of it and no other.`,
      async (context) => {
        const { start, pets } = await someChanges(context)
        const { events } = await caughtUp(context, start)
        const wanted = ofPets(events, ...pets).filter(({ type }) => types.split(',').includes(type))
        const last = wanted.at(-1)?.sequence ?? ''
        const walked = await upTo(context, `${start}&type=${types}`, 3, last)
        const seen = walked.events.map(({ type }) => type)
        expect(
          walked.response,
          seen.every((type) => types.split(',').includes(type)),
          `only ${types}`,
          seen.join(),
        )
        const own = ofPets(walked.events, ...pets)
        expect(
          walked.response,
          isDeepStrictEqual(rawOf(own), rawOf(wanted)),
          `${wanted.length} events`,
          `${own.length}`,
        )
      },
    ),
  ),
  clause('events.e10.all-types', 'E10: `type` takes 8 names.', async ({ call }) => {
    const types = 'pet.created,pet.updated,pet.deleted,order.placed,order.completed,order.cancelled,order.expired'
    const response = await call({ path: `${EVENTS}?limit=1&type=${types},pets.imported` })
    expect(response, eventsOf(response).length === 1, 'an event')
  }),
  clause(
    'events.e10.looked-at',
    'E10: A page looks at 1,000 events at most: it may be empty and have a next.',
    async (context) => {
      const start = await endOfFeed(context)
      const pets = await Promise.all(Array.from({ length: 26 }, () => context.add(newPet())))
      const changes = Array.from({ length: 40 }, (_, i) => `{"categoryId":${i + 2}}`)
      await Promise.all(
        pets.map(async ({ id }) => {
          for (const body of changes) recordOf(await context.call(patch(id, body)))
        }),
      )
      await caughtUp(context, start)
      const cursor = new URLSearchParams(start).get('cursor')
      const [first] = eventsOf(await context.call({ path: `${EVENTS}?limit=1&cursor=${cursor}` }))
      const page = await context.call({ path: `${EVENTS}?type=${RARE}&wait=9&cursor=${cursor}` })
      const next = new URLSearchParams(followingOf(page)).get('cursor')
      const response = await context.call({ path: `${EVENTS}?limit=1&cursor=${next}` })
      const [after] = eventsOf(response)
      const looked = BigInt(after?.sequence ?? 0) - BigInt(first?.sequence ?? 0)
      expect(response, looked > 0n && looked <= LOOKED_AT, 'the place after 1 to 1,000 events', `after ${looked}`)
    },
  ),
]
