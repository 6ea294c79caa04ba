import type { TObject, TSchema } from 'typebox'
import type { Scope } from '../../domain/principal.ts'
import type { ErrorCode } from './error-codes.ts'
import type { HeaderName } from './response-headers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every operation of the service, in the order of declaration. */
    operations: Operation[]
  }
  interface FastifyContextConfig {
    operation?: Operation
  }
}

/** What an operation declares about itself. The route, the checks and the documentation derive from it. */
export interface Operation {
  /** Names it in the document, the log, the metrics and the traces. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As in the document, below /v1: `/pets/{petId}`. */
  path: string
  /** The resource it belongs to. */
  tag: string
  /** What a key must be allowed to do; absent where every key may. */
  scope?: Scope
  /** A second one, where the first is not enough. */
  alsoScope?: Scope
  /** The origins whose pages may call it, where others are rejected rather than left to CORS. */
  origins?: ReadonlySet<string>
  stability?: 'beta'
  deprecated?: Deprecation
  summary: string
  description: string
  params?: PathParameters
  query?: TObject
  body?: TSchema
  bodyExamples?: Record<string, unknown>
  /** Whether it accepts an `Idempotency-Key`. */
  idempotent?: boolean
  /** What happens if it is repeated, where it neither accepts one nor is idempotent by itself: 'makes another secret'. */
  repeating?: string
  /** Whether it accepts `If-Match`, and its body comes with an `ETag`. */
  conditional?: boolean
  /** Whether its body comes with an `ETag` of its content, and `If-None-Match` with that is 304. */
  revalidated?: boolean
  success: {
    status: number
    description: string
    /** 201, with the same body and headers, where the request may create what it would change. */
    created?: { description: string; examples: Record<string, unknown> }
    /** A shared schema, which describes the body. Absent where there is no body, or one that is not JSON. */
    body?: TSchema
    /** The media type of a body that is not JSON. */
    type?: string
    headers?: readonly HeaderName[]
    examples?: Record<string, unknown>
  }
  /** An example message for each error beyond those that every operation of its kind has, or in place of theirs. */
  errors?: Partial<Record<ErrorCode, string>>
}

/** Ids in the path. */
export type PathParameters = Record<string, PathParameter>

export interface PathParameter {
  description: string
  example: number | string
  /** How it is read, if it is not an int64 in its canonical form: undefined for text that is no id. */
  parse?: (text: string) => unknown
  /** Its schema in the document, then. */
  schema?: { type: string; minLength?: number; maxLength?: number }
  /** The error for an id that does not exist, or for text that is no id. */
  notFound: (id: string | bigint) => Error & { code: ErrorCode }
}

export interface Deprecation {
  /** The day on which it was announced (RFC 9745), and the one on which it will be removed (RFC 8594). */
  since: string
  sunset: string
  /** What to call instead, below /v1; its query may end with a path parameter: `/pets?id={petId}`. */
  successor: string
  /** The section of the documentation page about it. */
  section: string
}

/** A request that the service sends to clients: one of the `webhooks` of the document. */
export interface OutgoingRequest {
  /** Names it in the document. */
  id: string
  /** The resource it belongs to. */
  tag: string
  summary: string
  description: string
  headers: Record<string, { description: string; example: string }>
  /** A shared schema. */
  body: TSchema
  /** The media type of the body. */
  type: string
  examples: Record<string, unknown>
  /** What each status of the response means to the service. */
  responses: Record<string, string>
}
