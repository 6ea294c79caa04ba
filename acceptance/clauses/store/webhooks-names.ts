import type { Clause } from '../../clause.ts'
import { expect, expectError, objectOf } from '../../expect.ts'
import { expectConflict, expectDeleted } from '../../store.ts'
import {
  change,
  get,
  RECEIVER,
  removeWebhook,
  retry,
  rotate,
  WEBHOOKS,
  webhookClause,
  webhookOf,
  webhooksOf,
  withSecretOf,
} from '../../webhooks.ts'

/** As long as a name may be, with a character of four bytes. */
const NAMES = ['Accounting', 'Склад', ' a b ', '🐢'.repeat(100)]

export const WEBHOOKS_NAMES: Clause[] = [
  webhookClause('webhooks.name', 'A webhook has the name that it was created with.', async ({ call }, made) => {
    for (const name of NAMES) {
      const { webhook, response } = await made.created(`"url":"${RECEIVER}","name":${JSON.stringify(name)}`)
      expect(response, webhook.name === name, `\`name\` ${name}`, webhook.name)
      const read = await call(get(webhook.id))
      expect(read, webhookOf(read).name === name, `\`name\` ${name}`)
      const list = await call({ path: WEBHOOKS })
      const listed = webhooksOf(list).find(({ id }) => id === webhook.id)
      expect(list, listed?.name === name, `\`name\` ${name} in the list`)
      const rotated = await call(rotate(webhook.id))
      expect(rotated, withSecretOf(rotated, 200).name === name, `\`name\` ${name} after a rotation`)
    }
  }),
  webhookClause(
    'webhooks.name.change',
    '`updateWebhook` renames a webhook, null removes its name, and other changes keep it.',
    async ({ call }, made) => {
      const { webhook, response } = await made.created()
      expect(response, !('name' in objectOf(response)), 'no `name`')
      for (const [body, name] of [
        ['{"name":"Accounting"}', 'Accounting'],
        ['{"state":"paused"}', 'Accounting'],
        ['{"name":"Warehouse","types":["pet.created"]}', 'Warehouse'],
        ['{"name":null}', undefined],
        ['{"name":null}', undefined],
      ] as const) {
        const changed = await call(change(webhook.id, body))
        expect(changed, webhookOf(changed).name === name, `\`name\` ${name ?? 'absent'} after ${body}`)
        const read = objectOf(await call(get(webhook.id)))
        expect(changed, read['name'] === name && 'name' in read === (name !== undefined), 'the same by getWebhook')
      }
    },
  ),
  webhookClause(
    'webhooks.retry.nothing',
    '`retryWebhook` is 409 where nothing waits: not failing, or paused; 404 for a deleted webhook.',
    async ({ call }, made) => {
      const { webhook } = await made.created()
      for (const state of ['active', 'paused']) {
        const changed = await call(change(webhook.id, `{"state":"${state}"}`))
        expect(changed, webhookOf(changed).state === state, `\`state\` ${state}`)
        expectConflict(await call(retry(webhook.id)), 'nothing_to_retry')
      }
      expectDeleted(await call(removeWebhook(webhook.id)))
      expectError(await call(retry(webhook.id)), 404, 'webhook_not_found')
    },
  ),
]
