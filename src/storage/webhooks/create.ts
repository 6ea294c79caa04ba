import type { EventType, FeedPosition } from '../../domain/types/event.ts'
import { type IdempotentInserts, type IdempotentResult, replayMetric } from '../idempotency/inserts.ts'
import type { Idempotent } from '../idempotency/stored-keys.ts'
import { LOCKS } from '../postgres/locks.ts'
import { type Transaction, type Transactional, WAIT_FOR_STANDBY } from '../postgres/statement.ts'
import { find, joined, type WebhookRow } from './webhooks.ts'

/** A webhook to insert. It delivers the events after `position`. */
export interface NewWebhook {
  id: string
  name: string | null
  url: string
  types: readonly EventType[] | null
  position: FeedPosition
  /** The id of the key. */
  createdBy: string
}

export const MAX_WEBHOOKS = 20
const OPERATION = 'createWebhook'

/** `rejected`: there are `MAX_WEBHOOKS` already. */
type Result = IdempotentResult | { outcome: 'rejected' }

/** Undefined if there are `MAX_WEBHOOKS` already. */
export async function insert(db: Transactional, webhook: NewWebhook): Promise<WebhookRow | undefined> {
  return db.transaction((transaction) => insertLocked(transaction, webhook, null))
}

/**
 * Inserts a webhook unless its Idempotency-Key is stored already. The key refers to the number `creation`, since the id of a webhook is
 * text. An advisory lock keeps two inserts with the same key from running at once, as for other operations.
 */
export function openIdempotentWebhooks(db: Transactional): IdempotentInserts<NewWebhook, Result> {
  let replays = 0
  return {
    insert: async (item) => {
      const result = await db.transaction((transaction) => insertOnce(transaction, item))
      if (result.outcome === 'replayed') replays++
      return result
    },
    metrics: [replayMetric(() => replays)],
  }
}

async function insertOnce(
  transaction: Transaction,
  { apiKeyId, chainId, key, attempt, fingerprints, input }: Idempotent<NewWebhook>,
): Promise<Result> {
  const [fingerprint] = fingerprints
  const [lock] = await transaction.query<{ isFree: boolean }>({
    name: 'webhooks.lockKey',
    text: 'select pg_try_advisory_xact_lock(hashtextextended($1, hashtextextended($2, 0))) as "isFree"',
    values: [key, chainId],
  })
  if (!lock?.isFree) return { outcome: 'in progress' }
  const [stored] = await transaction.query<{ id: bigint; keyId: string; isSame: boolean; isOwn: boolean }>({
    name: 'webhooks.readKey',
    text: `
      select pet_id as id, api_key_id as "keyId", fingerprint = decode($4, 'hex') as "isSame", attempt = $5 as "isOwn"
      from idempotency_keys
      where key = $1 and coalesce(chain_id, api_key_id) = $2 and operation = $3`,
    values: [key, chainId, OPERATION, fingerprint, attempt],
  })
  if (stored) {
    await transaction.query(WAIT_FOR_STANDBY)
    if (!stored.isSame) return { outcome: 'reused' }
    const { id, keyId, isOwn } = stored
    return isOwn ? { outcome: 'created', id } : { outcome: 'replayed', id, keyId }
  }
  const creation = BigInt(attempt)
  if (!(await insertLocked(transaction, input, creation))) return { outcome: 'rejected' }
  await transaction.query({
    name: 'webhooks.storeKey',
    text: `
      insert into idempotency_keys (api_key_id, chain_id, operation, key, attempt, fingerprint, pet_id)
      values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7)`,
    values: [apiKeyId, chainId, OPERATION, key, attempt, fingerprint, creation],
  })
  return { outcome: 'created', id: creation }
}

/** The lock keeps two inserts from taking the last free slot. */
async function insertLocked(transaction: Transaction, webhook: NewWebhook, creation: bigint | null) {
  const { id, name, url, types, position, createdBy } = webhook
  await transaction.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCKS.newWebhooks] })
  await transaction.query({
    name: 'webhooks.insert',
    text: `
      insert into webhooks (id, url, types, sequence, mark, created_by, changed_by, creation, name)
      select $1, $2, $3, $4, $5, $7, $7, $8, $9 where (select count(*) from webhooks) < $6 on conflict do nothing`,
    values: [id, url, joined(types), position.sequence, position.pageToken, MAX_WEBHOOKS, createdBy, creation, name],
  })
  // The row may exist already, from an attempt whose outcome was unknown.
  return await find(transaction, id)
}
