import type { Status, Webhook } from '@petstore/client'

/** What does not work, the worst first; `texts/home.ts` has a sentence for each. */
export type Problem =
  | { kind: 'database' | 'undelivered' | 'late' }
  | { kind: 'webhook'; webhook: Webhook }
  | { kind: 'webhooks' | 'disabled' | 'search'; n: number }

/** Below this, events appear as they happen. */
export const LATE_MS = 1_000

/** An active webhook whose last attempt failed is failing. */
export const stateOf = ({ state, failingSince }: Webhook) =>
  state === 'active' && failingSince !== undefined ? 'failing' : state

/** It should deliver and does not: it fails, or the service has stopped it. One that a person has paused has no reason. */
export const isStuck = (webhook: Webhook) =>
  webhook.reason !== undefined || ['failing', 'disabled'].includes(stateOf(webhook))

/** Where the webhooks that are stuck are seen. */
export const pathOfStuck = ([webhook, another]: readonly Webhook[]) =>
  webhook && !another ? `/webhooks?webhook=${webhook.id}` : '/webhooks'

/** What a person has to know first, of what their key may read; undefined if everything works. */
export function problemOf(status: Status | undefined, webhooks: readonly Webhook[] | undefined): Problem | undefined {
  if (status && status.database.state !== 'ok') return { kind: 'database' }
  const stuck = webhooks?.filter(isStuck) ?? []
  const [webhook] = stuck
  if (webhook) return stuck.length === 1 ? { kind: 'webhook', webhook } : { kind: 'webhooks', n: stuck.length }
  if (!status) return undefined
  const disabled = status.webhooks?.disabled ?? 0
  if (disabled > 0) return { kind: 'disabled', n: disabled }
  if ((status.webhooks?.undelivered ?? 0) > 0) return { kind: 'undelivered' }
  if (status.feed.lagMs >= LATE_MS) return { kind: 'late' }
  return status.search?.isComplete === false ? { kind: 'search', n: status.search.foundPercent } : undefined
}
