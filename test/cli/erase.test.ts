import assert from 'node:assert/strict'
import { hostname, userInfo } from 'node:os'
import { test } from 'node:test'
import { patchJson, postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { endOfFeed, eventsOf, follow } from '../support/events.ts'
import { ORDERS, orderCalls, orderOf } from '../support/orders.ts'
import { petstore } from '../support/process.ts'
import { until } from '../support/until.ts'
import { insertAttempts, insertWebhook, RECEIVER } from '../support/webhooks.ts'

const app = await startApp()
const { call, pool, url } = app
const env = { DATABASE_URL: url }
const { place, complete } = orderCalls(call)
const WEBHOOK = 'wh_0a1B2c3D4e5F6g7H8i9J'
const TIME = '2026-11-16T09:30:00.000Z'
const TEXTS = ['Ann Example', 'Ann B. Example', 'ann@shop.example']

async function run(...args: string[]) {
  const { code, stdout, stderr } = await petstore(['erase', ...args], env)
  assert.equal(code, 0, stderr)
  const { level, time, pid, hostname: host, ...line } = JSON.parse(stderr) as Record<string, unknown>
  assert.deepEqual([level, typeof time, pid, host], [30, 'number', process.pid, hostname()])
  return { stdout, line }
}
const WHO = `${userInfo().username}@${hostname()}`

/** The tables and columns whose rows have one of these texts, in any column. */
async function whereStored(texts: string[]) {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  )
  assert.ok(tables.length > 10)
  const found: string[] = []
  for (const { name } of tables) {
    // Its rows are gone a second later, when their words are.
    if (name === 'stale_names') await until(async () => (await pool.query('select from stale_names')).rowCount === 0)
    const { rows } = await pool.query(
      `select from ${name} as t where exists (select from unnest($1::text[]) as text where strpos(t::text, text) > 0)`,
      [texts],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}
/** A pet with two names, an order and a history. */
async function sellPet() {
  const created = await call(
    '/v1/pets',
    postJson({ name: TEXTS[0], categoryId: 7, status: 'available' }, { 'idempotency-key': crypto.randomUUID() }),
  )
  const { id } = created.body as { id: bigint }
  await call(`/v1/pets/${id}`, patchJson({ name: TEXTS[1] }))
  const placed = await place(id, { reference: TEXTS[2] }, { 'idempotency-key': `order ${id}` })
  await complete(orderOf(placed).id)
  return { id, order: orderOf(placed) }
}
const withoutTexts = (text: string) =>
  TEXTS.reduce((left, each) => left.replaceAll(each, '…'), text).replaceAll('(erased)', '…')

test('the name of a deleted pet and the reference of its order are stored nowhere any more, and the feed is the same but for them', async () => {
  const { id, order } = await sellPet()
  await call(`/v1/pets/${id}`, { method: 'DELETE' })
  const end = await endOfFeed(app)
  const before = await follow(call, '/v1/events')
  const middle = (await call('/v1/events?limit=2')).headers.get('link')!.split('/v1')[1]!.split('>')[0]!
  assert.deepEqual(await whereStored(TEXTS), ['events', 'orders'])

  const { stdout, line } = await run('pet', String(id))
  assert.equal(stdout, `Erased the name of the pet ${id}, which was deleted, and in 5 events.\n`)
  assert.deepEqual(line, { who: WHO, petId: String(id), events: 5, msg: 'erased the name of a pet' })
  const ofOrder = await run('order', order.id)
  assert.equal(ofOrder.stdout, `Erased the reference of the order ${order.id}.\n`)
  assert.deepEqual(ofOrder.line, { who: WHO, orderId: order.id, msg: 'erased the reference of an order' })

  assert.deepEqual(await whereStored(TEXTS), [])
  const after = await follow(call, '/v1/events')
  const plain = (events: unknown) =>
    withoutTexts(JSON.stringify(events, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)))
  assert.equal(plain(after.events), plain(before.events).replaceAll(',"reference":"…"', ''))
  assert.equal((await call(`/v1${middle}`)).status, 200)
  assert.deepEqual(eventsOf(await call(end)), [], 'nothing is new')
  const history = eventsOf(await call(`/v1/events?petId=${id}`))
  assert.deepEqual(
    history.map(({ data }) => data.pet?.name),
    Array(5).fill('(erased)'),
  )
  assert.equal(orderOf(await call(`${ORDERS}/${order.id}`)).reference, undefined)
})

test('a pet that exists is renamed as by any other change, so that those who follow the feed learn of it', async () => {
  const { id } = await sellPet()
  const end = await endOfFeed(app)
  assert.match(
    (await run('pet', String(id), '--json')).stdout,
    new RegExp(`^\\{"id":"${id}","exists":true,"events":4\\}\\n$`),
  )
  await endOfFeed(app)
  const { events } = await follow(call, end)
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.pet?.name, data.pet?.version, data.changed]),
    [['pet.updated', '(erased)', 5n, ['name']]],
  )
  assert.match((await call(`/v1/pets?id=${id}`)).text, /"name":"\(erased\)"/)
  // To repeat it changes nothing.
  assert.match((await run('pet', String(id))).stdout, /and in 0 events\.$/m)
  await endOfFeed(app)
  assert.equal((await follow(call, end)).events.length, 1)
})

test('what receivers have responded is removed, since it may repeat the text', async () => {
  const { id, order } = await sellPet()
  const webhook = { id: WEBHOOK, url: RECEIVER, types: null, state: 'paused', createdAt: TIME, sequence: '0' }
  await insertWebhook(pool, webhook)
  for (const [kind, which] of [
    ['pet', String(id)],
    ['order', order.id],
  ] as const) {
    const failed = { at: TIME, eventId: `evt_${kind}`, status: 500n, durationMs: 1n, responseBody: TEXTS.join() }
    await insertAttempts(pool, WEBHOOK, [failed])
    assert.ok((await whereStored(TEXTS)).includes('webhook_attempts'))
    // As a process that stores attempts has locked it: the erasure waits.
    const other = await pool.connect()
    await other.query('begin; select from webhooks for no key update')
    const erasing = run(kind, which)
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await until(async () => (await pool.query(waiting)).rowCount)
    await other.query(
      `insert into webhook_attempts values ($1, 50, now(), 'evt_late', 500, null, 1, $2)
       on conflict (webhook_id, place) do update set response_body = $2`,
      [WEBHOOK, TEXTS.join()],
    )
    await other.query('commit')
    other.release()
    await erasing
    assert.ok(!(await whereStored(TEXTS)).includes('webhook_attempts'), kind)
  }
  const { rows } = await pool.query('select event_id, status, response_body from webhook_attempts order by place')
  assert.deepEqual(
    rows,
    ['evt_pet', 'evt_order', 'evt_late'].map((event_id) => ({ event_id, status: 500, response_body: null })),
  )
})

test('no word of a name is left, neither of the pet nor of one that was deleted', async () => {
  for (const isDeleted of [false, true]) {
    const { id } = await sellPet()
    if (isDeleted) await call(`/v1/pets/${id}`, { method: 'DELETE' })
    await run('pet', String(id))
    // At once, not when the job comes by.
    const { rows } = await pool.query<{ word: string }>(
      'select word from pet_words where pet_id = $1 union all select name from stale_names where pet_id = $1',
      [id],
    )
    assert.deepEqual(
      rows.map(({ word }) => word),
      isDeleted ? [] : ['erased'],
    )
  }
})

test('an event that has no place in the feed yet gets one all the same', async () => {
  const ids: bigint[] = []
  const end = await endOfFeed(app)
  for (let i = 0; i < 10; i++) {
    const { id } = (await call('/v1/pets', postJson({ name: TEXTS[0], categoryId: 7 }))).body as { id: bigint }
    ids.push(id)
    await run('pet', String(id))
  }
  await endOfFeed(app)
  const { events } = await follow(call, end)
  assert.deepEqual(
    events.map(({ type, data }) => `${type} ${data.pet?.id} ${data.pet?.name}`).toSorted(),
    ids.flatMap((id) => [`pet.created ${id} (erased)`, `pet.updated ${id} (erased)`]).toSorted(),
  )
})

test('an event without a place in the feed is overwritten also while no process numbers events', async () => {
  const end = await endOfFeed(app)
  const lock = await pool.connect()
  await lock.query('begin; lock table feed_pages in share row exclusive mode')
  const { id } = (await call('/v1/pets', postJson({ name: TEXTS[0], categoryId: 7 }))).body as { id: bigint }
  await run('pet', String(id))
  await lock.query('rollback')
  lock.release()
  await endOfFeed(app)
  const { events } = await follow(call, end)
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.pet?.id, data.pet?.name]),
    [
      ['pet.created', id, '(erased)'],
      ['pet.updated', id, '(erased)'],
    ],
  )
})

test('a retry with the Idempotency-Key of what was erased creates nothing', async () => {
  const send = (name: string) => call('/v1/pets', postJson({ name, categoryId: 7 }, { 'idempotency-key': 'erased' }))
  const { id } = (await send(TEXTS[0]!)).body as { id: bigint }
  await run('pet', String(id))
  // It can't be told from another body any more.
  assertError(await send(TEXTS[0]!), 422, 'idempotency_key_reused')
})

const WRONG: [args: string[], code: number, message: RegExp][] = [
  [[], 2, /Name what to erase: pet or order/],
  [['ordr', '1'], 2, /Did you mean order\?/],
  [['pet'], 2, /Name one pet: petstore erase pet ID/],
  [['order', 'a', 'b'], 2, /Name one order: petstore erase order ID/],
  [['pet', '999999'], 1, /There is no pet "999999", and no event that has its name/],
  [['pet', '0'], 1, /There is no pet "0"/],
  [['pet', 'Rex'], 1, /There is no pet "Rex"/],
  [['order', 'ord_1'], 1, /There is no order "ord_1"/],
]
for (const [args, expected, message] of WRONG)
  test(`petstore erase ${args.join(' ')} says what to write instead, and erases nothing`, async () => {
    const { code, stderr, stdout } = await petstore(['erase', ...args], env)
    assert.deepEqual([code, stdout], [expected, ''])
    assert.match(stderr, message)
  })
