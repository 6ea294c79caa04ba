import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Content } from './reply.ts'
import { readIdempotencyKey } from './wire/idempotency.ts'
import type { Operation, PathParameters } from './wire/operation.ts'
import { idOf } from './wire/schemas.ts'

/** What a handler returns: a value that the schema of the success prints, or content that is sent as it is. */
interface Outcome {
  body?: unknown
  content?: Content
  /** Names and values in turn. */
  headers?: readonly string[]
  /** Whether an earlier request with the same Idempotency-Key created what is returned. */
  isReplay?: boolean
}

interface Declaration<Params extends PathParameters, Query extends TObject, Body extends TSchema> extends Operation {
  params?: Params
  query?: Query
  body?: Body
  handler: (
    request: FastifyRequest<{
      Params: { [Name in keyof Params]: bigint }
      Querystring: Static<Query>
      Body: Static<Body>
    }>,
    /** What an idempotent operation may be repeated with, if the client sent it. */
    idempotencyKey: string | undefined,
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
>(app: FastifyInstance, { handler, ...declared }: Declaration<Params, Query, Body>) {
  const { method, path, params, query, body, success } = declared
  app.operations.push(declared)
  app.route<{ Params: { [Name in keyof Params]: bigint }; Querystring: Static<Query>; Body: Static<Body> }>({
    method,
    url: fastifyPath(path),
    config: { operation: declared },
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body: refTo(body) }),
      ...(success.body && { response: { [success.status]: refTo(success.body) } }),
    },
    handler: (request, reply) => {
      const outcome = handler(request, declared.idempotent ? readIdempotencyKey(request.raw) : undefined)
      return outcome instanceof Promise
        ? outcome.then((value) => send(reply, success, value))
        : send(reply, success, outcome)
    },
  })
}

function send(
  reply: FastifyReply,
  { status, type }: Operation['success'],
  { body, content, headers, isReplay }: Outcome,
) {
  if (isReplay) reply.addHeaders('idempotent-replayed', 'true')
  reply.respond(status, content ?? print(reply, status, body), headers, type)
}

function print(reply: FastifyReply, status: number, body: unknown) {
  // Serializers of JSON return text.
  return body === undefined ? undefined : (reply.code(status).serialize(body) as string)
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
