import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from '../../faults/check.ts'
import { longestGapMs } from '../../faults/load.ts'
import { growthOf } from '../../faults/matrix/soak.ts'

const stored = [
  { id: '1', name: 'kill 0' },
  { id: '2', name: 'kill 1' },
  { id: '9007199254740991', name: 'kill 2' },
]

test('what was promised and is stored is neither lost nor twice, and what was not promised may be stored', () => {
  assert.deepEqual(judge(stored, [{ id: 9007199254740991n, name: 'kill 2' }]), { lost: [], twice: [] })
})

test('a promised pet that is not stored is lost, also where another has its id, or it has another id', () => {
  const promised = [
    { id: 3n, name: 'kill 3' },
    { id: 1n, name: 'kill 4' },
    { id: 4n, name: 'kill 1' },
  ]
  assert.deepEqual(judge(stored, promised), { lost: ['kill 3', 'kill 4', 'kill 1'], twice: [] })
})

test('a name that two pets have is stored twice, whether it was promised or not', () => {
  assert.deepEqual(judge([...stored, { id: '4', name: 'kill 0' }], []), { lost: [], twice: ['kill 0'] })
})

test('an outage is the longest time without a promise, also before the first and after the last', () => {
  const at = (...times: number[]) => times.map((time) => ({ at: time }))
  assert.equal(longestGapMs(at(0, 90, 110, 150, 160), 100, 170), 40)
  assert.equal(longestGapMs(at(150, 160), 100, 170), 50)
  assert.equal(longestGapMs(at(110, 120), 100, 200), 80)
  assert.equal(longestGapMs(at(), 100, 200), 100)
})

test('memory that grows steadily is told by its slope, whatever the noise around it', () => {
  const samples = Array.from({ length: 60 }, (_, i) => ({
    at: i / 60,
    megabytes: 100 + (12 * i) / 60 + (i % 2 === 0 ? 3 : -3),
    handles: 40 + i,
  }))
  const { megabytesAnHour, newHandles } = growthOf(samples)
  assert.ok(Math.abs(megabytesAnHour - 12) < 0.5, `${megabytesAnHour}`)
  assert.equal(newHandles, 59)
})
