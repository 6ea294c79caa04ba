import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Clause, Context } from '../../clause.ts'
import {
  caughtUp,
  EVENTS,
  type Event,
  endOfFeed,
  eventsOf,
  expectEvents,
  historyOf,
  ofPets,
  pastOf,
  startWithOrder,
  startWithPet,
} from '../../events.ts'
import { expect, expectError, jsonOf, objectOf, petOf } from '../../expect.ts'
import { post } from '../../herd.ts'
import { close, getOrder, orderOf, place } from '../../orders.ts'
import { PETS_KEY } from '../../placeholders.ts'
import type { Response } from '../../response.ts'
import { clause, expectConflict, expectDeleted, keyed, look, newPet, patch, recordOf, remove } from '../../store.ts'

const ONE = 'E1: A change is followed by exactly one event with its version'
const AS_AFTER = 'E1: `data.pet` is the pet after the change'
const EXPIRY_MS = 9_000

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
  ...CHANGES.map(([id, body, changed]) =>
    clause(`events.e1.updated.${id}`, `${ONE}, and \`changed\` names what differs: ${body}.`, async (context) => {
      const { pet, start } = await startWithPet(context, 'available')
      const response = await context.call(patch(pet.id, body))
      recordOf(response)
      const { own, response: page } = await expectEvents(context, start, pet.id, [`pet.updated 2 ${changed}`])
      expectSame(page, own[0], 'pet', response)
    }),
  ),
  clause('events.previous.updated', '`data.previous` has what the changed fields were before.', async (context) => {
    const { pet, start } = await startWithPet(context, 'available')
    for (const body of ['{"name":"verify 1","categoryId":9223372036854775807}', '{"categoryId":-1}', '{"status":null}'])
      recordOf(await context.call(patch(pet.id, body)))
    recordOf(await context.call(patch(pet.id, '{"name":"verify 2","status":"sold"}')))
    const { events, response } = await caughtUp(context, start)
    const previous = ofPets(events, pet).map(({ data }) => data.previous)
    const due = [
      { name: 'verify store', categoryId: 1n },
      { categoryId: 9223372036854775807n },
      { status: 'available' },
      { name: 'verify 1', status: null },
    ]
    expect(response, isDeepStrictEqual(previous, due), 'the former values of each change')
  }),
  clause('events.previous.orders', '`data.previous` of an order event has the former status.', async (context) => {
    const { pet, start, order } = await startWithOrder(context)
    orderOf(await context.call(close(order.id, 'cancel')))
    const { events, response } = await caughtUp(context, start)
    const previous = ofPets(events, pet).map(({ data }) => data.previous)
    const due = [{ status: 'available' }, { status: 'pending' }]
    expect(response, isDeepStrictEqual(previous, due), 'available, then pending')
  }),
  clause('events.previous.none', '`data.previous` is absent where nothing was before.', async (context) => {
    const start = await endOfFeed(context)
    const pet = await context.add(newPet('available'))
    expectDeleted(await context.call(remove(pet.id)))
    const { events, response } = await caughtUp(context, start)
    expect(
      response,
      ofPets(events, pet).every(({ data }) => !('previous' in data)),
      'no `previous`',
    )
  }),
  clause('events.e1.updated.held', `${AS_AFTER}: with \`orderId\` while an order holds it.`, async (context) => {
    const { pet, start, order } = await startWithOrder(context)
    const response = await context.call(patch(pet.id, '{"name":"verify held"}'))
    expect(response, recordOf(response).orderId === order.id, `\`orderId\` ${order.id}`)
    const expected = ['order.placed 2 status', 'pet.updated 3 name']
    const { own, response: page } = await expectEvents(context, start, pet.id, expected)
    expectSame(page, own[1], 'pet', response)
  }),
  clause('events.e1.placed', `${ONE}: placeOrder; it has the pet and the order.`, async (context) => {
    const { pet, start, response } = await startWithOrder(context, '"expiresIn":600,"reference":"verify events"')
    const { own, response: page } = await expectEvents(context, start, pet.id, ['order.placed 2 status'])
    expectSame(page, own[0], 'order', response)
    expectSame(page, own[0], 'pet', (await look(context, pet.id)).response)
  }),
  clause('events.e1.placed.keyed', `${ONE}: placeOrder with an Idempotency-Key, replayed too.`, async (context) => {
    const { pet, start } = await startWithPet(context, 'available')
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
      const { pet, start, order } = await startWithOrder(context, '"reference":"verify events"')
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
      const { pet, start, order, response } = await startWithOrder(context)
      orderOf(await context.call(close(order.id, 'complete')))
      const expected = ['order.placed 2 status', 'order.completed 3 status']
      const { own, response: page } = await expectEvents(context, start, pet.id, expected)
      expectSame(page, own[0], 'order', response)
    },
  ),
  clause('events.e1.expired', `${ONE}: the end of an order at its time. It has no \`keyId\`.`, async (context) => {
    const { pet, start, order } = await startWithOrder(context, '"expiresIn":1')
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
    const { pet, start } = await startWithPet(context, 'sold')
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
      const { pet, start } = await startWithPet(context, 'available')
      const names = Array.from({ length: 10 }, (_, i) => `{"name":"verify race ${i}"}`)
      await Promise.all(names.map(async (body) => recordOf(await context.call(patch(pet.id, body)))))
      const expected = names.map((_, i) => `pet.updated ${i + 2} name`)
      await expectEvents(context, start, pet.id, expected)
    },
  ),
  clause('events.e1.race.orders', `${ONE}: of ten orders of one pet at once one is placed.`, async (context) => {
    const { pet, start } = await startWithPet(context, 'available')
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
  clause('events.key-id.filter', '`keyId` returns the changes of this key, in both directions.', async (context) => {
    const start = await endOfFeed(context)
    const pet = await context.add(newPet('available'))
    recordOf(await context.call(patch(pet.id, '{"name":"verify key"}')))
    const keyId = await ownKeyId(context)
    const { events, response } = await caughtUp(context, `${start}&keyId=${keyId}`)
    const seen = ofPets(events, pet).map(({ type }) => type)
    expect(response, seen.join() === 'pet.created,pet.updated', 'both changes', seen.join())
    expect(
      response,
      events.every(({ data }) => data.keyId === keyId),
      `only changes of ${keyId}`,
    )
    const newest = await context.call({ path: `${EVENTS}?sort=newest&limit=100&keyId=${keyId}` })
    const back = eventsOf(newest)
    expect(
      newest,
      back.every(({ data }) => data.keyId === keyId),
      `only changes of ${keyId}`,
    )
    const sequences = back.map(({ sequence = '' }) => sequence)
    expect(newest, sequences.join() === sequences.toSorted().toReversed().join(), 'the newest first')
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
