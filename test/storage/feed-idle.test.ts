import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TIMES } from '../../src/lib/times.ts'
import { startApp } from '../support/app.ts'
import { addPet, endOfFeed, eventsOf } from '../support/events.ts'
import { SHORT, TEST_TIMES } from '../support/times.ts'
import { until } from '../support/until.ts'

// With the times of production it is silent for eleven seconds: REAL_TIMES=1. How often it is looked at then is as in production.
const { idleAfterMs } = SHORT.feed
const { idleMs } = TIMES.feed
const feed = { ...TEST_TIMES.feed, idleAfterMs, idleMs }
const PROMISED_MS = 1_000

const leader = await startApp({}, { feed })
const other = await startApp({ databaseUrl: leader.url }, { feed })
const send = (path: string, init?: RequestInit) => other.call(path, { ...init, key: leader.key })

async function lagMs() {
  const { body } = await leader.call('/v1/status')
  return Number((body as { feed: { lagMs: bigint } }).feed.lagMs)
}

test('an idle store is looked at less often; the event that ends the silence is in the feed within a second', async () => {
  await addPet(send)
  const end = await endOfFeed({ call: send, pool: leader.pool })
  const silentSince = performance.now()
  await until(() => performance.now() - silentSince > idleAfterMs * 1.1)
  await until(async () => (await lagMs()) > idleMs / 2)

  const waiting = leader.call(`${end}&wait=9`)
  await addPet(send)
  const committed = performance.now()
  assert.equal(eventsOf(await waiting).length, 1)
  const ms = performance.now() - committed
  assert.ok(ms < PROMISED_MS, `${ms} ms`)
})
