import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Clause, Context } from '../../clause.ts'
import { caughtUp, type Event, endOfFeed, expectEvents, historyOf, ofPets, pastOf } from '../../events.ts'
import { expect, expectError, expectStatus, jsonOf, objectOf, type Pet, petOf } from '../../expect.ts'
import { post } from '../../herd.ts'
import { close, getOrder, orderOf, place } from '../../orders.ts'
import { PETS_KEY } from '../../placeholders.ts'
import type { Response } from '../../response.ts'
import { clause, expectConflict, expectDeleted, ifMatch, look, newPet, patch, recordOf, remove } from '../../store.ts'
import type { Request } from '../../wire.ts'

const ONE = 'E1: A change is followed by exactly one event with its version'
const NONE = 'E1: What changes nothing has no event'
const AS_AFTER = 'E1: `data.pet` is the pet after the change'
const EXPIRY_MS = 9_000
const keyed = () => ({ 'Idempotency-Key': randomUUID() })

/** On an available pet of category 1. */
const CHANGES: [id: string, body: string, changed: string][] = [
  ['name', '{"name":"verify events"}', 'name'],
  ['category-id', '{"categoryId":2}', 'categoryId'],
  ['status', '{"status":"sold"}', 'status'],
  ['no-status', '{"status":null}', 'status'],
  ['name-category-id', '{"name":"verify events","categoryId":2}', 'categoryId+name'],
  ['name-status', '{"name":"verify events","status":"pending"}', 'name+status'],
  ['category-id-status', '{"categoryId":2,"status":"pending"}', 'categoryId+status'],
  ['all', '{"name":"verify events","categoryId":2,"status":"pending"}', 'categoryId+name+status'],
  ['one-of-three', '{"name":"verify store","categoryId":2,"status":"available"}', 'categoryId'],
]

/** On a pet of its own: what is rejected, or changes nothing. */
const NOTHING: [
  id: string,
  what: string,
  status: string,
  act: (call: Context['call'], pet: Pet) => Promise<unknown>,
][] = [
  [
    'same',
    'a PATCH to the same values',
    'available',
    async (call, { id }) => recordOf(await call(patch(id, newPet('available')))),
  ],
  [
    '412',
    'a PATCH of another version',
    'available',
    async (call, { id }) => expectError(await call(patch(id, '{"name":"x"}', ifMatch('"9"'))), 412, 'version_mismatch'),
  ],
  [
    '428',
    'a sale taken back without its version',
    'sold',
    async (call, { id }) => expectError(await call(patch(id, '{"status":"available"}')), 428, 'version_required'),
  ],
  [
    '400',
    'a PATCH with a wrong value',
    'available',
    async (call, { id }) => expectError(await call(patch(id, '{"name":"","categoryId":2}')), 400, 'invalid_body'),
  ],
  [
    'delete-412',
    'a DELETE of another version',
    'available',
    async (call, { id }) => expectError(await call(remove(id, ifMatch('"9"'))), 412, 'version_mismatch'),
  ],
  [
    'place-409',
    'an order of a sold pet',
    'sold',
    async (call, { id }) => expectConflict(await call(place(id)), 'pet_not_available'),
  ],
  [
    'place-keyed-409',
    'an order of a sold pet, with an Idempotency-Key',
    'sold',
    async (call, { id }) => expectConflict(await call(place(id, '', keyed())), 'pet_not_available'),
  ],
  [
    'place-400',
    'an order with a wrong value',
    'available',
    async (call, { id }) => expectError(await call(place(id, '"expiresIn":0')), 400, 'invalid_body'),
  ],
]

/** On a pet that an order holds. */
const ON_HELD: [id: string, what: string, request: (petId: bigint) => Request][] = [
  ['patch', 'a PATCH of the status of a held pet', (id) => patch(id, '{"status":"sold"}')],
  ['delete', 'a DELETE of a held pet', (id) => remove(id)],
  ['place', 'an order of a held pet', (id) => place(id)],
]

/** A new pet, and the place in the feed before anything else is done to it. */
async function begin(context: Context, status?: string) {
  const pet = await context.add(newPet(status))
  const { next } = await caughtUp(context, await endOfFeed(context))
  return { pet, start: next }
}

/** And an order that holds it. */
async function beginHeld(context: Context, more = '') {
  const { pet, start } = await begin(context, 'available')
  const response = await context.call(place(pet.id, more))
  return { pet, start, response, order: orderOf(response, 201) }
}

/** A part of an event is byte for byte what a response shows, but for spaces. */
function expectSame(response: Response, event: Event | undefined, part: 'pet' | 'order', shown: Response) {
  const given = (event?.raw['data'] as Record<string, unknown> | undefined)?.[part]
  const body = jsonOf(shown)
  const due: unknown = Array.isArray(body) ? body[0] : body
  expect(response, due !== undefined && isDeepStrictEqual(given, due), `\`data.${part}\` ${shown.text}`)
}

async function ownKeyId({ call }: Context) {
  const { id } = objectOf(await call({ path: '/keys/self' }))
  return String(id)
}

export const EVENTS_RECORDED: Clause[] = [
  ...['available', 'pending', 'sold', undefined].map((status) =>
    clause(
      `events.e1.created.${status ?? 'no-status'}`,
      `${ONE}: createPet, ${status ?? 'no status'}.`,
      async (context) => {
        const start = await endOfFeed(context)
        const pet = await context.add(newPet(status))
        const { own, response } = await expectEvents(context, start, pet.id, ['pet.created 1'])
        expectSame(response, own[0], 'pet', (await look(context, pet.id)).response)
      },
    ),
  ),
  clause('events.e1.created.keyed', `${ONE}: createPet with an Idempotency-Key.`, async (context) => {
    const start = await endOfFeed(context)
    const pet = petOf(await context.call(post(newPet('available'), keyed())), 201)
    const { own, response } = await expectEvents(context, start, pet.id, ['pet.created 1'])
    expectSame(response, own[0], 'pet', (await look(context, pet.id)).response)
  }),
  clause('events.e1.created.replayed', `${NONE}: a replayed createPet.`, async (context) => {
    const start = await endOfFeed(context)
    const request = post(newPet('available'), keyed())
    const pet = petOf(await context.call(request), 201)
    for (let i = 0; i < 3; i++) petOf(await context.call(request), 201)
    await expectEvents(context, start, pet.id, ['pet.created 1'])
  }),
  clause('events.e1.created.refused', `${NONE}: a createPet that is rejected with 400 or 422.`, async (context) => {
    const start = await endOfFeed(context)
    const name = `verify ${randomUUID()}`
    const key = keyed()
    petOf(await context.call(post(newPet(), key)), 201)
    expectError(await context.call(post(`{"name":"${name}"}`)), 400, 'invalid_body')
    expectError(await context.call(post(`{"name":"${name}","categoryId":1}`, key)), 422, 'idempotency_key_reused')
    const { events, response } = await caughtUp(context, start)
    expect(response, !events.some(({ data }) => data.pet?.name === name), 'no event of a pet that was rejected')
  }),
  ...CHANGES.map(([id, body, changed]) =>
    clause(`events.e1.updated.${id}`, `${ONE}, and \`changed\` names what differs: ${body}.`, async (context) => {
      const { pet, start } = await begin(context, 'available')
      const response = await context.call(patch(pet.id, body))
      recordOf(response)
      const { own, response: page } = await expectEvents(context, start, pet.id, [`pet.updated 2 ${changed}`])
      expectSame(page, own[0], 'pet', response)
    }),
  ),
  clause('events.e1.updated.held', `${AS_AFTER}: with \`orderId\` while an order holds it.`, async (context) => {
    const { pet, start, order } = await beginHeld(context)
    const response = await context.call(patch(pet.id, '{"name":"verify held"}'))
    expect(response, recordOf(response).orderId === order.id, `\`orderId\` ${order.id}`)
    const expected = ['order.placed 2 status', 'pet.updated 3 name']
    const { own, response: page } = await expectEvents(context, start, pet.id, expected)
    expectSame(page, own[1], 'pet', response)
  }),
  ...NOTHING.map(([id, what, status, act]) =>
    clause(`events.e1.none.${id}`, `${NONE}: ${what}.`, async (context) => {
      const { pet, start } = await begin(context, status)
      await act(context.call, pet)
      await expectEvents(context, start, pet.id, [])
    }),
  ),
  ...ON_HELD.map(([id, what, request]) =>
    clause(`events.e1.none.held-${id}`, `${NONE}: ${what}.`, async (context) => {
      const { pet, start } = await beginHeld(context)
      expectStatus(await context.call(request(pet.id)), 409)
      await expectEvents(context, start, pet.id, ['order.placed 2 status'])
    }),
  ),
  clause('events.e1.placed', `${ONE}: placeOrder; it has the pet and the order.`, async (context) => {
    const { pet, start, response } = await beginHeld(context, '"expiresIn":600,"reference":"verify events"')
    const { own, response: page } = await expectEvents(context, start, pet.id, ['order.placed 2 status'])
    expectSame(page, own[0], 'order', response)
    expectSame(page, own[0], 'pet', (await look(context, pet.id)).response)
  }),
  clause('events.e1.placed.keyed', `${ONE}: placeOrder with an Idempotency-Key, replayed too.`, async (context) => {
    const { pet, start } = await begin(context, 'available')
    const request = place(pet.id, '"reference":"verify events"', keyed())
    const response = await context.call(request)
    orderOf(response, 201)
    for (let i = 0; i < 2; i++) orderOf(await context.call(request), 201)
    const { own, response: page } = await expectEvents(context, start, pet.id, ['order.placed 2 status'])
    expectSame(page, own[0], 'order', response)
    expectSame(page, own[0], 'pet', (await look(context, pet.id)).response)
  }),
  ...(['complete', 'cancel'] as const).map((how) =>
    clause(`events.e1.${how}`, `${ONE}: ${how}Order; not when it is repeated or comes too late.`, async (context) => {
      const { pet, start, order } = await beginHeld(context, '"reference":"verify events"')
      const response = await context.call(close(order.id, how))
      orderOf(response)
      orderOf(await context.call(close(order.id, how)))
      expectConflict(await context.call(close(order.id, how === 'cancel' ? 'complete' : 'cancel')), 'order_closed')
      const type = how === 'cancel' ? 'order.cancelled' : 'order.completed'
      const expected = ['order.placed 2 status', `${type} 3 status`]
      const { own, response: page } = await expectEvents(context, start, pet.id, expected)
      expectSame(page, own[1], 'order', response)
      expectSame(page, own[1], 'pet', (await look(context, pet.id)).response)
    }),
  ),
  clause(
    'events.e1.placed.later',
    'E1: `data.order` is the order after the change, whatever becomes of it.',
    async (context) => {
      const { pet, start, order, response } = await beginHeld(context)
      orderOf(await context.call(close(order.id, 'complete')))
      const expected = ['order.placed 2 status', 'order.completed 3 status']
      const { own, response: page } = await expectEvents(context, start, pet.id, expected)
      expectSame(page, own[0], 'order', response)
    },
  ),
  clause('events.e1.expired', `${ONE}: the end of an order at its time. It has no \`keyId\`.`, async (context) => {
    const { pet, start, order } = await beginHeld(context, '"expiresIn":1')
    const deadline = performance.now() + EXPIRY_MS
    while (orderOf(await context.call(getOrder(order.id))).status === 'placed' && performance.now() < deadline)
      await sleep(100)
    const expected = ['order.placed 2 status', 'order.expired 3 status']
    const { own, response } = await expectEvents(context, start, pet.id, expected)
    expectSame(response, own[1], 'order', await context.call(getOrder(order.id)))
    expectSame(response, own[1], 'pet', (await look(context, pet.id)).response)
    expect(response, own[1]?.data.keyId === undefined, 'no `keyId` where the service itself acted')
    expect(response, own[0]?.data.keyId === (await ownKeyId(context)), 'the `keyId` of the order')
  }),
  clause('events.e1.deleted', `${ONE}: deletePet; \`data.pet\` is its last state.`, async (context) => {
    const { pet, start } = await begin(context, 'sold')
    recordOf(await context.call(patch(pet.id, '{"name":"verify last"}')))
    expectDeleted(await context.call(remove(pet.id)))
    expectError(await context.call(remove(pet.id)), 404, 'pet_not_found')
    const { own, response } = await expectEvents(context, start, pet.id, ['pet.updated 2 name', 'pet.deleted 3'])
    const { name, categoryId, status } = own[1]?.data.pet ?? {}
    const last = `${name} ${categoryId} ${status}`
    expect(response, last === 'verify last 1 sold', 'the pet as it was last', last)
  }),
  clause(
    'events.e1.race',
    `${ONE}: of ten PATCHes at once each has its own, in the order of versions.`,
    async (context) => {
      const { pet, start } = await begin(context, 'available')
      const names = Array.from({ length: 10 }, (_, i) => `{"name":"verify race ${i}"}`)
      await Promise.all(names.map(async (body) => recordOf(await context.call(patch(pet.id, body)))))
      const expected = names.map((_, i) => `pet.updated ${i + 2} name`)
      await expectEvents(context, start, pet.id, expected)
    },
  ),
  clause('events.e1.race.orders', `${ONE}: of ten orders of one pet at once one is placed.`, async (context) => {
    const { pet, start } = await begin(context, 'available')
    const responses = await Promise.all(Array.from({ length: 10 }, () => context.call(place(pet.id))))
    const won = responses.filter(({ status }) => status === 201)
    const { own, response } = await expectEvents(context, start, pet.id, ['order.placed 2 status'])
    for (const each of won) expectSame(response, own[0], 'order', each)
  }),
  clause('events.key-id', '`keyId` is the id of the key that made the change.', async (context) => {
    const start = await endOfFeed(context)
    const pet = await context.add(newPet('available'))
    recordOf(await context.call(patch(pet.id, '{"name":"verify key"}')))
    const order = orderOf(await context.call(place(pet.id, '', keyed())), 201)
    orderOf(await context.call(close(order.id, 'cancel')))
    expectDeleted(await context.call(remove(pet.id)))
    const keyId = await ownKeyId(context)
    const { events, response } = await caughtUp(context, start)
    const seen = ofPets(events, pet).map(({ data }) => data.keyId)
    expect(response, seen.join() === Array(5).fill(keyId).join(), `five times \`keyId\` ${keyId}`, seen.join())
  }),
  {
    ...clause('events.key-id.other', '`keyId` of the change of another client is that of its key.', async (context) => {
      const authorization = `Bearer ${PETS_KEY}`
      const { id: otherId } = objectOf(await context.call({ path: '/keys/self', authorization }))
      const keyIds = [await ownKeyId(context), String(otherId)]
      // Many at once, since the service may write several of them together.
      const added = await Promise.all(
        Array.from({ length: 32 }, async (_, i) => {
          const request = post(newPet(), i % 4 < 2 ? {} : keyed())
          const response = await context.call(i % 2 === 0 ? request : { ...request, authorization })
          return { id: petOf(response, 201).id, keyId: keyIds[i % 2] }
        }),
      )
      for (const { id, keyId } of added) {
        const response = await context.call(historyOf(id))
        const [created] = pastOf(response)
        expect(response, created?.data.keyId === keyId, `\`keyId\` ${keyId}`, created?.data.keyId ?? 'none')
      }
    }),
    needs: 'petsKey',
  },
]
