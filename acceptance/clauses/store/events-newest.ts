import { isDeepStrictEqual } from 'node:util'
import type { Clause, Context } from '../../clause.ts'
import {
  caughtUp,
  EVENTS,
  type Event,
  endOfFeed,
  eventsOf,
  historyOf,
  ofPets,
  pastOf,
  someChanges,
} from '../../events.ts'
import { expect, expectError, expectHeader } from '../../expect.ts'
import { clause, newPet, patch, recordOf, refused } from '../../store.ts'
import { nextOf } from '../../walk.ts'
import { change, webhookClause, webhookOf } from '../../webhooks.ts'

const NEWEST = '`sort=newest` has the events of the feed in the reverse order'

/** From the newest event back to the one with this number. */
async function backTo({ call }: Context, query: string, first: string) {
  const events: Event[] = []
  for (let next: string | undefined = `?sort=newest&${query}`; ; ) {
    const response = await call({ path: `${EVENTS}${next}` })
    events.push(...eventsOf(response))
    next = nextOf(response)
    if (next === undefined || events.some(({ sequence = '' }) => sequence <= first))
      return { response, events: events.filter(({ sequence = '' }) => sequence >= first) }
  }
}

const rawOf = (events: Event[]) => events.map(({ raw }) => raw)

/** Some changes, as the feed has them. */
async function changed(context: Context) {
  const { start, pets } = await someChanges(context)
  const { events } = await caughtUp(context, start)
  return { events, pets, first: events[0]?.sequence ?? '', last: events.at(-1)?.sequence ?? '' }
}

export const EVENTS_NEWEST: Clause[] = [
  ...[1, 7, 100].map((limit) =>
    clause(`events.newest.${limit}`, `${NEWEST}: ${limit} on a page.`, async (context) => {
      const { events, first, last } = await changed(context)
      const { events: back, response } = await backTo(context, `limit=${limit}`, first)
      const seen = back.filter(({ sequence = '' }) => sequence <= last).toReversed()
      expect(response, isDeepStrictEqual(rawOf(seen), rawOf(events)), 'the same events, the newest first')
      expectHeader(response, 'Cache-Control', 'no-store')
    }),
  ),
  ...['order.placed', 'order.completed,order.cancelled'].map((types) =>
    clause(
      types.includes(',') ? 'events.newest.types' : 'events.newest.type',
      `${NEWEST}, with \`type=${types}\` those of it and no other.`,
      async (context) => {
        const { events, pets, first } = await changed(context)
        const wanted = ofPets(events, ...pets).filter(({ type }) => types.split(',').includes(type))
        const { events: back, response } = await backTo(context, `limit=2&type=${types}`, first)
        const other = back.find(({ type }) => !types.split(',').includes(type))
        expect(response, other === undefined, `only ${types}`, other?.type)
        const seen = ofPets(back, ...pets).toReversed()
        expect(response, isDeepStrictEqual(rawOf(seen), rawOf(wanted)), `${wanted.length} events`, `${seen.length}`)
      },
    ),
  ),
  clause('events.newest.end', 'With `sort=newest` a walk ends: its last page has no Link.', async (context) => {
    const pet = await context.add(newPet())
    recordOf(await context.call(patch(pet.id, '{"name":"verify newest"}')))
    const response = await context.call(historyOf(pet.id, '&sort=newest'))
    const versions = pastOf(response).map(({ data }) => String(data.pet?.version))
    expect(response, versions.join() === '2,1', 'the versions 2, 1', versions.join())
    expect(response, nextOf(response) === undefined, 'no Link after the oldest')
    const page = await context.call(historyOf(pet.id, '&sort=newest&limit=1'))
    const older = await context.call({ path: `${EVENTS}${nextOf(page) ?? ''}` })
    expect(older, pastOf(older)[0]?.data.pet?.version === 1n, 'the version 1 on the second page')
  }),
  clause('events.newest.cursor', 'A cursor keeps its direction: with the other `sort` it is 400.', async (context) => {
    await changed(context)
    const newest = new URLSearchParams(nextOf(await context.call({ path: `${EVENTS}?sort=newest&limit=1` })))
    const oldest = new URLSearchParams(await endOfFeed(context))
    for (const query of [`cursor=${newest.get('cursor')}`, `sort=newest&cursor=${oldest.get('cursor')}`])
      expectError(await context.call({ path: `${EVENTS}?${query}` }), 400, 'invalid_cursor')
  }),
  clause(
    'events.newest.altered',
    'A cursor of the newest events that was altered is 400 or 410, never a page.',
    async (context) => {
      await changed(context)
      const next = nextOf(await context.call({ path: `${EVENTS}?sort=newest&limit=1` }))
      const cursor = new URLSearchParams(next).get('cursor') ?? ''
      for (const at of [-3, -5, -7, -9]) {
        const other = cursor.at(at) === 'A' ? 'B' : 'A'
        const altered = cursor.slice(0, at) + other + cursor.slice(cursor.length + at + 1)
        const response = await context.call({ path: `${EVENTS}?sort=newest&cursor=${altered}` })
        const isGone = response.status === 410
        expectError(response, isGone ? 410 : 400, isGone ? 'cursor_expired' : 'invalid_cursor')
      }
    },
  ),
  ...(
    [
      ['wait', 'wait', 'wait=1'],
      ['no-wait', 'wait 0', 'wait=0'],
      ['from', 'from', 'from=oldest'],
    ] as const
  ).map(([id, what, query]) =>
    refused(
      `events.newest.${id}`,
      `\`sort=newest\` with ${what} is 400.`,
      { path: `${EVENTS}?sort=newest&${query}` },
      400,
      'invalid_parameter',
    ),
  ),
  clause('events.from.time', '`from` a time starts with the first event since then.', async (context) => {
    const { events, first } = await changed(context)
    const { time = '', sequence = '' } = events[5] ?? {}
    const response = await context.call({ path: `${EVENTS}?limit=100&from=${time}` })
    const page = eventsOf(response)
    expect(response, (page[0]?.sequence ?? '') <= sequence, `the event ${sequence}, or an earlier one`)
    expect(response, (page[0]?.time ?? '') >= time, `an event since ${time}`, page[0]?.time)
    const { events: back } = await backTo(context, 'limit=100', first)
    const missed = back.filter((event) => event.time >= time && (event.sequence ?? '') < (page[0]?.sequence ?? ''))
    expect(response, missed.length === 0, 'no event since then before it', missed[0]?.sequence)
  }),
  clause('events.from.future', '`from` a time that is yet to come starts after all events.', async (context) => {
    const response = await context.call({ path: `${EVENTS}?from=9999-12-31T23:59:59Z` })
    expect(response, eventsOf(response).length === 0, 'no event')
    const pet = await context.add(newPet())
    const { events } = await caughtUp(context, nextOf(response) ?? '')
    expect(response, ofPets(events, pet).length === 1, 'a link to what happens next')
  }),
  webhookClause(
    'webhooks.w6.time',
    'W6: A time moves a webhook to the first event since then.',
    async (context, made) => {
      const { webhook } = await made.created()
      const { events } = await changed(context)
      const time = events[5]?.time ?? ''
      const feed = await context.call({ path: `${EVENTS}?limit=1&from=${time}` })
      const due = BigInt(eventsOf(feed)[0]?.sequence ?? 0) - 1n
      const response = await context.call(change(webhook.id, `{"state":"paused","cursor":"${time}"}`))
      const moved = webhookOf(response)
      expect(response, BigInt(moved.sequence) === due, `\`sequence\` ${due}`, moved.sequence)
      expect(response, moved.behind >= 2n, '`behind` 2 or more', String(moved.behind))
    },
  ),
]
