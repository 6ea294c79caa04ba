import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SEQUENCE_STATEMENT } from '../../src/storage/events/sequencer.ts'
import { DatabaseUnavailable } from '../../src/storage/postgres/failures.ts'
import { insertPets } from '../support/factories.ts'
import { changePet, connected, openFeed, startCluster, walk } from '../support/feed.ts'

// A server of this file's own: no other test could live with a standby that is not there.
const resources = new AsyncDisposableStack()
after(() => resources.disposeAsync())
const { url, pool } = await startCluster(resources)
const [pet = 0n] = await insertPets(pool, ['available'])

async function set(setting: string) {
  await pool.query(`alter system ${setting}`)
  await pool.query('select pg_reload_conf()')
  await sleep(300) // until every process of the server has heard of it, which none of them tells
}

async function untilSequenced(count: number) {
  const sequenced = 'select coalesce(sum(cardinality(pet_ids)), 0)::int as count from feed_pages'
  for (;;) {
    const { rows } = await pool.query<{ count: number }>(sequenced)
    if (rows[0]!.count === count) return
    await sleep(20)
  }
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
  await set(`set synchronous_standby_names = 'nobody'`)
  await changeUnconfirmed(true)
  await using own = new AsyncDisposableStack()
  const feeds = await Promise.all([openFeed(url, own), openFeed(url, own), openFeed(url, own)])
  await sleep(7_000) // several attempts
  const { rows } = await pool.query<{ count: number }>(WAITING)
  assert.ok(rows[0]!.count >= 1 && rows[0]!.count <= feeds.length, `${rows[0]!.count} sessions wait`)
  for (const feed of feeds) assert.throws(() => feed.head, DatabaseUnavailable)
  await set('reset synchronous_standby_names')
  for (const feed of feeds) {
    for (const until = performance.now() + 10_000; performance.now() < until && !hasHead(feed); ) await sleep(50)
    assert.equal(feed.head.sequence, 1n)
    assert.deepEqual((await walk(feed))!.keys, [`${pet} 2`])
  }
})

test('while the standby is down, the feed is read up to its last confirmed event, and few sessions stay open', async () => {
  await using own = new AsyncDisposableStack()
  const feed = await openFeed(url, own)
  await set(`set synchronous_standby_names = 'nobody'`)
  await changeUnconfirmed(false)
  const closing = new AbortController()
  const job = (async () => {
    while (!closing.signal.aborted) {
      await feed.sequence().catch(() => {}) // as the job of a process, which reports it
      await sleep(50)
    }
  })()
  await sleep(8_000)
  const { rows } = await pool.query<{ count: number }>(WAITING)
  assert.ok(rows[0]!.count >= 1 && rows[0]!.count <= 2, `${rows[0]!.count} sessions wait`)
  assert.deepEqual((await walk(feed))!.keys, [`${pet} 2`])
  await set('reset synchronous_standby_names')
  await untilSequenced(2)
  for (const until = performance.now() + 5_000; performance.now() < until && feed.head.sequence < 2n; ) await sleep(50)
  assert.deepEqual((await walk(feed))!.keys, [`${pet} 2`, `${pet} 3`])
  closing.abort()
  await job
})

test('a message that arrives together with the head of the feed is not lost', async () => {
  await using own = new AsyncDisposableStack()
  const other = await openFeed(url, own)
  const proxy = await holdingProxy(url, 'concat_ws')
  own.defer(proxy.close)
  const opening = openFeed(proxy.url, own)
  await proxy.held
  await changePet(pool, pet)
  await other.sequence()
  await untilSequenced(3)
  await sleep(200) // the message reaches the proxy
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
    close: () => void server.close(),
  }
}
