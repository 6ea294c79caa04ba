import type { EventType } from '../../domain/types/event.ts'
import { type LeaseTimes, TIMES } from '../../lib/times.ts'
import { HEAD_QUERY, parseHead } from '../events/sequencer.ts'
import type { Statement, Writable } from '../postgres/statement.ts'
import { type LeasedWebhook, secondsOf } from './leases.ts'

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
  retryAt: string | null
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
             ping_requested_at::text as "pingRequestedAt", retry_at::text as "retryAt"
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
    retryAt: row.retryAt ?? undefined,
  }
}

/** Removes this process from those that share the webhooks, when it claims no more. */
export async function leave(db: Writable, holder: string, deadline: number) {
  await db.write({ text: 'delete from deliverers where id = $1', values: [holder] }, deadline)
}

/** SQL for a time in milliseconds since 1970, with their fractions: a floating-point number is exact enough. */
function floatMillisecondsOf(column: string) {
  return `(extract(epoch from ${column}) * 1000)::float8`
}
