import { readRetryAfter } from './backoff.ts'
import { PetstoreError } from './errors.ts'
import { isObject, readJson } from './json.ts'
import type { Kind } from './kinds.ts'

export interface HttpResponse {
  status: number
  headers: Headers
  text: string
}

export function itemIn<Item>(response: HttpResponse, { name, int64, is }: Kind<Item>) {
  const item = read(response, int64)
  if (!is(item)) throw unexpected(response, `The response is not a ${name}.`)
  return item
}

export function itemsIn<Item>(response: HttpResponse, { name, int64, is }: Kind<Item>): Item[] {
  const items = read(response, int64)
  if (!Array.isArray(items) || !items.every(is)) throw unexpected(response, `The response is not a list of ${name}s.`)
  return items
}

function read(response: HttpResponse, int64: readonly string[]) {
  try {
    return readJson(response.text, int64)
  } catch (error) {
    throw unexpected(response, 'The response cannot be read.', error)
  }
}

/** The error of the service in a response. */
export function errorIn(response: HttpResponse) {
  try {
    const body: unknown = JSON.parse(response.text)
    if (isObject(body) && typeof body['code'] === 'string' && typeof body['message'] === 'string')
      return new PetstoreError(body['code'], body['message'], aboutOf(response))
  } catch {
    // Not JSON, so not the service.
  }
  return unexpected(response, `Status ${response.status} without an error of the service.`)
}

export function unexpected(response: HttpResponse, message: string, cause?: unknown) {
  return new PetstoreError('unexpected_answer', message, { ...aboutOf(response), cause })
}

function aboutOf({ status, headers }: HttpResponse) {
  const version = /^"(\d+)"$/.exec(headers.get('etag') ?? '')?.[1]
  return {
    status,
    requestId: headers.get('request-id') ?? undefined,
    retryAfter: readRetryAfter(headers.get('retry-after')),
    currentVersion: version === undefined ? undefined : BigInt(version),
  }
}
