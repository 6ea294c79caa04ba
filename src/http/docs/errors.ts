import type { ErrorCode } from '../errors.ts'

/** What each code means and what to do about it: for the documentation page and for docs/errors.md. */
export const ERROR_GUIDE: Record<ErrorCode, [means: string, todo: string]> = {
  invalid_json: [
    'The body is not JSON: bad syntax, bad UTF-8, a byte order mark, nothing at all, more than 32 levels deep, or a key named twice in one object.',
    'Send one JSON object, in UTF-8.',
  ],
  invalid_body: ['The body is JSON, but not a pet.', 'The message names each field at fault and what it takes.'],
  invalid_parameter: [
    'A query parameter is out of bounds, misspelled or given twice.',
    'The message says what it takes.',
  ],
  invalid_cursor: [
    'The cursor is none of ours.',
    'Take it from the `Link` header of the page before; begin the walk anew if it is lost.',
  ],
  invalid_idempotency_key: [
    'The `Idempotency-Key` is empty, too long, sent twice, not closed by its quote, or holds something else than printable ASCII.',
    'Send 1 to 255 characters, a UUID for instance; or no key at all.',
  ],
  bad_request: [
    'The request is not sound HTTP: no or two `Host` headers, a contradiction about its length, an expectation that is not served.',
    'Look at what lies between you and the service; clients that follow the standard never see this.',
  ],
  missing_credentials: [
    'There is no `Authorization: Bearer …` header.',
    'Send your API key in it; nothing else is read.',
  ],
  invalid_credentials: [
    'The key is not one of ours, there are two `Authorization` headers, or a key stands in the address of the call.',
    'Check that the key was copied whole. A key that stood in an address is exposed: have the operator rotate it.',
  ],
  expired_credentials: ['The key was right until it expired.', 'Ask the operator for a new one.'],
  revoked_credentials: ['The key was taken back.', 'Ask the operator for a new one.'],
  insufficient_scope: [
    'The key may not do this. `WWW-Authenticate` names the scope that is needed.',
    'Ask the operator for a key with that scope.',
  ],
  pet_not_found: ['No pet has this id.', 'A pet that was added stays; check the id.'],
  route_not_found: [
    'Nothing is served at this path: another case, a slash too many or too few.',
    'See `/openapi.json` for the paths.',
  ],
  method_not_allowed: ['The path exists, the method does not.', '`Allow` lists the methods.'],
  request_timeout: ['The request did not arrive whole within four seconds.', 'Send it again.'],
  idempotency_in_progress: [
    'Another call with the same `Idempotency-Key` was still under way when the time for this one was over.',
    'Send the same again after `Retry-After` seconds: it gets the pet that the other call has added.',
  ],
  payload_too_large: ['The body is over 65,536 bytes.', 'A pet fits in far less.'],
  unsupported_media_type: [
    'The body is not declared as plain `application/json` in UTF-8.',
    'Set `Content-Type: application/json`, and no `Content-Encoding`.',
  ],
  idempotency_key_reused: [
    'The `Idempotency-Key` was used for another pet within the last 24 hours. Nothing was added.',
    'Take a new key for a new pet; the same one only to repeat a call.',
  ],
  rate_limited: [
    'The key has made as many calls as it may make, which `RateLimit-Policy` tells; or too many calls without a valid key came from your address. The call was not begun.',
    'Try again after `Retry-After` seconds. `RateLimit` tells on every answer how many calls are left.',
  ],
  headers_too_large: ['Request line and headers are over 16 KiB together.', 'Send less.'],
  internal_error: [
    'The service failed in a way that it did not foresee.',
    'Report the `Request-Id`; the failure is in the log under it.',
  ],
  unavailable: [
    "The service can't reach its database, also after waiting for it for some seconds, or is shutting down. If the database was lost while it was adding a pet, the message says that nobody knows whether the pet was added.",
    'Try again after `Retry-After` seconds. A `POST` whose outcome is not known may be repeated only with the `Idempotency-Key` that it was sent with; without one, look whether the pet was added.',
  ],
  overloaded: [
    'The service has more calls than it can carry. The call was not begun: nothing was added.',
    'Try again after `Retry-After` seconds, with growing pauses.',
  ],
}
