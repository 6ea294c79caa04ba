import { DomainError, type DomainErrorCode, toDomainError } from '../../domain/errors.ts'
import { CallerGone } from '../../lib/batch.ts'

type WireErrorCode =
  | 'invalid_json'
  | 'invalid_body'
  | 'invalid_parameter'
  | 'invalid_cursor'
  | 'invalid_idempotency_key'
  | 'bad_request'
  | 'missing_credentials'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'headers_too_large'
  | 'rate_limited'
  | 'internal_error'

export type ErrorCode = DomainErrorCode | WireErrorCode

/** The one place where a code gets its status: a code without a status does not compile. */
export const STATUS_OF = {
  invalid_json: 400,
  invalid_body: 400,
  invalid_parameter: 400,
  invalid_cursor: 400,
  invalid_idempotency_key: 400,
  bad_request: 400,
  missing_credentials: 401,
  invalid_credentials: 401,
  expired_credentials: 401,
  revoked_credentials: 401,
  insufficient_scope: 403,
  pet_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_in_progress: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
  overloaded: 503,
} as const satisfies Record<ErrorCode, number>

export interface ErrorBody {
  code: ErrorCode
  message: string
  status: number
}

/** A call refused for its form, before any rule of the domain was asked. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

export const BODY_TOO_LARGE = 'The body is over 65,536 bytes, which is the most a call may send.'

// What Fastify and Node throw while they read a body.
const CODE_OF_FRAMEWORK_ERROR: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', BODY_TOO_LARGE],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The body does not have the length that Content-Length says.'],
  ECONNRESET: ['bad_request', 'The connection ended before the body did.'],
}

/** The answer to whatever was thrown. Nothing of an unforeseen error reaches the caller. */
export function toErrorBody(thrown: unknown): ErrorBody {
  const error = toDomainError(thrown)
  if (error instanceof Refusal || error instanceof DomainError) return errorBody(error.code, error.message)
  if (error instanceof CallerGone) return errorBody('bad_request', 'The connection ended before the answer.')
  const [code, message] = CODE_OF_FRAMEWORK_ERROR[(error as { code?: string }).code ?? ''] ?? [
    'internal_error',
    'The service failed in a way it did not foresee. The failure was logged under the Request-Id of this answer.',
  ]
  return errorBody(code, message)
}

export function errorBody(code: ErrorCode, message: string): ErrorBody {
  return { code, message, status: STATUS_OF[code] }
}

const MAX_REASON = 300

/** Why something failed, in a line for the log: each error, and what caused it. */
export function reasonOf(error: unknown): string {
  const messages: string[] = []
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    messages.push(cause.message || ((cause as NodeJS.ErrnoException).code ?? cause.name))
  return messages.join(': ').slice(0, MAX_REASON)
}

const CHALLENGE = 'Bearer realm="petstore"'

/** The headers that belong to an error, whoever found it: names and values in turn. */
export function errorHeaders({ code, status }: ErrorBody, scope?: string) {
  if (code === 'missing_credentials') return ['www-authenticate', CHALLENGE]
  if (status === 401) return ['www-authenticate', `${CHALLENGE}, error="invalid_token"`]
  if (status === 403) return ['www-authenticate', `${CHALLENGE}, error="insufficient_scope", scope="${scope}"`]
  if (status === 409 || status === 503) return ['retry-after', '1']
  return []
}
