import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createTestKey, rotateTestKey } from '../support/factories.ts'
import { WITH_WEBHOOKS } from '../support/webhook-errors.ts'
import { RECEIVER, webhookCalls, webhookOf } from '../support/webhooks.ts'

const app = await startApp(WITH_WEBHOOKS)
const { pool, call } = app
const keyed = (key: string) => webhookCalls((path, init) => call(path, { key, ...init }))
const owner = await createTestKey(pool)
const other = await createTestKey(pool)
const [one, two] = [keyed(owner.key), keyed(other.key)]

test('a webhook shows the keys that created it and changed it last', async () => {
  const { id, createdBy, changedBy } = webhookOf(await one.create())
  assert.deepEqual([createdBy, changedBy], [owner.id, owner.id])
  const changed = webhookOf(await two.patch(id, { types: ['pet.created'] }))
  assert.deepEqual([changed.createdBy, changed.changedBy], [owner.id, other.id])
  assert.equal(webhookOf(await one.rotate(id)).changedBy, owner.id)
  await two.ping(id)
  assert.equal(webhookOf(await two.get(id)).changedBy, owner.id)
  await one.remove(id)
})

test('a webhook that the service has paused says why, until a request sets its state', async () => {
  const { id } = webhookOf(await one.create())
  await pool.query(`update webhooks set state = 'paused', reason = 'key_revoked' where id = $1`, [id])
  assert.equal(webhookOf(await two.get(id)).reason, 'key_revoked')
  assert.equal(webhookOf(await two.patch(id, { types: null })).reason, 'key_revoked')
  const resumed = webhookOf(await two.patch(id, { state: 'active' }))
  assert.deepEqual([resumed.state, resumed.reason, resumed.changedBy], ['active', undefined, other.id])
  assert.equal(webhookOf(await two.patch(id, { state: 'paused' })).reason, undefined)
  await one.remove(id)
})

test('another URL must prove itself again, and no other change makes a webhook do so', async () => {
  const { id } = webhookOf(await one.create())
  const hasSucceeded = async () => {
    const { rows } = await pool.query<{ has: boolean }>('select has_succeeded as has from webhooks where id = $1', [id])
    return rows[0]!.has
  }
  await pool.query('update webhooks set has_succeeded = true where id = $1', [id])
  await one.patch(id, { url: RECEIVER, types: null, state: 'active' })
  assert.equal(await hasSucceeded(), true)
  await one.patch(id, { url: 'https://other.example/hooks' })
  assert.equal(await hasSucceeded(), false)
  await one.remove(id)
})

test('a webhook that is created with an Idempotency-Key is created once, and shows its secret again', async () => {
  const headers = { 'idempotency-key': 'a' }
  const first = await one.create({ url: RECEIVER, types: ['pet.created'] }, headers)
  const again = await one.create({ types: ['pet.created'], url: RECEIVER }, headers)
  assert.deepEqual([first.status, again.status], [201, 201])
  assert.deepEqual([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')], [null, 'true'])
  assert.equal(again.headers.get('location'), first.headers.get('location'))
  assert.deepEqual(again.body, first.body)
  assert.equal((await one.list()).length, 1)

  // As it is now.
  const { id, secret } = webhookOf(first)
  await two.patch(id, { state: 'paused' })
  const later = webhookOf(await one.create({ url: RECEIVER, types: ['pet.created'] }, headers))
  assert.deepEqual(
    [later.id, later.secret, later.state, later.createdBy, later.changedBy],
    [id, secret, 'paused', owner.id, other.id],
  )
  // Neither the secret that was replaced, nor the one after it, which was shown to others.
  const rotated = webhookOf(await two.rotate(id))
  const tooLate = await one.create({ url: RECEIVER, types: ['pet.created'] }, headers)
  assertError(tooLate, 422, 'idempotency_key_reused')
  assert.match(tooLate.text, /was rotated since\. Rotate it again/)
  for (const shown of [secret, rotated.secret]) assert.ok(!tooLate.text.includes(shown!))

  assertError(await one.create({ url: RECEIVER }, headers), 422, 'idempotency_key_reused')
  // Of another key it is another one.
  const others = webhookOf(await two.create({ url: RECEIVER }, headers))
  assert.notEqual(others.id, id)
  for (const each of [id, others.id]) await one.remove(each)
})

test('a key that was rotated repeats what its predecessor has begun', async () => {
  const old = await createTestKey(pool)
  const headers = { 'idempotency-key': 'rotated' }
  const first = webhookOf(await keyed(old.key).create({ url: RECEIVER }, headers))
  const made = await rotateTestKey(pool, old)
  const again = await keyed(made.key).create({ url: RECEIVER }, headers)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(webhookOf(again).id, first.id)
  await one.remove(first.id)
})

test('of twenty requests at once with one Idempotency-Key, one creates the webhook', async () => {
  const headers = { 'idempotency-key': 'race' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => one.create({ url: RECEIVER }, headers)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  assert.equal(new Set(answers.map((answer) => webhookOf(answer).secret)).size, 1)
  assert.equal(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null).length, 1)
  assert.equal((await one.list()).length, 1)
  await one.remove(webhookOf(answers[0]!).id)
})

test('a webhook that was deleted is not created again by a late request, and one that was not created is by the next', async () => {
  const headers = { 'idempotency-key': 'deleted' }
  const { id } = webhookOf(await one.create({ url: RECEIVER }, headers))
  await one.remove(id)
  const late = await one.create({ url: RECEIVER }, headers)
  assertError(late, 422, 'idempotency_key_reused')
  assert.match(late.text, /was deleted\. Send a new key/)
  assert.deepEqual(await one.list(), [])

  const made = await Promise.all(Array.from({ length: 20 }, () => one.create()))
  const rejected = { 'idempotency-key': 'full' }
  assertError(await one.create({ url: RECEIVER }, rejected), 409, 'too_many_webhooks')
  for (const webhook of made) await one.remove(webhookOf(webhook).id)
  const created = await one.create({ url: RECEIVER }, rejected)
  assert.deepEqual([created.status, created.headers.get('idempotent-replayed')], [201, null])
  await one.remove(webhookOf(created).id)
})
