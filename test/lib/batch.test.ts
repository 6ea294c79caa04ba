import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Batcher, type BatchOptions, ClientDisconnected } from '../../src/lib/batch.ts'
import { delaysOf } from '../../src/lib/delays.ts'
import { until } from '../support/until.ts'

class ItemFault extends Error {}

/** As many turns of the event loop as a batch may wait for company, and one more. */
async function aFewTurns() {
  for (let turn = 0; turn < 5; turn++) await nextTurn()
}

/** Does nothing for this long, in one turn. */
function passTime(ms: number) {
  for (const end = performance.now() + ms; performance.now() < end; );
}

/** A batcher whose batches wait until the test completes them. Doubles numbers; negative ones are a fault. */
function openBatcher(options: Partial<BatchOptions<number, number>> = {}) {
  const sent: { items: number[]; answer: () => void; fail: (error: Error) => void }[] = []
  const batcher = new Batcher<number, number>({
    name: 'doubles',
    send: (items) => {
      const { promise, resolve, reject } = Promise.withResolvers<number[]>()
      const answer = () => (items.some((item) => item < 0) ? reject(new ItemFault()) : resolve(items.map((n) => n * 2)))
      sent.push({ items, answer, fail: reject })
      return promise
    },
    maxItems: 100,
    isItemFault: (error) => error instanceof ItemFault,
    timeoutMs: 60_000,
    timeoutError: (wasSent) => new Error(wasSent ? 'no answer' : 'not sent'),
    ...options,
  })
  const itemsSent = () => sent.map(({ items }) => items)
  /** Answers every batch that is or will be sent, until none is left. */
  const answerAll = async () => {
    for (let i = 0; i < sent.length; i++) {
      sent[i]!.answer()
      await aFewTurns()
    }
  }
  return { batcher, sent, itemsSent, answerAll }
}

const outcomes = (promises: Promise<number>[]) =>
  Promise.allSettled(promises).then((results) =>
    results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error).constructor.name)),
  )

test('an idle batcher sends at once, with all that came in the same turn', async () => {
  const { batcher, itemsSent, answerAll } = openBatcher()
  const results = [batcher.submit(1), batcher.submit(2)]
  await aFewTurns()
  assert.deepEqual(itemsSent(), [[1, 2]])
  await answerAll()
  assert.deepEqual(await outcomes(results), [2, 4])
})

test('an item that arrives while a batch is in flight is sent with the next, and never joins it', async () => {
  const { batcher, sent, itemsSent, answerAll } = openBatcher({ keyOf: String })
  const results = [batcher.submit(1)]
  await aFewTurns()
  results.push(batcher.submit(1), batcher.submit(2), batcher.submit(1))
  await aFewTurns()
  assert.deepEqual(itemsSent(), [[1]], 'one batch at a time')
  sent[0]!.answer()
  await aFewTurns()
  assert.deepEqual(itemsSent(), [[1], [1, 2]], 'equal items are sent once, but anew')
  await answerAll()
  assert.deepEqual(await outcomes(results), [2, 2, 4, 2])
})

test('a batch is bounded; the rest keeps its order', async () => {
  const { batcher, itemsSent, answerAll } = openBatcher({ maxItems: 2 })
  const results = [1, 2, 3, 4, 5].map((n) => batcher.submit(n))
  await aFewTurns()
  await answerAll()
  assert.deepEqual(itemsSent(), [[1, 2], [3, 4], [5]])
  assert.deepEqual(await outcomes(results), [2, 4, 6, 8, 10])
})

test('an item that makes its batch fail fails alone', async () => {
  const { batcher, answerAll } = openBatcher()
  const results = outcomes([1, -2, 3, 4, -5, 6].map((n) => batcher.submit(n)))
  await aFewTurns()
  await answerAll()
  assert.deepEqual(await results, [2, 'ItemFault', 6, 8, 'ItemFault', 12])
})

test('a failure that is no item’s fault is everyone’s, and is not tried again', async () => {
  const { batcher, sent, answerAll } = openBatcher()
  const results = [batcher.submit(1), batcher.submit(2)]
  await aFewTurns()
  sent[0]!.fail(new TypeError('lost'))
  assert.deepEqual(await outcomes(results), ['TypeError', 'TypeError'])
  const after = batcher.submit(3)
  await aFewTurns()
  await answerAll()
  assert.equal(await after, 6)
  assert.equal(sent.length, 2)
})

test('an item whose client disconnected before the batch is sent costs nothing', async () => {
  const { batcher, itemsSent, answerAll } = openBatcher({ keyOf: String })
  const gone = { begun: performance.now(), socket: { destroyed: false } }
  const results = outcomes([batcher.submit(1, gone), batcher.submit(2, gone), batcher.submit(2), batcher.submit(3)])
  gone.socket.destroyed = true
  await aFewTurns()
  assert.deepEqual(itemsSent(), [[2, 3]], 'an item that somebody else waits for stays')
  await answerAll()
  assert.deepEqual(await results, [ClientDisconnected.name, ClientDisconnected.name, 4, 6])
})

test('a caller that waited too long gets that error, not that it disconnected', async (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const { batcher, sent, itemsSent } = openBatcher({ timeoutMs: 1_000 })
  const first = batcher.submit(1)
  await aFewTurns()
  const second = assert.rejects(batcher.submit(2), /not sent/)
  now = 2_000 // and no alarm has gone off yet: the event loop was busy
  sent[0]!.answer()
  await second
  assert.equal(await first, 2)
  assert.deepEqual(itemsSent(), [[1]])
})

test('each caller has its own deadline, sent or not', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const pass = (ms: number) => {
    now += ms
    t.mock.timers.tick(ms)
  }
  const { batcher, sent, itemsSent, answerAll } = openBatcher({ timeoutMs: 1_000 })
  const first = assert.rejects(batcher.submit(1), /no answer/)
  await aFewTurns()
  pass(400)
  const second = assert.rejects(batcher.submit(2), /not sent/)
  const third = assert.rejects(batcher.submit(3), /not sent/)
  pass(600)
  await first
  pass(399)
  const fourth = batcher.submit(4)
  assert.deepEqual(itemsSent(), [[1]])
  pass(1)
  await second
  await third
  sent[0]!.answer()
  await aFewTurns()
  assert.deepEqual(itemsSent(), [[1], [4]], 'what nobody waits for any more is not sent')
  await answerAll()
  assert.equal(await fourth, 8)
})

test('a caller that comes later with an earlier deadline is not kept waiting for the others', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 5_000
  t.mock.method(performance, 'now', () => now)
  const { batcher, answerAll } = openBatcher({ timeoutMs: 1_000 })
  const first = batcher.submit(1)
  await aFewTurns()
  const rejected: string[] = []
  const socket = { destroyed: false }
  for (const left of [600, 300, 900])
    batcher
      .submit(left, { begun: now - 1_000 + left, socket })
      .catch(() => rejected.push(`${left} after ${now - 5_000}`))
  for (const ms of [299, 1, 300, 300]) {
    now += ms
    t.mock.timers.tick(ms)
    await aFewTurns()
  }
  assert.deepEqual(rejected, ['300 after 300', '600 after 600', '900 after 900'])
  await answerAll()
  assert.equal(await first, 2)
})

test('the size of each batch is reported, and the stages of an item to its caller', async () => {
  const batches: string[] = []
  const stations: string[] = []
  const trace = {
    waits: (batch: string) => stations.push(`waits for ${batch}`),
    leaves: (items: number) => stations.push(`leaves with ${items}`),
    returns: () => stations.push('returns'),
  }
  const { batcher, answerAll, sent } = openBatcher({ onBatch: (batch, items) => batches.push(`${batch} ${items}`) })
  const results = [
    batcher.submit(1),
    batcher.submit(2, { begun: performance.now(), socket: { destroyed: false }, trace }),
  ]
  await aFewTurns()
  assert.deepEqual(stations, ['waits for doubles', 'leaves with 2'])
  const alone = batcher.submit(3)
  await answerAll()
  assert.deepEqual(await Promise.all([...results, alone]), [2, 4, 6])
  assert.deepEqual(stations, ['waits for doubles', 'leaves with 2', 'returns'])
  assert.equal(sent.length, 2)
  assert.deepEqual(batches, ['doubles 2', 'doubles 1'])
})

test('a batch reports how long its first item waited, and how long it took, also if it failed', async () => {
  const batches: { items: number; waitMs: number; statementMs: number }[] = []
  const { batcher, sent } = openBatcher({
    onBatch: (_, items, waitMs, statementMs) => batches.push({ items, waitMs, statementMs }),
  })
  const first = batcher.submit(1)
  await aFewTurns()
  assert.deepEqual(batches, [], 'not before it has ended')
  const second = outcomes([batcher.submit(2), batcher.submit(3)])
  passTime(30)
  sent[0]!.answer()
  await first
  await aFewTurns()
  passTime(20)
  sent[1]!.fail(new TypeError('lost'))
  await second
  assert.deepEqual(
    batches.map(({ items, waitMs, statementMs }) => [items, waitMs >= 30, statementMs >= 20]),
    [
      [1, false, true],
      [2, true, true],
    ],
  )
})

test('only a batch that took long is remembered for the requests in it, whether they got their result or gave up', async () => {
  const caller = (begun = performance.now()) => ({ begun, socket: { destroyed: false } })
  const { batcher, sent } = openBatcher({ timeoutMs: 700 })
  const quick = caller()
  const results = [batcher.submit(1, quick)]
  await aFewTurns()
  sent[0]!.answer()
  await Promise.all(results)
  assert.deepEqual(delaysOf(quick), [])

  const [slow, early] = [caller(), caller(performance.now() - 600)]
  const outcome = outcomes([batcher.submit(2, slow), batcher.submit(3, early)])
  await aFewTurns()
  passTime(300)
  await until(() => delaysOf(early).length)
  sent[1]!.answer()
  assert.deepEqual(await outcome, [4, 'Error'])
  for (const request of [slow, early]) {
    const [delay, ...more] = delaysOf(request)
    assert.deepEqual([delay?.name, more], ['doubles', []])
    assert.ok(delay!.statementMs >= 300, JSON.stringify(delay))
  }
  const next = { ...slow, begun: performance.now() + 1 }
  assert.deepEqual(delaysOf(next), [], 'of the next request on the connection they say nothing')
})

test('what a caller waited for before its item came is not counted as a wait for the batch', async () => {
  const { batcher } = openBatcher({ timeoutMs: 700 })
  const late = { begun: performance.now() - 1_000, socket: { destroyed: false } }
  assert.deepEqual(await outcomes([batcher.submit(1, late)]), ['Error'])
  const [delay] = delaysOf(late)
  assert.ok(delay!.waitMs < 500, JSON.stringify(delay))
})

test('a batch with too few results fails for all of its callers', async () => {
  const { batcher } = openBatcher({ send: async (items) => items.slice(1) })
  assert.deepEqual(await outcomes([batcher.submit(1), batcher.submit(2)]), ['Error', 'Error'])
})
