import { setTimeout as sleep } from 'node:timers/promises'
import type { Clause, Context } from '../../clause.ts'
import { caughtUp, EVENTS, endOfFeed, eventsOf, follow, followingOf, ofPets, RARE, someChanges } from '../../events.ts'
import { expect, type Pet } from '../../expect.ts'
import { close, placed } from '../../orders.ts'
import { clause, expectDeleted, newPet, remove } from '../../store.ts'

/** A busy machine delays a wait now and then, but hardly two of five. */
const WAITS = 5
const IN_TIME = 4
const IN_TIME_MS = 250
const SLOWEST_MS = 3_000
/** Other clients may end waits: the next one goes on where they stopped. */
const MAX_WAITS = 100
/** How long after it was sent a request is waiting, also on a busy machine. */
const UNDER_WAY_MS = 300

/**
 * How long after the commit its event ended a wait. The type is one that few clients make: with events of all types there is nearly
 * always one to return at once, and nothing waits.
 */
async function endOfWait(context: Context) {
  const pet = await context.add(newPet())
  const start = await endOfFeed(context, 'limit=100&type=pet.deleted')
  const [{ response, at }, committed] = await Promise.all([
    waitFor(context, start, pet),
    sleep(UNDER_WAY_MS).then(async () => {
      expectDeleted(await context.call(remove(pet.id)))
      return performance.now()
    }),
  ])
  return { response, ms: Math.round(at - committed) }
}

async function waitFor({ call }: Context, start: string, pet: Pet) {
  let next = start
  for (let waits = 1; ; waits++) {
    const response = await call({ path: `${EVENTS}${next.includes('wait=') ? next : `${next}&wait=9`}` })
    if (ofPets(eventsOf(response), pet).length > 0) return { response, at: performance.now() }
    expect(response, waits < MAX_WAITS, 'the event that the wait was for')
    next = followingOf(response)
  }
}

export const EVENTS_WAIT: Clause[] = [
  clause(
    'events.e5.ends',
    'E5: A wait ends as soon as there is an event: four of five in 250 ms, each in 3 s.',
    async (context) => {
      const delays: number[] = []
      while (delays.length < WAITS) {
        const { response, ms } = await endOfWait(context)
        delays.push(ms)
        expect(response, ms <= SLOWEST_MS, 'the event within 3 s', `after ${ms} ms`)
        const late = delays.filter((delay) => delay > IN_TIME_MS).length
        expect(response, late <= WAITS - IN_TIME, 'four of five within 250 ms', `after ${delays.join(', ')} ms`)
      }
    },
  ),
  ...[1, 2, 9].map((seconds) =>
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
]
