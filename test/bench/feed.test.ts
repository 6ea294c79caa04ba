import assert from 'node:assert/strict'
import { test } from 'node:test'
import { late, slow } from '../../bench/feed.ts'
import type { Sequencing } from '../../bench/sequencing.ts'

const TARGETS = { visibleP99: 1_000, wokenP50: 250, mostRatio: 1.1 }

function sequencing(changes: Partial<Sequencing>): Sequencing {
  const cpu = { cpuService: 0.01, cpuDatabase: 0.02 }
  return { asked: 100, perSecond: 100, added: 500, numbered: 500, p50: 30, p99: 1_000, ...cpu, ...changes }
}

const ratio = (low: number) => ({ median: low + 0.1, low, high: low + 0.2, confidence: 95 })

test('each event must have a number, and get it in time', () => {
  assert.deepEqual(late([sequencing({})], TARGETS), [])
  assert.deepEqual(late([sequencing({ numbered: 499 })], TARGETS), ['of 500 events at 100 a second 499 have a number'])
  assert.deepEqual(late([sequencing({ numbered: 501 })], TARGETS), ['of 500 events at 100 a second 501 have a number'])
  assert.deepEqual(late([sequencing({ p99: 1_001 })], TARGETS), [
    'at 100 events a second p99 to a number is 1001 ms, not 1000',
  ])
  assert.equal(late([sequencing({ p99: Number.NaN })], TARGETS).length, 1, 'nothing was measured')
})

test('requests that wait must get each event in time, and others be no slower for certain', () => {
  assert.deepEqual(slow({ missed: 0, p50: 250, ratio: ratio(1.1) }, TARGETS), [])
  assert.deepEqual(slow({ missed: 2, p50: 251, ratio: ratio(1.11) }, TARGETS), [
    '2 times a request that waited did not get an event',
    'requests that wait get an event after 251 ms (p50), not 250',
    'beside requests that wait, others take 1.21 times as long (1.11 at least), not 1.1',
  ])
  assert.equal(
    slow({ missed: 0, p50: Number.NaN, ratio: ratio(Number.NaN) }, TARGETS).length,
    2,
    'nothing was measured',
  )
})
