import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pause } from '../../src/jobs/runner.ts'
import { FEED_CHANNEL, SEQUENCE_STATEMENT } from '../../src/storage/events/sequencer.ts'
import { DatabaseUnavailable } from '../../src/storage/postgres/failures.ts'
import { insertPets } from '../support/factories.ts'
import { changePet, connected, openFeed, startCluster, walk } from '../support/feed.ts'
import { DatabaseProxy } from '../support/proxy.ts'
import { SHORT } from '../support/times.ts'
import { throughout, until } from '../support/until.ts'

// A server of this file's own: no other test could live with a standby that is not there.
const resources = new AsyncDisposableStack()
after(() => resources.disposeAsync())
const { url, pool } = await startCluster(resources)
const { timeoutMs } = SHORT.listener
const [pet = 0n] = await insertPets(pool, ['available'])

async function set(setting: string) {
  await pool.query(`alter system ${setting}`)
  await pool.query('select pg_reload_conf()')
  await sleep(300) // until every process of the server has heard of it, which none of them tells
}

/** Until `own` is disposed of: no other test could go on. */
async function loseStandby(own: AsyncDisposableStack) {
  own.defer(() => set('reset synchronous_standby_names'))
  await set(`set synchronous_standby_names = 'nobody'`)
}

async function untilSequenced(count: number) {
  const sequenced = 'select coalesce(sum(cardinality(pet_ids)), 0)::int as count from feed_pages'
  await until(async () => (await pool.query<{ count: number }>(sequenced)).rows[0]!.count === count)
}

/** A change and its place in the feed that are committed here, and not on the standby: as PostgreSQL shows them after a crash. */
async function changeUnconfirmed(isSequenced: boolean) {
  await using local = new AsyncDisposableStack()
  const unsafe = new URL(url)
  unsafe.searchParams.set('options', '-c synchronous_commit=local')
  const client = await connected(unsafe.href, local)
  await changePet(client, pet)
  if (isSequenced) await client.query(SEQUENCE_STATEMENT)
}

const WAITING = `select count(*)::int as count from pg_stat_activity where wait_event = 'SyncRep'`

test('what a new connection finds in the feed is shown only when it is on the standby, and waiting for that leaves few sessions open', async () => {
  await using own = new AsyncDisposableStack()
  await loseStandby(own)
  await changeUnconfirmed(true)
  const proxy = own.use(await DatabaseProxy.start(url))
  const first = await openFeed(proxy.url, own, SHORT)
  const stalled = `${WAITING} and query_start < clock_timestamp() - interval '${SHORT.feed.stalledMs} milliseconds'`
  await until(async () => (await pool.query<{ count: number }>(stalled)).rows[0]!.count)
  const feeds = [first, await openFeed(proxy.url, own, SHORT)]
  await until(() => proxy.accepted > 5) // several attempts of the second, which finds that the first waits
  const { rows } = await pool.query<{ count: number }>(WAITING)
  assert.ok(rows[0]!.count >= 1 && rows[0]!.count <= feeds.length, `${rows[0]!.count} sessions wait`)
  for (const feed of feeds) assert.throws(() => feed.head, DatabaseUnavailable)
  await set('reset synchronous_standby_names')
  for (const feed of feeds) {
    await until(() => hasHead(feed))
    assert.equal(feed.head.sequence, 1n)
    assert.deepEqual((await walk(feed))!.keys, [`${pet} 2`])
  }
})

test('while the standby is down, the feed is read up to its last confirmed event, and few sessions stay open', async () => {
  await using own = new AsyncDisposableStack()
  const feed = await openFeed(url, own, SHORT)
  await loseStandby(own)
  await changeUnconfirmed(false)
  const closing = new AbortController()
  const job = (async () => {
    do
      await feed.sequence().catch(() => {}) // as the job of a process, which reports it
    while (await pause(50, closing.signal))
  })()
  const waiting = async () => (await pool.query<{ count: number }>(WAITING)).rows[0]!.count
  await until(waiting)
  // A statement with a time limit would leave its session behind, and another would follow.
  await throughout(4 * timeoutMs, async () => [1, 2].includes(await waiting()))
  assert.deepEqual((await walk(feed))!.keys, [`${pet} 2`])
  await set('reset synchronous_standby_names')
  await untilSequenced(2)
  await until(() => feed.head.sequence >= 2n)
  assert.deepEqual((await walk(feed))!.keys, [`${pet} 2`, `${pet} 3`])
  closing.abort()
  await job
})

test('a message that arrives together with the head of the feed is not lost', async () => {
  await using own = new AsyncDisposableStack()
  const other = await openFeed(url, own)
  const proxy = await holdingProxy(url, 'as head')
  own.defer(proxy.close)
  const opening = openFeed(proxy.url, own)
  await proxy.held
  await changePet(pool, pet)
  await other.sequence()
  await untilSequenced(3)
  await until(() => proxy.holdsBack(FEED_CHANNEL))
  proxy.release()
  const feed = await opening
  assert.equal(feed.head.sequence, 3n)
})

function hasHead(feed: { head: unknown }) {
  try {
    return feed.head !== undefined
  } catch {
    return false
  }
}

/** Passes everything on, but holds back what the server sends after a statement with this word, until released. */
async function holdingProxy(databaseUrl: string, word: string) {
  const target = new URL(databaseUrl)
  const held = Promise.withResolvers<void>()
  const pieces: Buffer[] = []
  let release = () => {}
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    let isHolding = false
    client.on('data', (data) => {
      isHolding ||= data.includes(word)
      upstream.write(data)
    })
    upstream.on('data', (data: Buffer) => {
      if (!isHolding) {
        client.write(data)
        return
      }
      pieces.push(data)
      held.resolve()
    })
    release = () => {
      isHolding = false
      client.write(Buffer.concat(pieces))
    }
    for (const [socket, peer] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => {})
      socket.on('close', () => peer.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxied = new URL(databaseUrl)
  proxied.port = String((server.address() as AddressInfo).port)
  return {
    url: proxied.href,
    held: held.promise,
    release: () => release(),
    holdsBack: (text: string) => Buffer.concat(pieces).includes(text),
    close: () => void server.close(),
  }
}
