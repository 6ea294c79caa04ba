import { randomBytes, randomUUID } from 'node:crypto'
import type { Clause, Context } from './clause.ts'
import { asPet, expect, expectError, expectHeader, expectNoHeader, expectStatus, jsonOf, type Pet } from './expect.ts'
import { rejection } from './rejection.ts'
import type { Response } from './response.ts'
import type { Request } from './wire.ts'

/** What a change returns, and an item of `?view=full`. */
export interface PetRecord extends Pet {
  version: bigint
  orderId?: string
}

/** An id that no pet has. */
export const NO_PET = '9223372036854775806'

/** A clause of the store. Where the contract numbers it, like P1, its id and its sentence do too. */
export function clause(id: string, sentence: string, run: Clause['run']): Clause {
  return { id, profile: 'store', sentence, run }
}

export function refused(id: string, sentence: string, request: Request, status: number, code: string): Clause {
  return { ...rejection(id, sentence, request, status, code), profile: 'store' }
}

/** Text of a new pet, as JSON. */
export function newPet(status?: string, categoryId: bigint | number = 1) {
  return `{"name":"verify store","categoryId":${categoryId}${status ? `,"status":"${status}"` : ''}}`
}

/** A category that no other pet has: what a clause adds to it is all there is. */
export function newCategory() {
  return randomBytes(8).readBigInt64LE()
}

export function patch(petId: bigint | string, body: string, headers: Record<string, string> = {}) {
  const type = { 'Content-Type': 'application/merge-patch+json' }
  return { method: 'PATCH', path: `/pets/${petId}`, headers: { ...type, ...headers }, body }
}

export function remove(petId: bigint | string, headers: Record<string, string> = {}) {
  return { method: 'DELETE', path: `/pets/${petId}`, headers }
}

/** The header with a key that no request had before. */
export const keyed = () => ({ 'Idempotency-Key': randomUUID() })

export const ifMatch = (value: string) => ({ 'If-Match': value })

/** The pet that a PATCH returned, with its version for an ETag. */
export function recordOf(response: Response): PetRecord {
  expectStatus(response, 200)
  const record = asRecord(response, jsonOf(response))
  expectHeader(response, 'ETag', `"${record.version}"`)
  return record
}

/** The pets of a list with `view=full`. */
export function recordsOf(response: Response): PetRecord[] {
  expectStatus(response, 200)
  const body = jsonOf(response)
  expect(response, Array.isArray(body), 'a bare JSON array')
  return body.map((item) => asRecord(response, item))
}

/** The pet as it is now. */
export async function look({ call }: Pick<Context, 'call'>, petId: bigint) {
  const response = await call({ path: `/pets?view=full&id=${petId}` })
  const [record, ...more] = recordsOf(response)
  expect(response, record?.id === petId && more.length === 0, `the pet ${petId} alone`)
  return { response, record }
}

/** `undefined`: the field is absent. */
type Expected = { [Name in keyof PetRecord]?: PetRecord[Name] | undefined }

/** The pet is now in this state: nothing happened to it but what the clause did. */
export async function expectNow(context: Pick<Context, 'call'>, petId: bigint, expected: Expected) {
  const { response, record } = await look(context, petId)
  for (const [name, value] of Object.entries(expected)) {
    const given = record[name as keyof PetRecord]
    expect(
      response,
      given === value,
      `the pet with \`${name}\` ${value ?? 'absent'}`,
      `\`${name}\` ${given ?? 'absent'}`,
    )
  }
  return record
}

/** 409, which is not worth a retry as it is. */
export function expectConflict(response: Response, code: string) {
  expectError(response, 409, code)
  expectNoHeader(response, 'Retry-After')
}

export function expectDeleted(response: Response) {
  expectStatus(response, 204)
  expect(response, response.text === '', 'no body')
}

export function messageOf(response: Response) {
  const { message } = jsonOf(response) as { message?: unknown }
  return typeof message === 'string' ? message : ''
}

export function asRecord(response: Response, value: unknown): PetRecord {
  const pet = asPet(response, value)
  const { version, orderId } = value as Record<string, unknown>
  expect(response, typeof version === 'bigint' && version >= 1n, 'a PetRecord with `version`, an integer from 1')
  if (orderId === undefined) return { ...pet, version }
  expect(response, typeof orderId === 'string', 'a PetRecord with `orderId`, a string')
  return { ...pet, version, orderId }
}
