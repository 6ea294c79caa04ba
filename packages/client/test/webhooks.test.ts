import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { createPetstore, verifyWebhook, type Webhook, type WebhookEvent } from '../src/index.ts'
import { collect } from './support/collect.ts'
import { cut, json, KEY, refusal, startFaulty, unavailable } from './support/faulty.ts'
import { startService } from './support/service.ts'

const URL_OF_SHOP = 'https://shop.example/hooks'
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/

const { baseUrl, key } = await startService({ WEBHOOK_MASTER_SECRET: 'a-secret-of-tests-that-signs-nothing-else' })
const { webhooks, events, pets } = createPetstore({ baseUrl, key })

test('a webhook is created with a secret, which is not shown again', async () => {
  const { secret, ...created } = await webhooks.create({ url: URL_OF_SHOP, types: ['order.completed'], name: 'Shop' })
  assert.match(created.id, /^wh_\w{20}$/)
  assert.match(secret, SECRET)
  const { url, types, name, state } = created
  assert.deepEqual(
    { url, types, name, state },
    { url: URL_OF_SHOP, types: ['order.completed'], name: 'Shop', state: 'active' },
  )
  const found = await webhooks.get(created.id)
  assert.deepEqual(found, { ...created, behind: found.behind })
  assert.deepEqual(
    (await webhooks.list()).map(({ id }) => id),
    [created.id],
  )
  await webhooks.delete(created.id)
})

test('without types it receives all', async () => {
  const { id, types } = await webhooks.create({ url: URL_OF_SHOP })
  assert.equal(types, null)
  assert.deepEqual((await webhooks.update(id, { types: ['pet.deleted'] })).types, ['pet.deleted'])
  assert.equal((await webhooks.update(id, { types: null })).types, null)
  await webhooks.delete(id)
})

test('it is renamed, and loses its name', async () => {
  const { id, name } = await webhooks.create({ url: URL_OF_SHOP })
  assert.equal(name, undefined)
  assert.equal((await webhooks.update(id, { name: 'Склад' })).name, 'Склад')
  assert.equal('name' in (await webhooks.update(id, { name: null })), false)
  await webhooks.delete(id)
})

test('it can be paused, moved along the feed, and continued', async () => {
  const { id } = await webhooks.create({ url: URL_OF_SHOP })
  assert.equal((await webhooks.update(id, { state: 'paused' })).state, 'paused')
  const { next } = await events.list({ from: 'now' }).page()
  await pets.create({ name: 'Rex', categoryId: 1n })
  for await (const page of events.follow({ cursor: next })) if (page.events.length > 0) break
  const start = await webhooks.update(id, { cursor: next })
  assert.deepEqual([start.behind, start.state], [1, 'paused'])
  const end = await webhooks.update(id, {
    cursor: (await events.list({ from: 'now' }).page()).next,
    url: `${URL_OF_SHOP}/2`,
  })
  assert.deepEqual([end.behind, end.url], [0, `${URL_OF_SHOP}/2`])
  assert.ok(end.sequence > start.sequence)
  assert.equal((await webhooks.update(id, { state: 'active' })).state, 'active')
  await webhooks.delete(id)
})

test('its secret is rotated with an overlap, of a day if none is given', async () => {
  const { id, secret } = await webhooks.create({ url: URL_OF_SHOP })
  const rotated = await webhooks.rotate(id, { overlap: 60 })
  assert.match(rotated.secret, SECRET)
  assert.notEqual(rotated.secret, secret)
  const secondsLeft = (text = '') => (Date.parse(text) - Date.now()) / 1_000
  assert.ok(Math.abs(secondsLeft(rotated.oldSecretEndsAt) - 60) < 30)
  assert.ok(Math.abs(secondsLeft((await webhooks.rotate(id)).oldSecretEndsAt) - 86_400) < 30)
  await webhooks.delete(id)
})

test('what is delivered verifies with the secret, and is the event as the feed has it', {
  timeout: 60_000,
}, async () => {
  const receiver = await startFaulty(json(200, ''))
  const { id, secret } = await webhooks.create({ url: `${receiver.origin}/hooks`, types: ['pet.created'] })
  const pet = await pets.create({ name: 'Полли', categoryId: 2n ** 63n - 1n })
  await webhooks.ping(id)
  const delivered = new Map<string, WebhookEvent>()
  await until(async () => {
    for (const { method, url, headers, body } of receiver.received.splice(0)) {
      assert.deepEqual([method, url, headers['content-type']], ['POST', '/hooks', 'application/cloudevents+json'])
      const event = await verifyWebhook(body, headers, secret)
      assert.equal(headers['webhook-id'], event.id)
      delivered.set(event.type, event)
    }
    return delivered.size === 2
  })
  const created = (await collect(events.list())).find(({ subject }) => subject === `pets/${pet.id}`)
  assert.deepEqual(delivered.get('pet.created'), created)
  assert.deepEqual(delivered.get('pet.created')?.data.pet, { ...pet, version: 1n })
  assert.equal(delivered.get('webhook.ping')?.subject, `webhooks/${id}`)

  const attempts = await until(async () => {
    const listed = await webhooks.attempts(id)
    return listed.length >= 2 && listed
  })
  assert.deepEqual(
    new Set(attempts.map(({ eventId }) => eventId)),
    new Set([...delivered.values()].map((event) => event.id)),
  )
  assert.ok(attempts.every(({ status, error }) => status === 200 && error === undefined))
  await webhooks.delete(id)
})

test('a webhook that does not exist is not found by any of them', async () => {
  const id = 'wh_00000000000000000000'
  for (const call of [
    () => webhooks.get(id),
    () => webhooks.update(id, { state: 'paused' }),
    () => webhooks.delete(id),
    () => webhooks.rotate(id),
    () => webhooks.ping(id),
    () => webhooks.retry(id),
    () => webhooks.attempts(id),
  ])
    await assert.rejects(call(), { code: 'webhook_not_found', status: 404 })
})

test('what a receiver has rejected is shown with its response, and tried again at once on request', {
  timeout: 60_000,
}, async () => {
  const receiver = await startFaulty(json(200, ''), json(500, '{"error":"closed"}', { 'retry-after': '600' }))
  const { id } = await webhooks.create({ url: `${receiver.origin}/hooks`, types: ['pet.created'] })
  await assert.rejects(webhooks.retry(id), { code: 'nothing_to_retry', status: 409 })
  await webhooks.ping(id)
  await until(() => receiver.received.length === 1)
  await pets.create({ name: 'Rex', categoryId: 1n })
  const { lastAttempt } = await until(async () => {
    const webhook = await webhooks.get(id)
    return webhook.failingSince !== undefined && webhook
  })
  assert.equal(lastAttempt?.responseBody, '{"error":"closed"}')
  await webhooks.retry(id)
  await until(() => receiver.received.length === 3)
  await webhooks.delete(id)
})

const failing: Webhook = {
  id: 'wh_abc',
  url: URL_OF_SHOP,
  types: null,
  state: 'active',
  createdAt: '2026-11-16T09:00:00.000Z',
  sequence: '0000000000000040',
  behind: 2,
  failingSince: '2026-11-16T09:30:00.123Z',
  attempts: 1,
  nextAttemptAt: '2026-11-16T09:30:05.456Z',
  lastAttempt: { at: '2026-11-16T09:30:00.123Z', eventId: 'evt_1', status: 500, error: 'No.', durationMs: 84 },
}
const one = json(200, JSON.stringify({ ...failing, secret: 'whsec_AAAA' }))

test('each call is sent as it is documented, without what is undefined or not to be changed', async () => {
  const { webhooks: faked, received } = await startFake(one)
  await faked.create({ url: URL_OF_SHOP, types: undefined } as unknown as { url: string })
  await faked.create({ url: URL_OF_SHOP, types: ['pet.created'], name: 'Shop' })
  await faked.get('wh_abc')
  await faked.update('wh_abc', { ...failing, state: 'paused', types: null })
  await faked.update('wh_abc', { cursor: 'c1' })
  await faked.update('wh_abc', { name: null })
  await faked.delete('wh_abc')
  await faked.rotate('wh_abc')
  await faked.rotate('wh_abc', { overlap: 0 })
  await faked.ping('wh_abc')
  await faked.retry('wh_abc')
  assert.deepEqual(
    received.map(({ method, url, body, headers }) => [method, url, body, headers['content-type']]),
    [
      ['POST', '/v1/webhooks', `{"url":"${URL_OF_SHOP}"}`, 'application/json'],
      ['POST', '/v1/webhooks', `{"url":"${URL_OF_SHOP}","types":["pet.created"],"name":"Shop"}`, 'application/json'],
      ['GET', '/v1/webhooks/wh_abc', '', undefined],
      [
        'PATCH',
        '/v1/webhooks/wh_abc',
        `{"url":"${URL_OF_SHOP}","types":null,"state":"paused"}`,
        'application/merge-patch+json',
      ],
      ['PATCH', '/v1/webhooks/wh_abc', '{"cursor":"c1"}', 'application/merge-patch+json'],
      ['PATCH', '/v1/webhooks/wh_abc', '{"name":null}', 'application/merge-patch+json'],
      ['DELETE', '/v1/webhooks/wh_abc', '', undefined],
      ['POST', '/v1/webhooks/wh_abc/rotate', '{}', 'application/json'],
      ['POST', '/v1/webhooks/wh_abc/rotate', '{"overlap":0}', 'application/json'],
      ['POST', '/v1/webhooks/wh_abc/ping', '', undefined],
      ['POST', '/v1/webhooks/wh_abc/retry', '', undefined],
    ],
  )
})

test('what reads, and a ping, is retried however its outcome got lost', async () => {
  const list = json(200, JSON.stringify([failing]))
  const attempts = json(200, JSON.stringify([failing.lastAttempt]))
  const faults = [cut, unavailable('0')] as const
  assert.deepEqual(await (await startFake(...faults, list)).webhooks.list(), [failing])
  assert.equal((await (await startFake(...faults, one)).webhooks.get('wh_abc')).id, 'wh_abc')
  assert.deepEqual(await (await startFake(...faults, attempts)).webhooks.attempts('wh_abc'), [failing.lastAttempt])
  const { webhooks: faked, received } = await startFake(...faults, json(202, ''))
  assert.equal(await faked.ping('wh_abc'), undefined)
  assert.equal(received.length, 3)
})

test('a webhook is created once, however often the call is retried, with one Idempotency-Key', async () => {
  const { webhooks: faked, received } = await startFake(cut, unavailable('0'), one)
  assert.equal((await faked.create({ url: URL_OF_SHOP })).secret, 'whsec_AAAA')
  const sent = received.map(({ headers }) => headers['idempotency-key'])
  assert.equal(sent.length, 3)
  assert.equal(new Set(sent).size, 1)
  const unconfigured = await startFake(refusal(503, 'webhooks_not_configured'), one)
  await assert.rejects(unconfigured.webhooks.create({ url: URL_OF_SHOP }), { code: 'webhooks_not_configured' })
  const first = await webhooks.create({ url: URL_OF_SHOP }, { idempotencyKey: 'mine' })
  assert.deepEqual(await webhooks.create({ url: URL_OF_SHOP }, { idempotencyKey: 'mine' }), first)
  await webhooks.delete(first.id)
})

test('what changes is not retried if its outcome is unknown: two new secrets could be the outcome', async () => {
  for (const change of [
    (faked: typeof webhooks) => faked.update('wh_abc', { state: 'paused' }),
    (faked: typeof webhooks) => faked.rotate('wh_abc'),
    (faked: typeof webhooks) => faked.delete('wh_abc'),
  ]) {
    const lost = await startFake(cut, one)
    await assert.rejects(change(lost.webhooks), { code: 'connection_failed' })
    assert.equal(lost.received.length, 1)
    const shed = await startFake(refusal(503, 'overloaded'), one)
    await change(shed.webhooks)
    assert.equal(shed.received.length, 2)
  }
})

test('what is no id of a webhook, and a webhook without a URL, are rejected before they are sent', async () => {
  const { webhooks: faked, received } = await startFake(one)
  for (const id of ['', '..', '../pets', 'wh_a/b', 'wh_a?b', 7n])
    for (const name of ['get', 'delete', 'rotate', 'ping', 'retry', 'attempts'] as const)
      await assert.rejects(faked[name](id as string), { name: 'TypeError', message: /takes the id of a webhook/ })
  await assert.rejects(faked.update('../pets/1', { url: URL_OF_SHOP }), TypeError)
  await assert.rejects(faked.create({} as { url: string }), { name: 'TypeError', message: /`url` is required/ })
  assert.equal(received.length, 0)
})

test('what is no webhook, or has no secret where there must be one, is an unexpected response', async () => {
  for (const body of ['{}', '[]', 'null', '{"url":"x"}']) {
    const { webhooks: faked } = await startFake(json(200, body))
    await assert.rejects(faked.get('wh_abc'), { code: 'unexpected_answer' })
  }
  const { webhooks: faked } = await startFake(json(200, JSON.stringify(failing)))
  await assert.rejects(faked.create({ url: URL_OF_SHOP }), { code: 'unexpected_answer' })
  await assert.rejects(faked.rotate('wh_abc'), { code: 'unexpected_answer' })
  await assert.rejects((await startFake(json(200, '[{}]'))).webhooks.attempts('wh_abc'), { code: 'unexpected_answer' })
  await assert.rejects((await startFake(json(200, '[{}]'))).webhooks.list(), { code: 'unexpected_answer' })
})

async function startFake(...answers: Parameters<typeof startFaulty>) {
  const fake = await startFaulty(...answers)
  return { ...createPetstore({ baseUrl: fake.baseUrl, key: KEY }), received: fake.received }
}
