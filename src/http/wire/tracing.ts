import type { RequestTrace } from '../../telemetry/tracing.ts'

export type { Tracing } from '../../telemetry/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the few whose trace is kept. */
    trace: RequestTrace | undefined
  }
}
