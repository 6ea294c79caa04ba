import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { REQUEST_TIMES, TIMES } from '../../src/lib/times.ts'
import { startService } from '../../src/service.ts'
import { type Call, caller, postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { fromPage, signIn } from '../support/console.ts'
import { addPet, endOfFeed, eventsOf, nextOf } from '../support/events.ts'
import { createTestKey, rotateTestKey } from '../support/factories.ts'
import { SHORT } from '../support/times.ts'
import { until } from '../support/until.ts'

const MAX_WAITING = 128
const MAX_OF_KEY = 32
// The longest possible is 9 s.
const LONGEST_SECONDS = SHORT === TIMES ? REQUEST_TIMES.longestWaitMs / 1_000 : 3

const { call, pool, key, url } = await startApp()

test('E5: four of five waits end within 250 ms of a commit on another process', async () => {
  const config = readConfig({ DATABASE_URL: url, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent', DRAIN_DELAY: '0' })
  await using second = await startService(config)
  const other = caller(second.address, key)
  const delays: number[] = []
  for (let i = 0; i < 5; i++) {
    const path = `${await endOfFeed({ call, pool })}&wait=9`
    const waiting = call(path).then((answer) => ({ answer, at: performance.now() }))
    await other('/v1/pets', postJson({ name: 'Rex', categoryId: 7 }))
    const committed = performance.now()
    const { answer, at } = await waiting
    assert.equal(eventsOf(answer).length, 1)
    delays.push(at - committed)
  }
  assert.ok(delays.filter((ms) => ms < 250).length >= 4, delays.join())
})

test('E5: a wait ends with an empty page when its time is over, and its next page continues', async () => {
  const begun = performance.now()
  const answer = await call(`${await endOfFeed({ call, pool })}&wait=1`)
  assert.ok(performance.now() - begun >= 950)
  assert.deepEqual(eventsOf(answer), [])
  const id = await addPet(call)
  assert.deepEqual(
    eventsOf(await call(nextOf(answer))).map(({ data }) => data.pet?.id),
    [id],
  )
})

test('E5: events of other types do not end a wait', async () => {
  const begun = performance.now()
  const waiting = call(`${await endOfFeed({ call, pool })}&wait=1&type=pet.deleted`)
  await addPet(call)
  assert.deepEqual(eventsOf(await waiting), [])
  assert.ok(performance.now() - begun >= 950)
})

test('E6: beyond 128 waiting requests a process does not wait, and clients that disconnect free their place at once', async () => {
  const path = `${await endOfFeed({ call, pool })}&wait`
  const gone = new AbortController()
  const begun = performance.now()
  const keys = await Promise.all(Array.from({ length: MAX_WAITING / MAX_OF_KEY }, () => createTestKey(pool)))
  const waits = keys.flatMap((each) =>
    Array.from({ length: MAX_OF_KEY + 3 }, () =>
      call(`${path}=9`, { key: each.key, signal: gone.signal }).then(
        () => 'responded',
        () => 'gone',
      ),
    ),
  )
  while ((await timeOf(`${path}=1`)) > 900);
  gone.abort()
  const outcomes = await Promise.all(waits)
  assert.equal(outcomes.filter((outcome) => outcome === 'responded').length, 12)
  while ((await timeOf(`${path}=1`)) < 900);
  assert.ok(performance.now() - begun < 9_500, 'the places were free before the waits would have ended')
})

test('E6: a key and its successor have a quarter of the waits, others wait beside them, and an empty page that came at once has Retry-After', async () => {
  const path = `${await endOfFeed({ call, pool })}&wait`
  const old = await createTestKey(pool)
  const successor = await rotateTestKey(pool, old)
  const gone = new AbortController()
  let unwaited = 0
  const waits = Array.from({ length: 2 * MAX_OF_KEY }, (_, i) =>
    call(`${path}=9`, { key: i % 2 ? old.key : successor.key, signal: gone.signal }).then(
      ({ headers }) => (unwaited += Number(headers.get('retry-after'))),
      () => {},
    ),
  )
  await until(() => unwaited === MAX_OF_KEY) // the others wait
  for (const { key: own } of [old, successor]) {
    const answer = await call(`${path}=1`, { key: own })
    assert.deepEqual([answer.status, eventsOf(answer), answer.headers.get('retry-after')], [200, [], '1'])
    assert.ok(nextOf(answer))
    assert.equal((await call(`${path}=0`, { key: own })).headers.get('retry-after'), null)
  }
  const longest = call(`${path}=9`)
  const begun = performance.now()
  const waited = await call(`${path}=1`)
  assert.ok(performance.now() - begun >= 950)
  assert.equal(waited.headers.get('retry-after'), null)
  await addPet(call)
  const answer = await longest
  assert.deepEqual([eventsOf(answer).length, answer.headers.get('retry-after')], [1, null])
  gone.abort()
  await Promise.all(waits)
})

/** A request that waits by now: a later one of the same client has waited for a second. Nobody waits for the first here. */
async function startWaiting(init: Parameters<Call>[1], seconds = 9) {
  const path = `${await endOfFeed({ call, pool })}&wait`
  const begun = performance.now()
  const response = call(`${path}=${seconds}`, init).then((answer) => ({ answer, ms: performance.now() - begun }))
  assert.deepEqual(eventsOf(await call(`${path}=1`, init)), [])
  return { response }
}

const NOTIFY = `select pg_notify('api_keys_changed', $1)`
const REVOKE = `with gone as (update api_keys set revoked_at = now() where id = $1) ${NOTIFY}`

test('a request whose key is revoked while it waits ends at once, with 401; of a session too', async () => {
  const [own, signedIn] = [await createTestKey(pool), await createTestKey(pool)]
  const { cookie } = await signIn(call, signedIn.key)
  for (const [init, id] of [
    [{ key: own.key }, own.id],
    [fromPage(cookie), signedIn.id],
  ] as const) {
    const { response } = await startWaiting(init)
    await pool.query(REVOKE, [id])
    const { answer, ms } = await response
    assertError(answer, 401, 'revoked_credentials')
    assert.ok(ms < 6_000, `${ms} ms`)
  }
})

test('a request whose session has ended, or whose key has expired, while it waits gets no event', async () => {
  const own = await createTestKey(pool)
  const { cookie } = await signIn(call, own.key)
  const { response } = await startWaiting(fromPage(cookie))
  await pool.query('delete from console_sessions where key_id = $1', [own.id])
  await addPet(call)
  assertError((await response).answer, 401, 'invalid_credentials')

  const { key: expiring } = await createTestKey(pool, { expiresAt: new Date(Date.now() + 3_000) })
  assertError((await (await startWaiting({ key: expiring }, 4)).response).answer, 401, 'expired_credentials')
})

test('a request whose key has changed, and still may read events, waits on', async () => {
  const own = await createTestKey(pool)
  const { response } = await startWaiting({ key: own.key })
  for (let i = 0; i < 3; i++) await pool.query(NOTIFY, [own.id])
  const id = await addPet(call)
  const { answer } = await response
  assert.deepEqual(
    eventsOf(answer).map(({ data }) => data.pet?.id),
    [id],
  )
})

test('E6: waiting requests leave admission, and those that read events do not', async () => {
  const small = await startApp({ maxInFlight: 2 })
  const path = `${await endOfFeed(small)}&wait=9`
  const waits: Promise<unknown>[] = []
  const begun = performance.now()
  for (let i = 0; i < 10; i++) {
    waits.push(retried(small.call, path))
    assert.equal((await retried(small.call, '/v1/pets')).status, 200)
  }
  assert.ok(performance.now() - begun < 8_000, 'requests were served before the waits would have ended')
  await addPet(small.call)
  await Promise.all(waits)

  const lock = await small.pool.connect()
  await lock.query('begin; lock table feed_pages')
  // They would find an event at once.
  const reads = Array.from({ length: 5 }, () => small.call(path))
  const rejected = await Promise.race(reads)
  assertError(rejected, 503, 'overloaded')
  await lock.query('rollback')
  lock.release()
  const statuses = (await Promise.all(reads)).map(({ status }) => status)
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, 200, 503, 503, 503],
  )
})

for (const drainDelayMs of [0, 1_500])
  test(`E5: a drain of ${drainDelayMs} ms ends all waits at once, with an empty page`, async () => {
    const app = await startApp({ drainDelayMs })
    const path = `${await endOfFeed(app)}&wait=9`
    const waits = Array.from({ length: 20 }, () => app.call(path))
    assert.deepEqual(eventsOf(await app.call(path.replace('wait=9', 'wait=1'))), []) // by then all of them wait
    const begun = performance.now()
    const drained = app.service[Symbol.asyncDispose]()
    for (const answer of await Promise.all(waits)) assert.deepEqual(eventsOf(answer), [])
    assert.ok(performance.now() - begun < 1_000)
    await drained
  })

test('E5: a long wait ends when its time is over, and not earlier, with an empty page', async () => {
  const ms = await timeOf(`${await endOfFeed({ call, pool })}&wait=${LONGEST_SECONDS}`)
  assert.ok(ms >= 1_000 * LONGEST_SECONDS - 50 && ms < 1_000 * LONGEST_SECONDS + 1_500, `${ms}`)
})

/** How long it takes to get an empty page. */
async function timeOf(path: string) {
  const begun = performance.now()
  assert.deepEqual(eventsOf(await call(path)), [])
  return performance.now() - begun
}

/** Sends a request until the process has a place for it. */
async function retried(send: Call, path: string) {
  for (;;) {
    const answer = await send(path)
    if (answer.status !== 503) return answer
  }
}
