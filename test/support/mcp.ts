import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Call, postJson } from './app.ts'
import { opened } from './cleanup.ts'

export const MODERN = '2026-07-28'
export const LEGACY = '2025-11-25'
export const REVISIONS = [MODERN, LEGACY]

/** The client of the protocol's own SDK, connected by one revision. */
export async function connectClient(address: string, key: string, revision: string) {
  const mode = revision === LEGACY ? 'legacy' : revision === 'auto' ? 'auto' : { pin: revision }
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/v1/mcp`), { requestInit }))
  opened.defer(() => client.close())
  return client
}

export interface ToolResult {
  content: { type: string; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

export interface RpcResponse {
  jsonrpc: '2.0'
  id?: unknown
  result?: ToolResult & Record<string, unknown>
  error?: { code: number; message: string; data?: unknown }
}

/** One message as a client of 2025-11-25 sends it, without the handshake that nothing depends on. */
export function sender(call: Call) {
  return async (body: unknown, init: RequestInit & { key?: string | null } = {}) => {
    const response = await call('/v1/mcp', {
      ...postJson(body, init.headers as Record<string, string>),
      ...('key' in init && { key: init.key }),
    })
    const rpc = (response.text === '' ? undefined : JSON.parse(response.text)) as RpcResponse
    return { ...response, rpc }
  }
}

/** What a result says as text. A success has the same as structured content; an error must not have any. */
export function readResult({ content, structuredContent, isError = false }: ToolResult) {
  assert.equal(content.length, 1)
  const value = JSON.parse(content[0]?.text ?? '') as Record<string, unknown>
  assert.deepEqual(structuredContent, isError ? undefined : value)
  return value
}

/** Calls a tool and returns its result. */
export function toolCaller(call: Call) {
  const send = sender(call)
  return async (name: string, args: object = {}, init: RequestInit & { key?: string | null } = {}) => {
    const { rpc, ...response } = await send(toolCall(name, args), init)
    assert.ok(rpc.result, response.text)
    return { ...response, value: readResult(rpc.result), isError: rpc.result.isError ?? false }
  }
}

export function toolCall(name: string, args: unknown = {}) {
  return request('tools/call', { name, arguments: args })
}

export function request(method: string, params?: unknown, id: unknown = 1) {
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) }
}

const META = 'io.modelcontextprotocol'

/** A message of the current revision, with the headers that must go with it. */
export function modern(method: string, params: Record<string, unknown> = {}) {
  const _meta = { [`${META}/protocolVersion`]: MODERN, [`${META}/clientCapabilities`]: {} }
  const { name } = params
  const headers = {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  }
  return { body: request(method, { ...params, _meta }), headers }
}
