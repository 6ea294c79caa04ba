import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { didYouMean } from '../../lib/did-you-mean.ts'
import type { DescribeFailure } from '../reply.ts'
import { echo } from '../wire/echo.ts'
import { CallableTool } from './calls.ts'
import { faultBody, INVALID_PARAMS, METHOD_NOT_FOUND, ProtocolFault } from './faults.ts'
import {
  idOf,
  isObject,
  LEGACY,
  type McpMessage,
  MODERN,
  readMessage,
  SERVER_INFO_KEY,
  VERSIONS,
  versionOf,
} from './messages.ts'
import { instructionsFor, TOOLS } from './tools.ts'
import { Turns } from './turns.ts'

const CAPABILITIES = { tools: {} }
// The tools of a key change with its scopes only, which needs an operator.
const CACHED = '"ttlMs":60000,"cacheScope":"private"'

/** Responds to the messages of agents. Keeps no state between them. */
export class McpServer {
  readonly #tools: readonly CallableTool[]
  readonly #info: { name: string; title: string; version: string }
  /** The members of every result for a client without a handshake. */
  readonly #stamp: string
  readonly #describeFailure: DescribeFailure

  constructor(app: FastifyInstance, version: string, describeFailure: DescribeFailure) {
    const turns = { live: new Turns(), test: new Turns() }
    this.#tools = TOOLS.map((tool) => new CallableTool(app, tool, turns))
    this.#info = { name: 'petstore', title: 'Petstore', version }
    this.#stamp = members({ resultType: 'complete', _meta: { [SERVER_INFO_KEY]: this.#info } })
    this.#describeFailure = describeFailure
  }

  async handle(request: FastifyRequest, reply: FastifyReply) {
    const { body } = request
    try {
      const message = readMessage(body)
      // The message is a notification, none of which has a meaning here.
      if (message.id === undefined) return reply.respond(202)
      const version = versionOf(message, request.headers)
      const result = await (version === MODERN ? this.#modern(message, request) : this.#legacy(message, request))
      const stamped = version === MODERN ? `${result.slice(0, -1)},${this.#stamp}}` : result
      reply.respond(200, `{"jsonrpc":"2.0","id":${message.id},"result":${stamped}}`)
    } catch (error) {
      if (!(error instanceof ProtocolFault)) throw error
      const { code, status, message, data } = error
      request.failure = { code: 'bad_request' }
      reply.respond(status, faultBody(idOf(body), code, message, data))
    }
  }

  #modern({ method, params }: McpMessage, request: FastifyRequest) {
    if (method === 'tools/call') return this.#call(params, request)
    if (method === 'tools/list') return `{${this.#list(params, request)},${CACHED}}`
    if (method === 'server/discover') {
      const instructions = instructionsFor(request.store.address)
      return `{${members({ supportedVersions: VERSIONS, capabilities: CAPABILITIES, instructions })},${CACHED}}`
    }
    throw unknownMethod(method, 404)
  }

  #legacy({ method, params }: McpMessage, request: FastifyRequest) {
    if (method === 'tools/call') return this.#call(params, request)
    if (method === 'tools/list') return `{${this.#list(params, request)}}`
    if (method === 'ping') return '{}'
    if (method === 'initialize') {
      const { protocolVersion } = params
      if (typeof protocolVersion !== 'string')
        throw new ProtocolFault(INVALID_PARAMS, 200, '`params.protocolVersion` is required: a string.')
      return JSON.stringify({
        protocolVersion: LEGACY,
        capabilities: CAPABILITIES,
        serverInfo: this.#info,
        instructions: instructionsFor(request.store.address),
      })
    }
    throw unknownMethod(method, 200)
  }

  /** Only the tools that the key may use. */
  #list({ cursor }: McpMessage['params'], { principal }: FastifyRequest) {
    if (cursor !== undefined)
      throw new ProtocolFault(INVALID_PARAMS, 200, 'There is one page of tools: send no cursor.')
    const tools = this.#tools.filter((tool) => tool.isFor(principal))
    return `"tools":[${tools.map((tool) => tool.declaration).join()}]`
  }

  #call({ name, arguments: args = {} }: McpMessage['params'], request: FastifyRequest) {
    const tool = this.#tools.find((one) => one.name === name)
    if (!tool)
      throw unknownTool(
        name,
        this.#tools.filter((one) => one.isFor(request.principal)),
      )
    if (!isObject(args)) throw new ProtocolFault(INVALID_PARAMS, 200, '`params.arguments` must be an object.')
    return tool.call(args, request, this.#describeFailure)
  }
}

/** The JSON of an object without its braces. */
function members(object: object) {
  return JSON.stringify(object).slice(1, -1)
}

function unknownMethod(method: string, status: number) {
  return new ProtocolFault(METHOD_NOT_FOUND, status, `The method ${echo(method)} does not exist here.`)
}

function unknownTool(name: unknown, tools: readonly CallableTool[]) {
  if (typeof name !== 'string') return new ProtocolFault(INVALID_PARAMS, 200, '`params.name` must be a string.')
  const names = tools.map((tool) => tool.name)
  const meant = name.length > 64 ? undefined : didYouMean(name, names)
  const hint = meant === undefined ? `Your key has ${names.join(', ') || 'none'}.` : `Did you mean ${meant}?`
  return new ProtocolFault(INVALID_PARAMS, 200, `No tool is called ${echo(name)}. ${hint}`)
}
