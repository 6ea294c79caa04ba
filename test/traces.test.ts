import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { test } from 'node:test'
import { freePort } from '../src/cli/dev/embedded-postgres.ts'
import { readConfig } from '../src/config.ts'
import { caller, postJson, startApp } from './support/app.ts'
import { type ReceivedSpan, startCollector } from './support/collector.ts'
import { breakPets, createDatabase } from './support/database.ts'
import { createTestKey } from './support/factories.ts'
import { sender, toolCall } from './support/mcp.ts'
import { serve } from './support/process.ts'
import { until } from './support/until.ts'

const collector = await startCollector()

/** A traceparent as a caller sends it. */
function parent(flags: '00' | '01') {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } }
}

const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId)
const attributesOf = ({ attributes }: ReceivedSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** Serves until the work is done, and then has handed over all of its spans. */
async function whileServing(share: number, work: (app: Awaited<ReturnType<typeof startApp>>) => Promise<void>) {
  const app = await startApp({ traces: { endpoint: collector.endpoint, share } })
  await work(app)
  await app.service[Symbol.asyncDispose]()
  return app
}

test('a request that its caller traces has spans for the request and the statement, with its wait, below the caller’s', async () => {
  const traced = parent('01')
  const { logs } = await whileServing(0, async ({ call }) => {
    const init = postJson({ name: 'Rex', categoryId: 1 })
    await call('/v1/pets') // or the look-up of its key would be a span too
    await call('/v1/pets', {
      ...init,
      headers: { ...(init.headers as object), ...traced.headers, 'request-id': 'r-1' },
    })
  })
  const spans = spansOf(traced.traceId)
  const [statement, request] = spans
  assert.deepEqual(
    spans.map(({ name, kind }) => [name, kind]),
    [
      ['pets.insert', 3],
      ['createPet', 2],
    ],
  )
  assert.equal(request!.parentSpanId, traced.spanId)
  assert.equal(statement!.parentSpanId, request!.spanId)
  const order = [request, statement].map((span) => span!.startTimeUnixNano)
  order.push(statement!.endTimeUnixNano, request!.endTimeUnixNano)
  assert.deepEqual(order, order.toSorted())
  const { 'petstore.wait_ms': waited, ...told } = attributesOf(statement!)
  const waitMs = Number(waited)
  assert.deepEqual(told, { 'db.system.name': 'postgresql', 'db.operation.batch.size': 1 })
  const requestMs = Number(BigInt(request!.endTimeUnixNano) - BigInt(request!.startTimeUnixNano)) / 1e6
  assert.ok(waitMs > 0 && waitMs < requestMs + 5, `waited for ${waitMs} of ${requestMs} ms, by two clocks`)
  const { 'petstore.key_id': keyId, ...attributes } = attributesOf(request!)
  assert.match(String(keyId), /^key_/)
  assert.deepEqual(attributes, {
    'http.request.method': 'POST',
    'http.response.status_code': 201,
    'petstore.request_id': 'r-1',
  })
  assert.ok(logs.some((line) => line.includes(`"trace_id":"${traced.traceId}"`) && line.includes('"requestId":"r-1"')))
  assert.deepEqual([...collector.paths], ['POST /v1/traces'])
})

test('a tool call has the name of its operation, and the status that this would have had', async () => {
  const [found, missing] = [parent('01'), parent('01')]
  await whileServing(0, async ({ call }) => {
    await call('/v1/pets') // or the look-up of its key would be a span too
    await sender(call)(toolCall('find_pets'), { headers: found.headers })
    await sender(call)(toolCall('close_order', { orderId: 'ord_x', action: 'cancel' }), { headers: missing.headers })
  })
  const requests = [found, missing].map(({ traceId }) => spansOf(traceId).find(({ kind }) => kind === 2)!)
  assert.deepEqual(
    requests.map((span) => [span.name, attributesOf(span)['http.response.status_code']]),
    [
      ['listPets', 200],
      ['cancelOrder', 404],
    ],
  )
})

test('a request whose caller is not sampled is not traced, and one without traceparent is sampled at random', async () => {
  const untraced = parent('00')
  const before = collector.spans.length
  await whileServing(1, async ({ call }) => {
    await call('/v1/pets', { headers: untraced.headers })
    await call('/readyz')
  })
  assert.equal(collector.spans.length, before)
  const malformed = [
    'nonsense',
    `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
    `ff-${'1'.repeat(32)}-${'1'.repeat(16)}-01`,
  ]
  const { logs } = await whileServing(1, async ({ call }) => {
    await call('/v1/pets')
    for (const traceparent of malformed) await call('/v1/pets', { headers: { traceparent } })
  })
  const requests = collector.spans.slice(before).filter(({ name }) => name === 'listPets')
  assert.equal(requests.length, 4)
  for (const { traceId, parentSpanId } of requests) {
    assert.ok(!parentSpanId)
    assert.ok(logs.some((line) => line.includes(traceId)))
  }
  const { logs: silent } = await whileServing(0, async ({ call }) => {
    for (let i = 0; i < 20; i++) await call('/v1/pets')
  })
  assert.ok(!silent.join('').includes('trace_id'))
})

test('a request that fails has the status of an error, and no secret is in any span', async () => {
  const failing = parent('01')
  const secret = 'https://pets.example/?token=hidden'
  const app = await whileServing(1, async ({ call, pool }) => {
    await call(`/v1/pets?status=${encodeURIComponent(secret)}`)
    await call('/v1/pets', { ...postJson({ name: 'hidden name', categoryId: 1 }), key: 'noise' })
    await breakPets(pool)
    assert.equal((await call('/v1/pets', { headers: failing.headers })).status, 500)
  })
  const spans = spansOf(failing.traceId)
  assert.deepEqual(
    spans.map(({ name, status }) => [name, status.code]),
    [
      ['pets.list.all', 2],
      ['listPets', 2],
    ],
  )
  const sent = collector.bodies.join('')
  for (const text of [app.key, 'petk_', 'noise', 'hidden', 'Bearer', 'token', 'postgres://'])
    assert.ok(!sent.includes(text), text)
})

test('an unreachable collector costs nothing but the spans: requests are served, and the log and a metric report it', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`
  const { url, pool } = await createDatabase()
  const { key } = await createTestKey(pool)
  const adminPort = String(await freePort())
  const { address, child, output } = await serve(url, {
    OTEL_EXPORTER_OTLP_ENDPOINT: nowhere,
    OTEL_TRACES_SAMPLER_ARG: '1',
    ADMIN_PORT: adminPort,
  })
  const failures = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    return Number(/^petstore_background_failures_total\{task="traces"\} (\d+)$/m.exec(metrics)?.[1])
  }
  assert.equal(await failures(), 0)
  await until(async () => {
    assert.equal((await caller(address, key)('/v1/pets')).status, 200)
    return (await failures()) > 0
  })
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  await closed
  assert.match(output.stdout, /the collector does not accept traces/)
  assert.equal(output.stdout.match(/the collector does not accept traces/g)?.length, 1, 'logged once')
})

test('the SDK is not even loaded where traces are off', async () => {
  const { url } = await createDatabase()
  const loads = { NODE_OPTIONS: '--import=./test/support/loaded.ts' }
  const started = async (env: NodeJS.ProcessEnv) => {
    const { child, output } = await serve(url, { ...loads, ...env })
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    await closed
    return output.stderr.includes('@opentelemetry/sdk-trace')
  }
  assert.equal(await started({}), false)
  assert.equal(await started({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }), true)
})

test('the URL of the collector and the share are checked at the start, and a password is rejected', () => {
  const tracesOf = (env: NodeJS.ProcessEnv) => readConfig({ DATABASE_URL: 'postgres://x/y', ...env }).traces
  assert.equal(tracesOf({ OTEL_TRACES_SAMPLER_ARG: '0.5' }), undefined)
  const endpoint = 'http://127.0.0.1:4318'
  assert.deepEqual(tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/` }), { endpoint, share: 0.01 })
  for (const [text, share] of Object.entries({ '0': 0, '1': 1, '0.05': 0.05, '1.0': 1 }))
    assert.equal(tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: text })?.share, share)
  for (const text of ['2', '-1', '1.5', 'half', '5%'])
    assert.throws(() => tracesOf({ OTEL_TRACES_SAMPLER_ARG: text }), /OTEL_TRACES_SAMPLER_ARG must be a share/, text)
  for (const text of ['collector', 'http://user:secret@host', 'ftp://host'])
    assert.throws(
      () => tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: text }),
      (error: Error) => {
        assert.match(error.message, /OTEL_EXPORTER_OTLP_ENDPOINT must be the URL of a collector/)
        assert.ok(!error.message.includes('secret'))
        return true
      },
    )
})
