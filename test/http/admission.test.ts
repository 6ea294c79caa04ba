import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { readConfig } from '../../src/config.ts'
import { generateKey } from '../../src/lib/ids/key-format.ts'
import { postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createTestKey } from '../support/factories.ts'
import { RawConnection } from '../support/raw.ts'
import { SHORT } from '../support/times.ts'
import { until } from '../support/until.ts'

const MAX_IN_FLIGHT = 5
const { address, call, key, logs, pool, service } = await startApp({
  maxInFlight: MAX_IN_FLIGHT,
  adminPort: await freePort(),
})
assert.equal((await call('/v1/pets')).status, 200) // and so its key is known
const revoked = await createTestKey(pool)
await pool.query('update api_keys set revoked_at = now() where id = $1', [revoked.id])
assert.equal((await call('/v1/pets', { key: revoked.key })).status, 401)

async function metric(name: string, of = service) {
  const reading = await of.readMetrics()
  return reading.find((one) => one.name === name)?.values[0]?.value
}

async function untilInFlight(count: number, of = service) {
  while ((await metric('petstore_requests_in_flight', of)) !== count) await nextTurn()
}

/** While as many creates as are admitted wait for a lock, and with that lock. */
async function whileFull(work: () => Promise<void>) {
  const lock = await pool.connect()
  await lock.query('begin; lock table pets in share mode')
  const waiting = Array.from({ length: MAX_IN_FLIGHT }, () =>
    call('/v1/pets', postJson({ name: 'waits', categoryId: 1 })),
  )
  await untilInFlight(MAX_IN_FLIGHT)
  try {
    await work()
  } finally {
    await lock.query('rollback')
    lock.release()
  }
  for (const { status } of await Promise.all(waiting)) assert.equal(status, 201)
  await untilInFlight(0)
}

test('requests beyond the cap are rejected at once, with Retry-After', async () => {
  await whileFull(async () => {
    for (const path of ['/v1/pets', '/v1/pets/1', '/v1/nowhere']) {
      const asked = performance.now()
      const answer = await call(path)
      assertError(answer, 503, 'overloaded')
      assert.equal(answer.headers.get('retry-after'), '1')
      assert.equal(answer.headers.get('connection'), 'keep-alive')
      const ms = performance.now() - asked
      // The others wait for a lock that is held until then.
      assert.ok(ms < 1_000, `${ms} ms`)
    }
    const refused = await call('/v1/pets', postJson({ name: 'too many', categoryId: 1 }))
    assertError(refused, 503, 'overloaded')
  })
  assert.equal(await metric('petstore_requests_shed_total'), 4)
  const { rows } = await pool.query(`select 1 from pets where name = 'too many'`)
  assert.equal(rows.length, 0)
})

test('a request whose key is being looked up takes no slot, and is rejected if all are taken by then', async () => {
  const unknown = await createTestKey(pool, { expiresAt: new Date(Date.now() + 86_400_000) })
  const keys = await pool.connect()
  await keys.query('begin; lock table api_keys')
  const late = call('/v1/pets', { ...postJson({ name: 'too late', categoryId: 1 }), key: unknown.key })
  const waiting = `select from pg_locks where not granted and relation = 'api_keys'::regclass`
  while ((await pool.query(waiting)).rowCount === 0) await nextTurn()
  assert.equal(await metric('petstore_requests_in_flight'), 0)
  await whileFull(async () => {
    await keys.query('rollback')
    const rejected = await late
    assertError(rejected, 503, 'overloaded')
    // As if its key had not been looked up.
    assert.equal(rejected.headers.get('petstore-key-expires'), null)
    const line = await until(() => logs.find((each) => each.includes(rejected.headers.get('request-id')!)))
    assert.ok(!line.includes(unknown.id), line)
  })
  keys.release()
  assert.equal((await call('/v1/pets', { key: unknown.key })).status, 200)
  assert.equal((await pool.query(`select from pets where name = 'too late'`)).rowCount, 0)
})

test('a rejected client keeps its connection if its whole body came with the head, and only then', async () => {
  const body = '{"name":"too many","categoryId":1}'
  const head = `Host: x\r\nAuthorization: Bearer ${key}\r\n`
  const post = `POST /v1/pets HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n`
  await whileFull(async () => {
    const whole = await RawConnection.open(address)
    const answers = await whole.send(`${post}${body}`.repeat(2)).send(`GET /livez HTTP/1.1\r\n${head}\r\n`).answers(3)
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get('connection')]),
      [503, 503, 200].map((status) => [status, 'keep-alive']),
    )
    whole.socket.destroy()

    const torn = await RawConnection.open(address)
    const [refused] = await torn.send(post).answers(1)
    assert.equal(refused?.status, 503)
    assert.equal(refused?.headers.get('connection'), 'close')
    torn.send(`${body}GET /livez HTTP/1.1\r\n${head}\r\n`)
    assert.equal((await torn.untilClosed()).length, 1)
  })
})

test('health, OPTIONS and keys that are known to be wrong get their usual responses', async () => {
  await whileFull(async () => {
    for (const path of ['/livez', '/readyz', '/openapi.json']) assert.equal((await call(path)).status, 200)
    assert.equal((await call('/v1/pets', { method: 'OPTIONS' })).status, 204)
    assertError(await call('/v1/pets', { key: null }), 401, 'missing_credentials')
    assertError(await call('/v1/pets', { key: 'noise' }), 401, 'invalid_credentials')
    assertError(await call('/v1/pets', { key: revoked.key }), 401, 'revoked_credentials')
  })
})

test('for a key that is not at hand the database is not asked', async () => {
  const newcomer = await createTestKey(pool)
  await whileFull(async () => {
    assertError(await call('/v1/pets', { key: newcomer.key }), 503, 'overloaded')
    assertError(await call('/v1/pets', { key: generateKey('live') }), 503, 'overloaded')
  })
  assert.equal((await call('/v1/pets', { key: newcomer.key })).status, 200)
})

test('no request stays counted, however it ends', async () => {
  // Its end waits for the requests that never arrive.
  const roomy = await startApp({ adminPort: await freePort() }, { clients: SHORT.clients })
  const { port } = new URL(roomy.address)
  const head = `Host: x\r\nAuthorization: Bearer ${roomy.key}\r\n`
  const post = `POST /v1/pets HTTP/1.1\r\n${head}Content-Type: application/json\r\n`
  const list = `GET /v1/pets HTTP/1.1\r\n${head}\r\n`
  const partings = [
    `${post}Content-Length: 50\r\n\r\n{"name"`,
    `${post}Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam`,
    `${post}Transfer-Encoding: chunked\r\n\r\nnot a length\r\n`,
    `${post}Expect: 100-continue\r\nContent-Length: 50\r\n\r\n`,
    `${post}Content-Length: 99999\r\n\r\n`,
    list.repeat(3),
    list + post,
    `${list}GET /v1/pets/1 HTTP/1.1\r\n${head}\r\nnoise`,
    `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${generateKey('live')}\r\n\r\n`,
    `GET /v1/pets HTTP/1.1\r\n${head}Upgrade: other\r\nConnection: upgrade\r\n\r\n`,
  ]
  for (const how of ['resetAndDestroy', 'end', 'destroy', 'wait'] as const) {
    for (const bytes of partings) {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write(bytes)
      await roomy.call('/livez') // until it was read
      if (how !== 'wait') socket[how]()
    }
  }
  await untilInFlight(0, roomy.service)
})

test('a request with a slow body takes no slot, and is rejected if none is free when its body has arrived', async () => {
  const body = '{"name":"slow","categoryId":1}'
  const post = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${body.length}\r\n\r\n`
  assert.equal((await call('/v1/pets')).status, 200) // and so the key is at hand
  const slow = await Promise.all(Array.from({ length: MAX_IN_FLIGHT }, () => RawConnection.open(address)))
  for (const connection of slow) connection.send(post + body.slice(0, 9))
  await call('/livez') // until it was read
  assert.equal(await metric('petstore_requests_in_flight'), 0)
  assert.equal((await call('/v1/pets')).status, 200)

  await whileFull(async () => {
    const [refused] = await slow[0]!.send(body.slice(9)).answers(1)
    assert.equal(refused?.status, 503)
    assert.equal(refused?.headers.get('connection'), 'keep-alive')
  })
  const [added] = await slow[1]!.send(body.slice(9)).answers(1)
  assert.equal(added?.status, 201)
  for (const { socket } of slow) socket.destroy()
})

test('MAX_IN_FLIGHT is a number from 1 to 100,000', () => {
  const most = (text: string) => readConfig({ DATABASE_URL: 'postgres://x/y', MAX_IN_FLIGHT: text }).maxInFlight
  assert.deepEqual(['', '1', '100000'].map(most), [1_000, 1, 100_000])
  for (const text of ['0', '100001', '-1', '1.5', '1e3', 'many'])
    assert.throws(() => most(text), /MAX_IN_FLIGHT must be a number of requests from 1 to 100000/, text)
})
