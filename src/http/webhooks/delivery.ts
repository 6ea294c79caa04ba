import { Type } from 'typebox'
import type { OutgoingRequest } from '../wire/operation.ts'
import { DELIVERED, EVENT_ID } from './examples.ts'

/** What `petstore deliver` sends to the URL of a webhook, by Standard Webhooks. */
export const DELIVERY: OutgoingRequest = {
  id: 'deliverEvent',
  tag: 'webhooks',
  summary: 'Delivery of an event',
  description:
    'Sent to the URL of each webhook, for each event of its types. Verify the signature before you trust the body, as Standard Webhooks describes: it is the base64 of an HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body as it was received, joined by dots. The key is what follows `whsec_` in the secret of the webhook, decoded from base64. Reject a `webhook-timestamp` that is more than 5 minutes away. Respond within 15 seconds. Up to 8 requests are under way at once, and the next begins as soon as one got 2xx: there is no limit on the rate, so that what was missed is caught up fast. A receiver that cannot keep up responds later, or with 429 and `Retry-After`. An event can come more than once, with the same `webhook-id`. The events of one pet come in the order of versions. A type of its own, `webhook.ping`, is sent on request: its `data` is empty, its `subject` is the webhook, and it has no `sequence`.',
  headers: {
    'webhook-id': { description: 'The `id` of the event, the same in every attempt.', example: EVENT_ID },
    'webhook-timestamp': { description: 'When this attempt was sent, in seconds since 1970.', example: '1794821400' },
    'webhook-signature': {
      description:
        'One or more signatures, separated by spaces, each with its version. One of them must be yours: while the secret is rotated, there is one for the old and one for the new secret. Skip versions other than `v1`.',
      example: 'v1,1O9nJIXKCvkEEyFWwAhLe8JjaI9N8nCGw8q7UXYRuSs=',
    },
  },
  body: Type.Ref('Event'),
  type: 'application/cloudevents+json',
  examples: DELIVERED,
  responses: {
    '2XX': 'The event was received. The body of the response is ignored.',
    410: 'The receiver is gone for good: the webhook is disabled, and nothing is sent to it any more.',
    default:
      'The event was not received: it is sent again, later and later, and no event after it until then. This goes for redirects too. `Retry-After` up to an hour is honoured. After 5 days the webhook is disabled. The first 1,024 bytes of the body are shown with the attempt.',
  },
}
