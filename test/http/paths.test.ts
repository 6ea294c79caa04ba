import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'

const { call } = await startApp()
const messageOf = ({ body }: { body: unknown }) => (body as { message: string }).message

const MEANT: [path: string, meant: string][] = [
  ['/v1/pets/', '/v1/pets'],
  ['/v1/pets/?limit=1', '/v1/pets'],
  ['/pets', '/v1/pets'],
  ['/pets/1', '/v1/pets/{petId}'],
  ['/v1/Pets', '/v1/pets'],
  ['/V1/pets', '/v1/pets'],
  ['/v1//pets', '/v1/pets'],
  ['/v1/pet', '/v1/pets'],
  ['/v1/pet/1', '/v1/pets/{petId}'],
  ['/v1/pets/1/', '/v1/pets/{petId}'],
  ['/v1/store/order', '/v1/store/orders'],
  ['/store/orders', '/v1/store/orders'],
  ['/v1/store/orders/ord_x/completed', '/v1/store/orders/{orderId}/complete'],
  ['/v1/webhook', '/v1/webhooks'],
  ['/v1/key/self', '/v1/keys/self'],
  ['/mcp', '/v1/mcp'],
  ['/v1/mcp/', '/v1/mcp'],
  ['/v1/MCP', '/v1/mcp'],
]
for (const [path, meant] of MEANT)
  test(`${path} is 404, and the message names ${meant}`, async () => {
    for (const method of ['GET', 'POST']) {
      const answer = await call(path, { method })
      assertError(answer, 404, 'route_not_found')
      const sentence = `Nothing is served at this path. Did you mean ${meant}? See /openapi.json for the paths that exist.`
      assert.equal(messageOf(answer), sentence)
    }
  })

for (const path of [
  '/v1',
  '/v1/',
  '/v2/pets',
  '/v1/cats',
  '/v1/pets/1/2',
  '/v1/%ZZ',
  '/metrics',
  `/v1/${'x'.repeat(9_000)}`,
])
  test(`${path.slice(0, 20)} is 404 without a guess`, async () => {
    const answer = await call(path)
    assertError(answer, 404, 'route_not_found')
    assert.equal(messageOf(answer), 'Nothing is served at this path. See /openapi.json for the paths that exist.')
  })

test('with MCP=off no path is taken for that of the tools', async () => {
  const off = await startApp({ hasMcp: false })
  assert.doesNotMatch(messageOf(await off.call('/mcp')), /Did you mean/)
})

test('a path below /v1 is not named without a key', async () => {
  assertError(await call('/v1/pets/', { key: null }), 401, 'missing_credentials')
})
