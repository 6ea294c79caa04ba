import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { opened } from './cleanup.ts'

const TYPES = { 1: 'A', 28: 'AAAA' } as const
const REFUSED_NAME = 3

/** The addresses of a name, or undefined for one that the server never responds for. An empty list: there is no such name. */
export type Zone = (name: string) => readonly string[] | undefined

/** A name server on this machine, and a resolver that asks it. */
export async function startNameServer(addressesOf: Zone) {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, { address, port }) => {
    const { name, end } = nameIn(query)
    const type = TYPES[query.readUInt16BE(end) as keyof typeof TYPES]
    asked.push(`${name} ${type}`)
    const addresses = addressesOf(name)
    if (!addresses) return
    const answers = addresses.filter((found) => isIPv6(found) === (type === 'AAAA'))
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 | (addresses.length === 0 ? REFUSED_NAME : 0), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...answers.map(recordOf)]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  opened.defer(() => void socket.close())
  const resolver = new Resolver({ timeout: 300, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return { resolver, asked }
}

function nameIn(query: Buffer) {
  const labels: string[] = []
  let end = 12
  for (let length = query.readUInt8(end); length > 0; length = query.readUInt8(end)) {
    labels.push(query.toString('latin1', end + 1, end + 1 + length))
    end += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: end + 1 }
}

/** A record that is not to be kept for a moment, for the name of the question. */
function recordOf(address: string) {
  const bytes = isIPv6(address) ? bytesOfIPv6(address) : Buffer.from(address.split('.').map(Number))
  const record = Buffer.alloc(12)
  record.writeUInt16BE(0xc00c, 0)
  record.writeUInt16BE(isIPv6(address) ? 28 : 1, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([record, bytes])
}

function bytesOfIPv6(address: string) {
  const [head = '', tail = ''] = address.split('::')
  const groupsOf = (part: string) => part.split(':').filter(Boolean)
  const [before, after] = [groupsOf(head), groupsOf(tail)]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const bytes = Buffer.alloc(16)
  for (const [i, group] of [...before, ...zeros, ...after].entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), 2 * i)
  return bytes
}
