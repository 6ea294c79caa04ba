import type { EventType, FeedPosition } from '../../domain/types/event.ts'
import { TIMES } from '../../lib/times.ts'
import type { Statement, Writable } from '../postgres/statement.ts'

export const ATTEMPTS_KEPT = 100
/** Of so many attempts the response is kept too. */
export const RESPONSES_KEPT = 20

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
  /** For when a request last wanted the next attempt, in the same form. `nextAttemptAt` is not after it. */
  retryAt: string | undefined
}

export interface Attempt {
  /** The number of the attempt: one more than the one before. */
  number: bigint
  at: number
  eventId: string
  status: number | undefined
  error: string | undefined
  durationMs: number
  /** How the response begins, if it is kept. */
  responseBody: string | undefined
}

/** What was delivered for a webhook since its lease was last renewed. */
export interface Progress
  extends Pick<
    LeasedWebhook,
    'id' | 'hasSucceeded' | 'position' | 'revision' | 'failingSince' | 'failures' | 'nextAttemptAt' | 'attempts'
  > {
  /** The ping that was sent. */
  pinged: string | undefined
  /** The last `retryAt` that the process knows: `nextAttemptAt` takes account of it. */
  retried: string | undefined
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
  /** In how many milliseconds the next attempt is wanted: by the clock of the database, which set the time. */
  retry: { at: string; inMs: number } | undefined
}

type RenewalRow = Pick<Renewal, 'id' | 'isHeld' | 'isRenewed'> & {
  pingRequestedAt: string | null
  retryAt: string | null
  retryInMs: number | null
}

/** Stores what was delivered, and keeps the leases of a process, in one statement for all its webhooks. */
export async function renewLeases(
  db: Writable,
  holder: string,
  progress: readonly Progress[],
  deadline: number,
  { leaseMs } = TIMES.lease,
) {
  const rows = await db.write<RenewalRow>(renewStatement(holder, progress, leaseMs), deadline)
  return rows.map(
    ({ pingRequestedAt, retryAt, retryInMs, ...row }): Renewal => ({
      ...row,
      pingRequestedAt: pingRequestedAt ?? undefined,
      retry: retryAt === null || retryInMs === null ? undefined : { at: retryAt, inMs: retryInMs },
    }),
  )
}

/**
 * A request that changes a webhook ends its lease. The process that had it stores its progress once more, without its failures, which the
 * request may have reset: otherwise those events would be delivered again after each change. Progress is not stored if the request has
 * moved the position or changed the types, since events that are wanted now may have been passed over; nor if another process has
 * delivered more since.
 * Locked rows are skipped: one must not keep the other webhooks waiting. After a restore, another process may hold the lease that this one
 * remembers, or even this one itself. Its position would then be in a page with another token, and is not stored.
 * A retry that was requested since the last renewal is not overwritten: the process may end before it has tried.
 */
function renewStatement(holder: string, progress: readonly Progress[], leaseMs: number): Statement {
  const given = progress.map(({ position, ...rest }) => ({ ...rest, ...position, made: undefined }))
  const made = progress.flatMap(({ id, attempts, made: list }) =>
    list.map((attempt) => ({
      ...attempt,
      id,
      responseBody: attempt.number > attempts - BigInt(RESPONSES_KEPT) ? attempt.responseBody : undefined,
    })),
  )
  return {
    name: 'webhooks.renew',
    text: `
      with given as (
        select * from json_to_recordset($2) as given (
          id text, sequence bigint, "pageToken" bigint, revision int, attempts bigint, failures int, "failingSince" float8,
          "nextAttemptAt" float8, "hasSucceeded" boolean, pinged timestamptz, retried timestamptz, "end" text)),
      made as (
        select * from json_to_recordset($3) as made (
          id text, number bigint, at float8, "eventId" text, status smallint, error text, "durationMs" int, "responseBody" text)),
      locked as (
        select webhooks.id, leased_by is not null as is_held from webhooks join given using (id)
        where leased_by = $1 or (leased_by is null and webhooks.moves = given.revision
          and given.sequence >= webhooks.sequence and given.attempts >= webhooks.attempts)
        for no key update of webhooks skip locked),
      renewed as (
        update webhooks set
          state = case when is_held and given."end" = 'disabled' then 'disabled' else state end,
          has_succeeded = has_succeeded or (is_held and given."hasSucceeded"),
          sequence = given.sequence, mark = given."pageToken", attempts = given.attempts,
          failing_since = case when is_held then to_timestamp(given."failingSince" / 1000) else webhooks.failing_since end,
          failures = case when is_held then given.failures else webhooks.failures end,
          next_attempt_at = case
            when is_held and given."nextAttemptAt" is not null and retry_at is distinct from given.retried
            then least(to_timestamp(given."nextAttemptAt" / 1000), retry_at)
            when is_held then to_timestamp(given."nextAttemptAt" / 1000)
            else webhooks.next_attempt_at end,
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
            where mark <> given."pageToken") as is_known) as place
        where webhooks.id = given.id
          and (is_known or (webhooks.sequence, webhooks.mark) = (given.sequence, given."pageToken"))
        returning webhooks.id, ping_requested_at, retry_at),
      stored as (
        insert into webhook_attempts (webhook_id, place, at, event_id, status, error, duration_ms, response_body)
        select id, number % ${ATTEMPTS_KEPT}, to_timestamp(at / 1000), "eventId", status, error, "durationMs", "responseBody"
        from made join renewed using (id)
        on conflict (webhook_id, place) do update set
          at = excluded.at, event_id = excluded.event_id, status = excluded.status, error = excluded.error,
          duration_ms = excluded.duration_ms, response_body = excluded.response_body),
      forgotten as (
        update webhook_attempts as old set response_body = null
        from made join renewed using (id)
        where webhook_id = id and place = (number - ${RESPONSES_KEPT}) % ${ATTEMPTS_KEPT} and old.response_body is not null
          and not exists (select from made as newer where newer.id = webhook_id and newer.number % ${ATTEMPTS_KEPT} = place))
      select given.id, coalesce(leased_by = $1, false) as "isHeld", renewed.id is not null as "isRenewed",
             renewed.ping_requested_at::text as "pingRequestedAt", renewed.retry_at::text as "retryAt",
             (extract(epoch from renewed.retry_at - clock_timestamp()) * 1000)::float8 as "retryInMs"
      from given left join webhooks on webhooks.id = given.id left join renewed on renewed.id = given.id`,
    values: [holder, json(given), json(made)],
  }
}

function json(rows: readonly object[]) {
  return JSON.stringify(rows, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}

/** SQL for an interval. */
export function secondsOf(ms: number) {
  return `interval '${ms / 1_000} seconds'`
}
