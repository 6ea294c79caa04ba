import { checkError } from './error-body.ts'
import { changeBy, worldAfter } from './oracle/change.ts'
import { readJson } from './oracle/json.ts'
import { askedBy } from './oracle/route.ts'
import { Search } from './oracle/search.ts'
import { possible } from './oracle/world.ts'
import { headers, type Request } from './request.ts'
import type { HttpResponse } from './response.ts'
import { type Shown, startOf } from './shown.ts'
import type { Store } from './store.ts'
import { checkCategories, checkCategory, checkNameless } from './verdict-categories.ts'
import { checkEnoughOrders, checkPetCount } from './verdict-counts.ts'
import { checkEvents } from './verdict-events.ts'
import { checkKeyNames, checkKeys, checkStatus } from './verdict-keys.ts'
import { checkOrder, checkOrderCounts, checkOrders, checkPlaced } from './verdict-orders.ts'
import { checkCreated, checkList, checkPet, checkStatusCounts } from './verdict-pets.ts'
import { checkWebhook, checkWebhookList } from './verdict-webhooks.ts'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/
/** Without a body. */
const EMPTY = [202, 204, 302, 304]

/** What a response gets wrong: its form, or what it shows. What it confirms is so from now on. */
export function checkResponse(request: Request, response: HttpResponse, store: Store, sentAt: number) {
  return checkForm(request, response, store) ?? checkShown(request, response, store, sentAt)
}

/** Whatever was asked for: no failure, a status and a code that the operation documents, sound headers. */
export function checkForm(request: Request, response: HttpResponse, store: Store) {
  const { status, body } = response
  const { operation, isPublic } = askedBy(request)
  const { operationId = 'no operation', responses } = operation ?? {}
  if (status >= 500 || status === 429) return `${operationId} failed with ${status}: ${startOf(body)}`
  const isDocumented = responses ? status in responses : status >= 400 || isPublic || request.method === 'OPTIONS'
  if (!isDocumented) return `${operationId} does not document ${status}: ${startOf(body)}`
  if (operation && status < 400 && store.keyIn(request) === undefined)
    return `${operationId} returned ${status} without a key`
  if (body.length === 0 && request.method !== 'HEAD' && !EMPTY.includes(status)) return `a ${status} has no body`
  const isError = status >= 400 && body.length > 0
  return checkHeaders(request, response) ?? (isError ? checkError(operation, request, response, store) : undefined)
}

/** The response to bytes that are no sound request. */
export function checkRejection(due: { status: number; code: string }, response: HttpResponse, store: Store) {
  const { status, body } = response
  const { code } = due
  if (status !== due.status || !body.includes(`"code":"${code}"`))
    return `a ${status} where ${due.status} ${code} was due: ${startOf(body)}`
  if (response.headers.get('connection') !== 'close') return `${status}: Connection is not close`
  return checkHeaders(NO_REQUEST, response) ?? checkError(undefined, NO_REQUEST, response, store)
}

function checkHeaders(request: Request, { status, headers: given }: HttpResponse) {
  const has = (name: string, form: RegExp) =>
    form.test(given.get(name) ?? '') ? undefined : `${status}: ${name} is ${given.get(name) ?? 'missing'}`
  const [sentId, ...more] = headers(request, 'request-id')
  // What could not be read as a request has no headers of its own either.
  const keeps = sentId !== undefined && more.length === 0 && REQUEST_ID.test(sentId) && status !== 431
  if (keeps && given.get('request-id') !== sentId) return `${status}: Request-Id was not kept`
  if (given.has('server') || given.has('x-powered-by')) return `${status}: a header reveals the server software`
  return (
    has('request-id', REQUEST_ID) ??
    has('cache-control', /^no-store$/) ??
    has('x-content-type-options', /^nosniff$/) ??
    (status === 302 ? has('location', /^\/docs(?:\?|$)/) : undefined) ??
    (status === 405 ? has('allow', /OPTIONS$/) : undefined) ??
    (status === 401 || status === 403
      ? has('www-authenticate', /^Bearer realm="petstore"(?:, error=|$)/)
      : undefined) ??
    (EMPTY.includes(status) ? undefined : has('content-type', /^application\/json$/))
  )
}

const READERS: Record<string, (shown: Shown) => string | undefined> = {
  createPet: checkCreated,
  getPet: checkPet,
  listPets: checkList,
  countPets: checkPetCount,
  listCategories: checkCategories,
  putCategory: checkCategory,
  placeOrder: checkPlaced,
  getOrder: checkOrder,
  listOrders: checkOrders,
  countOrders: checkEnoughOrders,
  countOrdersByPeriod: checkOrderCounts,
  countPetsByStatus: checkStatusCounts,
  listEvents: checkEvents,
  createWebhook: (shown) => checkWebhook(shown, 'created'),
  getWebhook: (shown) => checkWebhook(shown),
  updateWebhook: (shown) => checkWebhook(shown),
  rotateWebhookSecret: (shown) => checkWebhook(shown, 'rotated'),
  listWebhooks: (shown) => checkWebhookList(shown),
  listWebhookAttempts: (shown) => checkWebhookList(shown, 'attempts'),
  listKeys: checkKeys,
  listKeyNames: checkKeyNames,
  getStatus: checkStatus,
}

/** What was confirmed before is shown, and what is confirmed now is what was asked for. */
function checkShown(request: Request, response: HttpResponse, store: Store, sentAt: number) {
  const asked = askedBy(request)
  const { operation, parameter = '' } = asked
  const { status, body } = response
  if (status === 404) return store.isLost(operation?.operationId ?? '', parameter, sentAt)
  if (status >= 300) return undefined
  if (operation?.operationId === 'deleteCategory') return checkNameless(parameter, store)
  const value = readJson(body)
  if (body.length > 0 && value === undefined) return `a ${status} whose body is not JSON: ${startOf(body)}`
  const search = new Search(asked.search)
  const fault =
    value === undefined
      ? undefined
      : READERS[operation?.operationId ?? '']?.({ request, parameter, search, response, value, store, sentAt })
  return fault ?? checkChange(request, response, store, sentAt)
}

/** A change that was confirmed follows from one of the states that its pet may have been in. */
function checkChange(request: Request, response: HttpResponse, store: Store, sentAt: number) {
  const change = changeBy(request, store)
  const world = change && store.world(change.petId)
  // A replay has changed nothing.
  if (!world || response.headers.has('idempotent-replayed')) return undefined
  const window = { from: sentAt, to: performance.now() }
  const faults: string[] = []
  for (const each of possible(world, window)) {
    const after = worldAfter(change, response, each, window)
    if (typeof after !== 'string') {
      store.keep(after)
      return undefined
    }
    faults.push(after)
  }
  return faults.join('; or ')
}

const NO_REQUEST: Request = { method: 'GET', target: '', version: '1.1', headers: [] }
