import type { Statement } from '../postgres/statement.ts'
import { TYPE_BIT } from './event-rows.ts'

/** NOTIFY channel: each message is the head of the feed, as `parseHead` reads it. */
export const FEED_CHANNEL = 'petstore_feed'

/** Where the feed ends, for now. */
export interface Head {
  /** The number of the last event. */
  sequence: bigint
  /** The random token of its page. */
  pageToken: bigint
  /** The first number that cursors may have. */
  epoch: bigint
}

export function parseHead(text: string): Head | undefined {
  const [sequence, pageToken, epoch] = text.split(' ')
  if (!sequence || !pageToken || !epoch) return undefined
  return { sequence: BigInt(sequence), pageToken: BigInt(pageToken), epoch: BigInt(epoch) }
}

const PAGE = 1_000

const NEXT = 'first + greatest(cardinality(pet_ids), 1)'
export const NEW_PAGE_TOKEN = 'floor(random() * 9e15)::bigint'
export const LAST = `
      last as materialized (
        select ${NEXT} as next, snapshot, mark, epoch, system, transaction, xmin as row_transaction, last_pet_id
        from feed_pages order by first desc limit 1)`

/** As `parseHead` reads it. */
export const HEAD = `concat_ws(' ', ${NEXT} - 1, mark, epoch)`

/** SQL for the head of the feed. */
export const HEAD_QUERY = `select ${HEAD} as head from feed_pages order by first desc limit 1`
export const HEAD_STATEMENT: Statement = { text: HEAD_QUERY }

export const LAST_PET_ID = `coalesce(pg_sequence_last_value('pets_id_seq'), 0)`

/**
 * SQL for the events of a transaction of this cluster. In a database restored from a dump, those of before have the transactions of
 * another cluster, which this one has yet to reach: they were stored before it has. The xmin of a row that was stored under a
 * savepoint is a later one than its transaction.
 */
const IS_OWN = 'age(events.xmin) between 0 and age(transaction::xid)'

/**
 * Adds the events that were committed since the last page to the feed, and notifies all processes of the new head. What the last
 * snapshot did not show are the transactions that were in progress then, and those that came later: however long one stays open,
 * nothing is read twice and nothing waits for it. If two processes do it at once, the primary key lets one of them add its pages.
 * Events are ordered by time, and those of one pet by version, whatever the clocks of primaries said.
 */
export const SEQUENCE_STATEMENT: Statement = {
  name: 'events.sequence',
  text: `
      with ${LAST},
      found as materialized (
        select pet_id, version, at, ${TYPE_BIT} as type_bit from events
        where transaction >= (select pg_snapshot_xmax(snapshot) from last)
          and transaction < pg_snapshot_xmax(pg_current_snapshot()) and ${IS_OWN}
        union all
        select pet_id, version, at, ${TYPE_BIT} as type_bit from events
        where transaction = any (array(select pg_snapshot_xip(snapshot) from last)) and ${IS_OWN}),
      ordered as (
        select pet_id, version, type_bit, row_number() over (order by reached, pet_id, version) - 1 as place
        from (select *, max(at) over (partition by pet_id order by version) as reached from found) as by_pet),
      pages as (
        select place / ${PAGE} as page, ${NEW_PAGE_TOKEN} as mark,
               array_agg(pet_id order by place) as pet_ids, array_agg(version order by place) as versions,
               bit_or(type_bit) as types
        from ordered group by place / ${PAGE}),
      added as (
        insert into feed_pages (first, pet_ids, versions, types, snapshot, mark, mark_before, epoch, system, last_pet_id)
        select next + page * ${PAGE}, pet_ids, versions, types, pg_current_snapshot(), pages.mark,
               lag(pages.mark, 1, last.mark) over (order by page), epoch, system, ${LAST_PET_ID}
        from pages, last
        returning *)
      select (select count(*)::int from found) as events, pg_notify('${FEED_CHANNEL}', ${HEAD})
      from added order by first desc limit 1`,
}

/** How many seconds ago the oldest event was committed that is not in the feed yet; 0 if all are. */
export const LAG_STATEMENT: Statement = {
  text: `
      with ${LAST}
      select coalesce(extract(epoch from clock_timestamp() - min(at)), 0)::float8 as seconds from events
      where transaction >= (select pg_snapshot_xmin(snapshot) from last)
        and not pg_visible_in_snapshot(transaction, (select snapshot from last)) and ${IS_OWN}`,
}
