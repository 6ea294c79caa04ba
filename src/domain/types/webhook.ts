import type { EventType } from './event.ts'

export type WebhookState = 'active' | 'paused' | 'disabled'
/** Why the service has paused a webhook: its key, and all that were made in its place, have ended, or lack a scope. */
export type PauseReason = 'key_revoked' | 'key_expired' | 'key_scope'

/** An attempt to deliver one event: with the status of the response, or why there was none. */
export interface Attempt {
  at: string
  eventId: string
  status?: number
  error?: string
  durationMs: number
  /** How the response begins, of the last attempts that failed. */
  responseBody?: string
}

/** A webhook as its owner sees it. */
export interface Webhook {
  id: string
  name?: string
  url: string
  /** Null for all. */
  types: EventType[] | null
  state: WebhookState
  /** Only if the service has paused it. */
  reason?: PauseReason
  createdAt: string
  /** The ids of keys; absent where an earlier version stored none. */
  createdBy?: string
  changedBy?: string
  sequence: string
  behind: number
  failingSince?: string
  /** How often it has failed since then. */
  attempts?: number
  nextAttemptAt?: string
  lastAttempt?: Attempt
  oldSecretEndsAt?: string
}
