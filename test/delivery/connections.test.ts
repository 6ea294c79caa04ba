import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, BlockList } from 'node:net'
import { test } from 'node:test'
import { createServer, type TLSSocket } from 'node:tls'
import { Sender } from '../../src/delivery/sender.ts'
import { opened } from '../support/cleanup.ts'
import { startNameServer } from '../support/name-server.ts'
import { certificate } from '../support/receiver.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
const { resolver } = await startNameServer(() => ['127.0.0.1'])

test('a new connection to the same receiver resumes the session of the one before', async () => {
  const resumed: boolean[] = []
  const server = createServer(certificate, (socket: TLSSocket) => {
    resumed.push(socket.isSessionReused())
    socket.on('error', () => {})
    socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.defer(() => void server.close())
  const { port } = server.address() as AddressInfo
  const rules = { networks: loopback, allowsLocal: false }
  using sender = new Sender(`https://receiver.example:${port}/`, rules, resolver)
  for (let i = 0; i < 3; i++) assert.equal((await sender.post({}, '{}')).status, 204)
  using other = new Sender(`https://receiver.example:${port}/`, rules, resolver)
  assert.equal((await other.post({}, '{}')).status, 204)
  assert.deepEqual(resumed, [false, true, true, false])
})
