import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProtocolError } from '@modelcontextprotocol/client'
import { SCOPES } from '../../src/domain/principal.ts'
import { startApp } from '../support/app.ts'
import { createTestKey } from '../support/factories.ts'
import { connectClient, REVISIONS, readResult, type ToolResult } from '../support/mcp.ts'

const app = await startApp()
const LARGEST = '9223372036854775807'

const ALL = [
  'find_pets',
  'add_pet',
  'change_pet',
  'list_categories',
  'find_orders',
  'order_pet',
  'close_order',
  'read_events',
]
const HINTS = {
  find_pets: [true, false, true],
  add_pet: [false, false, false],
  change_pet: [false, true, true],
  list_categories: [true, false, true],
  find_orders: [true, false, true],
  order_pet: [false, false, false],
  close_order: [false, true, true],
  read_events: [true, false, true],
}
/** The tools of a key that has this scope alone. */
const BY_SCOPE: Record<string, string[]> = {
  'pets:read': ['find_pets', 'list_categories'],
  'pets:write': ['add_pet'],
  'pets:edit': ['change_pet'],
  'orders:read': ['find_orders'],
  'orders:write': ['order_pet', 'close_order'],
  'events:read': ['read_events'],
}

for (const revision of REVISIONS) {
  test(`${revision}: the client of the SDK lists and calls each tool`, async () => {
    const client = await connectClient(app.address, app.key, revision)
    assert.equal(client.getNegotiatedProtocolVersion(), revision)
    assert.deepEqual(client.getServerCapabilities(), { tools: {} })
    assert.equal(client.getServerVersion()?.name, 'petstore')
    assert.match(client.getInstructions() ?? '', /strings of digits/)
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      ALL,
    )
    assert.deepEqual(
      Object.fromEntries(
        tools.map(({ name, annotations: { readOnlyHint, destructiveHint, idempotentHint } = {} }) => [
          name,
          [readOnlyHint, destructiveHint, idempotentHint],
        ]),
      ),
      HINTS,
    )

    // The client itself checks each result against the schema of the tool.
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = (await client.callTool({ name, arguments: args })) as ToolResult
      assert.equal(result.isError ?? false, false, JSON.stringify(result.content))
      return readResult(result)
    }
    const added = await call('add_pet', { name: 'Rex', categoryId: LARGEST, status: 'available' })
    const pet = { ...added, version: '1' }
    assert.equal(added['categoryId'], LARGEST)
    assert.deepEqual(await call('find_pets', { id: [added['id']], categoryId: LARGEST }), { pets: [pet] })
    const ordering = { petId: added['id'], reference: revision, idempotencyKey: crypto.randomUUID() }
    const order = await call('order_pet', ordering)
    assert.deepEqual(await call('order_pet', ordering), { ...order, idempotentReplayed: true })
    assert.deepEqual(await call('find_orders', { petId: added['id'] }), { orders: [order] })
    const held = { ...pet, status: 'pending', version: '2', orderId: order['id'] }
    assert.deepEqual(await call('find_pets', { id: [added['id']] }), { pets: [held] })
    const changed = await call('change_pet', { petId: added['id'], version: '2', name: 'Rexi' })
    assert.deepEqual(changed, { ...held, name: 'Rexi', version: '3' })
    const closed = await call('close_order', { orderId: order['id'], action: 'complete' })
    assert.equal(closed['status'], 'completed')
    const { events } = await call('read_events', { petId: added['id'] })
    assert.deepEqual(
      (events as { type: string }[]).map(({ type }) => type),
      ['pet.created', 'order.placed', 'pet.updated', 'order.completed'],
    )
  })

  test(`${revision}: a key has the tools of its scopes, and gets the scope that another one needs`, async () => {
    const others = SCOPES.filter((scope) => !BY_SCOPE[scope])
    assert.deepEqual(others, ['pets:delete', 'webhooks:manage', 'categories:write', 'keys:read', 'status:read'])
    for (const scope of SCOPES) {
      const { key } = await createTestKey(app.pool, { scopes: [scope] })
      const client = await connectClient(app.address, key, revision)
      const names = (await client.listTools()).tools.map(({ name }) => name)
      assert.deepEqual(names, BY_SCOPE[scope] ?? [], scope)
      for (const name of ALL.filter((one) => !names.includes(one))) {
        const result = (await client.callTool({ name, arguments: {} })) as ToolResult
        assert.equal(result.isError, true)
        assert.equal(readResult(result)['code'], 'insufficient_scope')
      }
    }
  })

  test(`${revision}: the client reads errors of tools as results, and an unknown tool as a fault`, async () => {
    const client = await connectClient(app.address, app.key, revision)
    // From here on it knows the schemas of results. Older clients check errors against them too, and hide what does not conform.
    await client.listTools()
    const result = await client.callTool({ name: 'order_pet', arguments: { petId: LARGEST } })
    assert.equal(result.isError, true)
    assert.ok(!('structuredContent' in result))
    const message = `No pet has the id ${LARGEST}.`
    assert.deepEqual(readResult(result as ToolResult), { code: 'pet_not_found', message, status: 404 })
    await assert.rejects(
      client.callTool({ name: 'find_pet', arguments: {} }),
      (error) =>
        error instanceof ProtocolError && error.code === -32_602 && /Did you mean find_pets\?/.test(error.message),
    )
  })

  test(`${revision}: the client fails without a key`, async () => {
    await assert.rejects(connectClient(app.address, 'noise', revision))
  })
}

test('a client that speaks both revisions takes the current one', async () => {
  const client = await connectClient(app.address, app.key, 'auto')
  assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28')
})
