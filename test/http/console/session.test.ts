import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { readConfig } from '../../../src/config.ts'
import { generateKey } from '../../../src/lib/ids/key-format.ts'
import { startApp } from '../../support/app.ts'
import { assertError } from '../../support/assert-error.ts'
import { COOKIE_NAME, fromPage, SESSION, signIn, tokenIn } from '../../support/console.ts'
import { createTestKey } from '../../support/factories.ts'
import { until } from '../../support/until.ts'

const { call, pool, key } = await startApp()

const isSignedIn = async (cookie: string) => (await call('/v1/keys/self', fromPage(cookie))).status === 200

/** Moves the clock of a session, as if so much time had passed. */
const age = (token: string, interval: string) =>
  pool.query(
    `update console_sessions set created_at = created_at - $2::interval, last_seen_at = last_seen_at - $2::interval,
       ends_at = ends_at - $2::interval where token_sha256 = decode($1, 'hex')`,
    [hash('sha256', token), interval],
  )
const rowOf = async (token: string) => {
  const { rows } = await pool.query<{ age: number; left: number; key_id: string }>(
    `select key_id, extract(epoch from now() - last_seen_at)::float8 as age, extract(epoch from ends_at - now())::float8 as left
     from console_sessions where token_sha256 = decode($1, 'hex')`,
    [hash('sha256', token)],
  )
  return rows[0]
}

test('signing in sets the cookie and returns the key, without its secret, and the end of the session', async () => {
  const { answer, token } = await signIn(call, key)
  const self = await call('/v1/keys/self')
  const { endsAt, ...body } = answer.body as { key: unknown; endsAt: string }
  assert.deepEqual(body, { key: self.body, closingTime: '18:00' })
  assert.ok(Math.abs(Date.parse(endsAt) - Date.now() - 12 * 3_600_000) < 60_000, endsAt)
  assert.match(token, /^[0-9A-Za-z_-]{43}$/)
  assert.deepEqual(answer.headers.getSetCookie(), [
    `${COOKIE_NAME}=${token}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=43200`,
  ])
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.ok(!answer.text.includes('petk_') && !answer.text.includes(token))
})

test('the database has the hash of the token, never the token', async () => {
  const { token } = await signIn(call, key)
  const row = await rowOf(token)
  assert.equal(row?.key_id, ((await call('/v1/keys/self')).body as { id: string }).id)
  const { rows } = await pool.query<{ text: string }>('select console_sessions::text as text from console_sessions')
  assert.ok(rows.length > 0 && rows.every(({ text }) => !text.includes(token)))
})

test('GET says who is signed in, and that nobody is, with 200 each time', async () => {
  const { answer, cookie } = await signIn(call, key)
  const found = await call(SESSION, fromPage(cookie))
  assert.deepEqual([found.status, found.body], [200, answer.body])
  for (const nobody of [
    undefined,
    `${COOKIE_NAME}=`,
    `${COOKIE_NAME}=${randomBytes(32).toString('base64url')}`,
    'a=b',
  ]) {
    const none = await call(SESSION, fromPage(nobody))
    assert.deepEqual([none.status, none.text, none.headers.getSetCookie()], [200, '{"key":null}', []])
  }
})

test('GET and POST say when the store closes, and whom to ask, which those may know who are signed out', async () => {
  const securityContact = 'mailto:owner@pets.example'
  const app = await startApp({ closingTime: '17:30', securityContact })
  const { answer, cookie } = await signIn(app.call, app.key)
  const { closingTime, contact } = answer.body as Record<string, unknown>
  assert.deepEqual([closingTime, contact], ['17:30', securityContact])
  assert.deepEqual((await app.call(SESSION, fromPage(cookie))).body, answer.body)
  assert.deepEqual((await app.call(SESSION, fromPage())).body, { key: null, contact: securityContact })
})

test('CLOSING_TIME is a time of day, and says what is allowed', () => {
  const closingTimeOf = (text: string | undefined) =>
    readConfig({ DATABASE_URL: 'postgres://unused/petstore', CLOSING_TIME: text }).closingTime
  assert.deepEqual([undefined, ''].map(closingTimeOf), ['18:00', '18:00'])
  for (const text of ['00:00', '09:05', '18:00', '23:59']) assert.equal(closingTimeOf(text), text)
  for (const text of ['24:00', '18:60', '9:00', '18', '6pm', '18:00:00', '18:00 ', '-1:00', '١٨:٠٠', '18.00'])
    assert.throws(() => closingTimeOf(text), /CLOSING_TIME must be a time of day from 00:00 to 23:59, like 18:00/, text)
})

test('a session does what its key may do under /v1, reads and writes', async () => {
  const { cookie } = await signIn(call, key)
  const body = JSON.stringify({ name: 'Rex', categoryId: 7 })
  const headers = { 'content-type': 'application/json' }
  const created = await call('/v1/pets', fromPage(cookie, { method: 'POST', body, headers }))
  assert.equal(created.status, 201, created.text)
  const { id } = created.body as { id: bigint }
  assert.equal((await call(`/v1/pets/${id}`, fromPage(cookie))).status, 200)
})

test('the scopes are those of the key', async () => {
  const reader = await createTestKey(pool, { scopes: ['pets:read'] })
  const { cookie } = await signIn(call, reader.key)
  assert.equal((await call('/v1/pets', fromPage(cookie))).status, 200)
  assertError(await call('/v1/events', fromPage(cookie)), 403, 'insufficient_scope')
})

test('a key in the Authorization header decides alone, whatever the cookie says', async () => {
  const reader = await createTestKey(pool, { scopes: ['pets:read'] })
  const { cookie } = await signIn(call, key)
  const authorization = `Bearer ${reader.key}`
  assertError(await call('/v1/events', fromPage(cookie, { headers: { authorization } })), 403, 'insufficient_scope')
  const wrong = { headers: { authorization: `Bearer ${generateKey('test')}` } }
  assertError(await call('/v1/pets', fromPage(cookie, wrong)), 401, 'invalid_credentials')
  const basic = { headers: { authorization: 'Basic abc' } }
  assertError(await call('/v1/pets', fromPage(cookie, basic)), 401, 'missing_credentials')
})

test('DELETE ends the session everywhere, and clears the cookie', async () => {
  const { cookie, token } = await signIn(call, key)
  const ended = await call(SESSION, fromPage(cookie, { method: 'DELETE' }))
  assert.deepEqual([ended.status, ended.text], [204, ''])
  assert.deepEqual(ended.headers.getSetCookie(), [
    `${COOKIE_NAME}=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0`,
  ])
  assertError(await call('/v1/pets', fromPage(cookie)), 401, 'invalid_credentials')
  assert.equal(await rowOf(token), undefined)
  assert.equal((await call(SESSION, fromPage(cookie, { method: 'DELETE' }))).status, 204)
  assert.equal((await call(SESSION, fromPage(undefined, { method: 'DELETE' }))).status, 204)
})

test('a wrong key does not sign in', async () => {
  const post = (headers: Record<string, string>) => call(SESSION, fromPage(undefined, { method: 'POST', headers }))
  const revoked = await createTestKey(pool)
  await pool.query('update api_keys set revoked_at = now() where id = $1', [revoked.id])
  const expired = await createTestKey(pool, { expiresAt: new Date(Date.now() - 1_000) })
  for (const [headers, code] of [
    [{}, 'missing_credentials'],
    [{ authorization: key }, 'missing_credentials'],
    [{ authorization: 'Bearer noise' }, 'invalid_credentials'],
    [{ authorization: `Bearer ${generateKey('live')}` }, 'invalid_credentials'],
    [{ authorization: `Bearer ${revoked.key}` }, 'revoked_credentials'],
    [{ authorization: `Bearer ${expired.key}` }, 'expired_credentials'],
  ] as const) {
    const answer = await post(headers)
    assertError(answer, 401, code)
    assert.deepEqual(answer.headers.getSetCookie(), [])
  }
})

test('the key is read from the header only: not from a body, a cookie or the URL', async () => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ key })
  assertError(await call(SESSION, fromPage(undefined, { method: 'POST', headers, body })), 401, 'missing_credentials')
  assertError(await call(SESSION, fromPage(`key=${key}`, { method: 'POST' })), 401, 'missing_credentials')
  const authorization = `Bearer ${key}`
  const inUrl = await call(`${SESSION}?key=${key}`, fromPage(undefined, { method: 'POST', headers: { authorization } }))
  assertError(inUrl, 401, 'invalid_credentials')
})

test('each sign-in makes a new token and ends the session that the browser had', async () => {
  const first = await signIn(call, key)
  const second = await signIn(call, key, first.cookie)
  assert.notEqual(second.token, first.token)
  assert.equal(await isSignedIn(first.cookie), false)
  assert.equal(await isSignedIn(second.cookie), true)
})

test('a token that was put into the browser before never becomes a session', async () => {
  const planted = randomBytes(32).toString('base64url')
  const { token } = await signIn(call, key, `${COOKIE_NAME}=${planted}`)
  assert.notEqual(token, planted)
  assert.equal(await isSignedIn(`${COOKIE_NAME}=${planted}`), false)
})

test('signing in does not end the session of another browser with the same key', async () => {
  const first = await signIn(call, key)
  const second = await signIn(call, key)
  assert.deepEqual([await isSignedIn(first.cookie), await isSignedIn(second.cookie)], [true, true])
})

test('a session ends twelve hours after the sign-in, however busy it is', async () => {
  const { cookie, token } = await signIn(call, key)
  await age(token, '11 hours 59 minutes')
  await pool.query(`update console_sessions set last_seen_at = now() where token_sha256 = decode($1, 'hex')`, [
    hash('sha256', token),
  ])
  assert.equal(await isSignedIn(cookie), true)
  await pool.query(
    `update console_sessions set ends_at = ends_at - interval '1 minute' where token_sha256 = decode($1, 'hex')`,
    [hash('sha256', token)],
  )
  assertError(await call('/v1/pets', fromPage(cookie)), 401, 'expired_credentials')
  assert.equal((await call(SESSION, fromPage(cookie))).text, '{"key":null}')
})

test('a session ends after an hour without a request, and a request in time keeps it', async () => {
  const idle = await signIn(call, key)
  const used = await signIn(call, key)
  for (const { token } of [idle, used]) await age(token, '59 minutes')
  assert.equal(await isSignedIn(used.cookie), true)
  while (((await rowOf(used.token))?.age ?? 0) > 60) await new Promise(setImmediate)
  for (const { token } of [idle, used]) await age(token, '61 seconds')
  assertError(await call('/v1/pets', fromPage(idle.cookie)), 401, 'expired_credentials')
  assert.equal(await isSignedIn(used.cookie), true)
  assert.ok(((await rowOf(idle.token))?.age ?? 0) > 3_600, 'the rejected request does not bring it back')
})

test('the last use is written at most once a minute', async () => {
  const { cookie, token } = await signIn(call, key)
  const versionOf = async () =>
    (
      await pool.query<{ xmin: string }>(
        `select xmin::text from console_sessions where token_sha256 = decode($1, 'hex')`,
        [hash('sha256', token)],
      )
    ).rows[0]?.xmin
  const before = await versionOf()
  for (let i = 0; i < 20; i++) await isSignedIn(cookie)
  assert.equal(await versionOf(), before)
})

test('asking who is signed in, which an open page does by itself, does not keep a session', async () => {
  const { cookie, token } = await signIn(call, key)
  await age(token, '30 minutes')
  for (let i = 0; i < 5; i++) assert.match((await call(SESSION, fromPage(cookie))).text, /"endsAt"/)
  // Were it noted, this sign-in would be written after it.
  await signIn(call, key)
  assert.ok(((await rowOf(token))?.age ?? 0) > 1_799)
})

test('long polls of the feed, which an open page sends by itself, do not keep a session', async () => {
  const { cookie, token } = await signIn(call, key)
  await age(token, '30 minutes')
  for (let i = 0; i < 5; i++) assert.equal((await call('/v1/events?from=now', fromPage(cookie))).status, 200)
  // Were it noted, this sign-in would be written after it.
  await signIn(call, key)
  assert.ok(((await rowOf(token))?.age ?? 0) > 1_799)
})

test('a revoked key ends its sessions within two seconds', async () => {
  const made = await createTestKey(pool)
  const { cookie } = await signIn(call, made.key)
  assert.equal(await isSignedIn(cookie), true)
  await pool.query(
    `with gone as (update api_keys set revoked_at = now() where id = $1)
    select pg_notify('api_keys_changed', $1)`,
    [made.id],
  )
  await until(async () => !(await isSignedIn(cookie)), 2_000)
  assertError(await call('/v1/pets', fromPage(cookie)), 401, 'revoked_credentials')
  assert.equal((await call(SESSION, fromPage(cookie))).text, '{"key":null}')
})

test('a session ends with the expiry of its key', async () => {
  const made = await createTestKey(pool, { expiresAt: new Date(Date.now() + 60_000) })
  const { cookie, answer } = await signIn(call, made.key)
  assert.ok(answer.headers.get('petstore-key-expires'))
  assert.equal(await isSignedIn(cookie), true)
  await pool.query(
    `with soon as (update api_keys set expires_at = now() + interval '300 ms' where id = $1)
    select pg_notify('api_keys_changed', $1)`,
    [made.id],
  )
  await until(async () => !(await isSignedIn(cookie)))
  assertError(await call('/v1/pets', fromPage(cookie)), 401, 'expired_credentials')
})

test('a key has a hundred sessions at most: the oldest makes room', async () => {
  const made = await createTestKey(pool)
  const first = await signIn(call, made.key)
  for (let i = 0; i < 99; i++) await signIn(call, made.key)
  assert.equal(await isSignedIn(first.cookie), true)
  const last = await signIn(call, made.key)
  assert.deepEqual([await isSignedIn(first.cookie), await isSignedIn(last.cookie)], [false, true])
  assert.equal(tokenIn(last.answer), last.token)
})
