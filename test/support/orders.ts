import type pg from 'pg'
import type { Page } from 'playwright-core'
import { parseOrderId } from '../../src/lib/ids/order-id.ts'
import { type Answer, type Call, postJson } from './app.ts'

export const ORDERS = '/v1/store/orders'

/** An order as the service prints it. */
export interface Order {
  id: string
  petId: bigint
  status: string
  placedAt: string
  expiresAt: string
  closedAt?: string
  reference?: string
  placedBy?: string
  closedBy?: string
}

export const orderOf = (answer: Answer) => answer.body as Order

/** What an order of this service can be asked for, by its operations. */
export function orderCalls(call: Call) {
  return {
    place: (petId: bigint, more: object = {}, headers: Record<string, string> = {}) =>
      call(ORDERS, postJson({ petId, ...more }, headers)),
    get: (id: string) => call(`${ORDERS}/${id}`),
    complete: (id: string) => call(`${ORDERS}/${id}/complete`, { method: 'POST' }),
    cancel: (id: string) => call(`${ORDERS}/${id}/cancel`, { method: 'POST' }),
  }
}

/** The row of an order in the console. Its id is there as a whole, also where the column is hidden. */
export const orderRow = (page: Page, id: string) =>
  page.locator('tbody tr').filter({ has: page.locator(`button[title="${id}"]`) })

/** A pet as it is stored: what PATCH and `?view=full` show of it. */
export async function petRow(pool: pg.Pool, id: bigint) {
  const { rows } = await pool.query<{ status: string | null; held_by: string | null; version: string }>(
    'select status, held_by, version from pets where id = $1',
    [id],
  )
  const [row] = rows
  return row && { status: row.status, heldBy: row.held_by && BigInt(row.held_by), version: Number(row.version) }
}

/** The pets and orders that contradict each other, of which there must be none. */
export async function contradictions(pool: pg.Pool) {
  const { rows } = await pool.query<object>(`
    select pets.id as pet, held_by, orders.id as order_id, orders.status
    from (select * from pets where held_by is not null) as pets
    full join (select * from orders where status = 'placed') as orders on pets.id = pet_id and held_by = orders.id
    where pets.id is null or orders.id is null or pets.status is distinct from 'pending'`)
  return rows
}

/** Lets the time of these orders be up. */
export async function makeDue(pool: pg.Pool, ids: string[]) {
  for (const { petId, id } of ids.map((text) => parseOrderId(text)!))
    await pool.query(`update orders set expires_at = now() - interval '1 second' where pet_id = $1 and id = $2`, [
      petId,
      id,
    ])
}

/** An order straight into the table, as the service would print it. */
export async function insertOrder(pool: pg.Pool, order: Omit<Order, 'placedAt'>) {
  const { petId, id } = parseOrderId(order.id)!
  await pool.query(
    `insert into orders (pet_id, id, version, status, expires_at, closed_at, reference, placed_by, closed_by)
     values ($1, $2, 2, $3, $4, $5, $6, $7, $8)`,
    [petId, id, order.status, order.expiresAt, order.closedAt, order.reference, order.placedBy, order.closedBy],
  )
}
