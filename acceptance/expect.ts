import { outline, type Response, showResponse, Violation } from './response.ts'
import { show } from './shell.ts'

export interface Pet {
  id: bigint
  name: string
  categoryId: bigint
  status?: string
}

export const STATUSES = ['available', 'pending', 'sold']
const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n

export function expect(response: Response, holds: boolean, expected: string, seen?: string): asserts holds {
  if (!holds) throw new Violation(expected, response.request, showResponse(response), seen ?? outline(response))
}

export function expectStatus(response: Response, ...statuses: number[]) {
  expect(response, statuses.includes(response.status), `the status ${statuses.join(' or ')}`)
}

export function expectHeader(response: Response, name: string, value: string | RegExp) {
  const given = response.headers.get(name.toLowerCase())
  const right = given !== undefined && (typeof value === 'string' ? given === value : value.test(given))
  expect(response, right, `the header ${name}: ${String(value)}`, given === undefined ? 'none' : `${name}: ${given}`)
}

export function expectNoHeader(response: Response, name: string) {
  const given = response.headers.get(name.toLowerCase())
  expect(response, given === undefined, `no header ${name}`, `${name}: ${given}`)
}

/** The body, with every digit of its integers kept: they are bigint. */
export function jsonOf(response: Response): unknown {
  const type = response.headers.get('content-type') ?? ''
  const seen = type === '' ? 'no Content-Type' : `Content-Type: ${type}`
  expect(response, /^application\/json *(?:;|$)/i.test(type), 'Content-Type: application/json', seen)
  const value = parseExactly(response.text)
  expect(response, value !== undefined, 'a body that is JSON')
  return value
}

/** Exactly `code`, `message` and `status` where the code is known; at least these where the contract leaves it open. */
export function expectError(response: Response, status: number, code?: string) {
  expectStatus(response, status)
  const body = objectOf(response)
  expect(response, typeof body['code'] === 'string', 'an Error body with `code`, a string')
  expect(response, typeof body['message'] === 'string', 'an Error body with `message`, a string')
  expect(response, body['status'] === BigInt(status), `an Error body with \`status\` ${status}`)
  if (code === undefined) return
  expect(response, body['code'] === code, `the code ${code}`, `the code ${show(body['code'], 64)}`)
  expect(response, Object.keys(body).length === 3, 'an Error body with nothing but `code`, `message` and `status`')
  expect(response, /^[`A-Z].{10,}[.?]$/su.test(body['message']), 'a `message` that is a sentence')
}

export function objectOf(response: Response): Record<string, unknown> {
  const body = jsonOf(response)
  expect(response, isObject(body), 'a JSON object')
  return body
}

/** The pets of a list: 200, JSON, a bare array, each of them whole. */
export function petsOf(response: Response): Pet[] {
  expectStatus(response, 200)
  const body = jsonOf(response)
  expect(response, Array.isArray(body), 'a bare JSON array')
  return body.map((item) => asPet(response, item))
}

export function petOf(response: Response, status: 200 | 201): Pet {
  expectStatus(response, status)
  return asPet(response, jsonOf(response))
}

/** The response is this pet, digit for digit and character for character, and has a status only if the pet has one. */
export function expectPet(response: Response, status: 200 | 201, pet: Omit<Pet, 'id'> & { id?: bigint }) {
  const got = petOf(response, status)
  if (pet.id !== undefined) expect(response, got.id === pet.id, `\`id\` ${pet.id}`)
  expect(response, got.name === pet.name, `\`name\` ${show(JSON.stringify(pet.name), 80)}, as it was given`)
  expect(response, got.categoryId === pet.categoryId, `\`categoryId\` ${pet.categoryId}, digit for digit`)
  expect(response, got.status === pet.status, pet.status ? `\`status\` ${pet.status}` : 'no `status`')
  return got
}

export function isInt64(value: unknown): value is bigint {
  return typeof value === 'bigint' && value >= INT64_MIN && value <= INT64_MAX
}

export function asPet(response: Response, value: unknown): Pet {
  expect(response, isObject(value), 'a Pet, which is a JSON object')
  const { id, name, categoryId, status } = value
  expect(response, isInt64(id), 'a Pet with `id`, an int64')
  expect(response, typeof name === 'string', 'a Pet with `name`, a string')
  expect(response, isInt64(categoryId), 'a Pet with `categoryId`, an int64')
  if (!('status' in value)) return { id, name, categoryId }
  expect(
    response,
    typeof status === 'string' && STATUSES.includes(status),
    `a Pet with \`status\` one of ${STATUSES.join(', ')}`,
  )
  return { id, name, categoryId, status }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseExactly(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && /^-?\d+$/.test(context?.source ?? '') ? BigInt(context?.source ?? '') : value,
    )
  } catch {
    return undefined
  }
}
