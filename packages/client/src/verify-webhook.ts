import { readJson } from './json.ts'
import { EVENT, type WebhookEvent } from './kinds.ts'

/** How old or how far in the future a delivery may be: old ones could be sent again by anybody who has seen them. */
const TOLERANCE_SECONDS = 300

/**
 * What is wrong with a delivery.
 *
 * - `missing_header`: it has no `webhook-id`, `webhook-timestamp` or `webhook-signature`, or more than one.
 * - `invalid_timestamp`: it was sent more than 5 minutes ago, or the clock of this machine is wrong.
 * - `invalid_signature`: it was signed with another secret, or changed on its way.
 * - `invalid_body`: it was signed with the secret, but is not an event.
 */
export type WebhookErrorCode = 'missing_header' | 'invalid_timestamp' | 'invalid_signature' | 'invalid_body'

/** The request is not a delivery of the service. Respond with 400, and do nothing of what it says. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
  readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** A `Headers` object, or a record with names of any case, as Node, Express and most servers have it. */
export type WebhookHeaders = { get(name: string): string | null } | Record<string, string | string[] | undefined>

/**
 * The event that a request to your webhook contains, once it is certain that the service has sent it, within the last 5 minutes.
 *
 * `body` is the body as it was received, text or bytes. One that was parsed and written again has another signature.
 *
 * @throws {WebhookVerificationError} If the request is not a delivery of the service.
 * @throws {TypeError} If `secret` is not the secret of a webhook, or `body` was parsed already.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
): Promise<WebhookEvent> {
  const key = await keyOf(secret)
  const content = bytesOf(body)
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  checkTimestamp(timestamp)
  if (!(await isSigned(key, `${id}.${timestamp}.`, content, signatures)))
    throw new WebhookVerificationError(
      'invalid_signature',
      'No signature in `webhook-signature` was made with this secret for this body. Check that the secret is that of this webhook, and that the body is passed as it was received.',
    )
  return eventIn(new TextDecoder().decode(content))
}

function keyOf(secret: string) {
  const [, base64] = /^whsec_([A-Za-z\d+/]+={0,2})$/.exec(secret) ?? []
  const bytes = base64 && decode(base64)
  if (!bytes) throw new TypeError('`secret` takes the secret of a webhook, like whsec_…, without a line break.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function bytesOf(body: unknown) {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  // A `Buffer` of Jest is no instance of the `Uint8Array` of its tests.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new TypeError('`body` takes the body as it was received, a string or bytes, and not what a parser made of it.')
}

function headerOf(headers: WebhookHeaders, name: string) {
  const value = isGetter(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const [first, ...others] = [value].flat()
  if (!first || others.length > 0)
    throw new WebhookVerificationError('missing_header', `The request must have one \`${name}\` header.`)
  return first
}

function isGetter(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function'
}

function checkTimestamp(timestamp: string) {
  const age = /^\d{1,11}$/.test(timestamp) ? Math.floor(Date.now() / 1_000) - Number(timestamp) : undefined
  if (age !== undefined && Math.abs(age) <= TOLERANCE_SECONDS) return
  const fault =
    age === undefined
      ? 'is not a time in seconds'
      : `is ${Math.abs(age)} s in the ${age > 0 ? 'past' : 'future'}, and at most ${TOLERANCE_SECONDS} s are accepted. Check the clock of this machine`
  throw new WebhookVerificationError('invalid_timestamp', `\`webhook-timestamp\` ${fault}.`)
}

/** While the secret is being rotated, there is a signature for each of the two. Versions other than v1 may come. */
async function isSigned(key: CryptoKey, prefix: string, content: Uint8Array, signatures: string) {
  const start = new TextEncoder().encode(prefix)
  const signed = new Uint8Array(start.length + content.length)
  signed.set(start)
  signed.set(content, start.length)
  for (const text of signatures.split(' ')) {
    const signature = text.startsWith('v1,') && decode(text.slice(3))
    // In constant time.
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true
  }
  return false
}

/** Undefined if it is not base64. */
function decode(base64: string) {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function eventIn(text: string): WebhookEvent {
  let cause: unknown
  try {
    const event = readJson(text, EVENT.int64)
    if (EVENT.is(event)) return event
  } catch (error) {
    cause = error
  }
  throw new WebhookVerificationError('invalid_body', 'The body is not an event.', cause)
}
