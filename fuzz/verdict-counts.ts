import { type Json, Literal } from './oracle/json.ts'
import { type Shown, startOf } from './shown.ts'
import { checkOrderCount, isOrderAskedFor } from './verdict-orders.ts'
import { isAskedFor } from './verdict-pets.ts'

/** It counts at least the pets that are known. */
export function checkPetCount(shown: Shown) {
  const { search, store, sentAt } = shown
  const asked = { status: search.get('status'), categoryId: search.int64('categoryId') }
  const known = store.recentIds.filter((id) => {
    const pet = store.seen(id, sentAt)
    return pet && isAskedFor(pet, asked)
  })
  return checkOrderCount(shown) ?? checkAtLeast(known.length, shown)
}

/** It counts at least the orders that are known. */
export function checkEnoughOrders(shown: Shown) {
  const { search, store, sentAt } = shown
  const known = store.ordersSeen(sentAt).filter((order) => isOrderAskedFor(order, search))
  return checkOrderCount(shown) ?? checkAtLeast(known.length, shown)
}

function checkAtLeast(known: number, { value, response }: Shown) {
  const count: Json | undefined = value instanceof Map ? value.get('count') : undefined
  return count instanceof Literal && Number(count.text) < known
    ? `a count that is less than ${known}, which are known: ${startOf(response.body)}`
    : undefined
}
