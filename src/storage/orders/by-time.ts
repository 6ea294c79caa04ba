import type { OrderCount, OrderPageByTime, OrderPosition, OrderStatus } from '../../domain/types/order.ts'
import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { BATCHES, pgArrayLiteral } from '../postgres/batches.ts'
import { aggregateOf, int64, microsecondsOf, valueAt } from '../postgres/columns.ts'
import type { Queryable, Statement } from '../postgres/statement.ts'
import { ORDER_COLUMNS, type OrderColumns, toOrders } from './order-rows.ts'

/** Orders of one status: open ones by when they expire, the soonest first; others by when they ended, the newest first. */
interface OrdersByTime {
  status: OrderStatus
  /** For orders that have ended: from this time to before that one, in microseconds since 1970. */
  from?: bigint | undefined
  to?: bigint | undefined
}

export interface OrderPageByTimeRequest extends OrdersByTime {
  after?: OrderPosition | undefined
  limit: number
}

export interface OrderCountRequest extends Omit<OrdersByTime, 'status'> {
  /** Undefined: all orders. */
  status?: OrderStatus | undefined
}

/** Periods that follow each other: from each of these times to before the next one, in microseconds since 1970. */
export interface OrderPeriods {
  /** How the orders ended. */
  status: Exclude<OrderStatus, 'placed'>
  boundaries: readonly bigint[]
}

/** A count reads no more orders than this. */
const MAX_COUNT = 1_000
const MAX_PAGES = 30
// Of the costliest counts, more would make each other wait. Counting periods costs up to 14 times as much, so they wait for their turn.
const MAX_COUNTS = 10
const MAX_PERIOD_LISTS = 1

/** Before and after all times that a request can have. */
const BEGINNING = -(2n ** 56n)
const END = 2n ** 58n
const AFTER = `timestamptz 'epoch' + page.after_time * interval '1 microsecond'`
const FROM = `timestamptz 'epoch' + page.lowest * interval '1 microsecond'`

/**
 * Where each kind begins and ends in its index, and its order. As in pages.ts, no other index can serve. PostgreSQL begins
 * or ends a scan at one comparison of rows, not at two, so the end is compared by column.
 */
const RANGES = {
  all: {
    time: 'null::timestamptz',
    range: '(id, pet_id) > (page.after_id, page.after_pet)',
    order: 'id, pet_id',
  },
  open: {
    time: 'expires_at',
    range: `status = 'placed' and (expires_at, id, pet_id) > (${AFTER}, page.after_id, page.after_pet)`,
    order: 'expires_at, id, pet_id',
  },
  closed: {
    time: 'closed_at',
    range: `closed_at is not null and status = page.status and closed_at >= ${FROM}
              and (closed_at, id, pet_id) < (${AFTER}, page.after_id, page.after_pet)`,
    order: 'status desc, closed_at desc, id desc, pet_id desc',
  },
}
type Kind = keyof typeof RANGES

const kindOf = ({ status }: OrderCountRequest): Kind =>
  status === undefined ? 'all' : status === 'placed' ? 'open' : 'closed'

const TIMES = aggregateOf({ time: int64(microsecondsOf('time')) })

export function openListingByTime(db: Queryable, onBatch?: OnBatch) {
  const open = (kind: 'open' | 'closed') =>
    new Batcher({
      ...BATCHES,
      name: `orders.list.${kind}`,
      onBatch,
      maxItems: MAX_PAGES,
      keyOf,
      send: async (requests: OrderPageByTimeRequest[], deadline) => {
        const rows = await db.query<PageRow>(listByTimeStatement(kind, requests), deadline)
        return requests.map(({ limit }, i) => pageOf(valueAt(rows, i), limit))
      },
    })
  const batchers = { open: open('open'), closed: open('closed') }
  return (request: OrderPageByTimeRequest, caller?: Caller) =>
    batchers[request.status === 'placed' ? 'open' : 'closed'].submit(request, caller)
}

export function openCounting(db: Queryable, onBatch?: OnBatch) {
  const open = (kind: Kind) =>
    new Batcher({
      ...BATCHES,
      name: `orders.count.${kind}`,
      onBatch,
      maxItems: MAX_COUNTS,
      keyOf,
      send: (requests: OrderCountRequest[], deadline) => countAll(db, countStatement(kind, requests), deadline),
    })
  const batchers = { all: open('all'), open: open('open'), closed: open('closed') }
  return (request: OrderCountRequest, caller?: Caller) => batchers[kindOf(request)].submit(request, caller)
}

export function openCountingPeriods(db: Queryable, onBatch?: OnBatch) {
  const batcher = new Batcher({
    ...BATCHES,
    name: 'orders.count.periods',
    onBatch,
    maxItems: MAX_PERIOD_LISTS,
    keyOf: ({ status, boundaries }: OrderPeriods) => `${status} ${boundaries.join()}`,
    send: (lists: OrderPeriods[], deadline) =>
      Promise.all(lists.map((periods) => countAll(db, countPeriodsStatement(periods), deadline))),
  })
  return (periods: OrderPeriods, caller?: Caller) => batcher.submit(periods, caller)
}

async function countAll(db: Queryable, statement: Statement, deadline: number): Promise<OrderCount[]> {
  const rows = await db.query<{ found: number }>(statement, deadline)
  return rows.map(({ found }) => ({ count: found, isMore: found === MAX_COUNT }))
}

function keyOf({ status, from, to, after, limit }: OrderCountRequest & Partial<Input>) {
  return `${status} ${from} ${to} ${after?.time} ${after?.id} ${after?.petId} ${limit}`
}

type PageRow = OrderColumns & { time: unknown }

function pageOf(row: PageRow, limit: number): OrderPageByTime {
  const orders = toOrders(row)
  const last = orders[limit - 1]
  if (orders.length <= limit || !last) return { orders }
  const { time } = TIMES.decode(row)
  return { orders: orders.slice(0, limit), next: { time: valueAt(time, limit - 1), id: last.id, petId: last.petId } }
}

export function listByTimeStatement(kind: 'open' | 'closed', requests: OrderPageByTimeRequest[]): Statement {
  return {
    name: `orders.list.${kind}`,
    text: `
      select orders.*
      from ${INPUT},
      lateral (
        select ${ORDER_COLUMNS}, ${TIMES.selectList}
        from (${foundBy(kind)}) as orders) as orders
      order by page.position`,
    // One more than requested shows whether another page follows.
    values: inputOf(requests.map((request) => ({ ...request, limit: request.limit + 1 }))),
  }
}

export function countStatement(kind: Kind, requests: OrderCountRequest[]): Statement {
  return {
    name: `orders.count.${kind}`,
    text: `
      select counted.*
      from ${INPUT},
      lateral (
        select count(*)::int as found
        from (${foundBy(kind)}) as orders) as counted
      order by page.position`,
    values: inputOf(requests.map((request) => ({ ...request, limit: MAX_COUNT }))),
  }
}

export function countPeriodsStatement({ status, boundaries }: OrderPeriods): Statement {
  const periods = boundaries.slice(1).map((to, i) => ({ status, from: valueAt(boundaries, i), to }))
  return { ...countStatement('closed', periods), name: 'orders.count.periods' }
}

type Input = OrderCountRequest & Pick<OrderPageByTimeRequest, 'after' | 'limit'>

const INPUT = `unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::int[])
        with ordinality as page (status, lowest, after_time, after_id, after_pet, count, position)`

function foundBy(kind: Kind) {
  const { time, range, order } = RANGES[kind]
  return `
          select *, ${time} as time from orders
          where ${range}
          order by ${order} limit page.count`
}

function inputOf(requests: Input[]) {
  const starts = requests.map(startOf)
  return [
    requests.map(({ status = null }) => status),
    pgArrayLiteral(requests.map(({ from = BEGINNING }) => from)),
    pgArrayLiteral(starts.map(({ time }) => time)),
    pgArrayLiteral(starts.map(({ id }) => id)),
    pgArrayLiteral(starts.map(({ petId }) => petId)),
    pgArrayLiteral(requests.map(({ limit }) => limit)),
  ]
}

/** The position that the page begins after. No order has the id 0, so this is before all orders of its time, or after them. */
function startOf({ status, to = END, after }: Input): OrderPosition {
  if (status === undefined || status === 'placed') return within(after ?? { time: 0n, id: 0n, petId: 0n })
  return after && after.time < to ? within(after) : { time: to, id: 0n, petId: 0n }
}

/** Anyone can write a cursor. PostgreSQL must not calculate beyond its times. */
function within({ time, ...order }: OrderPosition): OrderPosition {
  return { ...order, time: time < BEGINNING ? BEGINNING : time > END ? END : time }
}
