import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../lib/batch.ts'
import { newWebhookId } from '../lib/ids/webhook-id.ts'
import type { ReceiverRules } from '../lib/receivers.ts'
import { webhookSecret } from '../lib/webhook-secret.ts'
import { readOldest, readSince } from '../storage/events/pages.ts'
import { HEAD_STATEMENT, parseHead } from '../storage/events/sequencer.ts'
import type { Idempotent } from '../storage/idempotency/stored-keys.ts'
import { list as listKeys } from '../storage/keys/keys.ts'
import type { Queryable, Writable } from '../storage/postgres/statement.ts'
import { insert, MAX_WEBHOOKS, type NewWebhook } from '../storage/webhooks/create.ts'
import { findEnd, OWNER_SCOPES, pauseEnded } from '../storage/webhooks/owners.ts'
import * as webhooks from '../storage/webhooks/webhooks.ts'
import { DomainError } from './errors.ts'
import { cursorExpired } from './events.ts'
import { createOnce, fingerprintOf } from './idempotency.ts'
import type { Principal } from './principal.ts'
import type { Store } from './store.ts'
import type { FeedPosition } from './types/event.ts'
import type { ApiKey } from './types/key.ts'
import type { Attempt, PauseReason, Webhook, WebhookState } from './types/webhook.ts'

/** What the operator decides about webhooks. */
export interface WebhookSettings {
  /** Their secrets derive from it; undefined where none can be created. */
  masterSecret: string | undefined
  receivers: ReceiverRules
}

/** Where the feed ends says how far a webhook is behind. */
type Reading = { db: Store['db']; feed: Pick<Store['feed'], 'end'> }

export async function listWebhooks({ db, feed }: Reading) {
  const rows = await webhooks.list(db)
  return rows.map((row) => webhookOf(row, feed))
}

export async function getWebhook({ db, feed }: Reading, id: string) {
  return webhookOf(found(await webhooks.find(db, id), id), feed)
}

/** The number of the secret that a webhook is created with. */
const FIRST_SECRET = 1

/**
 * Creates a webhook for the events from now on. Its secret is returned here and by `rotateSecret`, and stored nowhere. With a key it is
 * created once: a repeated request gets the webhook as it is now, with its secret, unless that was rotated.
 */
export async function createWebhook(
  { db, feed, idempotentWebhooks }: Pick<Store, 'db' | 'feed' | 'idempotentWebhooks'>,
  settings: WebhookSettings,
  principal: Principal,
  { name, url, types }: Pick<NewWebhook, 'name' | 'url' | 'types'>,
  key?: string,
  caller?: Caller,
) {
  const masterSecret = requireMasterSecret(settings)
  const input = { id: newWebhookId(), name, url, types, position: feed.end, createdBy: principal.keyId }
  if (key === undefined) {
    const row = await insert(db, input)
    if (!row) throw tooManyWebhooks()
    return { webhook: withSecret(webhookOf(row, feed), masterSecret, FIRST_SECRET), isReplay: false }
  }
  // Without a name as a version that knew none has stored it.
  const values = [url, types?.join(' ') ?? null, ...(name === null ? [] : [name])]
  const fingerprints = [fingerprintOf(values)] as const
  const request = { key, fingerprints, input }
  const insertOnce = async (item: Idempotent<NewWebhook>) => {
    const result = await idempotentWebhooks.insert(item)
    if (result.outcome === 'rejected') throw tooManyWebhooks()
    return result
  }
  const { id, isReplay } = await createOnce(insertOnce, principal, request, caller)
  const row = await webhooks.findByCreation(db, id)
  if (!row)
    throw new DomainError(
      'idempotency_key_reused',
      'The webhook that this Idempotency-Key created was deleted. Send a new key to create another.',
    )
  // A secret that was replaced is never shown again: it verifies nothing, or will not for long.
  if (row.secretNumber !== FIRST_SECRET)
    throw new DomainError(
      'idempotency_key_reused',
      `The secret of the webhook ${row.id}, which this Idempotency-Key created, was rotated since. Rotate it again to get another, or send a new key to create another webhook.`,
    )
  return { webhook: withSecret(webhookOf(row, feed), masterSecret, FIRST_SECRET), isReplay }
}

/** Where a webhook continues: after a position, at the oldest event that is kept, or at the first since a time. */
type Target = FeedPosition | 'oldest' | { since: number }

/** Changes a webhook, which delivers for this key from now on; a position must still be in the feed. */
export async function updateWebhook(
  { db, feed }: Pick<Store, 'db' | 'feed'>,
  { keyId }: Pick<Principal, 'keyId'>,
  id: string,
  change: Omit<webhooks.WebhookChange, 'position' | 'changedBy'> & { position: Target | undefined },
  caller?: Caller,
) {
  const { position: wanted, ...fields } = change
  const position = wanted && (await positionOf({ db, feed }, wanted))
  if (position) {
    found(await webhooks.find(db, id), id)
    if (!(await feed.list({ after: position, limit: 1 }, caller))) throw cursorExpired()
  }
  return webhookOf(found(await webhooks.update(db, id, { ...fields, position, changedBy: keyId }), id), feed)
}

async function positionOf({ db, feed }: Pick<Store, 'db' | 'feed'>, target: Target) {
  if (target === 'oldest') return readOldest(db, feed.head)
  return 'since' in target ? readSince(db, feed.head, target.since) : target
}

/** Pauses a webhook, by a command. */
export async function pauseWebhook({ db, feed }: Reading, id: string) {
  return webhookOf(found(await webhooks.update(db, id, { state: 'paused' }), id), feed)
}

/** Lets a webhook continue where it stopped, by a command: for its key, or for another one that the operator names. */
export async function resumeWebhook({ db, feed }: Reading, id: string, keyId?: string) {
  const change = { state: 'active', changedBy: keyId } as const
  return webhookOf(found(await webhooks.update(db, id, change), id), feed)
}

/** Why the key of a webhook, or those that were made in its place, cannot receive events any more; undefined if it can. */
export async function findEndOfKey({ db }: { db: Queryable }, id: string): Promise<PauseReason | undefined> {
  return findEnd(db, id)
}

export function missingScopes({ scopes }: { scopes: readonly string[] }) {
  return OWNER_SCOPES.filter((scope) => !scopes.includes(scope))
}

// For a webhook that a process is renewing just now.
const PAUSE_MS = 50
const MAX_PAUSES = 100

/** Pauses the webhooks whose keys have ended. Returns those that this key, or another of its rotations, has created or changed last. */
export async function pauseWebhooksOf({ db }: { db: Writable }, { firstId }: Pick<ApiKey, 'firstId'>) {
  const keys = await listKeys(db)
  const chain = new Set<string | null>(keys.filter((key) => key.firstId === firstId).map(({ id }) => id))
  for (let pauses = 0; ; pauses++) {
    await pauseEnded(db)
    const rows = (await webhooks.list(db))
      .filter(({ createdBy, changedBy }) => chain.has(createdBy) || chain.has(changedBy))
      .map(({ id, url, state, reason, changedBy }) => ({
        id,
        url,
        state,
        reason,
        changedBy,
        isOwn: chain.has(changedBy),
      }))
    const active = rows.filter(({ state, isOwn }) => state === 'active' && isOwn)
    const ends = await Promise.all(active.map(({ id }) => findEnd(db, id)))
    if (pauses === MAX_PAUSES || ends.every((end) => end === undefined)) return rows
    await sleep(PAUSE_MS)
  }
}

/** Gives a webhook another secret. Until the overlap ends, the one before signs too. */
export async function rotateSecret(
  { db, feed }: Pick<Store, 'db' | 'feed'>,
  settings: WebhookSettings,
  { keyId }: Pick<Principal, 'keyId'>,
  id: string,
  overlapSeconds: number,
) {
  const masterSecret = requireMasterSecret(settings)
  const row = found(await webhooks.rotate(db, id, overlapSeconds, keyId), id)
  return withSecret(webhookOf(row, feed), masterSecret, row.secretNumber)
}

/** A process that delivers sends a ping as soon as it can. */
export async function pingWebhook({ db }: Pick<Store, 'db'>, id: string) {
  if (!(await webhooks.requestPing(db, id))) throw webhookNotFound(id)
}

/** A process that delivers tries again what waits, as soon as it notices. */
export async function retryWebhook({ db }: Pick<Store, 'db'>, id: string) {
  const { state, isRequested } = found(await webhooks.requestRetry(db, id), id)
  if (!isRequested) throw nothingToRetry(state)
}

export async function deleteWebhook({ db }: Pick<Store, 'db'>, id: string) {
  if (!(await webhooks.remove(db, id))) throw webhookNotFound(id)
}

/** The last hundred, newest first. */
export async function listAttempts({ db }: Pick<Store, 'db'>, id: string) {
  return found(await webhooks.listAttempts(db, id), id).map(attemptOf)
}

/** For a command, which reads the end of the feed once. */
export async function atFeedEnd<Db extends Queryable>(db: Db) {
  const [row] = await db.query<{ head: string }>(HEAD_STATEMENT)
  const end = parseHead(row?.head ?? '')
  if (!end) throw new Error('the feed has no pages')
  return { db, feed: { end } }
}

function requireMasterSecret({ masterSecret }: WebhookSettings) {
  if (masterSecret === undefined) throw webhooksNotConfigured()
  return masterSecret
}

function withSecret(webhook: Webhook, masterSecret: string, secretNumber: number) {
  return { ...webhook, secret: webhookSecret(masterSecret, webhook.id, secretNumber) }
}

function webhookOf(row: webhooks.WebhookRow, { end }: Reading['feed']): Webhook {
  const { id, name, url, types, state, createdAt, sequence, failingSince, failures, nextAttemptAt, lastAttempt } = row
  return {
    id,
    ...(name !== null && { name }),
    url,
    types,
    state,
    ...(row.reason !== null && { reason: row.reason }),
    createdAt: createdAt.toISOString(),
    ...(row.createdBy !== null && { createdBy: row.createdBy }),
    ...(row.changedBy !== null && { changedBy: row.changedBy }),
    sequence: String(sequence).padStart(16, '0'),
    // A process may have delivered what this one does not know yet.
    behind: Math.max(0, Number(end.sequence - sequence)),
    ...(failingSince && { failingSince: failingSince.toISOString(), attempts: failures }),
    ...(nextAttemptAt && state === 'active' && { nextAttemptAt: nextAttemptAt.toISOString() }),
    ...(lastAttempt && { lastAttempt: attemptOf({ ...lastAttempt, at: new Date(lastAttempt.at) }) }),
    ...(row.oldSecretEndsAt && { oldSecretEndsAt: row.oldSecretEndsAt.toISOString() }),
  }
}

function attemptOf({ at, eventId, status, error, durationMs, responseBody }: webhooks.AttemptRow): Attempt {
  return {
    at: at.toISOString(),
    eventId,
    ...(status !== null && { status }),
    ...(error !== null && { error }),
    durationMs,
    ...(responseBody !== null && { responseBody }),
  }
}

function found<T>(value: T | undefined, id: string) {
  if (value === undefined) throw webhookNotFound(id)
  return value
}

/** Also for text that is no id, as the client sent it. */
export function webhookNotFound(id: bigint | string) {
  return new DomainError('webhook_not_found', `No webhook has the id ${id}.`)
}

export function tooManyWebhooks() {
  return new DomainError(
    'too_many_webhooks',
    `There are ${MAX_WEBHOOKS} webhooks already, and a store can have no more. Delete one first.`,
  )
}

export function nothingToRetry(state: WebhookState) {
  return new DomainError(
    'nothing_to_retry',
    state === 'active'
      ? 'Nothing waits for another attempt: the webhook is not failing. Events are sent as they happen.'
      : `The webhook is ${state}, so nothing is sent. Change its \`state\` to \`active\`: it continues at once.`,
  )
}

export function webhooksNotConfigured() {
  return new DomainError(
    'webhooks_not_configured',
    'This service has no secret to sign webhooks with. Its operator must set WEBHOOK_MASTER_SECRET.',
  )
}
