import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { expireKey, revokeKey } from '../../src/domain/key-changes.ts'
import { SCOPES } from '../../src/domain/principal.ts'
import { connect } from '../../src/service.ts'
import { startApp } from '../support/app.ts'
import { opened } from '../support/cleanup.ts'
import { attemptsOf, insertWebhook, startDelivering, untilWebhook, webhookOf } from '../support/deliveries.ts'
import { createTestKey, insertPets, rotateTestKey } from '../support/factories.ts'
import { changePet } from '../support/feed.ts'
import { startReceiver } from '../support/receiver.ts'
import { SHORT } from '../support/times.ts'
import { throughout, until } from '../support/until.ts'
import { webhookCalls } from '../support/webhooks.ts'

// A webhook delivers as long as its key does.
const { url, pool, call } = await startApp()
const [pet] = await insertPets(pool, ['available'])
const { lease } = SHORT
const { tickMs, leaseMs } = lease
const { logs } = await startDelivering(url, {}, { lease })
const db = opened.use(connect(url))
const WHO = 'tester@test'

beforeEach(() => pool.query('delete from webhooks'))

/** A webhook that delivers for a key. */
async function delivering(changedBy: string) {
  const receiver = await startReceiver()
  const { rows } = await pool.query<{ sequence: string; mark: string }>(
    `select first + greatest(cardinality(pet_ids), 1) - 1 as sequence, mark from feed_pages order by first desc limit 1`,
  )
  const id = await insertWebhook(pool, receiver.url, { ...rows[0], changed_by: changedBy })
  await changePet(pool, pet!)
  await receiver.until(1)
  return { id, receiver }
}
type Delivering = Awaited<ReturnType<typeof delivering>>

async function assertStops({ id, receiver }: Delivering, reason: string) {
  const begun = performance.now()
  await untilWebhook(pool, id, ({ state }) => state === 'paused')
  const noticed = performance.now() - begun
  assert.equal((await webhookOf(pool, id)).reason, reason)
  // The process that delivers has noticed too, when it has stored its progress and given the webhook back.
  await untilWebhook(pool, id, ({ leased_by, behind }) => leased_by === null && behind === '0')
  const { length } = receiver.received
  await changePet(pool, pet!)
  await throughout(3 * tickMs, () => receiver.received.length === length)
  return noticed
}

async function assertContinues({ id, receiver }: Delivering) {
  const { length } = receiver.received
  await changePet(pool, pet!)
  await receiver.until(length + 1)
  await throughout(3 * tickMs, async () => (await webhookOf(pool, id)).state === 'active')
}

test('a key that is revoked stops its webhooks within a second, and those of no other', async () => {
  const [key, other] = [await createTestKey(pool), await createTestKey(pool)]
  const [webhook, untouched] = [await delivering(key.id), await delivering(other.id)]
  await revokeKey({ db }, WHO, key.id)
  const noticed = await assertStops(webhook, 'key_revoked')
  assert.ok(noticed < 1_000, `${noticed}`)
  const lines = logs.filter((line) => line.includes('a webhook was paused'))
  assert.equal(lines.length, 1)
  const { webhookId, reason, keyId } = JSON.parse(lines[0]!) as Record<string, unknown>
  assert.deepEqual([webhookId, reason, keyId], [webhook.id, 'key_revoked', key.id])
  await assertContinues(untouched)
})

test('a key that is revoked is noticed by its notification, not only at the next tick', async () => {
  const own = await startApp()
  await startDelivering(own.url, {}, { lease: { ...lease, tickMs: 60_000, leaseMs: 60_000 + leaseMs } })
  await until(async () => (await own.pool.query('select from deliverers')).rowCount)
  const key = await createTestKey(own.pool)
  const id = await insertWebhook(own.pool, 'https://shop.example/', { changed_by: key.id })
  await using ownDb = connect(own.url)
  await revokeKey({ db: ownDb }, WHO, key.id)
  await until(async () => (await webhookOf(own.pool, id)).reason === 'key_revoked', 5_000)
})

test('a key that expires stops its webhooks', async () => {
  const key = await createTestKey(pool)
  const webhook = await delivering(key.id)
  await expireKey({ db }, WHO, key.id, new Date(Date.now() + 500))
  await assertStops(webhook, 'key_expired')
})

test('a key that lacks a scope delivers nothing', async () => {
  for (const lacking of ['events:read', 'webhooks:manage']) {
    const key = await createTestKey(pool, { scopes: SCOPES.filter((scope) => scope !== lacking) })
    const receiver = await startReceiver()
    const id = await insertWebhook(pool, receiver.url, { changed_by: key.id })
    await untilWebhook(pool, id, ({ state, reason }) => state === 'paused' && reason === 'key_scope')
  }
})

test('a rotated key keeps its webhooks as long as its replacement is valid', async () => {
  const key = await createTestKey(pool)
  const webhook = await delivering(key.id)
  const second = await rotateTestKey(pool, key)
  const third = await rotateTestKey(pool, second)
  await pool.query('update api_keys set expires_at = now() where id = $1', [second.id])
  await revokeKey({ db }, WHO, key.id)
  await assertContinues(webhook)
  await revokeKey({ db }, WHO, third.id)
  await assertStops(webhook, 'key_revoked')
})

test('another key takes a webhook over, and one without a key is left alone', async () => {
  const [key, heir] = [await createTestKey(pool), await createTestKey(pool)]
  const webhook = await delivering(key.id)
  await revokeKey({ db }, WHO, key.id)
  await assertStops(webhook, 'key_revoked')
  const calls = webhookCalls((path, init) => call(path, { key: heir.key, ...init }))
  await calls.patch(webhook.id, { state: 'active' })
  await assertContinues(webhook)

  await pool.query('update webhooks set changed_by = null')
  await assertContinues(webhook)
})

test('what a URL has not accepted yet is not told apart, and afterwards it is', async () => {
  const receiver = await startReceiver()
  const id = await insertWebhook(pool, receiver.url, { ping_requested_at: new Date(), state: 'paused' })
  await untilWebhook(pool, id, ({ has_succeeded }) => has_succeeded)
  receiver.close()
  const silent = await insertWebhook(pool, receiver.url, { ping_requested_at: new Date(), state: 'paused' })
  await pool.query('update webhooks set ping_requested_at = now() where id = $1', [id])
  const errorOf = (webhook: string, count: number) =>
    until(async () => {
      const attempts = await attemptsOf(pool, webhook)
      return attempts.length === count && attempts[0]
    })
  const known = await errorOf(id, 2)
  assert.equal(known.error, 'The connection was refused.')
  const unknown = await errorOf(silent, 1)
  assert.deepEqual([unknown.duration_ms, unknown.error?.slice(0, 22)], [0, 'There was no response.'])
})
