import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Fault } from '../../faults/fault.ts'
import { FAULTS } from '../../faults/matrix/all.ts'
import { readable } from '../../faults/measurements.ts'
import { tableOf } from '../../faults/report.ts'

test('the measurements of a fault are printed in words, a line for each row', () => {
  const measurements = {
    seconds: 2348,
    failedWithoutRetry: 0,
    load: { 200: 480, 503: 1 },
    admitted: [100, 100, 100],
    newHandles: [-1, 0, 0],
    cut: { service: 11407, database: 770 },
    points: { 'before it is sent': { runs: 200, atOnce: 0 }, 'it is sent': { runs: 200, atOnce: 3 } },
    curve: [{ name: '+5 ms', p99: 26, recovered: true }],
    bare: [{ times: 10, refusalP99: 5, growthMb: -11 }],
    direct: { sent: 44, accepted: [] },
  }
  assert.deepEqual(readable(measurements, '\n').split('\n'), [
    'seconds 2,348',
    'failed without retry 0',
    'load: 480 × 200, 1 × 503',
    'admitted 100 (3 times)',
    'new handles -1, 0, 0',
    'cut: service 11,407, database 770',
    'points:',
    'before it is sent: runs 200, at once 0',
    'it is sent: runs 200, at once 3',
    'curve:',
    '+5 ms: p99 26, recovered yes',
    'bare:',
    'times 10, rejection p99 5, growth MB -11',
    'direct: sent 44, accepted none',
  ])
})

test('a row of the table has every measurement in its place, and no JSON', () => {
  const fault: Fault = { name: 'kill', injected: 'kill -9', invariant: 'none lost', run: () => Promise.reject() }
  const counts = { times: 1, acked: 1_234, lost: 0, twice: 0, failed: 2, outageMs: { p50: 9_500, max: 19_900 } }
  const outcome = { ...counts, failedBy: { unavailable: 2 }, seconds: 3, broken: [] }
  assert.equal(
    tableOf([{ fault, outcome }], '<br>').split('\n').at(-1),
    '| kill | kill -9 | none lost | 1 | 1,234 | 0 | 0 | 2 | 9.5 s | 19.9 s | failed by: unavailable 2<br>seconds 3 |',
  )
})

const page = readFileSync('docs/reliability.md', 'utf8')
const matrix = page.slice(page.indexOf('<!-- matrix -->'), page.indexOf('<!-- /matrix -->'))

test('no cell of the page is JSON', () => {
  assert.doesNotMatch(matrix, /[{}]|"\w+":/)
})

test('each row of the page says of its fault what the code says', () => {
  const rows = new Map(
    matrix.split('\n').map((line) => {
      const [name, injected, invariant] = line.replace(/^\| /, '').split(' | ')
      return [name, { injected, invariant }]
    }),
  )
  const recorded = FAULTS.filter(({ name }) => rows.has(name))
  assert.ok(recorded.length > 20)
  for (const { name, injected, invariant } of recorded) assert.deepEqual(rows.get(name), { injected, invariant }, name)
})
