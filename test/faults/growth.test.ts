import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growthOf, overgrown } from '../../faults/growth.ts'

/** An hour, seen every ten seconds. Garbage comes and goes in waves on top of what is held for good. */
const anHour = (megabytes: (hour: number) => number, handles: (hour: number) => number = () => 40) =>
  Array.from({ length: 360 }, (_, i) => {
    const at = (i + 1) / 360
    return { at, megabytes: megabytes(at) + (i % 17) * 2, handles: handles(at) }
  })

test('memory that grows steadily is detected by its slope, whatever garbage lies on top', () => {
  const grown = growthOf(anHour((hour) => 100 + 4 * hour))
  assert.ok(Math.abs(grown.megabytesAnHour - 4) < 0.5, JSON.stringify(grown))
  assert.ok(grown.standardError < 0.5, JSON.stringify(grown))
  assert.match(overgrown(grown, 1).join(), /^service 2 grows by/)
})

test('growth within the first quarter is warming up, and flat memory is not blamed', () => {
  const grown = growthOf(anHour((hour) => 100 + 200 * Math.min(hour, 0.24)))
  assert.ok(Math.abs(grown.megabytesAnHour) < 0.5, JSON.stringify(grown))
  assert.deepEqual(overgrown(grown, 0), [])
})

test('a slope that may as well be chance is not blamed', () => {
  const grown = growthOf(anHour((hour) => 100 + 4 * hour + 12 * (Math.floor(hour * 12) % 3)))
  assert.ok(grown.megabytesAnHour > 1 && grown.standardError > 1, JSON.stringify(grown))
  assert.deepEqual(overgrown(grown, 0), [])
})

test('handles are compared by the medians of ten minutes, so that one busy moment is not blamed, and a leak is', () => {
  const busy = growthOf(
    anHour(
      () => 100,
      (hour) => (hour > 0.99 ? 90 : 40),
    ),
  )
  assert.equal(busy.newHandles, 0)
  assert.deepEqual(overgrown(busy, 0), [])
  const leaking = growthOf(
    anHour(
      () => 100,
      (hour) => 40 + Math.floor(hour * 20),
    ),
  )
  assert.ok(leaking.newHandles > 5, JSON.stringify(leaking))
  assert.match(overgrown(leaking, 0).join(), /handles more/)
})
