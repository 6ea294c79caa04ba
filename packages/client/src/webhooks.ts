import { writeNewWebhook, writeWebhookPatch } from './bodies.ts'
import type { Connection } from './connection.ts'
import { stringify } from './json.ts'
import {
  type NewWebhook,
  WEBHOOK,
  WEBHOOK_ATTEMPT,
  WEBHOOK_WITH_SECRET,
  type Webhook,
  type WebhookAttempt,
  type WebhookPatch,
  type WebhookWithSecret,
} from './kinds.ts'
import type { CallOptions, CreateOptions } from './options.ts'
import { itemIn, itemsIn } from './responses.ts'
import { type Call, create, send } from './send.ts'

const PATH = '/webhooks'
const JSON_TYPE = { 'content-type': 'application/json' }

export interface RotateOptions extends CallOptions {
  /** For how many seconds deliveries are signed with the old secret too: a day by default, a week at most. */
  overlap?: number | undefined
}

export interface Webhooks {
  /** All webhooks, at most 20, oldest first. */
  list(options?: CallOptions): Promise<Webhook[]>
  /**
   * Sends the events from now on to a URL. Store the `secret` that this returns: it is shown only here and by `rotate`. However often it
   * is retried, one webhook is created. It delivers as long as your key, or one that replaced it by rotation, is valid.
   */
  create(webhook: NewWebhook, options?: CreateOptions): Promise<WebhookWithSecret>
  /** One webhook. If there is none with this id, it rejects with the code `webhook_not_found`. */
  get(id: string, options?: CallOptions): Promise<Webhook>
  /**
   * Changes what `patch` contains; `name: null` removes the name. `state` pauses or continues; `cursor`, which is `next` of a page of events, moves it back to send
   * events again, or forward to skip them. It is not retried if its outcome is unknown.
   */
  update(id: string, patch: WebhookPatch, options?: CallOptions): Promise<Webhook>
  /** Deletes a webhook. It is not retried if its outcome is unknown. */
  delete(id: string, options?: CallOptions): Promise<void>
  /**
   * Gives a webhook a new secret; only the last two sign. It is not retried if its outcome is unknown, since a second one would end the secret that
   * your receivers have. `oldSecretEndsAt` of `get` says whether it was rotated.
   */
  rotate(id: string, options?: RotateOptions): Promise<WebhookWithSecret>
  /** Sends an event of type `webhook.ping`, soon. Its outcome is among the `attempts`. */
  ping(id: string, options?: CallOptions): Promise<void>
  /**
   * Tries what waits for its next attempt now, at most once in 10 seconds. If nothing waits, or the webhook is paused or disabled, it rejects
   * with the code `nothing_to_retry`. Beta: it may still change.
   */
  retry(id: string, options?: CallOptions): Promise<void>
  /** The last 100 attempts to deliver an event, newest first. */
  attempts(id: string, options?: CallOptions): Promise<WebhookAttempt[]>
}

export function createWebhooks(connection: Connection): Webhooks {
  const request = (method: Call['method'], path: string, call: Omit<Call, 'method' | 'path'>) =>
    send(connection, { method, path, ...call })

  return {
    list: async ({ signal } = {}) => itemsIn(await request('GET', PATH, { signal }), WEBHOOK),
    create: async (webhook, options) =>
      itemIn(await create(connection, PATH, writeNewWebhook(webhook), options), WEBHOOK_WITH_SECRET),
    get: async (id, { signal } = {}) => itemIn(await request('GET', pathOf(id), { signal }), WEBHOOK),
    update: async (id, patch, { signal } = {}) => {
      const headers = { 'content-type': 'application/merge-patch+json' }
      const body = writeWebhookPatch(patch)
      return itemIn(await request('PATCH', pathOf(id), { headers, body, once: true, signal }), WEBHOOK)
    },
    delete: async (id, { signal } = {}) => {
      await request('DELETE', pathOf(id), { once: true, signal })
    },
    rotate: async (id, { overlap, signal } = {}) => {
      const call = { headers: JSON_TYPE, body: stringify({ overlap }), once: true, signal } as const
      return itemIn(await request('POST', `${pathOf(id)}/rotate`, call), WEBHOOK_WITH_SECRET)
    },
    ping: async (id, { signal } = {}) => {
      await request('POST', `${pathOf(id)}/ping`, { signal })
    },
    retry: async (id, { signal } = {}) => {
      await request('POST', `${pathOf(id)}/retry`, { signal })
    },
    attempts: async (id, { signal } = {}) =>
      itemsIn(await request('GET', `${pathOf(id)}/attempts`, { signal }), WEBHOOK_ATTEMPT),
  }
}

/** Any other text could lead elsewhere. */
function pathOf(id: string) {
  if (!/^wh_\w+$/.test(id)) throw new TypeError('`id` takes the id of a webhook, like wh_….')
  return `${PATH}/${id}`
}
