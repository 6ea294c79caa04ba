import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { cpuMsOf, idle } from '../../fuzz/cpu.ts'
import { startApp } from '../support/app.ts'

// What one request may cost PostgreSQL. The limits of rows that a statement reads are in the tests beside this one; how much a row costs
// depends on the plan, for example whether each entry of an index is looked up in the table.
const MAX_CPU_MS = 10
const TRIES = 15
// More than is counted of each kind.
const EACH = 1_200

const { call, pool } = await startApp()
// The statistics are made once.
await pool.query(`
  alter table pets set (autovacuum_enabled = off);
  alter table orders set (autovacuum_enabled = off);
  alter table api_keys set (autovacuum_enabled = off);
  insert into categories (id, name) select i, 'category ' || i from generate_series(1, 20) as i;
  insert into pets (name, category_id, status)
  select 'counted', category, nullif(status, 'none')
  from generate_series(1, ${EACH}), generate_series(1, 20) as category, unnest('{available,pending,sold,none}'::text[]) as status;
  insert into api_keys (id, name, mode, hash, scopes, created_at, expires_at)
  select 'key_' || lpad(i::text, 16, '0'), repeat('"', 100), 'live', 'hash ' || i, '{}', now() - interval '1 day', now() + interval '1 day'
  from generate_series(1, 1000) as i;
  insert into orders (pet_id, id, version, expires_at, chain_id)
  select i, i, 2, now() + interval '1 day', 'key_' || lpad((1000 - i % 101)::text, 16, '0')
  from generate_series(1, ${101 * EACH}) as i;
  insert into orders (pet_id, id, version, status, expires_at, closed_at)
  select i, i, 2, 'completed', now(), now() from generate_series(1000001, ${1_000_001 + EACH}) as i;
  insert into deprecated_calls select id, operation, 1, now(), now() from api_keys, unnest('{getPet,listToys}'::text[]) as operation`)

/** The processes of PostgreSQL that work for this database. */
async function backends() {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  return rows.map(({ pid }) => pid)
}

async function cpuOfBackends(pids: number[]) {
  let ms = 0
  for (const pid of pids) {
    await idle(pid)
    ms += cpuMsOf(pid)
  }
  return ms
}

/** The least of several tries: jobs and plans that are made for the first time fall into some of them. */
async function costOf(path: string) {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < TRIES; i++) {
    const pids = await backends()
    const before = await cpuOfBackends(pids)
    const { status, text } = await call(path)
    assert.equal(status, 200, text)
    // A connection that was opened for it is not among these, so a try with one does not count.
    const after = await cpuOfBackends(pids)
    if ((await backends()).every((pid) => pids.includes(pid))) least = Math.min(least, after - before)
  }
  return least
}

const REQUESTS = [
  '/v1/keys?limit=100',
  '/v1/keys/names',
  '/v1/status',
  '/v1/categories?counts=true',
  '/v1/categories?counts=true&name=category',
  '/v1/pets/count',
  '/v1/pets/count?categoryId=1',
  '/v1/pets/count?categoryId=1&status=sold',
  '/v1/store/orders/count',
  '/v1/store/orders/count?status=placed',
  '/v1/store/orders/count?status=completed',
]

for (const statistics of ['stale', 'fresh']) {
  if (statistics === 'fresh')
    test('statistics are made', async () =>
      void (await pool.query('vacuum analyze pets, orders, api_keys, categories, deprecated_calls')))

  for (const path of REQUESTS)
    test(`${path} costs PostgreSQL at most 10 ms of CPU, with ${statistics} statistics`, async (t) => {
      const [pid] = await backends()
      if (!existsSync(`/proc/${pid}/schedstat`)) return t.skip('PostgreSQL is not on this machine')
      const ms = await costOf(path)
      t.diagnostic(`${ms.toFixed(2)} ms`)
      assert.ok(ms <= MAX_CPU_MS, `${ms} ms`)
    })
}
