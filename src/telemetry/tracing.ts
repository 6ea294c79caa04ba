import type { Trace } from '../lib/batch.ts'

/** The parts of a request that a trace uses. */
export interface TracedRequest {
  readonly id: string
  readonly method: string
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly route: { readonly config: { readonly operation?: { readonly id: string } } }
}

export interface RequestTrace extends Trace {
  readonly traceId: string
  /** Names the trace after this operation, although the request came by another route. */
  rename: (operation: string) => void
  /** `store` only if it is another than the default one. */
  end: (status: number, keyId: string | undefined, store: string | undefined) => void
}

/** Decides which requests are traced. Absent unless a collector is configured. */
export interface Tracing {
  begin: (request: TracedRequest) => RequestTrace | undefined
}
