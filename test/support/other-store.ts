import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { parseExact } from './app.ts'

interface StoredPet {
  id: unknown
  name: string
  categoryId: unknown
  status?: string
}

const STATUSES = ['available', 'pending', 'sold']
const INT64 = 2n ** 63n

/** What a request makes the store do instead of responding. It comes back from a crash with nothing in it. */
export type Fault = 'drop the connection' | 'crash' | 'crash and come back' | 'respond 500'

const COMES_BACK_MS = 300

/**
 * Another implementation of the published interface, which decides everything that this leaves open in another way than
 * ours: ids above 2^53, the newest first, limits out of bounds clamped, more in an Error, a charset, bodies in chunks.
 */
export async function startOtherStore(
  key: string,
  faultIn: (request: IncomingMessage, body: string) => Fault | undefined = () => undefined,
) {
  const pets: StoredPet[] = []
  const crash = (comesBack: boolean) => {
    const { port } = server.address() as AddressInfo
    server.close()
    server.closeAllConnections()
    pets.length = 0
    if (comesBack) setTimeout(() => server.listen(port, '127.0.0.1'), COMES_BACK_MS)
  }
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const text = (await request.setEncoding('utf8').toArray()).join('')
    const fault = faultIn(request, text)
    if (fault === 'drop the connection') return request.socket.destroy()
    if (fault?.startsWith('crash')) return crash(fault !== 'crash')
    const [status, body] = fault === 'respond 500' ? error(500) : answer(request, text)
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    response.write(JSON.stringify(body))
    response.end()
  }
  // It is not patient with slow clients, for which the interface has no rule.
  const patience = { headersTimeout: 2_000, requestTimeout: 2_000, keepAliveTimeout: 10_000 }
  const server = createServer({ ...patience, connectionsCheckingInterval: 100 }, (request, response) => {
    serve(request, response).catch(() => response.destroy()) // the client went away before it had sent everything
  })
  const answer = (request: IncomingMessage, text: string): [number, unknown] => {
    if (request.headers.authorization !== `Bearer ${key}`) return error(401)
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    const petId = /^\/v1\/pets\/(-?\d+)$/.exec(pathname)?.[1]
    if (petId !== undefined) {
      const pet = pets.find(({ id }) => (id as { rawJSON: string }).rawJSON === petId)
      return pet ? [200, pet] : error(404)
    }
    if (pathname !== '/v1/pets') return error(404)
    if (request.method === 'GET') return [200, list(pets, searchParams)]
    const pet = read(text)
    if (!pet) return error(400)
    const stored = { id: raw(2n ** 60n + BigInt(pets.length)), ...pet }
    pets.unshift(stored)
    return [201, stored]
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function list(pets: StoredPet[], query: URLSearchParams) {
  const limit = Math.min(100, Math.max(1, Number.parseInt(query.get('limit') ?? '20', 10) || 20))
  const status = query.get('status')
  return pets.filter((pet) => status === null || pet.status === status).slice(0, limit)
}

function read(text: string): Omit<StoredPet, 'id'> | undefined {
  try {
    const { name, categoryId, status } = parseExact(text) as Record<string, unknown>
    if (typeof name !== 'string' || typeof categoryId !== 'bigint') return undefined
    if (categoryId < -INT64 || categoryId >= INT64) return undefined
    if (status === undefined) return { name, categoryId: raw(categoryId) }
    if (typeof status !== 'string' || !STATUSES.includes(status)) return undefined
    return { name, categoryId: raw(categoryId), status }
  } catch {
    return undefined
  }
}

function error(status: number): [number, unknown] {
  return [status, { code: String(status), message: 'no', status, details: [] }]
}

/** Digits that JSON.stringify writes as they are. */
function raw(value: bigint): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(String(value))
}
