import type { Mutant } from './mutant.ts'

const DELIVERY = 'src/delivery/delivery.ts'
const MESSAGE = 'src/delivery/message.ts'
const OUTBOX = 'src/delivery/outbox.ts'
const SENDER = 'src/delivery/sender.ts'
const RETRY = 'src/delivery/retry.ts'

/** Faults of what a receiver gets. */
export const DELIVERY_MUTANTS: Mutant[] = [
  {
    name: 'delivery-nothing-sent',
    what: 'a delivery succeeds without a request',
    file: SENDER,
    edits: [
      [
        'let result = await this.#attempt(headers, body, deadline)',
        'let result: AttemptResult = { response: { statusCode: 204, headers: {} } as IncomingMessage }',
      ],
    ],
  },
  {
    name: 'delivery-unsigned-time',
    what: 'the signature does not cover the timestamp',
    file: 'src/lib/webhook-secret.ts',
    edits: [[`\${message.id}.\${message.timestamp}.`, `\${message.id}.`]],
  },
  {
    name: 'delivery-new-secret-only',
    what: 'while a rotation overlaps, only the new secret signs',
    file: MESSAGE,
    edits: [['[this.#secret, this.#oldSecret] :', '[this.#secret] :']],
  },
  {
    name: 'delivery-old-secret-for-ever',
    what: 'the old secret signs also when it has ended',
    file: MESSAGE,
    edits: [['now < this.#oldSecretEndsAt', 'now > 0']],
  },
  {
    name: 'delivery-retry-id',
    what: 'an event that comes again has another webhook-id',
    file: DELIVERY,
    edits: [
      [
        'await this.#send(event)',
        `await this.#send(this.#outbox.progress.failures > 0 ? { ...event, id: \`\${event.id}-2\` } : event)`,
      ],
    ],
  },
  {
    name: 'delivery-order-ignored',
    what: 'events of one pet are sent together',
    file: OUTBOX,
    edits: [["entry.state === 'waiting' && !pets.has(petId)", "entry.state === 'waiting'"]],
  },
  {
    name: 'delivery-types-ignored',
    what: 'a webhook receives events of all types',
    file: DELIVERY,
    edits: [['const { types } = this.#webhook', 'const types = undefined']],
  },
  {
    name: 'delivery-redirect-followed',
    what: 'a redirect is followed',
    file: SENDER,
    edits: [
      [
        'end({ response })',
        "if (response.headers.location) void fetch(response.headers.location, { method: 'POST', body }); end({ response })",
      ],
    ],
  },
  {
    name: 'delivery-redirect-accepted',
    what: 'a redirect counts as delivered',
    file: SENDER,
    edits: [['const isDelivered = status >= 200 && status < 300', 'const isDelivered = status >= 200 && status < 400']],
  },
  {
    name: 'delivery-failure-dropped',
    what: 'an event that the receiver rejects is not sent again',
    file: SENDER,
    edits: [['const isDelivered = status >= 200 && status < 300', 'const isDelivered = status > 0']],
  },
  {
    name: 'delivery-gone-ignored',
    what: 'a webhook whose receiver is gone is not disabled',
    file: SENDER,
    edits: [['isGone: status === GONE', 'isGone: false']],
  },
  {
    name: 'delivery-storm',
    what: 'an event is sent again at once',
    file: RETRY,
    edits: [['[5 * SECOND_MS', '[0 * SECOND_MS']],
  },
  {
    name: 'delivery-retry-after-ignored',
    what: 'Retry-After of a receiver is ignored',
    file: SENDER,
    edits: [["retryAfterMs: retryAfterOf(response.headers['retry-after'], Date.now())", 'retryAfterMs: 0']],
  },
  {
    name: 'delivery-patient',
    what: 'a receiver that does not respond holds a request for 30 s',
    file: SENDER,
    edits: [['RESPONSE_MS = 15_000', 'RESPONSE_MS = 30_000']],
  },
  {
    name: 'delivery-another-body',
    what: 'the body of a delivery is not that of the feed byte for byte',
    file: DELIVERY,
    edits: [
      [
        'await this.#sender.post(this.#signer.headersOf(message, at), message.json)',
        "await this.#sender.post(this.#signer.headersOf({ ...message, json: message.json.replace('{', '{ ') }, at), message.json.replace('{', '{ '))",
      ],
    ],
  },
  {
    name: 'delivery-one-missing',
    what: 'the first event of a page is not delivered',
    file: OUTBOX,
    edits: [['for (const event of events) this', 'for (const event of events.slice(events.length > 1 ? 1 : 0)) this']],
  },
]
