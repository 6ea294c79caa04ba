import { expect, expectHeader, expectStatus, isInt64, isObject, jsonOf } from './expect.ts'
import type { Response } from './response.ts'
import type { Request } from './wire.ts'

export interface Category {
  id: bigint
  name: string
  version: bigint
  pets?: Record<string, bigint>
}

export const CATEGORIES = '/categories'
const STATUSES = ['available', 'pending', 'sold', 'none']

export function putCategory(id: bigint | string, body: string, headers: Record<string, string> = {}): Request {
  const type = { 'Content-Type': 'application/json' }
  return { method: 'PUT', path: `${CATEGORIES}/${id}`, headers: { ...type, ...headers }, body }
}

export function named(id: bigint | string, name: string, headers: Record<string, string> = {}) {
  return putCategory(id, JSON.stringify({ name }), headers)
}

export function removeCategory(id: bigint | string, headers: Record<string, string> = {}): Request {
  return { method: 'DELETE', path: `${CATEGORIES}/${id}`, headers }
}

/** The category that a PUT returned, with its version for an ETag. */
export function categoryOf(response: Response, status: 200 | 201): Category {
  expectStatus(response, status)
  const category = asCategory(response, jsonOf(response))
  expectHeader(response, 'ETag', `"${category.version}"`)
  return category
}

export function categoriesOf(response: Response): Category[] {
  expectStatus(response, 200)
  const body = jsonOf(response)
  expect(response, Array.isArray(body), 'a bare JSON array')
  return body.map((item) => asCategory(response, item))
}

function asCategory(response: Response, value: unknown): Category {
  expect(response, isObject(value), 'a category')
  const { id, name, version, pets, ...others } = value
  expect(response, isInt64(id) && isInt64(version) && typeof name === 'string', 'a category')
  expect(response, Object.keys(others).length === 0, 'no other fields', Object.keys(others).join())
  if (pets === undefined) return { id, name, version }
  expect(response, isObject(pets) && Object.keys(pets).join() === STATUSES.join(), `counts of ${STATUSES.join(', ')}`)
  const counts = Object.entries(pets).map(([status, count]) => {
    expect(response, isInt64(count) && count >= 0n && count <= 100n, 'a count from 0 to 100')
    return [status, count] as const
  })
  return { id, name, version, pets: Object.fromEntries(counts) }
}
