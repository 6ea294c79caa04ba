import assert from 'node:assert/strict'
import { test } from 'node:test'
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
  WEBHOOKS,
  type Webhook,
  webhookCalls,
  webhookOf,
} from '../support/webhooks.ts'

const app = await startApp(WITH_WEBHOOKS)
const { call, pool } = app
const { list, create, get, patch, remove, rotate, ping, attempts } = webhookCalls(call)

/** A webhook for one test, removed after it. */
async function created(body: object = {}) {
  const answer = await create({ url: RECEIVER, ...body })
  assert.equal(answer.status, 201, answer.text)
  const webhook = webhookOf(answer)
  return { ...webhook, [Symbol.asyncDispose]: async () => void (await remove(webhook.id)) }
}

test('a webhook begins at the end of the feed, with a secret that only its response and the master secret have', async () => {
  await addPet(call)
  const end = sequenceOf(await endOfFeed(app))
  const { status, headers, body } = await create()
  const { id, createdAt, secret } = body as Webhook
  assert.equal(status, 201)
  assert.match(id, /^wh_[0-9A-Za-z]{20}$/)
  assert.equal(headers.get('location'), `${WEBHOOKS}/${id}`)
  assert.match(secret!, /^whsec_[0-9A-Za-z+/]{43}=$/)
  assert.equal(secret, webhookSecret(MASTER_SECRET, id, 1))
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 10_000)
  const sequence = String(end).padStart(16, '0')
  const shown = { id, url: RECEIVER, types: null, state: 'active', createdAt, sequence, behind: 0n }
  assert.ok(end > 0n)
  assert.deepEqual(body, { ...shown, secret })
  assert.deepEqual((await get(id)).body, shown)
  assert.deepEqual(await list(), [shown])
  await addPet(call)
  await endOfFeed(app)
  assert.deepEqual((await get(id)).body, { ...shown, behind: 1n })
  assert.equal((await remove(id)).status, 204)
})

test('a list has the oldest first', async () => {
  await using first = await created()
  await using second = await created({ types: ['pet.created', 'pets.imported'] })
  assert.deepEqual(
    (await list()).map(({ id, types }) => [id, types]),
    [
      [first.id, null],
      [second.id, ['pet.created', 'pets.imported']],
    ],
  )
})

test('a change keeps what it does not name', async () => {
  await using webhook = await created({ types: ['pet.created'] })
  const { id, url, createdAt, sequence, behind } = webhook
  let expected = { id, url, types: ['pet.created'] as string[] | null, state: 'active', createdAt, sequence, behind }
  for (const change of [
    { url: 'https://shop.example:8443/other?shop=1' },
    { types: ['order.placed', 'pet.deleted'] },
    { types: null },
    { state: 'paused' },
    { url, types: ['pets.imported'], state: 'active', colour: 'red' },
  ]) {
    const { colour: _, ...known } = { colour: '', ...change }
    expected = { ...expected, ...known }
    const answer = await patch(id, change)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, expected)
    assert.deepEqual((await get(id)).body, expected)
  }
})

test('W6: a cursor moves a webhook to its place in the feed, back and forth', async () => {
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
  ] as const) {
    await using webhook = await created()
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

test('a rotation shows the next secret, and until when the one before signs', async () => {
  await using webhook = await created()
  const seen = [webhook.secret]
  for (const [body, overlap] of [
    [{}, 86_400],
    [{ overlap: 604_800 }, 604_800],
    ['{"overlap":6e1}', 60],
    [{ overlap: 0 }, 0],
  ] as const) {
    const answer = await rotate(webhook.id, body)
    assert.equal(answer.status, 200, answer.text)
    const { secret, oldSecretEndsAt, ...rest } = webhookOf(answer)
    seen.push(secret)
    assert.equal(secret, webhookSecret(MASTER_SECRET, webhook.id, seen.length))
    const left = oldSecretEndsAt === undefined ? 0 : (Date.parse(oldSecretEndsAt) - Date.now()) / 1_000
    assert.ok(Math.abs(left - overlap) < 10, String(left))
    assert.equal(oldSecretEndsAt === undefined, overlap === 0)
    const { oldSecretEndsAt: shown, ...got } = webhookOf(await get(webhook.id))
    assert.deepEqual([got, shown], [rest, oldSecretEndsAt])
  }
  assert.equal(new Set(seen).size, 5)
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

test('the last hundred attempts are listed, newest first, and the last of them with the webhook', async () => {
  await using webhook = await created()
  assert.equal(webhookOf(await get(webhook.id)).lastAttempt, undefined)
  const all = Array.from({ length: 130 }, (_, i): Attempt => {
    const outcome = i % 2 === 0 ? { status: 200n } : { error: 'The connection was refused.' }
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
  const { status, text } = await remove(id)
  assert.deepEqual([status, text], [204, ''])
  for (const again of [get, remove, rotate, ping, attempts, (gone: string) => patch(gone, { state: 'active' })])
    assertError(await again(id), 404, 'webhook_not_found')
  assert.equal((await pool.query('select from webhook_attempts where webhook_id = $1', [id])).rowCount, 0)
})
