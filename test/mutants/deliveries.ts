import type { Mutant } from './mutant.ts'

const DELIVERY = 'src/delivery/delivery.ts'
const MESSAGE = 'src/delivery/message.ts'
const OUTBOX = 'src/delivery/outbox.ts'
const SENDER = 'src/delivery/sender.ts'
const TIMES = 'src/lib/times.ts'

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
    kill: 'webhooks.delivery.request',
  },
  {
    name: 'delivery-unsigned-time',
    what: 'the signature does not cover the timestamp',
    file: 'src/lib/webhook-secret.ts',
    edits: [[`\${message.id}.\${message.timestamp}.`, `\${message.id}.`]],
    kill: 'webhooks.w1.signature',
  },
  {
    name: 'delivery-new-secret-only',
    what: 'while a rotation overlaps, only the new secret signs',
    file: MESSAGE,
    edits: [['[this.#secret, this.#oldSecret] :', '[this.#secret] :']],
    kill: 'webhooks.w1.overlap',
  },
  {
    name: 'delivery-old-secret-for-ever',
    what: 'the old secret signs also when it has ended',
    file: MESSAGE,
    edits: [['now < this.#oldSecretEndsAt', 'now > 0']],
    kill: 'webhooks.w1.rotated',
  },
  {
    name: 'delivery-retry-id',
    what: 'an event that comes again has another webhook-id',
    file: DELIVERY,
    edits: [
      [
        'this.#send({ id: event.id,',
        `this.#send({ id: this.#outbox.progress.failures > 0 ? \`\${event.id}-2\` : event.id,`,
      ],
    ],
    kill: 'webhooks.w2.again',
  },
  {
    name: 'delivery-order-ignored',
    what: 'events of one pet are sent together',
    file: OUTBOX,
    edits: [["entry.state === 'waiting' && !pets.has(petId)", "entry.state === 'waiting'"]],
    kill: 'webhooks.delivery.order',
  },
  {
    name: 'delivery-types-ignored',
    what: 'a webhook receives events of all types',
    file: DELIVERY,
    edits: [['after: this.#outbox.end, limit: PAGE, types', 'after: this.#outbox.end, limit: PAGE']],
    kill: 'webhooks.delivery.types',
  },
  {
    name: 'delivery-redirect-followed',
    what: 'a redirect is followed',
    file: SENDER,
    edits: [
      [
        'end({ response, body:',
        "if (response.headers.location) void fetch(response.headers.location, { method: 'POST', body }); end({ response, body:",
      ],
    ],
    kill: 'webhooks.w4',
  },
  {
    name: 'delivery-redirect-accepted',
    what: 'a redirect counts as delivered',
    file: SENDER,
    edits: [['const isDelivered = status >= 200 && status < 300', 'const isDelivered = status >= 200 && status < 400']],
    kill: 'webhooks.w4',
  },
  {
    name: 'delivery-failure-dropped',
    what: 'an event that the receiver rejects is not sent again',
    file: SENDER,
    edits: [['const isDelivered = status >= 200 && status < 300', 'const isDelivered = status > 0']],
    kill: 'webhooks.w2.again',
  },
  {
    name: 'delivery-gone-ignored',
    what: 'a webhook whose receiver is gone is not disabled',
    file: SENDER,
    edits: [['isGone: status === GONE', 'isGone: false']],
    kill: 'webhooks.w5.disabled',
  },
  {
    name: 'delivery-storm',
    what: 'an event is sent again at once',
    file: TIMES,
    edits: [['[5 * SECOND_MS', '[0 * SECOND_MS']],
    kill: 'webhooks.w2.again',
  },
  {
    name: 'delivery-retry-after-ignored',
    what: 'Retry-After of a receiver is ignored',
    file: SENDER,
    edits: [["retryAfterMs: retryAfterOf(response.headers['retry-after'], Date.now())", 'retryAfterMs: 0']],
    kill: 'webhooks.retry-after',
  },
  {
    name: 'delivery-patient',
    what: 'a receiver that does not respond holds a request for 30 s',
    file: TIMES,
    edits: [['responseMs: 15_000', 'responseMs: 30_000']],
    kill: 'webhooks.w10',
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
    kill: 'webhooks.delivery.body',
  },
  {
    name: 'delivery-one-missing',
    what: 'the first event of a page is not delivered',
    file: OUTBOX,
    edits: [['for (const event of events) this', 'for (const event of events.slice(events.length > 1 ? 1 : 0)) this']],
    kill: 'webhooks.w8',
  },
  {
    name: 'delivery-response-early',
    what: 'an attempt shows what a URL responds that has accepted nothing yet',
    file: SENDER,
    edits: [['const keepsBody = this.#hasSucceeded && ', 'const keepsBody = ']],
    kill: 'webhooks.response.first',
  },
  {
    name: 'delivery-response-long',
    what: 'an attempt shows all that was read of a response',
    file: 'src/delivery/response-body.ts',
    edits: [['chunk.subarray(0, MAX_BYTES - read)', 'chunk']],
    kill: 'webhooks.response.long',
  },
  {
    name: 'delivery-response-nul',
    what: 'a response with U+0000 is not stored, and with it nothing that was delivered',
    file: 'src/delivery/response-body.ts',
    edits: [[".replaceAll('\\0', '')", '']],
    kill: 'webhooks.response.bytes',
  },
  {
    name: 'delivery-retry-ignored',
    what: 'a retry that was requested is not made',
    file: OUTBOX,
    edits: [['this.#nextAttemptAt = Math.min(this.#nextAttemptAt, at)', 'void at']],
    kill: 'webhooks.retry.apart',
  },
]
