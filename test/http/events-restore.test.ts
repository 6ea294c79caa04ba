import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'
import { caller, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { addPet, endOfFeed, eventsOf, follow, followUntil, nextOf, sequenceOf } from '../support/events.ts'
import { until } from '../support/until.ts'

/** Adds three pets, each with a page of its own in the feed, and stops the service. Returns the page after each. */
async function threePets() {
  const app = await startApp()
  const pages: string[] = []
  for (let i = 0; i < 3; i++) {
    await addPet(app.call)
    pages.push(await endOfFeed(app))
  }
  await app.service[Symbol.asyncDispose]()
  return { ...app, pages }
}

/** On a busy machine a process starts before it knows where the feed ends. */
async function startedCaller(address: string, key: string) {
  const call = caller(address, key)
  await until(async () => (await call('/v1/events?from=now')).status !== 503)
  return call
}

const restarted = (url: string) =>
  startService(readConfig({ DATABASE_URL: url, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent', DRAIN_DELAY: '0' }))

test('E8: after a restore to an earlier time, the cursors of what was lost are 410, also once other events have their numbers', async () => {
  const { pool, url, key, pages } = await threePets()
  await pool.query(
    'delete from feed_pages where first = 3; delete from events where pet_id = 3; delete from pets where id = 3',
  )
  await using service = await restarted(url)
  const call = await startedCaller(service.address, key)
  assertError(await call(pages[2]!), 410, 'cursor_expired')
  assert.deepEqual(eventsOf(await call(pages[1]!)), [])
  await addPet(call)
  const { events, next } = await followUntil(call, pages[1]!, 1)
  assert.deepEqual([events[0]?.sequence, sequenceOf(next)], ['0000000000000003', sequenceOf(pages[2]!)])
  assertError(await call(pages[2]!), 410, 'cursor_expired')
})

test('E8: after a restore into another cluster every cursor from before is 410, and the feed starts again', async () => {
  const { pool, url, key, pages } = await threePets()
  await pool.query('update feed_pages set system = system + 1')
  await using service = await restarted(url)
  const call = await startedCaller(service.address, key)
  for (const page of pages) assertError(await call(page), 410, 'cursor_expired')
  const { events, next } = await follow(call, '/v1/events')
  assert.deepEqual(events, [])
  const id = await addPet(call)
  const after = await followUntil(call, next, 1)
  assert.deepEqual(
    after.events.map(({ sequence, data }) => [sequence, data.pet?.id]),
    [['0000000000000005', id]],
  )
  for (const page of pages) assertError(await call(page), 410, 'cursor_expired')
  assert.deepEqual(eventsOf(await call('/v1/events')), after.events)
  assert.equal(nextOf(await call('/v1/events')), after.next.replace('wait=9&', ''))
})
