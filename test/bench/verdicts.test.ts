import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { slower } from '../../bench/against.ts'
import { type Part, slowed } from '../../bench/churn.ts'
import type { Result } from '../../bench/compare.ts'
import { type Expiry, late, lateInAll } from '../../bench/expiry.ts'
import { type Fare, longTailsByCrowd, longTailsByOwn, slowerThanCrowd } from '../../bench/fairness.ts'
import { type FlatnessCell, notFlat, type Question } from '../../bench/flatness.ts'
import { excesses } from '../../bench/memory.ts'
import { type Cost, tooExpensive } from '../../bench/observability.ts'
import { failings, type Tally } from '../../bench/own-writes.ts'
import type { Comparison } from '../../bench/pair.ts'
import { requireRoom } from '../../bench/postgres.ts'
import { residentMegabytes } from '../../bench/processes.ts'
import { costly } from '../../bench/sandbox.ts'
import { type Cell, latencyTable, overgrowth } from '../../bench/scale-report.ts'
import { shortfalls, TARGETS } from '../../bench/verdict.ts'

const result = (operation: string, connections: number, { ratio = 9, extraMs = 0 }): Result => ({
  operation,
  connections,
  bare: { perSecond: 10_000, p50: 1, p99: 2 },
  service: { perSecond: 10_000 * ratio, p50: 1 + extraMs, p99: 2 },
  ratio,
  cpu: { bareDatabase: 1, service: 1, database: 1 },
})

test('the ratio to bare is judged with many connections, and the time that a request takes with one', () => {
  const reached = [
    result('get', 1, { ratio: 0.1, extraMs: 0.39 }),
    result('get', 64, { ratio: 0.85, extraMs: 9 }),
    result('get', 256, { ratio: 0.77, extraMs: 9 }),
    result('walk', 64, { ratio: 0.1 }), // which has no target
  ]
  assert.deepEqual(shortfalls(reached, TARGETS), [])
  const missed = [
    result('get', 1, { extraMs: 0.41 }),
    result('create', 64, { ratio: 1.39 }),
    result('list', 256, { ratio: 1.25 }),
  ]
  assert.deepEqual(shortfalls(missed, TARGETS), [
    'get with one connection takes 0.41 ms more than bare, not 0.4',
    'create at 64 connections is 1.39 times bare, not 1.40',
    'list at 256 connections is 1.25 times bare, not 1.26',
  ])
})

test('creates with a key are judged by those without, in the same rounds', () => {
  const pair = (ratio: number, ratioOnce: number) => [
    result('create', 64, { ratio }),
    result('create once', 64, { ratio: ratioOnce }),
    result('create', 1, { ratio }),
    result('create once', 1, { ratio: 0.1 }), // where it is a matter of round trips
  ]
  assert.deepEqual(shortfalls(pair(2, 1.4), TARGETS), [])
  assert.deepEqual(shortfalls(pair(2, 1.38), TARGETS), [
    'creates with a key at 64 connections are 0.69 times those without, not 0.70',
  ])
  assert.equal(shortfalls([result('create once', 64, { ratio: 9 })], TARGETS).length, 1, 'nothing to compare with')
})

test('what could not be measured was not reached', () => {
  const nothing = { ratio: Number.NaN, extraMs: Number.NaN }
  assert.equal(
    shortfalls(
      [1, 64, 256].map((connections) => result('list', connections, nothing)),
      TARGETS,
    ).length,
    3,
  )
})

const tally = (missing: Partial<Tally['missing']>, met: number): Tally => ({
  operations: 10_000,
  missing: { get: 0, list: 0, 'filter by status': 0, 'filter by id': 0, ...missing },
  met,
})

test('a pet that is missing fails the run, and so does a run in which none could be', () => {
  assert.deepEqual(failings(tally({}, 1)), [])
  assert.deepEqual(failings(tally({ list: 3 }, 1)), ['3 pets were missing from the list that followed their creation'])
  assert.match(failings(tally({}, 0)).join(), /^no list met an equal one in flight/)
})

const fare = (p50: number, p99: number): Fare => ({
  crowd: 'lists',
  crowdRate: { perSecond: 10_000, p50: 5, p99: 20 },
  single: 'gets',
  p50,
  p99,
})

test('a client is served fairly if it mostly waits no longer than the others, and never much longer', () => {
  assert.deepEqual(longTailsByOwn([fare(4, 20), fare(10, 11)]), [])
  assert.deepEqual(longTailsByOwn([fare(4, 21)]), ['among lists, p99 of gets is 5.3 times their p50, not 5'])
  assert.deepEqual(longTailsByCrowd([fare(4, 60)]), [])
  assert.deepEqual(longTailsByCrowd([fare(4, 61)]), ['among lists, p99 of gets is 3.0 times that of the crowd, not 3'])
  // All that are answered only when the crowd has gone wait about equally long.
  assert.deepEqual(slowerThanCrowd([fare(1_000, 2_000)]), ['among lists, gets take 200.0 times as long, not 2'])
})

const tenMinutes = (at: (second: number) => number) => [
  { name: 'worker', megabytes: Array.from({ length: 600 }, (_, i) => at(i)) },
]

test('memory that comes and goes is flat; memory that keeps coming is not', () => {
  assert.deepEqual(excesses(tenMinutes((second) => Math.min(second, 60) + 40 * ((second % 20) / 20))), [])
  assert.deepEqual(excesses(tenMinutes((second) => 100 + second / 30)), [
    'worker grew by 15 MB after its second minute, not 10',
  ])
})

test('a process that was too large for a moment, or that exited, is reported', () => {
  assert.deepEqual(excesses(tenMinutes((second) => (second === 5 ? 201 : 100))), ['worker took 201 MB, not 200'])
  assert.deepEqual(excesses(tenMinutes((second) => (second > 300 ? Number.NaN : 100))), ['worker ended under the load'])
})

const cell = (pets: number, ...p50s: number[]): Cell => {
  const rounds = p50s.map((p50) => ({ perSecond: 10_000, p50, p99: 5 }))
  return { operation: 'get', pets, service: rounds, bare: rounds }
}

test('flat is what takes about as long in the largest store as in the smallest, in the same round', () => {
  // The second round met a machine that was busy with other things, at both sizes.
  assert.deepEqual(overgrowth([cell(1e4, 1, 4, 1), cell(1e6, 9, 9, 9), cell(1e8, 1.5, 6, 1.4)], 1.5), [])
  assert.deepEqual(overgrowth([cell(1e4, 1, 4, 1), cell(1e8, 1.6, 4, 1.7)], 1.5), [
    'get takes 1.60 times as long at 10^8 pets as at 10^4, not 1.5',
  ])
})

test('service and bare are compared in the same round', () => {
  const rates = (...perSecond: number[]) => perSecond.map((each) => ({ perSecond: each, p50: 1, p99: 5 }))
  // The ratio of the medians would be 0.89.
  const rounds = { service: rates(8_000, 2_000, 9_000), bare: rates(10_000, 4_000, 9_000) }
  assert.match(latencyTable([{ operation: 'get', pets: 1e4, ...rounds }]), /\| +8,000 \| +9,000 \| +0\.80 \|$/)
})

test('a run that would fill the disk is rejected before it begins', async () => {
  await requireRoom(1)
  await assert.rejects(requireRoom(1e15), /1,000,000,000,000,000 pets need about .+ GB.+ set TMPDIR/)
})

test('the memory of a process is reported with that of each child process', async () => {
  const child = spawn('cat')
  await once(child, 'spawn')
  const megabytes = residentMegabytes(process.pid)
  child.kill()
  assert.ok(Math.abs(megabytes.get(process.pid)! - process.memoryUsage.rss() / 1e6) < 20)
  assert.ok(megabytes.get(child.pid!)! > 0)
  assert.equal(megabytes.has(process.ppid), false)
})

test('the cost of metrics, logs and traces is judged over all operations', () => {
  const cost = (logged: number, traced: number): Cost => ({
    operation: 'get',
    rate: { silent: 1, logged: 1, traced: 1 },
    cpu: { silent: 1, logged: 1, traced: 1 },
    share: { logged, traced },
  })
  const targets = { logged: 0.95, traced: 0.97 }
  assert.deepEqual(tooExpensive([cost(0.94, 0.96), cost(0.97, 0.99)], targets), [])
  assert.deepEqual(tooExpensive([cost(0.94, 0.95)], targets), [
    'with metrics and logs 0.940 of the rate remains, not 0.95',
    'with traces 0.950 of that remains, not 0.97',
  ])
  assert.equal(tooExpensive([cost(Number.NaN, Number.NaN)], targets).length, 2)
})

test('the first page has slowed down if its p99 is longer at the end than it may be', () => {
  const parts = (...p99s: number[]) => p99s.map((p99): Part => ({ sold: 1, p50: 1, p99, buffers: 1, vacuums: 0 }))
  assert.deepEqual(slowed(parts(5, 30, 10), 2), [])
  assert.deepEqual(slowed(parts(5, 5, 10.5), 2), ['p99 of the first page is 2.1 times as long at the end, not 2'])
  assert.equal(slowed(parts(Number.NaN, 1), 2).length, 1)
  assert.equal(slowed([], 2).length, 1)
})

const comparison = (low: number, median: number, high: number, cpu = 1): Comparison => ({
  operation: 'walk',
  old: 10_000,
  new: 10_000 * median,
  oldCpu: 1,
  newCpu: cpu,
  ratio: { median, low, high, confidence: 95 },
  cpuRatio: { median: cpu, low: cpu - 0.01, high: cpu + 0.01, confidence: 95 },
})

test('a checkout is slower only where the whole interval is below 0.97, or below what was decided', () => {
  assert.deepEqual(slower([comparison(0.8, 0.9, 0.97), comparison(0.5, 0.9, Number.POSITIVE_INFINITY)], 'main'), [])
  assert.deepEqual(slower([comparison(0.9, 0.94, 0.969)], 'main'), [
    'walk is slower than at main: 0.940 times its rate (0.900 to 0.969), not 0.97',
  ])
  assert.equal(slower([comparison(Number.NaN, Number.NaN, Number.NaN)], 'main').length, 1)

  const prices = [{ operation: 'walk', minRatio: 0.87 }]
  assert.deepEqual(slower([comparison(0.8, 0.86, 0.88)], 'main', prices), [])
  assert.equal(slower([comparison(0.8, 0.84, 0.869)], 'main', prices).length, 1)
})

test('a sandbox costs too much only where a whole interval says so, of the rate or of the CPU', () => {
  assert.deepEqual(costly([comparison(0.8, 0.9, 0.97), comparison(0.9, 1, 1.1, 1.04)], 0.97), [])
  assert.deepEqual(costly([comparison(0.9, 0.94, 0.969, 1.05)], 0.97), [
    'walk keeps 0.940 of its rate with a sandbox, not 0.97',
    'walk takes 1.050 times the CPU with a sandbox, not 1.031',
  ])
  assert.equal(costly([comparison(Number.NaN, Number.NaN, Number.NaN, Number.NaN)], 0.97).length, 2)
})

test('orders expire once, in time, and without holding up others', () => {
  const expiry: Expiry = { orders: 10_000, mostSeconds: 5, seconds: 4.9, expired: 10_000, p50Before: 1, p50During: 2 }
  assert.deepEqual(late(expiry), [])
  assert.deepEqual(late({ ...expiry, seconds: 5.1 }), ['10,000 orders took 5.1 s, not 5'])
  assert.deepEqual(late({ ...expiry, seconds: Number.NaN }), ['10,000 orders took NaN s, not 5'])
  assert.deepEqual(late({ ...expiry, p50During: 2.1 }), [
    'beside 10,000 orders that expire, p50 is 2.1 times as long, not 2',
  ])
  assert.deepEqual(late({ ...expiry, expired: 9_999 }), ['of 10,000 orders 9,999 expired once and not too early'])
})

test('the short form fails by the clock if all of its rounds do, and if any order expired twice', () => {
  const expiry: Expiry = { orders: 10_000, mostSeconds: 5, seconds: 6, expired: 10_000, p50Before: 1, p50During: 2 }
  assert.deepEqual(lateInAll([expiry, { ...expiry, seconds: 4 }]), [])
  assert.deepEqual(lateInAll([expiry, expiry]), ['10,000 orders took 6.0 s, not 5'])
  assert.deepEqual(
    lateInAll([
      { ...expiry, seconds: 4 },
      { ...expiry, seconds: 4, expired: 9_999 },
    ]),
    ['of 10,000 orders 9,999 expired once and not too early'],
  )
})

const question = (name: string, more: Partial<Question> = {}): Question => ({
  name,
  request: () => ({ method: 'GET', path: '/', body: '' }),
  least: 1,
  ...more,
})

test('a question is flat if no larger store needs longer than the smallest, and a bounded one if it has its milliseconds', () => {
  const plan = { sizes: [1e4, 1e6, 1e7], rounds: 3, seconds: 1, mostGrowth: 1.5, mostMs: 50 }
  const cells = (name: string, ...p50s: number[]): FlatnessCell[] =>
    p50s.map((p50, i) => ({
      question: name,
      size: plan.sizes[i]!,
      rounds: Array.from({ length: 3 }, () => ({ perSecond: 1, p50, p99: 5 })),
    }))
  const [rare, bounded] = [question('rare word'), question('bounded', { isBounded: true })]
  assert.deepEqual(
    notFlat([...cells('rare word', 1, 1.5, 1.4), ...cells('bounded', 1, 49, 50)], [rare, bounded], plan),
    [],
  )
  assert.deepEqual(notFlat(cells('rare word', 1, 1.6, 1), [rare], plan), [
    'rare word takes 1.60 times as long at 10^6 as at 10^4, not 1.5',
  ])
  assert.deepEqual(notFlat(cells('bounded', 1, 51, 2), [bounded], plan), ['bounded: 51.00 ms at 10^6, not 50'])
  assert.equal(notFlat(cells('rare word', 1, Number.NaN, 1), [rare], plan).length, 1, 'nothing was measured')
})
