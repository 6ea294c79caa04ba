import { checkError } from './error-body.ts'
import type { Expectation } from './oracle/expectation.ts'
import { headers } from './oracle/headers.ts'
import { readJson } from './oracle/json.ts'
import type { Request } from './request.ts'
import type { HttpResponse } from './response.ts'
import type { Store } from './store.ts'
import { checkEvents } from './verdict-events.ts'
import { checkOrder, checkOrders, checkPlaced } from './verdict-orders.ts'
import { checkCreated, checkList, checkPet, checkRecord } from './verdict-pets.ts'
import { checkWebhooks } from './verdict-webhooks.ts'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/
/** Without a body. */
const EMPTY = [202, 204, 302]
const PATCH_TYPES = 'application/merge-patch+json, application/json'

/**
 * What is wrong with a response; undefined when it is what the contract demands. Of several responses that may be due, the
 * first that fits says what is so from now on.
 */
export function checkResponse(
  request: Request,
  expected: Expectation[],
  response: HttpResponse,
  store: Store,
  sentAt: number,
) {
  const faults: string[] = []
  for (const one of expected) {
    const fault = faultOf(request, one, response, store, sentAt)
    if (fault === undefined) {
      const after = one.next?.(response.body.length === 0 ? undefined : readJson(response.body))
      if (after) store.keep(after)
      return undefined
    }
    faults.push(fault)
  }
  return faults.join('; or ')
}

/** What is wrong with a response if this one was due. */
export function faultOf(request: Request, due: Expectation, response: HttpResponse, store: Store, sentAt: number) {
  return (
    checkStatus(due, response) ??
    checkHeaders(request, due, response) ??
    checkBody(request, due, response, store, sentAt)
  )
}

function checkStatus({ statuses, codes }: Expectation, { status, body }: HttpResponse) {
  if (statuses.includes(status)) return undefined
  const due = [...statuses, ...(codes ?? [])].join(' ')
  return `the status is ${status} where ${due} was due: ${body.toString('utf8', 0, 300)}`
}

function checkHeaders(request: Request, expected: Expectation, response: HttpResponse) {
  const { status, headers: given } = response
  const has = (name: string, value: string | undefined) =>
    given.get(name) === value
      ? undefined
      : `${status}: ${name} is ${given.get(name) ?? 'missing'}, not ${value ?? 'missing'}`
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
  const isEmpty = EMPTY.includes(status)
  const namesMethods = expected.allow !== undefined && (request.method === 'OPTIONS' || status === 405)
  const namesTypes =
    expected.patches &&
    ((status === 415 && request.method === 'PATCH') || (status === 204 && request.method === 'OPTIONS'))
  return (
    has('cache-control', 'no-store') ??
    has('x-content-type-options', 'nosniff') ??
    (status === 302 ? checkRedirect(response) : undefined) ??
    (isEmpty ? undefined : has('content-type', 'application/json')) ??
    (expected.hasAnyEtag ? undefined : has('etag', expected.etag)) ??
    (namesMethods && status < 500 && status !== 401 && status !== 404 ? has('allow', expected.allow) : undefined) ??
    has('accept-patch', namesTypes ? PATCH_TYPES : undefined) ??
    (status === 409 ? has('retry-after', undefined) : undefined) ??
    (expected.bodyUnread ? has('connection', 'close') : undefined) ??
    checkDeprecation(request, expected.successor, response) ??
    (status === 401 || status === 403 ? checkChallenge(expected, response) : undefined)
  )
}

function checkRedirect({ headers: given }: HttpResponse) {
  const location = given.get('location') ?? ''
  return /^\/docs(?:\?|$)/.test(location) ? undefined : `302: Location is ${location}`
}

function checkDeprecation(
  { method }: Request,
  successor: string | undefined,
  { status, headers: given }: HttpResponse,
) {
  const link = given.get('link') ?? ''
  if (successor === undefined)
    return given.has('deprecation') && method !== 'GET' && method !== 'HEAD'
      ? `${status}: ${method} has Deprecation`
      : undefined
  if (given.get('deprecation') !== '@1794614400') return `${status}: Deprecation is ${given.get('deprecation')}`
  if (given.get('sunset') !== 'Thu, 05 Dec 2030 00:00:00 GMT') return `${status}: Sunset is ${given.get('sunset')}`
  return link.includes('rel="deprecation"') && link.includes(`${successor}>; rel="successor-version"`)
    ? undefined
    : `${status}: Link is ${link}`
}

function checkChallenge({ codes = [], scope }: Expectation, { status, headers: given }: HttpResponse) {
  const challenge = given.get('www-authenticate') ?? ''
  const [error = ''] = codes.includes('missing_credentials')
    ? []
    : [scope === undefined ? ', error="invalid_token"' : `, error="insufficient_scope", scope="${scope}"`]
  return challenge === `Bearer realm="petstore"${error}` ? undefined : `${status}: WWW-Authenticate is ${challenge}`
}

function checkBody(request: Request, expected: Expectation, response: HttpResponse, store: Store, sentAt: number) {
  const { status, body } = response
  if (status === 404 && expected.petId !== undefined && store.seen(expected.petId, sentAt))
    return `the pet ${expected.petId} is gone`
  if (body.length === 0)
    return request.method === 'HEAD' || EMPTY.includes(status) ? undefined : `a ${status} has no body`
  if (status >= 400) return checkError(request, expected, response, store)
  const value = readJson(body)
  if (value === undefined) return `a ${status} whose body is not JSON`
  if (expected.creates) return checkCreated(expected, response, value, store)
  if (expected.list) return checkList(expected.list, response, value, store, sentAt)
  if (expected.record) return checkRecord(expected.record, value, body)
  if (expected.places) return checkPlaced(expected, response, value, store)
  if (expected.order ?? expected.changingOrder) return checkOrder(expected, value, body)
  if (expected.orders) return checkOrders(expected.orders, response, value, store, sentAt)
  if (expected.webhooks) return checkWebhooks(expected.webhooks, response, value, store)
  if (expected.events) return checkEvents(expected.events, response, value, store, sentAt)
  return expected.petId === undefined ? undefined : checkPet(expected.petId, value, body, store, sentAt)
}
