import { type Answer, outline, showAnswer, Violation } from './answer.ts'
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

export function expect(answer: Answer, holds: boolean, expected: string, seen?: string): asserts holds {
  if (!holds) throw new Violation(expected, answer.request, showAnswer(answer), seen ?? outline(answer))
}

export function expectStatus(answer: Answer, ...statuses: number[]) {
  expect(answer, statuses.includes(answer.status), `the status ${statuses.join(' or ')}`)
}

export function expectHeader(answer: Answer, name: string, value: string | RegExp) {
  const given = answer.headers.get(name.toLowerCase())
  const right = given !== undefined && (typeof value === 'string' ? given === value : value.test(given))
  expect(answer, right, `the header ${name}: ${String(value)}`, given === undefined ? 'none' : `${name}: ${given}`)
}

export function expectNoHeader(answer: Answer, name: string) {
  const given = answer.headers.get(name.toLowerCase())
  expect(answer, given === undefined, `no header ${name}`, `${name}: ${given}`)
}

/** The body, with every digit of its integers kept: they are bigint. */
export function jsonOf(answer: Answer): unknown {
  const type = answer.headers.get('content-type') ?? ''
  const seen = type === '' ? 'no Content-Type' : `Content-Type: ${type}`
  expect(answer, /^application\/json *(?:;|$)/i.test(type), 'Content-Type: application/json', seen)
  const value = parseExactly(answer.text)
  expect(answer, value !== undefined, 'a body that is JSON')
  return value
}

/** Exactly `code`, `message` and `status` where the code is known; at least these where the contract leaves it open. */
export function expectError(answer: Answer, status: number, code?: string) {
  expectStatus(answer, status)
  const body = objectOf(answer)
  expect(answer, typeof body['code'] === 'string', 'an Error body with `code`, a string')
  expect(answer, typeof body['message'] === 'string', 'an Error body with `message`, a string')
  expect(answer, body['status'] === BigInt(status), `an Error body with \`status\` ${status}`)
  if (code === undefined) return
  expect(answer, body['code'] === code, `the code ${code}`, `the code ${show(body['code'], 64)}`)
  expect(answer, Object.keys(body).length === 3, 'an Error body with nothing but `code`, `message` and `status`')
  expect(answer, /^[`A-Z].{10,}[.?]$/su.test(body['message']), 'a `message` that is a sentence')
}

export function objectOf(answer: Answer): Record<string, unknown> {
  const body = jsonOf(answer)
  expect(answer, isObject(body), 'a JSON object')
  return body
}

/** The pets of a list: 200, JSON, a bare array, each of them whole. */
export function petsOf(answer: Answer): Pet[] {
  expectStatus(answer, 200)
  const body = jsonOf(answer)
  expect(answer, Array.isArray(body), 'a bare JSON array')
  return body.map((item) => asPet(answer, item))
}

export function petOf(answer: Answer, status: 200 | 201): Pet {
  expectStatus(answer, status)
  return asPet(answer, jsonOf(answer))
}

/** The answer is this pet, digit for digit and character for character, and has a status only if the pet has one. */
export function expectPet(answer: Answer, status: 200 | 201, pet: Omit<Pet, 'id'> & { id?: bigint }) {
  const got = petOf(answer, status)
  if (pet.id !== undefined) expect(answer, got.id === pet.id, `\`id\` ${pet.id}`)
  expect(answer, got.name === pet.name, `\`name\` ${show(JSON.stringify(pet.name), 80)}, as it was given`)
  expect(answer, got.categoryId === pet.categoryId, `\`categoryId\` ${pet.categoryId}, digit for digit`)
  expect(answer, got.status === pet.status, pet.status ? `\`status\` ${pet.status}` : 'no `status`')
  return got
}

export function isInt64(value: unknown): value is bigint {
  return typeof value === 'bigint' && value >= INT64_MIN && value <= INT64_MAX
}

function asPet(answer: Answer, value: unknown): Pet {
  expect(answer, isObject(value), 'a Pet, which is a JSON object')
  const { id, name, categoryId, status } = value
  expect(answer, isInt64(id), 'a Pet with `id`, an int64')
  expect(answer, typeof name === 'string', 'a Pet with `name`, a string')
  expect(answer, isInt64(categoryId), 'a Pet with `categoryId`, an int64')
  if (!('status' in value)) return { id, name, categoryId }
  expect(
    answer,
    typeof status === 'string' && STATUSES.includes(status),
    `a Pet with \`status\` one of ${STATUSES.join(', ')}`,
  )
  return { id, name, categoryId, status }
}

function isObject(value: unknown): value is Record<string, unknown> {
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
