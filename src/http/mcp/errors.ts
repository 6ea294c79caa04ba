import { newestCursorExpired } from '../../domain/events.ts'
import type { ErrorCode } from '../wire/error-codes.ts'
import { type ErrorBody, errorHeaders } from '../wire/errors.ts'
import { MALFORMED_KEY } from '../wire/idempotency.ts'

/** How messages that speak of HTTP are worded for tools, which have neither headers nor a body. */
const WORDING: Partial<Record<ErrorCode, (message: string, requestId: string) => string>> = {
  invalid_body: (message) =>
    message
      .replaceAll('` is required: an integer.', '` is required: a 64-bit integer as a string of digits.')
      .replace('The body must have at least one of', 'Send at least one of'),
  invalid_cursor: (message) =>
    `${fact(message)} Send \`nextCursor\` of the previous page with the other arguments of that page, or no \`cursor\` to begin again.`,
  cursor_expired: (message) =>
    message === newestCursorExpired().message
      ? `${fact(message)} Call again without \`cursor\`.`
      : `${fact(message)} Call again with \`from\` "now" and no \`cursor\`, then read all pets again with find_pets.`,
  version_mismatch: (message) =>
    `${fact(message)} Read the pet again with find_pets, decide again, and send the \`version\` that you have read.`,
  invalid_idempotency_key: (message) =>
    message === MALFORMED_KEY ? '`idempotencyKey` must have 1 to 255 printable ASCII characters.' : keyed(message),
  idempotency_key_reused: () =>
    'This `idempotencyKey` was used with other arguments. Send those again, or these with a new key.',
  idempotency_in_progress: keyed,
  unavailable: keyed,
  internal_error: (message, requestId) =>
    `${fact(message)} The failure is logged under the request id ${requestId}: report it.`,
}

/** What a model reads of an error. A client of HTTP learns from a header when to try again. */
export function toolError(body: ErrorBody, requestId: string) {
  const [header, value] = errorHeaders(body)
  const message = WORDING[body.code]?.(body.message, requestId) ?? body.message
  return { ...body, message, ...(header === 'retry-after' && { retryAfter: Number(value) }) }
}

/** The first sentence, before what to do about it. */
function fact(message: string) {
  return message.slice(0, message.indexOf('. ') + 1)
}

function keyed(message: string) {
  return message.replaceAll('Idempotency-Key', '`idempotencyKey`')
}
