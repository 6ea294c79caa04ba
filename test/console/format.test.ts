import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  count,
  formatClock,
  formatCount,
  formatDate,
  formatDay,
  formatLeft,
  formatMoment,
  formatMs,
  formatRelative,
  formatTimeLeft,
  formatWhen,
  initialsOf,
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
  assert.equal(formatDay('2030-12-05'), '5 Dec 2030')
  assert.equal(formatMs(12_345), '12,345 ms')
})

test('a moment has 24 hours, its day unless that is today, and its year unless that is this one', () => {
  assert.equal(formatMoment(ago(60), NOW), '15:29')
  assert.equal(formatMoment(ago(24 * 3_600), NOW), '16 Nov, 15:30')
  // Fewer than 24 hours ago, and yet yesterday.
  assert.equal(formatMoment(ago(16 * 3_600), NOW), '16 Nov, 23:30')
  assert.equal(formatMoment(ago(-365 * 86_400), NOW), '17 Nov 2027, 15:30')
  assert.deepEqual(
    [60, 24 * 3_600, -365 * 86_400].map((seconds) => formatWhen(ago(seconds), NOW)),
    ['15:29', '16 Nov', '17 Nov 2027'],
  )
})

test('a clock has two digits each, and a day is before its month', () => {
  assert.equal(formatClock(new Date(2026, 0, 2, 9, 5)), '09:05')
  assert.equal(formatDate(new Date(2026, 0, 2), NOW), '2 Jan')
})

test('the time left is in words, and in seconds in the last five minutes', () => {
  const minutes = (n: number) => formatLeft(n * 60_000)
  assert.deepEqual([4.99, 5, 11.9, 60, 150, 1_440].map(minutes), [
    '5:00',
    '5 min',
    '11 min',
    '1 h',
    '2 h 30 min',
    '24 h',
  ])
})

test('a count of 1,000 stands for that many or more', () => {
  assert.deepEqual([0, 999, 1_000, 1_200].map(formatCount), ['0', '999', '1,000+', '1,000+'])
})

test('initials are the first letters of two words, in any script', () => {
  const names = ['Ben (weekend)', 'front desk', 'Till 2', 'Олівер', '  ', 'Anne-Marie de Groot', '取り置き', '(b) x']
  assert.deepEqual(names.map(initialsOf), ['BW', 'FD', 'T2', 'О', '', 'AM', '取', 'BX'])
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
