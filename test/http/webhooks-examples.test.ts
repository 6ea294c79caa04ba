import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseExact, startApp } from '../support/app.ts'
import { nextOf, sequenceOf } from '../support/events.ts'
import { until } from '../support/until.ts'
import { WITH_WEBHOOKS } from '../support/webhook-errors.ts'
import { type Attempt, insertAttempts, insertWebhook, type Webhook, webhookCalls } from '../support/webhooks.ts'

// Every example of a success that openapi.json has for webhooks, compared with the response; statuses.test.ts has the errors.
interface Examples {
  content: { 'application/json': { examples: Record<string, { value: unknown }> } }
}
interface Operation {
  operationId: string
  requestBody?: Examples
  responses: Record<string, Examples>
}

const document = parseExact(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { properties: Record<string, { examples?: unknown[] }> }> }
}
const operations = Object.values(document.paths).flatMap((path) => Object.values(path))

function examplesOf<T>(operationId: string) {
  const { requestBody, responses } = operations.find((operation) => operation.operationId === operationId)!
  const [success] = Object.entries(responses).filter(([status]) => status < '300')
  const valuesOf = (of: Examples) =>
    Object.fromEntries(
      Object.entries(of.content['application/json'].examples).map(([name, { value }]) => [name, value]),
    )
  return {
    requests: requestBody ? valuesOf(requestBody) : {},
    responses: valuesOf(success![1]) as Record<string, T>,
  }
}

/** A service whose feed ends where that of the examples does. */
async function startAtEnd() {
  const app = await startApp(WITH_WEBHOOKS)
  const { call, pool } = app
  const sequence = BigInt(examplesOf<Webhook>('getWebhook').responses['working']!.sequence)
  // With another transaction than that of the change, it would begin a new epoch when the process connects.
  await pool.query('update feed_pages set first = $1, transaction = pg_current_xact_id()', [sequence])
  // A process reads the end of the feed only when it connects, or is notified.
  await pool.query(`select pg_notify('petstore_feed', concat_ws(' ', first, mark, epoch)) from feed_pages`)
  await until(async () => {
    const answer = await call('/v1/events?from=now') // before, its end is no longer in the feed
    return answer.status === 200 && sequenceOf(nextOf(answer)) === sequence
  })
  return { ...app, webhooks: webhookCalls(call) }
}

test('webhooks read as documented, and so does an empty list', async () => {
  const { pool, webhooks } = await startAtEnd()
  const { webhooks: all, empty } = examplesOf<Webhook[]>('listWebhooks').responses
  assert.deepEqual(await webhooks.list(), empty)
  for (const webhook of all!) await insertWebhook(pool, webhook)
  assert.deepEqual(await webhooks.list(), all)
  const { revoked, ...others } = examplesOf<Webhook>('getWebhook').responses
  await insertWebhook(pool, revoked!)
  for (const example of Object.values({ revoked: revoked!, ...others }))
    assert.deepEqual((await webhooks.get(example.id)).body, example)
})

test('a webhook that is created reads as documented', async () => {
  const { webhooks } = await startAtEnd()
  const { requests, responses } = examplesOf<Webhook>('createWebhook')
  assert.ok(Object.keys(requests).length >= 2)
  for (const [name, request] of Object.entries(requests)) {
    const { status, body } = await webhooks.create(request)
    const { id, createdAt, createdBy, changedBy, secret } = body as Webhook
    assert.equal(status, 201)
    assert.deepEqual(body, { ...responses[name], id, createdAt, createdBy, changedBy, secret })
    assert.equal(secret!.length, responses[name]!.secret!.length)
  }
})

test('a webhook that is changed reads as documented', async () => {
  const { pool, webhooks } = await startAtEnd()
  const { requests, responses } = examplesOf<Webhook>('updateWebhook')
  const { working } = examplesOf<Webhook>('getWebhook').responses
  // The cursor of the example.
  await pool.query('update feed_pages set mark = 4711, transaction = pg_current_xact_id()')
  assert.ok(Object.keys(requests).length >= 3)
  for (const [name, request] of Object.entries(requests)) {
    await pool.query('delete from webhooks')
    await insertWebhook(pool, working!)
    const { status, body } = await webhooks.patch(working!.id, request)
    assert.equal(status, 200, name)
    const { changedBy } = body as Webhook
    assert.deepEqual(body, { ...responses[name], changedBy })
  }
})

test('a rotation reads as documented', async () => {
  const { pool, webhooks } = await startAtEnd()
  const { working } = examplesOf<Webhook>('getWebhook').responses
  await insertWebhook(pool, working!)
  const { requests, responses } = examplesOf<Webhook>('rotateWebhookSecret')
  assert.ok(Object.keys(requests).length >= 2)
  for (const [name, request] of Object.entries(requests)) {
    const { status, body } = await webhooks.rotate(working!.id, request)
    const { changedBy, oldSecretEndsAt, secret } = body as Webhook
    assert.equal(status, 200)
    assert.deepEqual(body, { ...responses[name], changedBy, oldSecretEndsAt, secret })
  }
})

test('attempts read as documented, and so does a webhook without any', async () => {
  const { pool, webhooks } = await startAtEnd()
  const { working } = examplesOf<Webhook>('getWebhook').responses
  const { attempts, none } = examplesOf<Attempt[]>('listWebhookAttempts').responses
  await insertWebhook(pool, working!)
  assert.deepEqual((await webhooks.attempts(working!.id)).body, none)
  await insertAttempts(pool, working!.id, attempts!.toReversed())
  assert.deepEqual((await webhooks.attempts(working!.id)).body, attempts)
})

test('each example of a field is accepted', async () => {
  const { pool, webhooks } = await startAtEnd()
  await pool.query('update feed_pages set mark = 4711, transaction = pg_current_xact_id()')
  const { working } = examplesOf<Webhook>('getWebhook').responses
  await insertWebhook(pool, working!)
  const fieldsOf = (schema: string) =>
    Object.entries(document.components.schemas[schema]!.properties).flatMap(([name, { examples = [] }]) =>
      examples.map((value) => ({ [name]: value })),
    )
  assert.deepEqual(
    ['NewWebhook', 'WebhookPatch', 'SecretRotation'].map((schema) => fieldsOf(schema).length),
    [3, 5, 1],
  )
  for (const field of fieldsOf('NewWebhook'))
    assert.equal((await webhooks.create({ url: 'https://shop.example', ...field })).status, 201)
  for (const field of fieldsOf('WebhookPatch')) assert.equal((await webhooks.patch(working!.id, field)).status, 200)
  for (const field of fieldsOf('SecretRotation')) assert.equal((await webhooks.rotate(working!.id, field)).status, 200)
})
