import { OVERLOADED_MESSAGE } from '../../domain/errors.ts'
import { KEY_LIMIT_REACHED } from '../gate/rate-limits.ts'
import type { ErrorCode } from '../wire/error-codes.ts'
import { BODY_TOO_LARGE, INTERNAL_ERROR } from '../wire/errors.ts'
import { MALFORMED_KEY } from '../wire/idempotency.ts'
import { UNKNOWN_CURSOR } from '../wire/pagination.ts'

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
  invalid_json: 'The body is not valid JSON: it ends too early (line 1, column 2).',
  invalid_cursor: UNKNOWN_CURSOR,
  invalid_idempotency_key: MALFORMED_KEY,
  bad_request: 'The request has more than one Host header.',
  missing_credentials: 'Send your API key in the header `Authorization: Bearer <API_KEY>`.',
  invalid_credentials: 'The API key is not valid. Check that it was copied completely.',
  expired_credentials: 'The API key has expired. Ask the operator for a new one.',
  revoked_credentials: 'The API key was revoked. Ask the operator for a new one.',
  request_timeout: 'The request did not arrive in time; send it again.',
  idempotency_in_progress:
    'Another request with this Idempotency-Key is still running. Try again in a moment, with the same key.',
  payload_too_large: BODY_TOO_LARGE,
  unsupported_media_type: 'Content-Type must be application/json, in UTF-8.',
  idempotency_key_reused:
    'This Idempotency-Key was used for a different body. Send that body again, or this one with a new key.',
  rate_limited: KEY_LIMIT_REACHED,
  headers_too_large: 'The request line and headers exceed 16 KiB in total. Send fewer or shorter headers.',
  internal_error: INTERNAL_ERROR,
  overloaded: OVERLOADED_MESSAGE,
  unavailable: 'The service cannot use its database right now. Try again in a moment.',
}
