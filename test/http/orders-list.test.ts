import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { insertPets } from '../support/factories.ts'
import { ORDERS, type Order, orderCalls, orderOf } from '../support/orders.ts'

const { call, pool } = await startApp()
const { place, cancel, complete } = orderCalls(call)

const ordersOf = (answer: Answer) => answer.body as Order[]

/** Every page of a walk, following its links. */
async function walk(query: string) {
  const pages: Order[][] = []
  for (let path: string | undefined = `${ORDERS}?${query}`; path !== undefined; ) {
    const answer: Answer = await call(path)
    assert.equal(answer.status, 200, answer.text)
    pages.push(ordersOf(answer))
    path = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return pages
}

// Sixty orders for ten pets, most of them cancelled, with three references and none.
const pets = await insertPets(pool, Array<string>(10).fill('available'))
const all: Order[] = []
for (let i = 0; i < 60; i++) {
  const petId = pets[i % 10]!
  const reference = ['a, b&c=d', 'basket 🐢', undefined, 'x'][i % 4]
  const { id } = orderOf(await place(petId, { reference }))
  const isLast = i >= 50
  all.unshift(
    orderOf(isLast && i % 2 === 0 ? await call(`${ORDERS}/${id}`) : isLast ? await complete(id) : await cancel(id)),
  )
}

test('orders are listed newest first, twenty by default, each as it is fetched', async () => {
  const answer = await call(ORDERS)
  assert.deepEqual(ordersOf(answer), all.slice(0, 20))
  const times = ordersOf(answer).map(({ placedAt }) => placedAt)
  assert.deepEqual(times, times.toSorted().toReversed())
})

const FILTERS: [query: string, matches: (order: Order) => boolean][] = [
  ['', () => true],
  ['status=placed', ({ status }) => status === 'placed'],
  ['status=completed', ({ status }) => status === 'completed'],
  ['status=cancelled', ({ status }) => status === 'cancelled'],
  ['status=expired', () => false],
  [`petId=${pets[3]}`, ({ petId }) => petId === pets[3]],
  ['petId=999999', () => false],
  ['petId=-1', () => false],
  [`petId=${pets[3]}&status=completed`, ({ petId, status }) => petId === pets[3] && status === 'completed'],
  [`petId=${pets[3]}&status=placed`, () => false],
  ['reference=x', ({ reference }) => reference === 'x'],
  [`reference=${encodeURIComponent('a, b&c=d')}`, ({ reference }) => reference === 'a, b&c=d'],
  [`reference=${encodeURIComponent('basket 🐢')}&status=placed`, () => false],
  [
    `reference=${encodeURIComponent('a, b&c=d')}&status=placed`,
    (order) => order.reference === 'a, b&c=d' && order.status === 'placed',
  ],
  ['reference=nothing&status=placed', () => false],
]
for (const [query, matches] of FILTERS)
  for (const limit of [1, 2, 7, 100])
    test(`O18: a walk with ${query || 'no filter'} and limit ${limit} meets each order once, newest first`, async () => {
      const pages = await walk(`limit=${limit}&${query}`)
      assert.deepEqual(pages.flat(), all.filter(matches))
      for (const page of pages) assert.ok(page.length <= limit)
    })

test('O18: a walk goes on while orders are placed and ended', async () => {
  const [one, two] = await insertPets(pool, ['available', 'available'])
  const before = ordersOf(await call(`${ORDERS}?limit=100`)).map(({ id }) => id)
  const first = await call(`${ORDERS}?limit=30`)
  await place(one!)
  const { id } = orderOf(await place(two!))
  await cancel(id)
  const [, next] = /^<([^>]+)>/.exec(first.headers.get('link')!)!
  const rest = await call(next!.replace('limit=30', 'limit=100'))
  assert.deepEqual(
    [...ordersOf(first), ...ordersOf(rest)].map((order) => order.id),
    before,
  )
})

test('a filtered page may be short or empty and still have a next', async () => {
  const [petId] = await insertPets(pool, ['available'])
  const { id: oldest } = orderOf(await place(petId!))
  await complete(oldest)
  for (let i = 0; i < 9; i++) {
    await pool.query(`update pets set status = 'available' where id = $1`, [petId])
    await cancel(orderOf(await place(petId!)).id)
  }
  const first = await call(`${ORDERS}?petId=${petId}&status=completed&limit=1`)
  assert.deepEqual(ordersOf(first), [])
  assert.match(
    first.headers.get('link')!,
    new RegExp(`^</v1/store/orders\\?limit=1&status=completed&petId=${petId}&cursor=[\\w-]+>; rel="next"$`),
  )
  const pages = await walk(`petId=${petId}&status=completed&limit=1`)
  assert.deepEqual(
    pages.flat().map(({ id }) => id),
    [oldest],
  )
})

test('petId and reference exclude each other', async () => {
  const answer = await call(`${ORDERS}?petId=1&reference=a`)
  assertError(answer, 400, 'invalid_parameter')
  assert.match(answer.text, /`petId` and `reference` cannot be combined/)
})

for (const query of [
  'limit=0',
  'limit=101',
  'limit=x',
  'limit=',
  'status=Placed',
  'status=',
  'status=placed,expired',
  'status=placed&status=expired',
  'petId=',
  'petId=01',
  'petId=1,2',
  'petId=9223372036854775808',
  'petId=1&petId=1',
  'reference=',
  'reference=%20',
  'reference=a%0Ab',
  `reference=${'x'.repeat(256)}`,
])
  test(`${query.slice(0, 40)} is invalid`, async () => {
    assertError(await call(`${ORDERS}?${query}`), 400, 'invalid_parameter')
  })

test('a cursor of another list, or one that is none, is invalid; a list of pets takes none of orders', async () => {
  for (const cursor of ['x', '', 'AQAAAAAAAAAC', 'AwAAAAAAAAAC', `Aw${'A'.repeat(21)}=`])
    assertError(await call(`${ORDERS}?cursor=${cursor}`), 400, 'invalid_cursor')
  const [, cursor] = /cursor=([\w-]+)>/.exec((await call(`${ORDERS}?limit=1`)).headers.get('link')!)!
  assertError(await call(`/v1/pets?cursor=${cursor}`), 400, 'invalid_cursor')
})
