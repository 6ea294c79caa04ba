import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JobRunner } from '../../src/jobs/runner.ts'
import { SERVING_JOBS } from '../../src/jobs/serving.ts'
import { TIMES } from '../../src/lib/times.ts'
import { DeprecatedCalls } from '../../src/storage/deprecations/calls.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { createDatabase } from '../support/database.ts'
import { DatabaseProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'

const { url, pool } = await createDatabase()

function open(resources: AsyncDisposableStack, databaseUrl = url) {
  const failures: unknown[] = []
  const db = resources.use(new Database(databaseUrl, () => {}, { times: { ...TIMES.database, holdMs: 0 } }))
  const calls = new DeprecatedCalls(db)
  const log = { info: () => {}, warn: (failure: object) => failures.push(failure) }
  const job = { ...SERVING_JOBS.storeDeprecatedCalls({ deprecatedCalls: calls }), intervalMs: 100 }
  const jobs = resources.use(new JobRunner([job], { log, isLogged: () => false }))
  return { calls, jobs, failures }
}

const stored = async (keyId: string) => {
  const { rows } = await pool.query<{ operation: string; calls: string; order: boolean }>(
    `select operation, calls, first_called_at < last_called_at as order from deprecated_calls
     where api_key_id = $1 order by operation`,
    [keyId],
  )
  return rows.map(({ operation, calls, order }) => [operation, Number(calls), order])
}

test('processes add up what they have counted, within seconds and at their end', async () => {
  {
    await using resources = new AsyncDisposableStack()
    const { calls: one, jobs } = open(resources)
    const { calls: other } = open(resources)
    jobs.start()
    for (let i = 0; i < 3; i++) one.count('getPet', 'key_a')
    one.count('getPet', 'key_b')
    await until(async () => (await stored('key_a')).length > 0)
    assert.deepEqual(await stored('key_b'), [['getPet', 1, false]])
    one.count('getPet', 'key_a')
    other.count('getPet', 'key_a')
    other.count('another', 'key_a')
    assert.deepEqual(
      one.counted.map(({ keyId, calls }) => [keyId, calls]),
      [
        ['key_a', 4],
        ['key_b', 1],
      ],
    )
  }
  assert.deepEqual(await stored('key_a'), [
    ['another', 1, false],
    ['getPet', 5, true],
  ])
  assert.deepEqual(await stored('key_b'), [['getPet', 1, false]])
})

test('each key reads its own, and who asks at the same time shares a statement', async () => {
  await using resources = new AsyncDisposableStack()
  const { calls } = open(resources)
  const [a, b, nobody] = await Promise.all([calls.find('key_a'), calls.find('key_b'), calls.find('key_c')])
  assert.deepEqual(
    a.map(({ operation, calls: times }) => [operation, times]),
    [
      ['another', 1n],
      ['getPet', 5n],
    ],
  )
  assert.ok(a[1]!.firstCalledAt < a[1]!.lastCalledAt)
  assert.equal(b.length, 1)
  assert.deepEqual(nobody, [])
})

test('what could not be stored is stored in a later round, once', async () => {
  const proxy = await DatabaseProxy.start(url)
  await using resources = new AsyncDisposableStack()
  resources.use(proxy)
  const { calls, jobs, failures } = open(resources, proxy.url)
  await proxy.takeAway()
  jobs.start()
  calls.count('getPet', 'key_later')
  await until(() => failures.length > 0)
  assert.equal(failures.length, 1)
  calls.count('getPet', 'key_later')
  await proxy.bringBack()
  await until(async () => (await stored('key_later')).length > 0)
  assert.deepEqual(await stored('key_later'), [['getPet', 2, true]])
})
