import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { SHORT, TEST_TIMES } from '../support/times.ts'

const { stalledMs } = SHORT.clients
const { address, service } = await startApp({}, { clients: { ...TEST_TIMES.clients, stalledMs } })
const { hostname: host, port } = new URL(address)
const REQUEST = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'
const LAST_REQUEST = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
const SLACK_MS = 5_000
/** More than the slow client reads, and than the kernel's buffers hold. At most 100 requests may wait on a connection. */
const BACKLOG = 60

const accepted = new Map<number | undefined, Socket>()
subscribe('net.server.socket', (message) => {
  const { socket } = message as { socket: Socket }
  accepted.set(socket.remotePort, socket)
})

/** A client that has stopped reading, and the server's end of its connection. */
class StalledClient {
  readonly socket = connect({ host, port: Number(port) })
  server: Socket | undefined
  #requests = 0

  /** Sends requests, one at a time, until a response no longer fits into the kernel's buffers. */
  static async open() {
    const client = new StalledClient()
    client.socket.on('error', () => {}) // a reset is one way to be disconnected
    while (!client.server?.writableLength) {
      const before = client.server?.bytesWritten ?? 0
      client.request(REQUEST)
      while ((client.server?.bytesWritten ?? 0) === before) {
        await new Promise((resolve) => setImmediate(resolve))
        client.server = accepted.get(client.socket.localPort)
      }
    }
    return { client, server: client.server }
  }

  request(text: string) {
    this.socket.write(text)
    this.#requests++
  }

  /** Reads again, until the server closes the connection: every response must be complete. */
  async assertAllReceived(already: Buffer[] = []) {
    const chunks = [...already, ...((await this.socket.toArray()) as Buffer[])]
    const [, ...responses] = Buffer.concat(chunks).toString('latin1').split('HTTP/1.1 200 OK\r\n')
    assert.equal(responses.length, this.#requests)
    for (const response of responses) {
      const [head = '', body] = response.split('\r\n\r\n')
      assert.equal(body?.length, Number(/content-length: (\d+)/i.exec(head)?.[1]))
    }
  }
}

test('a client that reads nothing for too long is disconnected, a slow one is not', async () => {
  const started = performance.now()
  // The slow one first: were it disconnected too, then before the stalled one.
  const [slow, stalled] = [await StalledClient.open(), await StalledClient.open()]
  for (let i = 0; i < BACKLOG; i++) slow.client.request(REQUEST)
  const received: Buffer[] = []
  const reading = setInterval(() => {
    const chunk = slow.client.socket.read(32_768) as Buffer | null
    if (chunk) received.push(chunk)
  }, stalledMs / 100)
  await once(stalled.server, 'close')
  clearInterval(reading)
  const elapsed = performance.now() - started
  assert.ok(elapsed > stalledMs && elapsed < stalledMs + SLACK_MS, `${elapsed} ms`)
  slow.client.request(LAST_REQUEST)
  await slow.client.assertAllReceived(received)
})

test('a shutdown does not cut off a response that is still being sent', async () => {
  const { client } = await StalledClient.open()
  const stopped = service[Symbol.asyncDispose]()
  while (await isListening());
  await client.assertAllReceived()
  await stopped
})

async function isListening() {
  return fetch(`${address}/livez`).then(
    () => true,
    () => false,
  )
}
