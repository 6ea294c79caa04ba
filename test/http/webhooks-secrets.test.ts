import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caller, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { WITH_WEBHOOKS } from '../support/webhook-errors.ts'
import { MASTER_SECRET, WEBHOOKS, webhookCalls, webhookOf } from '../support/webhooks.ts'

test('W7: no response but those that create and rotate has a secret, no log line and no row', async () => {
  const { logs, pool: rows, call: send } = await startApp({ ...WITH_WEBHOOKS, logLevel: 'trace' })
  const api = webhookCalls(send)
  const webhook = webhookOf(await api.create())
  const rotated = webhookOf(await api.rotate(webhook.id))
  const secrets = [webhook.secret!, rotated.secret!]
  assert.notEqual(secrets[0], secrets[1])
  const answers = [
    await send(WEBHOOKS),
    await api.get(webhook.id),
    await api.patch(webhook.id, { state: 'paused' }),
    await api.attempts(webhook.id),
    await api.ping(webhook.id),
    // Also where a client sends one in the wrong place.
    await api.create({ url: secrets[0], types: [secrets[0]] }),
    await api.create({ url: `https://${encodeURIComponent(secrets[0]!)}:x@shop.example` }),
    await api.get(secrets[0]!),
    await api.rotate(webhook.id, { overlap: secrets[0] }),
    await api.remove(webhook.id),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 202, 400, 400, 404, 400, 204],
  )
  for (const { text, headers } of answers) assert.doesNotMatch(text + [...headers].join(), /whsec_/)
  assert.ok(logs.some((line) => line.includes('"operation":"createWebhook"')))
  assert.doesNotMatch(logs.join(''), /whsec_/)
  const again = webhookOf(await api.create())
  const stored = await rows.query<{ row: string }>('select t::text as row from webhooks as t')
  assert.equal(stored.rowCount, 1)
  assert.ok(!stored.rows[0]!.row.includes(again.secret!.slice('whsec_'.length)))
  for (const secret of [...secrets, again.secret!, MASTER_SECRET])
    assert.ok(!logs.join('').includes(secret.slice('whsec_'.length)))
})

test('W9: there are at most 20 webhooks, also when 30 are created at once on two processes', async () => {
  const one = await startApp(WITH_WEBHOOKS)
  const two = await startApp({ ...WITH_WEBHOOKS, databaseUrl: one.url })
  const apis = [webhookCalls(one.call), webhookCalls(caller(two.address, one.key))]
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => apis[i % 2]!.create()))
  const counts = Object.groupBy(answers, ({ status }) => status)
  assert.deepEqual([counts[201]?.length, counts[409]?.length], [20, 10])
  for (const refused of counts[409]!) assertError(refused, 409, 'too_many_webhooks')
  const all = await apis[0]!.list()
  assert.equal(new Set(all.map(({ id }) => id)).size, 20)
  assertError(await apis[1]!.create(), 409, 'too_many_webhooks')
  await apis[1]!.remove(all[7]!.id)
  assert.equal((await apis[0]!.create()).status, 201)
  assertError(await apis[1]!.create(), 409, 'too_many_webhooks')
})

test('without a master secret, webhooks can be read, changed and deleted, but none is created or gets a secret', async () => {
  const one = await startApp()
  const configured = await startApp({ ...WITH_WEBHOOKS, databaseUrl: one.url })
  const api = webhookCalls(one.call)
  assertError(await api.create(), 503, 'webhooks_not_configured')
  assert.deepEqual(await api.list(), [])
  const { id } = webhookOf(await webhookCalls(caller(configured.address, one.key)).create())
  assertError(await api.rotate(id), 503, 'webhooks_not_configured')
  assert.equal((await api.patch(id, { state: 'paused' })).status, 200)
  assert.equal((await api.ping(id)).status, 202)
  assert.equal((await api.remove(id)).status, 204)
})
