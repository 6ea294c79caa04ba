/**
 * SQL for the open orders of a chain, up to this id. Chain and id are compared as one row, so that the planner takes the index of open
 * orders: one of all orders would find the open ones last. A statement that needs only the first of them must order by both, too.
 */
export function openOfChain(chain: string, upTo = String(2n ** 63n - 1n)) {
  return `closed_at is null and (orders.chain_id, orders.id) >= (${chain}, 0) and (orders.chain_id, orders.id) <= (${chain}, ${upTo})`
}
