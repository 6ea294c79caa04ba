import { asLeader } from '../postgres/leader.ts'
import { LOCKS } from '../postgres/locks.ts'
import { type Statement, type Transactional, WITHOUT_SEQ_SCAN } from '../postgres/statement.ts'

// Pages have up to a thousand events each.
const PAGES = 20
const EVENTS = 1_000

/**
 * At least one page, and no more than have a part of the events together. None is removed before the one that precedes it, even if
 * the clock of an earlier primary was ahead. Earlier versions of a pet that are in no page were restored from a dump.
 */
export function pruneStatement(retentionMs: number): Statement {
  return {
    name: 'events.prune',
    text: `
      with oldest as materialized (
        select first, pet_ids, versions
        from (
          select *, bool_and(at < now() - $1 * interval '1 millisecond') over (order by first) as is_old
          from (
            select * from feed_pages
            where first < (select max(first) from feed_pages) and first <= (select min(first) + $3 from feed_pages)
            order by first limit $2) as candidates) as pages
        where is_old),
      pages as (delete from feed_pages where first = any (array(select first from oldest)) returning first),
      gone as (
        delete from events where ctid = any (array(
          select old.ctid
          from (
            select pet.id, max(pet.version) as version
            from oldest, unnest(pet_ids, versions) as pet (id, version) group by pet.id) as pet,
          lateral (
            select events.ctid from events where pet_id = pet.id and events.version <= pet.version offset 0) as old)))
      select count(*)::int as pages from pages`,
    values: [retentionMs, PAGES, EVENTS],
  }
}

/** Removes the oldest pages and their events, but never the last page. Returns whether this process should continue. */
export async function prunePages(db: Transactional, retentionMs: number): Promise<boolean> {
  const removed = await asLeader(db, LOCKS.eventPruner, async (transaction) => {
    await transaction.query(WITHOUT_SEQ_SCAN)
    const [row] = await transaction.query<{ pages: number }>(pruneStatement(retentionMs))
    return row?.pages ?? 0
  })
  return removed === undefined ? false : removed > 0
}
