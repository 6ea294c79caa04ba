import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../../src/cli/dev/embedded-postgres.ts'
import { generateKey } from '../../../src/lib/ids/key-format.ts'
import { type Answer, caller, postJson, startApp } from '../../support/app.ts'
import { assertError } from '../../support/assert-error.ts'
import { fromPage, SESSION, signIn } from '../../support/console.ts'
import { createDatabase } from '../../support/database.ts'
import { createTestKey } from '../../support/factories.ts'
import { DatabaseProxy } from '../../support/proxy.ts'
import { createSandbox, startStores } from '../../support/stores.ts'
import { TEST_TIMES } from '../../support/times.ts'
import { throughout, until } from '../../support/until.ts'

const NOWHERE = 'postgres://nobody@127.0.0.1:1/none'
const MAX_IN_FLIGHT = 5
/** Requests of a lost store are soon rejected. */
const SOON_LOST = { ...TEST_TIMES.database, holdMs: 300 }
/** They add up to all. */
const SHARES = { live: 3, sandbox: 2 }

async function metric(service: Awaited<ReturnType<typeof startStores>>['service'], name: string, store: string) {
  const reading = await service.readMetrics()
  const values = reading.find((each) => each.name === name)?.values ?? []
  return (values as { labels: { store?: string }; value: number }[]).find(({ labels }) => labels.store === store)?.value
}

for (const [name, other] of [
  ['sandbox', 'live'],
  ['live', 'sandbox'],
] as const)
  test(`requests of a ${name} store that hangs take half of the places; those of the other get theirs`, async () => {
    const both = await startStores({ maxInFlight: MAX_IN_FLIGHT, adminPort: await freePort() })
    const [full, free] = [both[name], both[other]]
    const address = { live: 'live', sandbox: 'test' }[name]
    for (const { call } of [full, free]) assert.equal((await call('/v1/pets')).status, 200) // and so its key is known
    const lock = await full.pool.connect()
    await lock.query('begin; lock table pets in share mode')
    const add = postJson({ name: 'waits', categoryId: 1 })
    const waiting = Array.from({ length: SHARES[name] }, () => full.call('/v1/pets', add))
    const inFlight = () => metric(both.service, 'petstore_store_requests_in_flight', address)
    try {
      await until(async () => (await inFlight()) === SHARES[name])
      assertError(await full.call('/v1/pets'), 503, 'overloaded')
      assert.equal((await full.call('/v1/pets')).headers.get('petstore-mode'), null)
      for (let i = 0; i < 10; i++) assert.equal((await free.call('/v1/pets', add)).status, 201)
      assert.equal(await metric(both.service, 'petstore_store_requests_shed_total', address), 2)
      assert.equal(
        await metric(both.service, 'petstore_store_requests_shed_total', other === 'live' ? 'live' : 'test'),
        0,
      )
    } finally {
      await lock.query('rollback')
      lock.release()
    }
    for (const { status } of await Promise.all(waiting)) assert.equal(status, 201)
    await until(async () => (await inFlight()) === 0)
  })

test('reads of a sandbox that hangs, whose key is in use, take none of the places of the live store', async () => {
  const { live, sandbox, service } = await startStores({ maxInFlight: MAX_IN_FLIGHT, adminPort: await freePort() })
  for (const { call } of [live, sandbox]) assert.equal((await call('/v1/pets')).status, 200)
  const lock = await sandbox.pool.connect()
  await lock.query('begin; lock table pets')
  const waiting = Array.from({ length: SHARES.sandbox }, () => sandbox.call('/v1/pets'))
  const inFlight = (store: string) => metric(service, 'petstore_store_requests_in_flight', store)
  try {
    await until(async () => (await inFlight('test')) === SHARES.sandbox)
    assert.equal(await inFlight('live'), 0)
  } finally {
    await lock.query('rollback')
    lock.release()
  }
  for (const { status } of await Promise.all(waiting)) assert.equal(status, 200)
})

test('while a store is full, sessions of the other store begin, and do their work', async () => {
  const { live, sandbox, call, service } = await startStores({
    maxInFlight: MAX_IN_FLIGHT,
    adminPort: await freePort(),
  })
  for (const [full, free, address, share] of [
    [live, sandbox, 'live', SHARES.live],
    [sandbox, live, 'test', SHARES.sandbox],
  ] as const) {
    const ofFull = await signIn(call, full.key)
    const lock = await full.pool.connect()
    await lock.query('begin; lock table pets')
    const waiting = Array.from({ length: share }, () => full.call('/v1/pets'))
    try {
      await until(async () => (await metric(service, 'petstore_store_requests_in_flight', address)) === share)
      assertError(await call('/v1/pets', fromPage(ofFull.cookie)), 503, 'overloaded')
      const ofFree = await signIn(call, free.key)
      assert.equal((await call('/v1/pets', fromPage(ofFree.cookie))).status, 200)
      assert.equal((await call(SESSION, fromPage(ofFree.cookie, { method: 'DELETE' }))).status, 204)
    } finally {
      await lock.query('rollback')
      lock.release()
    }
    for (const { status } of await Promise.all(waiting)) assert.equal(status, 200)
  }
})

test('a request that finds its store full after its key was looked up names the store', async () => {
  const { sandbox, service } = await startStores({ maxInFlight: MAX_IN_FLIGHT, adminPort: await freePort() })
  assert.equal((await sandbox.call('/v1/pets')).status, 200)
  const { key } = await createTestKey(sandbox.pool)
  const [keys, pets] = [await sandbox.pool.connect(), await sandbox.pool.connect()]
  await keys.query('begin; lock table api_keys')
  await pets.query('begin; lock table pets')
  const late = sandbox.call('/v1/pets', { key })
  const blocked = `select from pg_locks where not granted and relation = 'api_keys'::regclass`
  await until(async () => (await sandbox.pool.query(blocked)).rowCount)
  const waiting = Array.from({ length: SHARES.sandbox }, () => sandbox.call('/v1/pets'))
  try {
    const inFlight = () => metric(service, 'petstore_store_requests_in_flight', 'test')
    await until(async () => (await inFlight()) === SHARES.sandbox)
    await keys.query('rollback')
    const rejected = await late
    assertError(rejected, 503, 'overloaded')
    assert.equal(rejected.headers.get('petstore-mode'), 'test')
  } finally {
    await pets.query('rollback')
    for (const client of [keys, pets]) client.release()
  }
  for (const { status } of await Promise.all(waiting)) assert.equal(status, 200)
})

test('each store has a place, however few there are', async () => {
  const { live, sandbox, service } = await startStores({ maxInFlight: 1, adminPort: await freePort() })
  for (const { call } of [live, sandbox]) assert.equal((await call('/v1/pets')).status, 200)
  const { cookie } = await signIn(live.call, live.key)
  const lock = await sandbox.pool.connect()
  await lock.query('begin; lock table pets in share mode')
  const waiting = sandbox.call('/v1/pets', postJson({ name: 'waits', categoryId: 1 }))
  try {
    await until(async () => (await metric(service, 'petstore_store_requests_in_flight', 'test')) === 1)
    assertError(await sandbox.call('/v1/pets'), 503, 'overloaded')
    assert.equal((await live.call('/v1/pets')).status, 200)
    // The key in it does not matter.
    const session = await sandbox.call('/console/session', { ...fromPage(cookie), key: sandbox.key })
    assert.equal(session.status, 200, session.text)
  } finally {
    await lock.query('rollback')
    lock.release()
  }
  assert.equal((await waiting).status, 201)
})

test('a process with one store lets its requests have every place', async () => {
  const { call, pool, service } = await startApp({ maxInFlight: 2, adminPort: await freePort() })
  assert.equal((await call('/v1/pets')).status, 200)
  const lock = await pool.connect()
  await lock.query('begin; lock table pets in share mode')
  const waiting = [1, 2].map(() => call('/v1/pets', postJson({ name: 'waits', categoryId: 1 })))
  const inFlight = async () => {
    const reading = await service.readMetrics()
    assert.ok(!reading.some(({ name }) => name.startsWith('petstore_store_')))
    return reading.find(({ name }) => name === 'petstore_requests_in_flight')?.values[0]?.value
  }
  try {
    await until(async () => (await inFlight()) === 2)
  } finally {
    await lock.query('rollback')
    lock.release()
  }
  for (const { status } of await Promise.all(waiting)) assert.equal(status, 201)
})

test('made-up test keys, however many, keep no live key waiting', async () => {
  await using proxy = await DatabaseProxy.start((await createSandbox()).url)
  const { live } = await startStores({ sandboxUrl: proxy.url })
  proxy.fallSilent()
  let settled = 0
  const guesses = Array.from({ length: 1_100 }, () =>
    live.call('/v1/pets', { key: generateKey('test') }).finally(() => settled++),
  )
  do {
    const { key } = await createTestKey(live.pool, { mode: 'live' })
    const answer = await live.call('/v1/pets', { key })
    assert.equal(answer.status, 200, answer.text)
  } while (settled < guesses.length)
  for (const { status } of await Promise.all(guesses)) assert.equal(status, 503)
})

const statusesOf = async (calls: (() => Promise<Answer>)[]) =>
  (await Promise.all(calls.map((one) => one()))).map(({ status }) => status)

test('a sandbox that is lost changes nothing for live keys, nor whether the process is ready', async () => {
  const { url, key } = await createSandbox()
  await using proxy = await DatabaseProxy.start(url)
  const { live, call, logs } = await startStores({ sandboxUrl: proxy.url }, { database: SOON_LOST })
  const sandbox = caller(live.address, key)
  await until(async () => (await call('/readyz')).status === 200)
  assert.equal((await sandbox('/v1/pets')).status, 200)
  await proxy.takeAway()
  await until(async () => (await sandbox('/v1/pets')).status === 503)
  for (let i = 0; i < 5; i++)
    assert.deepEqual(
      await statusesOf([
        () => live.call('/v1/pets'),
        () => live.call('/v1/pets', postJson({ name: 'Rex', categoryId: 1 })),
        () => call('/readyz'),
      ]),
      [200, 201, 200],
    )
  const lost = logs.filter((line) => line.includes('lost the connection to the database'))
  assert.equal(lost.length, 1)
  assert.match(lost[0]!, /"store":"test"/)
  await proxy.bringBack()
  await until(async () => (await sandbox('/v1/pets')).status === 200)
})

test('a live store that is lost changes nothing for test keys, but the process is not ready', async () => {
  const database = await createDatabase()
  await using proxy = await DatabaseProxy.start(database.url)
  const { sandbox, call } = await startStores({ databaseUrl: proxy.url }, { database: SOON_LOST })
  const { key } = await createTestKey(database.pool, { mode: 'live' })
  assert.equal((await call('/v1/pets', { key })).status, 200)
  await proxy.takeAway()
  await until(async () => (await call('/readyz')).status === 503)
  await until(async () => (await call('/v1/pets', { key })).status === 503)
  for (let i = 0; i < 5; i++)
    assert.deepEqual(
      await statusesOf([
        () => sandbox.call('/v1/pets'),
        () => sandbox.call('/v1/pets', postJson({ name: 'Rex', categoryId: 1 })),
      ]),
      [200, 201],
    )
})

test('a sandbox that stalls changes nothing for live keys', async () => {
  const { url, key } = await createSandbox()
  await using proxy = await DatabaseProxy.start(url)
  const { live, call } = await startStores({ sandboxUrl: proxy.url })
  const sandbox = caller(live.address, key)
  assert.equal((await sandbox('/v1/pets')).status, 200)
  proxy.fallSilent()
  const gone = new AbortController()
  const stuck = Array.from({ length: 20 }, () => sandbox('/v1/pets', { signal: gone.signal }).catch(() => undefined))
  for (let i = 0; i < 5; i++)
    assert.deepEqual(await statusesOf([() => live.call('/v1/pets'), () => call('/readyz')]), [200, 200])
  gone.abort()
  await Promise.all(stuck)
})

test('a sandbox that cannot be reached at the start does not keep the process from serving, and is found later', async () => {
  const { url, key } = await createSandbox()
  await using proxy = await DatabaseProxy.start(url)
  await proxy.takeAway()
  const { live, call } = await startStores({ sandboxUrl: proxy.url }, { database: SOON_LOST })
  await until(async () => (await call('/readyz')).status === 200)
  assert.equal((await live.call('/v1/pets')).status, 200)
  await proxy.bringBack()
  await until(async () => (await call('/v1/pets', { key })).status === 200)
})

test('nor does one that does not respond', async () => {
  await using proxy = await DatabaseProxy.start((await createSandbox()).url)
  proxy.fallSilent()
  // The test ends before that.
  const database = { ...TEST_TIMES.database, probeMs: 300_000 }
  const { live, call } = await startStores({ sandboxUrl: proxy.url }, { database })
  assert.equal((await live.call('/v1/pets')).status, 200)
  await until(async () => (await call('/readyz')).status === 200)
})

test('a process that ends before its sandbox has responded does not connect to it again', async () => {
  await using proxy = await DatabaseProxy.start((await createSandbox()).url)
  proxy.connectDelayMs = 500
  const { service } = await startStores({ sandboxUrl: proxy.url })
  await until(() => proxy.accepted)
  proxy.connectDelayMs = 0
  await service[Symbol.asyncDispose]()
  const { accepted } = proxy
  await throughout(1_500, () => proxy.accepted === accepted)
})

test('nor does one whose certificate is missing', async () => {
  const { url, key } = await createSandbox()
  const { live, call } = await startStores({ sandboxUrl: `${url}?sslrootcert=/missing.pem` }, { database: SOON_LOST })
  await until(async () => (await call('/readyz')).status === 200)
  assert.equal((await live.call('/v1/pets')).status, 200)
  assertError(await call('/v1/pets', { key }), 503, 'unavailable')
})

test('the sandbox of a process whose live store is away works', async () => {
  const { url, key } = await createSandbox()
  const { call, service } = await startApp({ databaseUrl: NOWHERE, sandboxUrl: url, adminPort: await freePort() })
  assert.equal((await call('/v1/pets', { key })).status, 200)
  assertError(await call('/readyz'), 503, 'unavailable')
  assert.equal(await metric(service, 'petstore_store_ready', 'live'), 0)
  assert.equal(await metric(service, 'petstore_store_ready', 'test'), 1)
})

test('the status is that of the store of the key', async () => {
  const { live, sandbox } = await startStores()
  const stateOf = async ({ call }: typeof live) =>
    ((await call('/v1/status')).body as { database: { state: string } }).database.state
  await live.call('/v1/webhooks')
  await sandbox.pool.query(
    `insert into webhooks (id, url, sequence, mark) select 'wh_00000000000000000000', 'https://a.example', 0, mark from feed_pages`,
  )
  const countOf = async ({ call }: Pick<typeof live, 'call'>) =>
    ((await call('/v1/status')).body as { webhooks: { active: bigint } }).webhooks.active
  assert.deepEqual([await countOf(live), await countOf(sandbox)], [0n, 1n])
  assert.equal(await stateOf(live), 'ok')
})
