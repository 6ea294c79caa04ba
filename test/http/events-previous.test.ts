import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patchJson, postJson, startApp } from '../support/app.ts'
import { endOfFeed, eventsOf, follow } from '../support/events.ts'
import { makeDue, orderCalls, orderOf } from '../support/orders.ts'
import { until } from '../support/until.ts'

const app = await startApp()
const { call, pool } = app
const { place, complete, cancel, get } = orderCalls(call)
const LARGEST = 2n ** 63n - 1n
const HOSTILE = '"Rex", \\ 🐢 \u2028 {}'

const historyOf = async (petId: bigint) => eventsOf(await call(`/v1/events?petId=${petId}&limit=100`))
const previousOf = async (petId: bigint) => (await historyOf(petId)).map(({ data }) => data.previous)
const add = async (pet: object) => ((await call('/v1/pets', postJson(pet))).body as { id: bigint }).id
const update = async (id: bigint, patch: object) => {
  const { status, text } = await call(`/v1/pets/${id}`, patchJson(patch, { 'if-match': '*' }))
  assert.equal(status, 200, text)
}

test('a change of a pet says what the changed fields were before, and nothing of the others', async () => {
  const id = await add({ name: HOSTILE, categoryId: LARGEST })
  await update(id, { name: 'Max', categoryId: LARGEST })
  await update(id, { categoryId: -1 })
  await update(id, { status: 'available', name: 'Max' })
  await update(id, { name: 'Rex', categoryId: 0, status: 'pending' })
  await update(id, { categoryId: 5, status: null })
  await call(`/v1/pets/${id}`, { method: 'DELETE' })
  const due = [
    undefined,
    { name: HOSTILE },
    { categoryId: LARGEST },
    { status: null },
    { name: 'Max', categoryId: -1n, status: 'available' },
    { categoryId: 0n, status: 'pending' },
    undefined,
  ]
  assert.deepEqual(await previousOf(id), due)
  await endOfFeed(app)
  const { events } = await follow(call, '/v1/events?limit=100')
  const inFeed = events.filter(({ subject }) => subject === `pets/${id}`)
  assert.deepEqual(
    inFeed.map(({ data }) => data.previous),
    due,
  )
  for (const { data } of inFeed) assert.deepEqual(Object.keys(data.previous ?? {}).toSorted(), changedIn(data))
})

test('an event of an order says what the status of its pet was before', async () => {
  const id = await add({ name: 'Rex', categoryId: 1, status: 'available' })
  await cancel(orderOf(await place(id)).id)
  const second = orderOf(await place(id)).id
  await makeDue(pool, [second])
  await until(async () => orderOf(await get(second)).status === 'expired')
  await complete(orderOf(await place(id, {}, { 'idempotency-key': 'third' })).id)
  const events = await historyOf(id)
  const [placed, ended] = [{ status: 'available' }, { status: 'pending' }]
  assert.deepEqual(
    events.map(({ data }) => data.previous),
    [undefined, placed, ended, placed, ended, placed, ended],
  )
  for (const { data } of events) assert.deepEqual(Object.keys(data.previous ?? {}), changedIn(data))
})

test('an event that an earlier version has written has no previous values', async () => {
  const id = await add({ name: 'Rex', categoryId: 1 })
  await pool.query(
    `insert into events (pet_id, version, type, name, category_id, changed) values ($1, 2, 'pet.updated', 'Max', 1, 'name')`,
    [id],
  )
  const [, updated] = await historyOf(id)
  assert.deepEqual([updated?.data.changed, 'previous' in updated!.data], [['name'], false])
})

const changedIn = ({ changed = [] }: { changed?: string[] }) => changed.toSorted()
