import type { Attempt, Webhook } from '../../domain/types/webhook.ts'

// Clients get first what every webhook has, and then what only some have.

/** What `Webhook` describes, and `WebhookWithSecret` if there is one. */
export function webhookJson(webhook: Webhook & { secret?: string }) {
  return JSON.stringify(inOrder(webhook))
}

export function webhooksJson(webhooks: readonly Webhook[]) {
  return JSON.stringify(webhooks.map(inOrder))
}

export function attemptsJson(attempts: readonly Attempt[]) {
  return JSON.stringify(attempts.map(attemptInOrder))
}

function inOrder(webhook: Webhook & { secret?: string }) {
  const { id, url, types, state, createdAt, sequence, behind, secret, lastAttempt } = webhook
  const { name, reason, createdBy, changedBy, failingSince, attempts, nextAttemptAt, oldSecretEndsAt } = webhook
  const last = lastAttempt && attemptInOrder(lastAttempt)
  const always = { id, url, types, state, createdAt, sequence, behind, secret }
  return {
    ...always,
    name,
    reason,
    createdBy,
    changedBy,
    failingSince,
    attempts,
    nextAttemptAt,
    lastAttempt: last,
    oldSecretEndsAt,
  }
}

function attemptInOrder({ at, eventId, durationMs, status, error, responseBody }: Attempt) {
  return { at, eventId, durationMs, status, error, responseBody }
}
