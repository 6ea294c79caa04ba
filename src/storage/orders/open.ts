/**
 * SQL: the open orders of a chain, up to this id. Rows are compared as a whole, and are to be read in the order of chains and ids, so that
 * only the index of open orders can serve: one of all orders would find the open ones last.
 */
export function openOfChain(chain: string, upTo = String(2n ** 63n - 1n)) {
  return `closed_at is null and (orders.chain_id, orders.id) >= (${chain}, 0) and (orders.chain_id, orders.id) <= (${chain}, ${upTo})`
}
