import type { Event, EventPage, EventType, FeedPosition } from '../../domain/types/event.ts'
import type { Sort } from '../../domain/types/pet.ts'
import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { BATCHES, pgArrayLiteral } from '../postgres/batches.ts'
import { aggregateOf, int64, valueAt } from '../postgres/columns.ts'
import type { Queryable, Statement } from '../postgres/statement.ts'
import { EVENT_COLUMNS, type EventColumns, JOIN_ORDERS, toEvents } from './event-rows.ts'
import type { Head } from './sequencer.ts'

/** A part of the feed: up to `limit` events after a position, or since a time. Without both, from the first that is kept. */
export interface FeedRequest {
  after?: FeedPosition | undefined
  /** In milliseconds since 1970. */
  since?: number | undefined
  limit: number
  types?: readonly EventType[] | undefined
  /** Only changes that this key made. */
  keyId?: string | undefined
}

export interface FeedPage extends EventPage {
  /** Whether there is such a key, if the request names one. */
  readonly isKeyKnown: boolean
  readonly placed: readonly FeedEvent[]
  /** Whether all that was in the feed has been looked at. */
  readonly isLast: boolean
  /** Where the next page begins, whether or not there is an event yet. */
  readonly next: FeedPosition
}

/** An event, and the position after it. */
export interface FeedEvent extends Event {
  position: FeedPosition
}

/** A part of the history of a pet: up to `limit` events after this version, or before it if the newest come first. */
export interface HistoryRequest {
  petId: bigint
  after: bigint
  limit: number
  sort?: Sort | undefined
}

interface HistoryPage extends EventPage {
  /** The last version; undefined after the last page, which only those that begin with the newest event have. */
  readonly next: bigint | undefined
}

// Those that a filter leaves out are counted too: a page costs the same, however rare its events are.
export const MAX_LOOKED_AT = 1_000
// A larger batch would not be cheaper per item, and would make its first items wait for the others.
const MAX_PAGES = 10

/** Reads pages of the feed up to its `head`. Undefined for a position that is no longer in the feed. */
export function openFeedPages(db: Queryable, head: () => Head, onBatch?: OnBatch) {
  const batches = new Batcher({
    ...BATCHES,
    name: 'events.list',
    onBatch,
    maxItems: MAX_PAGES,
    keyOf: ({ after, since, limit, types, keyId }: FeedRequest) =>
      `${after?.sequence} ${after?.pageToken} ${since} ${limit} ${types?.join()} ${keyId}`,
    send: async (requests, deadline) => {
      const end = head()
      const rows = await db.query<PageRow>(feedStatement(requests, end), deadline)
      return requests.map((_, i) => pageOf(valueAt(rows, i), end))
    },
  })
  return async (request: FeedRequest, caller?: Caller) => {
    const { sequence = 0n } = request.after ?? {}
    // Anyone can write a cursor. PostgreSQL must not calculate beyond its integers.
    return sequence < 0n || sequence > head().sequence ? undefined : await batches.submit(request, caller)
  }
}

// Which page of the table each event is in.
const PAGES = aggregateOf<{ pageTokens: bigint }>({ pageTokens: int64('page_mark') })

type PageRow = EventColumns & {
  isValid: boolean
  isKeyKnown: boolean
  reached: bigint
  mark: bigint | null
  pageTokens: unknown
}

function pageOf(row: PageRow, end: Head): FeedPage | undefined {
  const { isValid, isKeyKnown, reached, mark: pageToken } = row
  if (!isValid || pageToken === null) return undefined
  const events = toEvents(row)
  let placed: FeedEvent[] | undefined
  return {
    events,
    isKeyKnown,
    // Built when a caller first needs to know each position: clients of the feed do not.
    get placed() {
      placed ??= withPositions(events, PAGES.decode(row).pageTokens)
      return placed
    },
    isLast: reached >= end.sequence,
    next: { sequence: reached, pageToken },
  }
}

function withPositions(events: readonly Event[], pageTokens: readonly bigint[]) {
  return events.map((event, i) => ({
    ...event,
    position: { sequence: BigInt(event.sequence ?? ''), pageToken: valueAt(pageTokens, i) },
  }))
}

/** SQL for the token of the page that contains a number. */
export const tokenOf = (sequence: string) =>
  `select mark from feed_pages where first <= ${sequence} order by first desc limit 1`

/** SQL for the token of a position, also of the one before the oldest event that is kept. `epoch` is SQL too. */
const tokenOfPosition = (after: string, epoch: string) => `coalesce(
          (${tokenOf(`${after} and first >= ${epoch}`)}),
          (select mark_before from feed_pages where first = ${after} + 1 and first >= ${epoch}))`

// So many events are looked at to find the first since a time, of those that the sequencer found after it.
const MAX_LATE = 1_000

/**
 * SQL for the number before the first event since a time. Pages are in the order of the times when they were added, and no event is
 * newer than its page: a binary search finds the first page that may have it. What was committed late may be older than its page.
 */
const numberBefore = (ms: string, head: string, epoch: string) => `(
          with recursive search (low, high) as (
            select (select first from feed_pages where first >= ${epoch} order by first limit 1), ${head}::bigint + 1
            union all
            select case when is_before then least(next, high) else low end, case when is_before then high else first end
            from search,
            lateral (
              select first, first + greatest(cardinality(pet_ids), 1) as next, at < ${momentOf(ms)} as is_before
              from feed_pages where first <= (low + high) / 2 order by first desc limit 1) as page
            where low < high)
          select coalesce((
            select first + place - 2
            from feed_pages, unnest(pet_ids, versions) with ordinality as numbered (pet_id, version, place),
            lateral (
              select at from events
              where pet_id = numbered.pet_id and version = numbered.version and events.at >= ${momentOf(ms)} limit 1) as event
            where first >= low and first < low + ${MAX_LATE} and first <= ${head}
            order by first, place limit 1), least(low + ${MAX_LATE - 1}, ${head}))
          from search where low >= high)`

/** SQL: whether there is the key whose events are wanted, and whether it made the change. With `exists`, the planner may read all keys. */
export const IS_KEY_KNOWN =
  'coalesce((select true from api_keys where id = input.key_id limit 1), input.key_id is null) as is_key_known'
export const HAS_KEY = '(input.key_id is null or events.key_id = input.key_id)'

const momentOf = (ms: string) => `timestamptz 'epoch' + ${ms} * interval '1 millisecond'`

/**
 * A position is valid if its page has its token; the token of a pruned page is also in the next page. Positions beyond the head
 * were lost by a restore. The numbers are dense, so the range of the pages is known before they are read.
 */
export function feedStatement(requests: FeedRequest[], { sequence: head, epoch }: Head): Statement {
  return {
    name: 'events.list',
    text: `
      select is_valid as "isValid", is_key_known as "isKeyKnown", page.*, (${tokenOf('page.reached')}) as mark
      from unnest($1::bigint[], $2::bigint[], $3::int[], $4::int[], $5::text[], $8::bigint[], $9::text[])
        with ordinality as input (sequence, mark, count, most, types, since, key_id, position),
      lateral (select case when since is not null then ${numberBefore('since', '$6', '$7')} end as before offset 0) as moment,
      lateral (
        select coalesce(input.sequence, moment.before, (
          select case when cardinality(pet_ids) = 0 then first else first - 1 end
          from feed_pages where first >= $7 order by first limit 1)) as after) as start,
      lateral (select least(after + most, $6::bigint) as last) as range,
      lateral (
        select input.sequence is null or after <= $6 and input.mark = ${tokenOfPosition('after', '$7::bigint')} as is_valid,
               ${IS_KEY_KNOWN}) as cursor,
      lateral (
        select ${EVENT_COLUMNS}, ${PAGES.selectList}, case when count(*) = input.count then max(sequence) else greatest(last, after) end as reached
        from (
          select sequence, page_mark, events.*, orders.*
          from (
            select first + lower + place - 2 as sequence, feed_pages.mark as page_mark, pet_id, version
            from feed_pages,
            lateral (select greatest(1, after - first + 2)::int as lower, (last - first + 1)::int as upper) as bounds,
            lateral unnest(pet_ids[lower:upper], versions[lower:upper]) with ordinality as events (pet_id, version, place)
            where is_valid and is_key_known and first <= last
              and first >= (select coalesce(max(first), 0) from feed_pages where first <= after + 1)) as numbered,
          lateral (
            select * from events where pet_id = numbered.pet_id and version = numbered.version limit 1) as events${JOIN_ORDERS}
          where (input.types is null or type = any (string_to_array(input.types, ' '))) and ${HAS_KEY}
          order by sequence limit input.count) as events) as page
      order by input.position`,
    values: [
      pgArrayLiteral(requests.map(({ after }) => after?.sequence ?? null)),
      pgArrayLiteral(requests.map(({ after }) => after?.pageToken ?? null)),
      pgArrayLiteral(requests.map(({ limit }) => limit)),
      pgArrayLiteral(requests.map(({ limit, types, keyId }) => (types || keyId !== undefined ? MAX_LOOKED_AT : limit))),
      requests.map(({ types }) => types?.join(' ') ?? null),
      head,
      epoch,
      pgArrayLiteral(requests.map(({ since }) => since ?? null)),
      requests.map(({ keyId = null }) => keyId),
    ],
  }
}

/** The position before the first event since a time, in milliseconds since 1970; after the newest event if there is none. */
export async function readSince(db: Queryable, { sequence: head, epoch }: Head, ms: number): Promise<FeedPosition> {
  const [row] = await db.query<{ sequence: string; mark: string }>({
    name: 'events.since',
    text: `
      select sequence, ${tokenOfPosition('sequence', '$3::bigint')} as mark
      from (select ${numberBefore('$1::bigint', '$2::bigint', '$3::bigint')} as sequence offset 0) as place`,
    values: [ms, head, epoch],
  })
  if (!row) throw new Error('the feed has no pages')
  return { sequence: BigInt(row.sequence), pageToken: BigInt(row.mark) }
}

/** The position before the oldest event that is kept. */
export async function readOldest(db: Queryable, { epoch }: Head): Promise<FeedPosition | undefined> {
  const [row] = await db.query<{ sequence: string; mark: string }>({
    name: 'events.oldest',
    text: `
      select case when cardinality(pet_ids) = 0 then first else first - 1 end as sequence,
             case when cardinality(pet_ids) = 0 then mark else mark_before end as mark
      from feed_pages where first >= $1 order by first limit 1`,
    values: [epoch],
  })
  return row && { sequence: BigInt(row.sequence), pageToken: BigInt(row.mark) }
}

/** Reads the events of single pets, also of those that were deleted. */
export function openHistories(db: Queryable, onBatch?: OnBatch) {
  const open = (sort: Sort) =>
    new Batcher({
      ...BATCHES,
      name: 'events.history',
      onBatch,
      maxItems: MAX_PAGES,
      send: async (requests: HistoryRequest[], deadline) => {
        const rows = await db.query<EventColumns & { last: bigint | null }>(historyStatement(requests, sort), deadline)
        return requests.map(({ after, limit }, i): HistoryPage => {
          const { last, ...columns } = valueAt(rows, i)
          const events = toEvents(columns)
          const isLast = sort === 'newest' && events.length < limit
          return { events, next: isLast ? undefined : (last ?? after) }
        })
      },
    })
  const bySort = { oldest: open('oldest'), newest: open('newest') }
  return (request: HistoryRequest, caller?: Caller) => bySort[request.sort ?? 'oldest'].submit(request, caller)
}

export function historyStatement(requests: HistoryRequest[], sort: Sort = 'oldest'): Statement {
  const [isAfter, last, order] = sort === 'newest' ? ['<', 'min', 'desc'] : ['>', 'max', 'asc']
  return {
    name: `events.history.${sort}`,
    text: `
      select page.*
      from unnest($1::bigint[], $2::bigint[], $3::int[]) with ordinality as input (pet_id, after, count, position),
      lateral (
        select ${EVENT_COLUMNS}, ${last}(version) as last
        from (
          select null::bigint as sequence, events.*, orders.*
          from (
            select * from events where pet_id = input.pet_id and version ${isAfter} input.after and pet_id > 0
            order by pet_id ${order}, version ${order} limit input.count) as events${JOIN_ORDERS}
          order by version ${order}) as events) as page
      order by input.position`,
    values: [
      pgArrayLiteral(requests.map(({ petId }) => petId)),
      pgArrayLiteral(requests.map(({ after }) => after)),
      pgArrayLiteral(requests.map(({ limit }) => limit)),
    ],
  }
}
