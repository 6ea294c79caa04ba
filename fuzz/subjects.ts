import { readJson } from './oracle/json.ts'
import { canonicalInt64 } from './oracle/new-pet.ts'
import { asNewOrder } from './oracle/order.ts'
import { routeOf } from './oracle/route.ts'
import type { Request } from './request.ts'
import type { Store } from './store.ts'

/** The pets that a request may change. */
export function subjectsOf({ method, target, body = '' }: Request, store: Store): bigint[] {
  const { route } = routeOf(target)
  const { parameter } = route
  const operation = route.operations?.[method]?.operationId
  if (operation === 'updatePet' || operation === 'deletePet')
    return [parameter === undefined ? undefined : canonicalInt64(parameter)].filter((id) => id !== undefined)
  if (operation === 'completeOrder' || operation === 'cancelOrder')
    return [store.petOf(parameter ?? '')].filter((id) => id !== undefined)
  if (operation !== 'placeOrder') return []
  const value = readJson(Buffer.from(body, 'latin1'))
  const order = value === undefined ? undefined : asNewOrder(value)
  return order ? [order.petId] : []
}
