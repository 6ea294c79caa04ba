import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { caller, postJson } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { Creators } from '../support/creators.ts'
import { createDatabase } from '../support/database.ts'
import { createTestKey } from '../support/factories.ts'
import { petstore, serve } from '../support/process.ts'
import { DatabaseProxy } from '../support/proxy.ts'
import { RawConnection } from '../support/raw.ts'

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
  for (const name of [...names, 'PUBLIC_BASE_URL', 'CORS_ORIGINS', 'SECURITY_CONTACT', 'LOG_LEVEL'])
    assert.match(stderr, new RegExp(`^  ${name} must be .+`, 'm'))
  assert.match(stderr, /postgres:\/\/user:password@host:5432\/petstore/)
  assert.ok(!stderr.includes(secret))
  assert.match((await petstore(['serve'])).stderr, /^ {2}DATABASE_URL is required/m)
})

test('a port that is taken is reported as such', async () => {
  const { address } = await serve(url)
  const { code, stderr } = await petstore(['serve'], {
    DATABASE_URL: url,
    PORT: new URL(address).port,
    ADMIN_PORT: '0',
  })
  assert.equal(code, 1)
  assert.ok(stderr.includes(`The port is taken: ${new URL(address).host} is in use by another process.`), stderr)
})

test('a database that lacks a migration is not ready, and says what to run', async () => {
  const { url: empty } = await createDatabase({ empty: true })
  const { address } = await serve(empty)
  const call = caller(address, key)
  const answer = await call('/readyz')
  assertError(answer, 503, 'unavailable')
  assert.match(answer.text, /Run `petstore migrate`/)
  assert.equal((await petstore(['migrate'], { DATABASE_URL: empty })).code, 0)
  assert.equal((await call('/readyz')).status, 200)
})

test('requests to a database without tables get 503, and the log says once what to run', async () => {
  const { url: empty, pool: emptyPool } = await createDatabase({ empty: true })
  const { address, child, output } = await serve(empty)
  const call = caller(address, key)
  for (const path of ['/v1/pets', '/v1/pets/1', '/v1/pets?status=sold', '/v1/keys/self'])
    assertError(await call(path), 503, 'unavailable')
  while (!output.stdout.includes('/v1/keys/self')) await once(child.stdout, 'data')
  const timesSaid = () => output.stdout.match(/"msg":"[^"]*`petstore migrate`/g)?.length
  assert.equal(timesSaid(), 1)
  assert.ok(!output.stdout.includes('"stack"'))

  assert.equal((await petstore(['migrate'], { DATABASE_URL: empty })).code, 0)
  const created = await createTestKey(emptyPool)
  assert.equal((await call('/v1/pets', { key: created.key })).status, 200)
  while (!output.stdout.includes('the database schema is up to date')) await once(child.stdout, 'data')
  await emptyPool.query('alter table api_keys rename to elsewhere')
  const another = await createTestKey(pool)
  assertError(await call('/v1/pets', { key: another.key }), 503, 'unavailable')
  while (timesSaid() !== 2) await once(child.stdout, 'data')
})

test('a database whose migrations are not those of this program is not ready, and says where to look', async () => {
  const { url: other, pool: otherPool } = await createDatabase()
  await otherPool.query(`update schema_migrations set checksum = 'another' where name = '0001_pets.sql'`)
  const { address } = await serve(other)
  const answer = await caller(address, key)('/readyz')
  assertError(answer, 503, 'unavailable')
  assert.match(answer.text, /`petstore migrate --check` for details/)
})

test('a pet survives kill -9 right after its 201', async () => {
  for (let i = 0; i < 5; i++) {
    const { address, child, exited } = await serve(url)
    const created = await caller(address, key)('/v1/pets', postJson({ name: `survivor ${i}`, categoryId: 1 }))
    child.kill('SIGKILL')
    assert.equal(created.status, 201)
    assert.deepEqual(await exited, [null, 'SIGKILL'])
    const { rows } = await pool.query('select 1 from pets where id = $1', [(created.body as { id: bigint }).id])
    assert.equal(rows.length, 1)
  }
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

test('a request that never arrives whole does not hold up the end for longer than it may take', async () => {
  const { address, child, exited } = await serve(url, { DRAIN_DELAY: '0' })
  const halves = [
    'GET /docs HT',
    `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 9\r\n\r\n{`,
  ]
  const connections = await Promise.all(halves.map(async (half) => (await RawConnection.open(address)).send(half)))
  assert.equal((await caller(address, key)('/livez')).status, 200) // and so both have arrived
  const stopped = performance.now()
  child.kill('SIGTERM')
  assert.deepEqual(await exited, [0, null])
  assert.ok(performance.now() - stopped < 7_000)
  for (const { socket } of connections) socket.destroy()
})

test('the database away for three seconds, as in a switchover: requests wait for it, and none fails', async () => {
  await using proxy = await DatabaseProxy.start(url)
  const { address, child, output } = await serve(proxy.url)
  const call = caller(address, key)
  for (const path of ['/v1/pets', '/readyz']) assert.equal((await call(path)).status, 200)
  await proxy.takeAway()
  while (!output.stdout.includes('lost the connection to the database')) await once(child.stdout, 'data')
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
  while (!output.stdout.includes('connected to the database again')) await once(child.stdout, 'data')
  assert.equal((await call('/readyz')).status, 200)
})

test('the database away for long: alive, not ready, requests rejected at once; and back by itself', async () => {
  await using proxy = await DatabaseProxy.start(url)
  const { address, child, output } = await serve(proxy.url)
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
  while (!output.stdout.includes('notified of key changes again')) await once(child.stdout, 'data')
  // One line for each change of state, however often it was tried again meanwhile.
  for (const message of ['lost the connection to the database', 'lost notifications of key changes'])
    assert.equal(output.stdout.split(message).length - 1, 1, message)
  assert.ok(!output.stdout.includes('"stack"'))
})

test('without a delay it exits after the last response; a second signal ends it at once', async () => {
  const quick = await serve(url, { DRAIN_DELAY: '0' })
  assert.equal((await caller(quick.address, key)('/v1/pets')).status, 200) // and its connection stays open
  quick.child.kill('SIGTERM')
  const stopped = performance.now()
  assert.deepEqual(await quick.exited, [0, null])
  assert.ok(performance.now() - stopped < 1_000)

  const slow = await serve(url, { DRAIN_DELAY: '60' })
  slow.child.kill('SIGTERM')
  while (!slow.output.stdout.includes('draining')) await once(slow.child.stdout, 'data')
  slow.child.kill('SIGTERM')
  assert.deepEqual(await slow.exited, [null, 'SIGTERM'])
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

test('it starts without its database, and serves when that comes', async () => {
  await using proxy = await DatabaseProxy.start(url)
  await proxy.takeAway()
  const { address } = await serve(proxy.url)
  const call = caller(address, key)
  assert.equal((await call('/livez')).status, 200)
  assertError(await call('/readyz'), 503, 'unavailable')
  await proxy.bringBack()
  while ((await call('/readyz')).status !== 200);
  assert.equal((await call('/v1/pets')).status, 200)
})

test('revocations are received again after the listening connection was lost', async () => {
  await using proxy = await DatabaseProxy.start(url)
  const { address } = await serve(proxy.url)
  const call = caller(address, key)
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
  const { address, output } = await serve(url, { ADMIN_PORT: String(await freePort()) })
  const call = caller(address, key)
  await call('/v1/pets')
  await call('/v1/pets', { key: null })
  assertError(await call('/metrics'), 404, 'route_not_found')
  const metricsAddress = /Metrics at (http:[^"]+)"/.exec(output.stdout)![1]!
  const metrics = await (await fetch(metricsAddress)).text()
  assert.match(metrics, /^petstore_request_duration_seconds_count\{operation="listPets",status="200"\} 1$/m)
  assert.match(metrics, /^petstore_request_duration_seconds_count\{operation="listPets",status="401"\} 1$/m)
  assert.match(metrics, /^process_cpu_seconds_total /m)
})

test('each request is one line in the log, with its id, operation, status and key', async () => {
  const { address, child, output, exited } = await serve(url)
  await caller(address, key)('/v1/pets/999999', { headers: { 'request-id': 'trace-me' } })
  child.kill('SIGTERM')
  await exited
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
  const { address, child, output, exited } = await serve(url, { TRUST_PROXY: '127.0.0.1' })
  const call = caller(address, key)
  const from = (client: string) => ({ headers: { 'x-forwarded-for': client } })
  await call('/v1/pets', { key: null, ...from('192.0.2.7') })
  await call('/v1/pets', { key: null, ...from('2001:db8::1:2:3:4') })
  await call('/v1/pets', from('192.0.2.8'))
  child.kill('SIGTERM')
  await exited
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
