import type { Order } from '../../domain/types/order.ts'
import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import type { OrderKey } from '../../lib/ids/order-id.ts'
import { BATCHES, pgArrayLiteral } from '../postgres/batches.ts'
import type { Queryable, Statement } from '../postgres/statement.ts'
import { ORDER_COLUMNS, type OrderColumns, toOrders } from './order-rows.ts'

const MAX_FINDS = 200

export function openFinding(db: Queryable, onBatch?: OnBatch) {
  const batches = new Batcher({
    ...BATCHES,
    name: 'orders.find',
    onBatch,
    maxItems: MAX_FINDS,
    send: (keys: OrderKey[], deadline) => findAll(db, keys, deadline),
  })
  return (key: OrderKey, caller?: Caller) => batches.submit(key, caller)
}

async function findAll(db: Queryable, keys: OrderKey[], deadline: number): Promise<(Order | undefined)[]> {
  const rows = await db.query<OrderColumns>(findStatement(keys), deadline)
  const found = new Map(rows.flatMap(toOrders).map((order) => [textOf(order), order]))
  return keys.map((key) => found.get(textOf(key)))
}

export function findStatement(keys: OrderKey[]): Statement {
  return {
    name: 'orders.find',
    // The limit makes the planner look each order up, rather than join the whole table.
    text: `
      select ${ORDER_COLUMNS}
      from unnest($1::bigint[], $2::bigint[]) as wanted (wanted_pet, wanted_id), lateral (
        select * from orders where pet_id = wanted_pet and id = wanted_id limit 1) as orders`,
    values: [pgArrayLiteral(keys.map(({ petId }) => petId)), pgArrayLiteral(keys.map(({ id }) => id))],
  }
}

function textOf({ petId, id }: OrderKey) {
  return `${petId} ${id}`
}
