import type { EventType, FeedPosition } from '../../domain/types/event.ts'
import type { PauseReason, WebhookState } from '../../domain/types/webhook.ts'
import type { Queryable, Writable } from '../postgres/statement.ts'
import { END_LEASE } from './owners.ts'

export interface AttemptRow {
  at: Date
  eventId: string
  /** Of the response; null if there was none. */
  status: number | null
  error: string | null
  durationMs: number
  /** How the response begins; null if none is kept. */
  responseBody: string | null
}

export interface WebhookRow {
  id: string
  name: string | null
  url: string
  /** Null for all. */
  types: EventType[] | null
  state: WebhookState
  /** Only if the service has paused it. */
  reason: PauseReason | null
  createdAt: Date
  /** The ids of keys; null if an earlier version stored none. */
  createdBy: string | null
  changedBy: string | null
  secretNumber: number
  /** Set while the previous secret still signs. */
  oldSecretEndsAt: Date | null
  sequence: bigint
  failingSince: Date | null
  failures: number
  nextAttemptAt: Date | null
  /** `at` is text, since the row comes in JSON. */
  lastAttempt: (Omit<AttemptRow, 'at'> & { at: string }) | null
}

const ATTEMPT_COLUMNS =
  'at, event_id as "eventId", status, error, duration_ms as "durationMs", response_body as "responseBody"'
/** Attempts may have the same time. */
const NEWEST_FIRST = 'order by at desc, place desc'

const COLUMNS = `id, name, url, string_to_array(types, ' ') as types, state, case when state = 'paused' then reason end as reason,
  created_at as "createdAt", created_by as "createdBy", changed_by as "changedBy", secret_number as "secretNumber",
  case when old_secret_ends_at > now() then old_secret_ends_at end as "oldSecretEndsAt",
  sequence, failing_since as "failingSince", failures, next_attempt_at as "nextAttemptAt",
  (select to_json(last) from (
     select ${ATTEMPT_COLUMNS} from webhook_attempts where webhook_id = webhooks.id ${NEWEST_FIRST} limit 1
   ) as last) as "lastAttempt"`

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

/** The webhook with this number, which the Idempotency-Key that created it refers to. */
export async function findByCreation(db: Queryable, creation: bigint): Promise<WebhookRow | undefined> {
  const [row] = await db.query<WebhookRow & Record<string, unknown>>({
    name: 'webhooks.findByCreation',
    text: `select ${COLUMNS} from webhooks where creation = $1`,
    values: [creation],
  })
  return row
}

/** Absent fields stay unchanged. */
export interface WebhookChange {
  /** Null for none. */
  name?: string | null | undefined
  url?: string | undefined
  types?: readonly EventType[] | null | undefined
  state?: Exclude<WebhookState, 'disabled'> | undefined
  position?: FeedPosition | undefined
  /** The key that it delivers for from now on. */
  changedBy?: string | undefined
}

/** Changes a webhook; undefined if there is none with this id. Another URL, activating and moving reset its failures. */
export async function update(db: Writable, id: string, change: WebhookChange): Promise<WebhookRow | undefined> {
  const { name, url, types, state, position, changedBy } = change
  const isFresh = `($5 = 'active' or $6::bigint is not null or $2 <> url)`
  const [row] = await db.write<WebhookRow & Record<string, unknown>>({
    name: 'webhooks.update',
    text: `
      with changed as (
        update webhooks set
          name = case when $9::boolean then $10 else name end,
          url = coalesce($2, url),
          types = case when $3::boolean then $4 else types end,
          state = coalesce($5, state),
          reason = case when $5 is null then reason end,
          changed_by = coalesce($8, changed_by),
          has_succeeded = has_succeeded and coalesce($2 = url, true),
          sequence = coalesce($6, sequence),
          mark = coalesce($7, mark),
          moves = moves + ($6::bigint is not null or ($3::boolean and types is distinct from $4))::int,
          failing_since = case when ${isFresh} then null else failing_since end,
          failures = case when ${isFresh} then 0 else failures end,
          next_attempt_at = case when ${isFresh} then null else next_attempt_at end,
          ${END_LEASE}
        where id = $1 returning *)
      select ${COLUMNS} from changed as webhooks`,
    values: [
      id,
      url,
      types !== undefined,
      joined(types),
      state,
      position?.sequence,
      position?.pageToken,
      changedBy,
      name !== undefined,
      name,
    ],
  })
  return row
}

/** Gives the webhook a new secret. The previous one signs too until the overlap ends. */
export async function rotate(
  db: Writable,
  id: string,
  overlapSeconds: number,
  changedBy: string,
): Promise<WebhookRow | undefined> {
  const [row] = await db.writeOnce<WebhookRow & Record<string, unknown>>({
    name: 'webhooks.rotate',
    text: `
      with changed as (
        update webhooks set
          secret_number = secret_number + 1,
          old_secret_ends_at = now() + make_interval(secs => $2),
          changed_by = $3,
          ${END_LEASE}
        where id = $1 returning *)
      select ${COLUMNS} from changed as webhooks`,
    values: [id, overlapSeconds, changedBy],
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

/** How far apart two requests for a retry take effect. */
export const RETRY_SECONDS = 10

/**
 * Has the delivery that waits tried at once, or, if a retry was requested shortly before, as soon as the next may be. One that is due, or
 * under way, is not requested again. The lease stays: the process that has it notices with its next renewal. Undefined if there is no
 * webhook with this id.
 */
export async function requestRetry(
  db: Writable,
  id: string,
): Promise<{ state: WebhookState; isRequested: boolean } | undefined> {
  const retryAt = `case when next_attempt_at <= retry_at then retry_at
            else greatest(clock_timestamp(), retry_at + interval '${RETRY_SECONDS} seconds') end`
  const [row] = await db.write<{ state: WebhookState; isRequested: boolean }>({
    name: 'webhooks.requestRetry',
    text: `
      with wanted as (
        select id, ${retryAt} as at from webhooks
        where id = $1 and state = 'active' and next_attempt_at is not null for no key update),
      requested as (
        update webhooks set retry_at = wanted.at, next_attempt_at = least(next_attempt_at, wanted.at)
        from wanted where webhooks.id = wanted.id returning webhooks.id)
      select state, exists (select from requested) as "isRequested" from webhooks where id = $1`,
    values: [id],
  })
  return row
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

/** The types as one text, which the table stores. */
export function joined(types: readonly EventType[] | null | undefined) {
  return types?.join(' ') ?? null
}
