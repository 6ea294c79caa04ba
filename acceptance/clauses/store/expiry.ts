import { setTimeout as sleep } from 'node:timers/promises'
import type { Clause, Context } from '../../clause.ts'
import { expect } from '../../expect.ts'
import { close, getOrder, ORDERS, orderOf, ordersOf, place, placed } from '../../orders.ts'
import { clause, expectConflict, expectNow, patch, recordOf } from '../../store.ts'
import { expectClosed } from './close.ts'

const PERIOD_MS = 1_000
/** How late an order may be marked as expired. */
const LATEST_MS = 5_000
/** Clocks differ a little: the one of the service decides, ours measures. */
const TOLERANCE_MS = 100
const PAUSE_MS = 100

/** Places an order for one second and waits until it has expired, not too soon and not too late. */
async function expired(context: Context) {
  const before = performance.now()
  const { pet, order } = await placed(context, '"expiresIn":1')
  const known = performance.now()
  for (;;) {
    const asked = performance.now()
    const response = await context.call(getOrder(order.id))
    const now = orderOf(response)
    if (now.status !== 'placed') {
      expect(response, now.status === 'expired', '`status` expired')
      const ms = Math.round(performance.now() - before)
      expect(
        response,
        ms >= PERIOD_MS - TOLERANCE_MS,
        'an order that is placed until `expiresAt`',
        `expired after ${ms} ms`,
      )
      return { pet, order, now, response }
    }
    const late = Math.round(asked - known - PERIOD_MS)
    expect(response, late <= LATEST_MS + TOLERANCE_MS, '`status` expired, 5 seconds after `expiresAt`')
    await sleep(PAUSE_MS)
  }
}

export const EXPIRY: Clause[] = [
  clause(
    'orders.o8.in-time',
    'O8: An order is expired at most 5 s after `expiresAt`, never before.',
    async (context) => {
      const { order, now, response } = await expired(context)
      expect(response, now.closedBy === undefined, 'no `closedBy`, since no client has closed it')
      const late = Date.parse(now.closedAt ?? '') - Date.parse(order.expiresAt)
      expect(response, late >= 0 && late <= LATEST_MS, '`closedAt` 0 to 5 s after `expiresAt`', `${late} ms after it`)
      expect(
        response,
        now.expiresAt === order.expiresAt && now.placedAt === order.placedAt,
        'all else as it was placed',
      )
    },
  ),
  clause('orders.o8.again', 'O8: The pet of an expired order can be ordered again at once.', async (context) => {
    const { pet } = await expired(context)
    const second = orderOf(await context.call(place(pet.id)), 201)
    await expectNow(context, pet.id, { status: 'pending', orderId: second.id, version: 4n })
  }),
  clause('orders.o8.held', 'O8: Until it has expired, an order holds its pet.', async (context) => {
    // Far longer than it is looked at: on a slow machine one request may take a second.
    const { pet, order } = await placed(context, '"expiresIn":8')
    const until = performance.now() + 2_000
    while (performance.now() < until) {
      const response = await context.call(place(pet.id))
      expectConflict(response, 'pet_not_available')
      await sleep(PAUSE_MS * 5)
    }
    await expectNow(context, pet.id, { orderId: order.id, version: 2n })
  }),
  clause('orders.o8.list', 'O8: An expired order is in the list as expired, and not as placed.', async (context) => {
    const { pet, order } = await expired(context)
    for (const [status, expected] of [
      ['expired', order.id],
      ['placed', ''],
    ] as const) {
      const response = await context.call({ path: `${ORDERS}?petId=${pet.id}&status=${status}` })
      const found = ordersOf(response).map(({ id }) => id)
      expect(response, found.join() === expected, expected || 'no order', found.join())
    }
  }),
  clause('orders.o8.ended', 'O8: An order that has ended before does not expire.', async (context) => {
    const ways = ['complete', 'cancel'] as const
    const orders = await Promise.all(ways.map(async () => placed(context, '"expiresIn":1')))
    const ended = await Promise.all(orders.map(({ order }, i) => context.call(close(order.id, ways[i] ?? 'cancel'))))
    // Once another order has expired that was placed later, these would have too.
    await expired(context)
    for (const [i, { order, pet }] of orders.entries()) {
      const response = await context.call(getOrder(order.id))
      expect(response, orderOf(response).status !== 'expired' && response.text === ended[i]?.text, ended[i]?.text ?? '')
      await expectNow(context, pet.id, { status: ['sold', 'available'][i], version: 3n })
    }
  }),
  clause(
    'orders.o5.expire',
    'O5: expire: the pet is available without `orderId`; its version grew by 1.',
    async (context) => {
      const { pet } = await expired(context)
      await expectNow(context, pet.id, { ...pet, status: 'available', orderId: undefined, version: 3n })
    },
  ),
  clause(
    'orders.o6.expired',
    'O6: complete and cancel after expiry are 409; the message says how and when.',
    async (context) => {
      const { pet, order, now } = await expired(context)
      for (const how of ['complete', 'cancel'] as const)
        expectClosed(await context.call(close(order.id, how)), 'expired', now.closedAt)
      await expectNow(context, pet.id, { status: 'available', version: 3n })
    },
  ),
  clause('orders.o9', 'O9: Expiry happens once: what is done to the pet afterwards stays.', async (context) => {
    const { pet, order, response } = await expired(context)
    recordOf(await context.call(patch(pet.id, '{"status":"sold"}')))
    // Two more rounds of expiry pass.
    await expired(context)
    await expired(context)
    await expectNow(context, pet.id, { status: 'sold', version: 4n })
    const again = await context.call(getOrder(order.id))
    expect(again, again.text === response.text, response.text)
  }),
]
