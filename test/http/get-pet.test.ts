import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createTestKey, insertPets } from '../support/factories.ts'
import { exchange } from '../support/raw.ts'

const { call, pool, address } = await startApp()
const [id] = await insertPets(pool, ['sold'])

const SUCCESSOR = (query: string) =>
  `</docs#get-pet>; rel="deprecation"; type="text/html", </v1/pets${query}>; rel="successor-version"`

function assertDeprecated(headers: Headers, query: string) {
  assert.equal(headers.get('deprecation'), '@1794614400')
  assert.equal(headers.get('sunset'), 'Thu, 05 Dec 2030 00:00:00 GMT')
  assert.equal(headers.get('link'), SUCCESSOR(query))
}

test('a pet is fetched by its id, with the announcement of the end', async () => {
  const { status, text, headers } = await call(`/v1/pets/${id}`)
  assert.equal(status, 200)
  assert.equal(text, `{"id":${id},"name":"pet 1","categoryId":1,"status":"sold"}`)
  assertDeprecated(headers, `?id=${id}`)
})

test('what replaces the operation returns the same pet', async () => {
  const successor = /<([^>]*)>; rel="successor-version"/.exec((await call(`/v1/pets/${id}`)).headers.get('link')!)![1]!
  assert.equal((await call(successor)).text, `[${(await call(`/v1/pets/${id}`)).text}]`)
})

const NOT_FOUND: [segment: string, query: string][] = [
  ['999999999', '?id=999999999'],
  ['0', '?id=0'],
  ['-1', '?id=-1'],
  ['9223372036854775807', '?id=9223372036854775807'],
  ['-9223372036854775808', '?id=-9223372036854775808'],
  ['9223372036854775808', ''],
  ['-9223372036854775809', ''],
  ['abc', ''],
  ['1.5', ''],
  ['1.0', ''],
  ['+1', ''],
  ['01', ''],
  ['-0', ''],
  ['1e0', ''],
  ['0x1', ''],
  ['%201', ''],
  ['1%20', ''],
  ['1%00', ''],
  ['%0A', ''],
  ['1%2F2', ''],
  ['%D9%A1', ''],
  ['%ZZ', ''],
  ['%FF', ''],
  ['%', ''],
  ['..%2F1', ''],
  ['null', ''],
  ['9'.repeat(10_000), ''],
]
for (const [segment, query] of NOT_FOUND) {
  test(`GET /v1/pets/${segment.slice(0, 24)} is a pet that does not exist`, async () => {
    const answer = await call(`/v1/pets/${segment}`)
    assertError(answer, 404, 'pet_not_found')
    assertDeprecated(answer.headers, query)
  })
}

test('a message repeats at most 64 characters of the path, and never a credential', async () => {
  assert.ok((await call(`/v1/pets/${'x'.repeat(5_000)}`)).text.length < 200)
  for (const secret of ['petk_live_abc', 'petk_test_abc', 'PETK_LIVE_abc', 'x%20petk_live_abc'])
    assert.doesNotMatch((await call(`/v1/pets/${secret}`)).text, /petk_/i)
})

test('every response to GET and HEAD there announces the deprecation, whatever its status', async () => {
  const writer = await createTestKey(pool, { scopes: ['pets:write'] })
  for (const method of ['GET', 'HEAD']) {
    for (const [key, status] of [
      [null, 401],
      [writer.key, 403],
    ] as const) {
      const answer = await call(`/v1/pets/${id}`, { method, key })
      assert.equal(answer.status, status)
      assertDeprecated(answer.headers, `?id=${id}`)
    }
    assertDeprecated((await call(`/v1/pets/${id}`, { method })).headers, `?id=${id}`)
  }
})

test('so does the response to a malformed request', async () => {
  const [answer] = await exchange(address, `GET /v1/pets/${id} HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`)
  assert.equal(answer!.status, 400)
  assert.equal(answer!.headers.get('deprecation'), '@1794614400')
})

test('no other response does', async () => {
  for (const [path, method] of [
    ['/v1/pets', 'GET'],
    ['/v1/pets/', 'GET'],
    ['/v1/pets/1/2', 'GET'],
    [`/v1/pets/${id}`, 'DELETE'],
    [`/v1/pets/${id}`, 'OPTIONS'],
  ] as const) {
    const { headers } = await call(path, { method })
    assert.equal(headers.has('deprecation') || headers.has('sunset'), false, `${method} ${path}`)
  }
})

test('/v1/pets/ is no route', async () => {
  assertError(await call('/v1/pets/'), 404, 'route_not_found')
  assertError(await call('/v1/pets/', { method: 'OPTIONS' }), 404, 'route_not_found')
  assertError(await call('/v1/pets/', { method: 'OPTIONS', key: null }), 401, 'missing_credentials')
})
