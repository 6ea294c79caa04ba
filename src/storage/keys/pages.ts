import type { ListedKey } from '../../domain/types/key.ts'
import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { openOfChain } from '../orders/open.ts'
import { BATCHES } from '../postgres/batches.ts'
import type { Queryable, Statement } from '../postgres/statement.ts'
import { COLUMNS } from './keys.ts'

/** Up to `limit` keys, newest first, after the one with the id `after`. */
export interface KeyPageRequest {
  after: string | undefined
  limit: number
}

/** How many names are read at most. */
export const MAX_NAMES = 1_000
/** How far the open orders of a chain are counted: a page may have a hundred chains. */
export const MAX_COUNTED = 50
// A page may cost as much as a thousand other reads, so its requests take turns, on one connection.
const MAX_PAGES = 1
/** How many days ago a key last called a deprecated operation whose calls are counted. */
const RECENT_DAYS = 30

/** Lists of all keys, for those who look after them. */
export function openKeyLists(db: Queryable, onBatch?: OnBatch) {
  const pages = new Batcher({
    ...BATCHES,
    name: 'keys.listPage',
    onBatch,
    maxItems: MAX_PAGES,
    keyOf: ({ after, limit }: KeyPageRequest) => `${after} ${limit}`,
    send: (requests: KeyPageRequest[], deadline) =>
      Promise.all(
        requests.map((request) => db.query<ListedKey & Record<string, unknown>>(pageStatement(request), deadline)),
      ),
  })
  const names = new Batcher({
    ...BATCHES,
    name: 'keys.listNames',
    onBatch,
    maxItems: MAX_PAGES,
    keyOf: () => '', // all that wait share one list
    send: async (_: undefined[], deadline) => [await db.query<{ id: string; name: string }>(NAMES_STATEMENT, deadline)],
  })
  return {
    page: (request: KeyPageRequest, caller?: Caller) => pages.submit(request, caller),
    /** The names of the newest keys, newest first. */
    names: (caller?: Caller) => names.submit(undefined, caller),
  }
}

/**
 * A key, its successors and what they were rotated from are one chain. They share their limit of open orders, and a webhook delivers for
 * all of them, so these are counted by chain, each once; deprecated calls are those of the key itself.
 */
export function pageStatement({ after, limit }: KeyPageRequest): Statement {
  return {
    name: 'keys.listPage',
    text: `
      with page as materialized (
        select *, coalesce(first_id, id) as chain_id from api_keys
        where (created_at, id) < (
          case when $1::text is null then 'infinity' else (select created_at from api_keys where id = $1) end,
          coalesce($1, ''))
        order by created_at desc, id desc limit $2),
      delivering as materialized (
        select coalesce(first_id, api_keys.id) as chain_id, count(*)::int as webhooks
        from webhooks join api_keys on api_keys.id = changed_by group by 1),
      holding as materialized (
        select chain_id, (
          select count(*)::int from (
            select from orders where ${openOfChain('chain.chain_id')}
            order by orders.chain_id, orders.id limit $3::int) as open) as placed
        from (select distinct chain_id from page) as chain)
      select ${COLUMNS},
             coalesce((
               select sum(calls) from deprecated_calls
               where api_key_id = page.id and last_called_at > now() - interval '${RECENT_DAYS} days'), 0)::bigint as "deprecatedCalls",
             coalesce((select webhooks from delivering where delivering.chain_id = page.chain_id), 0) as webhooks,
             (select placed from holding where holding.chain_id = page.chain_id) as "placedOrders"
      from page order by created_at desc, page.id desc`,
    // For a limit that it does not know, the planner takes the index in its order, and does not read all to sort them.
    values: [after, limit, MAX_COUNTED],
  }
}

export const NAMES_STATEMENT: Statement = {
  name: 'keys.listNames',
  text: `select id, name from api_keys order by created_at desc, id desc limit ${MAX_NAMES}`,
}
