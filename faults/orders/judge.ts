import type { BuyersRecord } from './record.ts'
import { COUNTED } from './rules/counted.ts'
import { HELD } from './rules/held.ts'
import { KEPT } from './rules/kept.ts'
import type { Rule, Shop } from './rules/rule.ts'
import type { StoredShop } from './stored.ts'

/** Everything that must hold, whatever was killed meanwhile. */
export const RULES = { ...KEPT, ...HELD, ...COUNTED } satisfies Record<string, Rule>

export type Kind = keyof typeof RULES
/** For each rule what breaks it, as sentences. */
export type Violations = Record<Kind, string[]>

/** Compares the responses of the buyers with what is stored, and what is stored with itself. */
export function judge(record: BuyersRecord, stored: StoredShop): Violations {
  const shop: Shop = {
    record,
    stored,
    orders: new Map(stored.orders.map((order) => [order.orderId, order])),
    pets: new Map(stored.pets.map((pet) => [pet.id, pet])),
    ordersOf: Map.groupBy(stored.orders, ({ petId }) => petId),
  }
  return Object.fromEntries(Object.entries(RULES).map(([kind, rule]) => [kind, rule.broken(shop)])) as Violations
}

/** One sentence for each rule that is broken, with an example. */
export function brokenRules(violations: Violations) {
  return Object.entries(RULES).flatMap(([kind, { must }]) => {
    const found = violations[kind as Kind]
    return found.length > 0 ? [`${must}, but ${found.length} times not, as here: ${found[0]}`] : []
  })
}

/** Counts for the table of results. */
export function countsOf(violations: Violations) {
  const count = (...kinds: Kind[]) => kinds.reduce((sum, kind) => sum + violations[kind].length, 0)
  return { lost: count('lost', 'lostChange'), twice: count('soldTwice', 'heldTwice', 'placedTwice') }
}
