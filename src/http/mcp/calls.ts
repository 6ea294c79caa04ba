import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireScope } from '../../domain/keys.ts'
import type { Principal, Scope } from '../../domain/principal.ts'
import type { Execution, Outcome } from '../operation.ts'
import type { DescribeFailure } from '../reply.ts'
import { type Arguments, chosenOperation, requireKnown, toParts } from './arguments.ts'
import { toolError } from './errors.ts'
import { inputSchema, int64Names, outputSchema } from './schemas.ts'
import { REPLAYED, type Tool } from './tools.ts'

type Validate = (part: unknown) => { error?: Error; value?: unknown }

// Models read them, people do not see them: a name could hide instructions in tags (U+E0020 to U+E007F), for example.
const INVISIBLE = /\p{Cf}/gu
const NEXT = /[?&]cursor=([^&>]+)>; rel="next"/

/** A tool with the operations that it carries out. */
export class CallableTool {
  readonly name: string
  /** As clients list it, in JSON. */
  readonly declaration: string
  readonly #tool: Tool
  readonly #arguments: string[]
  readonly #executions: ReadonlyMap<string, Execution>
  readonly #scopes: readonly Scope[]
  readonly #int64: ReadonlySet<string>
  readonly #app: FastifyInstance
  readonly #routes = new Map<string, FastifyRequest['route']>()

  constructor(app: FastifyInstance, tool: Tool) {
    const { name, title, description, operation } = tool
    const ids = typeof operation === 'string' ? [operation] : Object.values(operation.by)
    const executions = ids.map((id) => [id, executionOf(app, id)] as const)
    const operations = executions.map(([, execution]) => execution.operation)
    const shared = app.getSchemas()
    const input = inputSchema(tool, operations, shared)
    this.name = name
    this.declaration = JSON.stringify({
      name,
      title,
      description,
      inputSchema: input,
      outputSchema: outputSchema(tool, shared),
      annotations: {
        title,
        readOnlyHint: tool.isReadOnly,
        destructiveHint: tool.isDestructive,
        idempotentHint: tool.isIdempotent,
        openWorldHint: false,
      },
    })
    this.#tool = tool
    this.#arguments = Object.keys(input.properties ?? {})
    this.#executions = new Map(executions)
    this.#scopes = operations.flatMap(({ scope }) => scope ?? [])
    this.#int64 = int64Names({ $ref: tool.result }, shared)
    this.#app = app
  }

  isFor({ scopes }: Principal) {
    return this.#scopes.every((scope) => scopes.includes(scope))
  }

  /** The result as JSON. Whatever the operation rejects is a result too: the model reads it, and can do better. */
  async call(args: Arguments, request: FastifyRequest, describeFailure: DescribeFailure) {
    const [first] = this.#executions.values()
    if (first) this.#log(request, first)
    try {
      for (const scope of this.#scopes) requireScope(request.principal, scope)
      requireKnown(args, this.#arguments)
      const outcome = await this.#execute(args, request)
      return toResult(this.#read(outcome))
    } catch (error) {
      const body = describeFailure(error, request)
      if (request.tool) request.tool.status = body.status
      return errorResult(JSON.stringify(toolError(body, request.id)))
    }
  }

  #execute(args: Arguments, request: FastifyRequest) {
    const id = chosenOperation(this.#tool, args)
    const execution = executionOf(this.#app, id)
    this.#log(request, execution)
    const { params, query, headers, body } = toParts(this.#tool, execution.operation, args)
    const { schema } = execution
    request.params = this.#valid('params', schema.params, params)
    request.query = this.#valid('querystring', schema.querystring, query)
    request.body = this.#valid('body', schema.body, body)
    return execution.execute(request, { headers, rawHeaders: [] })
  }

  /** From here on the request is one of this operation: in the log, the metrics and the trace. */
  #log(request: FastifyRequest, { operation, url }: Execution) {
    const own = request.route
    const route = this.#routes.get(url) ?? { ...own, url, config: { ...own.config, operation } }
    this.#routes.set(url, route)
    request.route = route
    request.trace?.rename(operation.id)
    request.tool = { name: this.name, method: operation.method, status: operation.success.status }
  }

  #valid(httpPart: string, schema: object | undefined, part: object) {
    if (!schema) return part
    const compile = this.#app.validatorCompiler as unknown as (definition: object) => Validate
    const { error, value } = compile({ schema, httpPart })(part)
    if (error) throw error
    return value
  }

  /** What the operation returned, as JSON in which a 64-bit integer is a string of digits. */
  #read({ body, content, headers = [], isReplay = false }: Outcome) {
    // No operation of a tool streams its content.
    const value: unknown = typeof content === 'string' ? this.#parse(content) : body
    const { list } = this.#tool
    if (isReplay) return JSON.stringify({ ...(value as object), [REPLAYED]: true }, bigintAsText)
    if (list === undefined) return JSON.stringify(value, bigintAsText)
    const nextCursor = NEXT.exec(headers[headers.indexOf('link') + 1] ?? '')?.[1]
    return JSON.stringify({ [list]: value, nextCursor }, bigintAsText)
  }

  #parse(json: string): unknown {
    return JSON.parse(json, (name, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && this.#int64.has(name) ? context?.source : value,
    )
  }
}

function executionOf(app: FastifyInstance, id: string) {
  const execution = app.executions.get(id)
  if (!execution) throw new Error(`there is no operation ${id}`)
  return execution
}

function bigintAsText(_: string, value: unknown) {
  return typeof value === 'bigint' ? String(value) : value
}

function toResult(structured: string) {
  return `{${textContent(structured)},"structuredContent":${structured}}`
}

/** Only as text: structured content must be what the output schema of the tool says, also where a call has failed. */
function errorResult(json: string) {
  return `{${textContent(json)},"isError":true}`
}

function textContent(json: string) {
  return `"content":[{"type":"text","text":${JSON.stringify(json.replaceAll(INVISIBLE, escaped))}}]`
}

/** As JSON may write any character of a string. */
function escaped(character: string) {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
