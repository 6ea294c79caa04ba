import { cursorExpired } from '../../domain/events.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listAttempts,
  listWebhooks,
  nothingToRetry,
  pingWebhook,
  retryWebhook,
  rotateSecret,
  tooManyWebhooks,
  updateWebhook,
  type WebhookSettings,
  webhookNotFound,
  webhooksNotConfigured,
} from '../../domain/webhooks.ts'
import { parseWebhookId } from '../../lib/ids/webhook-id.ts'
import { faultInReceiver } from '../../lib/receivers.ts'
import { parseTime } from '../../lib/rfc3339.ts'
import { operation } from '../operation.ts'
import { attemptsJson, webhookJson, webhooksJson } from '../print/webhook.ts'
import type { Resource } from '../resource.ts'
import { decodeCursor } from '../wire/cursor.ts'
import { RequestError, toErrorBody } from '../wire/errors.ts'
import { DELIVERY } from './delivery.ts'
import {
  ATTEMPTS,
  FOUND,
  LISTS,
  NEW_WEBHOOKS,
  NEWLY_CREATED,
  NOT_FOUND,
  PATCHED,
  PATCHES,
  ROTATED,
  ROTATIONS,
  WEBHOOK_ID,
} from './examples.ts'
import {
  DEFAULT_OVERLAP_SECONDS,
  NewWebhook,
  SecretRotation,
  Webhook,
  WebhookAttempt,
  WebhookAttempts,
  WebhookPatch,
  Webhooks,
  WebhookWithSecret,
} from './schemas.ts'

const PATH = '/webhooks'
const ONE = `${PATH}/{webhookId}`

const UNKNOWN_CURSOR =
  '`cursor` must be `oldest`, a time in RFC 3339 such as 2026-11-16T09:30:00Z, or a cursor of the feed, from the Link header of GET /events without `sort=newest`.'

const COMMON = { tag: 'webhooks', scope: 'webhooks:manage' } as const
/** The webhook delivers for the key that has done this. */
const FOR_KEY = { ...COMMON, alsoScope: 'events:read' } as const
const WEBHOOK = {
  webhookId: {
    description: 'The id of the webhook.',
    example: WEBHOOK_ID,
    parse: parseWebhookId,
    schema: { type: 'string' },
    notFound: webhookNotFound,
  },
} as const

export const webhooks: Resource = {
  name: 'webhooks',
  description: 'Webhooks: events are sent to your URL as they happen.',
  schemas: [
    NewWebhook,
    WebhookPatch,
    SecretRotation,
    WebhookAttempt,
    WebhookAttempts,
    Webhook,
    WebhookWithSecret,
    Webhooks,
  ],
  sends: { event: DELIVERY },

  declare(app, { baseUrl, webhookSettings: settings }) {
    operation(app, {
      ...COMMON,
      id: 'listWebhooks',
      method: 'GET',
      path: PATH,
      summary: 'List webhooks',
      description: 'Returns all webhooks, at most 20, oldest first.',
      success: { status: 200, description: 'Success.', body: Webhooks, examples: LISTS },
      handler: async ({ store }) => ({ content: webhooksJson(await listWebhooks(store)) }),
    })

    operation(app, {
      ...FOR_KEY,
      id: 'createWebhook',
      method: 'POST',
      path: PATH,
      summary: 'Create a webhook',
      description:
        'Sends the events from now on to a URL, each as a `POST` with a signature by Standard Webhooks. An event that the receiver does not accept is sent again until it does: events of one pet never overtake each other, and none is dropped. The response contains the secret that verifies the signatures; it is shown only here and when it is rotated. With an `Idempotency-Key`, the request can be retried without creating a second one: it returns the webhook as it is now, with its secret; once that was rotated, 422. The webhook delivers as long as your key, or one that replaced it by rotation, is valid. There can be 20 webhooks.',
      body: NewWebhook,
      bodyExamples: NEW_WEBHOOKS,
      idempotent: true,
      success: {
        status: 201,
        description: 'Webhook created; the body contains its secret.',
        body: WebhookWithSecret,
        headers: ['Location'],
        examples: NEWLY_CREATED,
      },
      errors: {
        invalid_body: '`url` must begin with https://.',
        too_many_webhooks: tooManyWebhooks().message,
        webhooks_not_configured: webhooksNotConfigured().message,
      },
      checkBody: ({ url }) => requireReceiver(settings, url),
      handler: async (request, key) => {
        const { name = null, url, types = null } = request.body
        const { store, principal } = request
        const { webhook, isReplay } = await createWebhook(
          store,
          settings,
          principal,
          { name, url, types },
          key,
          request,
        )
        const location = `${baseUrl}${PATH}/${webhook.id}`
        return { content: webhookJson(webhook), headers: ['location', location], isReplay }
      },
    })

    operation(app, {
      ...COMMON,
      id: 'getWebhook',
      method: 'GET',
      path: ONE,
      summary: 'Fetch one webhook',
      description: 'Returns one webhook by id: whether it is failing, and how far it is behind the feed.',
      params: WEBHOOK,
      success: { status: 200, description: 'Webhook found.', body: Webhook, examples: FOUND },
      errors: { webhook_not_found: NOT_FOUND },
      handler: async (request) => ({
        content: webhookJson(await getWebhook(request.store, request.params.webhookId)),
      }),
    })

    operation(app, {
      ...FOR_KEY,
      id: 'updateWebhook',
      method: 'PATCH',
      path: ONE,
      summary: 'Change a webhook',
      description:
        'Changes the fields that the body has. `state` pauses the webhook, or continues where it stopped; `cursor` moves it, so that events are sent again or skipped. Another `url`, `state` `active` and a `cursor` forget earlier failures: the next attempt is made at once. From now on the webhook delivers for your key, in place of the one in `changedBy`.',
      repeating:
        'changes nothing more, except that a `cursor` moves the webhook again, and earlier failures are forgotten again',
      params: WEBHOOK,
      body: WebhookPatch,
      bodyExamples: PATCHES,
      success: { status: 200, description: 'The webhook as it is now.', body: Webhook, examples: PATCHED },
      errors: {
        invalid_body: 'The body must have at least one of `url`, `types`, `name`, `state`, `cursor`.',
        webhook_not_found: NOT_FOUND,
        cursor_expired: toErrorBody(cursorExpired()).message,
      },
      checkBody: ({ url, cursor }) => {
        if (url !== undefined) requireReceiver(settings, url)
        positionOf(cursor)
      },
      handler: async (request) => {
        const { name, url, types, state, cursor } = request.body
        const change = { name, url, types, state, position: positionOf(cursor) }
        const { store, principal, params } = request
        return { content: webhookJson(await updateWebhook(store, principal, params.webhookId, change, request)) }
      },
    })

    operation(app, {
      ...COMMON,
      id: 'deleteWebhook',
      method: 'DELETE',
      path: ONE,
      summary: 'Delete a webhook',
      description: 'Deletes a webhook. What is being sent to it may still arrive, for up to 15 seconds.',
      params: WEBHOOK,
      success: { status: 204, description: 'The webhook is deleted.' },
      errors: { webhook_not_found: NOT_FOUND },
      handler: async (request) => {
        await deleteWebhook(request.store, request.params.webhookId)
        return {}
      },
    })

    operation(app, {
      ...FOR_KEY,
      id: 'rotateWebhookSecret',
      method: 'POST',
      path: `${ONE}/rotate`,
      summary: 'Rotate the secret of a webhook',
      description:
        'Gives the webhook a new secret, which the response contains. Until the overlap ends, each delivery is signed with both secrets, so receivers can be updated meanwhile. Only the last two secrets sign. Each request makes another one: if a response was lost, read `oldSecretEndsAt` before you repeat it. From now on the webhook delivers for your key.',
      repeating: 'makes another secret',
      params: WEBHOOK,
      body: SecretRotation,
      bodyExamples: ROTATIONS,
      success: { status: 200, description: 'The new secret.', body: WebhookWithSecret, examples: ROTATED },
      errors: {
        invalid_body: '`overlap` must be an integer from 0 to 604800; got -1.',
        webhook_not_found: NOT_FOUND,
        webhooks_not_configured: webhooksNotConfigured().message,
      },
      handler: async (request) => {
        const { overlap = DEFAULT_OVERLAP_SECONDS } = request.body
        const { store, principal, params } = request
        return { content: webhookJson(await rotateSecret(store, settings, principal, params.webhookId, overlap)) }
      },
    })

    operation(app, {
      ...COMMON,
      id: 'pingWebhook',
      method: 'POST',
      path: `${ONE}/ping`,
      summary: 'Send a test event',
      description:
        'Sends an event of type `webhook.ping` to the URL, also if the webhook is paused or disabled. Has no body. The outcome is in the list of attempts, and does not count as a failure of the webhook.',
      repeating: 'sends another test event',
      params: WEBHOOK,
      success: { status: 202, description: 'It will be sent within some seconds.' },
      errors: { webhook_not_found: NOT_FOUND },
      handler: async (request) => {
        await pingWebhook(request.store, request.params.webhookId)
        return {}
      },
    })

    operation(app, {
      ...COMMON,
      id: 'retryWebhook',
      stability: 'beta',
      method: 'POST',
      path: `${ONE}/retry`,
      summary: 'Try what waits now',
      description:
        'Makes the next attempt of a failing webhook at once, in place of `nextAttemptAt`, also where the receiver asked for a longer wait with `Retry-After`. Has no body. At most once in 10 seconds: a request sooner has the attempt made when these are over, and `nextAttemptAt` shows when. If it fails, the waits continue as before. The outcome is in the list of attempts.',
      repeating: 'changes nothing until the attempt was made, and then asks for another',
      params: WEBHOOK,
      success: { status: 202, description: 'It will be tried within some seconds.' },
      errors: { webhook_not_found: NOT_FOUND, nothing_to_retry: nothingToRetry('active').message },
      handler: async (request) => {
        await retryWebhook(request.store, request.params.webhookId)
        return {}
      },
    })

    operation(app, {
      ...COMMON,
      id: 'listWebhookAttempts',
      method: 'GET',
      path: `${ONE}/attempts`,
      summary: 'List the attempts of a webhook',
      description: 'Returns the last 100 attempts to deliver an event, newest first.',
      params: WEBHOOK,
      success: { status: 200, description: 'Success.', body: WebhookAttempts, examples: ATTEMPTS },
      errors: { webhook_not_found: NOT_FOUND },
      handler: async (request) => ({
        content: attemptsJson(await listAttempts(request.store, request.params.webhookId)),
      }),
    })
  },
}

function requireReceiver({ receivers }: WebhookSettings, url: string) {
  const fault = faultInReceiver(url, receivers)
  if (fault !== undefined) throw new RequestError('invalid_body', `\`url\` ${fault}.`)
}

function positionOf(cursor: string | undefined) {
  if (cursor === undefined) return undefined
  if (cursor === 'oldest') return 'oldest' as const
  const since = parseTime(cursor)
  if (since !== undefined) return { since }
  const [sequence, pageToken] = decodeCursor('feed', cursor, 2) ?? []
  if (sequence === undefined || pageToken === undefined) throw new RequestError('invalid_body', UNKNOWN_CURSOR)
  return { sequence, pageToken }
}
