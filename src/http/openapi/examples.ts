import { OVERLOADED_MESSAGE } from '../../domain/errors.ts'
import { KEY_LIMIT_REACHED } from '../gate/rate-limits.ts'
import { type ErrorCode, STATUS_OF } from '../wire/errors.ts'
import { MALFORMED_KEY } from '../wire/idempotency.ts'
import { UNKNOWN_CURSOR } from '../wire/pagination.ts'

/** An identifier no double can hold: whoever reads it wrong sees it at once. */
const LARGEST = 2n ** 63n - 1n

const rex = { id: 1n, name: 'Rex', categoryId: 1n, status: 'available' }
const whiskers = { id: 2n, name: 'Whiskers', categoryId: 2n, status: 'available' }

/** The bodies that the document shows. A test sends what leads to each, and expects the answer as it is written here. */
export const REQUEST_EXAMPLES: Record<string, Record<string, unknown>> = {
  createPet: {
    whole: { name: 'Shelly 🐢', categoryId: LARGEST, status: 'pending' },
    least: { name: 'Rex', categoryId: 1n },
  },
}

export const SUCCESS_EXAMPLES: Record<string, Record<string, Record<string, unknown>>> = {
  listPets: { 200: { page: [rex, whiskers], empty: [] } },
  createPet: {
    201: {
      whole: { id: 3n, name: 'Shelly 🐢', categoryId: LARGEST, status: 'pending' },
      least: { id: 4n, name: 'Rex', categoryId: 1n },
    },
  },
  getPet: { 200: { pet: rex } },
  getOwnKey: {
    200: {
      whole: {
        id: 'key_0a1B2c3D4e5F6g7H',
        name: 'shop floor',
        mode: 'live',
        scopes: ['pets:read', 'pets:write'],
        createdAt: '2026-11-15T09:30:00.000Z',
        expiresAt: '2027-11-15T09:30:00.000Z',
        rateLimit: { quota: 100, windowSeconds: 1 },
        replacedBy: 'key_7H6g5F4e3D2c1B0a',
      },
      least: {
        id: 'key_7H6g5F4e3D2c1B0a',
        name: 'reports',
        mode: 'test',
        scopes: ['pets:read'],
        createdAt: '2026-11-15T09:30:00.000Z',
        expiresAt: null,
      },
    },
  },
  listDeprecations: {
    200: {
      used: [
        {
          operation: 'getPet',
          method: 'GET',
          path: '/v1/pets/{petId}',
          calls: 12n,
          firstCalled: '2026-11-20T09:15:00.000Z',
          lastCalled: '2026-12-01T17:30:00.000Z',
          sunset: '2030-12-05',
          successor: '/v1/pets?id={petId}',
          documentation: '/docs#get-pet',
        },
      ],
      unused: [],
    },
  },
}

/** One message for each code that an operation can answer; where two operations differ, `exampleMessage` knows. */
const ERROR_MESSAGES: Partial<Record<ErrorCode, string>> = {
  invalid_json: 'The body is not valid JSON: it ends too early (line 1, column 2).',
  invalid_body: '`name` is required: a string. `categoryId` is required: an integer.',
  invalid_parameter: '`status` must be one of available, pending, sold; got "Sold" — did you mean sold?',
  invalid_cursor: UNKNOWN_CURSOR,
  invalid_idempotency_key: MALFORMED_KEY,
  bad_request: 'The request has more than one Host header.',
  missing_credentials: 'Send your API key in the header `Authorization: Bearer <API_KEY>`.',
  invalid_credentials: 'The API key is not valid. Check that it was copied whole.',
  expired_credentials: 'The API key has expired. Ask the operator for a new one.',
  revoked_credentials: 'The API key was revoked. Ask the operator for a new one.',
  insufficient_scope: 'This call needs a key with the scope pets:read. Ask the operator for one.',
  pet_not_found: 'No pet has the id 999.',
  request_timeout: 'The request did not arrive in time; send it again.',
  idempotency_in_progress:
    'Another call with this Idempotency-Key is still under way. Try again in a moment, with the same key.',
  payload_too_large: 'The body is over 65,536 bytes, which is the most a call may send.',
  unsupported_media_type: 'Content-Type must be application/json, in UTF-8.',
  idempotency_key_reused:
    'This Idempotency-Key was used for another pet. Send that pet again, or this one with a new key.',
  rate_limited: KEY_LIMIT_REACHED,
  headers_too_large: 'Request line and headers are over 16 KiB together; send less.',
  internal_error:
    'The service failed in a way it did not foresee. The failure was logged under the Request-Id of this answer.',
  overloaded: OVERLOADED_MESSAGE,
  unavailable: 'The service cannot use its database right now. Try again in a moment.',
}

export function exampleMessage(operationId: string, code: ErrorCode) {
  const message = ERROR_MESSAGES[code]
  return operationId === 'createPet' ? message?.replace('pets:read', 'pets:write') : message
}

const BAD_REQUESTS: Record<string, ErrorCode[]> = {
  listPets: ['invalid_parameter', 'invalid_cursor'],
  createPet: ['invalid_json', 'invalid_body', 'invalid_idempotency_key'],
}

/** The codes that an operation answers with this status. */
export function codesOf(operationId: string, status: number): ErrorCode[] {
  const codes = (Object.keys(STATUS_OF) as ErrorCode[]).filter((code) => STATUS_OF[code] === status)
  if (status === 400) return [...(BAD_REQUESTS[operationId] ?? []), 'bad_request']
  return codes.filter((code) => ERROR_MESSAGES[code] !== undefined)
}
