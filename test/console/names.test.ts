import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNames } from '../../packages/console/src/names.ts'

const MINUTE = 60_000

/** Reads what the test stores; each read resolves in the same tick. */
function setup() {
  const stored = new Map<string, string>()
  let reads = 0
  let isDown = false
  const names = createNames<string>(async () => {
    reads++
    if (isDown) throw new Error('down')
    return [...stored]
  })
  return {
    stored,
    names,
    reads: () => reads,
    fail: (down: boolean) => {
      isDown = down
    },
  }
}

/** Until what the read has returned is stored. */
async function flush() {
  for (let n = 0; n < 10; n++) await Promise.resolve()
}

test('names are read when the first is asked for, once for all of them', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 })
  const { stored, names, reads } = setup()
  stored.set('a', 'Ann').set('b', 'Ben')
  assert.deepEqual([names.get('a'), names.get('b'), reads()], [undefined, undefined, 0])
  t.mock.timers.tick(0)
  await flush()
  assert.deepEqual([names.get('a'), names.get('b'), reads()], ['Ann', 'Ben', 1])
})

test('an unknown id causes a read at most once a minute, and only if it is asked for', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 })
  const { stored, names, reads } = setup()
  names.get('a')
  t.mock.timers.tick(0)
  await flush()
  stored.set('a', 'Ann')
  for (let n = 0; n < 5; n++) assert.equal(names.get('a'), undefined)
  t.mock.timers.tick(MINUTE - 1)
  await flush()
  assert.equal(reads(), 1)
  t.mock.timers.tick(1)
  await flush()
  assert.deepEqual([names.get('a'), reads()], ['Ann', 2])
  t.mock.timers.tick(10 * MINUTE)
  await flush()
  assert.equal(reads(), 2)
})

test('an id that is new, as that of a new colleague, is read within seconds, and those without a name do not delay it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 })
  const { stored, names, reads } = setup()
  names.get('a')
  t.mock.timers.tick(0)
  await flush()
  stored.set('b', 'Ben')
  names.get('a')
  assert.equal(names.get('b'), undefined)
  t.mock.timers.tick(2_000)
  await flush()
  assert.deepEqual([names.get('b'), names.get('a'), reads()], ['Ben', undefined, 2])
  t.mock.timers.tick(2_000)
  await flush()
  assert.equal(reads(), 2)
})

test('of two reads the one that began last stays, also if the response of the other comes late', async () => {
  const responses: ((names: [string, string][]) => void)[] = []
  const names = createNames<string>(() => new Promise((resolve) => responses.push(resolve)))
  const reads = [names.refresh(), names.refresh()]
  responses[0]?.([['a', 'Ann']])
  await reads[0]
  await flush()
  responses[1]?.([['a', 'Anna']])
  await reads[1]
  assert.equal(names.get('a'), 'Anna')
})

test('names that were read stay while the next read fails', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 })
  const { stored, names, reads, fail } = setup()
  stored.set('a', 'Ann')
  await names.refresh()
  fail(true)
  await names.refresh()
  assert.deepEqual([names.get('a'), reads()], ['Ann', 2])
  stored.set('a', 'Anna')
  fail(false)
  await names.refresh()
  assert.equal(names.get('a'), 'Anna')
})
