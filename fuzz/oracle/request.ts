import { errorsOf, type Operation } from '../document.ts'
import { encode, type Request } from '../request.ts'
import { readKey } from './idempotency-key.ts'
import { readJson } from './json.ts'
import { type ListQuery, readListQuery } from './list-query.ts'
import { isJsonType } from './media-type.ts'
import { asNewPet, canonicalInt64, type NewPet, type Pet, samePet } from './new-pet.ts'
import { type Route, routeOf } from './route.ts'

/** What the contract demands of the response to one request. */
export interface Expectation {
  statuses: number[]
  /** The codes an error may have. */
  codes?: string[]
  /** Rejected before its body was read: the connection must not be used again. */
  bodyUnread?: boolean
  /** What a deprecated response names as its successor, from the version on. */
  successor?: string
  allow?: string
  creates?: NewPet
  /** The key that the pet is created by. */
  idempotencyKey?: string
  /** The pet that this key has created before. */
  replays?: Pet
  list?: ListQuery
  petId?: bigint
}

const MAX_HEAD = 16_384
const MAX_BODY = 65_536
const MAX_CHUNKS = 256

/** What a run knows: the one API key that is good, and the pets that idempotency keys have created. */
export interface Knowledge {
  key: string
  createdBy: (idempotencyKey: string) => Pet | undefined
}

/** The response that the contract demands, found by asking its checks in its order. */
export function judge(request: Request, known: Knowledge): Expectation {
  const framing = faultInFraming(request)
  if (framing) return framing
  const { route, search } = routeOf(request.target)
  const { method } = request
  const operation = route.operations?.[method === 'HEAD' ? 'GET' : method]
  const marks = {
    ...(operation?.operationId === 'getPet' ? { successor: successorOf(route) } : {}),
    ...(route.allow === undefined ? {} : { allow: route.allow }),
  }
  const reject = (status: number, ...codes: string[]): Expectation => ({
    statuses: [status],
    codes,
    bodyUnread: (request.body ?? '') !== '',
    ...marks,
  })

  if (method === 'OPTIONS' && route.allow !== undefined) return { statuses: [204], ...marks }
  // A key in the URL is exposed, whatever else the request is.
  if (request.target.includes(known.key)) return reject(401, 'invalid_credentials')
  const credentials = route.inVersion1 ? faultInCredentials(request, known.key) : []
  if (credentials.length > 0) return reject(401, ...credentials)
  if (route.allow === undefined) return reject(404, 'route_not_found')
  if (!route.allow.split(', ').includes(method)) return reject(405, 'method_not_allowed')
  if (!operation) return { statuses: [route.kind === 'redirect' ? 302 : 200], ...marks }
  if (operation.operationId === 'createPet') return { ...judgeCreate(request, known, reject), ...marks }
  return { ...judgeOther(operation, route, search), ...marks }
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
  reject: (status: number, ...codes: string[]) => Expectation,
): Expectation {
  const [type, ...more] = headers(request, 'content-type')
  if (more.length > 0 || headers(request, 'content-encoding').length > 0 || (type !== undefined && !isJsonType(type)))
    return reject(415, 'unsupported_media_type')
  const body = Buffer.from(request.body ?? '', 'latin1')
  if (chunksOf(request) > MAX_CHUNKS) return { statuses: [400], codes: ['bad_request'] }
  if (body.length > MAX_BODY) return reject(413, 'payload_too_large')
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

function successorOf({ parameter }: Route) {
  return parameter !== undefined && canonicalInt64(parameter) !== undefined ? `/pets?id=${parameter}` : '/pets'
}

function judgeOther(operation: Operation, { parameter }: Route, search: string): Expectation {
  switch (operation.operationId) {
    case 'listPets':
      return judgeList(search)
    case 'getPet':
      return judgeGet(parameter)
    case 'getOwnKey':
    case 'listDeprecations':
      return { statuses: [200] }
    default:
      return declared(operation)
  }
}

function judgeList(search: string): Expectation {
  const list = readListQuery(search)
  if (Array.isArray(list)) return { statuses: [400], codes: list }
  if (list.cursor === undefined) return { statuses: [200], list }
  return { statuses: [200, 400], codes: ['invalid_cursor'], list }
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

export function headers(request: Request, name: string) {
  return request.headers.filter(([header]) => header.toLowerCase() === name).map(([, value]) => value)
}
