import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeCursor } from '../../src/http/wire/cursor.ts'
import { parseNetworks } from '../../src/lib/client-address.ts'
import { webhookSecret } from '../../src/lib/webhook-secret.ts'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { addPet, cursorOf, endOfFeed, sequenceOf } from '../support/events.ts'
import { WITH_WEBHOOKS } from '../support/webhook-errors.ts'
import {
  type Attempt,
  insertAttempts,
  MASTER_SECRET,
  RECEIVER,
  type Webhook,
  webhookCalls,
  webhookOf,
} from '../support/webhooks.ts'

const MISSING = 'wh_00000000000000000000'
const app = await startApp(WITH_WEBHOOKS)
const { call, pool } = app
const { list, create, get, patch, remove, rotate, ping, retry, attempts } = webhookCalls(call)

/** A webhook for one test, removed after it. */
async function created(body: object = {}) {
  const answer = await create({ url: RECEIVER, ...body })
  assert.equal(answer.status, 201, answer.text)
  const webhook = webhookOf(answer)
  return { ...webhook, [Symbol.asyncDispose]: async () => void (await remove(webhook.id)) }
}

test('W6: a cursor moves a webhook to its position in the feed, back and forth', async () => {
  await using webhook = await created()
  const before = await endOfFeed(app)
  await addPet(call)
  await addPet(call)
  const after = await endOfFeed(app)
  const moved = async (path: string) => {
    const { status, body } = await patch(webhook.id, { cursor: cursorOf(path) })
    assert.equal(status, 200)
    const { sequence, behind } = body as Webhook
    const { rows } = await pool.query<{ mark: string }>('select mark from webhooks where id = $1', [webhook.id])
    // The mark says which store the number is from.
    const mark = Buffer.from(cursorOf(path), 'base64url').readBigInt64BE(9)
    assert.equal(BigInt(rows[0]!.mark), mark)
    return [BigInt(sequence), behind]
  }
  assert.deepEqual(await moved(after), [sequenceOf(after), 0n])
  assert.deepEqual(await moved(before), [sequenceOf(before), 2n])
})

/** A webhook that has failed three times. */
async function failing() {
  const webhook = await created()
  await pool.query(
    `update webhooks set failing_since = '2026-11-16T09:30:00.123Z', failures = 3, next_attempt_at = '2026-11-16T09:32:00.123Z'
     where id = $1`,
    [webhook.id],
  )
  return webhook
}

test('a webhook that fails shows since when, and when it is tried again, as long as it is active', async () => {
  await using webhook = await failing()
  const shown = webhookOf(await get(webhook.id))
  const facts = [shown.failingSince, shown.attempts, shown.nextAttemptAt]
  assert.deepEqual(facts, ['2026-11-16T09:30:00.123Z', 3n, '2026-11-16T09:32:00.123Z'])
  const paused = webhookOf(await patch(webhook.id, { state: 'paused' }))
  assert.deepEqual([paused.attempts, paused.nextAttemptAt], [3n, undefined])
})

test('another URL, the state active and a cursor forget failures; nothing else does', async () => {
  const cursor = cursorOf(await endOfFeed(app))
  for (const [change, isForgotten] of [
    [{ state: 'active' }, true],
    [{ cursor }, true],
    [{ url: 'https://other.example/hooks' }, true],
    [{ url: RECEIVER }, false],
    [{ state: 'paused' }, false],
    [{ types: ['pet.created'] }, false],
  ] as const) {
    await using webhook = await failing()
    const { failingSince, attempts: failures } = webhookOf(await patch(webhook.id, change))
    assert.deepEqual([failingSince, failures].includes(undefined), isForgotten, JSON.stringify(change))
    const { rows } = await pool.query<{ failures: number; next: Date | null }>(
      'select failures, next_attempt_at as next from webhooks where id = $1',
      [webhook.id],
    )
    assert.deepEqual([rows[0]!.failures, rows[0]!.next === null], isForgotten ? [0, true] : [3, false])
  }
})

test('a disabled webhook can be activated or paused', async () => {
  for (const state of ['active', 'paused']) {
    await using webhook = await created()
    await pool.query(`update webhooks set state = 'disabled' where id = $1`, [webhook.id])
    assert.equal(webhookOf(await get(webhook.id)).state, 'disabled')
    assert.equal(webhookOf(await patch(webhook.id, { state })).state, state)
  }
})

test('a change and a rotation take the webhook from the process that delivers, which has two seconds to notice', async () => {
  for (const [change, seconds] of [
    [async (id: string) => patch(id, { state: 'active' }), 2],
    [async (id: string) => patch(id, { types: null }), 2],
    [async (id: string) => rotate(id), 2],
    [async (id: string) => ping(id), 5],
    [async (id: string) => retry(id), 5],
  ] as const) {
    await using webhook = await failing()
    await pool.query(
      `update webhooks set leased_by = gen_random_uuid(), leased_until = now() + interval '5 s' where id = $1`,
      [webhook.id],
    )
    await change(webhook.id)
    const { rows } = await pool.query<{ leased: boolean; left: number }>(
      `select leased_by is not null as leased, ceil(extract(epoch from leased_until - now()))::int as left
       from webhooks where id = $1`,
      [webhook.id],
    )
    assert.equal(rows[0]!.leased, seconds === 5)
    assert.ok(rows[0]!.left <= seconds && rows[0]!.left >= seconds - 1, String(rows[0]!.left))
  }
})

test('after a change nothing keeps a webhook from being delivered that no process has taken', async () => {
  await using webhook = await created()
  await patch(webhook.id, { state: 'active' })
  const { rows } = await pool.query('select leased_by, leased_until from webhooks where id = $1', [webhook.id])
  assert.deepEqual(rows, [{ leased_by: null, leased_until: null }])
})

test('a secret is derived from the master secret, the webhook and the number of rotations', async () => {
  await using webhook = await created()
  assert.equal(webhook.secret, webhookSecret(MASTER_SECRET, webhook.id, 1))
  for (const number of [2, 3])
    assert.equal(webhookOf(await rotate(webhook.id)).secret, webhookSecret(MASTER_SECRET, webhook.id, number))
})

test('a ping is accepted in every state, and is left to the process that delivers', async () => {
  await using webhook = await created()
  for (const state of ['active', 'paused', 'disabled']) {
    await pool.query('update webhooks set state = $2, ping_requested_at = null where id = $1', [webhook.id, state])
    const { status, text, headers } = await ping(webhook.id)
    assert.deepEqual([status, text, headers.get('content-length')], [202, '', '0'])
    const { rows } = await pool.query<{ age: number }>(
      'select extract(epoch from clock_timestamp() - ping_requested_at)::int as age from webhooks where id = $1',
      [webhook.id],
    )
    assert.ok(rows[0]!.age < 10)
    assert.equal(webhookOf(await get(webhook.id)).state, state)
  }
})

test('a retry leaves the webhook as it is, but for its next attempt, which is due', async () => {
  await using webhook = await failing()
  const { nextAttemptAt: _, ...before } = webhookOf(await get(webhook.id))
  const { status, text, headers } = await retry(webhook.id)
  assert.deepEqual([status, text, headers.get('content-length')], [202, '', '0'])
  const { nextAttemptAt = '', ...after } = webhookOf(await get(webhook.id))
  assert.deepEqual(after, before)
  assert.ok(Date.parse(nextAttemptAt) <= Date.now())
})

test('a retry where nothing waits is 409, with what to do', async () => {
  await using webhook = await created()
  assertError(await retry(webhook.id), 409, 'nothing_to_retry')
  await pool.query('update webhooks set failing_since = now(), failures = 1, next_attempt_at = now() where id = $1', [
    webhook.id,
  ])
  for (const state of ['paused', 'disabled']) {
    await pool.query('update webhooks set state = $2 where id = $1', [webhook.id, state])
    const rejected = await retry(webhook.id)
    assertError(rejected, 409, 'nothing_to_retry')
    assert.match(
      rejected.text,
      new RegExp(`The webhook is ${state}, so nothing is sent\\. Change its .state. to .active.`),
    )
  }
  assertError(await retry(MISSING), 404, 'webhook_not_found')
})

test('a name with an Idempotency-Key is part of what is repeated', async () => {
  const headers = { 'idempotency-key': 'named' }
  const first = webhookOf(await create({ url: RECEIVER, name: 'Accounting' }, headers))
  const again = await create({ url: RECEIVER, name: 'Accounting' }, headers)
  assert.deepEqual([again.status, webhookOf(again).id, webhookOf(again).name], [201, first.id, 'Accounting'])
  for (const body of [{ url: RECEIVER }, { url: RECEIVER, name: 'Shop' }])
    assertError(await create(body, headers), 422, 'idempotency_key_reused')
  await remove(first.id)
})

test('the last hundred attempts are listed, newest first, and the last of them with the webhook', async () => {
  await using webhook = await created()
  assert.equal(webhookOf(await get(webhook.id)).lastAttempt, undefined)
  const all = Array.from({ length: 130 }, (_, i): Attempt => {
    const rejected = { status: 500n, error: 'The status was 500.', responseBody: 'a\u001b"ж\\\n' }
    const outcome = [{ status: 200n }, { error: 'The connection was refused.' }, rejected][i % 3]
    return { at: new Date(1.8e12 + i).toISOString(), eventId: `evt_${i}`, ...outcome, durationMs: BigInt(i) }
  })
  await insertAttempts(pool, webhook.id, all)
  const newest = all.toReversed().slice(0, 100)
  assert.deepEqual((await attempts(webhook.id)).body, newest)
  assert.deepEqual(webhookOf(await get(webhook.id)).lastAttempt, newest[0])
  assert.deepEqual(
    (await list()).map(({ lastAttempt }) => lastAttempt?.eventId),
    ['evt_129'],
  )
})

test('a deleted webhook is gone with its attempts', async () => {
  const { id } = await created()
  await insertAttempts(pool, id, [{ at: new Date().toISOString(), eventId: 'evt_1', durationMs: 1n }])
  assert.equal((await remove(id)).status, 204)
  assert.equal((await pool.query('select from webhook_attempts where webhook_id = $1', [id])).rowCount, 0)
})

test('addresses of the store itself are allowed where the operator says so, and this machine only in development', async () => {
  const networks = { webhookNetworks: parseNetworks('10.1.0.0/16') }
  const own = webhookCalls((await startApp({ ...WITH_WEBHOOKS, ...networks })).call)
  assert.equal((await own.create({ url: 'https://10.1.2.3/' })).status, 201)
  assertError(await own.create({ url: 'https://10.2.0.1/' }), 400, 'invalid_body')
  assertError(await own.create({ url: 'http://10.1.2.3/' }), 400, 'invalid_body')
  const local = webhookCalls((await startApp({ ...WITH_WEBHOOKS, allowsLocalReceivers: true })).call)
  for (const url of ['http://127.0.0.1:3000/', 'http://localhost:80/', 'https://[::1]/', 'http://shop.example/'])
    assert.equal((await local.create({ url })).status, 201, url)
  assertError(await local.create({ url: 'http://10.0.0.1/' }), 400, 'invalid_body')
})

test('a cursor must be one of the feed', async () => {
  await using webhook = await created()
  const { id } = webhook
  for (const cursor of [encodeCursor('oldest', 1n), encodeCursor('history', 1n, 1n), encodeCursor('feed', 1n)])
    assertError(await patch(id, { cursor }), 400, 'invalid_body')
  const before = webhookOf(await get(id))
  const { rows } = await pool.query<{ mark: string }>('select mark from feed_pages')
  const mark = BigInt(rows[0]!.mark)
  for (const [sequence, other] of [
    [0n, mark + 1n],
    [1_000n, mark],
    [-1n, mark],
    [2n ** 63n - 1n, mark],
    [-(2n ** 63n), mark],
  ] as const)
    assertError(await patch(id, { cursor: encodeCursor('feed', sequence, other) }), 410, 'cursor_expired')
  assert.deepEqual((await get(id)).body, before)
})

test('what is wrong with a body comes first, then the webhook, then the cursor, then their number', async () => {
  assertError(await patch(MISSING, { cursor: encodeCursor('feed', 5n, 5n) }), 404, 'webhook_not_found')
  const made = await Promise.all(Array.from({ length: 20 }, () => create()))
  assertError(await create({ url: 'http://x' }), 400, 'invalid_body')
  assertError(await create(), 409, 'too_many_webhooks')
  for (const webhook of made) await remove(webhookOf(webhook).id)
  const unconfigured = webhookCalls((await startApp()).call)
  assertError(await unconfigured.create({ url: 'http://x' }), 400, 'invalid_body')
})
