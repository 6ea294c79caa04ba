import { TIMES } from '../../lib/times.ts'
import type { Place } from '../events/pages.ts'
import type { EventType } from '../events/stored-event.ts'
import { LOCKS } from '../postgres/locks.ts'
import type { Queryable, Transactional, Writable } from '../postgres/statement.ts'

type WebhookState = 'active' | 'paused' | 'disabled'

export interface AttemptRow {
  at: Date
  eventId: string
  /** Of the response; null if there was none. */
  status: number | null
  error: string | null
  durationMs: number
}

export interface WebhookRow {
  id: string
  url: string
  /** Null for all. */
  types: EventType[] | null
  state: WebhookState
  createdAt: Date
  secretNumber: number
  /** Only while the secret before still signs. */
  oldSecretEndsAt: Date | null
  sequence: bigint
  failingSince: Date | null
  failures: number
  nextAttemptAt: Date | null
  /** The time is text: it comes as JSON. */
  lastAttempt: (Omit<AttemptRow, 'at'> & { at: string }) | null
}

const ATTEMPT_COLUMNS = 'at, event_id as "eventId", status, error, duration_ms as "durationMs"'
/** Attempts that were made at once have one time. */
const NEWEST_FIRST = 'order by at desc, place desc'

const COLUMNS = `id, url, string_to_array(types, ' ') as types, state, created_at as "createdAt", secret_number as "secretNumber",
  case when old_secret_ends_at > now() then old_secret_ends_at end as "oldSecretEndsAt",
  sequence, failing_since as "failingSince", failures, next_attempt_at as "nextAttemptAt",
  (select to_json(last) from (
     select ${ATTEMPT_COLUMNS} from webhook_attempts where webhook_id = webhooks.id ${NEWEST_FIRST} limit 1
   ) as last) as "lastAttempt"`

/**
 * SQL that takes a webhook from the process that delivers for it. That process notices within a second, and no other delivers
 * before it has.
 */
const END_LEASE = `leased_by = null,
  leased_until = case when leased_until > now() then least(leased_until, now() + interval '${TIMES.lease.noticeMs} milliseconds') end`

/** Oldest first. */
export async function list(db: Queryable): Promise<WebhookRow[]> {
  return db.query<WebhookRow & Record<string, unknown>>({
    name: 'webhooks.list',
    text: `select ${COLUMNS} from webhooks order by created_at, id`,
  })
}

export async function find(db: Queryable, id: string): Promise<WebhookRow | undefined> {
  const [row] = await db.query<WebhookRow & Record<string, unknown>>({
    name: 'webhooks.find',
    text: `select ${COLUMNS} from webhooks where id = $1`,
    values: [id],
  })
  return row
}

/** A webhook that delivers what comes after its place. */
export interface NewWebhook {
  id: string
  url: string
  types: readonly EventType[] | null
  place: Place
}

/** Undefined if there are as many as there may be. The lock keeps two from counting the same ones. */
export async function insert(db: Transactional, webhook: NewWebhook, most: number): Promise<WebhookRow | undefined> {
  const { id, url, types, place } = webhook
  return db.transaction(async (transaction) => {
    await transaction.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCKS.newWebhooks] })
    await transaction.query({
      name: 'webhooks.insert',
      text: `
        insert into webhooks (id, url, types, sequence, mark)
        select $1, $2, $3, $4, $5 where (select count(*) from webhooks) < $6 on conflict do nothing`,
      values: [id, url, joined(types), place.sequence, place.mark, most],
    })
    // It may be there from an attempt whose outcome was unknown.
    return await find(transaction, id)
  })
}

/** What is absent stays as it is. */
export interface WebhookChange {
  url?: string | undefined
  types?: readonly EventType[] | null | undefined
  state?: Exclude<WebhookState, 'disabled'> | undefined
  place?: Place | undefined
}

/** Where it is sent to another URL, activated or moved, earlier failures no longer count. Undefined if there is none with this id. */
export async function update(db: Writable, id: string, change: WebhookChange): Promise<WebhookRow | undefined> {
  const { url, types, state, place } = change
  const isFresh = `($5 = 'active' or $6::bigint is not null or $2 <> url)`
  const [row] = await db.write<WebhookRow & Record<string, unknown>>({
    name: 'webhooks.update',
    text: `
      with changed as (
        update webhooks set
          url = coalesce($2, url),
          types = case when $3::boolean then $4 else types end,
          state = coalesce($5, state),
          sequence = coalesce($6, sequence),
          mark = coalesce($7, mark),
          moves = moves + ($6::bigint is not null or ($3::boolean and types is distinct from $4))::int,
          failing_since = case when ${isFresh} then null else failing_since end,
          failures = case when ${isFresh} then 0 else failures end,
          next_attempt_at = case when ${isFresh} then null else next_attempt_at end,
          ${END_LEASE}
        where id = $1 returning *)
      select ${COLUMNS} from changed as webhooks`,
    values: [id, url, types !== undefined, joined(types), state, place?.sequence, place?.mark],
  })
  return row
}

/** Gives it another secret. The one before signs too until the overlap ends. */
export async function rotate(db: Writable, id: string, overlapSeconds: number): Promise<WebhookRow | undefined> {
  const [row] = await db.writeOnce<WebhookRow & Record<string, unknown>>({
    name: 'webhooks.rotate',
    text: `
      with changed as (
        update webhooks set
          secret_number = secret_number + 1,
          old_secret_ends_at = now() + make_interval(secs => $2),
          ${END_LEASE}
        where id = $1 returning *)
      select ${COLUMNS} from changed as webhooks`,
    values: [id, overlapSeconds],
  })
  return row
}

/** Returns whether there is a webhook with this id. */
export async function requestPing(db: Writable, id: string) {
  const rows = await db.write({
    name: 'webhooks.requestPing',
    text: 'update webhooks set ping_requested_at = clock_timestamp() where id = $1 returning id',
    values: [id],
  })
  return rows.length > 0
}

/** Returns whether there was a webhook with this id. */
export async function remove(db: Writable, id: string) {
  const rows = await db.writeOnce({
    name: 'webhooks.remove',
    text: 'delete from webhooks where id = $1 returning id',
    values: [id],
  })
  return rows.length > 0
}

/** The last hundred, newest first. Undefined if there is no webhook with this id. */
export async function listAttempts(db: Queryable, id: string): Promise<AttemptRow[] | undefined> {
  const rows = await db.query<{ [Field in keyof AttemptRow]: AttemptRow[Field] | null }>({
    name: 'webhooks.listAttempts',
    text: `
      select ${ATTEMPT_COLUMNS} from webhooks left join webhook_attempts on webhook_id = id
      where id = $1 ${NEWEST_FIRST}`,
    values: [id],
  })
  return rows.length === 0 ? undefined : rows.filter((row): row is AttemptRow => row.at !== null)
}

function joined(types: readonly EventType[] | null | undefined) {
  return types?.join(' ') ?? null
}
