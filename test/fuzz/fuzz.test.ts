import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startApp } from '../support/app.ts'
import { createTestKey } from '../support/factories.ts'
import { WITH_WEBHOOKS } from '../support/webhook-errors.ts'

const { address, key, pool } = await startApp({ ...WITH_WEBHOOKS, logLevel: 'silent' })
const { key: earlierKey } = await createTestKey(pool, { scopes: ['pets:read', 'pets:write'] })
const directory = mkdtempSync(join(tmpdir(), 'petstore-fuzz-test-'))
after(() => rmSync(directory, { recursive: true }))
const corpus = join(directory, 'regressions.json')

test('300 requests and the earlier findings violate nothing', async () => {
  copyFileSync('fuzz/regressions.json', corpus)
  const { code, summary, errors } = await fuzz(address, 300)
  assert.equal(code, 0, errors)
  assert.ok(summary.requests >= 300)
  assert.equal(
    Object.values(summary.byStatus).reduce((sum, count) => sum + count, 0),
    summary.requests,
    'every request has its response',
  )
  assert.deepEqual([summary.serverErrors, summary.violations, summary.seed], [0, 0, 7])
})

test('a service that rounds categoryId as a double would is detected, and the finding is kept', async () => {
  writeFileSync(corpus, '[]')
  const rounded = await serveSpoiled((text) =>
    text.replaceAll(/"categoryId":(-?[0-9]{18,})/g, (_, digits) => `"categoryId":${BigInt(Number(digits))}`),
  )
  const { code, summary, errors } = await fuzz(rounded, 300)
  assert.equal(code, 1)
  assert.ok(summary.violations > 0)
  const finding = /not the pet that was sent|not the pet after the change|does not read back/
  assert.match(errors, finding)
  assert.match(errors, /^ {2}(?:curl|printf) .*\$PETSTORE_KEY/m)
  assert.ok(!errors.includes(key))
  assert.ok((JSON.parse(readFileSync(corpus, 'utf8')) as unknown[]).length > 0)

  assert.match((await fuzz(rounded, 1)).errors, finding, 'the kept finding reproduces it')
  assert.equal((await fuzz(address, 1)).code, 0, 'and is none once the fault is fixed')
})

// So large that it stands out from whatever else happens in this process, which serves and measures nothing by itself.
const BURNT_MS = 200
// On a core that others slow down, as many milliseconds count for fewer.
const LEAST_MS = BURNT_MS / 4

test('a request that uses too much CPU is a violation, and listed among the worst', async () => {
  const headers = [
    ['Host', 'x'],
    ['Authorization', 'Bearer {{key}}'],
    ...Array.from({ length: 1_000 }, () => ['a', 'b']),
  ]
  const request = { method: 'GET', target: '/v1/pets?limit=1', version: '1.1', headers }
  writeFileSync(corpus, JSON.stringify([{ found: 'nothing yet', case: { request } }]))
  const costly = await serveSpoiled(
    (text) => text,
    (text) => /(?:a: b\r\n){500}/.test(text) && burn(BURNT_MS),
  )
  const { code, summary, errors } = await fuzz(costly, 1, '--pid', String(process.pid))
  assert.equal(code, 1)
  assert.equal(summary.violations, 1)
  const [found] = summary.costliest
  assert.match(found?.request ?? '', /^GET \/v1\/pets\?limit=1 .* Bearer \$PETSTORE_KEY.*a: b.*×1000 .*\(\d+ bytes\)$/)
  assert.ok(found && found.ms > LEAST_MS, JSON.stringify(summary.costliest, null, 2))
  assert.match(errors, /^violation: 1 of them use more than 10 ms of CPU$/m)
  assert.ok(!errors.includes(key) && !JSON.stringify(summary).includes(key))
})

test('a call of a tool that uses too much CPU is one too', async () => {
  writeFileSync(corpus, '[]')
  const costly = await serveSpoiled(
    (text) => text,
    (text) => text.includes('\r\nMcp-Name: ') && burn(BURNT_MS),
  )
  const { code, summary } = await fuzz(costly, 20, '--pid', String(process.pid))
  assert.equal(code, 1)
  const [found] = summary.costliest
  assert.match(found?.request ?? '', /^POST \/v1\/mcp .* Mcp-Name: \w+ /)
  assert.ok(found && found.ms > LEAST_MS, JSON.stringify(summary.costliest, null, 2))
})

function burn(ms: number) {
  const start = process.cpuUsage()
  for (;;) {
    const { user, system } = process.cpuUsage(start)
    if (user + system > ms * 1_000) return
  }
}

interface Summary {
  requests: number
  byStatus: Record<string, number>
  serverErrors: number
  violations: number
  seed: number
  costliest: { ms: number; request: string }[]
}

async function fuzz(target: string, requests: number, ...more: string[]) {
  const run = ['--requests', String(requests), '--seed', '7', '--regressions', corpus]
  const args = [...run, '--base-url', target, '--earlier-key', earlierKey, ...more]
  const child = spawn(process.execPath, ['fuzz/main.ts', ...args], { env: { PETSTORE_KEY: key } })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const [code] = (await once(child, 'close')) as [number]
  return { code, summary: JSON.parse(output) as Summary, errors }
}

/** A proxy to the service. `spoil` changes its responses; `onSent` is called with what a client sends. */
async function serveSpoiled(spoil: (text: string) => string, onSent: (text: string) => unknown = () => {}) {
  const { hostname, port } = new URL(address)
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const service = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    client.pipe(service)
    client.on('data', (chunk: Buffer) => onSent(chunk.toString('latin1')))
    service.setEncoding('latin1').on('data', (text: string) => client.write(spoil(text), 'latin1'))
    service.on('end', () => client.end())
    for (const socket of [client, service]) socket.on('error', () => {})
    service.on('close', () => client.destroySoon())
    client.on('close', () => service.destroy())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  after(() => proxy.close())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}
