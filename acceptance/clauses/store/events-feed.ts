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
  ofPets,
  RARE,
  someChanges,
} from '../../events.ts'
import { expect } from '../../expect.ts'
import type { Response } from '../../response.ts'
import { clause, newPet, patch, recordOf } from '../../store.ts'
import { nextOf } from '../../walk.ts'

const DENSE = 'E2: `sequence` is dense: each event has the number after that of the event before'
const WALKS = 'E3: Walks with any `limit` give the same events'
const LOOKED_AT = 1_000n

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
