import { Type } from 'typebox'
import { type ErrorCode, STATUS_OF } from '../wire/errors.ts'

export const ErrorSchema = Type.Object(
  {
    code: Type.Unsafe<ErrorCode>({
      type: 'string',
      description: 'Machine-readable error code. Later versions may return codes that are not listed here.',
      examples: Object.keys(STATUS_OF),
    }),
    message: Type.String({ description: 'Human-readable description: what was wrong and what is allowed.' }),
    status: Type.Integer({ description: 'The HTTP status code of the response.' }),
  },
  { $id: 'Error', description: 'The body of every response that is not a success.' },
)

const DESCRIPTIONS = {
  400: 'The request contains invalid values.',
  401: 'Credential missing or invalid.',
  403: 'The key does not have the scope that this operation needs.',
  404: 'The requested resource could not be found.',
  408: 'The request did not arrive in time.',
  409: 'Another request with the same Idempotency-Key is still running. Try again after Retry-After seconds.',
  413: 'The body is over 65,536 bytes.',
  415: 'The body is not declared as plain application/json.',
  422: 'The Idempotency-Key was used for a different animal.',
  429: 'The rate limit of the key is reached, or too many requests with a wrong key came from this IP address. Try again after Retry-After seconds.',
  431: 'The request line and headers are over 16 KiB in total.',
  500: 'An internal error of the service.',
  503: 'The service cannot reach its database, or is overloaded. Try again after Retry-After seconds.',
}

type DocumentedStatus = keyof typeof DESCRIPTIONS

/** The errors of every operation; one that needs a scope may return 403 too. */
const COMMON: DocumentedStatus[] = [400, 401, 408, 429, 431, 500, 503]

/** The error responses of an operation: the common ones and its own. */
export function errorResponses(...own: DocumentedStatus[]) {
  const statuses = [...COMMON, ...own].toSorted((a, b) => a - b)
  return Object.fromEntries(statuses.map((status) => [status, { ...ref, description: DESCRIPTIONS[status] }]))
}

const ref = Type.Ref('Error')
