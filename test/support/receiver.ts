import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { parseExact } from './app.ts'
import { opened } from './cleanup.ts'
import type { FeedEvent } from './events.ts'
import { keyOf } from './feed.ts'
import { until } from './until.ts'

/** A certificate for these names, which signs itself. */
export function makeCertificate(...names: string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-receiver-'))
  after(() => rmSync(directory, { recursive: true }))
  const [certificate, key] = [join(directory, 'receiver.crt'), join(directory, 'receiver.key')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const subject = ['-subj', '/CN=receiver', '-addext', `subjectAltName=${names.join()}`]
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', certificate], { stdio: 'pipe' })
  return { file: certificate, cert: readFileSync(certificate), key: readFileSync(key) }
}

/** Made once for a test file; trusted by its process, and by others with NODE_EXTRA_CA_CERTS. */
export const certificate = makeCertificate('IP:127.0.0.1', 'DNS:receiver.example')
setDefaultCACertificates([...getCACertificates('default'), String(certificate.cert)])

export interface Received {
  headers: IncomingHttpHeaders
  path: string
  body: string
  event: FeedEvent
  at: number
}

/** How a receiver responds: a status, or by itself. */
export type Respond = (received: Received, response: ServerResponse) => number | undefined

/** A receiver of webhooks on this machine, over https. */
export async function startReceiver(respond: Respond = () => 200, { cert, key } = certificate) {
  const received: Received[] = []
  const receiver = { respond, received, connections: 0, underWay: 0, mostUnderWay: 0 }
  const listener: RequestListener = (request, response) => {
    receiver.underWay++
    receiver.mostUnderWay = Math.max(receiver.mostUnderWay, receiver.underWay)
    response.once('close', () => receiver.underWay--)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      const body = Buffer.concat(chunks).toString()
      const event = parseExact(body) as FeedEvent
      const one = { headers: request.headers, path: request.url ?? '', body, event, at: performance.now() }
      received.push(one)
      const status = receiver.respond(one, response)
      if (status !== undefined) response.writeHead(status).end()
    })
  }
  const server = createServer({ cert, key }, listener)
  server.on('connection', () => receiver.connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const untilReceived = (count: number) => until(() => received.length >= count && received.slice(0, count))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return Object.assign(receiver, { url: `https://127.0.0.1:${port}/hooks`, port, until: untilReceived, close })
}

/** What was received, as `pet version`, each once. */
export function keysOf(received: readonly Received[]) {
  return [...new Set(received.map(({ event }) => keyOf(event)))]
}
