import { DomainError, toDomainError } from '../../domain/errors.ts'
import { ClientDisconnected } from '../../lib/batch.ts'
import { errorCode } from '../../lib/errors.ts'
import { ERRORS, type ErrorCode, type ErrorEntry } from './error-codes.ts'
import { ACCEPT_PATCH } from './headers.ts'
import type { Operation } from './operation.ts'
import { HTTP, type Medium, type RequestFact, say } from './wording.ts'

export interface ErrorBody {
  code: ErrorCode
  message: string
  status: number
}

/** A request rejected for its form, before any rule of the domain applies. */
export class RequestError extends Error {
  override name = 'RequestError'
  readonly code: ErrorCode
  readonly fact: RequestFact | undefined

  /** `reason` is a sentence if every medium says the same. */
  constructor(code: ErrorCode, reason: string | RequestFact) {
    super(typeof reason === 'string' ? reason : reason.kind)
    this.code = code
    this.fact = typeof reason === 'string' ? undefined : reason
  }
}

export const BODY_TOO_LARGE = 'The body exceeds the limit of 65,536 bytes.'

// Errors that Fastify and Node throw while they read a body.
const CODE_OF_FRAMEWORK_ERROR: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', BODY_TOO_LARGE],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The body length does not match Content-Length.'],
  ECONNRESET: ['bad_request', 'The connection closed before the whole body arrived.'],
}

/** What the client reads of an error, in a response or another medium. Details of an unexpected one never reach it. */
export function toErrorBody(thrown: unknown, medium: Medium = HTTP): ErrorBody {
  const error = toDomainError(thrown)
  if (error instanceof RequestError || error instanceof DomainError)
    return errorBody(error.code, messageOf(error, medium))
  if (error instanceof ClientDisconnected) return errorBody('bad_request', 'The connection ended before the response.')
  const known = CODE_OF_FRAMEWORK_ERROR[errorCode(error)]
  return known ? errorBody(...known) : errorBody('internal_error', say({ kind: 'failure' }, medium))
}

/** What a medium says of an error. */
export function messageOf({ fact, message }: RequestError | DomainError, medium: Medium) {
  return fact ? say(fact, medium) : message
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
  const { retryAfter }: ErrorEntry = ERRORS[code]
  if (retryAfter !== undefined) return ['retry-after', String(retryAfter)]
  if (status === 415 && operation?.method === 'PATCH') return ['accept-patch', ACCEPT_PATCH]
  if (error instanceof DomainError && error.fact?.kind === 'other version') return ['etag', `"${error.fact.version}"`]
  return []
}
