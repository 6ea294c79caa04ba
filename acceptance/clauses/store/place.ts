import type { Clause } from '../../clause.ts'
import { expect, expectError, expectHeader, expectNoHeader, expectPet, objectOf } from '../../expect.ts'
import { close, getOrder, ORDERS, orderOf, ordersOf, place, placed } from '../../orders.ts'
import { clause, expectConflict, expectNow, messageOf, NO_PET, newPet, patch, recordOf } from '../../store.ts'

const RIVALS = Array.from({ length: 12 }, (_, i) => i)
const DAY_MS = 86_400_000

const ONE_WINS = 'O1: Of racing POSTs for one pet exactly one is 201; all others are 409 pet_not_available'
const RACES: [id: string, what: string, headers: (i: number, unique: string) => Record<string, string>][] = [
  ['bare', 'without Idempotency-Key', () => ({})],
  ['keyed', 'each with an Idempotency-Key of its own', (i, unique) => ({ 'Idempotency-Key': `${unique}-${i}` })],
  ['mixed', 'some with one', (i, unique) => (i % 2 ? { 'Idempotency-Key': `${unique}-${i}` } : {})],
]

const NOT_AVAILABLE: [id: string, status: string | undefined, says: RegExp][] = [
  ['pending', 'pending', /\bpending\b/],
  ['sold', 'sold', /\bsold\b/],
  ['none', undefined, /\bno\b.*\bstatus\b|\bwithout\b.*\bstatus\b/],
]

const PERIODS: [id: string, more: string, ms: number][] = [
  ['default', '', 900_000],
  ['given', '"expiresIn":60', 60_000],
  ['most', '"expiresIn":2592000', 30 * DAY_MS],
  ['written-otherwise', '"expiresIn":6.0e1', 60_000],
]

export const PLACE: Clause[] = [
  ...RACES.map(([id, what, headers]) =>
    clause(`orders.o1.${id}`, `${ONE_WINS}: ${what}.`, async (context) => {
      const pet = await context.add(newPet('available'))
      const unique = crypto.randomUUID()
      const responses = await Promise.all(RIVALS.map((i) => context.call(place(pet.id, '', headers(i, unique)))))
      const winners = responses.filter(({ status }) => status === 201)
      for (const response of responses.slice(0, 1))
        expect(response, winners.length === 1, 'one 201', `${winners.length} times 201`)
      for (const loser of responses.filter(({ status }) => status !== 201)) expectConflict(loser, 'pet_not_available')
      for (const winner of winners)
        await expectNow(context, pet.id, { status: 'pending', orderId: orderOf(winner, 201).id, version: 2n })
    }),
  ),
  clause('orders.placed', '201 carries the order, placed, and its Location.', async ({ call, add }) => {
    const pet = await add(newPet('available'))
    const response = await call(place(pet.id, '"reference":"verify 4711"'))
    const order = orderOf(response, 201)
    expect(response, order.petId === pet.id, `\`petId\` ${pet.id}`)
    expect(response, order.status === 'placed', '`status` placed')
    expect(response, order.reference === 'verify 4711', '`reference` verify 4711')
    expectHeader(response, 'Location', new RegExp(`/v1/store/orders/${order.id}$`))
    expectNoHeader(response, 'Idempotent-Replayed')
    const got = await call(getOrder(order.id))
    expect(got, orderOf(got).id === order.id && got.text === response.text, response.text)
    const fields = Object.keys(objectOf(got)).toSorted().join()
    expect(got, fields === 'expiresAt,id,petId,placedAt,placedBy,reference,status', 'no other fields', fields)
  }),
  ...PERIODS.map(([id, more, ms]) =>
    clause(
      `orders.period.${id}`,
      `An order expires \`expiresIn\` seconds after it was placed: ${id}.`,
      async (context) => {
        const { response, order } = await placed(context, more)
        const period = Date.parse(order.expiresAt) - Date.parse(order.placedAt)
        expect(response, period === ms, `\`expiresAt\` ${ms / 1_000} s after \`placedAt\``, `${period / 1_000} s`)
        expect(response, order.reference === undefined, 'no `reference`, since none was given')
      },
    ),
  ),
  clause(
    'orders.o2.record',
    'O2: After 201 the pet is pending and has `orderId`; its version grew by 1.',
    async (context) => {
      const { pet, order } = await placed(context)
      await expectNow(context, pet.id, { ...pet, status: 'pending', orderId: order.id, version: 2n })
    },
  ),
  clause('orders.o2.pet', 'O2: After 201 the pet is pending for getPet and listPets too.', async (context) => {
    const { pet } = await placed(context)
    const got = await context.call({ path: `/pets/${pet.id}` })
    expectPet(got, 200, { ...pet, status: 'pending' })
    expect(got, !got.text.includes('orderId'), 'a plain Pet')
    const listed = await context.call({ path: `/pets?status=pending&id=${pet.id}` })
    expect(listed, listed.text === `[${got.text}]`, `[${got.text}]`)
  }),
  ...NOT_AVAILABLE.map(([id, status, says]) =>
    clause(
      `orders.o3.${id}`,
      `O3: Only an available pet can be ordered; the 409 says what it is instead: ${id}.`,
      async (context) => {
        const pet = await context.add(newPet(status))
        const response = await context.call(place(pet.id))
        expectConflict(response, 'pet_not_available')
        expect(response, says.test(messageOf(response)), `a message like ${says}`)
        await expectNow(context, pet.id, { ...pet, version: 1n, orderId: undefined })
      },
    ),
  ),
  clause(
    'orders.o3.held',
    'O3: A pet that an order holds can’t be ordered: 409, which says pending.',
    async (context) => {
      const { pet, order } = await placed(context)
      const response = await context.call(place(pet.id))
      expectConflict(response, 'pet_not_available')
      expect(response, /\bpending\b/.test(messageOf(response)), 'a message that says pending')
      await expectNow(context, pet.id, { orderId: order.id, version: 2n })
    },
  ),
  clause('orders.o4', 'O4: A pet never has two orders that are placed.', async (context) => {
    const { pet, order } = await placed(context)
    expectConflict(await context.call(place(pet.id)), 'pet_not_available')
    orderOf(await context.call(close(order.id, 'cancel')))
    const second = orderOf(await context.call(place(pet.id)), 201)
    expectConflict(await context.call(place(pet.id)), 'pet_not_available')
    const response = await context.call({ path: `${ORDERS}?petId=${pet.id}` })
    const found = ordersOf(response).map(({ id, status }) => `${id} ${status}`)
    const expected = [`${second.id} placed`, `${order.id} cancelled`].join()
    expect(response, found.join() === expected, expected, found.join())
  }),
  clause('orders.o11.pending', 'O11: A pet that was made pending by hand can’t be ordered.', async (context) => {
    const { id } = await context.add(newPet('available'))
    recordOf(await context.call(patch(id, '{"status":"pending"}')))
    expectConflict(await context.call(place(id)), 'pet_not_available')
    await expectNow(context, id, { status: 'pending', version: 2n, orderId: undefined })
  }),
  clause(
    'orders.o11.released',
    'O11: A pet that was made pending by hand can be released by PATCH, and ordered.',
    async (context) => {
      const { id } = await context.add(newPet('pending'))
      recordOf(await context.call(patch(id, '{"status":"available"}')))
      const order = orderOf(await context.call(place(id)), 201)
      await expectNow(context, id, { status: 'pending', version: 3n, orderId: order.id })
    },
  ),
  ...[NO_PET, '0', '-1', '9223372036854775807', '-9223372036854775808'].map((petId) =>
    clause(`orders.pet-missing.${petId}`, `No pet has this id: 404 that names it (${petId}).`, async ({ call }) => {
      const response = await call(place(petId))
      expectError(response, 404, 'pet_not_found')
      expect(response, messageOf(response).includes(petId), `a message that names ${petId}`)
    }),
  ),
  clause('orders.neighbour', 'An id that a double would round to that of a pet does not order it.', async (context) => {
    const pet = await context.add(newPet('available'))
    expectError(await context.call(place(pet.id + 2n ** 62n)), 404, 'pet_not_found')
    await expectNow(context, pet.id, { status: 'available', version: 1n })
  }),
]
