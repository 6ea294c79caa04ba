import type { Order } from '@petstore/client'
import { signal } from '@preact/signals'
import { orders } from '../../api.ts'
import { keepNewest } from '../../newest.ts'
import { can } from '../../session.ts'

/** Open orders, by id. */
const known = signal<ReadonlyMap<string, Order>>(new Map())
/** So many are kept, far more than a list shows. */
const MOST_KNOWN = 2_000
/** What was asked for is asked for once. */
const asked = new Set<string>()
let wanted: string[] = []

/** For whom an order holds a pet, and until when; undefined while that is unknown. Not during the rendering that asks, it is read. */
export function holdOf(id: string | undefined) {
  if (id === undefined || !can('orders:read')) return undefined
  const order = known.value.get(id)
  if (!order && !asked.has(id)) {
    asked.add(id)
    keepNewest(asked, MOST_KNOWN)
    if (wanted.push(id) === 1) setTimeout(() => void readWanted())
  }
  return order
}

/** An order as an event or a read has it. One that has ended holds nothing. */
export function keepHold(...found: Order[]) {
  const next = new Map(known.peek())
  for (const order of found)
    if (order.status === 'placed') next.set(order.id, order)
    else next.delete(order.id)
  keepNewest(next, MOST_KNOWN)
  known.value = next
}

/** Of several, most are among those that end soonest; the others are read one by one. */
async function readWanted() {
  const ids = wanted
  wanted = []
  try {
    if (ids.length > 1)
      keepHold(...(await orders.list({ status: 'placed', sort: 'expiring', limit: 100 }).page()).orders)
    for (const id of ids) if (!known.peek().has(id)) keepHold(await orders.get(id))
  } catch {
    // The next list that is shown asks again.
    for (const id of ids) asked.delete(id)
  }
}
