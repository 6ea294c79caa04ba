import { encode, type Request } from '../request.ts'
import { readKey } from './idempotency-key.ts'
import { readJson } from './json.ts'
import { type ListQuery, readListQuery } from './list-query.ts'
import { isJsonType } from './media-type.ts'
import { asNewPet, canonicalInt64, type NewPet, type Pet, samePet } from './new-pet.ts'
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
  /** The key that the pet is created by. */
  idempotencyKey?: string
  /** The pet that the key stands for already. */
  replays?: Pet
  list?: ListQuery
  petId?: bigint
}

const MAX_HEAD = 16_384
const MAX_BODY = 65_536
const MAX_CHUNKS = 256

/** What a run knows: the one API key that is good, and the pets that idempotency keys stand for. */
export interface Knowledge {
  key: string
  createdBy: (idempotencyKey: string) => Pet | undefined
}

/** The answer that the contract demands, found by asking its checks in its order. */
export function judge(request: Request, known: Knowledge): Expectation {
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
  // A key in the address is exposed, whatever was asked for.
  if (request.target.includes(known.key)) return refuse(401, 'invalid_credentials')
  const credentials = route.inVersion1 ? faultInCredentials(request, known.key) : []
  if (credentials.length > 0) return refuse(401, ...credentials)
  if (route.allow === undefined) return refuse(404, 'route_not_found')
  if (!route.allow.split(', ').includes(method)) return refuse(405, 'method_not_allowed')
  if (method === 'POST') return { ...judgeCreate(request, known, refuse), ...marks }
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

function judgeCreate(
  request: Request,
  known: Knowledge,
  refuse: (status: number, ...codes: string[]) => Expectation,
): Expectation {
  const [type, ...more] = headers(request, 'content-type')
  if (more.length > 0 || headers(request, 'content-encoding').length > 0 || (type !== undefined && !isJsonType(type)))
    return refuse(415, 'unsupported_media_type')
  const body = Buffer.from(request.body ?? '', 'latin1')
  if (chunksOf(request) > MAX_CHUNKS) return { statuses: [400], codes: ['bad_request'] }
  if (body.length > MAX_BODY) return refuse(413, 'payload_too_large')
  const value = readJson(body)
  if (value === undefined) return { statuses: [400], codes: ['invalid_json'] }
  const pet = asNewPet(value)
  if (!pet) return { statuses: [400], codes: ['invalid_body'] }
  const given = readKey(headers(request, 'idempotency-key'))
  if (given === 'malformed') return { statuses: [400], codes: ['invalid_idempotency_key'] }
  if (given.key === undefined) return { statuses: [201], creates: pet }
  const before = known.createdBy(given.key)
  if (!before) return { statuses: [201], creates: pet, idempotencyKey: given.key }
  if (!samePet(before, pet)) return { statuses: [422], codes: ['idempotency_key_reused'] }
  return { statuses: [201], creates: pet, replays: before }
}

/** How many chunks its body arrives in. */
function chunksOf({ body = '', chunks = [] }: Request) {
  let [count, left] = [0, body.length]
  for (const size of chunks) {
    if (left <= 0) break
    left -= size
    count++
  }
  return left > 0 && chunks.length > 0 ? count + 1 : count
}

function successorOf({ segment }: Route) {
  return segment !== undefined && canonicalInt64(segment) !== undefined ? `/pets?id=${segment}` : '/pets'
}

function judgeRead(route: Route, search: string): Expectation {
  if (route.name === 'redirect') return { statuses: [302] }
  if (route.name === 'public' || route.name === 'key' || route.name === 'deprecations') return { statuses: [200] }
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
