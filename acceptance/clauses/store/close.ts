import type { Clause } from '../../clause.ts'
import { expect, expectError, expectHeader } from '../../expect.ts'
import { close, getOrder, orderOf, place, placed } from '../../orders.ts'
import { KEY } from '../../placeholders.ts'
import type { Response } from '../../response.ts'
import {
  clause,
  expectConflict,
  expectDeleted,
  expectNow,
  ifMatch,
  look,
  messageOf,
  patch,
  recordOf,
  remove,
} from '../../store.ts'

const WAYS = [
  ['complete', 'completed', 'sold'],
  ['cancel', 'cancelled', 'available'],
] as const
const other = (how: 'complete' | 'cancel') => (how === 'complete' ? 'cancel' : 'complete')

/** 409 order_closed, whose message says how and when the order ended. */
export function expectClosed(response: Response, status: string, closedAt = 'no time') {
  expectConflict(response, 'order_closed')
  const message = messageOf(response)
  expect(response, message.includes(status), `a message that says ${status}`)
  expect(response, message.includes(closedAt.slice(0, 19)), `a message that says ${closedAt}`)
}

const HELD: [id: string, body: string][] = [
  ['available', '{"status":"available"}'],
  ['pending', '{"status":"pending"}'],
  ['sold', '{"status":"sold"}'],
  ['none', '{"status":null}'],
  ['beside-name', '{"name":"verify held","status":"available"}'],
]

export const CLOSE: Clause[] = [
  ...WAYS.flatMap(([how, status, petStatus]) => [
    clause(
      `orders.o5.${how}`,
      `O5: ${how}: the order is ${status}, the pet ${petStatus} without \`orderId\`; its version grew by 1.`,
      async (context) => {
        const { pet, order } = await placed(context, '"reference":"verify o5"')
        const response = await context.call(close(order.id, how))
        const { closedAt, closedBy, ...ended } = orderOf(response)
        expect(
          response,
          JSON.stringify(ended, digits) === JSON.stringify({ ...order, status }, digits),
          `${status}, and all else as it was placed`,
        )
        expect(response, closedAt !== undefined, '`closedAt`')
        expect(response, closedBy === order.placedBy, '`closedBy`, the key that placed it too')
        await expectNow(context, pet.id, { ...pet, status: petStatus, orderId: undefined, version: 3n })
        const got = await context.call(getOrder(order.id))
        expect(got, got.text === response.text, response.text)
      },
    ),
    clause(
      `orders.o6.${how}.twice`,
      `O6: ${how} twice: 200 and 200 with the same body, and one change.`,
      async (context) => {
        const { pet, order } = await placed(context)
        const first = await context.call(close(order.id, how))
        orderOf(first)
        for (let i = 0; i < 3; i++) {
          const again = await context.call(close(order.id, how))
          expect(again, orderOf(again).status === status && again.text === first.text, first.text)
        }
        await expectNow(context, pet.id, { status: petStatus, version: 3n })
      },
    ),
    clause(
      `orders.o6.${how}.${other(how)}`,
      `O6: ${other(how)} after ${how} is 409 order_closed; the message says how and when the order ended.`,
      async (context) => {
        const { pet, order } = await placed(context)
        const { closedAt } = orderOf(await context.call(close(order.id, how)))
        expectClosed(await context.call(close(order.id, other(how))), status, closedAt)
        await expectNow(context, pet.id, { status: petStatus, version: 3n, orderId: undefined })
      },
    ),
    ...['{}', 'not json', 'x'.repeat(70_000)].map((body, i) =>
      clause(
        `orders.body.${how}.${i + 1}`,
        `The action ${how} has no body. One that is sent is not read, whatever its type, and the connection is closed.`,
        async (context) => {
          const { order } = await placed(context)
          const headers = { 'Content-Type': 'text/html' }
          const response = await context.call({ ...close(order.id, how), headers, body })
          expect(response, orderOf(response).status === status, `\`status\` ${status}`)
          expectHeader(response, 'Connection', 'close')
        },
      ),
    ),
    clause(`orders.unread.${how}`, `The action ${how} does not wait for a body that never comes.`, async (context) => {
      const { order } = await placed(context)
      const connection = await context.connect()
      const { method = '', path } = close(order.id, how)
      const length = 'Expect: 100-continue\r\nContent-Length: 50\r\n'
      connection.send(
        `${method} ${context.basePath}${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n${length}\r\n`,
      )
      for (const response of await connection.responses(1))
        expect(response, orderOf(response).status === status, `\`status\` ${status}`)
    }),
    clause(
      `orders.o6.${how}.race`,
      `O6: Racing requests to ${how} one order are all 200 with the same body, and one change.`,
      async (context) => {
        const { pet, order } = await placed(context)
        const responses = await Promise.all(Array.from({ length: 8 }, () => context.call(close(order.id, how))))
        for (const response of responses)
          expect(response, orderOf(response).status === status && response.text === responses[0]?.text, 'the same body')
        await expectNow(context, pet.id, { status: petStatus, version: 3n })
      },
    ),
  ]),
  clause(
    'orders.o6.later',
    'O6: What has ended stays so: a new order of the pet does not change the old one.',
    async (context) => {
      const { pet, order } = await placed(context)
      const cancelled = await context.call(close(order.id, 'cancel'))
      const second = orderOf(await context.call(place(pet.id)), 201)
      const again = await context.call(close(order.id, 'cancel'))
      expect(again, orderOf(again).id === order.id && again.text === cancelled.text, cancelled.text)
      expectClosed(await context.call(close(order.id, 'complete')), 'cancelled', orderOf(cancelled).closedAt)
      await expectNow(context, pet.id, { status: 'pending', orderId: second.id, version: 4n })
    },
  ),
  ...[1, 2, 3].map((i) =>
    clause(
      `orders.o7.${i}`,
      'O7: Of a racing complete and cancel exactly one is 200; the other is 409.',
      async (context) => {
        const { pet, order } = await placed(context)
        const ways = i === 2 ? (['cancel', 'complete'] as const) : (['complete', 'cancel'] as const)
        const responses = await Promise.all(ways.map((how) => context.call(close(order.id, how))))
        const winners = responses.filter(({ status }) => status === 200)
        for (const response of responses.slice(0, 1))
          expect(response, winners.length === 1, 'one 200', `${winners.length} times 200`)
        for (const winner of winners) {
          const { status, closedAt } = orderOf(winner)
          for (const loser of responses.filter((response) => response !== winner)) expectClosed(loser, status, closedAt)
          await expectNow(context, pet.id, { status: status === 'completed' ? 'sold' : 'available', version: 3n })
        }
      },
    ),
  ),
  ...HELD.flatMap(([id, body]) =>
    [{}, ifMatch('"2"'), ifMatch('*')].map((headers, i) =>
      clause(
        `orders.o10.status.${id}.${i + 1}`,
        `O10: PATCH of the status of a held pet is 409 pet_reserved, ${['without If-Match', 'with its version', 'with *'][i]}: ${body}.`,
        async (context) => {
          const { pet, order } = await placed(context)
          const response = await context.call(patch(pet.id, body, headers))
          expectConflict(response, 'pet_reserved')
          expect(response, messageOf(response).includes(order.id), `a message that names ${order.id}`)
          await expectNow(context, pet.id, { ...pet, status: 'pending', orderId: order.id, version: 2n })
        },
      ),
    ),
  ),
  ...[{}, ifMatch('"2"'), ifMatch('*')].map((headers, i) =>
    clause(`orders.o10.delete.${i + 1}`, 'O10: DELETE of a held pet is 409 pet_reserved.', async (context) => {
      const { pet, order } = await placed(context)
      expectConflict(await context.call(remove(pet.id, headers)), 'pet_reserved')
      await expectNow(context, pet.id, { orderId: order.id, version: 2n })
    }),
  ),
  clause(
    'orders.o10.name',
    'O10: PATCH of the name and category of a held pet is 200, and it stays held.',
    async (context) => {
      const { pet, order } = await placed(context)
      const response = await context.call(patch(pet.id, '{"name":"verify held","categoryId":9}'))
      expect(response, recordOf(response).orderId === order.id, `\`orderId\` ${order.id}`)
      await expectNow(context, pet.id, { name: 'verify held', categoryId: 9n, status: 'pending', version: 3n })
      orderOf(await context.call(close(order.id, 'complete')))
      await expectNow(context, pet.id, { status: 'sold', version: 4n })
    },
  ),
  clause(
    'orders.o10.released',
    'O10: A pet whose order has ended can be changed and deleted again.',
    async (context) => {
      const { pet, order } = await placed(context)
      orderOf(await context.call(close(order.id, 'cancel')))
      recordOf(await context.call(patch(pet.id, '{"status":"pending"}')))
      expectDeleted(await context.call(remove(pet.id)))
    },
  ),
  clause(
    'update.p2.held',
    'P2: The body of PATCH equals the item of the next ?view=full&id=: a held pet.',
    async (context) => {
      const { pet, order } = await placed(context)
      const changed = await context.call(patch(pet.id, '{"name":"verify p2"}'))
      expect(changed, recordOf(changed).orderId === order.id, `\`orderId\` ${order.id}`)
      const { response } = await look(context, pet.id)
      expect(response, response.text === `[${changed.text}]`, `[${changed.text}]`)
    },
  ),
  ...[0, 1].map((i) =>
    clause(
      `conditions.p8.held.${['patch', 'delete'][i]}`,
      `P8: 412 beats 409: ${['PATCH of the status', 'DELETE'][i]} of a held pet with another version.`,
      async (context) => {
        const { pet } = await placed(context)
        const headers = ifMatch('"1"')
        const response = await context.call(
          i === 0 ? patch(pet.id, '{"status":"available"}', headers) : remove(pet.id, headers),
        )
        expectError(response, 412, 'version_mismatch')
        expectHeader(response, 'ETag', '"2"')
      },
    ),
  ),
]

function digits(_name: string, value: unknown) {
  return typeof value === 'bigint' ? String(value) : value
}
