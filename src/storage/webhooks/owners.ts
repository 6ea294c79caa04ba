import type { PauseReason } from '../../domain/types/webhook.ts'
import { TIMES } from '../../lib/times.ts'
import type { Queryable, Writable } from '../postgres/statement.ts'

/** The scopes that a key needs for its webhooks to deliver. */
export const OWNER_SCOPES = ['webhooks:manage', 'events:read'] as const

/**
 * SQL that ends the lease of a webhook. The process that had it notices within a second, and no other may claim the webhook before
 * `noticeMs`.
 */
export const END_LEASE = `leased_by = null,
  leased_until = case when leased_until > now() then least(leased_until, now() + interval '${TIMES.lease.noticeMs} milliseconds') end`

/**
 * SQL for the webhooks that match `which` and whose keys have all ended, each with the reason of the last key. The keys are the one that
 * last changed the webhook, and those that replaced it by rotation.
 */
const endedOf = (which: string) => `
  recursive keys as (
    select webhooks.id as webhook_id, changed_by, 1 as place, replaced_by, revoked_at, expires_at, scopes
    from webhooks join api_keys on api_keys.id = changed_by where ${which}
    union all
    select webhook_id, changed_by, place + 1, next.replaced_by, next.revoked_at, next.expires_at, next.scopes
    from keys join api_keys as next on next.id = keys.replaced_by),
  valid as (
    select *, revoked_at is null and (expires_at is null or expires_at > now()) as is_valid,
           scopes @> '{${OWNER_SCOPES.join()}}' as has_scopes
    from keys),
  ended as (
    select webhook_id, changed_by,
           (array_agg(
             case when is_valid then 'key_scope' when revoked_at is not null then 'key_revoked' else 'key_expired' end
             order by place desc))[1] as reason
    from valid group by webhook_id, changed_by having not bool_or(is_valid and has_scopes))`

export interface PausedWebhook {
  id: string
  reason: PauseReason
  /** The key that has ended. */
  keyId: string
}

/** Pauses the active webhooks whose keys have ended, and returns them. Locked ones are left for the next round. */
export async function pauseEnded(db: Writable, deadline?: number): Promise<PausedWebhook[]> {
  return db.write<PausedWebhook & Record<string, unknown>>(
    {
      name: 'webhooks.pauseEnded',
      text: `
        with ${endedOf(`state = 'active'`)},
        locked as (
          select id, ended.reason from webhooks join ended on webhook_id = id and ended.changed_by = webhooks.changed_by
          where state = 'active' for no key update of webhooks skip locked)
        update webhooks set state = 'paused', reason = locked.reason, ${END_LEASE}
        from locked where webhooks.id = locked.id
        returning webhooks.id, webhooks.reason, changed_by as "keyId"`,
    },
    deadline,
  )
}

/** Why this webhook cannot deliver; undefined if it can. */
export async function findEnd(db: Queryable, id: string): Promise<PauseReason | undefined> {
  const [row] = await db.query<{ reason: PauseReason }>({
    name: 'webhooks.findEnd',
    text: `with ${endedOf('webhooks.id = $1')} select reason from ended`,
    values: [id],
  })
  return row?.reason
}
