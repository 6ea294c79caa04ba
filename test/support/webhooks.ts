import type pg from 'pg'
import { type Answer, type Call, patchJson, postJson } from './app.ts'

export const WEBHOOKS = '/v1/webhooks'
export const MASTER_SECRET = 'a-secret-of-tests-that-signs-nothing-else'
export const RECEIVER = 'https://shop.example/hooks'

/** A webhook as the service prints it. */
export interface Webhook {
  id: string
  name?: string
  url: string
  types: string[] | null
  state: string
  reason?: string
  createdAt: string
  createdBy?: string
  changedBy?: string
  sequence: string
  behind: bigint
  failingSince?: string
  attempts?: bigint
  nextAttemptAt?: string
  lastAttempt?: Attempt
  oldSecretEndsAt?: string
  secret?: string
}

export interface Attempt {
  at: string
  eventId: string
  status?: bigint
  error?: string
  durationMs: bigint
  responseBody?: string
}

export const webhookOf = (answer: Answer) => answer.body as Webhook

/** What can be done with webhooks, by their operations. */
export function webhookCalls(call: Call) {
  return {
    list: async () => (await call(WEBHOOKS)).body as Webhook[],
    create: (body: unknown = { url: RECEIVER }, headers: Record<string, string> = {}) =>
      call(WEBHOOKS, postJson(body, headers)),
    get: (id: string) => call(`${WEBHOOKS}/${id}`),
    patch: (id: string, body: unknown) => call(`${WEBHOOKS}/${id}`, patchJson(body)),
    remove: (id: string) => call(`${WEBHOOKS}/${id}`, { method: 'DELETE' }),
    rotate: (id: string, body: unknown = {}) => call(`${WEBHOOKS}/${id}/rotate`, postJson(body)),
    ping: (id: string) => call(`${WEBHOOKS}/${id}/ping`, { method: 'POST' }),
    retry: (id: string) => call(`${WEBHOOKS}/${id}/retry`, { method: 'POST' }),
    attempts: (id: string) => call(`${WEBHOOKS}/${id}/attempts`),
  }
}

/** A webhook straight into the table, as the service would print it. `behind` follows from the feed. */
export async function insertWebhook(pool: pg.Pool, webhook: Omit<Webhook, 'behind'>) {
  await pool.query(
    `insert into webhooks (id, url, types, state, created_at, sequence, mark, failing_since, failures, next_attempt_at,
       reason, created_by, changed_by, name)
     select $1, $2, $3, $4, $5, $6, mark, $7, $8, $9, $10, $11, $12, $13 from feed_pages order by first desc limit 1`,
    [
      webhook.id,
      webhook.url,
      webhook.types?.join(' '),
      webhook.state,
      webhook.createdAt,
      webhook.sequence,
      webhook.failingSince,
      webhook.attempts ?? 0,
      webhook.nextAttemptAt,
      webhook.reason,
      webhook.createdBy,
      webhook.changedBy,
      webhook.name,
    ],
  )
  if (webhook.lastAttempt) await insertAttempts(pool, webhook.id, [webhook.lastAttempt])
}

/** Oldest first. */
export async function insertAttempts(pool: pg.Pool, id: string, attempts: Attempt[]) {
  for (const { at, eventId, status, error, durationMs, responseBody } of attempts)
    await pool.query(
      `with counted as (update webhooks set attempts = attempts + 1 where id = $1 returning attempts)
       insert into webhook_attempts select $1, attempts % 100, $2, $3, $4, $5, $6, $7 from counted
       on conflict (webhook_id, place) do update
       set (at, event_id, status, error, duration_ms, response_body) = ($2, $3, $4, $5, $6, $7)`,
      [id, at, eventId, status, error, durationMs, responseBody],
    )
}
