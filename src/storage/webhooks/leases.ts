import type { EventType, FeedPosition } from '../../domain/types/event.ts'
import { type LeaseTimes, TIMES } from '../../lib/times.ts'
import { HEAD_QUERY, parseHead } from '../events/sequencer.ts'
import { pgArrayLiteral } from '../postgres/batches.ts'
import type { Statement, Writable } from '../postgres/statement.ts'

export const ATTEMPTS_KEPT = 100

/** What a process needs to know of a webhook to deliver for it. Times are in milliseconds since 1970. */
export interface LeasedWebhook {
  id: string
  url: string
  types: readonly EventType[] | undefined
  isActive: boolean
  /** Whether its URL has ever accepted a request. */
  hasSucceeded: boolean
  secretNumber: number
  oldSecretEndsAt: number | undefined
  position: FeedPosition
  /** Counts the requests that moved the position or changed the types: progress of an earlier revision is not stored. */
  revision: number
  failingSince: number | undefined
  failures: number
  nextAttemptAt: number | undefined
  attempts: bigint
  /** The text of PostgreSQL, to the microsecond. */
  pingRequestedAt: string | undefined
}

export interface Attempt {
  /** The number of the attempt: one more than the one before. */
  number: bigint
  at: number
  eventId: string
  status: number | undefined
  error: string | undefined
  durationMs: number
}

/** What was delivered for a webhook since its lease was last renewed. */
export interface Progress
  extends Pick<
    LeasedWebhook,
    'id' | 'hasSucceeded' | 'position' | 'revision' | 'failingSince' | 'failures' | 'nextAttemptAt' | 'attempts'
  > {
  /** The ping that was sent. */
  pinged: string | undefined
  /** Why the lease ends: the process gives the webhook back, or disables it. Undefined to renew it. */
  end: 'released' | 'disabled' | undefined
  /** The latest attempts, at most as many as are kept. */
  made: readonly Attempt[]
}

export interface Renewal {
  id: string
  /** False if this process may no longer deliver for it: it was changed, deleted or claimed. */
  isHeld: boolean
  /** False also if its row was locked. */
  isRenewed: boolean
  pingRequestedAt: string | undefined
}

type RenewalRow = { id: string; isHeld: boolean; isRenewed: boolean; pingRequestedAt: string | null }

/** Stores what was delivered, and keeps the leases of a process, in one statement for all its webhooks. */
export async function renewLeases(
  db: Writable,
  holder: string,
  progress: readonly Progress[],
  deadline: number,
  { leaseMs } = TIMES.lease,
) {
  const rows = await db.write<RenewalRow>(renewStatement(holder, progress, leaseMs), deadline)
  return rows.map((row): Renewal => ({ ...row, pingRequestedAt: row.pingRequestedAt ?? undefined }))
}

/**
 * A request that changes a webhook ends its lease. The process that had it stores its progress once more, without its failures, which the
 * request may have reset: otherwise those events would be delivered again after each change. Progress is not stored if the request has
 * moved the position or changed the types, since events that are wanted now may have been passed over; nor if another process has
 * delivered more since.
 * Locked rows are skipped: one must not keep the other webhooks waiting. After a restore, another process may hold the lease that this one
 * remembers, or even this one itself. Its position would then be in a page with another token, and is not stored.
 */
function renewStatement(holder: string, progress: readonly Progress[], leaseMs: number): Statement {
  const made = progress.flatMap(({ id, made: attempts }) => attempts.map((attempt) => ({ id, ...attempt })))
  return {
    name: 'webhooks.renew',
    text: `
      with given as (
        select * from unnest($2::text[], $3::bigint[], $4::bigint[], $5::float8[], $6::int[], $7::float8[], $8::bigint[],
            $9::timestamptz[], $10::text[], $18::int[], $19::boolean[])
          as given (id, sequence, mark, failing_since, failures, next_attempt_at, attempts, pinged, "end", moves, succeeded)),
      locked as (
        select webhooks.id, leased_by is not null as is_held from webhooks join given using (id)
        where leased_by = $1 or (leased_by is null and webhooks.moves = given.moves
          and given.sequence >= webhooks.sequence and given.attempts >= webhooks.attempts)
        for no key update of webhooks skip locked),
      renewed as (
        update webhooks set
          state = case when is_held and given."end" = 'disabled' then 'disabled' else state end,
          has_succeeded = has_succeeded or (is_held and given.succeeded),
          sequence = given.sequence, mark = given.mark, attempts = given.attempts,
          failing_since = case when is_held then to_timestamp(given.failing_since / 1000) else webhooks.failing_since end,
          failures = case when is_held then given.failures else webhooks.failures end,
          next_attempt_at = case when is_held then to_timestamp(given.next_attempt_at / 1000) else webhooks.next_attempt_at end,
          ping_requested_at = nullif(ping_requested_at, given.pinged),
          leased_by = case when given."end" is null then leased_by end,
          leased_until = case
            when is_held and given."end" is null then clock_timestamp() + ${secondsOf(leaseMs)}
            when is_held then clock_timestamp()
            else leased_until end
        from given join locked using (id),
        lateral (
          select not exists (
            select from (select mark from feed_pages where first <= given.sequence order by first desc limit 1) as page
            where mark <> given.mark) as is_known) as place
        where webhooks.id = given.id
          and (is_known or (webhooks.sequence, webhooks.mark) = (given.sequence, given.mark))
        returning webhooks.id, ping_requested_at),
      made as (
        insert into webhook_attempts (webhook_id, place, at, event_id, status, error, duration_ms)
        select id, number % ${ATTEMPTS_KEPT}, to_timestamp(at / 1000), event_id, status, error, duration_ms
        from unnest($11::text[], $12::bigint[], $13::float8[], $14::text[], $15::smallint[], $16::text[], $17::int[])
          as made (id, number, at, event_id, status, error, duration_ms)
        join renewed using (id)
        on conflict (webhook_id, place) do update set
          at = excluded.at, event_id = excluded.event_id, status = excluded.status, error = excluded.error,
          duration_ms = excluded.duration_ms)
      select given.id, coalesce(leased_by = $1, false) as "isHeld", renewed.id is not null as "isRenewed",
             renewed.ping_requested_at::text as "pingRequestedAt"
      from given left join webhooks on webhooks.id = given.id left join renewed on renewed.id = given.id`,
    values: [
      holder,
      pgArrayLiteral(progress.map(({ id }) => id)),
      pgArrayLiteral(progress.map(({ position }) => position.sequence)),
      pgArrayLiteral(progress.map(({ position }) => position.pageToken)),
      pgArrayLiteral(progress.map(({ failingSince }) => failingSince ?? null)),
      pgArrayLiteral(progress.map(({ failures }) => failures)),
      pgArrayLiteral(progress.map(({ nextAttemptAt }) => nextAttemptAt ?? null)),
      pgArrayLiteral(progress.map(({ attempts }) => attempts)),
      progress.map(({ pinged }) => pinged ?? null),
      pgArrayLiteral(progress.map(({ end }) => end ?? null)),
      pgArrayLiteral(made.map(({ id }) => id)),
      pgArrayLiteral(made.map(({ number }) => number)),
      pgArrayLiteral(made.map(({ at }) => at)),
      made.map(({ eventId }) => eventId),
      pgArrayLiteral(made.map(({ status }) => status ?? null)),
      made.map(({ error }) => error ?? null),
      pgArrayLiteral(made.map(({ durationMs }) => durationMs)),
      pgArrayLiteral(progress.map(({ revision }) => revision)),
      pgArrayLiteral(progress.map(({ hasSucceeded }) => String(hasSucceeded))),
    ],
  }
}

interface ClaimRow {
  [column: string]: unknown
  share: number
  head: string
  id: string | null
  url: string
  types: EventType[] | null
  isActive: boolean
  hasSucceeded: boolean
  secretNumber: number
  oldSecretEndsAt: number | null
  sequence: bigint
  mark: bigint
  moves: number
  failingSince: number | null
  failures: number
  nextAttemptAt: number | null
  attempts: bigint
  pingRequestedAt: string | null
}

/**
 * Reports that this process is alive, and claims webhooks that have no lease, up to its share of all; `held` is how many it has. Beyond its
 * share it claims those that have been free for `unclaimedMs`: another process may be alive and not claim its own. Also returns the end
 * of the feed.
 */
export async function claimLeases(db: Writable, holder: string, held: number, deadline: number, times = TIMES.lease) {
  const rows = await db.write<ClaimRow>(claimStatement(holder, held, times), deadline)
  const [first] = rows
  return {
    share: first?.share ?? 0,
    head: parseHead(first?.head ?? ''),
    claimed: rows.flatMap((row) => toLeased(row) ?? []),
  }
}

function claimStatement(holder: string, held: number, { leaseMs, unclaimedMs }: LeaseTimes): Statement {
  return {
    name: 'webhooks.claim',
    text: `
      with here as (
        insert into deliverers (id, seen_at) values ($1, clock_timestamp())
        on conflict (id) do update set seen_at = excluded.seen_at),
      gone as (
        delete from deliverers where id in (
          select id from deliverers where id <> $1 and seen_at < clock_timestamp() - ${secondsOf(leaseMs)}
          for update skip locked)),
      share as (
        select ceil(webhooks::float8 / (1 + others))::int as share
        from (select count(*) as webhooks from webhooks where ${IS_WANTED}) as wanted,
             (select count(*) as others from deliverers
              where id <> $1 and seen_at >= clock_timestamp() - ${secondsOf(leaseMs)}) as alive),
      free as (
        select id, coalesce(leased_until, created_at) as since from webhooks
        where ${IS_WANTED} and (leased_until is null or leased_until < clock_timestamp())
        for no key update skip locked),
      claimed as (
        update webhooks set leased_by = $1, leased_until = clock_timestamp() + ${secondsOf(leaseMs)}
        where id in (
          select id from (select *, row_number() over (order by since, id) as place from free) as ordered, share
          where place <= share - $2::int or since < clock_timestamp() - ${secondsOf(unclaimedMs)})
        returning *)
      select share, (${HEAD_QUERY}) as head, id, url, string_to_array(types, ' ') as types, state = 'active' as "isActive",
             has_succeeded as "hasSucceeded", secret_number as "secretNumber", ${floatMillisecondsOf('old_secret_ends_at')} as "oldSecretEndsAt", sequence, mark, moves,
             ${floatMillisecondsOf('failing_since')} as "failingSince", failures,
             ${floatMillisecondsOf('next_attempt_at')} as "nextAttemptAt", attempts,
             ping_requested_at::text as "pingRequestedAt"
      from share left join claimed on true`,
    values: [holder, held],
  }
}

const IS_WANTED = `(state = 'active' or ping_requested_at is not null)`

function toLeased({ id, sequence, mark, ...row }: ClaimRow): LeasedWebhook | undefined {
  if (id === null) return undefined
  return {
    id,
    url: row.url,
    types: row.types ?? undefined,
    isActive: row.isActive,
    hasSucceeded: row.hasSucceeded,
    secretNumber: row.secretNumber,
    oldSecretEndsAt: row.oldSecretEndsAt ?? undefined,
    position: { sequence, pageToken: mark },
    revision: row.moves,
    failingSince: row.failingSince ?? undefined,
    failures: row.failures,
    nextAttemptAt: row.nextAttemptAt ?? undefined,
    attempts: row.attempts,
    pingRequestedAt: row.pingRequestedAt ?? undefined,
  }
}

/** Removes this process from those that share the webhooks, when it claims no more. */
export async function leave(db: Writable, holder: string, deadline: number) {
  await db.write({ text: 'delete from deliverers where id = $1', values: [holder] }, deadline)
}

function secondsOf(ms: number) {
  return `interval '${ms / 1_000} seconds'`
}

/** SQL for a time in milliseconds since 1970, with their fractions: a floating-point number is exact enough. */
function floatMillisecondsOf(column: string) {
  return `(extract(epoch from ${column}) * 1000)::float8`
}
