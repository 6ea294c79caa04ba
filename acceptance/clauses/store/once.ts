import { randomUUID } from 'node:crypto'
import type { Clause, Context } from '../../clause.ts'
import { expect, expectError, expectHeader, expectNoHeader, petOf } from '../../expect.ts'
import { post } from '../../herd.ts'
import { close, ORDERS, orderOf, ordersOf, place, placeBody } from '../../orders.ts'
import type { Response } from '../../response.ts'
import {
  clause,
  expectConflict,
  expectDeleted,
  expectNow,
  ifMatch,
  newPet,
  patch,
  recordOf,
  remove,
} from '../../store.ts'

const keyed = (key: string) => ({ 'Idempotency-Key': key })
const MORE = '"expiresIn":600,"reference":"verify once"'

/** What happens between the order and its replay. */
const MEANWHILE: [
  id: string,
  what: string,
  act: (context: Context, orderId: string, petId: bigint) => Promise<unknown>,
][] = [
  ['nothing', 'at once', async () => {}],
  ['cancel', 'after cancel', async ({ call }, orderId) => orderOf(await call(close(orderId, 'cancel')))],
  ['complete', 'after complete', async ({ call }, orderId) => orderOf(await call(close(orderId, 'complete')))],
  [
    'reorder',
    'after cancel and another order of the pet',
    async ({ call }, orderId, petId) => {
      orderOf(await call(close(orderId, 'cancel')))
      orderOf(await call(place(petId)), 201)
    },
  ],
  [
    'delete',
    'after cancel and DELETE of the pet',
    async ({ call }, orderId, petId) => {
      orderOf(await call(close(orderId, 'cancel')))
      expectDeleted(await call(remove(petId)))
    },
  ],
]

const OTHER: [id: string, what: string, body: (petId: bigint, other: bigint) => string][] = [
  ['pet', 'another pet', (_, other) => `{"petId":${other},${MORE}}`],
  ['period', 'another expiresIn', (petId) => `{"petId":${petId},"expiresIn":601,"reference":"verify once"}`],
  ['reference', 'another reference', (petId) => `{"petId":${petId},"expiresIn":600,"reference":"verify twice"}`],
  ['no-reference', 'no reference', (petId) => `{"petId":${petId},"expiresIn":600}`],
]

function expectReplay(again: Response, first: Response) {
  expect(again, orderOf(again, 201).status === 'placed' && again.text === first.text, first.text)
  expectHeader(again, 'Location', first.headers.get('location') ?? '')
  expectHeader(again, 'Idempotent-Replayed', 'true')
}

async function ordersOfPet({ call }: Context, petId: bigint) {
  const response = await call({ path: `${ORDERS}?petId=${petId}` })
  return { response, orders: ordersOf(response) }
}

export const ONCE: Clause[] = [
  ...MEANWHILE.map(([id, what, act]) =>
    clause(
      `orders.o12.${id}`,
      `O12: A replay answers 201 with the order as placed, byte for byte, and places nothing: ${what}.`,
      async (context) => {
        const pet = await context.add(newPet('available'))
        const request = place(pet.id, MORE, keyed(randomUUID()))
        const first = await context.call(request)
        const order = orderOf(first, 201)
        expectNoHeader(first, 'Idempotent-Replayed')
        await act(context, order.id, pet.id)
        const before = await ordersOfPet(context, pet.id)
        expectReplay(await context.call(request), first)
        const { response } = await ordersOfPet(context, pet.id)
        expect(response, response.text === before.response.text, `the same orders: ${before.response.text}`)
      },
    ),
  ),
  clause('orders.o12.available', 'O12: A replay after cancel does not hold the pet.', async (context) => {
    const pet = await context.add(newPet('available'))
    const request = place(pet.id, '', keyed(randomUUID()))
    const first = await context.call(request)
    orderOf(await context.call(close(orderOf(first, 201).id, 'cancel')))
    expectReplay(await context.call(request), first)
    await expectNow(context, pet.id, { status: 'available', orderId: undefined, version: 3n })
  }),
  clause('orders.o12.spelling', 'O12: The same order is the same, however it is written.', async ({ call, add }) => {
    const { id } = await add(newPet('available'))
    const key = keyed(randomUUID())
    const first = await call(place(id, MORE, key))
    orderOf(first, 201)
    const spelled = ` {"reference":"verify \\u006fnce", "expiresIn":6e2,\n"petId":${id}.0,"x":1}`
    expectReplay(await call(placeBody(spelled, key)), first)
  }),
  clause(
    'orders.o12.default',
    'O12: An order without `expiresIn` is the same as one with the default.',
    async ({ call, add }) => {
      const { id } = await add(newPet('available'))
      const key = keyed(randomUUID())
      const first = await call(place(id, '', key))
      orderOf(first, 201)
      expectReplay(await call(place(id, '"expiresIn":900', key)), first)
    },
  ),
  clause(
    'orders.o12.race',
    'O12: Racing requests with one Idempotency-Key place one order and all get it.',
    async (context) => {
      const pet = await context.add(newPet('available'))
      const request = place(pet.id, MORE, keyed(randomUUID()))
      const responses = await Promise.all(Array.from({ length: 10 }, () => context.call(request)))
      for (const response of responses)
        expect(
          response,
          orderOf(response, 201).petId === pet.id && response.text === responses[0]?.text,
          'the same body',
        )
      const { response, orders } = await ordersOfPet(context, pet.id)
      expect(response, orders.length === 1, 'one order', `${orders.length} orders`)
    },
  ),
  ...OTHER.map(([id, what, body]) =>
    clause(`orders.o13.${id}`, `O13: The same key with ${what} is 422, and no pet is held.`, async (context) => {
      const [pet, other] = [await context.add(newPet('available')), await context.add(newPet('available'))]
      const key = keyed(randomUUID())
      const order = orderOf(await context.call(place(pet.id, MORE, key)), 201)
      expectError(await context.call(placeBody(body(pet.id, other.id), key)), 422, 'idempotency_key_reused')
      await expectNow(context, other.id, { ...other, version: 1n, orderId: undefined })
      await expectNow(context, pet.id, { orderId: order.id, version: 2n })
    }),
  ),
  clause(
    'orders.o14.same',
    'O14: A 409 stores no key: once the pet is available, the same request is 201.',
    async (context) => {
      const { id } = await context.add(newPet('sold'))
      const request = place(id, MORE, keyed(randomUUID()))
      for (let i = 0; i < 2; i++) expectConflict(await context.call(request), 'pet_not_available')
      recordOf(await context.call(patch(id, '{"status":"available"}', ifMatch('"1"'))))
      const response = await context.call(request)
      expect(response, orderOf(response, 201).petId === id, `\`petId\` ${id}`)
      expectNoHeader(response, 'Idempotent-Replayed')
    },
  ),
  clause('orders.o14.other', 'O14: A 409 stores no key: it can be used for another pet.', async (context) => {
    const [sold, pet] = [await context.add(newPet('sold')), await context.add(newPet('available'))]
    const key = keyed(randomUUID())
    expectConflict(await context.call(place(sold.id, '', key)), 'pet_not_available')
    orderOf(await context.call(place(pet.id, '', key)), 201)
  }),
  clause('orders.o14.missing', 'O14: A 404 and a 400 store no key either.', async (context) => {
    const pet = await context.add(newPet('available'))
    const key = keyed(randomUUID())
    expectError(await context.call(place('9223372036854775806', '', key)), 404, 'pet_not_found')
    expectError(await context.call(placeBody('{}', key)), 400, 'invalid_body')
    orderOf(await context.call(place(pet.id, '', key)), 201)
  }),
  clause('orders.o15.create', 'O15: A key used for createPet is free for placeOrder.', async ({ call }) => {
    const key = keyed(randomUUID())
    const created = await call(post(newPet('available'), key))
    const pet = petOf(created, 201)
    const response = await call(place(pet.id, '', key))
    orderOf(response, 201)
    expectNoHeader(response, 'Idempotent-Replayed')
    const again = await call(post(newPet('available'), key))
    expect(again, again.text === created.text, created.text)
    expectReplay(await call(place(pet.id, '', key)), response)
  }),
  clause('orders.o15.place', 'O15: A key used for placeOrder is free for createPet.', async ({ call, add }) => {
    const key = keyed(randomUUID())
    orderOf(await call(place((await add(newPet('available'))).id, '', key)), 201)
    const response = await call(post(newPet('available'), key))
    petOf(response, 201)
    expectNoHeader(response, 'Idempotent-Replayed')
  }),
  ...['', 'k'.repeat(256), '"verify'].map((key, i) =>
    clause(`orders.key.${i + 1}`, 'A malformed Idempotency-Key is 400, and holds no pet.', async (context) => {
      const pet = await context.add(newPet('available'))
      expectError(await context.call(place(pet.id, '', keyed(key))), 400, 'invalid_idempotency_key')
      await expectNow(context, pet.id, { status: 'available', version: 1n })
    }),
  ),
]
