import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { rotateKey } from '../../src/domain/key-changes.ts'
import { findKey } from '../../src/domain/keys.ts'
import { parseNetworks } from '../../src/lib/client-address.ts'
import { generateKey } from '../../src/lib/ids/key-format.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createTestKey } from '../support/factories.ts'
import { RawConnection } from '../support/raw.ts'
import { noRedis, startRedis } from '../support/redis.ts'

const QUOTA = 5
const limited = await startApp({ rateLimit: { quota: QUOTA, windowSeconds: 3_600 }, adminPort: await freePort() })
const free = await startApp()
const barring = await startApp({
  authFailureLimit: { quota: 3, windowSeconds: 3_600 },
  trustedProxies: parseNetworks('127.0.0.1'),
  adminPort: await freePort(),
})

const newKey = async (scopes?: ['pets:read']) =>
  (await createTestKey(limited.pool, scopes === undefined ? {} : { scopes })).key
const pet = postJson({ name: 'Rex', categoryId: 1 })

/** Whoever uses the key from now on is refused. */
async function useUp(key: string) {
  for (let i = 0; i < QUOTA; i++) assert.equal((await limited.call('/v1/pets', { key })).status, 200)
}

async function refused(by: string, { service } = limited) {
  const reading = await service.readMetrics()
  const metric = reading.find(({ name }) => name === 'petstore_rate_limited_total')
  return metric?.values.find(({ labels }) => labels['by'] === by)?.value
}

test('every response has the limit and what is left of it, whatever its status', async () => {
  const key = await newKey()
  const answers = [
    await limited.call('/v1/pets', { key }),
    await limited.call('/v1/pets', { ...pet, key }),
    await limited.call('/v1/pets', { ...postJson('{'), key }),
    await limited.call('/v1/pets/999', { key }),
    await limited.call('/v1/pets', { ...pet, key, headers: { 'content-type': 'text/plain' } }),
    await limited.call('/v1/pets', { key }),
  ]
  assert.deepEqual(
    // A second may pass.
    answers.map(({ status, headers }) => `${status} ${headers.get('ratelimit')?.replace(/;t=3(?:600|59\d)$/, '')}`),
    [200, 201, 400, 404, 415, 429].map((status, i) => `${status} "default";r=${Math.max(0, 4 - i)}`),
  )
  for (const { headers } of answers) assert.equal(headers.get('ratelimit-policy'), '"default";q=5;w=3600')
})

test('requests beyond the limit are rejected with 429 and Retry-After; other keys are not affected', async () => {
  const key = await newKey()
  await useUp(key)
  const before = await refused('key')
  for (const call of [{ key }, { ...pet, key }]) {
    const answer = await limited.call('/v1/pets', call)
    assertError(answer, 429, 'rate_limited')
    assert.match(answer.headers.get('retry-after')!, /^3(600|599)$/)
  }
  assert.equal(await refused('key'), Number(before) + 2)
  assert.match(limited.logs.join(''), /"status":429,.*"code":"rate_limited"/)
  assert.equal((await limited.call('/v1/pets', { key: await newKey() })).status, 200)
  const { rows } = await limited.pool.query('select count(*)::int as pets from pets')
  assert.deepEqual(rows, [{ pets: 1 }], 'only the one of the test above')
})

test('requests rejected before the limit is checked count too; later checks are skipped beyond the limit', async () => {
  const key = await newKey(['pets:read'])
  const refusals = [
    [await limited.call('/v1/nothing', { key }), 404, 'route_not_found'],
    [await limited.call('/v1/pets', { method: 'DELETE', key }), 405, 'method_not_allowed'],
    [await limited.call('/v1/pets', { ...pet, key }), 403, 'insufficient_scope'],
  ] as const
  for (const [i, [answer, status, code]] of refusals.entries()) {
    assertError(answer, status, code)
    assert.equal(answer.headers.get('ratelimit'), `"default";r=${QUOTA - 1 - i};t=3600`)
  }
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { responses: Record<string, { headers: object }> }>>
  }
  assert.ok('RateLimit' in paths['/pets']!['post']!.responses['403']!.headers, 'as the document says')
  for (let i = refusals.length; i < QUOTA; i++) await limited.call('/v1/pets', { key })
  assertError(await limited.call('/v1/pets', { key }), 429, 'rate_limited')
  assertError(await limited.call('/v1/nothing', { key }), 404, 'route_not_found')
  assertError(await limited.call('/v1/pets', { ...pet, key }), 403, 'insufficient_scope')
  const writer = await newKey()
  await useUp(writer)
  const wrong = { ...pet, key: writer, headers: { 'content-type': 'text/plain' } }
  const answer = await limited.call('/v1/pets', wrong)
  assertError(answer, 429, 'rate_limited')
  assert.equal(answer.headers.get('connection'), 'close', 'its body was not read')
})

test('a client that waits for 100 Continue is rejected before it sends its body', async () => {
  const key = await newKey()
  await useUp(key)
  const connection = await RawConnection.open(limited.address)
  const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
  const [answer] = await connection.send(`${head}Content-Length: 30\r\nExpect: 100-continue\r\n\r\n`).untilClosed()
  assert.equal(answer!.status, 429)
  assert.doesNotMatch(connection.received, /100 Continue/)
})

test('a limit of its own holds for a key in place of that of all, narrower or wider; each key can read its own', async () => {
  const own = async (quota: number) => await createTestKey(limited.pool, { rateLimit: { quota, windowSeconds: 3_600 } })
  const self = async (key: string) => (await limited.call('/v1/keys/self', { key })).body as { rateLimit: object }
  const [narrow, wide] = [await own(2), await own(QUOTA + 2)]
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) statuses.push((await limited.call('/v1/pets', { key: narrow.key })).status)
  assert.deepEqual(statuses, [200, 200, 429])
  await useUp(wide.key)
  const answer = await limited.call('/v1/pets', { key: wide.key })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('ratelimit-policy'), '"default";q=7;w=3600')
  assert.deepEqual((await self(wide.key)).rateLimit, { quota: 7n, windowSeconds: 3_600n })
  assert.deepEqual((await self(await newKey())).rateLimit, { quota: BigInt(QUOTA), windowSeconds: 3_600n })
})

test('a rotated key and its successor share one quota', async () => {
  await using db = new Database(limited.url, () => {})
  const { id, key } = await createTestKey(limited.pool)
  const old = await findKey({ db }, id)
  const successor = await rotateKey({ db }, 'test', old!, 3_600_000)
  const used = [key, successor!.key, key, successor!.key, successor!.key]
  for (const each of used) assert.equal((await limited.call('/v1/pets', { key: each })).status, 200)
  for (const each of [key, successor!.key])
    assertError(await limited.call('/v1/pets', { key: each }), 429, 'rate_limited')
})

test('without a limit no header is sent, and nothing is rejected', async () => {
  for (let i = 0; i < 50; i++) {
    const { status, headers } = await free.call('/v1/pets')
    assert.equal(status, 200)
    assert.equal(headers.get('ratelimit') ?? headers.get('ratelimit-policy'), null)
  }
})

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

test('an address that sent too many wrong keys is rejected before its key is checked', async () => {
  const wrong = { ...from('203.0.113.7'), key: generateKey('live') }
  assertError(await barring.call('/v1/pets', wrong), 401, 'invalid_credentials')
  assertError(await barring.call('/v1/pets', { ...from('203.0.113.7'), key: 'noise' }), 401, 'invalid_credentials')
  assert.equal((await barring.call('/v1/pets', from('203.0.113.7'))).status, 200, 'a right one is not counted')
  assertError(await barring.call('/v1/pets', wrong), 401, 'invalid_credentials')

  for (const call of [wrong, { ...from('203.0.113.7'), key: null }, from('203.0.113.7')]) {
    const answer = await barring.call('/v1/pets', call)
    assertError(answer, 429, 'rate_limited')
    assert.match(answer.headers.get('retry-after')!, /^3(600|599)$/)
  }
  assert.equal(await refused('address', barring), 3)
})

test('images on a page cannot block the address of an office: without an Authorization header nothing is counted', async () => {
  const office = from('203.0.113.10')
  for (let i = 0; i < 20; i++) {
    assertError(await barring.call('/v1/pets', { ...office, key: null }), 401, 'missing_credentials')
    const exposing = await barring.call(`/v1/pets?key=${generateKey('live')}`, { ...office, key: null })
    assertError(exposing, 401, 'invalid_credentials')
  }
  assert.equal((await barring.call('/v1/pets', office)).status, 200)
})

test('other errors with a valid key do not count as failed authentication', async () => {
  for (let i = 0; i < 5; i++) {
    assert.equal((await barring.call('/v1/pets/999', from('203.0.113.9'))).status, 404)
    assert.equal((await barring.call('/v1/pets?limit=0', from('203.0.113.9'))).status, 400)
  }
})

test('other addresses are not concerned, nor is what needs no key', async () => {
  assert.equal((await barring.call('/v1/pets', from('203.0.113.8'))).status, 200)
  assert.equal((await barring.call('/v1/pets')).status, 200)
  const barred = from('203.0.113.7')
  assert.equal((await barring.call('/v1/pets', { ...barred, method: 'OPTIONS', key: null })).status, 204)
  assert.equal((await barring.call('/livez', { ...barred, key: null })).status, 200)
})

test('where no limit is set, wrong keys get their usual responses', async () => {
  for (let i = 0; i < 50; i++) assertError(await free.call('/v1/pets', { key: 'noise' }), 401, 'invalid_credentials')
})

test('processes count together in Redis, and continue on their own without it', { skip: noRedis }, async () => {
  const redis = await startRedis()
  const shared = { redisUrl: redis.url, rateLimit: { quota: QUOTA, windowSeconds: 3_600 } }
  const first = await startApp({ ...shared, adminPort: await freePort() })
  const second = await startApp({ ...shared, databaseUrl: first.url })
  const isUp = async () => {
    const reading = await first.service.readMetrics()
    return reading.find(({ name }) => name === 'petstore_rate_limit_store_up')?.values[0]?.value
  }
  const statuses = async (key: string) => {
    const both = [first, second].flatMap(({ call }) => Array.from({ length: 8 }, () => call('/v1/pets', { key })))
    return (await Promise.all(both)).map(({ status }) => status).toSorted((a, b) => a - b)
  }
  const times = (count: number, status: number) => Array.from({ length: count }, () => status)

  assert.equal(await isUp(), 1)
  assert.deepEqual(await statuses(first.key), [...times(QUOTA, 200), ...times(16 - QUOTA, 429)])
  await redis.kill()
  const { key } = await createTestKey(first.pool)
  assert.deepEqual(await statuses(key), [...times(2 * QUOTA, 200), ...times(16 - 2 * QUOTA, 429)])
  assert.equal(await isUp(), 0)
  assert.equal(first.logs.filter((line) => line.includes('lost the connection to Redis')).length, 1)
})

test('a Redis that rejects the password counts as unreachable, and the password stays secret', {
  skip: noRedis,
}, async () => {
  const { url } = await startRedis()
  const app = await startApp({
    redisUrl: url.replace('//', '//petstore:hunter2@'),
    rateLimit: { quota: 1, windowSeconds: 3_600 },
  })
  assert.equal((await app.call('/v1/pets')).status, 200)
  assert.equal((await app.call('/v1/pets')).status, 429)
  assert.match(app.logs.join(''), /WRONGPASS/)
  assert.ok(!app.logs.join('').includes('hunter2'))
})
