import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JobRunner } from '../../src/jobs/runner.ts'
import { SERVING_JOBS } from '../../src/jobs/serving.ts'
import { TIMES } from '../../src/lib/times.ts'
import { Feed } from '../../src/storage/events/feed.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { logDependencies } from '../../src/telemetry/dependencies.ts'
import { openLog } from '../../src/telemetry/log.ts'
import { openLogs } from '../support/app.ts'
import { createDatabase } from '../support/database.ts'
import { insertPets } from '../support/factories.ts'
import { changePet, walk } from '../support/feed.ts'
import { DatabaseProxy } from '../support/proxy.ts'
import { SHORT } from '../support/times.ts'
import { throughout, until } from '../support/until.ts'

// What the documentation promises. With short times, as much more than they add up to.
const FLOWING_MS = SHORT === TIMES ? 20_000 : 6_000

const { url, pool } = await createDatabase()
const [pet = 0n] = await insertPets(pool, ['sold'])

function isKnown(feed: Feed) {
  try {
    return feed.head !== undefined
  } catch {
    return false
  }
}

/** The feed of a process and its job. Only its own connection passes the proxy. */
async function start(resources: AsyncDisposableStack) {
  const proxy = resources.use(await DatabaseProxy.start(url))
  const { logs, logTo } = openLogs()
  const { onLost } = logDependencies(openLog('info', logTo).log).feedChanges
  const warnings: string[] = []
  const db = resources.use(new Database(url, () => {}))
  const feed = resources.use(new Feed(db, proxy.url, { times: SHORT, onLost }))
  await feed.start()
  const log = { info: () => {}, warn: (_: object, message: string) => warnings.push(message) }
  resources.use(new JobRunner([SERVING_JOBS.sequenceEvents({ feed })], { log, isLogged: () => false })).start()
  // On a busy machine a process starts before it knows where the feed ends.
  await until(() => isKnown(feed))
  return { proxy, feed, logs, warnings }
}

test('events flow again within 20 s after the connection of the feed was cut off without a sign, and one warning says so', async () => {
  await using own = new AsyncDisposableStack()
  const { proxy, feed, logs, warnings } = await start(own)
  const { sequence } = feed.head
  await changePet(pool, pet)
  await until(() => feed.head.sequence === sequence + 1n)
  proxy.cutOff()
  const cutAt = performance.now()
  const key = await changePet(pool, pet)
  await until(() => feed.head.sequence === sequence + 2n)
  const ms = performance.now() - cutAt
  assert.ok(ms < FLOWING_MS, `${ms} ms`)
  assert.equal((await walk(feed))?.keys.at(-1), key)
  assert.equal(logs.length, 1)
  const { level, msg, reason } = JSON.parse(logs[0] ?? '') as { level: number; msg: string; reason: string }
  assert.equal(level, 40)
  assert.equal(msg, 'lost the connection for the event feed; new events are not shown until it is back')
  assert.match(reason, /^the connection has been silent for \d+ s$/)
  assert.deepEqual(warnings, [])
})

test('a statement that waits for a lock for that long keeps its connection', async () => {
  await using own = new AsyncDisposableStack()
  const { proxy, feed, logs } = await start(own)
  const { sequence } = feed.head
  const lock = await pool.connect()
  await lock.query('begin; lock table feed_pages')
  const { accepted } = proxy
  await throughout(2 * SHORT.feed.silentMs, () => proxy.accepted === accepted)
  await lock.query('rollback')
  lock.release()
  await changePet(pool, pet)
  await until(() => feed.head.sequence === sequence + 1n)
  assert.deepEqual(logs, [])
})
