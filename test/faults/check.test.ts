import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge, type Stored } from '../../faults/check.ts'
import { longestGapMs } from '../../faults/load.ts'

const stored = [
  { id: '1', name: 'kill 0' },
  { id: '2', name: 'kill 1' },
  { id: '9007199254740991', name: 'kill 2' },
]

const NONE = { lost: [], twice: [], shared: [], unfound: [] }

test('what was promised and is stored is neither lost nor twice, and what was not promised may be stored', () => {
  assert.deepEqual(judge(stored, [{ id: 9007199254740991n, name: 'kill 2' }]), NONE)
})

test('a promised pet that is not stored is lost, also where another has its id, or it has another id', () => {
  const promised = [
    { id: 3n, name: 'kill 3' },
    { id: 1n, name: 'kill 4' },
    { id: 4n, name: 'kill 1' },
  ]
  assert.deepEqual(judge(stored, promised), { ...NONE, lost: ['kill 3', 'kill 4', 'kill 1'] })
})

test('a name that two pets have is stored twice, whether it was promised or not', () => {
  assert.deepEqual(judge([...stored, { id: '4', name: 'kill 0' }], []), { ...NONE, twice: ['kill 0'] })
})

test('an id returned for two creates is reported, and one of them is lost', () => {
  const promised = ['kill 0', 'kill 5'].map((name) => ({ id: 1n, name }))
  assert.deepEqual(judge(stored, promised), { ...NONE, lost: ['kill 5'], shared: ['1'] })
})

test('a pet that is not found by its name is reported, and one that is found twice', () => {
  const [first, ...others] = stored as [Stored, ...Stored[]]
  assert.deepEqual(judge(stored, [], others), { ...NONE, unfound: ['1 kill 0'] })
  assert.deepEqual(judge(stored, [], [...stored, first]), { ...NONE, unfound: ['1 kill 0'] })
})

test('a pet that is found under another name, or that is gone, is reported', () => {
  assert.deepEqual(judge(stored.slice(1), [], stored), { ...NONE, unfound: ['1 kill 0'] })
  assert.deepEqual(judge(stored, [], [{ id: '1', name: 'kill 9' }, ...stored.slice(1)]), {
    ...NONE,
    unfound: ['1 kill 0', '1 kill 9'],
  })
})

test('an outage is the longest time without a promise, also before the first and after the last', () => {
  const at = (...times: number[]) => times.map((time) => ({ at: time }))
  assert.equal(longestGapMs(at(0, 90, 110, 150, 160), 100, 170), 40)
  assert.equal(longestGapMs(at(150, 160), 100, 170), 50)
  assert.equal(longestGapMs(at(110, 120), 100, 200), 80)
  assert.equal(longestGapMs(at(), 100, 200), 100)
})
