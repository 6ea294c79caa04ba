import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Content } from './reply.ts'
import { readIdempotencyKey } from './wire/idempotency.ts'
import { readCondition } from './wire/if-match.ts'
import { isUnchanged, tagOf } from './wire/if-none-match.ts'
import type { Operation, PathParameters } from './wire/operation.ts'
import { idOf } from './wire/schemas.ts'
import { compileParams } from './wire/validation.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every operation by its id, for callers that do not come by its route. */
    executions: Map<string, Execution>
  }
}

/** How an operation is carried out by a request that has passed the gate, but by another route. */
export interface Execution {
  operation: Operation
  /** The path as its route declares it. */
  url: string
  /** What the parts of a request are to be validated against first. */
  schema: { params?: object; querystring?: object; body?: object }
  /** `head` has the headers that belong to the operation. */
  execute: (request: FastifyRequest, head: RequestHead) => Outcome | Promise<Outcome>
}

type RequestHead = Pick<IncomingMessage, 'headers' | 'rawHeaders'>

/** What a handler returns. */
export interface Outcome {
  /** The body of the response; absent if it has none. */
  content?: Content
  /** Names and values in turn. */
  headers?: readonly string[]
  /** Whether an earlier request with the same Idempotency-Key created what is returned. */
  isReplay?: boolean
  /** Whether it was created by this request, where the operation may do so. */
  isNew?: boolean
  /** Parameters that read this page again, where those of the request would read another. */
  again?: object
}

/** The ids of a path as its parameters read them. */
type Ids<Params extends PathParameters> = {
  [Name in keyof Params]: Params[Name] extends { parse: (text: string) => infer Id } ? NonNullable<Id> : bigint
}

interface Declaration<Params extends PathParameters, Query extends TObject, Body extends TSchema> extends Operation {
  params?: Params
  query?: Query
  body?: Body
  /** Throws what is wrong with a body beyond its schema. */
  checkBody?: (body: Static<Body>) => void
  handler: (
    request: FastifyRequest<{
      Params: Ids<Params>
      Querystring: Static<Query>
      Body: Static<Body>
    }>,
    /** What an idempotent operation may be repeated with, if the client sent it. */
    idempotencyKey: string | undefined,
    /** What a conditional operation must find, if the client has said. */
    condition: ReturnType<typeof readCondition>,
  ) => Outcome | Promise<Outcome>
}

/**
 * Declares an operation: its route, the checks before it, its documentation, its metrics and its log lines derive from this.
 * `trackPaths` adds OPTIONS and 405 to its path.
 */
export function operation<
  const Params extends PathParameters = PathParameters,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
>(app: FastifyInstance, { handler, checkBody, ...declared }: Declaration<Params, Query, Body>) {
  const { method, path, params, query, body, idempotent, conditional } = declared
  // Everything else that can be wrong with a request comes before an id that cannot exist; Fastify would check that first.
  const checkParams = params && (body || conditional) ? compileParams(params) : undefined
  const schema = {
    ...(params && !checkParams && { params }),
    ...(query && { querystring: query }),
    ...(body && { body: refTo(body) }),
  }
  type Request = Parameters<typeof handler>[0]
  const execute = (request: Request, head: RequestHead) => {
    checkBody?.(request.body as Static<Body>)
    const key = idempotent ? readIdempotencyKey(head) : undefined
    const condition = conditional ? readCondition(head) : undefined
    if (checkParams)
      request.params = valid(checkParams(request.params as Record<string, string>)) as typeof request.params
    return handler(request, key, condition)
  }
  const url = fastifyPath(path)
  app.operations.push(declared)
  app.executions.set(declared.id, {
    operation: declared,
    url: app.prefix + url,
    schema,
    execute: (request, head) => execute(request as Request, head),
  })
  app.route<{ Params: Ids<Params>; Querystring: Static<Query>; Body: Static<Body> }>({
    method,
    url,
    config: { operation: declared },
    schema,
    handler: (request, reply) => {
      const outcome = execute(request, request.raw)
      return outcome instanceof Promise
        ? outcome.then((value) => send(reply, declared, value))
        : send(reply, declared, outcome)
    },
  })
}

function valid({ error, value }: { error?: Error; value?: object }) {
  if (error) throw error
  return value
}

function send(reply: FastifyReply, { success, revalidated }: Operation, outcome: Outcome) {
  const { content, headers, isReplay, isNew } = outcome
  const status = isNew ? 201 : success.status
  if (isReplay) reply.addHeaders('idempotent-replayed', 'true')
  if (revalidated && typeof content === 'string') {
    const tag = tagOf(content)
    reply.addHeaders('etag', tag)
    if (isUnchanged(reply.request.raw, tag)) return reply.respond(304, undefined, headers)
  }
  reply.respond(status, content, headers, success.type)
}

/** A shared schema is known to all by its `$id`. */
function refTo(schema: TSchema) {
  const id = idOf(schema)
  return id === undefined ? schema : { $ref: id }
}

/** The expression keeps `/pets/`, with nothing after the slash, from being a pet; a line end is something. */
function fastifyPath(path: string) {
  return path.replaceAll(/\{(\w+)\}/g, ':$1(^[^]+$)')
}
