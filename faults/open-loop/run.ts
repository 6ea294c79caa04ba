import { fork } from 'node:child_process'
import { once } from 'node:events'

/** One kind of request, as bytes; nine `#` in them become a number that no other request of the run has. */
export interface Kind {
  name: string
  bytes: string
}

export interface OpenLoopOptions {
  /** Where to: `http://10.0.0.11:8080`. */
  origin: string
  /** Each in turn. */
  kinds: Kind[]
  perSecond: number
  seconds: number
  /** The addresses that connections come from, each in turn; the system chooses where none is given. */
  from?: string[]
  /** How long a client waits for its response before it disconnects. */
  patienceMs?: number
}

/** What became of one request. */
export interface Sample {
  kind: string
  /** When it was to be sent, in milliseconds since the beginning. */
  at: number
  /** From then to the end of its response, however late it was really sent. */
  ms: number
  /** 0 without a response: the connection broke, or the client disconnected. */
  status: number
  /** By how much the generator itself was behind its schedule: a machine that is too busy to measure on. */
  late: number
}

export type Columns = Record<'kind' | 'at' | 'ms' | 'status' | 'late', Float64Array>

/**
 * Sends requests at a steady pace, whether or not the earlier ones have responses, as independent clients do.
 * In a process of its own, so that nothing else makes it late.
 */
export async function runOpenLoop(options: OpenLoopOptions): Promise<Sample[]> {
  const child = fork(new URL('process.ts', import.meta.url), { serialization: 'advanced' })
  child.send({ patienceMs: 4_000, from: [], ...options })
  const [columns] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('The generator of load has ended without a result.')
    }),
  ])) as [Columns]
  child.disconnect()
  return Array.from(columns.at, (at, i) => ({
    kind: options.kinds[columns.kind[i] ?? 0]?.name ?? '',
    at,
    ms: columns.ms[i] ?? 0,
    status: columns.status[i] ?? 0,
    late: columns.late[i] ?? 0,
  }))
}

/** A create without a key, of a pet whose name begins with the label. */
export function createOf(key: string, label: string): Kind {
  const body = JSON.stringify({ name: `${label} #########`, categoryId: 1 })
  const headers = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]
  return { name: 'create', bytes: `${headOf('POST', '/v1/pets', key, headers)}${body}` }
}

export function headOf(method: string, path: string, key?: string, headers: string[] = []) {
  const authorization = key === undefined ? [] : [`Authorization: Bearer ${key}`]
  return `${[`${method} ${path} HTTP/1.1`, 'Host: faults', ...authorization, ...headers].join('\r\n')}\r\n\r\n`
}
