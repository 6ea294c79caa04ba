import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepNewest } from '../../packages/console/src/newest.ts'

test('beyond the most that is kept, what was stored first is dropped', () => {
  const names = new Map([1, 2, 3, 4, 5].map((n) => [n, `Pet ${n}`]))
  keepNewest(names, 5)
  assert.equal(names.size, 5)
  keepNewest(names, 3)
  assert.deepEqual([...names.keys()], [3, 4, 5])
  const seen = new Set(['a', 'b'])
  keepNewest(seen, 1)
  assert.deepEqual([...seen], ['b'])
  keepNewest(seen, 0)
  assert.equal(seen.size, 0)
})
