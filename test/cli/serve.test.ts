import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { caller, postJson } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { Creators } from '../support/creators.ts'
import { createDatabase } from '../support/database.ts'
import { createTestKey } from '../support/factories.ts'
import { petstore, serve, serveHere } from '../support/process.ts'
import { DatabaseProxy } from '../support/proxy.ts'
import { RawConnection } from '../support/raw.ts'
import { until } from '../support/until.ts'

const { url, pool } = await createDatabase()
const { key } = await createTestKey(pool)

test('every fault of the configuration is reported at once, by name, without its value', async () => {
  const secret = 'hunter2'
  const { code, stderr, stdout } = await petstore(['serve'], {
    DATABASE_URL: `mysql://root:${secret}@db`,
    ALLOW_UNSAFE_DATABASE: 'fsync,everything',
    PORT: '80800',
    ADMIN_PORT: 'no',
    WORKERS: '0',
    MAX_IN_FLIGHT: '0',
    DRAIN_DELAY: '-1',
    REDIS_URL: `https://:${secret}@cache`,
    RATE_LIMIT: '100',
    AUTH_FAILURE_LIMIT: '0/s',
    KEY_MODE: 'production',
    TRUST_PROXY: '10.0.0.0/33',
    PUBLIC_BASE_URL: 'pets.example',
    CORS_ORIGINS: 'https://shop.example/path',
    SECURITY_CONTACT: `https://me:${secret}@pets.example/security`,
    CLOSING_TIME: '24:00',
    LOG_LEVEL: 'loud',
  })
  assert.equal(code, 1)
  assert.equal(stdout, '')
  const names = [
    'DATABASE_URL',
    'ALLOW_UNSAFE_DATABASE',
    'PORT',
    'ADMIN_PORT',
    'WORKERS',
    'MAX_IN_FLIGHT',
    'DRAIN_DELAY',
    'REDIS_URL',
    'RATE_LIMIT',
    'AUTH_FAILURE_LIMIT',
    'KEY_MODE',
    'TRUST_PROXY',
  ]
  for (const name of [...names, 'PUBLIC_BASE_URL', 'CORS_ORIGINS', 'SECURITY_CONTACT', 'CLOSING_TIME', 'LOG_LEVEL'])
    assert.match(stderr, new RegExp(`^  ${name} must be .+`, 'm'))
  assert.match(stderr, /postgres:\/\/user:password@host:5432\/petstore/)
  assert.ok(!stderr.includes(secret))
  assert.match((await petstore(['serve'])).stderr, /^ {2}DATABASE_URL is required/m)
})

test('a port that is taken is reported as such', async () => {
  await using service = await serveHere(url)
  const { host, port } = new URL(service.address)
  const { code, stderr } = await petstore(['serve'], { DATABASE_URL: url, PORT: port, ADMIN_PORT: '0' })
  assert.equal(code, 1)
  assert.ok(stderr.includes(`The port is taken: ${host} is in use by another process.`), stderr)
})

test('a database that lacks a migration is not ready, and says what to run', async () => {
  const { url: empty } = await createDatabase({ empty: true })
  await using service = await serveHere(empty)
  const call = caller(service.address, key)
  const answer = await call('/readyz')
  assertError(answer, 503, 'unavailable')
  assert.match(answer.text, /Run `petstore migrate`/)
  assert.equal((await petstore(['migrate'], { DATABASE_URL: empty })).code, 0)
  assert.equal((await call('/readyz')).status, 200)
})

test('requests to a database without tables get 503, and the log says once what to run', async () => {
  const { url: empty, pool: emptyPool } = await createDatabase({ empty: true })
  await using service = await serveHere(empty)
  const { address, output, heard } = service
  const call = caller(address, key)
  for (const path of ['/v1/pets', '/v1/pets/1', '/v1/pets?status=sold', '/v1/keys/self'])
    assertError(await call(path), 503, 'unavailable')
  await heard(() => output.stdout.includes('/v1/keys/self'))
  const timesSaid = () => output.stdout.match(/"msg":"[^"]*`petstore migrate`/g)?.length
  assert.equal(timesSaid(), 1)
  assert.ok(!output.stdout.includes('"stack"'))

  assert.equal((await petstore(['migrate'], { DATABASE_URL: empty })).code, 0)
  const created = await createTestKey(emptyPool)
  assert.equal((await call('/v1/pets', { key: created.key })).status, 200)
  await heard(() => output.stdout.includes('the database schema is up to date'))
  await emptyPool.query('alter table api_keys rename to elsewhere')
  const another = await createTestKey(pool)
  assertError(await call('/v1/pets', { key: another.key }), 503, 'unavailable')
  await heard(() => timesSaid() === 2)
})

test('a database whose migrations are not those of this program is not ready, and says where to look', async () => {
  const { url: other, pool: otherPool } = await createDatabase()
  await otherPool.query(`update schema_migrations set checksum = 'another' where name = '0001_pets.sql'`)
  await using service = await serveHere(other)
  const answer = await caller(service.address, key)('/readyz')
  assertError(answer, 503, 'unavailable')
  assert.match(answer.text, /`petstore migrate --check` for details/)
})

test('every pet survives kill -9 right after its 201', async () => {
  const { address, child, exited } = await serve(url)
  const creators = new Creators(caller(address, key), 16)
  while (creators.confirmed.length < 100) await caller(address, key)('/livez')
  creators.draining = true // from here on a request may fail
  child.kill('SIGKILL')
  assert.deepEqual(await exited, [null, 'SIGKILL'])
  await creators.gone
  await creators.assertAllStored(pool)
})

test('SIGTERM under load: every response is right, nothing confirmed is missing, exit 0 in time', async () => {
  const { address, child, exited } = await serve(url, { DRAIN_DELAY: '1' })
  const call = caller(address, key)
  const creators = new Creators(call, 16)
  while (creators.confirmed.length < 500) await call('/livez')
  creators.draining = true
  child.kill('SIGTERM')
  const stopped = performance.now()
  let readyz = await call('/readyz')
  while (readyz.status === 200) readyz = await call('/readyz') // until the signal has arrived
  assertError(readyz, 503, 'unavailable')
  assert.equal(readyz.headers.get('connection'), 'keep-alive', 'all goes on until whoever sends calls has noticed')
  let last = await call('/livez')
  while (last.headers.get('connection') !== 'close') last = await call('/livez')
  assert.ok(performance.now() - stopped >= 950)
  assert.deepEqual(await exited, [0, null])
  assert.ok(performance.now() - stopped < 5_000)
  await creators.gone
  assert.ok(creators.answeredWhileDraining > 0)
  await creators.assertAllStored(pool)
})

// These wait most of the time.
describe('waits', { concurrency: true }, () => {
  test('a request that never arrives whole does not hold up the end for longer than it may take', async () => {
    await using service = await serveHere(url)
    const { address, stop } = service
    const halves = [
      'GET /docs HT',
      `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 9\r\n\r\n{`,
    ]
    const connections = await Promise.all(halves.map(async (half) => (await RawConnection.open(address)).send(half)))
    assert.equal((await caller(address, key)('/livez')).status, 200) // and so both have arrived
    const stopped = performance.now()
    assert.equal(await stop(), 0)
    assert.ok(performance.now() - stopped < 7_000)
    for (const { socket } of connections) socket.destroy()
  })

  test('the database away for three seconds, as in a switchover: requests wait for it, and none fails', async () => {
    await using proxy = await DatabaseProxy.start(url)
    await using service = await serveHere(proxy.url)
    const { address, output, heard } = service
    const call = caller(address, key)
    for (const path of ['/v1/pets', '/readyz']) await until(async () => (await call(path)).status === 200)
    await proxy.takeAway()
    await heard(() => output.stdout.includes('lost the connection to the database'))
    const newcomer = await createTestKey(pool)
    const pet = postJson({ name: 'held', categoryId: 1 })
    const calls = [
      ...['/v1/pets', '/v1/pets?id=1', '/v1/pets?status=sold'].map((path) => call(path)),
      ...Array.from({ length: 40 }, () => call('/v1/pets', pet)),
      call('/v1/pets', { key: newcomer.key }),
    ]
    await sleep(3_000)
    // Ready as long as requests are held here: they would only fail on another process.
    for (const path of ['/livez', '/readyz']) assert.equal((await call(path)).status, 200)
    await proxy.bringBack()
    const answers = await Promise.all(calls)
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 201]))
    await heard(() => output.stdout.includes('connected to the database again'))
    assert.equal((await call('/readyz')).status, 200)
  })

  test('the database away for long: alive, not ready, requests rejected at once; and back by itself', async () => {
    await using proxy = await DatabaseProxy.start(url)
    await using service = await serveHere(proxy.url)
    const { address, output, heard } = service
    const call = caller(address, key)
    assert.equal((await call('/v1/pets')).status, 200)

    await proxy.takeAway()
    assertError(await call('/v1/pets'), 503, 'unavailable') // held until then
    for (const path of ['/v1/pets', '/v1/pets/1', '/v1/pets?status=sold', '/readyz']) {
      const asked = performance.now()
      const answer = await call(path)
      assertError(answer, 503, 'unavailable')
      assert.equal(answer.headers.get('retry-after'), '1')
      assert.ok(performance.now() - asked < 500, path) // those that wait do so for five seconds
    }
    assertError(await call('/v1/pets', postJson({ name: 'lost', categoryId: 1 })), 503, 'unavailable')
    assert.equal((await call('/livez')).status, 200)
    assertError(await call('/v1/pets', { key: null }), 401, 'missing_credentials')

    await proxy.bringBack()
    const back = performance.now()
    for (;;) {
      const answer = await call('/v1/pets')
      if (answer.status === 200) break
      assert.ok(performance.now() - back < 2_000)
    }
    assert.equal((await call('/readyz')).status, 200)
    await heard(() => output.stdout.includes('notified of key changes again'))
    // One line for each change of state, however often it was tried again meanwhile. On a busy machine it may be lost once more.
    for (const [lost, found] of [
      ['lost the connection to the database', 'connected to the database again'],
      ['lost notifications of key changes', 'notified of key changes again'],
    ] as const) {
      const changes = Array.from(output.stdout.matchAll(new RegExp(`${lost}|${found}`, 'g')), String)
      assert.ok(changes.includes(found))
      assert.deepEqual(
        changes,
        changes.map((_, i) => (i % 2 === 0 ? lost : found)),
      )
    }
    assert.ok(!output.stdout.includes('"stack"'))
  })

  test('SIGTERM ends it in time, also while the database is silent', async () => {
    await using proxy = await DatabaseProxy.start(url)
    const { address, child, exited } = await serve(proxy.url, { DRAIN_DELAY: '1' })
    const call = caller(address, key)
    assert.equal((await call('/v1/pets')).status, 200)
    proxy.fallSilent()
    const unanswered = call('/v1/pets').catch(() => undefined)
    child.kill('SIGTERM')
    const stopped = performance.now()
    assert.deepEqual(await exited, [0, null])
    assert.ok(performance.now() - stopped < 12_500)
    await unanswered
  })
})

test('without a delay it exits after the last response', async () => {
  const { address, stop } = await serveHere(url, { DRAIN_DELAY: '0' })
  assert.equal((await caller(address, key)('/v1/pets')).status, 200) // and its connection stays open
  const stopped = performance.now()
  assert.equal(await stop(), 0)
  assert.ok(performance.now() - stopped < 1_000)
})

test('a second signal ends it at once', async () => {
  const { child, output, exited } = await serve(url, { DRAIN_DELAY: '60' })
  child.kill('SIGTERM')
  while (!output.stdout.includes('draining')) await once(child.stdout, 'data')
  child.kill('SIGTERM')
  assert.deepEqual(await exited, [null, 'SIGTERM'])
})

test('it starts without its database, and serves when that comes', async () => {
  await using proxy = await DatabaseProxy.start(url)
  await proxy.takeAway()
  await using service = await serveHere(proxy.url)
  const call = caller(service.address, key)
  assert.equal((await call('/livez')).status, 200)
  assertError(await call('/readyz'), 503, 'unavailable')
  await proxy.bringBack()
  while ((await call('/readyz')).status !== 200);
  assert.equal((await call('/v1/pets')).status, 200)
})

test('revocations are received again after the listening connection was lost', async () => {
  await using proxy = await DatabaseProxy.start(url)
  await using service = await serveHere(proxy.url)
  const call = caller(service.address, key)
  const leaked = await createTestKey(pool)
  await proxy.takeAway()
  await proxy.bringBack()
  assert.equal((await call('/v1/pets', { key: leaked.key })).status, 200)
  const { code } = await petstore(['keys', 'revoke', leaked.id], { DATABASE_URL: url })
  const revoked = performance.now()
  assert.equal(code, 0)
  for (;;) {
    const { status } = await call('/v1/pets', { key: leaked.key })
    if (status === 401) break
    assert.ok(performance.now() - revoked < 1_000)
  }
})

test('metrics are on a port of their own, by operation and status', async () => {
  await using service = await serveHere(url, { ADMIN_PORT: String(await freePort()) })
  const call = caller(service.address, key)
  await call('/v1/pets')
  await call('/v1/pets', { key: null })
  assertError(await call('/metrics'), 404, 'route_not_found')
  const metricsAddress = /Metrics at (http:[^"]+)"/.exec(service.output.stdout)![1]!
  const metrics = await (await fetch(metricsAddress)).text()
  assert.match(metrics, /^petstore_request_duration_seconds_count\{operation="listPets",status="200"\} 1$/m)
  assert.match(metrics, /^petstore_request_duration_seconds_count\{operation="listPets",status="401"\} 1$/m)
  assert.match(metrics, /^process_cpu_seconds_total /m)
})

test('each request is one line in the log, with its id, operation, status and key', async () => {
  const { address, output, stop } = await serveHere(url)
  await caller(address, key)('/v1/pets/999999', { headers: { 'request-id': 'trace-me' } })
  await stop()
  const lines = output.stdout.split('\n').filter((line) => line.includes('trace-me'))
  assert.equal(lines.length, 1)
  const { requestId, operation, path, status, keyId, method, ms } = JSON.parse(lines[0]!) as Record<string, unknown>
  assert.deepEqual(
    { requestId, operation, path, status, method },
    { requestId: 'trace-me', operation: 'getPet', path: '/v1/pets/:petId', status: 404, method: 'GET' },
  )
  assert.match(String(keyId), /^key_/)
  assert.equal(typeof ms, 'number')
})

test('a request that is rejected for its key is logged with the address of the client, and no other is', async () => {
  const { address, output, stop } = await serveHere(url, { TRUST_PROXY: '127.0.0.1' })
  const call = caller(address, key)
  const from = (client: string) => ({ headers: { 'x-forwarded-for': client } })
  await call('/v1/pets', { key: null, ...from('192.0.2.7') })
  await call('/v1/pets', { key: null, ...from('2001:db8::1:2:3:4') })
  await call('/v1/pets', from('192.0.2.8'))
  await stop()
  assert.deepEqual(
    Array.from(output.stdout.matchAll(/"client":"([^"]+)"/g), ([, client]) => client),
    ['192.0.2.7', '2001:db8:0:0::/64'],
  )
  assert.ok(!output.stdout.includes('192.0.2.8'))
})

for (const args of [
  ['serve', '--port', '9'],
  ['dev', 'now'],
  ['openapi', '--yaml'],
]) {
  test(`petstore ${args.join(' ')} is not understood, and nothing starts`, async () => {
    const { code, stderr } = await petstore(args, { DATABASE_URL: url })
    assert.equal(code, 2)
    assert.match(stderr, /Unknown option|Unexpected argument/)
  })
}

test('a command on a database without our tables says what to run', async () => {
  const { url: empty } = await createDatabase({ empty: true })
  const { code, stderr } = await petstore(['keys', 'list'], { DATABASE_URL: empty })
  assert.equal(code, 1)
  assert.match(stderr, /Run `petstore migrate`/)
})
