import { Writable } from 'node:stream'
import { type Config, readConfig } from '../../src/config.ts'
import type { Times } from '../../src/lib/times.ts'
import { startService } from '../../src/service.ts'
import { opened } from './cleanup.ts'
import { createDatabase } from './database.ts'
import { createTestKey } from './factories.ts'
import { keepPasswordSecret, keepSecret, watch } from './secrets.ts'
import { TEST_TIMES } from './times.ts'

/** Settings in place of the usual ones; the databases may be those that another service has. */
type Overrides = Partial<Config> & { databaseUrl?: string; sandboxUrl?: string | undefined }

/** The service as `petstore serve` runs it, on a free port and a database of its own, with a key. */
export async function startApp({ databaseUrl, sandboxUrl, ...overrides }: Overrides = {}, times: Partial<Times> = {}) {
  const database = await createDatabase()
  keepPasswordSecret(database.url)
  const { logs, logTo } = openLogs()
  const config = {
    ...readConfig({
      DATABASE_URL: databaseUrl ?? database.url,
      SANDBOX_DATABASE_URL: sandboxUrl,
      PORT: '0',
      ADMIN_PORT: '0',
      DRAIN_DELAY: '0',
    }),
    ...overrides,
  }
  const service = await startService(config, { logTo, times: { ...TEST_TIMES, ...times } })
  opened.use(service)
  const { key } = await createTestKey(database.pool, { mode: sandboxUrl === undefined ? 'test' : 'live' })
  return { ...database, logs, key, address: service.address, service, call: caller(service.address, key) }
}

/** The log of a process that runs in this one. */
export function openLogs() {
  const logs: string[] = []
  const logTo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logs.push(chunk.toString())
      watch('the log', chunk.toString())
      done()
    },
  })
  return { logs, logTo }
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The body, read with every digit kept: integers are bigint. */
  body: unknown
}

export type Call = (path: string, init?: RequestInit & { key?: string | null }) => Promise<Answer>

/** Calls the service at an address, with the given key unless the call says otherwise. */
export function caller(address: string, defaultKey: string): Call {
  return async (path, { key = defaultKey, headers, ...init } = {}) => {
    const authorization = key === null ? {} : { authorization: `Bearer ${key}` }
    const response = await fetch(address + path, {
      ...init,
      headers: { ...authorization, ...(headers as Record<string, string>) },
    })
    const text = await response.text()
    keepSecret(new Headers(headers).get('idempotency-key') ?? undefined)
    // What was asked for may hold anything that was put in; what was refused or went wrong may not.
    if (response.status >= 400)
      watch(`an answer with ${response.status}`, `${[...response.headers].join('\n')}\n${text}`)
    const isJson = text !== '' && response.headers.get('content-type') === 'application/json'
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? parseExact(text) : undefined,
    }
  }
}

export function postJson(body: unknown, headers: Record<string, string> = {}): RequestInit {
  const text = typeof body === 'string' ? body : JSON.stringify(body, bigintsAsDigits)
  return { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...headers } }
}

export function patchJson(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { ...postJson(body, { 'content-type': 'application/merge-patch+json', ...headers }), method: 'PATCH' }
}

function bigintsAsDigits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value
}

export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source ? BigInt(context.source) : value,
  )
}
