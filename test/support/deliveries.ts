import type pg from 'pg'
import { type Config, readConfig } from '../../src/config.ts'
import { randomBase62 } from '../../src/lib/ids/key-format.ts'
import type { Times } from '../../src/lib/times.ts'
import { webhookSecret } from '../../src/lib/webhook-secret.ts'
import { startDelivery } from '../../src/service.ts'
import { openLogs } from './app.ts'
import { opened } from './cleanup.ts'
import { keepSecret } from './secrets.ts'
import { TEST_TIMES } from './times.ts'
import { until } from './until.ts'

export const MASTER_SECRET = 'a master secret that only these tests use'
keepSecret(MASTER_SECRET)

/** The secret of a webhook, as its receiver keeps it. */
export const secretOf = (id: string, number = 1) => webhookSecret(MASTER_SECRET, id, number)

export interface WebhookRow {
  id: string
  state: string
  reason: string | null
  has_succeeded: boolean
  sequence: string
  /** How many events there are after it. */
  behind: string
  failing_since: Date | null
  failures: number
  next_attempt_at: Date | null
  retry_at: Date | null
  attempts: string
  ping_requested_at: Date | null
  leased_by: string | null
  leased_until: Date | null
}

/** A webhook from the beginning of the feed, but for what the test says. */
export async function insertWebhook(pool: pg.Pool, url: string, overrides: Record<string, unknown> = {}) {
  const id = `wh_${randomBase62(20)}`
  const { rows } = await pool.query<{ first: string; mark: string }>(
    'select first, mark from feed_pages order by first',
  )
  const row = { id, url, sequence: rows[0]!.first, mark: rows[0]!.mark, ...overrides }
  const names = Object.keys(row)
  await pool.query(
    `insert into webhooks (${names.join()}) values (${names.map((_, i) => `$${i + 1}`).join()})`,
    Object.values(row),
  )
  keepSecret(secretOf(id))
  return id
}

export async function webhookOf(pool: pg.Pool, id: string) {
  const { rows } = await pool.query<WebhookRow>(
    `select *, (select max(first + greatest(cardinality(pet_ids), 1)) - 1 from feed_pages) - sequence as behind
     from webhooks where id = $1`,
    [id],
  )
  return rows[0]!
}

/** Changes a webhook as a request does, except that its next process need not wait. */
export async function changeWebhook(pool: pg.Pool, id: string, changes: string) {
  await pool.query(`update webhooks set ${changes}, leased_by = null, leased_until = null where id = $1`, [id])
}

/** As if its time to be tried again had come. */
export const retryNow = (pool: pg.Pool, id: string) => changeWebhook(pool, id, 'next_attempt_at = null')

export async function untilWebhook(pool: pg.Pool, id: string, isSo: (row: WebhookRow) => boolean) {
  return until(async () => {
    const row = await webhookOf(pool, id)
    return isSo(row) && row
  })
}

interface AttemptRow {
  at: Date
  event_id: string
  status: number | null
  error: string | null
  duration_ms: number
  response_body: string | null
}

/** Newest first. */
export async function attemptsOf(pool: pg.Pool, id: string) {
  const { rows } = await pool.query<AttemptRow>(
    'select * from webhook_attempts where webhook_id = $1 order by at desc, place desc',
    [id],
  )
  return rows
}

/** `petstore deliver` in this process, allowed to send to loopback. */
export async function startDelivering(
  databaseUrl: string,
  overrides: Partial<Config> = {},
  times: Partial<Times> = {},
) {
  const { logs, logTo } = openLogs()
  const config = {
    ...readConfig({ DATABASE_URL: databaseUrl, ADMIN_PORT: '0', WEBHOOK_NETWORKS: '127.0.0.0/8' }),
    ...overrides,
  }
  const delivery = await startDelivery(config, MASTER_SECRET, { logTo, times: { ...TEST_TIMES, ...times } })
  opened.use(delivery)
  return { delivery, logs }
}
