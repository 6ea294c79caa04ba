import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, type Tracer, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import { backgroundFailures } from '../lib/metric.ts'
import type { RequestTrace, TracedRequest, Tracing } from './tracing.ts'

export interface TraceOptions {
  /** Where a collector takes OTLP over HTTP, like http://127.0.0.1:4318. */
  endpoint: string
  /** The share of requests to trace, among those that bring no decision of their own. */
  share: number
  onFailed: (error: Error | undefined) => void
}

// Spans are exported this often, many at a time.
const ROUND_MS = 1_000
// Spans that the collector has not accepted this long after the process began to end are lost.
const LAST_SPANS_MS = 1_000

/** Sends the traces of a process to a collector, in the background. Loaded only if there is one. */
export class Traces implements Tracing, AsyncDisposable {
  readonly metrics = [backgroundFailures(() => ({ traces: this.#exporter.failures }))]
  readonly #provider: TracerProvider
  readonly #tracer: Tracer
  readonly #share: number
  readonly #exporter: WatchedExporter

  constructor({ endpoint, share, onFailed }: TraceOptions) {
    this.#share = share
    this.#exporter = new WatchedExporter(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }), onFailed)
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'petstore', 'process.pid': process.pid }),
      spanProcessors: [new BatchSpanProcessor({ exporter: this.#exporter, scheduledDelayMillis: ROUND_MS })],
    })
    this.#tracer = this.#provider.getTracer('petstore')
  }

  /** Decides before the SDK would: that creates a span first, so all requests would pay for the few. */
  begin(request: TracedRequest) {
    const { traceparent } = request.headers
    const parent = traceparent === undefined ? undefined : parentOf(traceparent)
    if (parent ? !parent.isSampled : Math.random() >= this.#share) return undefined
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent.spanContext) : ROOT_CONTEXT
    const { method, id, route } = request
    const attributes = { 'http.request.method': method, 'petstore.request_id': id }
    const name = route.config.operation?.id ?? 'none'
    return new SpansOfRequest(
      this.#tracer,
      this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, context),
    )
  }

  async [Symbol.asyncDispose]() {
    const late = Promise.withResolvers<void>()
    const impatience = setTimeout(late.resolve, LAST_SPANS_MS)
    await Promise.race([this.#provider.shutdown().catch(() => {}), late.promise])
    clearTimeout(impatience)
  }
}

/** The spans of a request and of its statements. Without the URL, which may contain a secret. */
class SpansOfRequest implements RequestTrace {
  readonly #tracer: Tracer
  readonly #request: Span
  #statement: Span | undefined
  #batch = ''
  #waitsSince = 0

  constructor(tracer: Tracer, request: Span) {
    this.#tracer = tracer
    this.#request = request
  }

  get traceId() {
    return this.#request.spanContext().traceId
  }

  rename(operation: string) {
    this.#request.updateName(operation)
  }

  /** The wait has no span, which would cost as much as any other: it is the gap before that of the statement. */
  waits(batch: string) {
    this.#batch = batch
    this.#waitsSince = performance.now()
  }

  leaves(items: number) {
    // Still open if the batch was divided.
    this.#statement?.end()
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.batch.size': items,
      'petstore.wait_ms': performance.now() - this.#waitsSince,
    }
    const context = trace.setSpan(ROOT_CONTEXT, this.#request)
    this.#statement = this.#tracer.startSpan(this.#batch, { kind: SpanKind.CLIENT, attributes }, context)
  }

  returns() {
    this.#statement?.end()
    this.#statement = undefined
  }

  end(status: number, keyId: string | undefined, store: string | undefined) {
    // Still open if it failed.
    this.#statement?.setStatus({ code: SpanStatusCode.ERROR }).end()
    this.#request.setAttribute('http.response.status_code', status)
    if (keyId !== undefined) this.#request.setAttribute('petstore.key_id', keyId)
    if (store !== undefined) this.#request.setAttribute('petstore.store', store)
    if (status >= 500) this.#request.setStatus({ code: SpanStatusCode.ERROR })
    this.#request.end()
  }
}

/** Reports when the collector begins to fail, which the SDK does not. */
class WatchedExporter implements SpanExporter {
  readonly #exporter: SpanExporter
  readonly #onFailed: (error: Error | undefined) => void
  #isFailing = false
  failures = 0

  constructor(exporter: SpanExporter, onFailed: (error: Error | undefined) => void) {
    this.#exporter = exporter
    this.#onFailed = onFailed
  }

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]) {
    this.#exporter.export(spans, (result) => {
      const hasFailed = result.error !== undefined
      if (hasFailed) this.failures++
      if (hasFailed && !this.#isFailing) this.#onFailed(result.error)
      this.#isFailing = hasFailed
      done(result)
    })
  }

  async shutdown() {
    await this.#exporter.shutdown()
  }
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/

/** The decision of a caller that is traced itself (W3C Trace Context); undefined if the header is missing or malformed. */
function parentOf(header: unknown) {
  const [, traceId, spanId, flags] = typeof header === 'string' ? (TRACEPARENT.exec(header) ?? []) : []
  if (traceId === undefined || spanId === undefined) return undefined
  const isSampled = (Number.parseInt(flags ?? '', 16) & TraceFlags.SAMPLED) !== 0
  return { isSampled, spanContext: { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true } }
}
