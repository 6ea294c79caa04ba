import { errorsOf, type Operation } from '../document.ts'
import { encode, type Request } from '../request.ts'
import { readBody } from './body.ts'
import { judgeCursor } from './cursor.ts'
import { readEventQuery } from './event-query.ts'
import type { Expectation, Knowledge, Reject } from './expectation.ts'
import { headers } from './headers.ts'
import { readKey } from './idempotency-key.ts'
import { readListQuery } from './list-query.ts'
import { asNewPet, canonicalInt64, samePet } from './new-pet.ts'
import { judgeClose, judgeGetOrder, judgeListOrders, judgePlace } from './order-changes.ts'
import { judgeDelete, judgeUpdate } from './pet-changes.ts'
import { type Route, routeOf } from './route.ts'
import { lackingScope } from './scopes.ts'
import { judgeWebhooks } from './webhook-changes.ts'
import type { Window } from './world.ts'

const MAX_HEAD = 16_384

/**
 * The response that the contract demands, found by asking its checks in its order. There are several where an order may have
 * expired meanwhile: each says what is so if it was that one.
 */
export function judge(request: Request, known: Knowledge, window: Window): Expectation[] {
  const framing = faultInFraming(request)
  if (framing) return [framing]
  const { route, search } = routeOf(request.target)
  const { method } = request
  const operation = route.operations?.[method === 'HEAD' ? 'GET' : method]
  const marks = {
    ...(operation?.operationId === 'getPet' ? { successor: successorOf(route) } : {}),
    ...(route.allow === undefined ? {} : { allow: route.allow }),
    ...(route.operations?.['PATCH'] ? { patches: true } : {}),
  }
  const reject = (status: number, ...codes: string[]): Expectation => ({
    statuses: [status],
    codes,
    bodyUnread: (request.body ?? '') !== '',
    ...marks,
  })

  if (method === 'OPTIONS' && route.allow !== undefined) return [{ statuses: [204], ...marks }]
  // A key in the URL is exposed, whatever else the request is.
  const keys = [known.key, known.earlierKey].filter((key) => key !== undefined)
  if (keys.some((key) => request.target.includes(key))) return [reject(401, 'invalid_credentials')]
  const { key, faults } = readCredentials(request, keys)
  if (route.inVersion1 && key === undefined) return [reject(401, ...faults)]
  if (route.allow === undefined) return [reject(404, 'route_not_found')]
  if (!route.allow.split(', ').includes(method)) return [reject(405, 'method_not_allowed')]
  if (!operation) return [{ statuses: [route.kind === 'redirect' ? 302 : 200], ...marks }]
  const scope = key === known.key ? undefined : lackingScope(operation.operationId)
  if (scope !== undefined) return [{ ...reject(403, 'insufficient_scope'), scope }]
  const judged = judgeOperation(operation, { request, route, search, key: key ?? '', window }, known, reject)
  return judged.map((expectation) => ({ ...expectation, ...marks }))
}

function faultInFraming(request: Request): Expectation | undefined {
  const rejected = (status: number, code: string) => ({ statuses: [status], codes: [code] })
  if (encode(request).head.length > MAX_HEAD) return rejected(431, 'headers_too_large')
  const hosts = headers(request, 'host').length
  if (hosts > 1 || (hosts === 0 && request.version === '1.1')) return rejected(400, 'bad_request')
  if (headers(request, 'expect').some((value) => value.toLowerCase() !== '100-continue'))
    return rejected(400, 'bad_request')
  return undefined
}

/** Which of the good keys a request carries, or what is wrong with it. */
function readCredentials(request: Request, keys: string[]): { key?: string; faults: string[] } {
  const [value = '', ...more] = headers(request, 'authorization')
  if (more.length > 0) return { faults: ['invalid_credentials'] }
  const [scheme = '', ...rest] = value.trim().split(' ')
  const token = rest.join(' ').trimStart()
  if (scheme.toLowerCase() !== 'bearer' || token === '') return { faults: ['missing_credentials'] }
  return keys.includes(token) ? { key: token, faults: [] } : { faults: ['invalid_credentials'] }
}

interface Asked {
  request: Request
  route: Route
  search: string
  key: string
  window: Window
}

function judgeOperation(operation: Operation, asked: Asked, known: Knowledge, reject: Reject): Expectation[] {
  const { request, search, window } = asked
  const { parameter } = asked.route
  switch (operation.operationId) {
    case 'createPet':
      return [judgeCreate(asked, known, reject)]
    case 'listPets':
      return [judgeList(search, known)]
    case 'getPet':
      return [judgeGet(parameter)]
    case 'updatePet':
      return judgeUpdate(request, parameter, known, window, reject)
    case 'deletePet':
      return judgeDelete(request, parameter, known, window)
    case 'placeOrder':
      return judgePlace(request, known, window, reject)
    case 'getOrder':
      return judgeGetOrder(parameter, known, window)
    case 'listOrders':
      return [judgeListOrders(search, known)]
    case 'completeOrder':
      return judgeClose(parameter, 'completed', known, window)
    case 'cancelOrder':
      return judgeClose(parameter, 'cancelled', known, window)
    case 'listEvents':
      return [judgeEvents(search, known)]
    case 'getOwnKey':
    case 'listDeprecations':
      return [{ statuses: [200] }]
    default:
      return judgeWebhooks(operation.operationId, request, parameter, known, reject) ?? [declared(operation)]
  }
}

function judgeCreate({ request, key }: Asked, known: Knowledge, reject: Reject): Expectation {
  const body = readBody(request, ['application/json'], reject)
  if (!('value' in body)) return body
  const pet = asNewPet(body.value)
  if (!pet) return { statuses: [400], codes: ['invalid_body'] }
  const given = readKey(headers(request, 'idempotency-key'))
  if (given === 'malformed') return { statuses: [400], codes: ['invalid_idempotency_key'] }
  if (given.key === undefined) return { statuses: [201], creates: pet, apiKey: key }
  const before = known.createdBy(key, given.key)
  if (!before) return { statuses: [201], creates: pet, apiKey: key, idempotencyKey: given.key }
  if (!samePet(before, pet)) return { statuses: [422], codes: ['idempotency_key_reused'] }
  return { statuses: [201], creates: pet, replays: before }
}

function successorOf({ parameter }: Route) {
  return parameter !== undefined && canonicalInt64(parameter) !== undefined ? `/pets?id=${parameter}` : '/pets'
}

function judgeList(search: string, known: Knowledge): Expectation {
  const list = readListQuery(search)
  if (Array.isArray(list)) return { statuses: [400], codes: list }
  return { ...judgeCursor(list.newestFirst ? 'newest' : 'oldest', list.cursor, known), list }
}

/** Every cursor of the feed that was returned is known; one that was not is refused, whatever it is. */
function judgeEvents(search: string, known: Knowledge): Expectation {
  const events = readEventQuery(search)
  if (Array.isArray(events)) return { statuses: [400], codes: events }
  const { petId, cursor } = events
  if (petId !== undefined) return { ...judgeCursor(`history of ${petId}`, cursor, known), events }
  if (cursor === undefined || known.walkOf(cursor) === 'feed') return { statuses: [200], events }
  if (known.walkOf(cursor) !== undefined) return { statuses: [400], codes: ['invalid_cursor'] }
  return { statuses: [400, 410], codes: ['invalid_cursor', 'cursor_expired'] }
}

function judgeGet(parameter: string | undefined): Expectation {
  const petId = parameter === undefined ? undefined : canonicalInt64(parameter)
  if (petId === undefined) return { statuses: [404], codes: ['pet_not_found'] }
  return { statuses: [200, 404], codes: ['pet_not_found'], petId }
}

/** Of an operation that has no rule above, only what it declares is known: any of its responses but a server error. */
function declared(operation: Operation): Expectation {
  const statuses = Object.keys(operation.responses).map(Number)
  return {
    statuses: statuses.filter((status) => status < 500),
    codes: errorsOf(operation).map(({ code }) => code),
  }
}
