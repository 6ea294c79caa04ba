import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPetstore, type EventPage, PetstoreError, type PetstoreEvent, parse, stringify } from '../src/index.ts'
import { collect } from './support/collect.ts'
import { json, KEY, startFaulty } from './support/faulty.ts'
import { startService } from './support/service.ts'

const LARGEST = 2n ** 63n - 1n

const { baseUrl, key } = await startService()
const { pets, orders, events } = createPetstore({ baseUrl, key })

test('the feed has every change, exact to the last digit', async () => {
  await settled()
  const { next } = await events.list({ from: 'now' }).page()
  const pet = await pets.create({ name: 'Rex', categoryId: LARGEST, status: 'available' })
  const order = await orders.place({ petId: pet.id })
  await orders.cancel(order.id)
  await pets.delete(pet.id)
  const found = await take(4, events.follow({ cursor: next }))
  assert.deepEqual(
    found.map(({ type, data }) => [type, data.pet?.version, data.pet?.orderId]),
    [
      ['pet.created', 1n, undefined],
      ['order.placed', 2n, order.id],
      ['order.cancelled', 3n, undefined],
      ['pet.deleted', 4n, undefined],
    ],
  )
  assert.deepEqual(found[0]?.data.pet, { ...pet, version: 1n })
  assert.deepEqual(found[1]?.data.order, order)
  assert.deepEqual(parse(stringify(found)), found)
  const history = await collect(events.history(pet.id, { limit: 2 }))
  assert.ok(history.every(({ sequence }) => sequence === undefined))
  assert.deepEqual(
    history.map((event, i) => ({ ...event, sequence: found[i]?.sequence })),
    found,
  )
})

test('iterating ends where the feed ends for now, with any size of pages and with types', async () => {
  for (let i = 0; i < 5; i++) await pets.create({ name: `pet ${i}`, categoryId: 1n })
  await settled()
  const all = await collect(events.list())
  assert.ok(all.length >= 5)
  assert.deepEqual(await collect(events.list({ limit: 3 })), all)
  const created = all.filter(({ type }) => type === 'pet.created')
  assert.deepEqual(await collect(events.list({ types: ['pet.created', 'pets.imported'], limit: 2 })), created)
  assert.deepEqual(await collect(events.list({ types: ['pets.imported'] })), [])
  assert.deepEqual(await collect(events.list({ from: 'now' })), [])
})

test('the newest events come first, to the oldest, also of some types and of one pet', async () => {
  const { id } = await pets.create({ name: 'Rex', categoryId: 1n })
  await pets.update(id, { name: 'Rex II' }, { ifMatch: 1n })
  await settled()
  const newest = (await collect(events.list())).toReversed()
  assert.deepEqual(await collect(events.newest()), newest)
  assert.deepEqual(await collect(events.newest({ limit: 2 })), newest)
  assert.deepEqual(
    await collect(events.newest({ types: ['pet.updated'], limit: 1 })),
    newest.filter(({ type }) => type === 'pet.updated'),
  )
  const versions = (await collect(events.newest({ petId: id, limit: 1 }))).map(({ data }) => data.pet?.version)
  assert.deepEqual(versions, [2n, 1n])
  const first = await events.newest({ limit: 1 }).page()
  assert.deepEqual([first.events, typeof first.next], [newest.slice(0, 1), 'string'])
})

test('the changes of one key, in both directions, with the values before', async () => {
  const { id } = await pets.create({ name: 'Rex', categoryId: LARGEST })
  await pets.update(id, { name: 'Max', categoryId: 7n }, { ifMatch: 1n })
  await settled()
  const all = await collect(events.list())
  const keyId = all.at(-1)?.data.keyId ?? ''
  const due = all.filter(({ data }) => data.keyId === keyId)
  assert.deepEqual(await collect(events.list({ keyId, limit: 2 })), due)
  assert.deepEqual(await collect(events.newest({ keyId, limit: 2 })), due.toReversed())
  assert.deepEqual(await take(due.length, events.follow({ keyId })), due)
  await assert.rejects(events.list({ keyId: 'key_none' }).page(), { code: 'invalid_parameter' })
  const { data } = all.findLast(({ type }) => type === 'pet.updated') ?? {}
  assert.deepEqual(data?.previous, { name: 'Rex', categoryId: LARGEST })
})

test('a list can begin at a time', async () => {
  await settled()
  const all = await collect(events.list())
  const { time = '' } = all.at(-1) ?? {}
  assert.deepEqual(
    await collect(events.list({ from: new Date(time) })),
    all.slice(all.findIndex((event) => event.time >= time)),
  )
})

test('a pet without events has an empty history', async () => {
  assert.deepEqual(await collect(events.history(LARGEST)), [])
})

test('pages lead on from each other, also from `now`', async () => {
  const { id } = await pets.create({ name: 'Rex', categoryId: 1n })
  await settled()
  const list = events.list({ from: 'now', types: ['pet.updated'] })
  const first = await list.page()
  assert.deepEqual(first.events, [])
  await pets.update(id, { name: 'Max' })
  await settled()
  const second = await list.page(first.next)
  assert.deepEqual(
    second.events.map(({ subject }) => subject),
    [`pets/${id}`],
  )
  assert.deepEqual(await list.page(second.next), { events: [], next: second.next })
})

test('the parameters are sent by their names, and `from` only without a cursor', async () => {
  const service = await startFaulty(json(200, '[]', { link: '</v1/events?cursor=c1>; rel="next"' }))
  const faked = createPetstore({ baseUrl: service.baseUrl, key: KEY }).events
  await faked.list({ from: 'now', types: ['pet.created', 'pet.deleted'], limit: 7 }).page()
  await faked.list({ from: 'now' }).page('c0')
  await faked.history(7n).page()
  assert.deepEqual(
    service.received.map(({ url }) => url),
    ['/v1/events?limit=7&type=pet.created%2Cpet.deleted&from=now', '/v1/events?cursor=c0', '/v1/events?petId=7'],
  )
})

test('events without a next page, and what is no event, are unexpected responses', async () => {
  const link = { link: '</v1/events?cursor=c1>; rel="next"' }
  const pet = '{"id":1,"name":"Rex","categoryId":1}'
  for (const answer of [
    json(200, '[]'),
    json(200, '{}', link),
    json(200, '[{"id":"evt_1","type":"pet.created"}]', link),
    json(200, `[{"id":"evt_1","type":"pet.created","data":{"pet":${pet}}}]`, link),
  ]) {
    const service = await startFaulty(answer)
    const faked = createPetstore({ baseUrl: service.baseUrl, key: KEY }).events
    await assert.rejects(faked.list().page(), { code: 'unexpected_answer' })
    await assert.rejects(faked.follow().next(), { code: 'unexpected_answer' })
  }
})

test('a number in place of a pet is rejected before it is sent', () => {
  const careless = events as unknown as { history(petId: unknown): unknown }
  for (const petId of [7, '7', undefined]) assert.throws(() => careless.history(petId), TypeError)
})

test('a cursor of another list is an error of the service', async () => {
  const { next } = await pets.list({ limit: 1 }).page()
  await assert.rejects(
    events.follow({ cursor: next }).next(),
    (error) => error instanceof PetstoreError && error.code === 'invalid_cursor' && error.status === 400,
  )
})

/** Returns when all changes of before are in the feed. */
async function settled() {
  const { id } = await pets.create({ name: 'Last', categoryId: 1n })
  for await (const page of events.follow({ types: ['pet.created'] }))
    if (page.events.some(({ subject }) => subject === `pets/${id}`)) return
}

async function take(count: number, pages: AsyncIterable<EventPage>) {
  const found: PetstoreEvent[] = []
  for await (const page of pages) {
    found.push(...page.events)
    if (found.length >= count) break
  }
  return found
}
