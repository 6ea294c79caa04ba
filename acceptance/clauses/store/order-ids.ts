import type { Clause } from '../../clause.ts'
import { expect, expectError, expectHeader, expectStatus } from '../../expect.ts'
import { close, getOrder, ORDERS, orderOf, ordersOf, place, placed } from '../../orders.ts'
import { clause, expectDeleted, expectNow, NO_PET, refused, remove } from '../../store.ts'
import type { Request } from '../../wire.ts'

/** Another character of the same alphabet. */
const flip = (char: string) => (char === 'A' ? 'B' : 'A')
const swapCase = (text: string) =>
  Array.from(text, (char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase())).join('')

const WRONG: [id: string, what: string, change: (id: string) => string][] = [
  ...[4, 5, 12, 14, 18, 23].map((at): [string, string, (id: string) => string] => [
    `check.${at}`,
    `another character at ${at}`,
    (id) => `${id.slice(0, at)}${flip(id.charAt(at))}${id.slice(at + 1)}`,
  ]),
  [
    'check.swapped',
    'two characters swapped',
    (id) => `${id.slice(0, 4)}${id.slice(5, 6)}${id.slice(4, 5)}${id.slice(6)}`,
  ],
  ['shorter', 'the last character missing', (id) => id.slice(0, -1)],
  ['longer', 'a character more', (id) => `${id}A`],
  ['padded', 'padding', (id) => `${id}=`],
  ['case.body', 'another case', (id) => `ord_${swapCase(id.slice(4))}`],
  ['case.prefix', 'another case of the prefix', (id) => `ORD_${id.slice(4)}`],
  ['no-prefix', 'no prefix', (id) => id.slice(4)],
  ['other-prefix', 'another prefix', (id) => `evt_${id.slice(4)}`],
  ['space', 'a space', (id) => `${id}%20`],
  ['space-before', 'a space before it', (id) => `%20${id}`],
  ['newline', 'a newline', (id) => `${id}%0A`],
]
const NEVER: [id: string, orderId: string][] = [
  ['number', '7'],
  ['word', 'abc'],
  ['prefix', 'ord_'],
  ['zeros', `ord_${'A'.repeat(20)}`],
  ['ones', `ord_${'_'.repeat(20)}`],
  ['encoding', '%ZZ'],
  ['nul', 'ord_%00'],
  ['slash', 'ord_%2F'],
  ['long', `ord_${'A'.repeat(5_000)}`],
]

const requests = (orderId: string): Request[] => [
  getOrder(orderId),
  close(orderId, 'complete'),
  close(orderId, 'cancel'),
]

const PATHS: [name: string, path: string, allow: string, others: string[]][] = [
  ['orders', ORDERS, 'GET, HEAD, POST, OPTIONS', ['PUT', 'PATCH', 'DELETE']],
  ['order', `${ORDERS}/ord_x`, 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE']],
  ['complete', `${ORDERS}/ord_x/complete`, 'POST, OPTIONS', ['GET', 'PUT', 'DELETE']],
  ['cancel', `${ORDERS}/ord_x/cancel`, 'POST, OPTIONS', ['GET', 'PUT', 'DELETE']],
]
const OPERATIONS: [operationId: string, request: Request][] = [
  ['listOrders', { path: ORDERS }],
  ['placeOrder', place(NO_PET)],
  ['getOrder', getOrder('ord_x')],
  ['completeOrder', close('ord_x', 'complete')],
  ['cancelOrder', close('ord_x', 'cancel')],
]

export const ORDER_IDS: Clause[] = [
  ...WRONG.map(([id, what, change]) =>
    clause(`orders.o19.${id}`, `O19: An id with ${what} is 404 order_not_found.`, async (context) => {
      const { pet, order } = await placed(context)
      const wrong = change(order.id)
      if (wrong === order.id) return // two equal characters were swapped
      for (const request of requests(wrong)) expectError(await context.call(request), 404, 'order_not_found')
      await expectNow(context, pet.id, { orderId: order.id, version: 2n })
    }),
  ),
  ...NEVER.map(([id, orderId]) =>
    clause(
      `orders.o19.never.${id}`,
      `O19: What is no id of an order is 404 order_not_found: ${id}.`,
      async ({ call }) => {
        for (const request of requests(orderId)) expectError(await call(request), 404, 'order_not_found')
      },
    ),
  ),
  clause('orders.o16.cancelled', 'O16: Orders stay after DELETE of their pet: cancelled.', async (context) => {
    const { pet, order } = await placed(context)
    const ended = await context.call(close(order.id, 'cancel'))
    expectDeleted(await context.call(remove(pet.id)))
    const got = await context.call(getOrder(order.id))
    expect(got, orderOf(got).status === 'cancelled' && got.text === ended.text, ended.text)
    const list = await context.call({ path: `${ORDERS}?petId=${pet.id}` })
    expect(list, list.text === `[${ended.text}]`, `[${ended.text}]`)
  }),
  clause('orders.o16.completed', 'O16: Orders stay after DELETE of their pet: completed.', async (context) => {
    const { pet, order } = await placed(context, '"reference":"verify o16"')
    const ended = await context.call(close(order.id, 'complete'))
    expectDeleted(await context.call(remove(pet.id)))
    const list = await context.call({ path: `${ORDERS}?petId=${pet.id}&status=completed` })
    expect(list, ordersOf(list).length === 1 && list.text === `[${ended.text}]`, `[${ended.text}]`)
  }),
  clause(
    'orders.o16.again',
    'O16: What was done to an order can be repeated after DELETE of its pet.',
    async (context) => {
      for (const how of ['complete', 'cancel'] as const) {
        const { pet, order } = await placed(context)
        const ended = await context.call(close(order.id, how))
        expectDeleted(await context.call(remove(pet.id)))
        const again = await context.call(close(order.id, how))
        expect(again, orderOf(again).id === order.id && again.text === ended.text, ended.text)
        const other = await context.call(close(order.id, how === 'complete' ? 'cancel' : 'complete'))
        expectError(other, 409, 'order_closed')
        expectError(await context.call(place(pet.id)), 404, 'pet_not_found')
      }
    },
  ),
  ...OPERATIONS.flatMap(([operationId, request]) => [
    refused(
      `orders.no-key.${operationId}`,
      `\`${operationId}\` needs a key: 401 without one.`,
      { ...request, authorization: null },
      401,
      'missing_credentials',
    ),
    refused(
      `orders.wrong-key.${operationId}`,
      `\`${operationId}\` needs a key: 401 with another one.`,
      { ...request, authorization: 'Bearer noise' },
      401,
      'invalid_credentials',
    ),
  ]),
  ...PATHS.flatMap(([name, path, allow, others]) => [
    clause(`routes.options.${name}`, `OPTIONS returns 204 with Allow, without a key: ${path}.`, async ({ call }) => {
      const response = await call({ method: 'OPTIONS', path, authorization: null })
      expectStatus(response, 204)
      expectHeader(response, 'Allow', allow)
    }),
    ...others.map((method) =>
      clause(
        `routes.method.${name}.${method.toLowerCase()}`,
        `${method} ${path} is 405 with Allow.`,
        async ({ call }) => {
          const response = await call({ method, path })
          expectError(response, 405, 'method_not_allowed')
          expectHeader(response, 'Allow', allow)
        },
      ),
    ),
  ]),
  ...['/store/', `${ORDERS}/`, `${ORDERS}/ord_x/`, `${ORDERS}/ord_x/ship`, `${ORDERS}/1/2`, '/Store/Orders'].map(
    (path, i) =>
      refused(`routes.store.${i + 1}`, `Nothing is served at ${path}: 404.`, { path }, 404, 'route_not_found'),
  ),
]
