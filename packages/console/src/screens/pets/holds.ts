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

/** Several are among those that are open, a hundred of which cost one request; one is read by its id. */
async function readWanted() {
  const ids = wanted
  wanted = []
  const missing = () => ids.filter((id) => !known.peek().has(id))
  const open = orders.list({ status: 'placed', sort: 'expiring', limit: 100 })
  let next: string | undefined
  try {
    for (let isMore = true; isMore && missing().length > 1; isMore = next !== undefined) {
      const page = await open.page(next)
      keepHold(...page.orders)
      next = page.next
    }
    for (const id of missing()) keepHold(await orders.get(id))
  } catch {
    // The next list that is shown asks again.
    for (const id of ids) asked.delete(id)
  }
}
