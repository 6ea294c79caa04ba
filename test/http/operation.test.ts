import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { Type } from 'typebox'
import { Admission } from '../../src/http/gate/admission.ts'
import { operation } from '../../src/http/operation.ts'
import { decorateReply } from '../../src/http/reply.ts'
import { Draining } from '../../src/http/server/draining.ts'
import { toErrorBody } from '../../src/http/wire/errors.ts'
import { Validator } from '../../src/http/wire/validation.ts'
import { TIMES } from '../../src/lib/times.ts'
import type { ResponseRecord } from '../../src/telemetry/log.ts'

// Operations with the kinds of responses that no operation of the service has yet, on the parts that carry them.
const records: ResponseRecord[] = []
const admission = new Admission(10, ['live'])
const app = Fastify()
app.decorate('operations', [])
app.decorate('executions', new Map())
app.decorateRequest('begun', 0)
app.decorateRequest('route')
app.addHook('onRequest', async (request) => {
  request.begun = performance.now()
  request.route = request.routeOptions
  admission.enter(request, 'live')
})
const logResponse = (record: ResponseRecord) => void records.push(record)
decorateReply(app, '/v1', {
  metrics: undefined,
  logResponse,
  logger: { warn: () => {} },
  networkOf: () => undefined,
  admission,
  draining: new Draining(),
  clientTimes: TIMES.clients,
})
const common = { method: 'GET', tag: 'things', summary: '', description: '' } as const
operation(app, {
  ...common,
  id: 'nothing',
  method: 'DELETE',
  path: '/nothing',
  success: { status: 204, description: '' },
  handler: () => ({}),
})
operation(app, {
  ...common,
  id: 'bytes',
  path: '/bytes',
  success: { status: 200, description: '', type: 'application/octet-stream' },
  handler: () => ({ content: Uint8Array.of(0, 255, 10) }),
})
operation(app, {
  ...common,
  id: 'stream',
  path: '/stream',
  success: { status: 200, description: '', type: 'text/plain' },
  handler: () => ({ content: Readable.from(['one\n', 'two\n']) }),
})
operation(app, {
  ...common,
  id: 'broken',
  path: '/broken',
  success: { status: 200, description: '', type: 'text/plain' },
  handler: () => ({
    content: Readable.from(
      (async function* () {
        yield 'one\n'
        throw new Error('the source failed')
      })(),
    ),
  }),
})
const address = await app.listen({ port: 0 })
after(() => app.close())

test('a response without a body has no type and no length', async () => {
  const response = await fetch(`${address}/nothing`, { method: 'DELETE' })
  assert.equal(response.status, 204)
  assert.equal(response.headers.get('content-type'), null)
  assert.equal(response.headers.get('content-length'), null)
  assert.equal(await response.text(), '')
})

test('bytes arrive as they are, with their type and their length', async () => {
  const response = await fetch(`${address}/bytes`)
  assert.equal(response.headers.get('content-type'), 'application/octet-stream')
  assert.equal(response.headers.get('content-length'), '3')
  assert.deepEqual(new Uint8Array(await response.arrayBuffer()), Uint8Array.of(0, 255, 10))
})

test('a stream arrives whole; its request is in flight, and not logged, until it ends', async () => {
  const response = await fetch(`${address}/stream`)
  assert.equal(response.headers.get('content-type'), 'text/plain')
  assert.equal(response.headers.get('content-length'), null)
  assert.equal(await response.text(), 'one\ntwo\n')
  assert.equal(records.at(-1)?.operation, 'stream')
  assert.equal(admission.metrics[0]?.read(), 0)
})

test('HEAD of a stream has its headers and no body', async () => {
  const response = await fetch(`${address}/stream`, { method: 'HEAD' })
  assert.equal(response.headers.get('content-type'), 'text/plain')
  assert.equal(await response.text(), '')
})

test('a stream that fails ends the connection, so that nobody takes half of it for the whole', async () => {
  const response = await fetch(`${address}/broken`)
  await assert.rejects(response.text())
  assert.equal((await fetch(`${address}/bytes`)).status, 200)
  assert.equal(admission.metrics[0]?.read(), 0)
})

test('a message names the full path of a field', () => {
  const Line = Type.Object({ petId: Type.Unsafe<bigint>({ type: 'integer', format: 'int64' }) })
  const check = new Validator([]).body(Type.Object({ items: Type.Array(Line), note: Type.String() }))
  const messageOf = (body: unknown) => toErrorBody(check(body).error).message
  assert.match(
    messageOf({ items: [{ petId: 1 }, { petId: 'x' }], note: '' }),
    /^`items\[1\]\.petId` must be an integer/,
  )
  assert.equal(messageOf({ items: [{}], note: '' }), '`items[0].petId` is required: an integer.')
  assert.equal(messageOf({ items: {}, note: '' }), '`items` must be an array; got an object.')
})
