import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NAMES, PAGES } from '../../src/http/keys/examples.ts'
import { encodeCursor } from '../../src/http/wire/cursor.ts'
import { numbersOfKeyId } from '../../src/lib/ids/key-id.ts'
import { type Call, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createTestKey, rotateTestKey } from '../support/factories.ts'
import { until } from '../support/until.ts'
import { insertWebhook, RECEIVER } from '../support/webhooks.ts'

interface Listed {
  id: string
  name: string
  state: string
  scopes: string[]
  replacedBy?: string
  openOrders: bigint
  openOrderLimit: bigint
  webhooks: bigint
  deprecatedCalls: bigint
}

const { call, pool } = await startApp()
const DAY_MS = 86_400_000

/** Every key, by the links of the pages. */
async function walk(send: Call, limit: number) {
  const pages: Listed[][] = []
  let path: string | undefined = `/v1/keys?limit=${limit}`
  while (path !== undefined) {
    const { body, headers } = await send(path)
    pages.push(body as Listed[])
    path = /<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  return pages
}

const all = async (send = call) => (await walk(send, 100)).flat()
const listed = async (id: string) => (await all()).find((key) => key.id === id)!

async function placeOpen(chainId: string, from: number, count: number) {
  await pool.query(
    `insert into orders (pet_id, id, version, expires_at, chain_id)
     select $2 + i, 1, 2, now() + interval '1 day', $1 from generate_series(1, $3::int) as i`,
    [chainId, from, count],
  )
}

test('a walk returns every key once, newest first, also those of one moment', async () => {
  const app = await startApp()
  for (let i = 0; i < 9; i++) await createTestKey(app.pool, { name: `key ${i}` })
  await app.pool.query(`update api_keys set created_at = now() where name in ('key 3', 'key 4', 'key 5')`)
  const { rows } = await app.pool.query<{ id: string }>('select id from api_keys order by created_at desc, id desc')
  for (const limit of [1, 2, 3, 5, 9, 10, 100]) {
    const pages = await walk(app.call, limit)
    assert.deepEqual(
      pages.flat().map(({ id }) => id),
      rows.map(({ id }) => id),
    )
    assert.equal(pages.length, Math.ceil(rows.length / limit))
  }
})

test('a page has twenty keys, unless the request says otherwise', async () => {
  const app = await startApp()
  for (let i = 0; i < 20; i++) await createTestKey(app.pool)
  assert.equal(((await app.call('/v1/keys')).body as Listed[]).length, 20)
})

test('a cursor of no key has no page, and one that no key can have is rejected', async () => {
  const cursor = (id: string) => encodeCursor('keys', ...numbersOfKeyId(id))
  assert.deepEqual((await call(`/v1/keys?cursor=${cursor('key_AAAAAAAAAAAAAAAA')}`)).body, [])
  for (const text of [cursor("key_'or 1=1;--AAAAAA"), encodeCursor('keys', 0n, 0n), encodeCursor('orders', 1n, 1n), ''])
    assertError(await call(`/v1/keys?cursor=${text}`), 400, 'invalid_cursor')
})

test('the list has the state of each key, and neither its text nor its hash', async () => {
  const active = await createTestKey(pool, { expiresAt: new Date(Date.now() + DAY_MS) })
  const expired = await createTestKey(pool, { expiresAt: new Date(0) })
  const revoked = await createTestKey(pool)
  await pool.query('update api_keys set revoked_at = now() where id = $1', [revoked.id])
  const replaced = await createTestKey(pool)
  const successor = await rotateTestKey(pool, replaced)
  const keys = await all()
  const stateOf = (id: string) => keys.find((key) => key.id === id)?.state
  assert.deepEqual(
    [active, expired, revoked, replaced, successor].map(({ id }) => stateOf(id)),
    ['active', 'expired', 'revoked', 'replaced', 'active'],
  )
  assert.equal(keys.find(({ id }) => id === replaced.id)?.replacedBy, successor.id)
  const { rows } = await pool.query<{ hash: string }>('select hash from api_keys')
  for (const path of ['/v1/keys?limit=100', '/v1/keys/names']) {
    const { text } = await call(path)
    assert.doesNotMatch(text, /petk_/)
    for (const { hash } of rows) assert.ok(!text.includes(hash))
  }
})

test('a chain shares its open orders and their limit, and other orders do not count', async () => {
  const first = await createTestKey(pool)
  await pool.query('update api_keys set open_orders = 7 where id = $1', [first.id])
  const second = await rotateTestKey(pool, first)
  const other = await createTestKey(pool)
  await placeOpen(first.id, 1_000_000, 3)
  await placeOpen(other.id, 2_000_000, 1)
  await pool.query(`
    update orders set status = 'completed', closed_at = now() where pet_id = 1000001`)
  for (const { id } of [first, second]) {
    const { openOrders, openOrderLimit } = await listed(id)
    assert.deepEqual([openOrders, openOrderLimit], [2n, 7n])
  }
  const { openOrders, openOrderLimit } = await listed(other.id)
  assert.deepEqual([openOrders, openOrderLimit], [1n, 1_000n])
})

test('open orders are counted up to 50', async () => {
  const [hoarder, other] = [await createTestKey(pool), await createTestKey(pool)]
  await placeOpen(hoarder.id, 3_000_000, 60)
  await placeOpen(other.id, 4_000_000, 49)
  assert.deepEqual([(await listed(hoarder.id)).openOrders, (await listed(other.id)).openOrders], [50n, 49n])
})

test('pages of keys take turns: however many are requested, others read', async () => {
  const app = await startApp()
  const client = await app.pool.connect()
  await client.query('begin')
  await client.query('lock table deprecated_calls') // which every page reads
  const pages = Array.from({ length: 40 }, (_, i) => app.call(`/v1/keys?limit=${i + 1}`))
  const same = Array.from({ length: 10 }, () => app.call('/v1/keys?limit=100'))
  const waiting = async () => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0]!.count
  }
  await until(async () => (await waiting()) > 0)
  for (let i = 0; i < 20; i++) assert.equal((await app.call('/v1/pets')).status, 200)
  assert.equal(await waiting(), 1)
  await client.query('rollback')
  client.release()
  for (const { status } of await Promise.all([...pages, ...same])) assert.equal(status, 200)
})

test('a webhook counts for the chain of the key that changed it last', async () => {
  const [creator, owner] = [await createTestKey(pool), await createTestKey(pool)]
  const successor = await rotateTestKey(pool, owner)
  const webhook = { url: RECEIVER, types: null, createdAt: new Date().toISOString(), sequence: '0' }
  for (const [i, state] of ['active', 'paused'].entries())
    await insertWebhook(pool, {
      ...webhook,
      id: `wh_list000000000000000${i}`,
      state,
      createdBy: creator.id,
      changedBy: owner.id,
    })
  const counts = await Promise.all([creator, owner, successor].map(async ({ id }) => (await listed(id)).webhooks))
  assert.deepEqual(counts, [0n, 2n, 2n])
})

test('deprecated calls are exact, of the key itself, and only of what it called in the last 30 days', async () => {
  const key = await createTestKey(pool)
  const other = await rotateTestKey(pool, key)
  await pool.query(
    `insert into deprecated_calls values
       ($1, 'getPet', 9007199254740993, now() - interval '90 days', now() - interval '29 days'),
       ($1, 'listToys', 2, now() - interval '90 days', now() - interval '1 day'),
       ($1, 'dropped', 5, now() - interval '90 days', now() - interval '31 days')`,
    [key.id],
  )
  assert.equal((await listed(key.id)).deprecatedCalls, 9_007_199_254_740_995n)
  assert.equal((await listed(other.id)).deprecatedCalls, 0n)
})

test('names are those of the newest thousand keys, newest first, also of revoked ones', async () => {
  const app = await startApp()
  await app.pool.query(`
    insert into api_keys (id, name, mode, hash, scopes, created_at, revoked_at)
    select 'key_' || lpad(i::text, 16, '0'), 'name ' || i, 'live', 'hash ' || i, '{}', now() - i * interval '1 second', now()
    from generate_series(1, 1100) as i`)
  const names = (await app.call('/v1/keys/names')).body as { id: string; name: string }[]
  assert.deepEqual(
    names.map(({ name }) => name),
    ['test', ...Array.from({ length: 999 }, (_, i) => `name ${i + 1}`)],
  )
  assert.deepEqual(Object.keys(names[1]!), ['id', 'name'])
})

test('names have a tag that changes with them; who has them gets 304 without a body', async () => {
  const app = await startApp()
  const read = (headers: Record<string, string>, more: RequestInit = {}) =>
    app.call('/v1/keys/names', { headers, ...more })
  const first = await read({})
  const tag = first.headers.get('etag')!
  assert.match(tag, /^"[\w-]{43}"$/)
  for (const known of [tag, `W/${tag}`, '*', `"a", ${tag}`, `,${tag},`])
    for (const method of ['GET', 'HEAD']) {
      const { status, text, headers } = await read({ 'if-none-match': known }, { method })
      assert.deepEqual([status, text, headers.get('etag')], [304, '', tag])
      for (const name of ['content-type', 'content-length', 'transfer-encoding']) assert.equal(headers.has(name), false)
    }
  for (const other of ['"a"', tag.slice(1, -1), tag.toUpperCase()])
    assert.equal((await read({ 'if-none-match': other })).status, 200)
  const key = await createTestKey(app.pool, { name: 'new' })
  const changed = await read({ 'if-none-match': tag })
  assert.equal(changed.status, 200)
  assert.ok(changed.text.includes(key.id))
  assert.notEqual(changed.headers.get('etag'), tag)
  assert.equal((await read({ 'if-none-match': tag }, { method: 'OPTIONS' })).status, 204)
  assertError(
    await app.call('/v1/keys/names', { key: null, headers: { 'if-none-match': '*' } }),
    401,
    'missing_credentials',
  )
})

test('keys and names read as documented', async () => {
  const app = await startApp()
  await app.pool.query(`update api_keys set created_at = '2026-01-01'`)
  for (const key of PAGES.page) {
    const limit = 'rateLimit' in key ? key.rateLimit : undefined
    await app.pool.query(
      `insert into api_keys (id, name, mode, hash, scopes, created_at, expires_at, last_used_at, revoked_at, rate_quota,
         rate_window_seconds, open_orders) values ($1, $2, $3, $1, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        key.id,
        key.name,
        key.mode,
        key.scopes,
        key.createdAt,
        key.expiresAt,
        key.lastUsedAt,
        key.state === 'revoked' ? key.createdAt : null,
        limit?.quota,
        limit?.windowSeconds,
        key.openOrderLimit === 1_000 ? null : key.openOrderLimit,
      ],
    )
    await app.pool.query(
      `insert into orders (pet_id, id, version, expires_at, chain_id)
       select i, 1, 2, now() + interval '1 day', $1 from generate_series(1, $2::int) as i`,
      [key.id, key.openOrders],
    )
    if (key.deprecatedCalls > 0n)
      await app.pool.query(`insert into deprecated_calls values ($1, 'getPet', $2, now(), now())`, [
        key.id,
        key.deprecatedCalls,
      ])
    if (key.webhooks > 0)
      await insertWebhook(app.pool, {
        id: 'wh_0a1B2c3D4e5F6g7H8i9J',
        url: RECEIVER,
        types: null,
        state: 'active',
        sequence: '0',
        createdAt: key.createdAt,
        changedBy: key.id,
      })
  }
  const page = await app.call('/v1/keys?limit=3')
  assert.deepEqual(page.body, exact(PAGES.page))
  assert.ok(page.headers.get('link')?.startsWith('</v1/keys?limit=3&cursor='))
  assert.deepEqual(((await app.call('/v1/keys/names')).body as object[]).slice(0, 3), exact(NAMES.names))
})

/** With integers as a response has them. */
function exact(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each)),
    (_, each: unknown) => (typeof each === 'number' ? BigInt(each) : each),
  )
}
