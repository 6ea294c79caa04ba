import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneAtATime } from '../../packages/console/src/one-at-a-time.ts'

/** Reads that end when the test says so. */
function startReads() {
  const ends: PromiseWithResolvers<void>[] = []
  const read = oneAtATime(() => {
    const end = Promise.withResolvers<void>()
    ends.push(end)
    return end.promise
  })
  return { ends, read }
}

test('what is asked for while a read runs is read once, after it', async () => {
  const { ends, read } = startReads()
  const first = read()
  const others = [read(), read(), read()]
  assert.equal(ends.length, 1)
  ends[0]?.resolve()
  await first
  await new Promise(setImmediate)
  assert.equal(ends.length, 2)
  ends[1]?.resolve()
  await Promise.all(others)
  assert.equal(ends.length, 2)
})

test('a promise does not wait for reads that others ask for later', async () => {
  const { ends, read } = startReads()
  const first = read()
  const second = read()
  ends[0]?.resolve()
  await first
  await new Promise(setImmediate)
  const third = read()
  ends[1]?.resolve()
  await second
  await new Promise(setImmediate)
  assert.equal(ends.length, 3)
  ends[2]?.resolve()
  await third
})
