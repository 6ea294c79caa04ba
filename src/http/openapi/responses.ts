import type { TSchema } from 'typebox'
import { insufficientScope } from '../../domain/keys.ts'
import { ERROR_CODES, ERRORS, type ErrorCode } from '../wire/error-codes.ts'
import { errorBody } from '../wire/errors.ts'
import { PATCH_TYPES } from '../wire/headers.ts'
import { MALFORMED_IF_MATCH } from '../wire/if-match.ts'
import { wrongType } from '../wire/media-type.ts'
import type { Operation } from '../wire/operation.ts'
import { type HeaderName, RESPONSE_HEADERS } from '../wire/response-headers.ts'
import { COMMON_ERRORS, EXAMPLE_MESSAGES } from './error-examples.ts'
import { asExamples, schemaOrRef } from './schemas.ts'
import type { ResponseObject } from './types.ts'

// An id that no example has.
const MISSING_ID = 999n

const UNCHANGED = '`If-None-Match` has the `ETag` of the content, which is still the same. There is no body.'

const DESCRIPTIONS: Record<number, string> = {
  400: 'The request contains invalid values.',
  401: 'Credential missing or invalid.',
  403: 'The key does not have the scope that this operation needs.',
  404: 'The requested resource could not be found.',
  408: 'The request did not arrive in time.',
  413: 'The body is over 65,536 bytes.',
  415: 'The body is not declared as plain application/json.',
  422: 'The Idempotency-Key was used for a different body.',
  429: 'The rate limit of the key is reached, or too many requests with a wrong key came from this IP address. Try again after Retry-After seconds.',
  431: 'The request line and headers are over 16 KiB in total.',
  500: 'An internal error of the service.',
  503: 'The service cannot reach its database, or is overloaded. Try again after Retry-After seconds.',
}

/** Every response of an operation, by status. */
export function responsesOf(operation: Operation): Record<string, ResponseObject> {
  const { status, description, created, body, type, examples = {} } = operation.success
  const content = body
    ? jsonContent(body, examples)
    : type && { [type]: { schema: { type: 'string', format: 'binary' } } }
  const success = { description, ...(content && { content }), headers: headersOf(operation, status) }
  const errors = Map.groupBy(errorsOf(operation), ([code]) => ERRORS[code].status)
  const statuses = [...errors].toSorted(([a], [b]) => a - b)
  const responses: Record<string, ResponseObject> = { [status]: success }
  if (created && body)
    responses[201] = { ...success, description: created.description, content: jsonContent(body, created.examples) }
  if (operation.revalidated) responses[304] = { description: UNCHANGED, headers: headersOf(operation, 304) }
  for (const [each, messages] of statuses) responses[each] = errorResponse(operation, each, messages)
  return responses
}

function jsonContent(body: TSchema, examples: Record<string, unknown>) {
  return { 'application/json': { schema: schemaOrRef(body), examples: asExamples(examples) } }
}

function descriptionOf({ method }: Operation, status: number) {
  if (method === 'PATCH' && status === 415) return 'The body is not declared as one of the types in `Accept-Patch`.'
  return DESCRIPTIONS[status]
}

function errorResponse(operation: Operation, status: number, messages: [ErrorCode, string][]) {
  const examples = Object.fromEntries(messages.map(([code, message]) => [code, errorBody(code, message)]))
  return {
    description: descriptionOf(operation, status) ?? messages.map(([code]) => ERRORS[code].means).join(' '),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples: asExamples(examples) } },
    headers: headersOf(operation, status),
  }
}

/** The errors of an operation, each with an example of its message: those that follow from its declaration, and its own. */
function errorsOf(operation: Operation): [ErrorCode, string][] {
  const { scope, params = {}, query, body, idempotent, conditional, errors = {} } = operation
  const codes: ErrorCode[] = [
    ...(query ? (['invalid_parameter'] as const) : []),
    ...(query?.properties['cursor'] ? (['invalid_cursor'] as const) : []),
    ...(body ? (['invalid_json', 'invalid_body', 'payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(idempotent ? (['invalid_idempotency_key', 'idempotency_in_progress', 'idempotency_key_reused'] as const) : []),
    ...COMMON_ERRORS,
  ]
  const messages = new Map(codes.map((code) => [code, EXAMPLE_MESSAGES[code] ?? '']))
  if (conditional) messages.set('invalid_parameter', MALFORMED_IF_MATCH)
  if (operation.method === 'PATCH') messages.set('unsupported_media_type', wrongType(PATCH_TYPES).message)
  if (scope) messages.set('insufficient_scope', insufficientScope(scope).message)
  for (const { notFound } of Object.values(params)) {
    const { code, message } = notFound(MISSING_ID)
    messages.set(code, message)
  }
  for (const code of ERROR_CODES) if (errors[code] !== undefined) messages.set(code, errors[code])
  return [...messages]
}

/** Sent before a valid key was seen. */
const BEFORE_KEY = [401, 408, 431]
/** Sent before the operation is known, since the request cannot be parsed. */
const BEFORE_ROUTE = [408, 431]

function headersOf({ method, success, idempotent, conditional, revalidated, deprecated }: Operation, status: number) {
  const own: HeaderName[] = ['RequestId']
  if (status === success.status) own.push(...(success.headers ?? []))
  if (status === success.status && idempotent) own.push('IdempotentReplayed')
  if (conditional && ((status === success.status && success.body) || status === 412)) own.push('ETag')
  if (revalidated && (status === success.status || status === 304)) own.push('ContentETag')
  if (method === 'PATCH' && status === 415) own.push('AcceptPatch')
  if (status === 401 || status === 403) own.push('WwwAuthenticate')
  // Only clients with a valid key see its expiry and its limit.
  if (!BEFORE_KEY.includes(status)) own.push('KeyExpires', 'Mode', 'RateLimitPolicy', 'RateLimit')
  if ((status === 409 && idempotent) || status === 429 || status === 503) own.push('RetryAfter')
  if (deprecated && !BEFORE_ROUTE.includes(status)) own.push('Deprecation', 'Sunset', 'DeprecationLink')
  return Object.fromEntries(
    own.map((header) => [RESPONSE_HEADERS[header].name, { $ref: `#/components/headers/${header}` }]),
  )
}
