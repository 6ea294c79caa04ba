import type { ErrorCode } from '../wire/errors.ts'

/** What each code means and how to handle it: for the documentation page and for docs/errors.md. */
export const ERROR_GUIDE: Record<ErrorCode, [means: string, todo: string]> = {
  invalid_json: [
    'The body is not JSON: bad syntax, bad UTF-8, a byte order mark, an empty body, more than 32 levels deep, or a duplicate key in an object.',
    'Send one JSON object, in UTF-8.',
  ],
  invalid_body: ['The body is JSON, but not a valid pet.', 'The message names each invalid field and what it accepts.'],
  invalid_parameter: [
    'A query parameter is out of range, misspelled or given twice.',
    'The message says what it accepts.',
  ],
  invalid_cursor: [
    'The cursor was not issued by this service.',
    'Take it from the `Link` header of the previous page, or start again from the first page.',
  ],
  invalid_idempotency_key: [
    'The `Idempotency-Key` is empty, too long, sent twice, missing its closing quote, contains something other than printable ASCII, or looks like an API key.',
    'Send 1 to 255 characters, for example a UUID, or no key at all.',
  ],
  bad_request: [
    'The request is not valid HTTP: no `Host` header or two of them, contradictory lengths, an unsupported `Expect`, a body in more than 256 chunks, or more than 100 pipelined requests, or 64 KiB of them, waiting.',
    'Check the proxies between you and the service; clients that follow the standard never see this.',
  ],
  missing_credentials: [
    'There is no `Authorization: Bearer …` header.',
    'Send your API key in it; the key is read from nowhere else.',
  ],
  invalid_credentials: [
    'The key was not issued by this service, there are two `Authorization` headers, or the URL contains a key.',
    'Check that the key was copied completely. A key in a URL is leaked: ask the operator to rotate it.',
  ],
  expired_credentials: ['The key has expired.', 'Ask the operator for a new one.'],
  revoked_credentials: ['The key was revoked.', 'Ask the operator for a new one.'],
  insufficient_scope: [
    'The key does not have the required scope, which `WWW-Authenticate` names.',
    'Ask the operator for a key with that scope.',
  ],
  pet_not_found: ['No pet has this id.', 'Check the id.'],
  route_not_found: ['There is nothing at this path. Case and slashes matter.', 'See `/openapi.json` for the paths.'],
  method_not_allowed: ['The path exists, but not with this method.', '`Allow` lists the methods.'],
  request_timeout: ['The request did not arrive completely within four seconds.', 'Send it again.'],
  idempotency_in_progress: [
    'Another request with the same `Idempotency-Key` was still running when this one reached its deadline.',
    'Send the same request again after `Retry-After` seconds: it returns the pet that the other request added.',
  ],
  payload_too_large: ['The body is over 65,536 bytes.', 'Send a smaller body; a pet needs far less.'],
  unsupported_media_type: [
    'The body is not declared as plain `application/json` in UTF-8.',
    'Set `Content-Type: application/json`, and no `Content-Encoding`.',
  ],
  idempotency_key_reused: [
    'The `Idempotency-Key` was used for a different pet within the last 24 hours. Nothing was added.',
    'Use a new key for a new pet, and the same key only to retry.',
  ],
  rate_limited: [
    'The key has reached its rate limit, which `RateLimit-Policy` states, or too many requests with a wrong key came from your IP address. The request was not started.',
    'Try again after `Retry-After` seconds. `RateLimit` says on every response how many requests are left.',
  ],
  headers_too_large: ['The request line and headers are over 16 KiB in total.', 'Send fewer or shorter headers.'],
  internal_error: ['The service failed unexpectedly.', 'Report the `Request-Id`; the failure is logged under it.'],
  unavailable: [
    'The service cannot reach its database, even after waiting for some seconds, or is shutting down. If the connection was lost while a pet was being added, the message says that the outcome is unknown.',
    'Try again after `Retry-After` seconds. Retry a `POST` with an unknown outcome only with the `Idempotency-Key` it was sent with; without one, check whether the pet exists before retrying.',
  ],
  overloaded: [
    'The service has more requests than it can handle. The request was not started: nothing was added.',
    'Try again after `Retry-After` seconds, with growing pauses.',
  ],
}
