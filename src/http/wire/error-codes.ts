import type { DomainErrorCode } from '../../domain/errors.ts'

type WireErrorCode =
  | 'invalid_json'
  | 'invalid_body'
  | 'invalid_parameter'
  | 'invalid_cursor'
  | 'invalid_idempotency_key'
  | 'bad_request'
  | 'missing_credentials'
  | 'cross_site_request'
  | 'origin_not_allowed'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'headers_too_large'
  | 'rate_limited'
  | 'internal_error'

export type ErrorCode = DomainErrorCode | WireErrorCode

export interface ErrorEntry {
  status: number
  /** After how many seconds to try again. Absent where a retry would fail for the same reason, or the time varies. */
  retryAfter?: number
  /** What it means and how to handle it, for the documentation page and docs/errors.md. */
  means: string
  todo: string
}

/** The one place where a code gets its status and its explanation: a code without them does not compile. */
export const ERRORS = {
  invalid_json: {
    status: 400,
    means:
      'The body is not JSON: bad syntax, bad UTF-8, a byte order mark, an empty body, more than 32 levels deep, or a duplicate key in an object.',
    todo: 'Send one JSON object, in UTF-8.',
  },
  invalid_body: {
    status: 400,
    means: 'The body is JSON, but a field is missing, invalid or misspelled.',
    todo: 'The message names each invalid field and what it accepts.',
  },
  invalid_parameter: {
    status: 400,
    means:
      'A query parameter is out of range, misspelled or given twice, or `If-Match` or `If-None-Match` has a value that it cannot have.',
    todo: 'The message says what it accepts.',
  },
  invalid_cursor: {
    status: 400,
    means: 'The cursor was not issued by this service.',
    todo: 'Take it from the `Link` header of the previous page, or start again from the first page.',
  },
  invalid_idempotency_key: {
    status: 400,
    means:
      'The `Idempotency-Key` is empty, too long, sent twice, missing its closing quote, contains something other than printable ASCII, or looks like an API key.',
    todo: 'Send 1 to 255 characters, for example a UUID, or no key at all.',
  },
  bad_request: {
    status: 400,
    means:
      'The request is not valid HTTP: no `Host` header or two of them, contradictory lengths, an unsupported `Expect`, a body in more than 256 chunks, or more than 100 pipelined requests, or 64 KiB of them, waiting.',
    todo: 'Check the proxies between you and the service; clients that follow the standard never see this.',
  },
  missing_credentials: {
    status: 401,
    means: 'There is no `Authorization: Bearer …` header.',
    todo: 'Send your API key in it; the key is read from nowhere else.',
  },
  invalid_credentials: {
    status: 401,
    means: 'The key was not issued by this service, there are two `Authorization` headers, or the URL contains a key.',
    todo: 'Check that the key was copied completely. A key in a URL is leaked: ask the operator to rotate it.',
  },
  expired_credentials: {
    status: 401,
    means: 'The key has expired, or the session of the console has ended.',
    todo: 'Ask the operator for a new key, or sign in to the console again.',
  },
  revoked_credentials: { status: 401, means: 'The key was revoked.', todo: 'Ask the operator for a new one.' },
  insufficient_scope: {
    status: 403,
    means: 'The key does not have the required scope, which `WWW-Authenticate` names.',
    todo: 'Ask the operator for a key with that scope.',
  },
  cross_site_request: {
    status: 403,
    means: 'The request to sign in to the console, or out of it, did not come from the page of the console.',
    todo: 'Open `/console` in a browser. Programs send their key to `/v1` and need no session.',
  },
  origin_not_allowed: {
    status: 403,
    means: 'A page of another origin called `/v1/mcp`, which only programs and the pages of configured origins may.',
    todo: 'Call it from a program. For a page, ask the operator to add its origin to `CORS_ORIGINS`.',
  },
  pet_not_found: { status: 404, means: 'No pet has this id.', todo: 'Check the id.' },
  order_not_found: {
    status: 404,
    means: 'No order has this id.',
    todo: 'Check the id. Ids are case-sensitive.',
  },
  webhook_not_found: {
    status: 404,
    means: 'No webhook has this id.',
    todo: 'Check the id. Ids are case-sensitive. `GET /v1/webhooks` lists all webhooks.',
  },
  category_not_found: {
    status: 404,
    means: 'No category has a record with this id.',
    todo: 'Check the id. `GET /v1/categories` lists all records. Pets may have a category without one.',
  },
  route_not_found: {
    status: 404,
    means: 'There is nothing at this path. Case and slashes matter.',
    todo: 'The message names the path that was probably meant. See `/openapi.json` for all of them.',
  },
  method_not_allowed: {
    status: 405,
    means: 'The path exists, but not with this method.',
    todo: '`Allow` lists the methods.',
  },
  request_timeout: {
    status: 408,
    means: 'The request did not arrive completely within four seconds.',
    todo: 'Send it again.',
  },
  idempotency_in_progress: {
    status: 409,
    retryAfter: 1,
    means: 'Another request with the same `Idempotency-Key` was still running when this one reached its deadline.',
    todo: 'Send the same request again after `Retry-After` seconds: it returns what the other request created.',
  },
  pet_not_available: {
    status: 409,
    means: 'The pet cannot be ordered: it is pending, sold or has no status. The message says which.',
    todo: 'Choose another pet, or try again when it is available.',
  },
  pet_reserved: {
    status: 409,
    means: 'An open order holds the pet: its status cannot be changed and it cannot be deleted.',
    todo: 'Complete or cancel the order first. `GET /v1/pets?view=full&id=…` shows its `orderId`.',
  },
  order_closed: {
    status: 409,
    means: 'The order has already ended another way. The message says how and when.',
    todo: 'Place a new order if the pet is available.',
  },
  too_many_open_orders: {
    status: 409,
    means:
      'The key, together with the keys it was rotated from and to, has as many open orders as it may have. The message names the limit.',
    todo: 'Complete or cancel one of them, or wait until one expires; or ask the operator for a higher limit.',
  },
  too_many_webhooks: {
    status: 409,
    means: 'There are 20 webhooks already, and a store can have no more.',
    todo: 'Delete one that is no longer needed first.',
  },
  nothing_to_retry: {
    status: 409,
    means:
      'No delivery of the webhook waits for another attempt: it is not failing, or it is `paused` or `disabled`. The message says which.',
    todo: 'Change the `state` of a paused or disabled webhook to `active`: it continues at once. Otherwise there is nothing to do.',
  },
  too_many_categories: {
    status: 409,
    means: 'There are more than 1,000 categories with a name, which is too many to search for one by its name.',
    todo: 'Use the id of the category. `GET /v1/categories` without `name` lists all of them.',
  },
  cursor_expired: {
    status: 410,
    means: 'The events after this cursor are no longer in the feed: they are too old, or the store was restored.',
    todo: 'Get a new cursor with `GET /v1/events?from=now`, then read all pets again. With `sort=newest`, only a restore leads to it: start again without `cursor`.',
  },
  version_mismatch: {
    status: 412,
    means:
      '`If-Match` names another version than the pet or the category has; `ETag` is the current one, if there is one.',
    todo: 'Read it again, decide again, and send the new version.',
  },
  payload_too_large: { status: 413, means: 'The body is over 65,536 bytes.', todo: 'Send a smaller body.' },
  unsupported_media_type: {
    status: 415,
    means:
      'The body is not declared as plain `application/json` in UTF-8, or, for a `PATCH`, as what `Accept-Patch` lists.',
    todo: 'Set `Content-Type: application/json`, and no `Content-Encoding`.',
  },
  idempotency_key_reused: {
    status: 422,
    means:
      'The `Idempotency-Key` was used for a different body within the last 24 hours, or the webhook that it created was deleted, or its secret rotated. Nothing was created.',
    todo: 'Use a new key for a new request, and the same key only to retry.',
  },
  version_required: {
    status: 428,
    means: 'Taking back a sale needs `If-Match` with the version of the pet.',
    todo: 'Read the version with `GET /v1/pets?view=full&id=…` and send it in `If-Match`.',
  },
  rate_limited: {
    status: 429,
    means:
      'The key has reached its rate limit, which `RateLimit-Policy` states, or too many requests with a wrong key came from your IP address. The request was not started.',
    todo: 'Try again after `Retry-After` seconds. `RateLimit` says on every response how many requests are left.',
  },
  headers_too_large: {
    status: 431,
    means: 'The request line and headers are over 16 KiB in total.',
    todo: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    means: 'The service failed unexpectedly.',
    todo: 'Report the `Request-Id`; the failure is logged under it.',
  },
  unavailable: {
    status: 503,
    retryAfter: 1,
    means:
      'The service cannot reach its database, even after waiting for some seconds, or is shutting down. If the connection was lost during a write, the message says that the outcome is unknown.',
    todo: 'Try again after `Retry-After` seconds. Retry a `POST` with an unknown outcome only with the `Idempotency-Key` it was sent with; without one, check whether it took effect before retrying.',
  },
  overloaded: {
    status: 503,
    retryAfter: 1,
    means:
      'The service has more requests than it can handle, or many requests are changing the same pet. Nothing was done.',
    todo: 'Try again after `Retry-After` seconds, with growing pauses.',
  },
  webhooks_not_configured: {
    status: 503,
    means: 'The service has no secret to sign webhooks with, so it can neither create one nor rotate its secret.',
    todo: 'Ask the operator to set `WEBHOOK_MASTER_SECRET`. Retrying does not help until then.',
  },
} as const satisfies Record<ErrorCode, ErrorEntry>

// `Object.keys` has no better type than `string[]`, since an object may have more keys than its type; this one has not.
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[]
