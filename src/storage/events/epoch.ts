import type { Queryable, Statement } from '../postgres/statement.ts'
import { FEED_CHANNEL, HEAD, LAST, LAST_PET_ID, NEW_PAGE_TOKEN } from './sequencer.ts'

/** How many pets are looked at, the newest first: some tens of milliseconds. */
const LOOKED_AT = 10_000
// An attempt does nothing if another process adds a page at the same moment.
const ATTEMPTS = 20

/**
 * SQL for whether a pet is there that no event reports: a version that records none has added it. Pets that are newer than the first page
 * of the feed have an event that is kept, or belong to an import. Imports of earlier versions do not say which pets they have added.
 */
const HAS_UNRECORDED = `
        select from (
          select id from pets
          where id > (
            select coalesce(
              (select last_pet_id from feed_pages where first >= (select epoch from last) order by first limit 1),
              (select last_pet_id from last)))
          order by id desc limit ${LOOKED_AT}) as newest
        where not exists (select from events where pet_id = newest.id)
          and not exists (select from import_ranges where newest.id <@ ids)
          and not exists (select from events where pet_id = 0 and (id_ranges is null or newest.id <@ id_ranges))`

/** SQL for whether the last page was not added here: after the restore of a dump, into this cluster or another one. */
const IS_RESTORED = `
        system <> system_identifier or row_transaction <> transaction::xid
          or pg_snapshot_xmax(snapshot) > pg_snapshot_xmax(pg_current_snapshot())`

/** What a process finds when it starts, and whether it has begun a new epoch for that. */
interface Found {
  reason: EpochReason | null
  isBegun: boolean
}

export type EpochReason = 'restored' | 'unrecorded'

function epochStatement(looksForUnrecorded: boolean): Statement {
  const unrecorded = looksForUnrecorded ? `when exists (${HAS_UNRECORDED}) then 'unrecorded'` : ''
  return {
    text: `
      with ${LAST},
      found as materialized (
        select *, case when ${IS_RESTORED} then 'restored' ${unrecorded} end as reason from last, pg_control_system()),
      begun as (
        insert into feed_pages (first, pet_ids, versions, snapshot, mark, epoch, system, last_pet_id)
        select next, '{}', '{}', pg_current_snapshot(), ${NEW_PAGE_TOKEN}, next, system_identifier, ${LAST_PET_ID}
        from found where reason is not null
        on conflict do nothing returning *)
      select reason, coalesce((select pg_notify('${FEED_CHANNEL}', ${HEAD})::text = '' from begun), false) as "isBegun"
      from found`,
  }
}

/**
 * Begins a new epoch where the feed does not have all that has happened. Cursors from before are then no longer valid. Returns why; undefined
 * if all is well, or if another process has begun it.
 */
export async function beginEpoch(session: Queryable, looksForUnrecorded: boolean): Promise<EpochReason | undefined> {
  for (let attempt = 1; ; attempt++) {
    const [found] = await session.query<Found & Record<string, unknown>>(epochStatement(looksForUnrecorded))
    if (!found?.reason) return undefined
    if (found.isBegun) return found.reason
    if (attempt === ATTEMPTS) throw new Error('a new epoch of the feed could not be begun')
  }
}
