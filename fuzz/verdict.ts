import { checkError } from './error-body.ts'
import { type Json, readJson } from './oracle/json.ts'
import type { ListQuery } from './oracle/list-query.ts'
import { asPet, type Pet, samePet } from './oracle/new-pet.ts'
import { type Expectation, headers } from './oracle/request.ts'
import type { Request } from './request.ts'
import type { HttpResponse } from './response.ts'
import type { Store } from './store.ts'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/
const LAST_ID = 2n ** 53n

/** What is wrong with a response; undefined when it is what the contract demands. Remembers the pets in it. */
export function checkResponse(
  request: Request,
  expected: Expectation,
  response: HttpResponse,
  store: Store,
  sentAt: number,
) {
  return (
    checkStatus(expected, response) ??
    checkHeaders(request, expected, response) ??
    checkBody(request, expected, response, store, sentAt)
  )
}

function checkStatus({ statuses, codes }: Expectation, { status, body }: HttpResponse) {
  if (statuses.includes(status)) return undefined
  const due = [...statuses, ...(codes ?? [])].join(' ')
  return `the status is ${status} where ${due} was due: ${body.toString('utf8', 0, 300)}`
}

function checkHeaders(request: Request, expected: Expectation, response: HttpResponse) {
  const { status, headers: given } = response
  const has = (name: string, value: string) =>
    given.get(name) === value ? undefined : `${status}: ${name} is ${given.get(name) ?? 'missing'}, not ${value}`
  const id = given.get('request-id') ?? ''
  const [sentId, ...more] = headers(request, 'request-id')
  // What could not be read as a request has no headers of its own either.
  const keeps = sentId !== undefined && more.length === 0 && REQUEST_ID.test(sentId) && status !== 431
  if (!REQUEST_ID.test(id)) return `${status}: Request-Id is ${JSON.stringify(id)}`
  if (keeps && id !== sentId) return `${status}: Request-Id was not kept`
  if (given.has('server') || given.has('x-powered-by')) return `${status}: a header reveals the server software`
  // The length of a chunked body is unknown before it arrives.
  if (response.continued && expected.bodyUnread && status !== 413)
    return `${status}: 100 Continue came before the rejection`
  return (
    has('cache-control', 'no-store') ??
    has('x-content-type-options', 'nosniff') ??
    (status === 302 ? checkRedirect(response) : undefined) ??
    (status === 204 || status === 302 ? undefined : has('content-type', 'application/json')) ??
    (expected.allow !== undefined && (status === 204 || status === 405) ? has('allow', expected.allow) : undefined) ??
    (expected.bodyUnread ? has('connection', 'close') : undefined) ??
    (expected.successor === undefined ? undefined : checkDeprecation(expected.successor, response)) ??
    (status === 401 ? checkChallenge(expected, response) : undefined)
  )
}

function checkRedirect({ headers: given }: HttpResponse) {
  const location = given.get('location') ?? ''
  return /^\/docs(?:\?|$)/.test(location) ? undefined : `302: Location is ${location}`
}

function checkDeprecation(successor: string, { status, headers: given }: HttpResponse) {
  const link = given.get('link') ?? ''
  if (given.get('deprecation') !== '@1794614400') return `${status}: Deprecation is ${given.get('deprecation')}`
  if (given.get('sunset') !== 'Thu, 05 Dec 2030 00:00:00 GMT') return `${status}: Sunset is ${given.get('sunset')}`
  return link.includes('rel="deprecation"') && link.includes(`${successor}>; rel="successor-version"`)
    ? undefined
    : `${status}: Link is ${link}`
}

function checkChallenge({ codes = [] }: Expectation, { headers: given }: HttpResponse) {
  const challenge = given.get('www-authenticate') ?? ''
  const expected = codes.includes('missing_credentials')
    ? 'Bearer realm="petstore"'
    : 'Bearer realm="petstore", error="invalid_token"'
  return challenge === expected ? undefined : `401: WWW-Authenticate is ${challenge}`
}

function checkBody(request: Request, expected: Expectation, response: HttpResponse, store: Store, sentAt: number) {
  const { status, body } = response
  if (status === 404 && expected.petId !== undefined && store.knew(expected.petId, sentAt))
    return `the pet ${expected.petId} is gone`
  if (body.length === 0)
    return request.method === 'HEAD' || status === 204 || status === 302 ? undefined : `a ${status} has no body`
  if (status >= 400) return checkError(request, expected, response, store.key)
  const value = readJson(body)
  if (value === undefined) return `a ${status} whose body is not JSON`
  if (expected.creates) return checkCreated(expected, response, value, store)
  if (expected.list) return checkList(expected.list, response, value, store, sentAt)
  if (expected.petId === undefined) return undefined
  const pet = asPet(value)
  if (!pet || pet.id !== expected.petId || pet.id >= LAST_ID) return `a 200 that is not the pet: ${shown(body)}`
  return checkKnown(pet, store)
}

function checkCreated(
  { creates, replays, idempotencyKey }: Expectation,
  { headers: given, body }: HttpResponse,
  value: Json,
  store: Store,
) {
  const pet = asPet(value)
  if (!pet || !creates || !samePet(pet, creates)) return `a 201 whose body is not the pet that was sent: ${shown(body)}`
  if (!given.get('location')?.endsWith(`/v1/pets/${pet.id}`)) return `201: Location is ${given.get('location')}`
  const isReplay = given.get('idempotent-replayed')
  if (isReplay !== (replays && 'true')) return `201: Idempotent-Replayed is ${isReplay}`
  if (replays) return replays.id === pet.id ? undefined : `201: the key of ${replays.id} has added ${pet.id}`
  if (idempotencyKey !== undefined) store.keepKey(idempotencyKey, pet)
  return store.add(pet) ? undefined : `201: the id ${pet.id} was given before`
}

/** A page contains what was asked for, in order, each pet once and as it was created; a list by id lacks none. */
function checkList(query: ListQuery, response: HttpResponse, value: Json, store: Store, sentAt: number) {
  const pets = Array.isArray(value) ? value.map(asPet) : undefined
  if (!pets?.every((pet) => pet !== undefined)) return `a list with an item that is not a pet: ${shown(response.body)}`
  const { limit, status, ids } = query
  if (pets.length > limit) return `${pets.length} pets with a limit of ${limit}`
  if (pets.some((pet, i) => i > 0 && pet.id <= (pets[i - 1]?.id ?? 0n)))
    return 'a list that is out of order or contains a pet twice'
  if (status !== undefined && pets.some((pet) => pet.status !== status))
    return `a list of ${status} pets contains another status`
  if (ids && pets.some((pet) => !ids.includes(pet.id))) return 'a list by id contains a pet that was not asked for'
  const next = nextPage(response)
  if (next === undefined && response.headers.has('link')) return `Link is ${response.headers.get('link')}`
  if (next !== undefined && pets.length < limit) return 'a page that is not full has a next link'
  if (next !== undefined) store.keepCursor(next)
  const missing =
    ids && query.cursor === undefined && next === undefined
      ? ids.find((id) => store.knew(id, sentAt) && matches(store.get(id), status) && !pets.some((pet) => pet.id === id))
      : undefined
  if (missing !== undefined) return `a list by id lacks ${missing}`
  for (const pet of pets) {
    const fault = checkKnown(pet, store)
    if (fault) return fault
  }
  return undefined
}

/** The query of the next page, when a page has one. */
export function nextPage({ headers: given }: HttpResponse) {
  return /^<[^<>?]*\/pets\?([^<>]*cursor=[^<>]*)>; rel="next"$/.exec(given.get('link') ?? '')?.[1]
}

function matches(pet: Pet | undefined, status: string | undefined) {
  return status === undefined || pet?.status === status
}

function checkKnown(pet: Pet, store: Store) {
  const known = store.get(pet.id)
  return known && !samePet(known, pet) ? `the pet ${pet.id} does not read back as it was created` : undefined
}

function shown(body: Buffer) {
  return body.toString('utf8', 0, 300)
}
