import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Metrics } from '../../src/telemetry/metrics.ts'

test('responses are counted in every bucket that they fit in, by operation and status', async () => {
  const metrics = new Metrics()
  for (const ms of [0.4, 1, 1.01, 30, 99_000]) metrics.observe('getPet', 200, ms)
  metrics.observe('getPet', 404, 3)
  metrics.observe(undefined, 404, 3)
  const lines = (await metrics.text())
    .split('\n')
    .filter((line) => line.startsWith('petstore_request_duration_seconds'))
  const of = (labels: string) => lines.filter((line) => line.includes(labels)).map((line) => line.split(' ').at(-1))
  assert.equal(lines.length, (3 + 2 * 2) * 16, 'and two for each operation that say that nothing has failed yet')
  for (const status of [500, 503])
    assert.deepEqual(new Set(of(`operation="getPet",status="${status}"`)), new Set(['0']), String(status))
  // 1, 2.5, 5, 10, 25, 50, 100, 250, 500 ms, 1, 2.5, 5, 10 s, and whatever else; then the sum and the count
  const counts = ['2', '3', '3', '3', '3', '4', '4', '4', '4', '4', '4', '4', '4', '5']
  assert.deepEqual(of('operation="getPet",status="200"'), [...counts, '99.03241', '5'])
  assert.ok(lines.includes('petstore_request_duration_seconds_bucket{le="+Inf",operation="none",status="404"} 1'))
})
