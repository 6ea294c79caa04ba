import { Type } from 'typebox'
import { type ErrorCode, STATUS_OF } from '../errors.ts'

export const ErrorSchema = Type.Object(
  {
    code: Type.Unsafe<ErrorCode>({
      type: 'string',
      enum: Object.keys(STATUS_OF),
      description: 'Machine-readable error code.',
    }),
    message: Type.String({ description: 'Human-readable description: what was wrong, and what is allowed.' }),
    status: Type.Integer({ description: 'The HTTP status code of the response.' }),
  },
  { $id: 'Error', description: 'The body of every response that is not a success.' },
)

const DESCRIPTIONS = {
  400: 'The request holds invalid values.',
  401: 'Credential missing or invalid.',
  403: 'The key lacks the scope that this operation needs.',
  404: 'The requested resource could not be found.',
  408: 'The request did not arrive in time.',
  409: 'Another call with the same Idempotency-Key is still under way. Try again after Retry-After seconds.',
  413: 'The body is over 65,536 bytes.',
  415: 'The body is not declared as plain application/json.',
  422: 'The Idempotency-Key was used for another animal.',
  429: 'The limit of the key is reached, or too many calls without a valid key came from this address. Try again after Retry-After seconds.',
  431: 'Request line and headers are over 16 KiB together.',
  500: 'A fault of the service.',
  503: 'The service cannot reach its database, or has too much to do. Try again after Retry-After seconds.',
}

type DocumentedStatus = keyof typeof DESCRIPTIONS

/** What any operation may answer, whatever it does; one that needs a scope may answer 403 too. */
const COMMON: DocumentedStatus[] = [400, 401, 408, 429, 431, 500, 503]

/** The error responses of an operation: the common ones and its own. */
export function errorResponses(...own: DocumentedStatus[]) {
  const statuses = [...COMMON, ...own].toSorted((a, b) => a - b)
  return Object.fromEntries(statuses.map((status) => [status, { ...ref, description: DESCRIPTIONS[status] }]))
}

const ref = Type.Ref('Error')
