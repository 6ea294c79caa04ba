import type { OrderPage, OrderStatus } from '../../domain/types/order.ts'
import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import type { OrderKey } from '../../lib/ids/order-id.ts'
import { INT64_MAX } from '../../lib/int64.ts'
import { BATCHES, pgArrayLiteral } from '../postgres/batches.ts'
import { valueAt } from '../postgres/columns.ts'
import type { Queryable, Statement } from '../postgres/statement.ts'
import { ORDER_COLUMNS, type OrderColumns, toOrders } from './order-rows.ts'

/** A part of a walk from the newest order to the oldest: up to `limit` orders after the one that is `after`. */
export interface OrderPageRequest {
  status?: OrderStatus | undefined
  /** One of the two at most. */
  petId?: bigint | undefined
  reference?: string | undefined
  after?: OrderKey | undefined
  limit: number
}

const MAX_PAGES = 30
// With two filters, one is an index and the other is applied to what was found: so many times the page is read, at most.
const READ_PER_PAGE = 4
const NEWEST: OrderKey = { petId: INT64_MAX, id: INT64_MAX }

/**
 * Where a page of each walk begins and ends in its index. Rows are compared as a whole, and sorted by all columns, so that no other
 * index can serve: with `status = $1 order by id` the planner may walk all orders, looking for a status that is rare.
 */
const RANGES = {
  all: {
    range: '(id, pet_id) < (page.after_id, page.after_pet)',
    order: 'id desc, pet_id desc',
  },
  status: {
    range: '(status, id, pet_id) < (page.status, page.after_id, page.after_pet) and (status, id) >= (page.status, 0)',
    order: 'status desc, id desc, pet_id desc',
  },
  pet: {
    range: '(pet_id, id) < (page.pet, page.after_id) and (pet_id, id) >= (page.pet, 0)',
    order: 'pet_id desc, id desc',
  },
  reference: {
    range:
      'reference is not null and (reference, id, pet_id) < (page.reference, page.after_id, page.after_pet) and (reference, id) >= (page.reference, 0)',
    order: 'reference desc, id desc, pet_id desc',
  },
}
type Index = keyof typeof RANGES

interface Walk {
  index: Index
  /** Whether the status is applied to what the index found. */
  hasFilter: boolean
}

const WALKS: Walk[] = [
  { index: 'all', hasFilter: false },
  { index: 'status', hasFilter: false },
  { index: 'pet', hasFilter: false },
  { index: 'pet', hasFilter: true },
  { index: 'reference', hasFilter: false },
  { index: 'reference', hasFilter: true },
]

export function openListing(db: Queryable, onBatch?: OnBatch) {
  const batchers = new Map(
    WALKS.map((walk) => [
      nameOf(walk),
      new Batcher({
        ...BATCHES,
        name: nameOf(walk),
        onBatch,
        maxItems: MAX_PAGES,
        keyOf: ({ status, petId, after = NEWEST, limit, reference }: OrderPageRequest) =>
          `${status} ${petId} ${after.id} ${after.petId} ${limit} ${reference}`,
        send: (requests, deadline) => listAll(db, walk, requests, deadline),
      }),
    ]),
  )
  return (request: OrderPageRequest, caller?: Caller): Promise<OrderPage> => {
    const batches = batchers.get(nameOf(walkOf(request)))
    if (!batches) throw new Error('there is no such walk')
    return batches.submit(request, caller)
  }
}

export function walkOf({ status, petId, reference }: OrderPageRequest): Walk {
  const hasFilter = status !== undefined
  if (petId !== undefined) return { index: 'pet', hasFilter }
  if (reference !== undefined) return { index: 'reference', hasFilter }
  return { index: hasFilter ? 'status' : 'all', hasFilter: false }
}

function nameOf({ index, hasFilter }: Walk) {
  return `orders.list.${index}${hasFilter ? '.status' : ''}`
}

interface PageRow extends OrderColumns {
  /** How many rows were read, and which was the last. */
  seen: number
  lastId: bigint | null
  lastPet: bigint | null
}

async function listAll(db: Queryable, walk: Walk, requests: OrderPageRequest[], deadline: number) {
  const rows = await db.query<PageRow>(listStatement(walk, requests), deadline)
  return requests.map(({ limit }, i) => pageOf(valueAt(rows, i), limit, walk))
}

export function listStatement(walk: Walk, requests: OrderPageRequest[]): Statement {
  const { range, order } = RANGES[walk.index]
  return {
    name: nameOf(walk),
    text: `
      select orders.*
      from unnest($1::bigint[], $2::bigint[], $3::int[], $4::text[], $5::bigint[], $6::text[])
        with ordinality as page (after_id, after_pet, count, status, pet, reference, position),
      lateral (
        with seen as materialized (
          select * from orders where ${range} order by ${order} limit ${factorOf(walk)} * page.count)
        select ${ORDER_COLUMNS}, (select count(*)::int from seen) as seen,
               (select id from seen order by id, pet_id limit 1) as "lastId",
               (select pet_id from seen order by id, pet_id limit 1) as "lastPet"
        from (
          select * from seen${walk.hasFilter ? ' where status = page.status' : ''}
          order by id desc, pet_id desc limit page.count) as orders) as orders
      order by page.position`,
    values: [
      pgArrayLiteral(requests.map(({ after = NEWEST }) => after.id)),
      pgArrayLiteral(requests.map(({ after = NEWEST }) => after.petId)),
      // One more than requested shows whether another page follows.
      pgArrayLiteral(requests.map(({ limit }) => limit + 1)),
      pgArrayLiteral(requests.map(({ status = null }) => status)),
      pgArrayLiteral(requests.map(({ petId = null }) => petId)),
      requests.map(({ reference = null }) => reference),
    ],
  }
}

/** A page that a filter left short has a next one all the same, until there is nothing left to read. */
function pageOf({ seen, lastId, lastPet, ...columns }: PageRow, limit: number, walk: Walk): OrderPage {
  const found = toOrders(columns)
  const orders = found.slice(0, limit)
  const last = orders[limit - 1]
  if (found.length > limit && last) return { orders, next: last }
  const isEnd = !walk.hasFilter || seen < factorOf(walk) * (limit + 1)
  if (isEnd || lastId === null || lastPet === null) return { orders }
  return { orders, next: { id: lastId, petId: lastPet } }
}

function factorOf({ hasFilter }: Walk) {
  return hasFilter ? READ_PER_PAGE : 1
}
