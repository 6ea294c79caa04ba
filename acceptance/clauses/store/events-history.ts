import { isDeepStrictEqual } from 'node:util'
import type { Clause, Context } from '../../clause.ts'
import { caughtUp, EVENTS, type Event, endOfFeed, followingOf, historyOf, ofPets, pastOf } from '../../events.ts'
import { expect, expectError, expectStatus, jsonOf } from '../../expect.ts'
import { close, orderOf, place } from '../../orders.ts'
import { clause, expectDeleted, look, NO_PET, newPet, patch, recordOf, remove } from '../../store.ts'

const HISTORY = 'E15: The history of a pet has its versions, dense'

/** A pet with six versions, the last of them an order. */
async function withPast(context: Context) {
  const pet = await context.add(newPet('available'))
  for (const body of ['{"name":"verify past"}', '{"categoryId":-5}']) recordOf(await context.call(patch(pet.id, body)))
  const first = orderOf(await context.call(place(pet.id)), 201)
  orderOf(await context.call(close(first.id, 'cancel')))
  const order = orderOf(await context.call(place(pet.id)), 201)
  return { pet, order, types: ['created', 'updated', 'updated', 'placed', 'cancelled', 'placed'] }
}

const versionsOf = (events: Event[]) => events.map(({ data }) => String(data.pet?.version)).join()

/** Along the links, to the first empty page. */
async function walk({ call }: Context, query: string) {
  const events: Event[] = []
  for (let next = query; ; ) {
    const response = await call({ path: `${EVENTS}${next}` })
    const page = pastOf(response)
    if (page.length === 0) return { events, response, next: followingOf(response) }
    events.push(...page)
    expect(response, events.length < 100, 'an end of the history')
    next = followingOf(response)
  }
}

export const EVENTS_HISTORY: Clause[] = [
  ...[1, 2, 5, 6, 100].map((limit) =>
    clause(`events.e15.${limit}`, `${HISTORY}, ascending, and each once: ${limit} on a page.`, async (context) => {
      const { pet, types } = await withPast(context)
      const { events, response } = await walk(context, `?petId=${pet.id}&limit=${limit}`)
      expect(response, versionsOf(events) === '1,2,3,4,5,6', 'the versions 1 to 6', versionsOf(events))
      const seen = events.map(({ type }) => type.replace(/^.*\./, '')).join()
      expect(response, seen === types.join(), types.join(), seen)
      expect(
        response,
        events.every(({ data }) => data.pet?.id === pet.id),
        'events of this pet alone',
      )
    }),
  ),
  clause('events.e15.at-once', `${HISTORY}: each is in it with the response to its request.`, async (context) => {
    const { id } = await context.add(newPet())
    for (let version = 1n; version < 6n; version++) {
      const response = await context.call(historyOf(id))
      expect(response, pastOf(response).at(-1)?.data.pet?.version === version, `the version ${version}`)
      recordOf(await context.call(patch(id, `{"categoryId":${version + 1n}}`)))
    }
  }),
  ...['held', 'changed', 'no-status'].map((state) =>
    clause(
      `events.e15.last.${state}`,
      `E15: The last \`data.pet\` of a history equals ?view=full: ${state}.`,
      async (context) => {
        const { pet, order } = await withPast(context)
        if (state !== 'held') {
          orderOf(await context.call(close(order.id, 'complete')))
          if (state === 'no-status')
            recordOf(await context.call(patch(pet.id, '{"status":null}', { 'If-Match': '"7"' })))
        }
        const response = await context.call(historyOf(pet.id))
        const last = pastOf(response).at(-1)?.raw['data'] as { pet?: unknown } | undefined
        const shown = (await look(context, pet.id)).response
        const [due] = jsonOf(shown) as unknown[]
        expect(response, isDeepStrictEqual(last?.pet, due), `\`data.pet\` ${shown.text}`)
      },
    ),
  ),
  clause(
    'events.e15.deleted',
    'E15: A pet that was deleted keeps its history; its last event is pet.deleted.',
    async (context) => {
      const { pet, order } = await withPast(context)
      orderOf(await context.call(close(order.id, 'cancel')))
      expectDeleted(await context.call(remove(pet.id)))
      const response = await context.call(historyOf(pet.id))
      const events = pastOf(response)
      expect(response, versionsOf(events) === '1,2,3,4,5,6,7,8', 'the versions 1 to 8', versionsOf(events))
      expect(response, events.at(-1)?.type === 'pet.deleted', 'pet.deleted at the end')
    },
  ),
  clause('events.e15.feed', 'E15: A history has the events of the feed, without `sequence`.', async (context) => {
    const start = await endOfFeed(context)
    const { pet } = await withPast(context)
    const { events } = await caughtUp(context, start)
    const inFeed = ofPets(events, pet)
    const response = await context.call(historyOf(pet.id))
    const past = pastOf(response).map(({ raw }, i) => ({ ...raw, sequence: inFeed[i]?.sequence }))
    const due = inFeed.map(({ raw }) => raw)
    expect(response, due.length === 6 && isDeepStrictEqual(past, due), 'the events of the feed')
  }),
  clause(
    'events.e15.next',
    'E15: The end of a history has a next, which finds what is done later.',
    async (context) => {
      const { id } = await context.add(newPet())
      const { next } = await walk(context, `?petId=${id}`)
      recordOf(await context.call(patch(id, '{"name":"verify later"}')))
      const response = await context.call({ path: `${EVENTS}${next}` })
      expect(response, versionsOf(pastOf(response)) === '2', 'the version 2', versionsOf(pastOf(response)))
    },
  ),
  clause('events.e15.cursor', 'E15: A cursor of the history of another pet is 400.', async (context) => {
    const [one, two] = [await context.add(newPet()), await context.add(newPet())]
    const next = new URLSearchParams(followingOf(await context.call(historyOf(one.id))))
    next.set('petId', String(two.id))
    expectError(await context.call({ path: `${EVENTS}?${next.toString()}` }), 400, 'invalid_cursor')
  }),
  clause('events.e15.limit', 'E15: `limit` of a history has the default 20.', async (context) => {
    const { id } = await context.add(newPet())
    for (let i = 0; i < 21; i++) recordOf(await context.call(patch(id, `{"categoryId":${i + 2}}`)))
    const response = await context.call(historyOf(id))
    expect(response, pastOf(response).length === 20, '20 events', `${pastOf(response).length} events`)
  }),
  ...[NO_PET, '0', '-1', '-9223372036854775808', '9223372036854775807'].map((petId) =>
    clause(
      `events.e15.none.${petId}`,
      `E15: The history of a pet that never existed is empty: ${petId}.`,
      async ({ call }) => {
        const response = await call(historyOf(petId))
        expect(response, pastOf(response).length === 0, 'an empty list')
        expectStatus(await call({ path: `${EVENTS}${followingOf(response)}` }), 200)
      },
    ),
  ),
  clause('events.e15.link', 'E15: The link of a history repeats `limit` and `petId`.', async (context) => {
    const { id } = await context.add(newPet())
    const response = await context.call(historyOf(id, '&limit=3&x=1'))
    const next = new URLSearchParams(followingOf(response))
    const given = `${[...next.keys()].toSorted().join()} ${next.get('limit')} ${next.get('petId')}`
    expect(response, given === `cursor,limit,petId 3 ${id}`, 'limit, petId and a cursor', given)
  }),
]
