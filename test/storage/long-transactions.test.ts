import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Feed } from '../../src/storage/events/feed.ts'
import { insertPets } from '../support/factories.ts'
import {
  changePet,
  connected,
  disordered,
  openFeed,
  sequencing,
  startCluster,
  storedKeys,
  walk,
} from '../support/feed.ts'
import { until } from '../support/until.ts'

// A server of this file's own, since transactions can be prepared on it.
const resources = new AsyncDisposableStack()
after(() => resources.disposeAsync())
const { url, pool } = await startCluster(resources, ['max_prepared_transactions=4'])
const [free = 0n, held = 0n, prepared = 0n, loaded = 0n] = await insertPets(
  pool,
  Array.from({ length: 4 }, () => 'sold'),
)
const feed = await openFeed(url, resources)
resources.use(sequencing(feed, 5))

/** How long the event of another pet takes until it is in the feed, from its commit, twenty times. */
async function delays() {
  const times: number[] = []
  for (let i = 0; i < 20; i++) {
    const { sequence } = feed.head
    await changePet(pool, free)
    const committed = performance.now()
    await feed.wait(sequence, AbortSignal.timeout(10_000), { keyId: 'key_1', chainId: 'key_1' })
    assert.equal(feed.head.sequence, sequence + 1n)
    times.push(performance.now() - committed)
  }
  return times
}

async function assertPrompt() {
  const times = await delays()
  assert.ok(Math.max(...times) < 1_000, times.join())
}

async function untilHead({ sequence }: Feed['head'], more: bigint) {
  await until(() => feed.head.sequence >= sequence + more)
}

/** Each event that is stored is in the feed exactly once, and those of a pet are in order. */
async function assertComplete() {
  const { keys } = (await walk(feed))!
  const stored = await storedKeys(pool)
  assert.deepEqual(keys.toSorted(), stored.toSorted())
  assert.deepEqual(disordered(keys), [])
}

test('events do not wait for an idle transaction; when it commits its events come too, and then those that waited for it', async () => {
  await using own = new AsyncDisposableStack()
  const idle = await connected(url, own)
  await idle.query('begin')
  await changePet(idle, held)
  await assertPrompt()
  const waiting = [changePet(pool, held), changePet(pool, held)]
  await assertPrompt()
  const before = feed.head
  await idle.query('commit')
  await Promise.all(waiting)
  await untilHead(before, 3n)
  await assertPrompt()
  await assertComplete()
})

test('the events of an idle transaction that is rolled back never come', async () => {
  await using own = new AsyncDisposableStack()
  const idle = await connected(url, own)
  await idle.query('begin')
  await changePet(idle, held)
  await assertPrompt()
  await idle.query('rollback')
  await assertPrompt()
  await assertComplete()
})

test('events do not wait for a prepared transaction, whose events come when it is committed', async () => {
  await using own = new AsyncDisposableStack()
  const client = await connected(url, own)
  await client.query('begin')
  await changePet(client, prepared)
  await client.query(`prepare transaction 'petstore'`)
  await assertPrompt()
  const before = feed.head
  await client.query(`commit prepared 'petstore'`)
  await untilHead(before, 1n)
  await assertComplete()
})

test('events wait neither for an index that is built concurrently nor for a bulk load, nor for vacuum full', async () => {
  await using own = new AsyncDisposableStack()
  const [reader, builder, loader] = await Promise.all([connected(url, own), connected(url, own), connected(url, own)])
  // Keeps the index from being finished.
  await reader.query('begin isolation level repeatable read')
  await reader.query('select from pets')
  const building = builder.query('create index concurrently on pets (name)')
  await loader.query('begin')
  const waits = `select from pg_stat_progress_create_index where phase like 'waiting%'`
  await until(async () => (await pool.query(waits)).rowCount !== 0)
  await changePet(loader, loaded)
  const loading = loader.query(`
    insert into pets (name, category_id) select 'loaded', i from generate_series(1, 300000) as i`)
  await assertPrompt()
  await loading
  await assertPrompt()
  const before = feed.head
  await loader.query('commit')
  await untilHead(before, 1n)
  await reader.query('commit')
  await building
  const vacuuming = builder.query('vacuum full')
  await assertPrompt()
  await vacuuming
  await assertPrompt()
  await assertComplete()
})
