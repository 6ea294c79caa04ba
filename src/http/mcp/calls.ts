import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireScope } from '../../domain/keys.ts'
import type { Principal, Scope } from '../../domain/principal.ts'
import type { Execution, Outcome } from '../operation.ts'
import type { DescribeFailure } from '../reply.ts'
import { type Arguments, chosenOperation, requireKnown, toParts } from './arguments.ts'
import { CategoryNames, withCategoryId } from './categories.ts'
import { toolError, toolMedium } from './errors.ts'
import { countFitting, errorResult, isTooLong, MAX_RESULT_BYTES, toResult } from './results.ts'
import { inputSchema, int64Names, outputSchema } from './schemas.ts'
import { REPLAYED, SEARCH_INCOMPLETE, type Tool } from './tools.ts'
import type { TurnsOfStores } from './turns.ts'

type Execute = () => Outcome | Promise<Outcome>
type Validate = (part: unknown) => { error?: Error; value?: unknown }

const NEXT = /[?&]cursor=([^&>]+)>; rel="next"/

/** A tool with the operations that it carries out. */
export class CallableTool {
  readonly name: string
  /** The JSON that clients list. */
  readonly declaration: string
  readonly #tool: Tool
  readonly #arguments: string[]
  readonly #executions: ReadonlyMap<string, Execution>
  readonly #scopes: readonly Scope[]
  /** The fields of a result that are 64-bit integers. Text cannot look like them: its quotes are escaped. */
  readonly #int64: RegExp
  readonly #turns: TurnsOfStores
  readonly #app: FastifyInstance
  readonly #routes = new Map<string, FastifyRequest['route']>()

  constructor(app: FastifyInstance, tool: Tool, turns: TurnsOfStores) {
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
      description: operations.some(({ stability }) => stability) ? `${description} Beta.` : description,
      inputSchema: input,
      outputSchema: outputSchema(tool, operations, shared),
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
    this.#int64 = new RegExp(`"(${[...int64Names({ $ref: tool.result }, shared)].join('|')})":(-?\\d+)`, 'g')
    this.#turns = turns
    this.#app = app
  }

  isFor({ scopes }: Principal) {
    return this.#scopes.every((scope) => scopes.includes(scope))
  }

  /** Returns the result in JSON. A rejection by the operation is a result too: the model reads it, and can do better. */
  async call(args: Arguments, request: FastifyRequest, describeFailure: DescribeFailure) {
    const [first] = this.#executions.values()
    if (first) this.#log(request, first)
    try {
      for (const scope of this.#scopes) requireScope(request.principal, scope)
      requireKnown(args, this.#arguments)
      const { list, hasCategories } = this.#tool
      const execute = this.#prepare(hasCategories ? await withCategoryId(args, request) : args, request)
      if (list === undefined) return toResult(await this.#named(this.#read(await execute()), request))
      return await this.#page(list, execute, request)
    } catch (error) {
      const body = describeFailure(error, request, toolMedium(request.id))
      if (request.tool) request.tool.status = body.status
      return errorResult(JSON.stringify(toolError(body)))
    }
  }

  /** Checks the arguments, and returns a function that executes the operation. */
  #prepare(args: Arguments, request: FastifyRequest) {
    const id = chosenOperation(this.#tool, args)
    const execution = executionOf(this.#app, id)
    this.#log(request, execution)
    const { params, query, headers, body } = toParts(this.#tool, execution.operation, args)
    const { schema } = execution
    request.params = this.#valid('params', schema.params, params)
    request.query = this.#valid('querystring', schema.querystring, query)
    request.body = this.#valid('body', schema.body, body)
    return () => execution.execute(request, { headers, rawHeaders: [] })
  }

  /** Reads a page. If not all of its items fit into a result, reads a shorter one, whose cursor follows its last item. */
  async #page(list: string, execute: Execute, request: FastifyRequest): Promise<string> {
    const turns = this.#turns[request.store.address]
    const leave = await turns.enter(request.principal.chainId)
    if (request.tool) request.tool.onWait = leave
    const { begun } = request
    const names = new CategoryNames()
    try {
      for (;;) {
        const outcome = await execute()
        await turns.own()
        const items = await this.#named(this.#read(outcome), request, names)
        const page = `{"${list}":${items}${nextCursor(outcome)}${retryAfter(outcome)}${searchIncomplete(outcome)}}`
        const result = isTooLong(page) ? undefined : toResult(page)
        if (result !== undefined && Buffer.byteLength(result) <= MAX_RESULT_BYTES) return result
        const all: unknown = JSON.parse(items)
        if (!Array.isArray(all)) throw new Error(`the list ${list} is not an array`)
        const fitting = countFitting(all)
        if (fitting === all.length) return result ?? toResult(page)
        request.query = { ...(request.query as object), ...outcome.again, limit: fitting }
        request.begun = performance.now() // it may have waited for longer than a statement may take
      }
    } finally {
      request.begun = begun
      leave()
    }
  }

  /** With the names of categories, if it has pets. */
  async #named(json: string, request: FastifyRequest, names = new CategoryNames()) {
    const { hasCategories, isReadOnly } = this.#tool
    if (!hasCategories) return json
    try {
      return await names.addTo(json, request)
    } catch (error) {
      // What was changed is not reported as failed because a name could not be read.
      if (isReadOnly) throw error
      return json
    }
  }

  /** From now on the log, the metrics and the trace name the request after this operation. */
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

  /** The JSON that the operation returned, with each 64-bit integer in a string of digits. */
  #read({ content, isReplay = false }: Outcome) {
    // No operation of a tool streams its content.
    const json = typeof content === 'string' ? content.replaceAll(this.#int64, '"$1":"$2"') : ''
    return isReplay ? `${json.slice(0, -1)},"${REPLAYED}":true}` : json
  }
}

/** A member of a JSON object. */
function nextCursor(outcome: Outcome) {
  const cursor = NEXT.exec(headerOf(outcome, 'link') ?? '')?.[1]
  return cursor === undefined ? '' : `,"nextCursor":"${cursor}"`
}

/** Set on a page that should have waited for an event, and could not. HTTP clients read it from the header. */
function retryAfter(outcome: Outcome) {
  const seconds = headerOf(outcome, 'retry-after')
  return seconds === undefined ? '' : `,"retryAfter":${seconds}`
}

/** Set while not all pets can be found by name: how many of 100 can. */
function searchIncomplete(outcome: Outcome) {
  const percent = headerOf(outcome, 'petstore-search-incomplete')
  return percent === undefined ? '' : `,"${SEARCH_INCOMPLETE}":${percent}`
}

function headerOf({ headers = [] }: Outcome, name: string) {
  const at = headers.indexOf(name)
  return at === -1 ? undefined : headers[at + 1]
}

function executionOf(app: FastifyInstance, id: string) {
  const execution = app.executions.get(id)
  if (!execution) throw new Error(`there is no operation ${id}`)
  return execution
}
