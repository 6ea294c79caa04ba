import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { resetSandbox } from '../../src/domain/sandbox.ts'
import { pause } from '../../src/jobs/runner.ts'
import { connectForBulk } from '../../src/service.ts'
import { EMPTIED } from '../../src/storage/stores/reset.ts'
import { type Answer, type Call, caller, patchJson, postJson } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { Cut } from '../support/cut.ts'
import { insertWebhook, startDelivering, untilWebhook, webhookOf } from '../support/deliveries.ts'
import { addPet, endOfFeed, eventsOf, follow, nextOf } from '../support/events.ts'
import { createTestKey } from '../support/factories.ts'
import { keyOf } from '../support/feed.ts'
import { orderCalls } from '../support/orders.ts'
import { petstore, serveHere } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { createStores, runCommand } from '../support/sandbox.ts'
import { throughout, until } from '../support/until.ts'

const { live, sandbox, env } = await createStores()
await runCommand(env, 'sandbox', 'create')
const { key } = await createTestKey(sandbox.pool)
const { pool } = sandbox
const services = await Promise.all([serveHere(live.url, env), serveHere(live.url, env)])
const calls = services.map(({ address }) => caller(address, key))
const [call] = calls as [Call]
await startDelivering(live.url, { stores: readConfig(env).stores })
const receiver = await startReceiver()
const { DATABASE_URL: _live, ...onlySandbox } = env
const reset = (...args: string[]) => runCommand(onlySandbox, 'sandbox', 'reset', ...args)

/** What is in the tables that a reset empties, and the end of the feed. */
async function contents() {
  const counts = await Promise.all(
    EMPTIED.map(async (table) => `${table}: ${(await pool.query(`select from ${table}`)).rowCount}`),
  )
  return counts.join(', ')
}

const KEPT = [
  'api_keys',
  'console_sessions',
  'deliverers',
  'key_changes',
  'schema_migrations',
  'store',
  'webhooks',
  'words_versions',
]
test('of every table it is decided whether a reset empties it', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  assert.deepEqual(rows.map(({ name }) => name).toSorted(), [...EMPTIED, ...KEPT].toSorted())
})

test('what clients have stored is gone; keys, webhooks and sessions stay, and ids continue', async () => {
  const failing = await startReceiver(() => 500)
  const [good, bad] = [await insertWebhook(pool, receiver.url), await insertWebhook(pool, failing.url)]
  const id = await addPet(call, 'available')
  await call('/v1/pets', postJson({ name: 'Momo', categoryId: 7 }, { 'idempotency-key': 'once' }))
  await orderCalls(call).place(id)
  await call('/v1/categories/7', { ...postJson({ name: 'Dogs' }), method: 'PUT' })
  await untilWebhook(pool, bad, ({ failures, attempts }) => failures > 0 && attempts !== '0')
  await untilWebhook(pool, good, ({ behind }) => behind === '0')
  assert.match(
    await contents(),
    /^pets: 2, orders: 1, events: 3, feed_pages: [2-9], categories: 1, idempotency_keys: 1/,
  )

  const { stdout, stderr } = await reset()
  assert.equal(stdout, 'The sandbox is empty. Its keys, webhooks and sessions are as before, and ids continue.\n')
  assert.match(stderr, /^\{"level":30,.*"who":"[^"]+@[^"]+","database":"[^"]+","msg":"reset the sandbox"\}\n$/)
  const { host, pathname } = new URL(sandbox.url)
  assert.equal((JSON.parse(stderr) as { database: string }).database, `postgres://${host}${pathname}`)
  const empty = EMPTIED.map((table) => `${table}: ${table === 'feed_pages' ? 1 : 0}`)
  assert.equal(await contents(), empty.join(', '))
  for (const each of calls) {
    assert.equal((await each('/v1/pets')).text, '[]')
    assertError(await each(`/v1/pets/${id}`), 404, 'pet_not_found')
  }
  // Longer than the process that delivers takes to store where it is.
  await throughout(2_000, async () => {
    const rows = await Promise.all([good, bad].map((webhook) => webhookOf(pool, webhook)))
    return rows.every(
      ({ behind, failures, next_attempt_at: next }) => behind === '0' && failures === 0 && next === null,
    )
  })
  // The same Idempotency-Key makes another pet, whose id is not one of before.
  const answer = await call('/v1/pets', postJson({ name: 'Momo', categoryId: 7 }, { 'idempotency-key': 'once' }))
  assert.equal((answer.body as { id: bigint }).id, id + 2n)
  await pool.query('delete from webhooks where id = any ($1)', [[good, bad]])
})

test('a cursor of before is rejected, a request that waits with one too, at once, and the next event is in the feed of every process', async () => {
  await addPet(call)
  const old = await endOfFeed({ call, pool })
  const middle = nextOf(await call('/v1/events?limit=1'))
  const newest = nextOf(await call('/v1/events?sort=newest&limit=1'))
  const waiting = calls.map((each) => each(`${old}&wait=9`))
  // They have arrived, since others that were sent later have a response.
  for (const each of calls) assert.equal((await each('/v1/events?from=now')).status, 200)

  await reset()
  // If it had not been notified, it would be an empty page, after 9 seconds.
  for (const answer of await Promise.all(waiting)) assertError(answer, 410, 'cursor_expired')
  for (const each of calls)
    for (const path of [old, middle, newest]) assertError(await each(path), 410, 'cursor_expired')
  const next = await Promise.all(calls.map(async (each) => nextOf(await each('/v1/events?from=now'))))
  const heard = calls.map((each, i) => each(`${next[i]}&wait=9`))
  const id = await addPet(call)
  for (const answer of await Promise.all(heard))
    assert.deepEqual(
      eventsOf(answer).map(({ data }) => data.pet?.id),
      [id],
    )
})

test('under load no request fails, and feed, webhooks and pets agree afterwards', async () => {
  const webhook = await insertWebhook(pool, receiver.url)
  const ending = new AbortController()
  const failed: Answer[] = []
  let created = 0
  const client = async (each: Call, n: number) => {
    const { place, complete } = orderCalls(each)
    const checked = async (answer: Promise<Answer>) => {
      const got = await answer
      if (got.status >= 500) failed.push(got)
      return got
    }
    do {
      const headers = n % 2 === 0 ? { 'idempotency-key': crypto.randomUUID() } : {}
      const made = await checked(
        each('/v1/pets', postJson({ name: `Rex ${n}`, categoryId: n, status: 'available' }, headers)),
      )
      const { id } = made.body as { id: bigint }
      created++
      await checked(each(`/v1/pets/${id}`, patchJson({ name: `Momo ${n}` })))
      const order = await checked(place(id))
      if (order.status === 201 && n % 3 === 0) await checked(complete((order.body as { id: string }).id))
      await checked(each('/v1/pets?status=available&name=rex'))
      await checked(each(`/v1/pets?categoryId=${n}&limit=3`))
      await checked(each('/v1/events?sort=newest&limit=5'))
    } while (await pause(1, ending.signal))
  }
  const loops = Array.from({ length: 8 }, (_, n) => client(calls[n % 2]!, n))
  for (let round = 0; round < 3; round++) {
    const goal = created + 40
    await until(() => created >= goal)
    const { rows } = await pool.query<{ last: string }>(`select max(id) as last from pets`)
    await reset()
    const { rows: first } = await pool.query<{ isLater: boolean }>(
      'select coalesce(min(id) > $1, true) as "isLater" from pets',
      [rows[0]!.last],
    )
    assert.deepEqual(first, [{ isLater: true }])
  }
  const goal = created + 40
  await until(() => created >= goal)
  ending.abort()
  await Promise.all(loops)
  assert.deepEqual(
    failed.map(({ status, text }) => `${status} ${text}`),
    [],
  )

  await endOfFeed({ call, pool })
  const { rows } = await pool.query<{ event: string }>(`select pet_id || ' ' || version as event from events`)
  const stored = rows.map(({ event }) => event).toSorted()
  assert.ok(stored.length > 100)
  for (const each of calls) {
    await endOfFeed({ call: each, pool })
    const { events } = await follow(each, '/v1/events')
    assert.deepEqual(events.map(keyOf).toSorted(), stored)
  }
  await untilWebhook(pool, webhook, ({ behind, next_attempt_at: next }) => behind === '0' && next === null)
  const received = new Set(receiver.received.map(({ event }) => keyOf(event)))
  assert.deepEqual(
    stored.filter((event) => !received.has(event)),
    [],
  )
})

test('it waits for a transaction that reads pets, and no request waits for it meanwhile', async () => {
  await addPet(call)
  const reading = await pool.connect()
  await reading.query('begin; select from pets')
  const done = petstore(['sandbox', 'reset'], env)
  const attempt = `select from pg_stat_activity where query like 'lock table%' and wait_event_type = 'Lock' and datname = current_database()`
  // Twice: it has given up once.
  for (let i = 0; i < 2; i++) {
    await until(async () => (await pool.query(attempt)).rowCount === 1)
    await until(async () => (await pool.query(attempt)).rowCount === 0)
    assert.equal((await call('/v1/pets?limit=1')).status, 200)
  }
  await reading.query('rollback')
  reading.release()
  assert.equal((await done).code, 0)
  assert.equal((await call('/v1/pets')).text, '[]')
})

test('killed at any statement, it has removed everything or nothing', async () => {
  // What is delivered meanwhile is none of its business.
  const contentsButAttempts = async () => (await contents()).replace(/, webhook_attempts: \d+$/, '')
  for (const isAfter of [false, true])
    for (let at = 1; ; at++) {
      await addPet(call)
      await endOfFeed({ call, pool })
      const before = await contentsButAttempts()
      const cut = new Cut(at, isAfter)
      await petstore(['sandbox', 'reset'], { ...env, SANDBOX_DATABASE_URL: await cut.through(sandbox.url) })
      await until(async () => {
        const { rowCount } = await pool.query(
          `select from pg_stat_activity where query like 'lock table%' and state <> 'idle'`,
        )
        return rowCount === 0
      })
      const after = await contentsButAttempts()
      assert.ok(after === before || after.startsWith('pets: 0, orders: 0, events: 0, feed_pages: 1,'), after)
      if (!cut.isCut) {
        assert.ok(at > 5 && after !== before)
        break
      }
    }
})

test('a database that is not marked as a sandbox is never emptied', async () => {
  await live.pool.query(`insert into pets (name, category_id) values ('Rex', 7)`)
  for (const [variables, message] of [
    [{ DATABASE_URL: live.url }, /SANDBOX_DATABASE_URL is not set/],
    [{ DATABASE_URL: live.url, SANDBOX_DATABASE_URL: live.url }, /at SANDBOX_DATABASE_URL is not a sandbox/],
    [{ DATABASE_URL: sandbox.url, SANDBOX_DATABASE_URL: live.url }, /at SANDBOX_DATABASE_URL is not a sandbox/],
  ] as const) {
    const { code, stderr, stdout } = await petstore(['sandbox', 'reset'], variables)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, message)
  }
  // Nor if it has become another while the command was at work: the transaction itself looks.
  const { db } = await connectForBulk(live.url)
  await using _db = db
  await assert.rejects(resetSandbox(db), /at SANDBOX_DATABASE_URL is not a sandbox/)
  assert.equal((await live.pool.query('select from pets')).rowCount, 1)
})
