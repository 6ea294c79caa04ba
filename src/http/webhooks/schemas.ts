import { Type } from 'typebox'
import { EVENT_TYPES, type EventType } from '../../domain/types/event.ts'
import { BETA, Int32, Moment, VisibleText } from '../wire/schemas.ts'
import { CURSOR, EVENT_ID, KEY_ID, SECRET, WEBHOOK_ID } from './examples.ts'

export const DEFAULT_OVERLAP_SECONDS = 86_400

const url = VisibleText({
  minLength: 1,
  maxLength: 2_048,
  description:
    'Where events are sent: a URL with `https`, of at most 2,048 characters, with port 443 or one from 1024, without user, password and fragment. Its host must be public.',
  examples: ['https://shop.example/hooks'],
})

const NAME = {
  minLength: 1,
  maxLength: 100,
  description:
    'What the webhook is for, for people: 1 to 100 characters (Unicode code points), at least one of them visible, none a control character. Several webhooks may have the same name.',
  examples: ['Accounting'],
  ...BETA,
}
const name = Type.Optional(VisibleText(NAME))

/** `null` is all of them, of which there may be more one day. */
const types = Type.Unsafe<EventType[] | null>({
  type: ['array', 'null'],
  items: { type: 'string', enum: [...EVENT_TYPES] },
  minItems: 1,
  maxItems: EVENT_TYPES.length,
  uniqueItems: true,
  description:
    'The types of the events that are sent, each once; `null` for all, also for those that later versions add.',
  examples: [['order.completed', 'order.cancelled']],
})

export const NewWebhook = Type.Object(
  { url, types: Type.Optional(types), name },
  { $id: 'NewWebhook', description: 'A webhook to create. Without `types`, it receives all events.' },
)

export const WebhookPatch = Type.Object(
  {
    url: Type.Optional(url),
    types: Type.Optional(types),
    name: Type.Optional(
      Type.Unsafe<string | null>({
        ...VisibleText({ ...NAME, description: `${NAME.description} \`null\` removes it.` }),
        type: ['string', 'null'],
      }),
    ),
    state: Type.Optional(
      Type.Unsafe<'active' | 'paused'>({
        type: 'string',
        enum: ['active', 'paused'],
        description:
          '`paused` stops deliveries. `active` continues where they stopped, at once, also if the webhook was failing or `disabled`.',
        examples: ['paused'],
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        description:
          'Moves the webhook: the next event is the one after this cursor, which is from the `Link` header of `GET /events`; with `oldest`, the oldest event that is kept; with a time (RFC 3339, such as `2026-11-16T09:30:00Z`), the first event that happened then or later. Moving it back sends events again, with the same ids; moving it forward skips events.',
        examples: [CURSOR],
      }),
    ),
  },
  {
    $id: 'WebhookPatch',
    minProperties: 1,
    description: 'What to change: at least one of these fields. The others stay as they are.',
  },
)

export const SecretRotation = Type.Object(
  {
    overlap: Type.Optional(
      Int32({
        minimum: 0,
        maximum: 604_800,
        default: DEFAULT_OVERLAP_SECONDS,
        description: 'For how many seconds each delivery is signed with the old secret too.',
        examples: [3_600],
      }),
    ),
  },
  { $id: 'SecretRotation', description: 'How long the old secret is still used; `{}` for a day.' },
)

export const WebhookAttempt = Type.Object(
  {
    at: Moment('When the request was sent.', '2026-11-16T09:30:00.123Z'),
    eventId: Type.String({
      description: 'The event that was sent: `webhook-id` of the request. That of a ping begins with `evt_ping_`.',
      examples: [EVENT_ID],
    }),
    status: Type.Optional(
      Type.Integer({ description: 'The status of the response. Absent if there was none.', examples: [204] }),
    ),
    error: Type.Optional(
      Type.String({
        description:
          'Why it failed. Absent if it succeeded. Until the URL has accepted a first request, one sentence stands for every failure without a response.',
        examples: ['The connection was refused.'],
      }),
    ),
    durationMs: Type.Integer({
      description:
        'How long it took, in milliseconds. 0 for a failure without a response before the URL has accepted a first request.',
      examples: [31],
    }),
    responseBody: Type.Optional(
      Type.String({
        description:
          'How the body of a response other than 2xx begins: at most 1,024 bytes, cut at a character, as text. Bytes that are not UTF-8 are U+FFFD, and U+0000 is removed. Kept for the last 20 attempts. Absent if the body is empty, if the attempt succeeded, or if the URL had not accepted a first request before.',
        examples: ['{"error":"out of stock"}'],
        ...BETA,
      }),
    ),
  },
  { $id: 'WebhookAttempt', description: 'An attempt to deliver one event.' },
)

export const WebhookAttempts = Type.Array(Type.Ref('WebhookAttempt'), {
  $id: 'WebhookAttempts',
  description: 'Attempts, newest first.',
})

const keyId = (description: string) =>
  Type.String({
    description: `${description} Absent if the webhook is from before keys were stored.`,
    examples: [KEY_ID],
  })

const webhookFields = {
  id: Type.String({ description: 'Identifies the webhook. Opaque and case-sensitive.', examples: [WEBHOOK_ID] }),
  name: Type.Optional(VisibleText({ ...NAME, description: 'What the webhook is for. Absent if it has no name.' })),
  url,
  types,
  state: Type.Unsafe<string>({
    type: 'string',
    enum: ['active', 'paused', 'disabled'],
    description:
      '`active`: events are sent. `paused`: a client has stopped it, or the service has, if there is a `reason`. `disabled`: the service has stopped it, since the receiver responded with 410 or has failed for five days.',
    examples: ['active'],
  }),
  reason: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['key_revoked', 'key_expired', 'key_scope'],
      description:
        'Why the service has paused it: the key in `changedBy`, and each that replaced it by rotation, was revoked, has expired or lacks a scope. `PATCH` with `{"state": "active"}` continues it for your key. Absent otherwise.',
      examples: ['key_revoked'],
    }),
  ),
  createdAt: Moment('When it was created.', '2026-11-16T09:00:00.000Z'),
  createdBy: Type.Optional(keyId('The id of the API key that created it.')),
  changedBy: Type.Optional(
    keyId(
      'The id of the API key that changed it last, at first the one that created it. The webhook delivers as long as this key, or one that replaced it by rotation, is valid and has the scopes `webhooks:manage` and `events:read`.',
    ),
  ),
  sequence: Type.String({
    description: 'Its place in the feed: all events up to this `sequence` have been delivered.',
    examples: ['0000000000000042'],
  }),
  behind: Type.Integer({
    minimum: 0,
    description: 'How many events, of any type, are in the feed after its place.',
    examples: [0],
  }),
  failingSince: Type.Optional(
    Moment('When the first attempt failed. Absent if the last one succeeded.', '2026-11-16T09:30:00.123Z'),
  ),
  attempts: Type.Optional(
    Type.Integer({ minimum: 0, description: 'How many times it has failed since then.', examples: [1] }),
  ),
  nextAttemptAt: Type.Optional(
    Moment('When it is tried again. Absent if it is not failing.', '2026-11-16T09:30:05.456Z'),
  ),
  lastAttempt: Type.Optional(Type.Ref('WebhookAttempt')),
  oldSecretEndsAt: Type.Optional(
    Moment('Until when deliveries are signed with the old secret too. Absent otherwise.', '2026-11-17T09:30:00.123Z'),
  ),
}

export const Webhook = Type.Object(webhookFields, {
  $id: 'Webhook',
  description: 'A URL that events are sent to, and how far it has got in the feed.',
})

export const WebhookWithSecret = Type.Object(
  {
    ...webhookFields,
    secret: Type.String({
      description: 'Verifies the signatures of deliveries. Shown only in this response: store it.',
      examples: [SECRET],
    }),
  },
  { $id: 'WebhookWithSecret', description: 'A webhook with its new secret.' },
)

export const Webhooks = Type.Array(Type.Ref('Webhook'), {
  $id: 'Webhooks',
  description: 'All webhooks, oldest first.',
})
