import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { test } from 'node:test'
import { postJson, startApp } from '../support/app.ts'
import { assertError, assertErrorBody } from '../support/assert-error.ts'
import { insertPets } from '../support/factories.ts'
import { exchange } from '../support/raw.ts'

const { call, pool, key, address } = await startApp()
const [id] = await insertPets(pool, ['available'])

const UNKNOWN_INSIDE = [
  '/v1',
  '/v1/',
  '/v1/pet',
  '/v1/pets/',
  '/v1/pets/1/',
  '/v1/pets/1/2',
  '/v1//pets',
  '/v1/Pets',
  '/v1/store',
  '/v1/store/orders/',
  '/v1/store/orders/1/2',
  '/v1/%ZZ',
]
const UNKNOWN_OUTSIDE = [
  '/pets',
  '/V1/pets',
  '//v1/pets',
  '/v2/pets',
  '/livez/',
  '/%ZZ',
  '/v1x',
  '/metrics',
  '/docs//',
  '/Docs/',
  '/favicon.ico',
]
for (const path of [...UNKNOWN_INSIDE, ...UNKNOWN_OUTSIDE]) {
  test(`${path} is no route, and redirects nowhere`, async () => {
    const [answer] = await exchange(
      address,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
    )
    assert.equal(answer!.status, 404)
    assertErrorBody(answer!.body, 404, 'route_not_found')
  })
}

test('the routes decide, not the text of the path', async () => {
  const request = (target: string) =>
    exchange(address, `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`)
  const anonymous = (target: string) =>
    exchange(address, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  for (const target of ['/%76%31/pets', 'http://x/v1/pets', '/v1/%70ets', `/%76%31/pets/${id}`]) {
    assert.equal((await request(target))[0]!.status, 200, target)
    assert.equal((await anonymous(target))[0]!.status, 401, target)
  }
})

const PATHS: [path: string, allow: string][] = [
  ['/v1/pets', 'GET, HEAD, POST, OPTIONS'],
  [`/v1/pets/1`, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
  ['/v1/store/orders', 'GET, HEAD, POST, OPTIONS'],
  ['/v1/store/orders/1', 'GET, HEAD, OPTIONS'],
  ['/v1/store/orders/1/complete', 'POST, OPTIONS'],
  ['/v1/store/orders/1/cancel', 'POST, OPTIONS'],
  ['/v1/keys/self', 'GET, HEAD, OPTIONS'],
  ['/v1/deprecations', 'GET, HEAD, OPTIONS'],
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

for (const [path, status] of [
  ['/v1/pets', 200],
  [`/v1/pets/${id}`, 200],
  ['/v1/pets/abc', 404],
  ['/v1/keys/self', 200],
  ['/v1/pets?limit=0', 400],
  ['/v1/nothing', 404],
  ['/livez', 200],
  ['/openapi.json', 200],
] as const) {
  test(`HEAD ${path} responds as GET does, without the body`, async () => {
    const get = await call(path)
    const head = await call(path, { method: 'HEAD' })
    assert.equal(head.status, status)
    assert.equal(head.text, '')
    for (const name of ['content-type', 'content-length', 'link', 'deprecation', 'cache-control'])
      assert.equal(head.headers.get(name), get.headers.get(name), name)
  })
}

test('every response has Request-Id, no-store and nosniff, and none reveals the server software', async () => {
  const answers = await Promise.all([
    call('/v1/pets'),
    call('/v1/pets', postJson({ name: 'Rex', categoryId: 1 })),
    call('/v1/pets', postJson('{')),
    call('/v1/pets', { key: null }),
    call('/v1/nothing'),
    call('/nothing'),
    call('/livez'),
    call('/openapi.json'),
    call('/v1/pets', { method: 'OPTIONS' }),
    call('/v1/pets', { method: 'DELETE' }),
  ])
  for (const { headers } of answers) {
    assert.match(headers.get('request-id')!, /^[A-Za-z0-9_-]{20}$/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.has('server') || headers.has('x-powered-by'), false)
    assert.equal(headers.has('vary') || headers.has('access-control-allow-origin'), false)
  }
  assert.equal(new Set(answers.map(({ headers }) => headers.get('request-id'))).size, answers.length)
})

for (const [given, kept] of [
  ['a', true],
  ['A.b_c-9', true],
  ['x'.repeat(128), true],
  ['x'.repeat(129), false],
  ['with space', false],
  ['semi;colon', false],
  ['petk_live_/', false],
  ['petk_test_0123456789', false],
] as const) {
  test(`the Request-Id ${given.slice(0, 20)} is ${kept ? 'kept' : 'replaced'}`, async () => {
    const { headers } = await call('/v1/pets', { headers: { 'request-id': given } })
    assert.equal(headers.get('request-id') === given, kept)
    assert.match(headers.get('request-id')!, /^[A-Za-z0-9._-]{1,128}$/)
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

test('pages of configured origins may send requests, others may not', async () => {
  const { call: callOpen } = await startApp({ corsOrigins: ['https://shop.example'] })
  const from = (origin: string, init = {}) => callOpen('/v1/pets', { headers: { origin }, ...init })
  const allowed = await from('https://shop.example')
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://shop.example')
  const exposed =
    'Link, Location, Request-Id, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Sunset, Idempotent-Replayed, Petstore-Key-Expires'
  assert.equal(allowed.headers.get('access-control-expose-headers'), exposed)
  const changed = await callOpen('/v1/pets/1', { method: 'DELETE', headers: { origin: 'https://shop.example' } })
  assert.equal(changed.headers.get('access-control-expose-headers'), `${exposed}, ETag`)
  const refused = await from('https://shop.example', { key: null })
  assert.equal(refused.headers.get('access-control-allow-origin'), 'https://shop.example', 'a page may read its 401')
  const preflight = await from('https://shop.example', { method: 'OPTIONS', key: null })
  assert.equal(preflight.status, 204)
  const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key, Request-Id'
  assert.equal(preflight.headers.get('access-control-allow-headers'), allowedHeaders)
  assert.equal(preflight.headers.get('access-control-allow-methods'), 'GET, HEAD, POST')
  const change = await callOpen('/v1/pets/1', {
    method: 'OPTIONS',
    key: null,
    headers: { origin: 'https://shop.example' },
  })
  assert.equal(change.headers.get('access-control-allow-headers'), `${allowedHeaders}, If-Match`)
  assert.match(change.headers.get('access-control-allow-methods')!, /PATCH, DELETE/)
  for (const origin of ['https://other.example', 'null', 'https://shop.example.evil'])
    assert.equal((await from(origin)).headers.has('access-control-allow-origin'), false)
  assert.equal((await from('https://other.example')).headers.get('vary'), 'Origin')
})

test('health needs no key', async () => {
  assert.equal((await call('/livez', { key: null })).text, '{"status":"live","version":"1.0.0"}')
  assert.deepEqual((await call('/readyz', { key: null })).body, { status: 'ready' })
  assertError(await call('/livez', { key: null, method: 'POST', body: 'x'.repeat(100) }), 405, 'method_not_allowed')
})

test('the documentation needs no key, and may load nothing from elsewhere', async () => {
  const { status, headers, text } = await call('/docs', { key: null })
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(headers.get('content-security-policy')!, /^default-src 'none'; style-src 'self'; script-src 'self';/)
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
