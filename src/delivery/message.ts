import { randomBase62 } from '../lib/ids/key-format.ts'
import { signatureOf, webhookSecret } from '../lib/webhook-secret.ts'
import type { LeasedWebhook } from '../storage/webhooks/leases.ts'

export interface Message {
  id: string
  json: string
}

type Signing = Pick<LeasedWebhook, 'id' | 'secretNumber' | 'oldSecretEndsAt'>

/** Signs messages as Standard Webhooks describes it, with the secret before too as long as it is valid. */
export class Signer {
  readonly #secret: string
  readonly #oldSecret: string
  readonly #oldSecretEndsAt: number
  readonly #userAgent: string

  constructor(masterSecret: string, { id, secretNumber, oldSecretEndsAt }: Signing, version: string) {
    this.#secret = webhookSecret(masterSecret, id, secretNumber)
    this.#oldSecret = webhookSecret(masterSecret, id, secretNumber - 1)
    this.#oldSecretEndsAt = oldSecretEndsAt ?? 0
    this.#userAgent = `Petstore/${version}`
  }

  headersOf({ id, json }: Message, now: number) {
    const timestamp = Math.floor(now / 1_000)
    const secrets = now < this.#oldSecretEndsAt ? [this.#secret, this.#oldSecret] : [this.#secret]
    return {
      'content-type': 'application/cloudevents+json',
      'user-agent': this.#userAgent,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf({ id, timestamp, body: json }, secrets),
    }
  }
}

const PING_CHARACTERS = 20

/** An event that is not in the feed, to try a receiver. */
export function pingOf(webhookId: string, source: string, now: number): Message {
  const id = `evt_ping_${randomBase62(PING_CHARACTERS)}`
  return {
    id,
    json: JSON.stringify({
      specversion: '1.0',
      id,
      source,
      type: 'webhook.ping',
      subject: `webhooks/${webhookId}`,
      time: new Date(now).toISOString(),
      data: {},
    }),
  }
}
