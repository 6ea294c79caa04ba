import dns from 'node:dns'
import { type LookupFunction, Socket } from 'node:net'
import pg from 'pg'
import type { Statement } from './statement.ts'

export const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === pg.types.builtins.INT8 && format !== 'binary') return BigInt
    const parser: unknown = pg.types.getTypeParser(oid, format)
    return parser
  },
}

// The driver treats these as `verify-full`, but prints a warning about a later version that will not.
const SAME_AS_VERIFY_FULL = /(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/g

function withoutAliases(url: string) {
  return url.includes('uselibpqcompat') ? url : url.replace(SAME_AS_VERIFY_FULL, 'verify-full')
}

const lookups = new Map<string, Parameters<LookupFunction>[2][]>()

/**
 * `dns.lookup`, but once at a time for a name. It holds one of a few threads until the name server responds, which may be long after the
 * connection was given up. A host that is tried again and again would take all of them, and no other host would be found. The first caller's
 * options serve all: every socket here connects in the same way.
 */
const lookUp: LookupFunction = (host, options, done) => {
  const waiting = lookups.get(host) ?? []
  waiting.push(done)
  lookups.set(host, waiting)
  if (waiting.length > 1) return
  dns.lookup(host, options, (...found) => {
    lookups.delete(host)
    for (const each of waiting) each(...found)
  })
}

class SharedLookupSocket extends Socket {
  /** As the driver calls it: with the path of a socket, or with a port and a host. */
  override connect(target: unknown, host?: unknown) {
    if (typeof target !== 'number') return super.connect(String(target))
    return super.connect({ port: target, host: String(host), lookup: lookUp })
  }
}

/** The settings of every connection. */
export function connectionSettings(url: string) {
  return {
    connectionString: withoutAliases(url),
    application_name: 'petstore',
    keepAlive: true,
    stream: () => new SharedLookupSocket(),
    // The planner can't know how long the lists in our batches are. It takes them for large ones, and would plan each statement again and
    // compile it, which is more work than executing it.
    options: '-c jit=off -c plan_cache_mode=force_generic_plan',
  } satisfies pg.ClientConfig
}

/**
 * A client that is not connected yet. When its connection breaks, its next statement fails; without a listener, the event would end the
 * process.
 */
export function newClient(url: string, settings: pg.ClientConfig = {}) {
  const client = new pg.Client({ ...connectionSettings(url), ...settings })
  client.on('error', () => {})
  return client
}

// The types of the driver do not know that a statement can have its own time limit.
type TimedStatement = Statement & { query_timeout?: number }

export async function rowsOf<Row extends pg.QueryResultRow>(client: pg.ClientBase, statement: TimedStatement) {
  const { rows } = await client.query<Row>(statement)
  return rows
}
