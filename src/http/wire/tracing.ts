import type { FastifyRequest } from 'fastify'
import type { Trace } from '../../lib/batch.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Only of the few requests that are traced. */
    trace: RequestTrace | undefined
  }
}

/** One request on its way through the process. */
export interface RequestTrace extends Trace {
  readonly traceId: string
  end: (status: number, keyId: string | undefined) => void
}

/** Decides which requests are traced. Absent unless a collector is configured. */
export interface Tracing {
  begin: (request: FastifyRequest) => RequestTrace | undefined
}
