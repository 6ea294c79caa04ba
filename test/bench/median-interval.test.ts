import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fare, missedInAll } from '../../bench/fairness.ts'
import { type Interval, medianInterval } from '../../bench/median-interval.ts'
import { ratioInterval } from '../../bench/ratio-interval.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, i) => count - i)

test('the interval of a median is taken from order statistics, as tables of the sign test have it', () => {
  assert.deepEqual(medianInterval(upTo(5)), { median: 3, low: 1, high: 5, confidence: 93.7 })
  assert.deepEqual(medianInterval(upTo(6)), { median: 3.5, low: 1, high: 6, confidence: 96.8 })
  assert.deepEqual(medianInterval(upTo(9)), { median: 5, low: 2, high: 8, confidence: 96 })
  assert.deepEqual(medianInterval(upTo(20)), { median: 10.5, low: 6, high: 15, confidence: 95.8 })
})

test('the interval of ratios is taken from their geometric means, as tables of the signed-rank test have it', () => {
  const ratios = (count: number) => upTo(count).map((power) => 2 ** power)
  const rounded = ({ median, low, high, confidence }: Interval) =>
    [Math.log2(median), Math.log2(low), Math.log2(high), confidence].map((value) => Number(value.toFixed(6)))
  assert.deepEqual(rounded(ratioInterval(ratios(6))), [3.5, 1, 6, 96.8])
  assert.deepEqual(rounded(ratioInterval(ratios(9))), [5, 2.5, 7.5, 96])
  assert.deepEqual(rounded(ratioInterval(ratios(12))), [6.5, 4, 9, 95.7])
})

test('nothing measured is no interval that could hold', () => {
  for (const { low, high } of [medianInterval([]), ratioInterval([]), ratioInterval([1, Number.NaN, 1, 1, 1, 1])])
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
