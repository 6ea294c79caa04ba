import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  count,
  formatDay,
  formatMoment,
  formatMs,
  formatRelative,
  formatTimeLeft,
} from '../../packages/console/src/format.ts'

const NOW = new Date(2026, 10, 17, 15, 30, 0)
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000)

test('plurals and large numbers', () => {
  assert.equal(count(0, 'pet', 'pets'), '0 pets')
  assert.equal(count(1, 'pet', 'pets'), '1 pet')
  assert.equal(count(1_234, 'pet', 'pets'), '1,234 pets')
  assert.equal(count(9007199254740993n, 'pet', 'pets'), '9,007,199,254,740,993 pets')
})

test('a day is the same in every time zone, and milliseconds are grouped', () => {
  assert.equal(formatDay('2030-12-05'), 'Dec 5, 2030')
  assert.equal(formatMs(12_345), '12,345 ms')
})

test('a moment has its day, its seconds if that is today, and its year if that is another one', () => {
  assert.match(formatMoment(ago(60), NOW), /^Nov 17, 3:29:00\sPM$/)
  assert.match(formatMoment(ago(24 * 3_600), NOW), /^Nov 16, 3:30\sPM$/)
  // Fewer than 24 hours ago, and yet yesterday.
  assert.match(formatMoment(ago(16 * 3_600), NOW), /^Nov 16, 11:30\sPM$/)
  assert.match(formatMoment(ago(-365 * 86_400), NOW), /^Nov 17, 2027, 3:30\sPM$/)
})

test('relative times use the largest unit that fits', () => {
  for (const [seconds, text] of [
    [5, '5 seconds ago'],
    [300, '5 minutes ago'],
    [-7_200, 'in 2 hours'],
    [-9 * 86_400, 'in 9 days'],
    [86_400, 'yesterday'],
  ] as const)
    assert.equal(formatRelative(ago(seconds), NOW.getTime()), text)
})

test('the time left counts down to zero and no further', () => {
  assert.equal(formatTimeLeft(65_000), '1:05')
  assert.equal(formatTimeLeft(7_209_000), '2:00:09')
  assert.equal(formatTimeLeft(400), '0:01')
  assert.equal(formatTimeLeft(-1), '0:00')
})
