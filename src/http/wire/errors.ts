import { DomainError, toDomainError } from '../../domain/errors.ts'
import { ClientDisconnected } from '../../lib/batch.ts'
import { errorCode } from '../../lib/errors.ts'
import { ERRORS, type ErrorCode } from './error-codes.ts'
import { ACCEPT_PATCH } from './headers.ts'
import type { Operation } from './operation.ts'

export interface ErrorBody {
  code: ErrorCode
  message: string
  status: number
}

/** A request rejected for its form, before any rule of the domain applies. */
export class RequestError extends Error {
  override name = 'RequestError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

export const BODY_TOO_LARGE = 'The body exceeds the limit of 65,536 bytes.'
export const INTERNAL_ERROR =
  'The service failed unexpectedly. The failure is logged under the Request-Id of this response.'

// Errors that Fastify and Node throw while they read a body.
const CODE_OF_FRAMEWORK_ERROR: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', BODY_TOO_LARGE],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The body length does not match Content-Length.'],
  ECONNRESET: ['bad_request', 'The connection closed before the whole body arrived.'],
}

/** The response to an error. Details of an unexpected one never reach the client. */
export function toErrorBody(thrown: unknown): ErrorBody {
  const error = toDomainError(thrown)
  if (error instanceof RequestError || error instanceof DomainError) return errorBody(error.code, error.message)
  if (error instanceof ClientDisconnected) return errorBody('bad_request', 'The connection ended before the response.')
  const [code, message] = CODE_OF_FRAMEWORK_ERROR[errorCode(error)] ?? ['internal_error', INTERNAL_ERROR]
  return errorBody(code, message)
}

export function errorBody(code: ErrorCode, message: string): ErrorBody {
  return { code, message, status: ERRORS[code].status }
}

const CHALLENGE = 'Bearer realm="petstore"'

/** The headers that belong to an error, as names and values in turn. */
export function errorHeaders(
  { code, status }: ErrorBody,
  error?: unknown,
  operation?: Pick<Operation, 'method' | 'scope' | 'alsoScope'>,
) {
  if (code === 'missing_credentials') return ['www-authenticate', CHALLENGE]
  if (status === 401) return ['www-authenticate', `${CHALLENGE}, error="invalid_token"`]
  if (code === 'insufficient_scope') {
    const { scope, alsoScope } = operation ?? {}
    const scopes = alsoScope ? `${scope} ${alsoScope}` : scope
    return ['www-authenticate', `${CHALLENGE}, error="insufficient_scope", scope="${scopes}"`]
  }
  // Without its secret the service will not have webhooks a second later either.
  const isWorthRetrying = status === 503 && code !== 'webhooks_not_configured'
  if (code === 'idempotency_in_progress' || isWorthRetrying) return ['retry-after', '1']
  if (status === 415 && operation?.method === 'PATCH') return ['accept-patch', ACCEPT_PATCH]
  if (error instanceof DomainError && error.version !== undefined) return ['etag', `"${error.version}"`]
  return []
}
