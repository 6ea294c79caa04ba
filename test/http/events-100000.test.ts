import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TYPE_BIT } from '../../src/storage/events/event-rows.ts'
import { type Call, startApp } from '../support/app.ts'
import { addPet, endOfFeed, eventsOf, nextOf, sequenceOf } from '../support/events.ts'
import { MASTER_SECRET, webhookCalls, webhookOf } from '../support/webhooks.ts'

// Some 23 days of a store with 4,300 changes a day. Each has a page of the feed of its own, as in a quiet store, where a page costs most.
const EVENTS = 100_000
const APART_MS = 20_000
const OLDEST = 1
const EARLY = 7
const RECENT = EVENTS - 30

const app = await startApp({ webhookMasterSecret: MASTER_SECRET })
const { pool } = app
const TYPE = `case i when ${OLDEST} then 'pets.imported' when ${EARLY} then 'order.expired' else 'pet.updated' end`
const AT = `now() - (${EVENTS} - i) * interval '${APART_MS} milliseconds'`
// With a transaction of long ago, so that no sequencer takes them for new ones.
await pool.query(
  `insert into events (pet_id, version, transaction, at, type, name, category_id, status, added)
   select case i when ${OLDEST} then 0 else 1000000 + i end, 1, '3', ${AT}, ${TYPE}, 'pet ' || i, i, 'available', case i when ${OLDEST} then 5 end
   from generate_series(1, ${EVENTS}) as i`,
)
await pool.query(
  `insert into feed_pages (first, pet_ids, versions, types, snapshot, mark, mark_before, epoch, system, at)
   select i, array[case i when ${OLDEST} then 0 else 1000000 + i end], array[1], ${TYPE_BIT}, pg_current_snapshot(), i, i - 1, 0,
          system_identifier, ${AT}
   from generate_series(1, ${EVENTS}) as i, lateral (select ${TYPE} as type) as event, pg_control_system()`,
)
// The service learns of a new end of the feed by its next event.
const newest = await addPet(app.call)
await endOfFeed(app)

let requests = 0
const call: Call = (path, init) => {
  requests++
  return app.call(path, init)
}
const numbersOf = (answer: Parameters<typeof eventsOf>[0]) => eventsOf(answer).map(({ sequence }) => Number(sequence))

test('Activity has its newest events after one request, and older ones after one request each', async () => {
  let next = '/v1/events?sort=newest&limit=100'
  for (let page = 0; page < 5; page++) {
    const answer = await call(next)
    const first = EVENTS + 1 - 100 * page
    assert.deepEqual(
      numbersOf(answer),
      Array.from({ length: 100 }, (_, i) => first - i),
    )
    if (page === 0) assert.equal(eventsOf(answer)[0]?.data.pet?.id, newest)
    next = nextOf(answer)
  }
  assert.equal(requests, 5)
})

test('the only event of a type is found within ten requests, almost 100,000 events back, each under 10 ms of CPU', async (t) => {
  const cpus: number[] = []
  // The first walks load code and prepare the statement on each connection.
  for (let walk = 0; walk < 4; walk++) {
    const begun = performance.now()
    const cpu = process.cpuUsage()
    let next = '/v1/events?sort=newest&limit=100&type=order.expired'
    for (let page = 1; page < 10; page++) {
      const empty = await call(next)
      assert.deepEqual(numbersOf(empty), [], `page ${page}`)
      next = nextOf(empty)
    }
    assert.deepEqual(numbersOf(await call(next)), [EARLY])
    const { user, system } = process.cpuUsage(cpu)
    cpus.push((user + system) / 10_000)
    t.diagnostic(`${Math.round(performance.now() - begun) / 10} ms each, ${cpus.at(-1)} ms of CPU`)
  }
  // Of the client, too: the test and the service are one process.
  assert.ok(Math.min(...cpus) < 10, `${cpus.join()} ms of CPU`)
})

test('a common type costs no more than its page', async (t) => {
  const begun = performance.now()
  const page = await call('/v1/events?sort=newest&limit=100&type=pet.updated')
  t.diagnostic(`${Math.round(performance.now() - begun)} ms`)
  assert.deepEqual(
    numbersOf(page),
    [...Array(100).keys()].map((i) => EVENTS - i),
  )
})

test('a page that has passed over 10,000 events of other types is empty, has a next, and the last one has none', async () => {
  let next = '/v1/events?sort=newest&type=pets.imported'
  for (let page = 1; page <= 10; page++) {
    const empty = await call(next)
    assert.deepEqual(eventsOf(empty), [])
    next = nextOf(empty)
    assert.equal(sequenceOf(next, 'newestEvents'), BigInt(EVENTS + 2 - page * 10_000))
  }
  const last = await call(next)
  assert.deepEqual([numbersOf(last), last.headers.get('link')], [[OLDEST], null])
})

test('from ten minutes ago: one request, to read or to replay', async (t) => {
  const since = new Date(Date.now() - 10 * 60_000)
  const first = RECENT + 1
  const begun = performance.now()
  const page = await call(`/v1/events?limit=100&from=${since.toISOString()}`)
  t.diagnostic(`${Math.round(performance.now() - begun)} ms`)
  const numbers = numbersOf(page)
  // Time passes between the fill and this line: the first may be one or two later.
  assert.ok(numbers[0]! >= first && numbers[0]! <= first + 3, String(numbers[0]))
  assert.ok(eventsOf(page).every(({ time }) => time >= since.toISOString()))
  const before = eventsOf(await call(`/v1/events?sort=newest&limit=100`)).find(({ time }) => time < since.toISOString())
  assert.equal(Number(before?.sequence), numbers[0]! - 1)
  const { create, patch } = webhookCalls(call)
  const { id } = webhookOf(await create())
  const moved = webhookOf(await patch(id, { cursor: since.toISOString() }))
  assert.equal(Number(moved.sequence), numbers[0]! - 1)
  assert.equal(moved.behind, BigInt(EVENTS + 1 - Number(moved.sequence)))
})
