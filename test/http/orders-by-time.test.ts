import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderIdText } from '../../src/lib/ids/order-id.ts'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { nextOf } from '../support/events.ts'
import { insertPets } from '../support/factories.ts'
import { insertOrder, ORDERS, type Order, orderCalls, orderOf } from '../support/orders.ts'

const { call, pool } = await startApp()
const { place } = orderCalls(call)

let pets = 1_000n
/** An order that ended at this time. */
async function ended(closedAt: string, status = 'completed') {
  const petId = pets++
  const id = orderIdText({ petId, id: (BigInt(Date.parse('2026-11-01T00:00:00Z')) << 21n) + petId })
  await insertOrder(pool, { id, petId, status, expiresAt: '2026-11-02T00:00:00.000Z', closedAt })
  return id
}

async function walk(path: string) {
  const ids: string[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer = await call(next)
    assert.equal(answer.status, 200, answer.text)
    ids.push(...(answer.body as Order[]).map(({ id }) => id))
    next = answer.headers.has('link') ? nextOf(answer) : undefined
  }
  return ids
}

const BEFORE = await ended('2026-11-15T23:59:59.999Z')
const FIRST = await ended('2026-11-16T00:00:00.000Z')
const NOON = await ended('2026-11-16T12:00:00.000Z')
const SAME = await ended('2026-11-16T12:00:00.000Z')
const LAST = await ended('2026-11-16T23:59:59.999Z')
const AFTER = await ended('2026-11-17T00:00:00.000Z')
const CANCELLED = await ended('2026-11-16T12:00:00.000Z', 'cancelled')
const EXPIRED = await ended('2026-11-16T12:00:00.000Z', 'expired')
const DAY = 'from=2026-11-16T00:00:00Z&to=2026-11-17T00:00:00Z'

for (const limit of [1, 2, 3, 100])
  test(`the sales of a day, the newest first, ${limit} on a page`, async () => {
    const path = `${ORDERS}?status=completed&sort=closed&limit=${limit}`
    assert.deepEqual(await walk(`${path}&${DAY}`), [LAST, SAME, NOON, FIRST])
    assert.deepEqual(await walk(path), [AFTER, LAST, SAME, NOON, FIRST, BEFORE])
    assert.deepEqual(await walk(`${path}&from=2026-11-17T00:00:00Z`), [AFTER])
    assert.deepEqual(await walk(`${path}&to=2026-11-16T00:00:00Z`), [BEFORE])
    // The same day somewhere else.
    assert.deepEqual(await walk(`${path}&from=2026-11-16T01:00:00%2B01:00&to=2026-11-16T12:00:00.001Z`), [
      SAME,
      NOON,
      FIRST,
    ])
    assert.deepEqual(await walk(`${ORDERS}?status=cancelled&sort=closed&limit=${limit}&${DAY}`), [CANCELLED])
    assert.deepEqual(await walk(`${ORDERS}?status=expired&sort=closed&limit=${limit}&${DAY}`), [EXPIRED])
  })

test('times are exact to the microsecond, in which PostgreSQL stores them', async () => {
  const app = await startApp()
  await app.pool.query(`
    insert into orders (pet_id, id, version, status, expires_at, closed_at)
    select i, i, 2, 'completed', now(), timestamptz '2026-11-16T09:30:00.123Z' + i * interval '1 microsecond'
    from generate_series(0, 999) as i`)
  const T = '2026-11-16T09:30:00'
  for (const [query, expected] of [
    [`from=${T}.123Z`, 1_000],
    [`from=${T}.123000001Z`, 999],
    [`from=${T}.123456Z`, 544],
    [`from=${T}.1234561Z`, 543],
    [`to=${T}.123Z`, 0],
    [`to=${T}.123000001Z`, 1],
    [`to=${T}.1234Z`, 400],
    [`to=${T}.123456Z`, 456],
    [`to=${T}.123999Z`, 999],
    [`to=${T}.123999001Z`, 1_000],
    [`to=${T}.1239999Z`, 1_000],
    [`from=${T}.1231Z&to=${T}.1232Z`, 100],
  ] as const) {
    const { text } = await app.call(`${ORDERS}/count?status=completed&${query}`)
    assert.equal(text, `{"count":${expected},"isMore":${expected === 1_000}}`, query)
  }
  const { body } = await app.call(`${ORDERS}?status=completed&sort=closed&limit=1&to=${T}.1234561Z`)
  assert.equal((body as { petId: bigint }[])[0]!.petId, 456n)
})

test('the sales of a day are counted', async () => {
  const count = async (query: string) => (await call(`${ORDERS}/count${query}`)).text
  assert.equal(await count(`?status=completed&${DAY}`), '{"count":4,"isMore":false}')
  assert.equal(await count(`?status=completed&sort=closed&${DAY}`), '{"count":4,"isMore":false}')
  assert.equal(await count('?status=completed'), '{"count":6,"isMore":false}')
  assert.equal(await count('?status=completed&from=9999-12-31T23:59:59Z'), '{"count":0,"isMore":false}')
  assert.equal(await count('?status=completed&to=0000-01-01T00:00:00Z'), '{"count":0,"isMore":false}')
  assert.equal(await count('?status=cancelled'), '{"count":1,"isMore":false}')
  assert.equal(await count('?status=placed'), '{"count":0,"isMore":false}')
  assert.equal(await count(''), '{"count":8,"isMore":false}')
})

test('the sales of several periods are counted in one request, each as it is alone', async () => {
  const times = [
    '2026-11-15T00:00:00Z',
    '2026-11-16T00:00:00Z',
    '2026-11-16T13:00:00%2B01:00',
    '2026-11-16T12:00:00.001Z',
    '2026-11-17T00:00:00Z',
    '2026-11-17T00:00:00.001Z',
    '2026-11-19T00:00:00Z',
  ]
  for (const status of ['completed', 'cancelled', 'expired']) {
    const alone: unknown[] = []
    for (const [i, from] of times.slice(0, -1).entries())
      alone.push((await call(`${ORDERS}/count?status=${status}&from=${from}&to=${times[i + 1]}`)).body)
    const answer = await call(`${ORDERS}/counts?status=${status}&boundaries=${times.join()}`)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, { counts: alone })
  }
  const { text } = await call(`${ORDERS}/counts?status=completed&boundaries=${times.join('%2C')}`)
  const counts = [1, 1, 2, 1, 1, 0].map((count) => ({ count, isMore: false }))
  assert.equal(text, JSON.stringify({ counts }))
})

test('counts of periods that are requested at once are each what they are alone', async () => {
  const queries = ['completed', 'cancelled', 'expired'].flatMap((status) => [
    `status=${status}&boundaries=2026-11-15T00:00:00Z,2026-11-16T12:00:00Z,2026-11-17T00:00:00Z`,
    `status=${status}&boundaries=0000-01-01T00:00:00Z,9999-12-31T23:59:59Z`,
  ])
  const alone: string[] = []
  for (const query of queries) alone.push((await call(`${ORDERS}/counts?${query}`)).text)
  const together = await Promise.all([...queries, ...queries].map((query) => call(`${ORDERS}/counts?${query}`)))
  assert.deepEqual(
    together.map(({ text }) => text),
    [...alone, ...alone],
  )
  assert.ok(new Set(alone).size >= 3, alone.join('\n'))
})

test('the days of a time zone whose clocks change have 23 and 25 hours, and lose no order', async () => {
  const offsets = { spring: ['%2B01:00', '%2B02:00'], autumn: ['%2B02:00', '%2B01:00'] }
  await ended('2026-03-29T21:59:59.999Z', 'expired')
  await ended('2026-03-29T22:00:00.000Z', 'expired')
  await ended('2026-10-25T22:59:59.999Z', 'expired')
  await ended('2026-10-25T23:00:00.000Z', 'expired')
  for (const [day, [before, after]] of [
    ['2026-03-29', offsets.spring],
    ['2026-10-25', offsets.autumn],
  ] as const) {
    const next = day.replace(/\d+$/, (date) => String(Number(date) + 1))
    const last = day.replace(/\d+$/, (date) => String(Number(date) + 2))
    const days = [`${day}T00:00:00${before}`, `${next}T00:00:00${after}`, `${last}T00:00:00${after}`]
    const { body } = await call(`${ORDERS}/counts?status=expired&boundaries=${days.join()}`)
    assert.deepEqual(body, { counts: [1n, 1n].map((count) => ({ count, isMore: false })) }, day)
  }
})

test('the counts are a path of their own, and no id of an order', async () => {
  const path = `${ORDERS}/counts?status=completed&boundaries=2026-11-15T00:00:00Z,2026-11-16T12:00:00Z`
  assert.equal((await call(path, { method: 'HEAD' })).status, 200)
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const answer = await call(path, { method })
    assertError(answer, 405, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS')
  }
  assertError(await call(`${ORDERS}/Counts`), 404, 'order_not_found')
})

test('open orders come by when they expire, also while one of them ends', async () => {
  const ids = await insertPets(pool, Array<'available'>(6).fill('available'))
  const placed: string[] = []
  for (const [i, petId] of ids.entries())
    placed.push(orderOf(await place(petId, { expiresIn: 600 - 100 * (i % 3) - i })).id)
  const due = [5, 2, 4, 1, 3, 0].map((i) => placed[i])
  for (const limit of [1, 2, 100])
    assert.deepEqual(await walk(`${ORDERS}?status=placed&sort=expiring&limit=${limit}`), due)
  const first = await call(`${ORDERS}?status=placed&sort=expiring&limit=2`)
  assert.match(nextOf(first), /\?limit=2&status=placed&sort=expiring&cursor=/)
  await call(`${ORDERS}/${placed[2]}/cancel`, { method: 'POST' })
  assert.deepEqual(await walk(nextOf(first)), due.slice(2))
})

test('a link repeats the times', async () => {
  const path = `${ORDERS}?status=completed&sort=closed&limit=1&from=2026-11-16T01:00:00%2B01:00&to=2026-11-17T00:00:00Z`
  const next = new URLSearchParams(nextOf(await call(path)).split('?')[1])
  assert.ok(next.has('cursor'))
  next.delete('cursor')
  const due = {
    limit: '1',
    status: 'completed',
    sort: 'closed',
    from: '2026-11-16T01:00:00+01:00',
    to: '2026-11-17T00:00:00Z',
  }
  assert.deepEqual(Object.fromEntries(next), due)
})

const ENDED = '`completed`, `cancelled` or `expired`'
const ONLY_OPEN =
  '`sort=expiring` needs `status=placed`, and cannot be combined with `petId`, `reference`, `from` or `to`.'
const ONLY_ENDED = `\`sort=closed\` needs a \`status\`, which is ${ENDED}, and cannot be combined with \`petId\` or \`reference\`.`
const BY_END = '`from` and `to` say when orders ended: send them with `sort=closed`.'
const NOT_OPEN = `\`from\` and \`to\` say when orders ended: they need a \`status\`, which is ${ENDED}.`

for (const [query, message] of [
  ['?sort=expiring', ONLY_OPEN],
  ['?sort=expiring&status=completed', ONLY_OPEN],
  ['?sort=expiring&status=placed&petId=1', ONLY_OPEN],
  ['?sort=expiring&status=placed&reference=a', ONLY_OPEN],
  ['?sort=expiring&status=placed&to=2026-11-16T00:00:00Z', ONLY_OPEN],
  ['?sort=closed', ONLY_ENDED],
  ['?sort=closed&status=placed', ONLY_ENDED],
  ['?sort=closed&status=completed&petId=1', ONLY_ENDED],
  ['?sort=closed&status=completed&reference=a', ONLY_ENDED],
  ['?from=2026-11-16T00:00:00Z', BY_END],
  ['?sort=newest&status=completed&to=2026-11-16T00:00:00Z', BY_END],
  ['?sort=oldest', '`sort` must be one of newest, expiring, closed; got "oldest".'],
  [
    '?sort=closed&status=completed&from=2026-11-16',
    '`from` must be a time in RFC 3339, such as 2026-11-16T09:30:00Z; got "2026-11-16".',
  ],
  [
    '?sort=closed&status=completed&to=2026-11-16T09:30:00+01:00',
    '`to` must be a time in RFC 3339, such as 2026-11-16T09:30:00Z; got "2026-11-16T09:30:00 01:00"; write the + of its offset as %2B.',
  ],
  ['?sort=closed&status=completed&from=2026-11-16T00:00:00Z&to=2026-11-16T00:00:00Z', '`from` must be before `to`.'],
  ['/count?petId=7', 'Orders are counted by `status`, `from` and `to`, not by `petId`.'],
  [
    '/count?status=placed&reference=basket-4711',
    'Orders are counted by `status`, `from` and `to`, not by `reference`.',
  ],
  ['/count?from=2026-11-16T00:00:00Z', NOT_OPEN],
  ['/count?status=placed&to=2026-11-16T00:00:00Z', NOT_OPEN],
  ['/count?status=completed&from=2026-11-17T00:00:00Z&to=2026-11-16T00:00:00Z', '`from` must be before `to`.'],
  [
    '/counts',
    '`status` is required: one of completed, cancelled, expired. `boundaries` is required: values, separated by commas.',
  ],
  [
    '/counts?status=placed&boundaries=2026-11-16T00:00:00Z,2026-11-17T00:00:00Z',
    '`status` must be one of completed, cancelled, expired; got "placed".',
  ],
  ['/counts?status=expired&boundaries=2026-11-16T00:00:00Z', '`boundaries` must have at least 2 values.'],
  ['/counts?status=expired&boundaries=', '`boundaries` must have at least 2 values.'],
  [
    `/counts?status=expired&boundaries=${Array.from({ length: 16 }, (_, i) => `${2001 + i}-11-16T00:00:00Z`).join()}`,
    '`boundaries` takes at most 15 values; send the others in another request.',
  ],
  [
    '/counts?status=expired&boundaries=2026-11-16T00:00:00Z,2026-11-17',
    '`boundaries` must be 2 to 15 times, separated by commas, each a time in RFC 3339, such as 2026-11-16T09:30:00Z; got "2026-11-17".',
  ],
  [
    '/counts?status=expired&boundaries=2026-11-16T00:00:00+01:00,2026-11-17T00:00:00Z',
    '`boundaries` must be 2 to 15 times, separated by commas, each a time in RFC 3339, such as 2026-11-16T09:30:00Z; got "2026-11-16T00:00:00 01:00"; write the + of its offset as %2B.',
  ],
  [
    '/counts?status=expired&boundaries=2026-11-16T00:00:00Z,2026-11-16T01:00:00%2B01:00',
    '`boundaries` must be in ascending order: 2026-11-16T01:00:00+01:00 is not after 2026-11-16T00:00:00Z.',
  ],
  [
    '/counts?status=expired&from=2026-11-16T00:00:00Z&boundaries=2026-11-16T00:00:00Z,2026-11-17T00:00:00Z',
    'The counts of periods take no `from` and no `to`: send all times in `boundaries`.',
  ],
] as const)
  test(`${query} is rejected with what is allowed`, async () => {
    const answer = await call(`${ORDERS}${query}`)
    assertError(answer, 400, 'invalid_parameter')
    assert.equal((answer.body as { message: string }).message, message)
  })

test('a cursor continues only the walk that it comes from', async () => {
  await place((await insertPets(pool, ['available']))[0]!)
  const walks = ['?', '?status=placed&sort=expiring', '?status=completed&sort=closed']
  const cursors = await Promise.all(
    walks.map(async (path) =>
      new URLSearchParams(nextOf(await call(`${ORDERS}${path}&limit=1`)).split('?')[1]).get('cursor'),
    ),
  )
  for (const [i, path] of walks.entries())
    for (const [j, cursor] of cursors.entries()) {
      const answer = await call(`${ORDERS}${path}&cursor=${cursor}`)
      if (i === j) assert.equal(answer.status, 200)
      else assertError(answer, 400, 'invalid_cursor')
    }
})
