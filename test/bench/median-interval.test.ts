import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fare, missedInAll } from '../../bench/fairness.ts'
import { medianInterval } from '../../bench/median-interval.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, i) => count - i)

test('the interval of a median is taken from order statistics, as tables of the sign test have it', () => {
  assert.deepEqual(medianInterval(upTo(5)), { median: 3, low: 1, high: 5, confidence: 93.7 })
  assert.deepEqual(medianInterval(upTo(6)), { median: 3.5, low: 1, high: 6, confidence: 96.8 })
  assert.deepEqual(medianInterval(upTo(9)), { median: 5, low: 2, high: 8, confidence: 96 })
  assert.deepEqual(medianInterval(upTo(20)), { median: 10.5, low: 6, high: 15, confidence: 95.8 })
})

test('nothing measured is no interval that could hold', () => {
  const { low, high } = medianInterval([])
  assert.ok(Number.isNaN(low) && Number.isNaN(high))
})

test('the short form of fairness fails only for what every round missed', () => {
  const fare = (p50: number, p99: number): Fare[] => [
    { crowd: 'creates', crowdRate: { perSecond: 1, p50: 10, p99: 20 }, single: 'gets', p50, p99 },
  ]
  const [fair, slow, stalled] = [fare(20, 60), fare(21, 60), fare(20, 61)]
  assert.deepEqual(missedInAll([slow, slow, fair]), [])
  assert.deepEqual(missedInAll([slow, stalled, slow]), [])
  assert.equal(missedInAll([slow, slow, slow]).length, 1)
  assert.equal(missedInAll([stalled, stalled, stalled]).length, 1)
})
