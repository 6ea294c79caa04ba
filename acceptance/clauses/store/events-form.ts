import type { Clause, Context } from '../../clause.ts'
import {
  caughtUp,
  EVENTS,
  type Event,
  endOfFeed,
  eventsOf,
  followingOf,
  historyOf,
  ofPets,
  pastOf,
} from '../../events.ts'
import { expect, expectError, expectHeader, expectNoHeader, expectStatus, petOf, petsOf } from '../../expect.ts'
import { post } from '../../herd.ts'
import { close, orderOf, place } from '../../orders.ts'
import { clause, newPet, patch, recordOf, refused } from '../../store.ts'

const CLOUD = 'E11: Each event is a valid CloudEvent'
const INT64 = ['9223372036854775807', '-9223372036854775808', '9007199254740993', '-9007199254740993', '0']
const ALLOW = 'GET, HEAD, OPTIONS'

/** The events of a pet that was added, changed and ordered. */
async function someEvents(context: Context) {
  const start = await endOfFeed(context)
  const pet = await context.add(newPet('available'))
  recordOf(await context.call(patch(pet.id, '{"name":"verify form"}')))
  const order = orderOf(await context.call(place(pet.id)), 201)
  const ended = orderOf(await context.call(close(order.id, 'complete')))
  const { events, response } = await caughtUp(context, start)
  return { pet, order, ended, events, own: ofPets(events, pet), response }
}

const ATTRIBUTES: [name: string, is: string, holds: (event: Event, all: Event[]) => boolean][] = [
  ['specversion', '1.0', ({ raw }) => raw['specversion'] === '1.0'],
  ['id', 'unique', ({ id }, all) => id !== '' && all.filter((each) => each.id === id).length === 1],
  [
    'source',
    'a URI reference that ends in /v1, the same for all',
    ({ source }, all) => /^(?:https?:\/\/[^/\s]+)?\/.*v1$/.test(source) && all.every((each) => each.source === source),
  ],
  [
    'type',
    'one of those that there are',
    ({ type }) =>
      /^(?:pet\.(?:created|updated|deleted)|order\.(?:placed|completed|cancelled|expired)|pets\.imported)$/.test(type),
  ],
  ['subject', 'the pet', ({ subject, data }) => subject === (data.pet === undefined ? 'pets' : `pets/${data.pet.id}`)],
  ['time', 'a moment in UTC, with milliseconds', ({ time }) => new Date(Date.parse(time)).toISOString() === time],
  ['sequence', '16 digits', ({ sequence = '' }) => /^\d{16}$/.test(sequence)],
  [
    'names',
    'lower-case letters and digits, as attributes must be',
    ({ raw }) => Object.keys(raw).every((name) => /^[a-z0-9]{1,20}$/.test(name)),
  ],
]

export const EVENTS_FORM: Clause[] = [
  ...ATTRIBUTES.map(([name, is, holds]) =>
    clause(`events.e11.${name}`, `${CLOUD}: \`${name}\`: ${is}.`, async (context) => {
      const { events, response } = await someEvents(context)
      const wrong = events.find((event) => !holds(event, events))
      expect(response, wrong === undefined, `\`${name}\`: ${is}`, JSON.stringify(wrong?.raw[name]) ?? wrong?.id)
    }),
  ),
  clause(
    'events.e11.data',
    'E11: `data` has `pet`, `order`, `changed`, `previous` and `keyId`, and nothing else.',
    async (context) => {
      const { own, response } = await someEvents(context)
      const names = own
        .map(({ raw }) =>
          Object.keys(raw['data'] as object)
            .toSorted()
            .join('+'),
        )
        .join()
      const ordered = 'changed+keyId+order+pet+previous'
      expect(response, names === `keyId+pet,changed+keyId+pet+previous,${ordered},${ordered}`, 'these parts', names)
    },
  ),
  clause(
    'events.e11.time-of-orders',
    'E11: `time` is when it happened: of an order, when it was placed or ended.',
    async (context) => {
      const { own, order, ended, response } = await someEvents(context)
      const [, , placed, completed] = own.map(({ time }) => Date.parse(time))
      const late = [(placed ?? 0) - Date.parse(order.placedAt), (completed ?? 0) - Date.parse(ended.closedAt ?? '')]
      expect(
        response,
        late.every((ms) => Math.abs(ms) < 1_000),
        'the times of the order',
        `${late.join()} ms later`,
      )
    },
  ),
  clause('events.e11.same-id', 'E11: An event that is read again has the same `id`.', async (context) => {
    const { pet } = await someEvents(context)
    const [first, again] = [await context.call(historyOf(pet.id)), await context.call(historyOf(pet.id))]
    expect(again, pastOf(again).length === 4 && again.text === first.text, first.text)
  }),
  ...INT64.map((categoryId) =>
    clause(
      `events.e12.${categoryId}`,
      `E12: \`categoryId\` is exact, digit for digit: ${categoryId}.`,
      async (context) => {
        const start = await endOfFeed(context)
        const pet = await context.add(`{"name":"verify int64","categoryId":${categoryId}}`)
        const { events, response } = await caughtUp(context, start)
        const [inFeed] = ofPets(events, pet)
        expect(response, inFeed?.data.pet?.categoryId === BigInt(categoryId), `\`categoryId\` ${categoryId}`)
        const history = await context.call(historyOf(pet.id))
        expect(history, history.text.includes(`"categoryId":${categoryId}`), `\`categoryId\` ${categoryId}`)
      },
    ),
  ),
  clause('events.name', 'A name is in its event as it was given: all of Unicode.', async (context) => {
    const name = 'Šárka 🐢 "\\ \u2028 é'
    const pet = petOf(await context.call(post(JSON.stringify({ name, categoryId: 1 }))), 201)
    const response = await context.call(historyOf(pet.id))
    expect(response, pastOf(response)[0]?.data.pet?.name === name, `\`name\` ${JSON.stringify(name)}`)
  }),
  clause(
    'events.link',
    'The link of a page repeats `limit`, `wait` and `type`, and nothing else.',
    async ({ call }) => {
      const response = await call({ path: `${EVENTS}?from=now&limit=7&wait=0&type=order.placed,pet.deleted&x=1` })
      eventsOf(response)
      expectHeader(response, 'Link', /^<[^<>?]*\/v1\/events\?[^<>]*cursor=[\w-]+>; rel="next"$/)
      const next = new URLSearchParams(followingOf(response))
      expect(response, [...next.keys()].toSorted().join() === 'cursor,limit,type,wait', 'these and a cursor')
      const given = `${next.get('limit')} ${next.get('wait')} ${next.get('type')}`
      expect(response, given === '7 0 order.placed,pet.deleted', 'their values', given)
    },
  ),
  clause('events.link.plain', 'The link of a page without parameters has a cursor alone.', async ({ call }) => {
    const response = await call({ path: EVENTS })
    const next = new URLSearchParams(followingOf(response))
    expect(response, [...next.keys()].join() === 'cursor', 'a cursor')
  }),
  clause('events.headers', 'A page is never cached, has no ETag and is not deprecated.', async ({ call }) => {
    for (const path of [`${EVENTS}?limit=1`, `${EVENTS}?from=now`, historyOf('1').path]) {
      const response = await call({ path })
      expectStatus(response, 200)
      expectHeader(response, 'Content-Type', 'application/json')
      expectHeader(response, 'Cache-Control', 'no-store')
      for (const name of ['ETag', 'Deprecation', 'Sunset', 'Retry-After']) expectNoHeader(response, name)
    }
  }),
  clause('events.head', 'HEAD returns what GET returns, without the body: listEvents.', async (context) => {
    const { id } = await context.add(newPet())
    const { path } = historyOf(id)
    const [get, head] = [await context.call({ path }), await context.call({ method: 'HEAD', path })]
    expectStatus(get, 200)
    expect(head, head.status === 200 && head.text === '', '200 without a body')
    for (const name of ['content-type', 'content-length', 'link', 'cache-control'])
      expect(head, head.headers.get(name) === get.headers.get(name), `the ${name} of GET: ${get.headers.get(name)}`)
  }),
  clause('events.options', 'OPTIONS of /events is 204 with Allow, without a key.', async ({ call }) => {
    const response = await call({ method: 'OPTIONS', path: EVENTS, authorization: null })
    expectStatus(response, 204)
    expectHeader(response, 'Allow', ALLOW)
    expectNoHeader(response, 'Accept-Patch')
    expect(response, response.text === '', 'no body')
  }),
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) =>
    clause(`events.method.${method.toLowerCase()}`, `${method} of /events is 405 with Allow.`, async ({ call }) => {
      const response = await call({ method, path: EVENTS })
      expectError(response, 405, 'method_not_allowed')
      expectHeader(response, 'Allow', ALLOW)
    }),
  ),
  clause('events.cors', 'A browser may read /events from where it may read /pets.', async ({ call }) => {
    const headers = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'GET' }
    for (const method of ['GET', 'OPTIONS']) {
      const pets = await call({ method, path: '/pets?limit=1', headers })
      const events = await call({ method, path: `${EVENTS}?limit=1`, headers })
      const name = 'access-control-allow-origin'
      expect(events, events.headers.get(name) === pets.headers.get(name), `${name} of /pets: ${pets.headers.get(name)}`)
    }
  }),
  refused(
    'events.no-key',
    '`listEvents` without a key is 401.',
    { path: EVENTS, authorization: null },
    401,
    'missing_credentials',
  ),
  refused('events.route', 'Nothing is served below /events.', { path: `${EVENTS}/1` }, 404, 'route_not_found'),
  clause('events.invisible', 'The three operations show nothing of events.', async (context) => {
    const created = await context.call(post(newPet('available')))
    const { id } = petOf(created, 201)
    const listed = await context.call({ path: `/pets?id=${id}` })
    petsOf(listed)
    const got = await context.call({ path: `/pets/${id}` })
    for (const response of [created, listed, got]) {
      const shown = [...response.headers].map((header) => header.join()).join() + response.text
      expect(response, !/evt_|\/events|sequence|keyId/i.test(shown), 'nothing of events')
    }
  }),
]
