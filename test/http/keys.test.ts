import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateKey } from '../../src/lib/ids/key-format.ts'
import { caller, postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createTestKey } from '../support/factories.ts'

const { call, pool, key, logs, address } = await startApp()
const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)

test('a key of any scope learns what it may do and until when, and no more', async () => {
  const expiresAt = inDays(90)
  const rateLimit = { quota: 6_000, windowSeconds: 60 }
  const made = await createTestKey(pool, { name: 'shop “floor”', scopes: [], mode: 'live', expiresAt, rateLimit })
  const { status, body } = await call('/v1/keys/self', { key: made.key })
  assert.equal(status, 200)
  assert.deepEqual(body, {
    id: made.id,
    name: 'shop “floor”',
    mode: 'live',
    scopes: [],
    createdAt: made.createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    rateLimit: { quota: 6_000n, windowSeconds: 60n },
  })
})

test('without a sandbox, test keys work on the same pets as live keys, and the documentation says so', async () => {
  const live = await createTestKey(pool, { mode: 'live' })
  const added = await call('/v1/pets', postJson({ name: 'Rex', categoryId: 7n }))
  const { id } = added.body as { id: bigint }
  const { body } = await call(`/v1/pets?id=${id}`, { key: live.key })
  assert.deepEqual(body, [added.body])
  const { text } = await call('/docs', { key: null })
  assert.match(
    text.replaceAll(/\s+/g, ' '),
    /Without that header there is no sandbox, and the key works on the live pets/,
  )
})

test('a key without end and limit says so, and one that was replaced names the other', async () => {
  const made = await createTestKey(pool)
  const before = await call('/v1/keys/self', { key: made.key })
  assert.deepEqual(Object.keys(before.body as object), ['id', 'name', 'mode', 'scopes', 'createdAt', 'expiresAt'])
  assert.equal((before.body as { expiresAt: null }).expiresAt, null)
  await pool.query(`update api_keys set replaced_by = 'key_other' where id = $1`, [made.id])
  await pool.query(`select pg_notify('api_keys_changed', $1)`, [made.id])
  const replacedBy = async () =>
    ((await call('/v1/keys/self', { key: made.key })).body as { replacedBy?: string }).replacedBy
  while ((await replacedBy()) === undefined); // until the process has heard of it
  assert.equal(await replacedBy(), 'key_other')
})

test('in its last 14 days, and not before, every response to a key says when it expires', async () => {
  const soon = await createTestKey(pool, { scopes: ['pets:read'], expiresAt: inDays(13.999) })
  const later = await createTestKey(pool, { scopes: ['pets:read'], expiresAt: inDays(14.001) })
  const paths = ['/v1/pets', '/v1/pets/1', '/v1/pets?limit=0', '/v1/nothing', '/v1/keys/self']
  const calls = [
    ...paths.map((path) => [path, {}] as const),
    ['/v1/pets', postJson({ name: 'Rex', categoryId: 1 })], // which it may not
    ['/v1/pets', { method: 'DELETE' }],
    ['/v1/pets', { method: 'HEAD' }],
  ] as const
  for (const [path, init] of calls) {
    const told = (await call(path, { ...init, key: soon.key })).headers.get('petstore-key-expires')
    assert.equal(told, soon.expiresAt!.toUTCString(), path)
    assert.equal((await call(path, { ...init, key: later.key })).headers.has('petstore-key-expires'), false, path)
  }
  assert.equal((await call('/v1/pets')).headers.has('petstore-key-expires'), false, 'a key without end')
})

test('without a working key no response has an expiry', async () => {
  const over = await createTestKey(pool, { expiresAt: new Date(0) })
  for (const other of [over.key, generateKey('live'), null])
    assert.equal((await call('/v1/pets', { key: other })).headers.has('petstore-key-expires'), false)
})

const exposures = () =>
  logs
    .flatMap((chunk) => chunk.trim().split('\n'))
    .map((line) => JSON.parse(line) as { level: number; keyId: string; requestId: string; msg: string })
    .filter(({ msg }) => msg.includes('exposed'))

const PLACES: [name: string, path: (text: string) => string][] = [
  ['a parameter', (text) => `/v1/pets?api_key=${text}`],
  ['a parameter that is read', (text) => `/v1/pets?cursor=${text}&limit=0`],
  ['the place of an id', (text) => `/v1/pets/${text}`],
  ['an unknown path', (text) => `/v1/${text}/pets`],
  ['a path outside of the version', (text) => `/${text}`],
  ['a path that needs no key', (text) => `/livez?key=${text}`],
  ['the middle of other letters', (text) => `/v1/pets?id=petk_live_x${text}x`],
]
for (const [name, path] of PLACES) {
  test(`a key in ${name} is rejected whatever else is right, and logged by its id`, async () => {
    const exposed = await createTestKey(pool)
    for (const other of [key, exposed.key, null]) {
      const answer = await call(path(exposed.key), { key: other })
      assertError(answer, 401, 'invalid_credentials')
      assert.match(answer.text, /treat this key as leaked and ask the operator to rotate it/)
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="petstore", error="invalid_token"')
      const requestId = answer.headers.get('request-id')!
      // Written beside the answer, so it may come a moment later.
      let line = exposures().find((each) => each.requestId === requestId)
      for (let i = 0; !line && i < 1_000; i++) {
        await call('/livez')
        line = exposures().find((each) => each.requestId === requestId)
      }
      assert.deepEqual([line?.keyId, line?.level], [exposed.id, 40])
    }
    assert.equal((await call('/v1/pets', { key: exposed.key })).status, 200, 'it is the operator who takes it back')
  })
}

test('a key that was never created is rejected in a URL too, but not logged', async () => {
  const before = exposures().length
  const [unknown, known] = [generateKey('live'), await createTestKey(pool)]
  assertError(await call(`/v1/pets?key=${unknown}`), 401, 'invalid_credentials')
  assertError(await call(`/v1/pets?key=${known.key}`), 401, 'invalid_credentials')
  for (let i = 0; exposures().length === before && i < 1_000; i++) await call('/livez')
  assert.deepEqual(
    exposures()
      .slice(before)
      .map(({ keyId }) => keyId),
    [known.id],
  )
})

test('what only looks like a key is none', async () => {
  const last = key.endsWith('a') ? 'b' : 'a'
  for (const noise of ['petk_live_', key.slice(0, -1), `${key.slice(0, -1)}${last}`, key.toUpperCase()])
    assert.equal((await call(`/v1/pets?key=${noise}`)).status, 200, noise)
})

test('a CORS preflight is admitted, so that the browser can read the rejection', async () => {
  assert.equal((await call(`/v1/pets?key=${key}`, { method: 'OPTIONS', key: null })).status, 204)
})

test('a key in a URL is rejected without a database', async () => {
  const away = await startApp({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' })
  assertError(await caller(away.address, key)(`/v1/pets?key=${key}`), 401, 'invalid_credentials')
})

test('no line of the log contains a key', () => {
  assert.ok(exposures().length > PLACES.length)
  assert.ok(!logs.some((line) => line.includes('petk_')), address)
})
