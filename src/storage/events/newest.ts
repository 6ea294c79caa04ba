import type { EventPage, EventType, FeedPosition } from '../../domain/types/event.ts'
import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { BATCHES, pgArrayLiteral } from '../postgres/batches.ts'
import { valueAt } from '../postgres/columns.ts'
import type { Queryable, Statement } from '../postgres/statement.ts'
import { EVENT_COLUMNS, type EventColumns, JOIN_ORDERS, toEvents, typeBits } from './event-rows.ts'
import { HAS_KEY, IS_KEY_KNOWN, MAX_LOOKED_AT, tokenOf } from './pages.ts'
import type { Head } from './sequencer.ts'

/** A part of the feed, the newest first: up to `limit` events before a position. Without one, from the end of the feed. */
export interface NewestRequest {
  before?: FeedPosition | undefined
  limit: number
  types?: readonly EventType[] | undefined
  /** Only changes that this key made. */
  keyId?: string | undefined
}

export interface NewestPage extends EventPage {
  /** Whether there is such a key, if the request names one. */
  readonly isKeyKnown: boolean
  /** The oldest event that was looked at, which the next page begins before; undefined if none is older. */
  readonly next: FeedPosition | undefined
}

/**
 * With types, a page passes over so many events at most. Pages of the feed without these types are passed over as a whole; of the others,
 * each event is read.
 */
const MAX_PASSED_OVER = 10_000
// Of the costliest pages, more would make each other wait.
const MAX_PAGES = 4

/** Reads pages from the end of the feed to its beginning. Undefined for a position that a restore has lost, or that was made up. */
export function openNewestPages(db: Queryable, head: () => Head, onBatch?: OnBatch) {
  const batches = new Batcher({
    ...BATCHES,
    name: 'events.newest',
    onBatch,
    maxItems: MAX_PAGES,
    keyOf: ({ before, limit, types, keyId }: NewestRequest) =>
      `${before?.sequence} ${before?.pageToken} ${limit} ${types?.join()} ${keyId}`,
    send: async (requests, deadline) => {
      const rows = await db.query<PageRow>(newestStatement(requests, head()), deadline)
      return requests.map((_, i) => pageOf(valueAt(rows, i)))
    },
  })
  return async (request: NewestRequest, caller?: Caller) => {
    const { sequence = 0n } = request.before ?? {}
    // Anyone can write a cursor. PostgreSQL must not calculate beyond its integers.
    return sequence < 0n || sequence > head().sequence ? undefined : await batches.submit(request, caller)
  }
}

type PageRow = EventColumns & { isValid: boolean; isKeyKnown: boolean; reached: bigint; mark: bigint | null }

function pageOf(row: PageRow): NewestPage | undefined {
  const { isValid, isKeyKnown, reached, mark: pageToken } = row
  if (!isValid) return undefined
  return { events: toEvents(row), isKeyKnown, next: pageToken === null ? undefined : { sequence: reached, pageToken } }
}

/**
 * The numbers are dense, so the range that a page may look at is known before anything is read. Pages of the feed are read from the
 * newest back until the limit is reached, only those that have one of the types. A position whose page was pruned is after the last
 * event, not invalid.
 */
export function newestStatement(requests: NewestRequest[], { sequence: head, epoch }: Head): Statement {
  return {
    name: 'events.newest',
    text: `
      select is_valid as "isValid", is_key_known as "isKeyKnown", page.*, case when page.reached > oldest then (${tokenOf('page.reached')}) end as mark
      from (
        select case when cardinality(pet_ids) = 0 then first + 1 else first end as oldest
        from feed_pages where first >= $7 order by first limit 1) as kept,
      unnest($1::bigint[], $2::bigint[], $3::int[], $4::int[], $5::text[], $8::int[], $9::text[])
        with ordinality as input (sequence, mark, count, most, types, bits, key_id, position),
      lateral (
        select coalesce(input.sequence, $6::bigint + 1) as before, string_to_array(input.types, ' ') as wanted offset 0) as start,
      lateral (select greatest(before - most, oldest) as lowest) as range,
      lateral (
        select input.sequence is null or before <= $6 and before >= $7::bigint
          and (before < oldest or input.mark = (${tokenOf('before and first >= $7')})) as is_valid,
               ${IS_KEY_KNOWN}) as cursor,
      lateral (
        select ${EVENT_COLUMNS}, case when count(*) = input.count then min(sequence) else lowest end as reached
        from (
          select events.*, orders.*
          from (
            select first + lower + place - 2 as sequence, event.*
            from (
              select first, lower, place, pet_id, version
              from feed_pages,
              lateral (select greatest(1, lowest - first + 1)::int as lower, (before - first)::int as upper) as bounds,
              lateral unnest(pet_ids[lower:upper], versions[lower:upper]) with ordinality as numbered (pet_id, version, place)
              where is_valid and is_key_known and first < before
                and first >= (select coalesce(max(first), 0) from feed_pages where first <= lowest)
                and (bits is null or feed_pages.types is null or feed_pages.types & bits <> 0)
              order by first desc, place desc limit most) as numbered,
            lateral (
              select * from events
              where pet_id = numbered.pet_id and version = numbered.version and (wanted is null or type = any (wanted)) and ${HAS_KEY} limit 1) as event
            order by first desc, place desc limit input.count) as events${JOIN_ORDERS}
          order by sequence desc) as events) as page
      order by input.position`,
    values: [
      pgArrayLiteral(requests.map(({ before }) => before?.sequence ?? null)),
      pgArrayLiteral(requests.map(({ before }) => before?.pageToken ?? null)),
      pgArrayLiteral(requests.map(({ limit }) => limit)),
      pgArrayLiteral(requests.map(mostOf)),
      requests.map(({ types }) => types?.join(' ') ?? null),
      head,
      epoch,
      pgArrayLiteral(requests.map(({ types }) => (types ? typeBits(types) : null))),
      requests.map(({ keyId = null }) => keyId),
    ],
  }
}

/** No page of the feed says which keys have made its changes. */
function mostOf({ limit, types, keyId }: NewestRequest) {
  if (keyId !== undefined) return MAX_LOOKED_AT
  return types ? MAX_PASSED_OVER : limit
}
