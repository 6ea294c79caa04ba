import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../../src/cli/dev/embedded-postgres.ts'
import { generateKey } from '../../../src/lib/ids/key-format.ts'
import { caller, startApp } from '../../support/app.ts'
import { assertError } from '../../support/assert-error.ts'
import { COOKIE_NAME, fromPage, SESSION, signIn } from '../../support/console.ts'
import { addPet, eventsOf, followUntil } from '../../support/events.ts'
import { createTestKey } from '../../support/factories.ts'
import { namedKey } from '../../support/named-key.ts'
import { DatabaseProxy } from '../../support/proxy.ts'
import { startStores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'

const { live, sandbox, call, logs, address } = await startStores({ corsOrigins: ['https://shop.example'] })

const parsed = (line: string) => JSON.parse(line) as { keyId?: string; store?: string }

test('a key is looked up in the store that its text names, and in no other', async () => {
  assert.equal((await live.call('/v1/keys/self')).status, 200)
  assert.equal((await sandbox.call('/v1/keys/self')).status, 200)
  // Each is a key of the right form, in the database of the other store.
  // As an earlier version may add it.
  await live.pool.query('update store set test_keys_elsewhere = false')
  const { key: testKey } = await createTestKey(live.pool, { mode: 'test' })
  await live.pool.query('update store set test_keys_elsewhere = true')
  const { key: liveKey } = await createTestKey(sandbox.pool, { mode: 'live' })
  const unknown = await call('/v1/pets', { key: generateKey('live') })
  for (const key of [testKey, liveKey, generateKey('test'), namedKey('acme')]) {
    const answer = await call('/v1/pets', { key })
    assertError(answer, 401, 'invalid_credentials')
    const { requestId: _, ...body } = answer.body as Record<string, unknown>
    const { requestId: __, ...expected } = unknown.body as Record<string, unknown>
    assert.deepEqual(body, expected)
    assert.equal(answer.headers.get('petstore-mode'), null)
  }
})

test('every response to a key of the sandbox says so, also an error, and no other response does', async () => {
  const { key: limited } = await createTestKey(sandbox.pool, { rateLimit: { quota: 1, windowSeconds: 60 } })
  const { key: narrow } = await createTestKey(sandbox.pool, { scopes: [] })
  const { key: revoked, id } = await createTestKey(sandbox.pool)
  await sandbox.pool.query('update api_keys set revoked_at = now() where id = $1', [id])
  const modeOf = async (path: string, init: Parameters<typeof call>[1], status: number) => {
    const answer = await call(path, init)
    assert.equal(answer.status, status, answer.text)
    return answer.headers.get('petstore-mode')
  }
  const { key } = sandbox
  assert.equal(await modeOf('/v1/pets', { key }, 200), 'test')
  assert.equal(await modeOf('/v1/pets/999', { key }, 404), 'test')
  assert.equal(await modeOf('/v1/nowhere', { key }, 404), 'test')
  assert.equal(await modeOf('/v1/pets', { key, method: 'PUT' }, 405), 'test')
  assert.equal(await modeOf('/v1/pets', { key, method: 'POST', body: 'x' }, 415), 'test')
  assert.equal(await modeOf('/v1/pets', { key: narrow }, 403), 'test')
  assert.equal(await modeOf('/v1/pets', { key: limited }, 200), 'test')
  assert.equal(await modeOf('/v1/pets', { key: limited }, 429), 'test')
  assert.equal(await modeOf('/v1/pets', { key: revoked }, 401), null)
  assert.equal(await modeOf('/v1/pets', {}, 200), null)
  assert.equal(await modeOf('/v1/pets/999', {}, 404), null)
  assert.equal(await modeOf('/livez', { key }, 200), null)
})

test('pages of other origins may read it', async () => {
  const { headers } = await sandbox.call('/v1/pets', { headers: { origin: 'https://shop.example' } })
  assert.match(headers.get('access-control-expose-headers')!, /\bPetstore-Mode\b/)
})

test('a process without a sandbox answers test keys from its only store, and says nothing of a mode', async () => {
  const alone = await startApp()
  const answer = await alone.call('/v1/pets')
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('petstore-mode'), null)
  assert.equal(((await alone.call('/v1/keys/self')).body as { mode: string }).mode, 'test')
  // Nor does the console.
  const session = await signIn(alone.call, alone.key)
  assert.ok(!('isSandbox' in (session.answer.body as object)))
})

test('events of a sandbox have another source', async () => {
  for (const [store, source] of [
    [live, '/v1'],
    [sandbox, '/v1#test'],
  ] as const) {
    const petId = await addPet(store.call)
    const { events } = await followUntil(store.call, '/v1/events?from=oldest', 1)
    const history = eventsOf(await store.call(`/v1/events?petId=${petId}`))
    const newest = eventsOf(await store.call('/v1/events?sort=newest'))
    for (const event of [...events, ...history, ...newest]) assert.equal(event.source, source)
    assert.ok(history.length > 0 && newest.length > 0)
  }
})

test('keys in a URL are each found in their own store', async () => {
  const answer = await call(`/v1/pets?a=${live.key}&b=${sandbox.key}`, { key: null })
  assertError(answer, 401, 'invalid_credentials')
  const lines = () => logs.filter((line) => line.includes('contained this key')).map(parsed)
  await until(() => lines().length === 2)
  const storeOfKey = async ({ pool }: { pool: typeof live.pool }, key: string) => {
    const { rows } = await pool.query<{ id: string }>(
      `select id from api_keys where hash = encode(sha256($1), 'hex')`,
      [key],
    )
    return lines().find(({ keyId }) => keyId === rows[0]?.id)?.store
  }
  assert.equal(await storeOfKey(live, live.key), undefined)
  assert.equal(await storeOfKey(sandbox, sandbox.key), 'test')
  assert.equal(lines().filter(({ store }) => store === undefined).length, 1)
})

test('a key of a store that a later version may have is found in a URL', async () => {
  const answer = await call(`/v1/pets?key=${namedKey('acme')}`, { key: null })
  assertError(answer, 401, 'invalid_credentials')
  assert.match(answer.text, /The URL contains an API key/)
})

test('lines of requests to the sandbox name it', async () => {
  await sandbox.call('/v1/pets', { headers: { 'request-id': 'of-test' } })
  await live.call('/v1/pets', { headers: { 'request-id': 'of-live' } })
  const lineOf = (id: string) => until(() => logs.find((line) => line.includes(`"requestId":"${id}"`)))
  assert.equal(parsed(await lineOf('of-test')).store, 'test')
  assert.ok(!('store' in parsed(await lineOf('of-live'))))
})

test('a session is of the store of its key; its cookie names it', async () => {
  const ofLive = await signIn(call, live.key)
  const ofSandbox = await signIn(call, sandbox.key)
  assert.match(ofLive.token, /^[\w-]{43}$/)
  assert.match(ofSandbox.token, /^test\.[\w-]{43}$/)
  for (const [{ cookie }, mode] of [
    [ofLive, null],
    [ofSandbox, 'test'],
  ] as const) {
    const answer = await call('/v1/pets', fromPage(cookie))
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers.get('petstore-mode'), mode)
    const session = await call(SESSION, fromPage(cookie))
    const { key, isSandbox } = session.body as { key: { mode: string }; isSandbox?: boolean }
    assert.deepEqual([key.mode, isSandbox], mode ? ['test', true] : ['live', undefined])
    // A wait ends with a look at the session again.
    assert.equal((await call('/v1/events?wait=1&from=now', fromPage(cookie))).status, 200)
  }
})

test('a token of one store is none of the other, nor is a store that there is not', async () => {
  const ofLive = await signIn(call, live.key)
  const ofSandbox = await signIn(call, sandbox.key)
  const token = ofSandbox.token.slice('test.'.length)
  for (const value of [
    `test.${ofLive.token}`,
    token,
    `live.${ofLive.token}`,
    `test_acme.${token}`,
    `test.${ofSandbox.token}`,
    `${ofSandbox.token}.`,
    `.${token}`,
    `.${ofLive.token}`,
    `test.${token.slice(1)}`,
    'test.',
    'test',
    '.',
  ])
    assertError(await call('/v1/pets', fromPage(`${COOKIE_NAME}=${value}`)), 401, 'invalid_credentials')
})

test('without a sandbox, a cookie that names one is not valid', async () => {
  const alone = await startApp()
  const { token } = await signIn(alone.call, alone.key)
  assertError(await alone.call('/v1/pets', fromPage(`${COOKIE_NAME}=test.${token}`)), 401, 'invalid_credentials')
})

test('signing in ends the earlier session in its own store', async () => {
  for (const [first, second] of [
    [live, sandbox],
    [sandbox, live],
    [sandbox, sandbox],
  ] as const) {
    const earlier = await signIn(call, first.key)
    assert.equal((await call('/v1/pets', fromPage(earlier.cookie))).status, 200)
    await signIn(call, second.key, earlier.cookie)
    await until(async () => (await call('/v1/pets', fromPage(earlier.cookie))).status === 401)
  }
})

test('signing out ends the session in its own store', async () => {
  const { cookie } = await signIn(call, sandbox.key)
  assert.equal((await call(SESSION, fromPage(cookie, { method: 'DELETE' }))).status, 204)
  assertError(await call('/v1/pets', fromPage(cookie)), 401, 'invalid_credentials')
})

test('signing in waits for no other store, whose session then stays open', async () => {
  await using proxy = await DatabaseProxy.start(sandbox.url)
  const other = await startApp({ databaseUrl: live.url, sandboxUrl: proxy.url })
  const send = caller(other.address, live.key)
  const { cookie } = await signIn(send, sandbox.key)
  proxy.fallSilent()
  const begun = performance.now()
  await signIn(send, live.key, cookie)
  // That store is given up after six seconds at the earliest.
  assert.ok(performance.now() - begun < 5_000)
})

test('made-up test keys count as those of the live store do', async () => {
  const limit = { quota: 3, windowSeconds: 60 }
  const { call: send, sandbox: own } = await startStores({ authFailureLimit: limit })
  for (let i = 0; i < 3; i++)
    assertError(await send('/v1/pets', { key: generateKey('test') }), 401, 'invalid_credentials')
  await until(async () => (await send('/v1/pets', { key: own.key })).status === 429)
})

test('a process for live keys alone says so to a test key, whatever store it is of', async () => {
  const strict = await startStores({ keyMode: 'live', adminPort: await freePort() })
  assert.equal((await strict.live.call('/v1/pets')).status, 200)
  const answer = await strict.sandbox.call('/v1/pets')
  assertError(answer, 401, 'invalid_credentials')
  assert.match(answer.text, /accepts only live keys/)
  assert.ok(address)
})
