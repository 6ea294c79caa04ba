import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { freePort } from '../../../src/cli/dev/embedded-postgres.ts'
import { startApp } from '../../support/app.ts'
import { startCollector } from '../../support/collector.ts'
import { addPet } from '../../support/events.ts'
import { startStores } from '../../support/stores.ts'

const collector = await startCollector()
const { live, sandbox, service } = await startStores({
  adminPort: await freePort(),
  traces: { endpoint: collector.endpoint, share: 1 },
})
await addPet(live.call)
await addPet(sandbox.call)
const alone = await startApp({ adminPort: await freePort() })
await addPet(alone.call)

/** The series of ours, without their buckets: each with its labels, but for the store. */
async function seriesOf({ adminAddress }: { adminAddress: string | undefined }) {
  const text = await (await fetch(`${adminAddress}/metrics`)).text()
  const lines = Array.from(text.matchAll(/^(petstore_\w+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? \S+$/gm))
  const all = new Map<string, Set<string | undefined>>()
  for (const [, name = '', labels = ''] of lines) {
    const store = /\bstore="(\w+)"/.exec(labels)?.[1]
    all.set(name, (all.get(name) ?? new Set()).add(store))
  }
  return all
}
const several = await seriesOf(service)
const one = await seriesOf(alone.service)

/** Of a process, whatever its stores. */
const OF_PROCESS = [
  'petstore_build_info',
  'petstore_log_errors_total',
  'petstore_processes',
  'petstore_processes_ready',
  'petstore_rate_limited_total',
  'petstore_request_duration_seconds',
  'petstore_requests_in_flight',
  'petstore_requests_shed_total',
]
const ONLY_OF_SEVERAL = [
  'petstore_store_ready',
  'petstore_store_requests_in_flight',
  'petstore_store_requests_shed_total',
]

test('where there are several stores, each series says of which it is', () => {
  for (const [name, stores] of several) {
    if (OF_PROCESS.includes(name)) assert.deepEqual([...stores], [undefined], name)
    // Traces are of the process, and background work of a store.
    else if (name === 'petstore_background_failures_total') assert.equal(stores.size, 3, name)
    else assert.deepEqual(stores, new Set(['live', 'test']), name)
  }
  for (const name of [...one.keys(), ...ONLY_OF_SEVERAL]) assert.ok(several.has(name), name)
})

test('with one store, no series names it', () => {
  for (const [name, stores] of one) assert.deepEqual([...stores], [undefined], name)
  for (const name of ONLY_OF_SEVERAL) assert.ok(!one.has(name), name)
})

test('docs/metrics.md has what only several stores have', () => {
  const text = readFileSync('docs/metrics.md', 'utf8')
  for (const name of ONLY_OF_SEVERAL) assert.ok(text.includes(`\`${name}\``), name)
})

test('the trace of a request to the sandbox names it', async () => {
  await service[Symbol.asyncDispose]()
  const spans = collector.spans.filter(({ name }) => name === 'createPet')
  const stores = spans.map(({ attributes }) => attributes.find(({ key }) => key === 'petstore.store')?.value)
  assert.deepEqual(stores.filter(Boolean), [{ stringValue: 'test' }])
  assert.equal(spans.length, 2)
})
