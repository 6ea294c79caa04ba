import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { postJson, startApp } from '../support/app.ts'
import { insertWebhook, startDelivering, untilWebhook } from '../support/deliveries.ts'
import { createTestKey } from '../support/factories.ts'
import { MACHINE_METRICS, metricsIn, readAlerts, readQueries, STORE_METRICS } from '../support/prometheus.ts'

// A Redis that is away is told of, too.
const app = await startApp({ adminPort: await freePort(), redisUrl: 'redis://127.0.0.1:1' })
const { delivery } = await startDelivering(app.url, { adminPort: await freePort() })
await callEverything()
await deliverSomething()
const delivered = await textOf(delivery)
const scraped = await scrape()

async function callEverything() {
  const pet = postJson({ name: 'Rex', categoryId: 1 })
  await app.call('/v1/pets', pet)
  const once = { ...pet, headers: { 'content-type': 'application/json', 'idempotency-key': 'a' } }
  for (let i = 0; i < 3; i++) await app.call('/v1/pets', once)
  for (const path of ['/pets', '/pets?id=1', '/pets/1', '/pets/1', '/deprecations', '/events?wait=2'])
    await app.call(`/v1${path}`)
}

async function deliverSomething() {
  const id = await insertWebhook(app.pool, 'https://127.0.0.1:1/')
  await untilWebhook(app.pool, id, ({ failures }) => failures > 0)
}

async function textOf({ adminAddress }: { adminAddress: string | undefined }) {
  return (await fetch(`${adminAddress}/metrics`)).text()
}

/** What both kinds of processes tell: name, type and labels of each, the names of all series, and the values of the service. */
async function scrape() {
  const text = `${delivered}\n${await textOf(app.service)}`
  const types = new Map(Array.from(text.matchAll(/^# TYPE (\w+) (\w+)$/gm), ([, name = '', type = '']) => [name, type]))
  const lines = Array.from(text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm))
  const values = new Map(lines.map(([, name, labels = '', value]) => [`${name}{${labels}}`, Number(value)]))
  const labelsOf = (name: string) => {
    const own = lines.filter(([, series = '']) => series === name || series === `${name}_bucket`)
    const labels = own.flatMap(([, , pairs = '']) => Array.from(pairs.matchAll(/(\w+)="/g), ([, label = '']) => label))
    return [...new Set(labels)].filter((label) => label !== 'le').toSorted()
  }
  return { types, labelsOf, values, series: new Set(lines.map(([, name = '']) => name)) }
}

test('docs/metrics.md has every metric of ours with its type and labels, and none that is not there', () => {
  const { types, labelsOf } = scraped
  const rows = readFileSync('docs/metrics.md', 'utf8').matchAll(/^\| `(\w+)` \| (\w+) \| (.*?) ?\| \S.* \|$/gm)
  const documented = Array.from(rows, ([, name = '', type = '', labels = '']) => {
    const names = Array.from(labels.matchAll(/`(\w+)`/g), ([, label = '']) => label)
    return [name, type, names.toSorted()] as const
  })
  const told = documented.map(([name]) => [name, types.get(name), labelsOf(name)])
  assert.deepEqual(documented, told)
  const ours = [...types.keys()].filter((name) => name.startsWith('petstore_'))
  const named = documented.map(([name]) => name).filter((name) => name.startsWith('petstore_'))
  assert.deepEqual(named.toSorted(), ours.toSorted())
})

test('every name has its unit, and counts end with _total', () => {
  for (const [name, type] of scraped.types) {
    if (!name.startsWith('petstore_')) continue
    assert.equal(name.endsWith('_total'), type === 'counter', name)
    if (type === 'histogram') assert.match(name, /_(?:seconds|items)$/)
  }
})

test('requests are counted by operation', () => {
  const { values } = scraped
  const count = (labels: string) => values.get(`petstore_request_duration_seconds_count{${labels}}`)
  assert.equal(count('operation="createPet",status="201"'), 4)
  assert.equal(count('operation="getPet",status="200"'), 2)
  assert.equal(count('operation="listDeprecations",status="200"'), 1)
  assert.equal(values.get('petstore_idempotent_replays_total{}'), 2)
  const deprecated = [...values].filter(([name]) => name.startsWith('petstore_deprecated_calls_total'))
  assert.equal(deprecated.length, 1)
  assert.match(deprecated[0]![0], /\{operation="getPet",key="key_[0-9A-Za-z]{16}"\}/)
  assert.equal(deprecated[0]![1], 2)
  assert.equal(values.get('petstore_batch_items_count{batch="keyedPets.insert"}'), 3)
  assert.equal(values.get('petstore_batch_items_sum{batch="pets.insert"}'), 1)
  assert.ok(values.get('petstore_feed_events_total{}')! >= 1)
  assert.equal(values.get('petstore_feed_waiting_requests{}'), 0)
  for (const name of ['processes', 'processes_ready', 'key_changes_heard', 'feed_connected'].map(
    (n) => `petstore_${n}`,
  ))
    assert.equal(values.get(`${name}{}`), 1, name)
})

test('a process that delivers reports its webhooks, and does not count as one that serves', () => {
  assert.match(delivered, /^petstore_webhook_deliveries_total\{outcome="failed"\} 1$/m)
  assert.match(delivered, /^petstore_webhook_behind_seconds\{webhook="wh_\w+"\} \d/m)
  assert.match(delivered, /^petstore_webhook_failing_seconds\{webhook="wh_\w+"\} \d/m)
  assert.match(delivered, /^petstore_webhooks_leased 1$/m)
  assert.doesNotMatch(delivered, /^petstore_(?:processes|processes_ready|feed_lag_seconds)\b/m)
})

test('an active webhook that no process delivers for is counted', async () => {
  const count = async () => /^petstore_webhooks_undelivered (\d+)$/m.exec(await textOf(app.service))?.[1]
  assert.equal(await count(), '0')
  const until = new Date(Date.now() - 31_000)
  await insertWebhook(app.pool, 'https://shop.example/', { state: 'paused', leased_until: until })
  assert.equal(await count(), '0')
  await delivery[Symbol.asyncDispose]()
  await insertWebhook(app.pool, 'https://shop.example/', { leased_until: until })
  await insertWebhook(app.pool, 'https://shop.example/', { created_at: until })
  await insertWebhook(app.pool, 'https://shop.example/')
  assert.equal(await count(), '2')
})

test('keys that expire soon are counted, unless they were rotated or revoked, or made for a short time', async () => {
  const count = async () => /^petstore_keys_expiring (\d+)$/m.exec(await textOf(app.service))?.[1]
  assert.equal(await count(), '0')
  const inDays = (days: number) => ({ expiresAt: new Date(Date.now() + days * 86_400_000) })
  const keys = await Promise.all([-1, 3, 13, 15].map((days) => createTestKey(app.pool, inDays(days))))
  // Made for a shorter time than the notice.
  assert.equal(await count(), '0')
  await app.pool.query(`update api_keys set created_at = expires_at - interval '15 days' where expires_at is not null`)
  assert.equal(await count(), '2')
  await app.pool.query('update api_keys set revoked_at = now() where id = $1', [keys[1]!.id])
  await app.pool.query(`update api_keys set replaced_by = 'key_2' where id = $1`, [keys[2]!.id])
  assert.equal(await count(), '0')
})

test('how long batches waited, and how long their statements took, is counted by batch', () => {
  const { values } = scraped
  for (const name of ['petstore_batch_wait_seconds', 'petstore_statement_seconds']) {
    assert.equal(values.get(`${name}_count{batch="keyedPets.insert"}`), 3)
    assert.equal(values.get(`${name}_bucket{le="+Inf",batch="pets.insert"}`), 1)
    assert.ok(values.get(`${name}_sum{batch="pets.insert"}`)! > 0, name)
  }
})

test('a webhook that is disabled or paused is counted as long as it is there, by a process that serves', async () => {
  await app.pool.query('delete from webhooks')
  const counts = async () =>
    Array.from(
      (await textOf(app.service)).matchAll(/^petstore_webhooks\{state="(\w+)"\} (\d+)$/gm),
      ([, ...pair]) => pair,
    )
  const expected = (active: number, paused: number, disabled: number) =>
    Object.entries({ active, paused, disabled }).map(([state, count]) => [state, String(count)])
  assert.deepEqual(await counts(), expected(0, 0, 0))
  for (const state of ['active', 'disabled', 'paused', 'paused'])
    await insertWebhook(app.pool, 'https://shop.example/', { state })
  assert.deepEqual(await counts(), expected(1, 2, 1))
})

test('where metrics are off, there are none', async () => {
  const { service, call } = await startApp()
  assert.equal((await call('/v1/pets')).status, 200)
  assert.equal(service.adminAddress, undefined)
  assert.deepEqual(await service.readMetrics(), [])
})

const known = new Set([...scraped.series, ...MACHINE_METRICS, ...STORE_METRICS, 'up'])

for (const { title, expr } of readQueries()) {
  test(`the panel "${title}" names only metrics that exist: ${expr.slice(0, 60)}`, () => {
    assert.ok(metricsIn(expr).length > 0)
    assert.deepEqual(
      metricsIn(expr).filter((name) => !known.has(name)),
      [],
    )
  })
}

for (const { name, expr, runbook } of readAlerts()) {
  test(`the alert ${name} names only metrics that exist, and a section of the runbook`, () => {
    assert.ok(metricsIn(expr).length > 0)
    assert.deepEqual(
      metricsIn(expr).filter((metric) => !known.has(metric)),
      [],
    )
    assert.equal(runbook, `docs/runbook.md#${name.toLowerCase()}`)
    assert.match(
      readFileSync('docs/runbook.md', 'utf8'),
      new RegExp(`^## ${name}\n\n.*?\\*\\*Look\\*\\*.*?\\*\\*Do\\*\\*`, 'ms'),
    )
  })
}

test('the reader of expressions finds names, and neither functions, labels nor words', () => {
  const expr = 'sum by (le, a) (rate(x_total{y="z", w=~".."}[5m])) / on (b) c_seconds > 0.5 or absent(up{job="d"})'
  assert.deepEqual(metricsIn(expr), ['x_total', 'c_seconds', 'up'])
  assert.ok(readAlerts().length > 10 && readQueries().length > 20)
})
