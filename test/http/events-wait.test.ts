import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { REQUEST_TIMES, TIMES } from '../../src/lib/times.ts'
import { startService } from '../../src/service.ts'
import { type Call, caller, postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { addPet, endOfFeed, eventsOf, nextOf } from '../support/events.ts'
import { SHORT } from '../support/times.ts'

const MAX_WAITING = 128
// The longest possible is 9 s.
const LONGEST_SECONDS = SHORT === TIMES ? REQUEST_TIMES.longestWaitMs / 1_000 : 3

const { call, pool, key, url } = await startApp()
// Begun here, and awaited in the last test, since it takes long. Nothing happens in its store.
const idle = await startApp()
const longest = timeOf(`${await endOfFeed(idle)}&wait=${LONGEST_SECONDS}`, idle.call)

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
  const waits = Array.from({ length: MAX_WAITING + 12 }, () =>
    call(`${path}=9`, { signal: gone.signal }).then(
      () => 'responded',
      () => 'gone',
    ),
  )
  while ((await timeOf(`${path}=1`)) > 900);
  gone.abort()
  const outcomes = await Promise.all(waits)
  assert.equal(outcomes.filter((outcome) => outcome === 'responded').length, 12)
  while ((await timeOf(`${path}=1`)) < 900);
  assert.ok(performance.now() - begun < 9_500, 'the places were free before the waits would have ended')
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
  const ms = await longest
  assert.ok(ms >= 1_000 * LONGEST_SECONDS - 50 && ms < 1_000 * LONGEST_SECONDS + 1_500, `${ms}`)
})

/** How long it takes to get an empty page. */
async function timeOf(path: string, send = call) {
  const begun = performance.now()
  assert.deepEqual(eventsOf(await send(path)), [])
  return performance.now() - begun
}

/** Sends a request until the process has a place for it. */
async function retried(send: Call, path: string) {
  for (;;) {
    const answer = await send(path)
    if (answer.status !== 503) return answer
  }
}
