import { randomUUID } from 'node:crypto'
import type { Clause, Context } from '../../clause.ts'
import { expect, expectStatus } from '../../expect.ts'
import { close, ORDERS, type Order, orderOf, ordersOf, place, placed } from '../../orders.ts'
import type { Response } from '../../response.ts'
import { clause, newPet, refused } from '../../store.ts'
import { nextOf, pagesOf } from '../../walk.ts'

const sorted = (orders: { id: string }[]) =>
  orders
    .map(({ id }) => id)
    .toSorted()
    .join()

/** Nine orders with a reference of their own: three placed, three completed, three cancelled; the newest first. */
async function basket(context: Context) {
  const reference = `verify, a&b=c 🐢 ${randomUUID()}`
  const orders: Order[] = []
  for (let i = 0; i < 9; i++) {
    const { order } = await placed(context, `"reference":"${reference}"`)
    if (i % 3 === 0) orders.unshift(order)
    else orders.unshift(orderOf(await context.call(close(order.id, i % 3 === 1 ? 'complete' : 'cancel'))))
  }
  return { reference: encodeURIComponent(reference), orders }
}

/** Five orders of one pet, of which the newest is placed and the others are cancelled; the newest first. */
async function ordersOfOnePet({ call, add }: Context) {
  const { id: petId } = await add(newPet('available'))
  const orders: Order[] = []
  for (let i = 0; i < 5; i++) {
    const order = orderOf(await call(place(petId)), 201)
    orders.unshift(i === 4 ? order : orderOf(await call(close(order.id, 'cancel'))))
  }
  return { petId, orders }
}

const WALK = 'O18: A walk meets each order that exists and matches throughout exactly once, the newest first'

async function expectWalk(context: Context, query: string, limit: number, expected: Order[]) {
  const pages = await pagesOf(context, ORDERS, `?limit=${limit}&${query}`)
  for (const page of pages) expect(page, ordersOf(page).length <= limit, `at most ${limit} orders`)
  expectMet(pages, expected)
}

/** Each of the orders once, the newest first; those of one millisecond in any order. */
function expectMet(pages: Response[], expected: Order[]) {
  const met = pages.flatMap(ordersOf)
  const times = met.map(({ placedAt }) => placedAt)
  for (const page of pages.slice(-1)) {
    const same = sorted(met) === sorted(expected)
    expect(page, same, `the orders ${sorted(expected) || 'none'}`, sorted(met) || 'none')
    expect(page, times.join() === times.toSorted().toReversed().join(), 'the newest first', times.join())
  }
}

const BAD: [id: string, what: string, query: string, code?: string][] = [
  ['limit.zero', 'limit 0', 'limit=0'],
  ['limit.above', 'limit 101', 'limit=101'],
  ['limit.word', 'a limit that is no number', 'limit=x'],
  ['limit.empty', 'an empty limit', 'limit='],
  ['limit.twice', 'limit twice', 'limit=1&limit=1'],
  ['status.word', 'an unknown status', 'status=sold'],
  ['status.case', 'a status in another case', 'status=Placed'],
  ['status.empty', 'an empty status', 'status='],
  ['status.list', 'a list of statuses', 'status=placed,expired'],
  ['status.twice', 'status twice', 'status=placed&status=placed'],
  ['pet-id.empty', 'an empty petId', 'petId='],
  ['pet-id.word', 'a petId that is no number', 'petId=abc'],
  ['pet-id.leading-zero', 'a petId with a leading zero', 'petId=01'],
  ['pet-id.above', 'a petId above int64', 'petId=9223372036854775808'],
  ['pet-id.twice', 'petId twice', 'petId=1&petId=1'],
  ['pet-id.list', 'a list of petIds', 'petId=1,2'],
  ['reference.empty', 'an empty reference', 'reference='],
  ['reference.spaces', 'a reference of spaces', 'reference=%20'],
  ['reference.newline', 'a newline in a reference', 'reference=a%0Ab'],
  ['reference.long', 'a reference of 256 characters', `reference=${'x'.repeat(256)}`],
  ['reference.twice', 'reference twice', 'reference=a&reference=a'],
  ['both', 'petId and reference, which exclude each other', 'petId=1&reference=a'],
  ['cursor.empty', 'an empty cursor', 'cursor=', 'invalid_cursor'],
  ['cursor.word', 'a cursor that did not come from a Link', 'cursor=abc', 'invalid_cursor'],
  ['cursor.long', 'a cursor of 500 characters', `cursor=${'A'.repeat(500)}`, 'invalid_cursor'],
]

export const ORDERS_LIST: Clause[] = [
  ...[1, 4, 9, 100].map((limit) =>
    clause(`orders.o18.reference.${limit}`, `${WALK}: by reference, ${limit} on a page.`, async (context) => {
      const { reference, orders } = await basket(context)
      await expectWalk(context, `reference=${reference}`, limit, orders)
    }),
  ),
  ...['placed', 'completed', 'cancelled', 'expired'].map((status) =>
    clause(`orders.o18.reference.${status}`, `${WALK}: by reference and status=${status}.`, async (context) => {
      const { reference, orders } = await basket(context)
      const expected = orders.filter((order) => order.status === status)
      for (const limit of [1, 2, 20])
        await expectWalk(context, `reference=${reference}&status=${status}`, limit, expected)
    }),
  ),
  ...[1, 2, 100].map((limit) =>
    clause(`orders.o18.pet.${limit}`, `${WALK}: by petId, ${limit} on a page.`, async (context) => {
      const { petId, orders } = await ordersOfOnePet(context)
      await expectWalk(context, `petId=${petId}`, limit, orders)
    }),
  ),
  ...['placed', 'cancelled', 'completed'].map((status) =>
    clause(`orders.o18.pet.${status}`, `${WALK}: by petId and status=${status}.`, async (context) => {
      const { petId, orders } = await ordersOfOnePet(context)
      const expected = orders.filter((order) => order.status === status)
      for (const limit of [1, 3]) await expectWalk(context, `petId=${petId}&status=${status}`, limit, expected)
    }),
  ),
  ...['', 'status=placed', 'status=completed', 'status=cancelled'].map((query) =>
    clause(`orders.o18.all.${query.slice(7) || 'any'}`, `${WALK}: ${query || 'all of them'}.`, async (context) => {
      const { orders } = await basket(context)
      const expected = orders.filter(({ status }) => query === '' || query === `status=${status}`)
      const met: Order[] = []
      // Only as far as the oldest of them: the store may hold many more.
      let next: string | undefined = `?limit=50&${query}`
      while (next !== undefined && !met.some(({ id }) => id === expected.at(-1)?.id)) {
        const page = await context.call({ path: `${ORDERS}${next}` })
        met.push(...ordersOf(page))
        next = nextOf(page)
        const times = met.map(({ placedAt }) => placedAt)
        expect(page, times.join() === times.toSorted().toReversed().join(), 'the newest first', times.join())
        expect(page, new Set(met.map(({ id }) => id)).size === met.length, 'no order twice')
        const found = sorted(met.filter(({ id }) => orders.some((order) => order.id === id)))
        const through = next === undefined || met.some(({ id }) => id === expected.at(-1)?.id)
        expect(page, !through || found === sorted(expected), `the orders ${sorted(expected)}`, found || 'none of them')
      }
    }),
  ),
  clause('orders.o18.changes', `${WALK}: while orders are placed, completed and cancelled.`, async (context) => {
    const { reference, orders } = await basket(context)
    const open = orders.filter(({ status }) => status === 'placed')
    const pages = await pagesOf(context, ORDERS, `?limit=2&reference=${reference}`, {
      between: async (_, number) => {
        await placed(context, `"reference":"${decodeURIComponent(reference)}"`)
        const order = open[number - 1]
        if (order) orderOf(await context.call(close(order.id, number % 2 ? 'complete' : 'cancel')))
      },
    })
    expectMet(pages, orders)
  }),
  clause('orders.list.same', 'An order is the same in a list as by its id.', async (context) => {
    const { reference } = await basket(context)
    const list = await context.call({ path: `${ORDERS}?reference=${reference}` })
    const each = await Promise.all(ordersOf(list).map(({ id }) => context.call({ path: `${ORDERS}/${id}` })))
    const expected = `[${each.map(({ text }) => text).join()}]`
    expect(list, list.text === expected && each.length === 9, expected)
  }),
  clause('orders.list.default', '`limit` of listOrders has the default 20.', async (context) => {
    const reference = `verify ${randomUUID()}`
    await Promise.all(Array.from({ length: 21 }, () => placed(context, `"reference":"${reference}"`)))
    const response = await context.call({ path: `${ORDERS}?reference=${encodeURIComponent(reference)}` })
    expect(response, ordersOf(response).length === 20 && nextOf(response) !== undefined, '20 orders and a Link')
    const all = await context.call({ path: `${ORDERS}?limit=100&reference=${encodeURIComponent(reference)}` })
    expect(all, ordersOf(all).length === 21 && nextOf(all) === undefined, '21 orders and no Link')
  }),
  clause('orders.list.stable', 'The order of the list is stable: a page asked twice is the same.', async (context) => {
    const { reference } = await basket(context)
    const path = `${ORDERS}?limit=5&reference=${reference}`
    const [first, again] = [await context.call({ path }), await context.call({ path })]
    expect(again, again.text === first.text && ordersOf(again).length === 5, first.text)
  }),
  clause('orders.list.none', 'Where no order matches, the list is empty and has no Link.', async ({ call }) => {
    for (const query of ['petId=9223372036854775806', `reference=${randomUUID()}`]) {
      const response = await call({ path: `${ORDERS}?${query}` })
      expect(response, ordersOf(response).length === 0 && nextOf(response) === undefined, 'an empty list, no Link')
    }
  }),
  clause(
    'orders.list.link',
    'The link repeats `limit`, `status` and `reference`, and no unknown parameter.',
    async (context) => {
      const { reference } = await basket(context)
      const response = await context.call({ path: `${ORDERS}?limit=1&status=placed&reference=${reference}&x=1` })
      const next = new URLSearchParams(nextOf(response))
      expect(response, [...next.keys()].toSorted().join() === 'cursor,limit,reference,status', 'these and a cursor')
      const given = `${next.get('limit')} ${next.get('status')} ${next.get('reference')}`
      expect(response, given === `1 placed ${decodeURIComponent(reference)}`, 'their values', given)
    },
  ),
  clause(
    'orders.list.head',
    'HEAD returns what GET returns, without the body: listOrders and getOrder.',
    async (context) => {
      const { order, pet } = await placed(context)
      for (const path of [`${ORDERS}?petId=${pet.id}`, `${ORDERS}/${order.id}`]) {
        const [get, head] = [await context.call({ path }), await context.call({ method: 'HEAD', path })]
        expectStatus(get, 200)
        expect(head, head.status === 200 && head.text === '', '200 without a body')
        const length = get.headers.get('content-length')
        expect(head, head.headers.get('content-length') === length, `Content-Length: ${length}`)
      }
    },
  ),
  ...BAD.map(([id, what, query, code = 'invalid_parameter']) =>
    refused(
      `orders.list.refused.${id}`,
      `\`listOrders\` rejects ${what} with 400.`,
      { path: `${ORDERS}?${query}` },
      400,
      code,
    ),
  ),
]
