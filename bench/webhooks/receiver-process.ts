import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Endpoint, lineOf, type Order, type Received } from './receiver.ts'

// Started by receiver.ts: receives what `petstore deliver` sends, and keeps a line of each event that it accepted.
const [directory = '', host = ''] = process.argv.slice(2)
/** To verify all of them would cost the machine more than to receive them. */
const VERIFIED_EVERY = 20
const FLUSHED_EVERY_MS = 200

interface Event {
  id: string
  time: string
  sequence: string
  data: { pet: { id: number; version: number } }
}

const endpoints = new Map<string, Endpoint>()
const received: Received = { accepted: 0, rejected: 0, verified: 0, wrong: [] }
let lines = ''
let logs = 0
let log = openSync(fileOf(logs), 'a')

const files = { cert: join(directory, 'receiver.crt'), key: join(directory, 'receiver.key') }
const server = createServer({ cert: readFileSync(files.cert), key: readFileSync(files.key) }, (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => void receive(request, Buffer.concat(chunks).toString(), response))
})
server.listen(0, host)
await once(server, 'listening')
setInterval(flush, FLUSHED_EVERY_MS)
process.on('message', ({ number, ...order }: Order & { number: number }) => {
  process.send?.({ number, result: obey(order) })
})
process.on('disconnect', () => process.exit())
process.send?.({ number: 0, result: (server.address() as AddressInfo).port })

function obey(order: Order) {
  if ('endpoints' in order) for (const endpoint of order.endpoints) endpoints.set(endpoint.name, endpoint)
  if (!('isLogTaken' in order)) return received
  flush()
  closeSync(log)
  const taken = fileOf(logs++)
  log = openSync(fileOf(logs), 'a')
  return taken
}

async function receive(request: IncomingMessage, body: string, response: ServerResponse) {
  const endpoint = endpoints.get(request.url?.slice(1) ?? '')
  if (!endpoint) return response.writeHead(404).end()
  const { name, failRate, delayMs } = endpoint
  if (Math.random() < failRate) {
    received.rejected++
    return response.writeHead(500).end()
  }
  if (delayMs > 0) await sleep(delayMs)
  const { id, time, sequence, data } = JSON.parse(body) as Event
  const { pet } = data
  lines += lineOf({
    endpoint: name,
    sequence: Number(sequence),
    petId: pet.id,
    version: pet.version,
    at: Date.now(),
    eventAt: Date.parse(time),
    id,
  })
  if (request.headers['webhook-id'] !== id) received.wrong.push(`${name}: the header webhook-id is not ${id}`)
  if (received.accepted++ % VERIFIED_EVERY === 0) verify(request, body, endpoint)
  return response.writeHead(200).end()
}

/** As Standard Webhooks describes it. */
function verify({ headers }: IncomingMessage, body: string, { name, secret }: Endpoint) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key)
    .update(`${String(id)}.${String(timestamp)}.${body}`)
    .digest('base64')
  received.verified++
  if (signature !== `v1,${expected}`) received.wrong.push(`${name}: the signature of ${String(id)} is wrong`)
}

function flush() {
  writeSync(log, lines)
  lines = ''
}

function fileOf(number: number) {
  return join(directory, `received-${number}`)
}
