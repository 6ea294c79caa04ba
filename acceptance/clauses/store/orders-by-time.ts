import type { Clause, Context } from '../../clause.ts'
import { expect, expectStatus, jsonOf, objectOf } from '../../expect.ts'
import { close, ORDERS, type Order, orderOf, ordersOf, placed } from '../../orders.ts'
import type { Response } from '../../response.ts'
import { clause, refused } from '../../store.ts'
import { nextOf } from '../../walk.ts'

const NEXT_MS = 1

/** The time so many milliseconds after another. */
const after = (time: string | undefined, ms: number) => new Date(Date.parse(time ?? '') + ms).toISOString()

/** A walk until it has met these orders: the store may hold many more. */
async function walkTo({ call }: Context, query: string, orders: Order[]) {
  const met: Order[] = []
  const isMissing = () => orders.some(({ id }) => !met.some((order) => order.id === id))
  for (let next: string | undefined = query; ; ) {
    const response: Response = await call({ path: `${ORDERS}${next}` })
    met.push(...ordersOf(response))
    next = nextOf(response)
    if (next === undefined || !isMissing()) return { met, response }
  }
}

/** Each of these orders once, in this order, and nothing out of order. */
function expectMet(
  { met, response }: { met: Order[]; response: Response },
  due: Order[],
  timeOf: (order: Order) => string,
) {
  const seen = met.filter(({ id }) => due.some((order) => order.id === id)).map(({ id }) => id)
  const expected = due.map(({ id }) => id).join()
  expect(response, seen.join() === expected, `the orders ${expected}`, seen.join() || 'none')
  expect(response, new Set(met.map(({ id }) => id)).size === met.length, 'no order twice')
  const times = met.map(timeOf)
  expect(response, times.join() === times.toSorted().join(), 'all of them in their order', times.join())
}

/** Orders that ended in this way, one after the other. */
async function ended(context: Context, how: 'complete' | 'cancel', count: number) {
  const orders: Order[] = []
  for (let i = 0; i < count; ) {
    const { order } = await placed(context)
    const last = orderOf(await context.call(close(order.id, how)))
    // Two of one millisecond could come in either order.
    if (last.closedAt === orders.at(-1)?.closedAt) continue
    orders.push(last)
    i++
  }
  return orders
}

const STATUS = { complete: 'completed', cancel: 'cancelled' } as const
const CLOSED = '`sort=closed` returns each order that ended in a span of time once, the newest first'
/** Less the later it ended. */
const ends = ({ closedAt = '' }: Order) => String(Date.parse('9999-01-01T00:00:00Z') - Date.parse(closedAt))

async function countOf({ call }: Pick<Context, 'call'>, query: string) {
  const response = await call({ path: `${ORDERS}/count?${query}` })
  expectStatus(response, 200)
  const { count, isMore } = objectOf(response)
  const isCount = typeof count === 'bigint' && count >= 0n && count <= 1_000n
  expect(response, isCount, '`count`, 0 to 1000')
  expect(response, isMore === (count === 1_000n), '`isMore`, true only at 1000')
  return { response, count, isMore }
}

const TIME = '2026-11-16T00:00:00Z'
const BAD: [id: string, what: string, query: string, code?: string][] = [
  ['sort.word', 'an unknown sort', '?sort=oldest'],
  ['sort.empty', 'an empty sort', '?sort='],
  ['sort.twice', 'sort twice', '?sort=newest&sort=newest'],
  ['expiring.any', '`sort=expiring` without a status', '?sort=expiring'],
  ['expiring.completed', '`sort=expiring` with orders that have ended', '?sort=expiring&status=completed'],
  ['expiring.pet', '`sort=expiring` with petId', '?sort=expiring&status=placed&petId=1'],
  ['expiring.reference', '`sort=expiring` with reference', '?sort=expiring&status=placed&reference=a'],
  ['expiring.from', '`sort=expiring` with from', `?sort=expiring&status=placed&from=${TIME}`],
  ['closed.any', '`sort=closed` without a status', '?sort=closed'],
  ['closed.placed', '`sort=closed` with open orders', '?sort=closed&status=placed'],
  ['closed.pet', '`sort=closed` with petId', '?sort=closed&status=completed&petId=1'],
  ['closed.reference', '`sort=closed` with reference', '?sort=closed&status=completed&reference=a'],
  ['from.alone', 'from without `sort=closed`', `?status=completed&from=${TIME}`],
  ['to.alone', 'to without `sort=closed`', `?status=completed&to=${TIME}`],
  ['from.word', 'a from that is no time', '?sort=closed&status=completed&from=now'],
  ['from.date', 'a from without a time of day', '?sort=closed&status=completed&from=2026-11-16'],
  ['to.local', 'a to without an offset', '?sort=closed&status=completed&to=2026-11-16T00:00:00'],
  ['to.no-day', 'a to on a day that there is not', '?sort=closed&status=completed&to=2026-02-30T00:00:00Z'],
  ['empty', 'a span that ends where it begins', `?sort=closed&status=completed&from=${TIME}&to=${TIME}`],
  [
    'backwards',
    'a span that ends before it begins',
    `?sort=closed&status=completed&from=${TIME}&to=2026-11-15T00:00:00Z`,
  ],
  ['cursor', 'a cursor that did not come from a Link', '?sort=closed&status=completed&cursor=abc', 'invalid_cursor'],
  ['count.status', '`countOrders` with an unknown status', '/count?status=sold'],
  ['count.pet', '`countOrders` with petId', '/count?petId=7'],
  ['count.reference', '`countOrders` with reference', '/count?reference=a'],
  ['count.from', '`countOrders` with from and no status', `/count?from=${TIME}`],
  ['count.placed', '`countOrders` with to and open orders', `/count?status=placed&to=${TIME}`],
  ['count.time', '`countOrders` with a from that is no time', '/count?status=completed&from=today'],
  [
    'count.backwards',
    '`countOrders` with a span that ends where it begins',
    `/count?status=expired&from=${TIME}&to=${TIME}`,
  ],
]

const TIMES = Array.from({ length: 16 }, (_, i) => `${1901 + i}-01-01T00:00:00Z`)
const BAD_PERIODS: [id: string, what: string, query: string][] = [
  ['status', 'no status', `boundaries=${TIMES[0]},${TIMES[1]}`],
  ['placed', 'open orders, which have not ended', `status=placed&boundaries=${TIMES[0]},${TIMES[1]}`],
  ['none', 'no boundaries', 'status=completed'],
  ['one', 'one boundary', `status=completed&boundaries=${TIMES[0]}`],
  ['many', '16 boundaries', `status=completed&boundaries=${TIMES.join()}`],
  ['equal', 'a period that ends where it begins', `status=completed&boundaries=${TIMES[0]},${TIMES[0]}`],
  ['descending', 'boundaries out of order', `status=completed&boundaries=${TIMES[0]},${TIMES[2]},${TIMES[1]}`],
  ['time', 'a boundary that is no time', `status=completed&boundaries=${TIMES[0]},today`],
  ['empty', 'an empty boundary', `status=completed&boundaries=${TIMES[0]},,${TIMES[1]}`],
  ['twice', 'boundaries given twice', `status=completed&boundaries=${TIMES[0]}&boundaries=${TIMES[1]}`],
  ['from', 'a from, which would be ignored', `status=completed&from=${TIMES[0]}&boundaries=${TIMES[0]},${TIMES[1]}`],
]

const periodsPath = (status: string, times: (string | undefined)[]) =>
  `${ORDERS}/counts?status=${status}&boundaries=${times.join()}`

/** One count for each period, in the form of `/count`. */
async function countsOf({ call }: Context, status: string, times: (string | undefined)[]) {
  const response = await call({ path: periodsPath(status, times) })
  expectStatus(response, 200)
  const { counts, ...others } = objectOf(response)
  expect(response, Array.isArray(counts) && Object.keys(others).length === 0, '`counts`, and nothing else')
  expect(response, counts.length === times.length - 1, `${times.length - 1} counts`, String(counts.length))
  const shown = counts.map((count: unknown) => JSON.stringify(count, (_, each: unknown) => asNumber(each)))
  return { response, shown }
}
const asNumber = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value)

export const ORDERS_BY_TIME: Clause[] = [
  ...[1, 2, 100].map((limit) =>
    clause(
      `orders.expiring.${limit}`,
      `\`sort=expiring\` returns each open order once, by \`expiresAt\`, soonest first: ${limit} on a page.`,
      async (context) => {
        // Soon, so that few orders of others come before them.
        const orders: Order[] = []
        for (const seconds of [63, 61, 62]) orders.unshift((await placed(context, `"expiresIn":${seconds}`)).order)
        const due = orders.toSorted((one, other) => one.expiresAt.localeCompare(other.expiresAt))
        const walk = await walkTo(context, `?status=placed&sort=expiring&limit=${limit}`, due)
        expectMet(walk, due, ({ expiresAt }) => expiresAt)
        expect(
          walk.response,
          walk.met.every(({ status }) => status === 'placed'),
          'only open orders',
        )
        for (const { id } of orders) orderOf(await context.call(close(id, 'cancel')))
      },
    ),
  ),
  ...(['complete', 'cancel'] as const).flatMap((how) =>
    [1, 3, 100].map((limit) =>
      clause(`orders.closed.${how}.${limit}`, `${CLOSED}: ${STATUS[how]}, ${limit} on a page.`, async (context) => {
        const orders = await ended(context, how, 4)
        const due = orders.toReversed()
        const [from, to] = [due.at(-1)?.closedAt, due[0]?.closedAt]
        const query = `?status=${STATUS[how]}&sort=closed&limit=${limit}`
        expectMet(await walkTo(context, `${query}&from=${from}`, due), due, ends)
        const walk = await walkTo(context, `${query}&from=${from}&to=${to}`, orders)
        expectMet(walk, due.slice(1), ends)
        const isWithin = walk.met.every(({ closedAt = '' }) => closedAt >= (from ?? '') && closedAt < (to ?? ''))
        expect(walk.response, isWithin, `only orders from ${from} to before ${to}`)
        expect(
          walk.response,
          walk.met.every(({ status }) => status === STATUS[how]),
          `only ${STATUS[how]} orders`,
        )
        expect(walk.response, nextOf(walk.response) === undefined, 'no Link after the last of them')
      }),
    ),
  ),
  clause('orders.closed.link', 'The link repeats `status`, `sort`, `from` and `to`.', async (context) => {
    const [first, , last] = await ended(context, 'complete', 3)
    const [from, to] = [first?.closedAt ?? '', after(last?.closedAt, NEXT_MS)]
    const response = await context.call({
      path: `${ORDERS}?limit=1&status=completed&sort=closed&from=${from}&to=${to}`,
    })
    const { cursor, ...repeated } = Object.fromEntries(new URLSearchParams(nextOf(response)))
    const due = { limit: '1', status: 'completed', sort: 'closed', from, to }
    const isSame = Object.entries(due).every(([name, value]) => repeated[name] === value)
    expect(response, isSame && cursor !== undefined, JSON.stringify(due), JSON.stringify(repeated))
  }),
  clause('orders.count', '`countOrders` counts what `listOrders` returns for the same parameters.', async (context) => {
    const orders = await ended(context, 'complete', 3)
    const [from, to] = [orders[0]?.closedAt, after(orders[2]?.closedAt, NEXT_MS)]
    const query = `status=completed&sort=closed&from=${from}&to=${to}`
    const list = await context.call({ path: `${ORDERS}?limit=100&${query}` })
    const { count, isMore, response } = await countOf(context, query)
    if (nextOf(list) !== undefined) return
    expect(response, !isMore && count === BigInt(ordersOf(list).length), `\`count\` ${ordersOf(list).length}`)
    expect(response, ordersOf(list).length >= 3, 'at least the three')
  }),
  clause('orders.count.boundary', '`countOrders` counts from `from` on, and up to before `to`.', async (context) => {
    const [order] = await ended(context, 'cancel', 1)
    const time = order?.closedAt
    const inclusive = await countOf(context, `status=cancelled&from=${time}&to=${after(time, NEXT_MS)}`)
    expect(inclusive.response, Number(inclusive.count) >= 1, 'the order at `from`')
    const [before, through] = [
      await countOf(context, `status=cancelled&from=${after(time, -5)}&to=${time}`),
      await countOf(context, `status=cancelled&from=${after(time, -5)}&to=${after(time, NEXT_MS)}`),
    ]
    expect(through.response, Number(through.count) > Number(before.count), 'one more with the order at `to`')
    const none = await countOf(context, 'status=cancelled&from=9999-12-31T23:59:59Z')
    expect(none.response, none.count === 0n && !none.isMore, 'none in the future')
  }),
  clause('orders.count.open', '`countOrders` counts open orders, and all of them.', async (context) => {
    const { order } = await placed(context)
    const [open, all] = [await countOf(context, 'status=placed'), await countOf(context, '')]
    expect(open.response, Number(open.count) >= 1, 'at least one')
    expect(all.response, Number(all.count) >= Number(open.count), 'at least the open ones')
    const shown = jsonOf(open.response)
    expect(open.response, Object.keys(shown as object).join() === 'count,isMore', '`count` and `isMore`')
    orderOf(await context.call(close(order.id, 'cancel')))
  }),
  ...(['complete', 'cancel'] as const).map((how) =>
    clause(
      `orders.counts.${how}`,
      `\`countOrdersByPeriod\` returns for each period what \`countOrders\` returns for it: ${STATUS[how]}.`,
      async (context) => {
        const orders = await ended(context, how, 3)
        const [first, second, third] = orders.map(({ closedAt }) => closedAt)
        const times = [after(first, -7_200_000), first, second, third, after(third, NEXT_MS)]
        const { response, shown } = await countsOf(context, STATUS[how], times)
        for (const [i, count] of shown.entries()) {
          const alone = await countOf(context, `status=${STATUS[how]}&from=${times[i]}&to=${times[i + 1]}`)
          const due = JSON.stringify({ count: Number(alone.count), isMore: alone.isMore })
          // Others may end orders too, but not in the past.
          expect(response, count === due, `${due} from ${times[i]} to before ${times[i + 1]}`, count)
        }
      },
    ),
  ),
  clause(
    'orders.counts.boundary',
    '`countOrdersByPeriod` counts an order that ended at a boundary in the period that begins there, and in no other.',
    async (context) => {
      const [order] = await ended(context, 'cancel', 1)
      const time = order?.closedAt
      const at = await countsOf(context, 'cancelled', [after(time, -1), time, after(time, NEXT_MS)])
      const [through] = (await countsOf(context, 'cancelled', [after(time, -1), after(time, NEXT_MS)])).shown
      const [before, from] = at.shown.map((each) => (JSON.parse(each) as { count: number }).count)
      expect(at.response, Number(from) >= 1, 'the order in the period that begins when it ended')
      const sum = JSON.stringify({ count: Number(before) + Number(from), isMore: false })
      expect(at.response, through === sum, `together ${through}, the count of both periods in one`, sum)
    },
  ),
  clause(
    'orders.counts.most',
    '`countOrdersByPeriod` takes 15 boundaries, and periods of any length.',
    async (context) => {
      const { response, shown } = await countsOf(context, 'expired', TIMES.slice(0, 15))
      expect(response, new Set(shown).size === 1 && shown[0] === '{"count":0,"isMore":false}', 'nothing long ago')
      const offsets = await countsOf(context, 'completed', [
        '2026-03-29T00:00:00%2B01:00',
        '2026-03-30T00:00:00%2B02:00',
      ])
      expect(offsets.response, offsets.shown.length === 1, 'the count of a day of 23 hours')
    },
  ),
  ...BAD_PERIODS.map(([id, what, query]) =>
    refused(
      `orders.counts.refused.${id}`,
      `\`countOrdersByPeriod\` with ${what} is 400.`,
      { path: `${ORDERS}/counts?${query}` },
      400,
      'invalid_parameter',
    ),
  ),
  ...BAD.map(([id, what, query, code = 'invalid_parameter']) =>
    refused(
      `orders.by-time.refused.${id}`,
      `${query.startsWith('/') ? '' : '`listOrders` rejects '}${what}${query.startsWith('/') ? ' is' : ' with'} 400.`,
      { path: `${ORDERS}${query}` },
      400,
      code,
    ),
  ),
]
