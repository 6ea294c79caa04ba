import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { generateKey } from '../../../src/lib/ids/key-format.ts'
import { type Call, caller, startApp } from '../../support/app.ts'
import { assertError } from '../../support/assert-error.ts'
import { COOKIE_NAME, fromPage, SESSION, signIn } from '../../support/console.ts'
import { createTestKey } from '../../support/factories.ts'
import { petstore } from '../../support/process.ts'
import { exchange } from '../../support/raw.ts'

const { call, pool, key, address, logs } = await startApp()
const LIMIT = { authFailureLimit: { quota: 3, windowSeconds: 60 } }

const madeUp = () => `${COOKIE_NAME}=${randomBytes(32).toString('base64url')}`

for (const site of ['cross-site', 'same-site', 'none', 'Same-Origin', 'same-origin, same-origin', '', undefined]) {
  test(`a request with Sec-Fetch-Site ${site ?? 'missing'} is not signed in by the cookie, and cannot sign in or out`, async () => {
    const { cookie } = await signIn(call, key)
    const headers = { cookie, ...(site !== undefined && { 'sec-fetch-site': site }) }
    const authorization = `Bearer ${key}`
    assertError(await call('/v1/pets', { key: null, headers }), 401, 'missing_credentials')
    const type = { 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Rex', categoryId: 7 })
    const write = { key: null, method: 'POST', headers: { ...headers, ...type }, body }
    assertError(await call('/v1/pets', write), 401, 'missing_credentials')
    assert.equal((await call(SESSION, { key: null, headers })).text, '{"key":null}')

    const signedIn = await call(SESSION, { key: null, method: 'POST', headers: { ...headers, authorization } })
    assertError(signedIn, 403, 'cross_site_request')
    assert.deepEqual([signedIn.headers.getSetCookie(), signedIn.headers.get('www-authenticate')], [[], null])
    assertError(await call(SESSION, { key: null, method: 'DELETE', headers }), 403, 'cross_site_request')
    assert.equal((await call('/v1/pets', fromPage(cookie))).status, 200, 'the session is still there')
  })
}

test('other origins get no permission to use the session', async () => {
  const origin = 'https://shop.example'
  const open = await startApp({ corsOrigins: [origin] })
  const { cookie } = await signIn(open.call, open.key)
  const answer = await open.call('/v1/pets', fromPage(cookie, { headers: { origin } }, 'cross-site'))
  assertError(answer, 401, 'missing_credentials')
  for (const path of ['/v1/pets', SESSION]) {
    const { headers } = await open.call(path, { key: null, method: 'OPTIONS', headers: { origin } })
    assert.equal(headers.get('access-control-allow-credentials'), null)
  }
})

const MALFORMED: Record<string, string> = {
  'an empty token': `${COOKIE_NAME}=`,
  'a short token': `${COOKIE_NAME}=abc`,
  'a token that is too long': `${COOKIE_NAME}=${'a'.repeat(44)}`,
  'a token with other characters': `${COOKIE_NAME}=${'ä!'.repeat(21)}x`.replaceAll('ä', '%'),
  'a token in quotes': `${COOKIE_NAME}="${'a'.repeat(43)}"`,
  'a key for a token': `${COOKIE_NAME}=${generateKey('live')}`,
  'SQL for a token': `${COOKIE_NAME}=' or 1=1 --`,
  'ten kilobytes': `${COOKIE_NAME}=${'a'.repeat(10_000)}`,
  'three hundred cookies': Array.from({ length: 300 }, () => `${COOKIE_NAME}=x`).join('; '),
  'nothing but separators': `${COOKIE_NAME}=${';'.repeat(8_000)}`,
}
for (const [name, cookie] of Object.entries(MALFORMED))
  test(`${name} in the cookie is 401, and costs next to nothing`, async () => {
    // With what the test itself takes to send and read them; the least, since other work on a core makes the same work longer.
    let leastMicros = Number.POSITIVE_INFINITY
    for (let i = 0; i < 20; i++) {
      const before = process.cpuUsage()
      assertError(await call('/v1/pets', fromPage(cookie)), 401, 'invalid_credentials')
      const { user, system } = process.cpuUsage(before)
      leastMicros = Math.min(leastMicros, user + system)
    }
    assert.ok(leastMicros < 10_000, `${leastMicros} µs`)
    assert.equal((await call(SESSION, fromPage(cookie))).text, '{"key":null}')
    assert.equal((await call(SESSION, fromPage(cookie, { method: 'DELETE' }))).status, 204)
  })

test('of two session cookies none counts, even if one is right', async () => {
  const { cookie } = await signIn(call, key)
  for (const both of [`${cookie}; ${madeUp()}`, `${madeUp()}; ${cookie}`, `${cookie}; ${cookie}`])
    assertError(await call('/v1/pets', fromPage(both)), 401, 'invalid_credentials')
  assert.equal((await call('/v1/pets', fromPage(`theme=dark; ${cookie}; x=1`))).status, 200)
  for (const other of [`x${cookie}`, cookie.toLowerCase(), `a=${cookie.slice(COOKIE_NAME.length + 1)}`])
    assertError(await call('/v1/pets', fromPage(other)), 401, 'missing_credentials')
})

test('an oversized cookie is rejected with all other headers', async () => {
  assertError(await call('/v1/pets', fromPage(`${COOKIE_NAME}=${'a'.repeat(16_400)}`)), 431, 'headers_too_large')
})

test('a second Cookie header does not get in', async () => {
  const { cookie } = await signIn(call, key)
  const head = `GET /v1/pets HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\nCookie: ${cookie}`
  const [one] = await exchange(address, `${head}\r\n\r\n`)
  assert.equal(one?.status, 200)
  const [two] = await exchange(address, `${head}\r\nCookie: ${madeUp()}\r\n\r\n`)
  assert.equal(two?.status, 401)
  const [both] = await exchange(address, `${head}\r\nSec-Fetch-Site: cross-site\r\n\r\n`)
  assert.equal(both?.status, 401)
})

const FAILURES: Record<string, (send: Call) => Promise<unknown>> = {
  'wrong keys at the sign-in': (send) => {
    const headers = { authorization: `Bearer ${generateKey('live')}` }
    return send(SESSION, fromPage(undefined, { method: 'POST', headers }))
  },
  'made-up sessions under /v1': (send) => send('/v1/pets', fromPage(madeUp())),
  'made-up sessions at GET': (send) => send(SESSION, fromPage(madeUp())),
  'made-up sessions at DELETE': (send) => send(SESSION, fromPage(madeUp(), { method: 'DELETE' })),
}
for (const [name, fail] of Object.entries(FAILURES))
  test(`${name} count for AUTH_FAILURE_LIMIT`, async () => {
    const one = await startApp(LIMIT)
    const { cookie } = await signIn(one.call, one.key)
    for (let i = 0; i < 3; i++) await fail(one.call)
    while ((await one.call('/v1/pets')).status === 200) await fail(one.call)
    for (const blocked of [
      await one.call('/v1/pets', fromPage(cookie)),
      await one.call(SESSION, fromPage(cookie)),
      await one.call(SESSION, fromPage(undefined, { method: 'POST', headers: { authorization: `Bearer ${one.key}` } })),
    ])
      assertError(blocked, 429, 'rate_limited')
    assert.equal((await one.call('/console/session', { method: 'OPTIONS', key: null })).status, 204)
  })

test('sessions that have ended, and requests without one, do not block an office', async () => {
  const one = await startApp(LIMIT)
  const { cookie } = await signIn(one.call, one.key)
  await one.pool.query(`update console_sessions set last_seen_at = last_seen_at - interval '2 hours'`)
  for (let i = 0; i < 10; i++) assertError(await one.call('/v1/pets', fromPage(cookie)), 401, 'expired_credentials')
  for (let i = 0; i < 10; i++) assertError(await one.call('/v1/pets', fromPage()), 401, 'missing_credentials')
  for (let i = 0; i < 10; i++) await one.call('/v1/pets', fromPage(cookie, {}, 'same-site'))
  assert.equal((await one.call('/v1/pets')).status, 200)
})

test('sessions that the operator ends, and those that make room for others, do not block an office', async () => {
  const one = await startApp(LIMIT)
  const { cookie: ended } = await signIn(one.call, one.key)
  const made = await createTestKey(one.pool)
  const { cookie: oldest } = await signIn(one.call, made.key)
  const { id } = (await one.call('/v1/keys/self')).body as { id: string }
  await petstore(['sessions', 'end', '--key', id], { DATABASE_URL: one.url })
  for (let i = 0; i < 100; i++) await signIn(one.call, made.key)
  for (const cookie of [ended, oldest])
    for (let i = 0; i < 10; i++) assertError(await one.call('/v1/pets', fromPage(cookie)), 401, 'expired_credentials')
  assert.equal((await one.call('/v1/pets')).status, 200)
})

test('the limit of the key applies to its sessions, and to signing in', async () => {
  const made = await createTestKey(pool, { rateLimit: { quota: 3, windowSeconds: 60 } })
  const { cookie, answer } = await signIn(call, made.key)
  assert.match(answer.headers.get('ratelimit') ?? '', /r=2;/)
  assert.match((await call('/v1/pets', fromPage(cookie))).headers.get('ratelimit') ?? '', /r=1;/)
  assert.equal((await call('/v1/pets', { key: made.key })).status, 200)
  assertError(await call('/v1/pets', fromPage(cookie)), 429, 'rate_limited')
  const headers = { authorization: `Bearer ${made.key}` }
  assertError(await call(SESSION, fromPage(undefined, { method: 'POST', headers })), 429, 'rate_limited')
  assert.equal((await call(SESSION, fromPage(cookie))).status, 200, 'the console can still say who is signed in')
})

test('KEY_MODE applies to signing in, and to sessions from before it was set', async () => {
  const app = await startApp({ keyMode: 'live' })
  const headers = { authorization: `Bearer ${app.key}` }
  assertError(await app.call(SESSION, fromPage(undefined, { method: 'POST', headers })), 401, 'invalid_credentials')
  const live = await createTestKey(app.pool, { mode: 'live' })
  const { cookie } = await signIn(app.call, live.key)
  assert.equal((await app.call('/v1/pets', fromPage(cookie))).status, 200)
  await app.pool.query(`update api_keys set mode = 'test' where id = $1`, [live.id])
  await app.pool.query(`select pg_notify('api_keys_changed', $1)`, [live.id])
  while ((await app.call('/v1/pets', fromPage(cookie))).status === 200);
  assertError(await app.call('/v1/pets', fromPage(cookie)), 401, 'invalid_credentials')
})

test('a key in a URL of the console is reported as exposed', async () => {
  const made = await createTestKey(pool)
  for (const path of [`/console?key=${made.key}`, `/console/pets/${made.key}`, `${SESSION}?${made.key}`])
    assertError(await call(path, { key: null }), 401, 'invalid_credentials')
  while (!logs.join('').includes(made.id)) await new Promise(setImmediate)
})

test('neither tokens nor keys are logged, at the most talkative level', async () => {
  const app = await startApp({ logLevel: 'trace' })
  const { cookie, token } = await signIn(caller(app.address, app.key), app.key)
  await app.call('/v1/pets', fromPage(cookie))
  await app.call(`/console/pets?status=sold`, fromPage(cookie))
  await app.call(SESSION, fromPage(cookie, { method: 'DELETE' }))
  await app.call('/v1/pets', fromPage(cookie))
  await app.service[Symbol.asyncDispose]()
  const log = app.logs.join('')
  assert.ok(log.includes('/console/session') && log.includes('/console/*'))
  assert.ok(!log.includes(token) && !log.includes(app.key) && !log.includes('status=sold'))
})

test('with CONSOLE=off a cookie is nothing, and there is nothing under /console', async () => {
  const on = await startApp()
  const { cookie } = await signIn(on.call, on.key)
  const off = await startApp({ consoleDirectory: undefined, databaseUrl: on.url })
  const send = caller(off.address, on.key)
  assertError(await send('/v1/pets', fromPage(cookie)), 401, 'missing_credentials')
  for (const path of ['/console', '/console/', '/console/pets', SESSION, '/console/assets/x.js'])
    for (const method of ['GET', 'POST', 'DELETE'])
      assertError(await send(path, fromPage(cookie, { method })), 404, 'route_not_found')
  assert.equal((await send('/v1/pets')).status, 200)
})
