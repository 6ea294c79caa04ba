import { createHmac } from 'node:crypto'

/**
 * The secret that signs what a webhook receives, as the receiver keeps it. Derived, so that the database holds none: a dump signs
 * nothing. `number` is one more with each rotation.
 */
export function webhookSecret(masterSecret: string, webhookId: string, number: number) {
  return `whsec_${keyOf(masterSecret, webhookId, number).toString('base64')}`
}

/** The value of `webhook-signature` for a message, by Standard Webhooks: one signature for each secret that is valid. */
export function signatureOf(message: { id: string; timestamp: number; body: string }, secrets: readonly string[]) {
  const signed = `${message.id}.${message.timestamp}.${message.body}`
  return secrets
    .map((secret) => `v1,${createHmac('sha256', bytesOf(secret)).update(signed).digest('base64')}`)
    .join(' ')
}

function keyOf(masterSecret: string, webhookId: string, number: number) {
  return createHmac('sha256', masterSecret).update(`${webhookId}.${number}`).digest()
}

function bytesOf(secret: string) {
  return Buffer.from(secret.slice('whsec_'.length), 'base64')
}
