import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { test } from 'node:test'
import { readBuildInfo } from '../../src/lib/build-info.ts'
import { postJson, startApp } from '../support/app.ts'
import { assertError, assertErrorBody } from '../support/assert-error.ts'
import { createTestKey, insertPets } from '../support/factories.ts'
import { exchange } from '../support/raw.ts'

const { call, pool, key, address } = await startApp()
const [id] = await insertPets(pool, ['available'])

const PATHS: [path: string, allow: string][] = [
  ['/v1/pets', 'GET, HEAD, POST, OPTIONS'],
  ['/v1/store/orders/1/complete', 'POST, OPTIONS'],
  ['/livez', 'GET, HEAD, OPTIONS'],
  ['/readyz', 'GET, HEAD, OPTIONS'],
  ['/openapi.json', 'GET, HEAD, OPTIONS'],
  ['/docs', 'GET, HEAD, OPTIONS'],
  ['/docs/style.css', 'GET, HEAD, OPTIONS'],
  ['/docs/script.js', 'GET, HEAD, OPTIONS'],
  ['/docs.md', 'GET, HEAD, OPTIONS'],
  ['/llms.txt', 'GET, HEAD, OPTIONS'],
  ['/', 'GET, HEAD, OPTIONS'],
  ['/docs/', 'GET, HEAD, OPTIONS'],
]
for (const [path, allow] of PATHS) {
  test(`${path} responds to OPTIONS without a key, and to every method it does not have with 405`, async () => {
    const options = await call(path, { method: 'OPTIONS', key: null })
    assert.equal(options.status, 204)
    assert.equal(options.headers.get('allow'), allow)
    assert.equal(options.text, '')
    // Whatever comes with it is not even looked at.
    const body = { body: Buffer.alloc(70_000, 'x'), headers: { 'content-type': 'nonsense' } }
    assert.equal((await call(path, { method: 'OPTIONS', key: null, ...body })).status, 204)
    const others = METHODS.filter((name) => !['CONNECT', 'HEAD', ...allow.split(', ')].includes(name))
    if (!allow.includes('HEAD')) assert.equal((await call(path, { method: 'HEAD' })).status, 405)
    for (const method of others) {
      const [answer] = await exchange(
        address,
        `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
      )
      assert.equal(answer!.status, 405, method)
      assertErrorBody(answer!.body, 405, 'method_not_allowed')
      assert.equal(answer!.headers.get('allow'), allow)
    }
  })
}

test('links are built from PUBLIC_BASE_URL, never from Host', async () => {
  const { call: callBased } = await startApp({ publicBaseUrl: 'https://pets.example/shop/v1' })
  const created = await callBased('/v1/pets', postJson({ name: 'a', categoryId: 1 }))
  await callBased('/v1/pets', postJson({ name: 'b', categoryId: 1 }))
  assert.equal(created.headers.get('location'), 'https://pets.example/shop/v1/pets/1')
  assert.match(
    (await callBased('/v1/pets?limit=1')).headers.get('link')!,
    /^<https:\/\/pets\.example\/shop\/v1\/pets\?limit=1&cursor=[\w-]+>; rel="next"$/,
  )
  assert.equal(
    (await callBased('/v1/pets/1')).headers.get('link'),
    '<https://pets.example/shop/docs#get-pet>; rel="deprecation"; type="text/html", <https://pets.example/shop/v1/pets?id=1>; rel="successor-version"',
  )
  const document = (await callBased('/openapi.json')).body as { servers: { url: string }[] }
  assert.equal(document.servers[0]!.url, 'https://pets.example/shop/v1')
})

test('a response to a key without the scope announces the end of an operation too, and so does one to a malformed request', async () => {
  const { key: writer } = await createTestKey(pool, { scopes: ['pets:write'] })
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await call(`/v1/pets/${id}`, { method, key: writer })
    assert.deepEqual([status, headers.get('deprecation')], [403, '@1794614400'])
    assert.ok(headers.get('link')!.endsWith(`</v1/pets?id=${id}>; rel="successor-version"`))
  }
  const [answer] = await exchange(address, `GET /v1/pets/${id} HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`)
  assert.deepEqual([answer!.status, answer!.headers.get('deprecation')], [400, '@1794614400'])
})

test('paths of the documentation in another case, or with a slash more, are no routes', async () => {
  for (const path of ['/docs//', '/Docs/']) assertError(await call(path, { key: null }), 404, 'route_not_found')
})

test('pages of configured origins may send requests, others may not', async () => {
  const { call: callOpen } = await startApp({ corsOrigins: ['https://shop.example'] })
  const from = (origin: string, init = {}) => callOpen('/v1/pets', { headers: { origin }, ...init })
  const allowed = await from('https://shop.example')
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://shop.example')
  const exposed =
    'Link, Location, Request-Id, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Sunset, Idempotent-Replayed, Petstore-Key-Expires, Petstore-Mode'
  assert.equal(allowed.headers.get('access-control-expose-headers'), exposed)
  const changed = await callOpen('/v1/pets/1', { method: 'DELETE', headers: { origin: 'https://shop.example' } })
  assert.equal(changed.headers.get('access-control-expose-headers'), `${exposed}, ETag`)
  const fetched = await callOpen('/v1/pets/1', { headers: { origin: 'https://shop.example' } })
  assert.equal(fetched.headers.get('access-control-expose-headers'), `${exposed}, ETag`)
  const refused = await from('https://shop.example', { key: null })
  assert.equal(refused.headers.get('access-control-allow-origin'), 'https://shop.example', 'a page may read its 401')
  const preflight = await from('https://shop.example', { method: 'OPTIONS', key: null })
  assert.equal(preflight.status, 204)
  const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key, Request-Id, traceparent'
  assert.equal(preflight.headers.get('access-control-allow-headers'), allowedHeaders)
  assert.equal(preflight.headers.get('access-control-allow-methods'), 'GET, HEAD, POST')
  const change = await callOpen('/v1/pets/1', {
    method: 'OPTIONS',
    key: null,
    headers: { origin: 'https://shop.example' },
  })
  assert.equal(change.headers.get('access-control-allow-headers'), `${allowedHeaders}, If-Match, If-None-Match`)
  assert.match(change.headers.get('access-control-allow-methods')!, /PATCH, DELETE/)
  const names = await callOpen('/v1/keys/names', { headers: { origin: 'https://shop.example' } })
  assert.equal(names.headers.get('access-control-expose-headers'), `${exposed}, ETag`)
  const read = await callOpen('/v1/keys/names', {
    method: 'OPTIONS',
    key: null,
    headers: { origin: 'https://shop.example' },
  })
  assert.equal(read.headers.get('access-control-allow-headers'), `${allowedHeaders}, If-None-Match`)
  for (const origin of ['https://other.example', 'null', 'https://shop.example.evil'])
    assert.equal((await from(origin)).headers.has('access-control-allow-origin'), false)
  assert.equal((await from('https://other.example')).headers.get('vary'), 'Origin')
  const { headers } = await call('/v1/pets', { headers: { origin: 'https://shop.example' } })
  assert.equal(headers.has('vary') || headers.has('access-control-allow-origin'), false, 'none is configured')
})

test('health needs no key', async () => {
  assert.deepEqual((await call('/livez', { key: null })).body, { status: 'live', version: readBuildInfo().version })
  assert.deepEqual((await call('/readyz', { key: null })).body, { status: 'ready' })
  assertError(await call('/livez', { key: null, method: 'POST', body: 'x'.repeat(100) }), 405, 'method_not_allowed')
})

test('the documentation needs no key, and may load nothing from elsewhere', async () => {
  const { status, headers, text } = await call('/docs', { key: null })
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(
    headers.get('content-security-policy')!,
    /^default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self';/,
  )
  assert.doesNotMatch(text, /(?:src|href)="(?:https?:)?\/\//)
  assert.ok(text.includes('9223372036854775807'))
})

for (const path of ['/', '/docs/']) {
  test(`${path} redirects to the documentation, without a key, and keeps the query`, async () => {
    for (const method of ['GET', 'HEAD']) {
      const redirect = (query: string) => call(path + query, { method, key: null, redirect: 'manual' })
      const { status, headers, text } = await redirect('')
      assert.equal(status, 302)
      assert.equal(headers.get('location'), '/docs')
      assert.equal(headers.get('content-length'), '0')
      assert.equal(headers.has('content-type'), false)
      assert.equal(text, '')
      assert.equal((await redirect('?a=%0D%0Ab&c?d=é')).headers.get('location'), '/docs?a=%0D%0Ab&c?d=%C3%A9')
      assert.equal((await call(path, { method, key: null })).status, 200, 'what it leads to')
    }
    const leaking = await call(`${path}?key=${key}`, { key: null, redirect: 'manual' })
    assertError(leaking, 401, 'invalid_credentials')
    assert.equal(leaking.headers.has('location'), false)
  })
}

test('behind a proxy that serves below a path, the redirect stays below it, on the host that was asked', async () => {
  const { call: callBased } = await startApp({ publicBaseUrl: 'https://pets.example/shop/v1' })
  const { headers } = await callBased('/', { key: null, redirect: 'manual' })
  assert.equal(headers.get('location'), '/shop/docs')
})
