import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { CURSOR } from '../../src/http/events/examples.ts'
import { generateKey } from '../../src/lib/ids/key-format.ts'
import { caller, patchJson, postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { breakPets, createDatabase } from '../support/database.ts'
import { createTestKey, insertPets } from '../support/factories.ts'
import { LEGACY, MODERN, modern, request, sender, toolCall, toolCaller } from '../support/mcp.ts'
import { serve } from '../support/process.ts'

const app = await startApp({ corsOrigins: ['https://host.example'], publicBaseUrl: 'https://pets.example/v1' })
const send = sender(app.call)
const tool = toolCaller(app.call)

async function assertFault(body: unknown, status: number, code: number, headers: Record<string, string> = {}) {
  const response = await send(body, { headers })
  assert.equal(response.status, status, response.text)
  assert.equal(response.rpc.error?.code, code, response.text)
  return response.rpc
}

test('without a valid key there is no tool and no protocol, only 401', async () => {
  for (const body of [request('tools/list'), 'noise']) {
    assertError(await send(body, { key: null }), 401, 'missing_credentials')
    assertError(await send(body, { key: 'noise' }), 401, 'invalid_credentials')
  }
})

test('pages of other origins are rejected, before anything of the body or the key counts', async () => {
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:8080', 'https://pets.example.evil.example'])
    assertError(await send('noise', { headers: { origin } }), 403, 'origin_not_allowed')
  for (const origin of ['https://host.example', 'https://pets.example'])
    assert.equal((await send(request('ping'), { headers: { origin } })).status, 200)
  // Nor does the key: it is not looked at, and nothing of its limit is used up.
  const headers = { origin: 'https://evil.example' }
  assertError(await send(request('ping'), { headers, key: null }), 403, 'origin_not_allowed')
  assertError(await send(request('ping'), { headers, key: 'noise' }), 403, 'origin_not_allowed')
  const { key } = await createTestKey(app.pool, { rateLimit: { quota: 1, windowSeconds: 3_600 } })
  for (let i = 0; i < 2; i++) assertError(await send(request('ping'), { headers, key }), 403, 'origin_not_allowed')
  assert.equal((await send(request('ping'), { key })).status, 200)
})

test('a page of a configured origin may send the headers of the protocol', async () => {
  const headers = { origin: 'https://host.example', 'access-control-request-method': 'POST' }
  const allowed = async (path: string) =>
    (await app.call(path, { method: 'OPTIONS', headers })).headers.get('access-control-allow-headers')
  assert.match((await allowed('/v1/mcp')) ?? '', /, MCP-Protocol-Version, Mcp-Method, Mcp-Name$/)
  assert.doesNotMatch((await allowed('/v1/pets')) ?? '', /mcp/i)
})

test('other methods, media types and lengths are rejected as everywhere', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await app.call('/v1/mcp', { method })
    assertError(response, 405, 'method_not_allowed')
    assert.equal(response.headers.get('allow'), 'POST, OPTIONS')
  }
  assertError(await send(request('ping'), { headers: { 'content-type': 'text/plain' } }), 415, 'unsupported_media_type')
  assertError(await send(' '.repeat(65_537)), 413, 'payload_too_large')
})

test('text that is not JSON is a parse error', async () => {
  for (const body of ['', '{', '\uFEFF{}', '{"id":1,"id":1}', '['.repeat(40), '{"a":01}']) {
    const rpc = await assertFault(body, 400, -32_700)
    assert.deepEqual(Object.keys(rpc), ['jsonrpc', 'error'])
    assert.match(rpc.error?.message ?? '', /^The body /)
  }
})

test('JSON that is not a message is an invalid request, with its id if it has one', async () => {
  const bodies: unknown[] = [
    [],
    [request('ping')],
    'null',
    '1',
    '9223372036854775807',
    '"ping"',
    {},
    { jsonrpc: '1.0', id: 1, method: 'ping' },
    { id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', id: 1, method: 5 },
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } },
  ]
  for (const body of bodies) {
    const rpc = await assertFault(body, 400, -32_600)
    if (typeof body === 'object' && body !== null && 'id' in body) assert.equal(rpc.id, 1)
    else assert.ok(!('id' in rpc))
  }
  for (const id of [null, 1.5, true, {}, [], '1e400'])
    await assertFault(
      `{"jsonrpc":"2.0","id":${id === '1e400' ? id : JSON.stringify(id)},"method":"ping"}`,
      400,
      -32_600,
    )
  for (const params of [null, [], 5, 'x']) await assertFault(request('ping', params), 400, -32_602)
})

test('an id is repeated with every digit', async () => {
  for (const id of ['1', '0', '-7', '9223372036854775807', '123456789012345678901234567890', '"a\u2028\\"b"', '""']) {
    const { text } = await send(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)
    assert.equal(text, `{"jsonrpc":"2.0","id":${id},"result":{}}`)
  }
})

test('notifications are accepted and have no response', async () => {
  for (const method of ['notifications/initialized', 'notifications/cancelled', 'tools/call']) {
    const response = await send({ jsonrpc: '2.0', method })
    assert.equal(response.status, 202)
    assert.equal(response.text, '')
  }
})

test('2025-11-25: initialize negotiates the one version that needs it', async () => {
  for (const protocolVersion of [LEGACY, '2024-11-05', MODERN, 'x']) {
    const { rpc } = await send(request('initialize', { protocolVersion, capabilities: {}, clientInfo: {} }))
    assert.equal(rpc.result?.['protocolVersion'], LEGACY)
  }
  await assertFault(request('initialize', {}), 200, -32_602)
  for (const method of ['nope', 'resources/list', 'prompts/list', 'server/discover', 'constructor'])
    await assertFault(request(method), 200, -32_601)
  const header = { 'mcp-protocol-version': LEGACY }
  assert.deepEqual((await send(request('ping'), { headers: header })).rpc.result, {})
})

test('another version is rejected with those that are spoken', async () => {
  const supported = [MODERN, LEGACY]
  const { error } = await assertFault(request('tools/list'), 400, -32_022, { 'mcp-protocol-version': '2024-11-05' })
  assert.deepEqual(error?.data, { supported, requested: '2024-11-05' })
  const { body, headers } = modern('tools/list')
  const text = JSON.stringify(body).replaceAll(MODERN, '2099-01-01')
  const later = await assertFault(text, 400, -32_022, { ...headers, 'mcp-protocol-version': '2099-01-01' })
  assert.deepEqual(later.error?.data, { supported, requested: '2099-01-01' })
  // One of these, wherever it stands, is accepted: a client that tries it would ask for ever.
  const both = await send(JSON.stringify(body).replaceAll(MODERN, LEGACY), {
    headers: { 'mcp-protocol-version': LEGACY },
  })
  assert.equal(both.rpc.error, undefined)
  assert.ok(!('resultType' in (both.rpc.result ?? {})))
})

test('2026-07-28: every request says its version, and results say that they are complete', async () => {
  const found = modern('server/discover')
  const { rpc } = await send(found.body, { headers: found.headers })
  const { _meta, instructions: _, ...rest } = rpc.result ?? ({} as NonNullable<typeof rpc.result>)
  assert.deepEqual(rest, {
    supportedVersions: [MODERN, LEGACY],
    capabilities: { tools: {} },
    ttlMs: 60_000,
    cacheScope: 'private',
    resultType: 'complete',
  })
  assert.deepEqual(Object.keys(_meta as object), ['io.modelcontextprotocol/serverInfo'])
  for (const method of ['initialize', 'ping', 'nope', 'subscriptions/listen']) {
    const { body, headers } = modern(method)
    await assertFault(body, 404, -32_601, headers)
  }
})

test('2026-07-28: headers that are missing or say something else than the body are rejected', async () => {
  const { body, headers } = modern('tools/call', { name: 'find_pets' })
  assert.equal((await send(body, { headers })).rpc.result?.['resultType'], 'complete')
  for (const name of Object.keys(headers) as (keyof typeof headers)[]) {
    const { [name]: __, ...others } = headers
    await assertFault(body, 400, -32_020, others)
    await assertFault(body, 400, -32_020, { ...headers, [name]: 'another' })
  }
  const encoded = `=?base64?${Buffer.from('find_pets').toString('base64')}?=`
  assert.equal((await send(body, { headers: { ...headers, 'mcp-name': encoded } })).rpc.error, undefined)
  // The header alone makes it a request of this version.
  await assertFault(request('tools/list'), 400, -32_602, { 'mcp-protocol-version': MODERN })
  const incomplete = JSON.parse(JSON.stringify(body)) as { params: { _meta: Record<string, unknown> } }
  incomplete.params._meta['io.modelcontextprotocol/clientCapabilities'] = 1
  await assertFault(incomplete, 400, -32_602, headers)
})

test('an unknown tool, and arguments that are no object, are faults of the client', async () => {
  const { error } = await assertFault(toolCall('deletePet'), 200, -32_602)
  assert.equal(
    error?.message,
    'No tool is called "deletePet". Your key has find_pets, add_pet, change_pet, list_categories, find_orders, order_pet, close_order, read_events.',
  )
  for (const name of ['', '__proto__', 'constructor', 'x'.repeat(60_000), undefined, null, 5, {}])
    await assertFault(request('tools/call', { name }), 200, -32_602)
  for (const args of [null, [], 5, 'x']) await assertFault(toolCall('find_pets', args), 200, -32_602)
  await assertFault(request('tools/list', { cursor: 'x' }), 200, -32_602)
})

test('arguments that a tool does not have, or of another type, are results that say what it accepts', async () => {
  const rejected = async (name: string, args: object) => {
    const { value, isError } = await tool(name, args)
    assert.equal(isError, true)
    return `${String(value['code'])}: ${String(value['message'])}`
  }
  assert.equal(
    await rejected('find_pets', { stauts: 'sold' }),
    'invalid_parameter: This tool has no argument "stauts". Did you mean `status`?',
  )
  assert.equal(
    await rejected('find_pets', { view: 'basic' }),
    'invalid_parameter: This tool has no argument "view". It accepts limit, status, cursor, name, id, categoryId, sort, category.',
  )
  assert.equal(
    await rejected('find_pets', JSON.parse('{"__proto__": 1}') as object),
    'invalid_parameter: This tool has no argument "__proto__". It accepts limit, status, cursor, name, id, categoryId, sort, category.',
  )
  assert.match(await rejected('find_pets', { id: [1] }), /^invalid_parameter: `id` must have strings of digits/)
  assert.match(await rejected('find_pets', { id: '1' }), /^invalid_parameter: `id` must be an array/)
  assert.match(await rejected('find_pets', { categoryId: 7 }), /^invalid_parameter: `categoryId` must have strings/)
  // As text, each of these would look for something.
  for (const reference of [null, 5, true, {}, ['a']])
    assert.match(
      await rejected('find_orders', { reference }),
      /^invalid_parameter: `reference` must be a string; got (?:null|5|true|an object|an array)\.$/,
    )
  assert.equal(
    await rejected('read_events', { type: ['pet.created', null] }),
    'invalid_parameter: `type` must be a string; got null.',
  )
  assert.equal(
    await rejected('find_pets', { id: ['1,2'] }),
    'invalid_parameter: `id` must have each value as an item of its own; got "1,2".',
  )
  assert.match(
    await rejected('read_events', { type: ['pet.created,pet.deleted'] }),
    /^invalid_parameter: `type` must have/,
  )
  assert.match(await rejected('order_pet', { petId: 9 }), /^invalid_body: `petId` must be a 64-bit integer as a string/)
  assert.match(await rejected('order_pet', { petId: '9223372036854775808' }), /^invalid_body: `petId`/)
  assert.equal(
    await rejected('change_pet', { petId: '1', name: 'x' }),
    'invalid_parameter: `version` is required: a string.',
  )
  for (const version of ['0', '*', '"1"', '1, 2', 'W/"1"', ''])
    assert.match(
      await rejected('change_pet', { petId: '1', name: 'x', version }),
      /^invalid_parameter: `version` must be/,
    )
  assert.match(
    await rejected('change_pet', { petId: 1, name: 'x', version: '1' }),
    /^invalid_parameter: `petId` must be a string/,
  )
  assert.match(
    await rejected('close_order', { orderId: 'ord_x' }),
    /^invalid_parameter: `action` must be one of complete, cancel/,
  )
  assert.match(
    await rejected('close_order', { orderId: 'ord_x', action: 'constructor' }),
    /^invalid_parameter: `action`/,
  )
  assert.match(
    await rejected('add_pet', { name: 'x', categoryId: '1', idempotencyKey: '"' }),
    /^invalid_idempotency_key/,
  )
})

const toText = (text: string) =>
  JSON.parse(text.replaceAll(/"(id|categoryId|version|petId)":(-?\d+)/g, '"$1":"$2"')) as unknown

test('a tool and its operation have the same results', async () => {
  await insertPets(app.pool, ['available', 'sold', null, 'available'])
  const { text, headers } = await app.call('/v1/pets?view=full&limit=2&sort=newest')
  const { value } = await tool('find_pets', { limit: 2, sort: 'newest' })
  assert.deepEqual(value['pets'], toText(text))
  const cursor = new URL(/<(.*)>/.exec(headers.get('link') ?? '')?.[1] ?? '').searchParams.get('cursor')
  assert.equal(value['nextCursor'], cursor)
  const next = await app.call(`/v1/pets?view=full&limit=2&sort=newest&cursor=${cursor}`)
  const { value: page } = await tool('find_pets', { limit: 2, sort: 'newest', cursor })
  assert.deepEqual(page, { pets: toText(next.text) })
  assert.ok(!('nextCursor' in page))

  const reference = 'a & b, "c"'
  await tool('order_pet', { petId: '1', reference })
  const orders = await app.call(`/v1/store/orders?reference=${encodeURIComponent(reference)}`)
  assert.deepEqual((await tool('find_orders', { reference })).value, { orders: toText(orders.text) })
  const events = await app.call('/v1/events?type=order.placed,order.expired&wait=9')
  const { value: feed } = await tool('read_events', { type: ['order.placed', 'order.expired'] })
  assert.deepEqual(feed['events'], toText(events.text))
  assert.match(String(feed['nextCursor']), /^[\w-]+$/)
})

test('a tool and its operation have the same checks, errors and log lines', async () => {
  const { key, id: keyId } = await createTestKey(app.pool, {
    scopes: ['pets:read', 'pets:write', 'pets:edit', 'orders:write'],
  })
  const call = caller(app.address, key)
  const byTool = toolCaller(call)
  const [held = 0n, sold = 0n] = await insertPets(app.pool, ['available', 'sold'])
  await call('/v1/store/orders', postJson({ petId: held }))
  const order = 'ord_AAAAAAAAATQ8diTHYBJn'
  const same: [tool: string, args: object, path: string, init?: RequestInit][] = [
    ['find_pets', { limit: 1 }, '/v1/pets?limit=1&view=full'],
    ['find_pets', { status: 'Sold' }, '/v1/pets?status=Sold'],
    ['find_pets', { limit: 101, sort: '' }, '/v1/pets?limit=101&sort='],
    ['find_pets', { id: [] }, '/v1/pets?id='],
    ['find_pets', { id: ['1', 'x'] }, '/v1/pets?id=1,x'],
    ['find_pets', { cursor: 'x' }, '/v1/pets?cursor=x'],
    ['add_pet', { name: ' ', categoryId: '1' }, '/v1/pets', postJson({ name: ' ', categoryId: 1 })],
    ['add_pet', { status: 'gone' }, '/v1/pets', postJson({ status: 'gone' })],
    ['add_pet', { name: 5, categoryId: '1' }, '/v1/pets', postJson({ name: 5, categoryId: 1 })],
    [
      'change_pet',
      { petId: 'x', version: '1', name: 'a' },
      '/v1/pets/x',
      patchJson({ name: 'a' }, { 'if-match': '"1"' }),
    ],
    ['change_pet', { petId: '1', version: '1' }, '/v1/pets/1', patchJson({}, { 'if-match': '"1"' })],
    [
      'change_pet',
      { petId: `${sold}`, version: '7', status: null },
      `/v1/pets/${sold}`,
      patchJson({ status: null }, { 'if-match': '"7"' }),
    ],
    [
      'change_pet',
      { petId: `${held}`, version: '2', status: 'sold' },
      `/v1/pets/${held}`,
      patchJson({ status: 'sold' }, { 'if-match': '"2"' }),
    ],
    ['order_pet', { petId: '999' }, '/v1/store/orders', postJson({ petId: 999 })],
    ['order_pet', { petId: `${held}` }, '/v1/store/orders', postJson({ petId: held })],
    ['order_pet', { petId: '1', expiresIn: 0 }, '/v1/store/orders', postJson({ petId: 1, expiresIn: 0 })],
    ['close_order', { orderId: order, action: 'cancel' }, `/v1/store/orders/${order}/cancel`, { method: 'POST' }],
    ['close_order', { orderId: 'x', action: 'complete' }, '/v1/store/orders/x/complete', { method: 'POST' }],
    ['find_orders', {}, '/v1/store/orders'],
    ['read_events', {}, '/v1/events'],
  ]
  const lineOf = (requestId: string) => {
    const line = app.logs.find((each) => each.includes(`"requestId":"${requestId}"`)) ?? '{}'
    const { time: _, ms: __, requestId: ___, ...rest } = JSON.parse(line) as Record<string, unknown>
    return rest
  }
  for (const [name, args, path, init] of same) {
    const http = await call(path, init)
    const rpc = await byTool(name, args)
    assert.equal(rpc.isError, http.status >= 400, rpc.text)
    assert.equal(rpc.status, 200)
    const { code, status } = JSON.parse(http.text) as Record<string, unknown>
    if (rpc.isError) assert.deepEqual([rpc.value['code'], rpc.value['status']], [code, status])
    const [expected, actual] = [http, rpc].map(({ headers }) => lineOf(headers.get('request-id') ?? ''))
    assert.equal(expected?.['keyId'], keyId)
    assert.equal(expected?.['status'], http.status)
    assert.deepEqual(actual, { ...expected, tool: name })
  }
})

test('errors say what to do with a tool, not with a header or a body', async () => {
  const [id = 0n, other = 0n] = await insertPets(app.pool, ['available', 'available'])
  const rejected = async (name: string, args: object, code: string) => {
    const { value, isError } = await tool(name, args)
    assert.equal(isError, true)
    assert.equal(value['code'], code)
    assert.ok(!('retryAfter' in value))
    return String(value['message'])
  }
  assert.equal(
    await rejected('add_pet', {}, 'invalid_body'),
    '`name` is required: a string. `categoryId` is required: a 64-bit integer as a string of digits.',
  )
  assert.equal(
    await rejected('change_pet', { petId: `${id}`, version: '1' }, 'invalid_body'),
    'Send at least one of `name`, `categoryId`, `status`.',
  )
  assert.equal(
    await rejected('change_pet', { petId: `${id}`, version: '7', name: 'x' }, 'version_mismatch'),
    `The pet ${id} has version 1; the request is for version 7. Read the pet again with find_pets, decide again, and send the \`version\` that you have read.`,
  )
  const again =
    'Send `nextCursor` of the previous page with the other arguments of that page, or no `cursor` to begin again.'
  for (const name of ['find_pets', 'find_orders', 'read_events'])
    assert.equal(
      await rejected(name, { cursor: 'x' }, 'invalid_cursor'),
      `The \`cursor\` was not issued by this service. ${again}`,
    )
  const { nextCursor } = (await tool('find_pets', { limit: 1 })).value
  assert.equal(
    await rejected('find_pets', { cursor: nextCursor, sort: 'newest' }, 'invalid_cursor'),
    `The \`cursor\` continues a walk in the opposite direction. ${again}`,
  )
  assert.equal(
    await rejected('read_events', { cursor: CURSOR }, 'cursor_expired'),
    'The events after this cursor are no longer in the feed: they are too old, or the store was restored. Call again with `from` "now" and no `cursor`, then read all pets again with find_pets.',
  )
  const order = { petId: `${id}`, idempotencyKey: 'reused' }
  assert.equal(
    await rejected('order_pet', { ...order, idempotencyKey: '' }, 'invalid_idempotency_key'),
    '`idempotencyKey` must have 1 to 255 printable ASCII characters.',
  )
  assert.match(
    await rejected('order_pet', { ...order, idempotencyKey: generateKey('live') }, 'invalid_idempotency_key'),
    /^`idempotencyKey` looks like an API key\. /,
  )
  await tool('order_pet', order)
  assert.equal(
    await rejected('order_pet', { ...order, petId: `${other}` }, 'idempotency_key_reused'),
    'This `idempotencyKey` was used with other arguments. Send those again, or these with a new key.',
  )
})

test('an error of the service says when to try again, or under which id it is logged', async () => {
  const own = await startApp()
  const byTool = toolCaller(own.call)
  const [petId] = await insertPets(own.pool, ['available'])
  const holder = await own.pool.connect()
  await holder.query('begin; lock table pets in share mode')
  const waiting = byTool('change_pet', { petId: `${petId}`, version: '1', name: 'Rex' })
  const blocked = `datname = current_database() and wait_event_type = 'Lock' and query like '%has_status%'`
  for (let ended = 0; ended === 0; )
    ended =
      (await own.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${blocked}`)).rowCount ?? 0
  await holder.query('rollback')
  holder.release()
  const { value: unknown } = await waiting
  assert.deepEqual([unknown['code'], unknown['status'], unknown['retryAfter']], ['unavailable', 503, 1])
  assert.match(String(unknown['message']), /a request with an `idempotencyKey` can be repeated safely/)

  await breakPets(own.pool)
  const { value: failed, headers } = await byTool('find_pets')
  const message = `The service failed unexpectedly. The failure is logged under the request id ${headers.get('request-id')}: report it.`
  assert.deepEqual(failed, { code: 'internal_error', message, status: 500 })
})

test('a tool call counts once against the limit of the key, and is rejected by it as any request is', async () => {
  const { key } = await createTestKey(app.pool, { rateLimit: { quota: 4, windowSeconds: 60 } })
  const call = caller(app.address, key)
  const byTool = toolCaller(call)
  const left = [
    await call('/v1/pets'),
    await byTool('find_pets'),
    await byTool('find_pets', { limit: 0 }),
    await sender(call)(request('ping')),
  ]
  assert.deepEqual(
    left.map(({ headers }) => /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]),
    ['3', '2', '1', '0'],
  )
  const rejected = await sender(call)(toolCall('find_pets'))
  assertError(rejected, 429, 'rate_limited')
  assert.ok(Number(rejected.headers.get('retry-after')) > 0)
})

test('a call with an idempotency key is repeated without a second effect, and headers of the message mean nothing to it', async () => {
  const args = { name: 'Momo', categoryId: '1', idempotencyKey: 'once' }
  const first = await tool('add_pet', args, { headers: { 'idempotency-key': 'other', 'if-match': '"9"' } })
  const second = await tool('add_pet', args)
  assert.ok(!('idempotentReplayed' in first.value))
  assert.deepEqual(second.value, { ...first.value, idempotentReplayed: true })
  const other = await tool('add_pet', { ...args, name: 'Mimi' })
  assert.equal(other.value['code'], 'idempotency_key_reused')
  // The same key by HTTP is the same request.
  const http = await app.call('/v1/pets', postJson({ name: 'Momo', categoryId: 1 }, { 'idempotency-key': 'once' }))
  assert.equal(http.headers.get('idempotent-replayed'), 'true')
  const unrelated = await app.call(
    '/v1/pets',
    postJson({ name: 'Mumu', categoryId: 1 }, { 'idempotency-key': 'other' }),
  )
  assert.equal(unrelated.headers.get('idempotent-replayed'), null)
})

test('no idempotency key is there to be copied: two agents would share one order', async () => {
  const { rpc } = await send(request('tools/list'))
  const { tools } = rpc.result as unknown as {
    tools: { name: string; inputSchema: { properties: Record<string, object> } }[]
  }
  const keyed = tools.filter(({ inputSchema }) => 'idempotencyKey' in inputSchema.properties)
  assert.deepEqual(
    keyed.map(({ name }) => name),
    ['add_pet', 'order_pet'],
  )
  for (const { inputSchema } of keyed)
    assert.deepEqual(Object.keys(inputSchema.properties['idempotencyKey'] ?? {}), ['type', 'description'])
})

test('the tools and arguments that may still change say so', async () => {
  const { rpc } = await send(request('tools/list'))
  const { tools } = rpc.result as unknown as {
    tools: { name: string; description: string; inputSchema: { properties: Record<string, { description: string }> } }[]
  }
  const isBeta = ({ description }: { description: string }) => description.endsWith(' Beta.')
  const found = tools.flatMap((declared) => [
    ...(isBeta(declared) ? [declared.name] : []),
    ...Object.entries(declared.inputSchema.properties).flatMap(([name, each]) =>
      isBeta(each) ? `${declared.name} ${name}` : [],
    ),
  ])
  assert.deepEqual(found.toSorted(), [
    'add_pet category',
    'change_pet category',
    'find_orders from',
    'find_orders sort',
    'find_orders to',
    'find_pets category',
    'find_pets name',
    'list_categories',
    'read_events keyId',
  ])
})

test('no tool deletes a pet or manages webhooks', async () => {
  const { rpc } = await send(request('tools/list'))
  const { tools } = rpc.result as unknown as {
    tools: { name: string; inputSchema: { additionalProperties: boolean } }[]
  }
  assert.equal(tools.length, 8)
  for (const { name, inputSchema } of tools) {
    assert.doesNotMatch(name, /delete|remove|webhook/)
    assert.equal(inputSchema.additionalProperties, false)
  }
})

test('with MCP=off there is nothing at the path, and its document is the same', async () => {
  const off = await startApp({ hasMcp: false, publicBaseUrl: 'https://pets.example/v1' })
  assertError(await sender(off.call)(request('ping')), 404, 'route_not_found')
  assert.equal((await off.call('/openapi.json')).text, (await app.call('/openapi.json')).text)
})

test('nothing of it is loaded before the first message, and with MCP=off not even its route', async () => {
  const { url, pool } = await createDatabase()
  const { key } = await createTestKey(pool)
  const loaded = async (env: NodeJS.ProcessEnv, messages: unknown[]) => {
    const options = { NODE_OPTIONS: '--import=./test/support/loaded.ts', DRAIN_DELAY: '0', ...env }
    const { address, child, output } = await serve(url, options)
    await caller(address, key)('/v1/pets')
    for (const message of messages) await sender(caller(address, key))(message)
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    await closed
    return Array.from(output.stderr.matchAll(/\/src\/http\/mcp\/(\w+)\.ts/g), ([, name]) => name)
  }
  const atStart = ['route', 'faults']
  const byName = (a = '', b = '') => a.localeCompare(b)
  assert.deepEqual(await loaded({}, []), atStart)
  const all = await loaded({}, [request('ping')])
  assert.deepEqual(
    all.toSorted(byName),
    [
      ...atStart,
      ...'arguments calls categories errors messages results schemas server tools turns'.split(' '),
    ].toSorted(byName),
  )
  assert.deepEqual(await loaded({ MCP: 'off' }, [request('ping')]), [])
})
