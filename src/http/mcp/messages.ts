import type { IncomingHttpHeaders } from 'node:http'
import { echo } from '../wire/echo.ts'
import { NumberLiteral } from '../wire/number-literal.ts'
import { HEADER_MISMATCH, INVALID_PARAMS, INVALID_REQUEST, ProtocolFault, UNSUPPORTED_VERSION } from './faults.ts'

/** Every request states the version that it speaks. */
export const MODERN = '2026-07-28'
/** The client states it once, with `initialize`. */
export const LEGACY = '2025-11-25'
export const VERSIONS = [MODERN, LEGACY]

const META = 'io.modelcontextprotocol'
const VERSION_KEY = `${META}/protocolVersion`
const CAPABILITIES_KEY = `${META}/clientCapabilities`
export const SERVER_INFO_KEY = `${META}/serverInfo`

const MAX_ID_DIGITS = 64
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/

export interface McpMessage {
  /** In JSON, with every digit; undefined for a notification, which gets no response. */
  id: string | undefined
  method: string
  params: Record<string, unknown>
}

export function readMessage(body: unknown): McpMessage {
  if (Array.isArray(body))
    throw new ProtocolFault(
      INVALID_REQUEST,
      400,
      'Batches are not supported. Send each message as a request of its own.',
    )
  if (!isObject(body) || body['jsonrpc'] !== '2.0' || typeof body['method'] !== 'string')
    throw new ProtocolFault(INVALID_REQUEST, 400, 'The body must be a JSON-RPC 2.0 request or notification.')
  const { method, params = {} } = body
  const hasId = Object.hasOwn(body, 'id')
  if (hasId && idOf(body) === undefined)
    throw new ProtocolFault(INVALID_REQUEST, 400, '`id` must be a string or an integer.')
  if (!isObject(params)) throw new ProtocolFault(INVALID_PARAMS, 400, '`params` must be an object.')
  return { id: idOf(body), method, params }
}

/** The JSON of the id of a message, if it can be repeated. */
export function idOf(body: unknown) {
  if (!isObject(body)) return undefined
  const { id } = body
  if (typeof id === 'string') return JSON.stringify(id)
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : undefined
  const isExact = id instanceof NumberLiteral && id.source.length <= MAX_ID_DIGITS && /^-?\d+$/.test(id.source)
  return isExact ? id.source : undefined
}

/** The version of a request. Throws if it is not one of ours, or if headers and body differ. */
export function versionOf({ method, params }: McpMessage, headers: IncomingHttpHeaders) {
  const meta = isObject(params['_meta']) ? params['_meta'] : {}
  const header = headers['mcp-protocol-version']
  const claimed = meta[VERSION_KEY]
  // A client may state the older version in both places: `_meta` may contain anything there.
  const isLegacy = claimed === LEGACY && header === LEGACY
  if (isLegacy || (claimed === undefined && header !== MODERN)) return legacyVersion(method, header)
  if (typeof claimed !== 'string')
    throw new ProtocolFault(INVALID_PARAMS, 400, `\`params._meta\` must have \`${VERSION_KEY}\`: a string.`)
  requireHeader('MCP-Protocol-Version', header, claimed)
  if (claimed !== MODERN) throw unsupported(claimed)
  if (!isObject(meta[CAPABILITIES_KEY]))
    throw new ProtocolFault(INVALID_PARAMS, 400, `\`params._meta\` must have \`${CAPABILITIES_KEY}\`: an object.`)
  requireHeader('Mcp-Method', headers['mcp-method'], method)
  // A name that is not text is rejected later, for what it is.
  if (method === 'tools/call' && typeof params['name'] === 'string')
    requireHeader('Mcp-Name', decoded(headers['mcp-name']), params['name'])
  return MODERN
}

/** The handshake negotiates the version; a client that follows the protocol sends nothing before it. */
function legacyVersion(method: string, header: string | string[] | undefined) {
  if (method === 'initialize' || header === undefined || header === LEGACY) return LEGACY
  throw unsupported(String(header))
}

function unsupported(requested: string) {
  const message = `This service speaks ${VERSIONS.join(' and ')} of the protocol; got ${echo(requested)}.`
  return new ProtocolFault(UNSUPPORTED_VERSION, 400, message, {
    supported: VERSIONS,
    requested: requested.slice(0, 64),
  })
}

/** A proxy may have decided by the header, so it must describe the same request as the body. */
function requireHeader(name: string, header: string | string[] | undefined, value: string) {
  if (header === value) return
  const message =
    header === undefined
      ? `The header ${name} is missing.`
      : `The header ${name} is ${echo(header)}, but the body says ${echo(value)}.`
  throw new ProtocolFault(HEADER_MISMATCH, 400, message)
}

/** Names that a header cannot hold are sent in base64. */
function decoded(header: string | string[] | undefined) {
  const encoded = typeof header === 'string' ? ENCODED.exec(header)?.[1] : undefined
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString()
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberLiteral)
}
