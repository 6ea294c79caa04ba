import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { encodeCursor } from '../../src/http/wire/cursor.ts'
import { startService } from '../../src/service.ts'
import { prunePages } from '../../src/storage/events/pruner.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { type Call, caller, patchJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { addPet, cursorOf, endOfFeed, eventsOf, follow, nextOf, sequenceOf } from '../support/events.ts'
import { MASTER_SECRET, webhookCalls, webhookOf } from '../support/webhooks.ts'

const app = await startApp({ webhookMasterSecret: MASTER_SECRET })
const { call, pool, url } = app
for (let i = 0; i < 4; i++) {
  await addPet(call)
  await Promise.all([addPet(call), addPet(call)])
  await endOfFeed(app)
}

/** All pages from the newest event to the oldest. The last one has no link. */
async function back(from: Call, path: string) {
  const pages = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer = await from(next)
    if (answer.status !== 200) throw new Error(answer.text)
    pages.push(eventsOf(answer))
    next = answer.headers.has('link') ? nextOf(answer) : undefined
  }
  return pages
}

test('newest first: any walk has the events of the feed in the reverse order, and ends', async () => {
  const { events } = await follow(call, '/v1/events?limit=100')
  assert.equal(events.length, 12)
  for (const limit of [1, 5, 12, 13, 100]) {
    const pages = await back(call, `/v1/events?sort=newest&limit=${limit}`)
    assert.deepEqual(pages.flat(), events.toReversed(), `limit ${limit}`)
    assert.equal(pages[0]?.length, Math.min(limit, 12))
  }
})

test('newest first: events that come during a walk do not move what it shows', async () => {
  const first = await call('/v1/events?sort=newest&limit=3')
  const [older] = [eventsOf(await call(nextOf(first)))]
  await addPet(call)
  await endOfFeed(app)
  assert.deepEqual(eventsOf(await call(nextOf(first))), older)
  assert.match(nextOf(first), /\?limit=3&sort=newest&cursor=/)
})

test('newest first: with types, all of these and no other', async () => {
  const [pet, other] = [await addPet(call), await addPet(call)]
  await call(`/v1/pets/${pet}`, patchJson({ name: 'Newer' }))
  await call(`/v1/pets/${other}`, { method: 'DELETE' })
  await endOfFeed(app)
  const { events } = await follow(call, '/v1/events?limit=100')
  for (const types of [['pet.updated'], ['pet.updated', 'pet.deleted'], ['pet.created'], ['order.expired']])
    for (const limit of [1, 2, 100]) {
      const pages = await back(call, `/v1/events?sort=newest&limit=${limit}&type=${types.join()}`)
      const due = events.filter(({ type }) => types.includes(type)).toReversed()
      assert.deepEqual(pages.flat(), due, types.join())
    }
})

test('newest first: also in pages that an earlier version has added, which have no types', async () => {
  const due = (await back(call, '/v1/events?sort=newest&limit=100')).flat()
  await pool.query('update feed_pages set types = null where first % 2 = 0')
  const types = ['pet.updated', 'pet.deleted']
  const pages = await back(call, `/v1/events?sort=newest&limit=2&type=${types.join()}`)
  assert.deepEqual(
    pages.flat(),
    due.filter(({ type }) => types.includes(type)),
  )
})

test('the history of a pet can start with its newest version', async () => {
  const pet = await addPet(call)
  for (const name of ['a', 'b', 'c']) await call(`/v1/pets/${pet}`, patchJson({ name }))
  const { events } = await follow(call, `/v1/events?petId=${pet}`)
  for (const limit of [1, 2, 4, 100])
    assert.deepEqual(
      (await back(call, `/v1/events?petId=${pet}&sort=newest&limit=${limit}`)).flat(),
      events.toReversed(),
    )
  assert.deepEqual(await back(call, '/v1/events?petId=999999&sort=newest'), [[]])
})

test('newest first: goes with neither `wait` nor `from`, and a cursor keeps its direction', async () => {
  for (const query of ['wait=0', 'wait=9', 'from=now', 'from=2026-11-16T09:30:00Z', 'petId=1&wait=1'])
    assertError(await call(`/v1/events?sort=newest&${query}`), 400, 'invalid_parameter')
  const { text } = await call('/v1/events?sort=newest&wait=9')
  assert.match(text, /`sort=newest` cannot be combined with `from` or `wait`/)
  const newest = cursorOf(nextOf(await call('/v1/events?sort=newest&limit=1')))
  const oldest = cursorOf(nextOf(await call('/v1/events?limit=1')))
  for (const query of [`cursor=${newest}`, `sort=newest&cursor=${oldest}`, `sort=oldest&cursor=${newest}`]) {
    const answer = await call(`/v1/events?${query}`)
    assertError(answer, 400, 'invalid_cursor')
    assert.match(answer.text, /opposite direction/)
  }
  const { create, patch } = webhookCalls(call)
  const { id } = webhookOf(await create())
  assertError(await patch(id, { cursor: newest }), 400, 'invalid_body')
  for (const [sequence, mark] of [
    [1n, 1n],
    [2n ** 63n - 1n, 1n],
    [-1n, 1n],
    [-(2n ** 63n), 1n],
  ] as const)
    assertError(
      await call(`/v1/events?sort=newest&cursor=${encodeCursor('newestEvents', sequence, mark)}`),
      410,
      'cursor_expired',
    )
})

test('from a time: a page starts with the first event since then, and its links go on from there', async () => {
  const { events } = await follow(call, '/v1/events?limit=100')
  for (const { time } of [events[0]!, events[7]!, events.at(-1)!]) {
    const since = events.slice(events.findIndex((event) => event.time >= time))
    for (const limit of [1, 100]) {
      const page = await follow(call, `/v1/events?limit=${limit}&from=${time}`)
      assert.deepEqual(page.events, since, time)
    }
    const offset = encodeURIComponent(time.replace('Z', '+00:00'))
    assert.deepEqual(eventsOf(await call(`/v1/events?limit=100&from=${offset}`)), since)
  }
  assert.deepEqual(eventsOf(await call('/v1/events?limit=100&from=2001-02-03T04:05:06Z')), events)
  assert.deepEqual(eventsOf(await call('/v1/events?limit=100&from=0000-01-01T00:00:00Z')), events)
  const future = await call('/v1/events?from=9999-12-31T23:59:59.999Z')
  assert.deepEqual(eventsOf(future), [])
  assert.equal(sequenceOf(nextOf(future)), BigInt(events.at(-1)?.sequence ?? ''))
  const types = await call(`/v1/events?type=pet.deleted&from=${events[3]!.time}`)
  assert.deepEqual(
    eventsOf(types),
    events.slice(3).filter(({ type }) => type === 'pet.deleted'),
  )
})

test('from a time: what was committed late is not missed, and what is older is passed over', async () => {
  const start = await endOfFeed(app)
  const since = new Date().toISOString()
  await pool.query(
    `insert into events (pet_id, version, type, name, category_id, at)
     select 2000000 + i, 1, 'pet.updated', 'Rex', 7, case when i = 40 then now() else now() - interval '10 minutes' end
     from generate_series(1, 40) as i`,
  )
  await endOfFeed(app)
  const page = await call(`/v1/events?from=${since}`)
  assert.deepEqual(
    eventsOf(page).map(({ data }) => data.pet?.id),
    [2_000_040n],
  )
  assert.equal(sequenceOf(nextOf(page)) - sequenceOf(start), 40n)
})

test('what is no time is rejected with what is one', async () => {
  for (const text of [
    'newest',
    '2026-11-16',
    '2026-11-16T09:30:00',
    '2026-02-30T00:00:00Z',
    '2026-11-16T24:00:00Z',
    '2026-11-16T09:30Z',
    '1794821400',
    '',
  ])
    assertError(await call(`/v1/events?from=${text}`), 400, 'invalid_parameter')
  const { text } = await call('/v1/events?from=2026-11-16T09:30:00+01:00')
  assert.match(text, /got \\"2026-11-16T09:30:00 01:00\\"; write the \+ of its offset as %2B/)
})

test('a webhook is moved to the first event since a time', async () => {
  const { create, patch } = webhookCalls(call)
  const { id } = webhookOf(await create())
  const { events } = await follow(call, '/v1/events?limit=100')
  for (const event of [events[0]!, events[9]!, events.at(-1)!]) {
    const first = events.find(({ time }) => time >= event.time)
    const moved = webhookOf(await patch(id, { cursor: event.time }))
    assert.equal(BigInt(moved.sequence), BigInt(first?.sequence ?? '') - 1n)
  }
  assert.equal(webhookOf(await patch(id, { cursor: '9999-12-31T23:59:59Z' })).behind, 0n)
  assert.equal(webhookOf(await patch(id, { cursor: '2001-02-03T04:05:06Z' })).behind, BigInt(events.length))
  assertError(await patch(id, { cursor: '2026-11-16' }), 400, 'invalid_body')
})

test('newest first: a walk ends where events were removed meanwhile; after a restore its cursors are 410', async () => {
  const links = []
  for (let next: string | undefined = '/v1/events?sort=newest&limit=5'; next !== undefined; ) {
    const answer = await call(next)
    next = answer.headers.has('link') ? nextOf(answer) : undefined
    if (next !== undefined) links.push(next)
  }
  const { rows } = await pool.query<{ first: string }>('select first from feed_pages order by first desc limit 1')
  await pool.query(`update feed_pages set at = now() - interval '1 year' where first < $1`, [rows[0]!.first])
  await using db = new Database(url, () => {})
  while (await prunePages(db, 3_600_000));
  const kept = (await back(call, '/v1/events?sort=newest&limit=100')).flat()
  assert.equal(kept.at(-1)?.sequence, rows[0]!.first.padStart(16, '0'))
  const last = await call(links.at(-1)!)
  assert.deepEqual([last.status, last.body, last.headers.get('link')], [200, [], null])
  await app.service[Symbol.asyncDispose]()
  await pool.query('update feed_pages set system = system + 1')
  const config = readConfig({ DATABASE_URL: url, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent', DRAIN_DELAY: '0' })
  await using service = await startService(config)
  const restored = caller(service.address, app.key)
  for (const link of links) assertError(await restored(link), 410, 'cursor_expired')
  assert.deepEqual(await back(restored, '/v1/events?sort=newest'), [[]])
  const pet = await addPet(restored)
  await endOfFeed({ call: restored, pool })
  const [page] = await back(restored, '/v1/events?sort=newest')
  assert.deepEqual(
    page?.map(({ data }) => data.pet?.id),
    [pet],
  )
})
