import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPetstore, type Order, parse, stringify } from '../src/index.ts'
import { collect } from './support/collect.ts'
import { cut, forward, json, KEY, refusal, startFaulty, unavailable } from './support/faulty.ts'
import { startService } from './support/service.ts'

const { baseUrl, key } = await startService()
const { pets, orders } = createPetstore({ baseUrl, key })

test('an order reserves its pet, and completing it sells the pet', async () => {
  const petId = await addPet()
  const placed = await orders.place({ petId, expiresIn: 60, reference: 'basket-1' })
  assert.match(placed.id, /^ord_/)
  assert.deepEqual([placed.petId, placed.status, placed.reference], [petId, 'placed', 'basket-1'])
  assert.equal(Date.parse(placed.expiresAt) - Date.parse(placed.placedAt), 60_000)
  assert.equal((await read(petId)).status, 'pending')
  assert.deepEqual(await orders.get(placed.id), placed)

  const completed = await orders.complete(placed.id)
  assert.deepEqual([completed.status, (await read(petId)).status], ['completed', 'sold'])
  assert.deepEqual(await orders.complete(placed.id), completed)
  await assert.rejects(orders.cancel(placed.id), { code: 'order_closed', status: 409 })
})

test('a cancelled order releases its pet', async () => {
  const petId = await addPet()
  const { id } = await orders.place({ petId })
  assert.equal((await orders.cancel(id)).status, 'cancelled')
  assert.equal((await read(petId)).status, 'available')
  await assert.rejects(orders.complete(id), { code: 'order_closed' })
})

test('of racing orders for a pet one wins, and the others learn at once that it is taken', async () => {
  const petId = await addPet()
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => orders.place({ petId })))
  const lost = outcomes.filter((outcome) => outcome.status === 'rejected')
  assert.equal(lost.length, 9)
  for (const { reason } of lost) assert.equal((reason as { code: string }).code, 'pet_not_available')
})

test('an order whose response was lost is placed once', async () => {
  const petId = await addPet()
  const { origin } = new URL(baseUrl)
  const network = await startFaulty(forward(origin, true), forward(origin, false))
  const placed = await createPetstore({ baseUrl: network.baseUrl, key }).orders.place({ petId })
  assert.equal(network.received.length, 2)
  const { orders: found, next } = await orders.list({ petId }).page()
  assert.deepEqual([found, next], [[placed], undefined])
})

test('a given idempotency key places one order, even in a later call and after it has ended', async () => {
  const petId = await addPet()
  const once = { idempotencyKey: 'basket-4711' }
  const placed = await orders.place({ petId }, once)
  await orders.cancel(placed.id)
  assert.deepEqual(await orders.place({ petId }, once), placed)
  const other = await addPet()
  await assert.rejects(orders.place({ petId: other }, once), { code: 'idempotency_key_reused', status: 422 })
})

test('a walk meets every order of a reference once, newest first, over many pages', async () => {
  const placed: string[] = []
  for (let i = 0; i < 5; i++) placed.push((await orders.place({ petId: await addPet(), reference: 'many' })).id)
  await orders.cancel(placed[2] ?? '')
  const met = (await collect(orders.list({ reference: 'many', limit: 2 }))).map(({ id }) => id)
  assert.deepEqual(met.toSorted(), placed.toSorted())
  const cancelled = await collect(orders.list({ reference: 'many', status: 'cancelled', limit: 1 }))
  assert.deepEqual(
    cancelled.map(({ id }) => id),
    [placed[2]],
  )
})

test('orders can be listed and counted by when they end', async () => {
  const placed: Order[] = []
  for (const expiresIn of [90, 60, 70]) placed.push(await orders.place({ petId: await addPet(), expiresIn }))
  const own = new Set(placed.map(({ id }) => id))
  const open = await collect(orders.list({ status: 'placed', sort: 'expiring', limit: 1 }))
  const expiring = open.filter(({ id }) => own.has(id)).map(({ id }) => id)
  assert.deepEqual(expiring, [placed[1]?.id, placed[2]?.id, placed[0]?.id])

  const times: Date[] = []
  for (const { id } of placed) times.push(new Date((await orders.complete(id)).closedAt ?? ''))
  const [from, to] = [times[0] ?? new Date(), times[2] ?? new Date()]
  const since = await collect(orders.list({ status: 'completed', sort: 'closed', from, limit: 1 }))
  assert.deepEqual(
    since.map(({ id }) => id),
    placed.toReversed().map(({ id }) => id),
  )
  assert.deepEqual(await orders.count({ status: 'completed', from }), { count: 3, isMore: false })
  const before = (await collect(orders.list({ status: 'completed', sort: 'closed', from, to, limit: 1 }))).length
  assert.equal((await orders.count({ status: 'completed', from, to })).count, before)
  assert.ok(before < 3)
  assert.equal((await orders.count()).isMore, false)
  await assert.rejects(orders.count({ from }), { code: 'invalid_parameter' })

  const hour = (hours: number) => new Date(from.getTime() + hours * 3_600_000)
  const { count: earlier } = await orders.count({ status: 'completed', to: from })
  const periods = { status: 'completed', boundaries: [hour(-2), hour(-1), from, hour(24)] } as const
  assert.deepEqual((await orders.counts(periods)).counts, [
    { count: 0, isMore: false },
    { count: earlier, isMore: false },
    { count: 3, isMore: false },
  ])
  await assert.rejects(orders.counts({ ...periods, boundaries: [from, from] }), { code: 'invalid_parameter' })
  await assert.rejects(orders.counts({ ...periods, boundaries: [] }), { code: 'invalid_parameter' })
})

test('an order that does not exist is not found', async () => {
  await assert.rejects(orders.get(`ord_${'0'.repeat(20)}`), { code: 'order_not_found', status: 404 })
})

test('an order can be written as JSON and read back', async () => {
  const order = await orders.place({ petId: await addPet() })
  assert.deepEqual(parse(stringify(order)), order)
})

const completed: Order = {
  id: 'ord_abc',
  petId: 9_007_199_254_740_993n,
  status: 'completed',
  placedAt: '2026-11-16T09:30:00.123Z',
  expiresAt: '2026-11-16T09:45:00.123Z',
  closedAt: '2026-11-16T09:31:00.123Z',
}

for (const verb of ['complete', 'cancel'] as const)
  test(`${verb} has no body, and is retried however its outcome got lost`, async () => {
    const done = json(200, stringify(completed))
    const { orders: faked, received } = await startFake(cut, unavailable('0'), json(502, '<h1>Bad gateway</h1>'), done)
    assert.deepEqual(await faked[verb]('ord_abc'), completed)
    assert.deepEqual(
      received.map(({ method, url, body }) => [method, url, body]),
      Array.from({ length: 4 }, () => ['POST', `/v1/store/orders/ord_abc/${verb}`, '']),
    )
  })

test('place is retried with the same key and body, and a pet that is taken is not waited for', async () => {
  const { orders: faked, received } = await startFake(unavailable('0'), cut, refusal(409, 'pet_not_available'))
  await assert.rejects(faked.place({ petId: 2n ** 53n + 1n, expiresIn: 60 }), { code: 'pet_not_available' })
  assert.equal(received.length, 3)
  assert.equal(new Set(received.map(({ headers }) => headers['idempotency-key'])).size, 1)
  assert.ok(received.every(({ body }) => body === '{"petId":9007199254740993,"expiresIn":60}'))
})

test('what is no id of an order is rejected before it is sent', async () => {
  const { orders: faked, received } = await startFake(json(200, stringify(completed)))
  for (const id of ['', '..', '../pets', 'ord_a/b', 'ord_a?b', 7n])
    for (const verb of ['get', 'complete', 'cancel'] as const)
      await assert.rejects(faked[verb](id as string), { name: 'TypeError', message: /takes the id of an order/ })
  const careless = faked as unknown as { place(order: object): Promise<unknown> }
  for (const petId of [7, '7', undefined]) await assert.rejects(careless.place({ petId }), TypeError)
  assert.equal(received.length, 0)
})

test('a body that is no order is an unexpected response', async () => {
  for (const body of ['{}', '[]', '{"id":"ord_abc","petId":"7","status":"placed"}']) {
    const { orders: faked } = await startFake(json(200, body))
    await assert.rejects(faked.get('ord_abc'), { code: 'unexpected_answer' })
  }
})

async function addPet() {
  return (await pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })).id
}

async function read(id: bigint) {
  const [pet] = (await pets.list({ ids: [id] }).page()).pets
  assert.ok(pet)
  return pet
}

async function startFake(...answers: Parameters<typeof startFaulty>) {
  const fake = await startFaulty(...answers)
  return { ...createPetstore({ baseUrl: fake.baseUrl, key: KEY }), received: fake.received }
}
