import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { type Answer, patchJson, postJson, startApp } from '../support/app.ts'
import { until } from '../support/until.ts'

const { call, pool, logs, key, address, service } = await startApp({ adminPort: await freePort() })
const pet = { name: 'Rex', categoryId: 1, status: 'available' }
assert.equal((await call('/v1/pets', postJson(pet))).status, 201)

interface SlowLine {
  level: number
  requestId: string
  operation: string
  ms: number
  delays: { name: string; waitMs: number; statementMs: number }[]
  elsewhereMs: number
}

const slowLines = () =>
  logs.filter((line) => line.includes('"slow request"')).map((line) => JSON.parse(line) as SlowLine)

/** With a lock that is held until the requests under way have taken longer than a second. */
async function whileLocked(lock: string, requests: () => Promise<Answer>[]) {
  logs.length = 0
  const client = await pool.connect()
  await client.query(`begin; ${lock}`)
  const begun = performance.now()
  const answers = requests()
  await until(() => performance.now() > begun + 1_200)
  await client.query('rollback')
  client.release()
  return Promise.all(answers)
}

test('a request over a second is logged with what it waited for, and one within it is not', async () => {
  const [created, found] = await whileLocked('lock table pets in share mode', () => [
    call('/v1/pets', postJson({ name: 'Momo', categoryId: 1 })),
    call('/v1/pets?id=1'),
  ])
  assert.deepEqual([created!.status, found!.status], [201, 200])
  const [line, ...more] = slowLines()
  assert.deepEqual(more, [])
  assert.deepEqual(
    [line!.level, line!.requestId, line!.operation],
    [40, created!.headers.get('request-id'), 'createPet'],
  )
  const [delay] = line!.delays
  assert.equal(delay!.name, 'pets.insert')
  assert.ok(delay!.statementMs > 1_000 && delay!.waitMs < 500, JSON.stringify(line))
  assert.ok(line!.ms > 1_000 && line!.elsewhereMs < 500, JSON.stringify(line))
})

test('a request that waited for a locked row is logged as such', async () => {
  const [changed] = await whileLocked('select from pets where id = 1 for update', () => [
    call('/v1/pets/1', patchJson({ name: 'Rexi' }, { 'if-match': '"1"' })),
  ])
  assert.equal(changed!.status, 200, changed!.text)
  const [line] = slowLines()
  assert.equal(line!.operation, 'updatePet')
  assert.equal(line!.delays[0]!.name, 'locked row')
})

test('a statement that shares no batch is in the metrics by its own name', async () => {
  const [listed] = await whileLocked('lock table webhooks', () => [call('/v1/webhooks')])
  assert.equal(listed!.status, 200)
  const metrics = await (await fetch(`${service.adminAddress}/metrics`)).text()
  const seconds = Number(/^petstore_statement_seconds_sum\{batch="webhooks\.list"\} (.+)$/m.exec(metrics)?.[1])
  assert.ok(seconds > 1, String(seconds))
  assert.doesNotMatch(metrics, /^petstore_batch_items_count\{batch="webhooks\.list"\}/m)
})

test('a request that waits for an event is not slow', async () => {
  logs.length = 0
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${address}/v1/events?from=now&wait=2`, { headers })
  assert.equal(response.status, 200)
  assert.deepEqual(slowLines(), [])
})

test('the log line of a request has the ids in its path, and no text that is no id', async () => {
  const { headers } = await call('/v1/store/orders', postJson({ petId: 1 }))
  const order = headers.get('location')!.split('/').at(-1)!
  const webhook = 'wh_01234567890123456789'
  logs.length = 0
  await call('/v1/pets/1')
  await call('/v1/pets/1', patchJson('{'))
  await call('/v1/pets/1', { key: null })
  await call(`/v1/store/orders/${order}`)
  await call(`/v1/store/orders/${order}/cancel`, { method: 'POST' })
  await call(`/v1/webhooks/${webhook}`)
  await call('/v1/pets/petk_live_secret')
  await call('/v1/webhooks/secret')
  await call('/v1/pets')
  const lines = await until(() => {
    const all = logs.filter((line) => line.includes('request completed'))
    return all.length === 9 && all.map((line) => JSON.parse(line) as Record<string, unknown>)
  })
  assert.deepEqual(
    lines.map(({ operation, petId, orderId, webhookId }) => ({ operation, petId, orderId, webhookId })),
    [
      { operation: 'getPet', petId: 1 },
      { operation: 'updatePet', petId: 1 },
      { operation: 'getPet', petId: 1 },
      { operation: 'getOrder', orderId: order },
      { operation: 'cancelOrder', orderId: order },
      { operation: 'getWebhook', webhookId: webhook },
      { operation: 'getPet' },
      { operation: 'getWebhook' },
      { operation: 'listPets' },
    ].map((line) => ({ petId: undefined, orderId: undefined, webhookId: undefined, ...line })),
  )
})
