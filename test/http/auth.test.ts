import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateKey } from '../../src/lib/ids/key-format.ts'
import { caller, startApp } from '../support/app.ts'
import { assertError, assertErrorBody } from '../support/assert-error.ts'
import { createTestKey } from '../support/factories.ts'
import { exchange } from '../support/raw.ts'
import { SHORT } from '../support/times.ts'
import { until } from '../support/until.ts'

const { call, pool, key, address } = await startApp()

const NOWHERE = { databaseUrl: 'postgres://nobody@127.0.0.1:1/none' }
const CHALLENGE = 'Bearer realm="petstore"'

const HEADERS: [name: string, header: string, status: number, code?: string][] = [
  ['the key', `Bearer ${key}`, 200],
  ['the scheme in lower case', `bearer ${key}`, 200],
  ['the scheme in upper case', `BEARER ${key}`, 200],
  ['several spaces', `Bearer    ${key}`, 200],
  ['another scheme', `Basic ${key}`, 401, 'missing_credentials'],
  ['no scheme', key, 401, 'missing_credentials'],
  ['Bearer alone', 'Bearer', 401, 'missing_credentials'],
  ['Bearer and a space', 'Bearer ', 401, 'missing_credentials'],
  ['nothing', '', 401, 'missing_credentials'],
  ['no space', `Bearer${key}`, 401, 'missing_credentials'],
  ['noise', 'Bearer noise', 401, 'invalid_credentials'],
  ['the key and more', `Bearer ${key} x`, 401, 'invalid_credentials'],
  ['the key twice', `Bearer ${key}, Bearer ${key}`, 401, 'invalid_credentials'],
  ['the key cut off', `Bearer ${key.slice(0, -1)}`, 401, 'invalid_credentials'],
  ['the key in upper case', `Bearer ${key.toUpperCase()}`, 401, 'invalid_credentials'],
  ['a well-formed key that was never issued', `Bearer ${generateKey('live')}`, 401, 'invalid_credentials'],
]
for (const [name, authorization, status, code] of HEADERS) {
  test(`Authorization with ${name} returns ${status} ${code ?? ''}`, async () => {
    const answer = await call('/v1/pets', { key: null, headers: { authorization } })
    if (!code) return assert.equal(answer.status, status)
    assertError(answer, status, code)
    const token = code === 'missing_credentials' ? '' : ', error="invalid_token"'
    assert.equal(answer.headers.get('www-authenticate'), CHALLENGE + token)
  })
}

test('without the header the credentials are missing, whatever else holds the key', async () => {
  assertError(await call('/v1/pets', { key: null }), 401, 'missing_credentials')
  assertError(
    await call('/v1/pets', { key: null, headers: { 'x-api-key': key, cookie: `key=${key}` } }),
    401,
    'missing_credentials',
  )
})

test('two Authorization headers are rejected, even when both are right', async () => {
  const request = `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nauthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`
  const [answer] = await exchange(address, request)
  assert.equal(answer!.status, 401)
  assertErrorBody(answer!.body, 401, 'invalid_credentials')
  assert.equal(answer!.headers.get('www-authenticate'), `${CHALLENGE}, error="invalid_token"`)
})

test('an expired key says so, also one that was in use when it expired', async () => {
  const soon = await createTestKey(pool, { expiresAt: new Date(Date.now() + 400) })
  assert.equal((await call('/v1/pets', { key: soon.key })).status, 200)
  await until(() => Date.now() > soon.expiresAt!.getTime())
  const answer = await call('/v1/pets', { key: soon.key })
  assertError(answer, 401, 'expired_credentials')
  assert.equal(answer.headers.get('www-authenticate'), `${CHALLENGE}, error="invalid_token"`)
})

test('a revoked key says so, expired or not', async () => {
  const revoked = await createTestKey(pool)
  const both = await createTestKey(pool, { expiresAt: new Date(0) })
  await pool.query('update api_keys set revoked_at = now() where id = any($1)', [[revoked.id, both.id]])
  assertError(await call('/v1/pets', { key: revoked.key }), 401, 'revoked_credentials')
  assertError(await call('/v1/pets', { key: both.key }), 401, 'revoked_credentials')
})

const SCOPES: [scope: 'pets:read' | 'pets:write', method: string, path: string, needed?: string][] = [
  ['pets:read', 'GET', '/v1/pets'],
  ['pets:read', 'GET', '/v1/pets/1'],
  ['pets:read', 'POST', '/v1/pets', 'pets:write'],
  ['pets:write', 'POST', '/v1/pets'],
  ['pets:write', 'GET', '/v1/pets', 'pets:read'],
  ['pets:write', 'GET', '/v1/pets/1', 'pets:read'],
]
for (const [scope, method, path, needed] of SCOPES) {
  test(`${method} ${path} with the scope ${scope} is ${needed ? 'rejected' : 'allowed'}`, async () => {
    const limited = await createTestKey(pool, { scopes: [scope] })
    const answer = await call(path, { method, key: limited.key })
    if (!needed) return assert.notEqual(answer.status, 403)
    assertError(answer, 403, 'insufficient_scope')
    assert.equal(answer.headers.get('www-authenticate'), `${CHALLENGE}, error="insufficient_scope", scope="${needed}"`)
  })
}

test('noise never reaches the database: without one it is still rejected, while a well-formed key is not', async () => {
  const nowhere = await startApp(NOWHERE, { database: SHORT.database })
  const callNowhere = caller(nowhere.address, key)
  for (const noise of ['noise', key.slice(0, -1), `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`])
    assertError(await callNowhere('/v1/pets', { key: noise }), 401, 'invalid_credentials')
  assertError(await callNowhere('/v1/pets', { key: generateKey('live') }), 503, 'unavailable')
})

test('the use of a key is noted at most once a minute', async () => {
  const used = await createTestKey(pool)
  const lastUsed = async () => {
    const { rows } = await pool.query<{ at: Date | null }>('select last_used_at as at from api_keys where id = $1', [
      used.id,
    ])
    return rows[0]!.at
  }
  await call('/v1/pets', { key: used.key })
  // Written beside the request, so it may come a moment later.
  const first = await until(async () => (await lastUsed()) ?? undefined)
  assert.ok(Math.abs(Date.now() - first.getTime()) < 60_000)
  for (let i = 0; i < 5; i++) await call('/v1/pets', { key: used.key })
  assert.deepEqual(await lastUsed(), first)
})

for (const [keyMode, other] of [
  ['test', 'live'],
  ['live', 'test'],
] as const) {
  test(`with KEY_MODE=${keyMode} a ${other} key is rejected, and the message says which keys are accepted`, async () => {
    const { call: send, pool: own } = await startApp({ keyMode })
    const [right, wrong] = [await createTestKey(own, { mode: keyMode }), await createTestKey(own, { mode: other })]
    assert.equal((await send('/v1/pets', { key: right.key })).status, 200)
    for (const path of ['/v1/pets', '/v1/keys/self', '/v1/nothing']) {
      const answer = await send(path, { key: wrong.key })
      assertError(answer, 401, 'invalid_credentials')
      assert.match(
        answer.text,
        new RegExp(`accepts only ${keyMode} keys. Use a key that begins with petk_${keyMode}_\\.`),
      )
      assert.equal(answer.headers.get('www-authenticate'), `${CHALLENGE}, error="invalid_token"`)
    }
    const { rows } = await own.query('select last_used_at as at from api_keys where id = $1', [wrong.id])
    assert.deepEqual(rows, [{ at: null }])
  })
}

test('a key of the wrong mode takes no query: it is rejected even without a database', async () => {
  const { address: nowhere } = await startApp({ ...NOWHERE, keyMode: 'live' }, { database: SHORT.database })
  const send = caller(nowhere, key)
  assertError(await send('/v1/pets', { key: generateKey('test') }), 401, 'invalid_credentials')
  assertError(await send('/v1/pets', { key: generateKey('live') }), 503, 'unavailable')
})
