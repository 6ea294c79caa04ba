import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { boundariesOf, dayText, readDay, startOfDay } from '../../packages/console/src/days.ts'

const ZONE = process.env['TZ']
const HOUR = 3_600_000

afterEach(() => {
  if (ZONE === undefined) delete process.env['TZ']
  else process.env['TZ'] = ZONE
})

/** How many hours each of the last days has, the last one being the day of `now`. */
function hoursOf(zone: string, now: string) {
  process.env['TZ'] = zone
  const times = boundariesOf(14, new Date(now)).map((day) => day.getTime())
  return times.slice(1).map((time, n) => (time - times[n]!) / HOUR)
}

test('the last fourteen days end with today, and begin at midnight', () => {
  process.env['TZ'] = 'Asia/Kolkata'
  const days = boundariesOf(14, new Date('2030-03-15T20:00:00Z'))
  assert.equal(days.length, 15)
  assert.deepEqual(days.slice(-3).map(dayText), ['2030-03-15', '2030-03-16', '2030-03-17'])
  assert.equal(days[13]!.toISOString(), '2030-03-15T18:30:00.000Z')
  for (const day of days) assert.equal(`${day.getHours()}:${day.getMinutes()}`, '0:0')
})

test('a day on which the clock changes has 23 or 25 hours, and the others 24', () => {
  const spring = hoursOf('Europe/Berlin', '2030-04-03T12:00:00Z')
  assert.deepEqual(
    spring.toSorted((a, b) => a - b),
    [23, ...Array.from({ length: 13 }, () => 24)],
  )
  assert.equal(spring[10], 23)
  const autumn = hoursOf('America/New_York', '2030-11-03T12:00:00Z')
  assert.deepEqual(autumn, [...Array.from({ length: 13 }, () => 24), 25])
})

test('a day without midnight begins with its first moment', () => {
  // The clock went from 23:59 to 1:00.
  process.env['TZ'] = 'Africa/Cairo'
  const day = startOfDay(new Date('2026-04-24T12:00:00Z'))
  assert.equal(dayText(day), '2026-04-24')
  assert.equal(day.toISOString(), '2026-04-23T22:00:00.000Z')
})

test('a day of an address is read in the time zone of the browser, and what is no day is none', () => {
  process.env['TZ'] = 'America/Los_Angeles'
  assert.equal(readDay('2030-03-15')?.toISOString(), '2030-03-15T07:00:00.000Z')
  for (const text of [null, '', '2030-02-30', '2030-3-5', '15.3.2030', '2030-13-01', 'today'])
    assert.equal(readDay(text), undefined, String(text))
})
