import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { test } from 'node:test'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { readConfig } from '../../src/config.ts'
import { createDatabase } from '../support/database.ts'
import { serve } from '../support/process.ts'

const { url } = await createDatabase()
const adminPort = await freePort()
const { child } = await serve(url, { WORKERS: '2', HOST: '127.0.0.2', ADMIN_PORT: String(adminPort) })
const workers = childrenOf(child.pid!)
const scrape = async () => (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()

test('metrics are served on the loopback unless ADMIN_HOST says otherwise', async () => {
  assert.match(await scrape(), /^petstore_processes 2$/m)
  await assert.rejects(fetch(`http://127.0.0.2:${adminPort}/metrics`))
  const { adminHost } = readConfig({ DATABASE_URL: url, HOST: '0.0.0.0', ADMIN_HOST: '10.0.0.1' })
  assert.equal(adminHost, '10.0.0.1')
})

test('1,900 pipelined scrapes on one connection, and 1,900 on fifty, cost about as much as one', async () => {
  const before = workers.map(cpuOf)
  await Promise.all([burst(1_900), ...Array.from({ length: 49 }, () => burst(38))])
  assert.match(await scrape(), /^petstore_processes 2$/m)
  assert.ok(peakMb(child.pid!) < 150, `${peakMb(child.pid!)} MB`)
  assert.deepEqual(childrenOf(child.pid!), workers)
  for (const [i, pid] of workers.entries()) assert.ok(cpuOf(pid) - before[i]! < 1, 'seconds of CPU')
})

test('a client that does not send its request, or does not read, is disconnected', async () => {
  const socket = connect(adminPort, '127.0.0.1')
  socket.write('GET /metrics HTTP/1.1\r\n')
  socket.resume()
  await once(socket, 'close')
})

/** Settles when the server has closed the connection. */
async function burst(requests: number) {
  const socket = connect(adminPort, '127.0.0.1')
  socket.on('error', () => {}) // it may be closed before all was sent
  socket.resume()
  socket.write('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(requests))
  await once(socket, 'close')
}

function childrenOf(pid: number) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

function peakMb(pid: number) {
  return Number(/^VmHWM:\s+([0-9]+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024
}

function cpuOf(pid: number) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
