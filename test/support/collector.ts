import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import { watch } from './secrets.ts'

export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
  status: { code?: number }
}

interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] }
    scopeSpans: { spans: ReceivedSpan[] }[]
  }[]
}

/** A collector: takes spans as OTLP in JSON over HTTP, as the specification has it, and keeps them. */
export async function startCollector() {
  const bodies: string[] = []
  const spans: ReceivedSpan[] = []
  const paths = new Set<string>()
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    paths.add(`${request.method} ${request.url}`)
    const body = await text(request)
    bodies.push(body)
    watch('a trace', body)
    const { resourceSpans } = JSON.parse(body) as Export
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
    response.setHeader('content-type', 'application/json').end('{}')
  }
  const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, spans, paths }
}
