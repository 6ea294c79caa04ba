import { encode, type Request } from '../request.ts'
import { readJson } from './json.ts'
import { type ListQuery, readListQuery } from './list-query.ts'
import { isJsonType } from './media-type.ts'
import { asNewPet, canonicalInt64, type NewPet } from './new-pet.ts'
import { type Route, routeOf } from './route.ts'

/** What the contract says of the answer to one request. */
export interface Expectation {
  statuses: number[]
  /** The codes an error may have. */
  codes?: string[]
  /** Refused before its body was read: the connection must not be used again. */
  bodyUnread?: boolean
  /** What a deprecated answer names as its successor, from the version on. */
  successor?: string
  allow?: string
  creates?: NewPet
  list?: ListQuery
  petId?: bigint
}

const MAX_HEAD = 16_384
const MAX_BODY = 65_536

/** The answer that the contract demands, found by asking its checks in its order. Knows the one key that is good. */
export function judge(request: Request, key: string): Expectation {
  const framing = faultInFraming(request)
  if (framing) return framing
  const { route, search } = routeOf(request.target)
  const { method } = request
  const read = method === 'GET' || method === 'HEAD'
  const marks = {
    ...(route.name === 'pet' && read ? { successor: successorOf(route) } : {}),
    ...(route.allow === undefined ? {} : { allow: route.allow }),
  }
  const refuse = (status: number, ...codes: string[]): Expectation => ({
    statuses: [status],
    codes,
    bodyUnread: (request.body ?? '') !== '',
    ...marks,
  })

  if (method === 'OPTIONS' && route.allow !== undefined) return { statuses: [204], ...marks }
  const credentials = route.inVersion1 ? faultInCredentials(request, key) : []
  if (credentials.length > 0) return refuse(401, ...credentials)
  if (route.allow === undefined) return refuse(404, 'route_not_found')
  if (!route.allow.split(', ').includes(method)) return refuse(405, 'method_not_allowed')
  if (method === 'POST') return { ...judgeCreate(request, refuse), ...marks }
  return { ...judgeRead(route, search), ...marks }
}

function faultInFraming(request: Request): Expectation | undefined {
  const refused = (status: number, code: string) => ({ statuses: [status], codes: [code] })
  if (encode(request).head.length > MAX_HEAD) return refused(431, 'headers_too_large')
  const hosts = headers(request, 'host').length
  if (hosts > 1 || (hosts === 0 && request.version === '1.1')) return refused(400, 'bad_request')
  if (headers(request, 'expect').some((value) => value.toLowerCase() !== '100-continue'))
    return refused(400, 'bad_request')
  return undefined
}

function faultInCredentials(request: Request, key: string): string[] {
  const [value = '', ...more] = headers(request, 'authorization')
  if (more.length > 0) return ['invalid_credentials']
  const [scheme = '', ...rest] = value.trim().split(' ')
  const token = rest.join(' ').trimStart()
  if (scheme.toLowerCase() !== 'bearer' || token === '') return ['missing_credentials']
  return token === key ? [] : ['invalid_credentials']
}

function judgeCreate(request: Request, refuse: (status: number, ...codes: string[]) => Expectation): Expectation {
  const [type, ...more] = headers(request, 'content-type')
  if (more.length > 0 || headers(request, 'content-encoding').length > 0 || (type !== undefined && !isJsonType(type)))
    return refuse(415, 'unsupported_media_type')
  const body = Buffer.from(request.body ?? '', 'latin1')
  if (body.length > MAX_BODY) return refuse(413, 'payload_too_large')
  const value = readJson(body)
  if (value === undefined) return { statuses: [400], codes: ['invalid_json'] }
  const pet = asNewPet(value)
  return pet ? { statuses: [201], creates: pet } : { statuses: [400], codes: ['invalid_body'] }
}

function successorOf({ segment }: Route) {
  return segment !== undefined && canonicalInt64(segment) !== undefined ? `/pets?id=${segment}` : '/pets'
}

function judgeRead(route: Route, search: string): Expectation {
  if (route.name === 'public') return { statuses: [200] }
  if (route.name === 'pet') {
    const petId = route.segment === undefined ? undefined : canonicalInt64(route.segment)
    if (petId === undefined) return { statuses: [404], codes: ['pet_not_found'] }
    return { statuses: [200, 404], codes: ['pet_not_found'], petId }
  }
  const list = readListQuery(search)
  if (Array.isArray(list)) return { statuses: [400], codes: list }
  if (list.cursor === undefined) return { statuses: [200], list }
  return { statuses: [200, 400], codes: ['invalid_cursor'], list }
}

export function headers(request: Request, name: string) {
  return request.headers.filter(([header]) => header.toLowerCase() === name).map(([, value]) => value)
}
