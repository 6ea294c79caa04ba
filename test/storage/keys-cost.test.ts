import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { MAX_COUNTED, MAX_NAMES, NAMES_STATEMENT, pageStatement } from '../../src/storage/keys/pages.ts'
import { connectionSettings } from '../../src/storage/postgres/connection.ts'
import { MAX_EXPIRING, STATUS_STATEMENT } from '../../src/storage/status/status.ts'
import { createDatabase } from '../support/database.ts'
import { LONG } from '../support/long.ts'
import { tableReads } from '../support/table-reads.ts'

const KEYS = LONG ? 1_000_000 : 100_000
const WEBHOOKS = 20
const SMALL = ['webhooks']

const { url, pool } = await createDatabase()
const client = new pg.Client(connectionSettings(url))
await client.connect()

const idOf = (i: number) => `key_${String(i).padStart(16, '0')}`

// The higher the number, the newer; stored in no order, which is the worst case for a walk by an index. The newest hoard orders.
await pool.query(`
  alter table api_keys set (autovacuum_enabled = off);
  alter table orders set (autovacuum_enabled = off);
  insert into api_keys (id, name, mode, hash, scopes, created_at, expires_at)
  select 'key_' || lpad(i::text, 16, '0'), 'key ' || i, 'live', 'hash ' || i, '{}', now() - (${KEYS} - i) * interval '1 minute',
         now() + (i % 365 - 30) * interval '1 day'
  from generate_series(1, ${KEYS}) as i order by hashint4(i);
  insert into orders (pet_id, id, version, expires_at, chain_id)
  select i, i, 2, now() + interval '1 day', 'key_' || lpad((${KEYS} - i % 50)::text, 16, '0') from generate_series(1, 100000) as i;
  insert into deprecated_calls
  select id, operation, 1, now(), now() from api_keys, unnest('{getPet,listToys}'::text[]) as operation;
  insert into webhooks (id, url, sequence, mark, changed_by)
  select 'wh_' || i, 'https://shop.example', 1, 1, 'key_' || lpad((${KEYS} - i % 5)::text, 16, '0')
  from generate_series(1, ${WEBHOOKS}) as i`)

for (const statistics of ['stale', 'fresh']) {
  if (statistics === 'fresh')
    test('statistics are made', async () =>
      void (await pool.query('vacuum analyze api_keys, orders, deprecated_calls, webhooks')))

  for (const [name, after] of Object.entries({ first: undefined, middle: idOf(KEYS / 2), last: idOf(50) }))
    for (const limit of [2, 21, 101])
      test(`the ${name} page of ${limit} keys reads no others, and 100 orders of each, with ${statistics} statistics`, async () => {
        const statement = pageStatement({ after, limit })
        const found = Math.min(limit, name === 'last' ? 49 : limit)
        const reads = await tableReads(client, statement, SMALL)
        // Besides those of the page, the one after which it begins, and those of the webhooks.
        assert.ok(reads['api_keys']! <= found + 1 + WEBHOOKS, JSON.stringify(reads))
        assert.ok((reads['orders'] ?? 0) <= found * MAX_COUNTED, JSON.stringify(reads))
        assert.ok(reads['deprecated_calls']! <= 2 * found, JSON.stringify(reads))
      })

  test(`names read no more keys than they return, with ${statistics} statistics`, async () => {
    const reads = await tableReads(client, NAMES_STATEMENT)
    assert.equal(reads['api_keys'], MAX_NAMES)
  })

  test(`the status counts no more than 1,000 keys, with ${statistics} statistics`, async () => {
    const reads = await tableReads(client, STATUS_STATEMENT, SMALL)
    assert.deepEqual(reads, { api_keys: MAX_EXPIRING, webhooks: WEBHOOKS })
  })
}

test('done', async () => client.end())
