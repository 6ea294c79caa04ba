import { randomUUID } from 'node:crypto'
import type { Clause } from '../../clause.ts'
import { expect, expectError, expectHeader, objectOf } from '../../expect.ts'
import { expectDeleted } from '../../store.ts'
import { create, RECEIVER, removeWebhook, webhookClause, withSecretOf } from '../../webhooks.ts'

export const WEBHOOKS_KEYS: Clause[] = [
  webhookClause(
    'webhooks.keys',
    'A webhook shows the key that created it and the one that changed it last: here the key of this run.',
    async ({ call }, made) => {
      const { webhook, response } = await made.created()
      const { id } = objectOf(await call({ path: '/keys/self' }))
      expect(
        response,
        webhook.createdBy === id && webhook.changedBy === id,
        `\`createdBy\` and \`changedBy\` ${String(id)}`,
      )
    },
  ),
  webhookClause(
    'webhooks.once',
    '`createWebhook` with an Idempotency-Key creates one webhook, and repeats its secret; another body is 422.',
    async ({ call }, made) => {
      const headers = { 'Idempotency-Key': randomUUID() }
      const body = `{"url":"${RECEIVER}"}`
      const first = withSecretOf(await call(create(body, headers)), 201)
      made.removesToo(first.id)
      const response = await call(create(body, headers))
      const again = withSecretOf(response, 201)
      expect(response, again.id === first.id && again.secret === first.secret, 'the same webhook and secret')
      expectHeader(response, 'Idempotent-Replayed', 'true')
      const other = await call(create(`{"url":"${RECEIVER}/other"}`, headers))
      expectError(other, 422, 'idempotency_key_reused')
      expectDeleted(await call(removeWebhook(first.id)))
      expectError(await call(create(body, headers)), 422, 'idempotency_key_reused')
    },
  ),
]
