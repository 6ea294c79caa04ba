import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { caller } from '../support/app.ts'
import { createDatabase } from '../support/database.ts'
import { createTestKey } from '../support/factories.ts'
import { petstore, serveHere } from '../support/process.ts'
import { until } from '../support/until.ts'

// Three instances, as an operator would run them, and clients that never stop.
const { url, pool } = await createDatabase()
const addresses = (await Promise.all([serveHere(url), serveHere(url), serveHere(url)])).map(({ address }) => address)

interface Call {
  sentAt: number
  answeredAt: number
  status: number
  code: string | undefined
}

/** Clients of every instance that send one request after the other, with the current key, until they are stopped. */
function startCallers(keyOf: () => string) {
  const calls: Call[] = []
  const answered = new EventEmitter()
  const stopped = new AbortController()
  const callers = addresses.flatMap((address) =>
    [1, 2].map(async () => {
      const call = caller(address, '')
      while (!stopped.signal.aborted) {
        const sentAt = Date.now()
        const { status, body } = await call('/v1/pets?limit=1', { key: keyOf() })
        calls.push({ sentAt, answeredAt: Date.now(), status, code: (body as { code?: string }).code })
        answered.emit('answer')
      }
    }),
  )
  return {
    calls,
    next: () => once(answered, 'answer'),
    async stop() {
      stopped.abort()
      await Promise.all(callers)
      return calls
    },
  }
}

test('a rotation under load fails no request: both keys work until the overlap ends, then the old one on no instance', async () => {
  const old = await createTestKey(pool)
  let current = old.key
  const movers = startCallers(() => current)
  const stayers = startCallers(() => old.key)
  const { code, stdout, stderr } = await petstore(['keys', 'rotate', old.id, '--overlap', '6s', '--json'], {
    DATABASE_URL: url,
  })
  assert.equal(code, 0, stderr)
  const made = JSON.parse(stdout) as { key: string; replaces: { expiresAt: string } }
  const end = Date.parse(made.replaces.expiresAt)
  const movedAt = Date.now()
  current = made.key
  const rejectedAfter = () => stayers.calls.filter(({ sentAt }) => sentAt >= end).length
  while (rejectedAfter() < 20) await movers.next()
  const [moved, stayed] = await Promise.all([movers.stop(), stayers.stop()])

  assert.ok(end - movedAt > 1_000, 'there was an overlap')
  assert.ok(moved.filter(({ sentAt }) => sentAt > movedAt && sentAt < end).length > 50, 'the new key was in use in it')
  assert.deepEqual(
    moved.filter(({ status }) => status !== 200),
    [],
    'who moves to the new key in time notices nothing',
  )
  const before = stayed.filter(({ answeredAt }) => answeredAt < end)
  assert.ok(before.filter(({ answeredAt }) => answeredAt > movedAt).length > 50, 'the old key was in use in it too')
  assert.deepEqual(
    before.filter(({ status }) => status !== 200),
    [],
    'the old key works until the end',
  )
  const after = stayed.filter(({ sentAt }) => sentAt >= end)
  assert.ok(after.length > 10)
  assert.deepEqual([...new Set(after.map((call) => `${call.status} ${call.code}`))], ['401 expired_credentials'])
})

/** How long after `since` the key was last accepted by any instance. */
async function lastLetIn(key: string, since: number) {
  const last = await Promise.all(
    addresses.map(async (address) => {
      const call = caller(address, key)
      return until(async () => {
        const begun = performance.now()
        const { status } = await call('/v1/pets?limit=1')
        if (status === 401) return begun - since
        assert.equal(status, 200)
        assert.ok(begun - since < 11_000, 'it is refused at some point')
        return false
      })
    }),
  )
  return Math.max(...last)
}

test('a revoked key is rejected by all of three instances within a second', async () => {
  const { id, key } = await createTestKey(pool)
  for (const address of addresses) assert.equal((await caller(address, key)('/v1/pets')).status, 200)
  assert.equal((await petstore(['keys', 'revoke', id], { DATABASE_URL: url })).code, 0)
  assert.ok((await lastLetIn(key, performance.now())) < 1_000)
})

test('and within ten seconds when no instance is notified', async () => {
  const { id, key } = await createTestKey(pool)
  for (const address of addresses) assert.equal((await caller(address, key)('/v1/pets')).status, 200)
  // As the command does it, but for the notification.
  await pool.query('update api_keys set revoked_at = now() where id = $1', [id])
  const revoked = performance.now()
  assert.equal((await caller(addresses[0]!, key)('/v1/pets')).status, 200, 'nobody has heard of it')
  assert.ok((await lastLetIn(key, revoked)) < 10_000)
})

test('and at once when the listening connections are cut, and notified again when they are back', async () => {
  const [first, second] = [await createTestKey(pool), await createTestKey(pool)]
  for (const address of addresses)
    for (const { key } of [first, second]) assert.equal((await caller(address, key)('/v1/pets')).status, 200)
  const { rows } = await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query = 'listen "api_keys_changed"'`,
  )
  assert.equal(rows.length, addresses.length)
  await pool.query('update api_keys set revoked_at = now() where id = $1', [first.id])
  assert.ok((await lastLetIn(first.key, performance.now())) < 1_000)

  await listeningAgain()
  assert.equal((await petstore(['keys', 'revoke', second.id], { DATABASE_URL: url })).code, 0)
  assert.ok((await lastLetIn(second.key, performance.now())) < 1_000)
})

async function listeningAgain() {
  for (let listeners = 0; listeners < addresses.length; ) {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity
       where datname = current_database() and query = 'listen "api_keys_changed"' and state = 'idle'`,
    )
    listeners = rows[0]!.count
  }
}
