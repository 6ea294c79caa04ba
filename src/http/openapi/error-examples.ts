import { OVERLOADED_MESSAGE } from '../../domain/errors.ts'
import { KEY_LIMIT_REACHED } from '../gate/rate-limits.ts'
import type { ErrorCode } from '../wire/error-codes.ts'
import { BODY_TOO_LARGE } from '../wire/errors.ts'
import { say } from '../wire/wording.ts'

/** The errors that every operation can return. */
export const COMMON_ERRORS = [
  'bad_request',
  'missing_credentials',
  'invalid_credentials',
  'expired_credentials',
  'revoked_credentials',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
  'overloaded',
] as const satisfies ErrorCode[]

/** A message for each error that operations have in common. A test provokes each, and expects this text. */
export const EXAMPLE_MESSAGES: Partial<Record<ErrorCode, string>> = {
  invalid_json: say({ kind: 'syntax', line: 1, column: 2, isCutOff: true }),
  invalid_cursor: say({ kind: 'unknown cursor' }),
  invalid_idempotency_key: say({ kind: 'malformed idempotency key' }),
  bad_request: 'The request has more than one Host header.',
  missing_credentials: 'Send your API key in the header `Authorization: Bearer <API_KEY>`.',
  invalid_credentials: 'The API key is not valid. Check that it was copied completely.',
  expired_credentials: 'The API key has expired. Ask the operator for a new one.',
  revoked_credentials: 'The API key was revoked. Ask the operator for a new one.',
  request_timeout: 'The request did not arrive in time; send it again.',
  idempotency_in_progress: say({ kind: 'idempotency key in use' }),
  payload_too_large: BODY_TOO_LARGE,
  unsupported_media_type: 'Content-Type must be application/json, in UTF-8.',
  idempotency_key_reused: say({ kind: 'idempotency key reused' }),
  rate_limited: KEY_LIMIT_REACHED,
  headers_too_large: 'The request line and headers exceed 16 KiB in total. Send fewer or shorter headers.',
  internal_error: say({ kind: 'failure' }),
  overloaded: OVERLOADED_MESSAGE,
  unavailable: 'The service cannot use its database right now. Try again in a moment.',
}
