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

test('3,000 requests and the earlier findings violate nothing', async () => {
  copyFileSync('fuzz/regressions.json', corpus)
  const { code, summary, errors } = await fuzz(address, 3_000)
  assert.equal(code, 0, errors)
  assert.ok(summary.requests >= 3_000)
  assert.equal(
    Object.values(summary.byStatus).reduce((sum, count) => sum + count, 0),
    summary.requests,
    'every request has its response',
  )
  assert.deepEqual([summary.serverErrors, summary.violations, summary.seed], [0, 0, 7])
})

const NOT_AS_SENT =
  /not the pet that was sent|not the pet after the change|does not read back|not the order|another reference/

// The service with one thing wrong, put there between it and the fuzzer. The length of a response must stay the same.
const BUGS: [name: string, spoil: (text: string) => string, finding: RegExp][] = [
  [
    'rounds categoryId as a double would',
    (text) => text.replaceAll(/"categoryId":(-?[0-9]{18,})/g, (_, digits) => `"categoryId":${BigInt(Number(digits))}`),
    NOT_AS_SENT,
  ],
  ['forgets the sunset', (text) => text.replaceAll(/^sunset:/gim, 'sunsex:'), /Sunset is undefined/],
  [
    'hands out an id twice',
    (text) => text.replaceAll(/(\/v1\/pets\/|"id":)([0-9]+)[0-9]/g, '$1$20'),
    // Which of these it is depends on where among the tens the ids happen to lie.
    /given before|not the pet|does not read back/,
  ],
  [
    'says invalid_body for invalid_json',
    (text) => text.replaceAll('invalid_json', 'invalid_body'),
    /where invalid_json was due/,
  ],
  ['composes what was sent decomposed', (text) => text.replaceAll('e\xcc\x81', '\xc3\xa9 '), NOT_AS_SENT],
  [
    'does not count changes',
    (text) => text.replaceAll(/"version":[2-9]/g, '"version":1').replaceAll(/^(etag: )"[2-9]"/gim, '$1"1"'),
    /etag is "1"|not the pet after the change|does not read back/,
  ],
  [
    'completes what was to be cancelled',
    (text) => text.replaceAll('"status":"cancelled"', '"status":"completed"'),
    /is completed, not cancelled|contains another status|explains the responses|lacks/,
  ],
  [
    'describes a deletion where a pet was changed',
    (text) => text.replaceAll('"type":"pet.updated"', '"type":"pet.deleted"'),
    /is not of its change|explains the responses|the events of/,
  ],
  [
    'gives two events the same number',
    (text) => text.replaceAll(/("sequence":"[0-9]{15})[1-9]"/g, '$10"'),
    /the feed continues after|had another event before/,
  ],
  [
    'shows a secret with a webhook',
    (text) => text.replaceAll('"behind":', '"secret":'),
    /not the webhook|a list of webhooks|whose body is not JSON/,
  ],
  ['forgets Accept-Patch', (text) => text.replaceAll(/^accept-patch:/gim, 'accept-match:'), /accept-patch is missing/],
]
for (const [name, spoil, finding] of BUGS) {
  test(`a service that ${name} is detected, and the finding is kept`, async () => {
    writeFileSync(corpus, '[]')
    const spoiled = await serveSpoiled(spoil)
    const { code, summary, errors } = await fuzz(spoiled, 2_500)
    assert.equal(code, 1)
    assert.ok(summary.violations > 0)
    assert.match(errors, finding)
    assert.match(errors, /^ {2}(?:curl|printf) .*\$PETSTORE_KEY/m)
    assert.ok(!errors.includes(key))
    assert.ok((JSON.parse(readFileSync(corpus, 'utf8')) as unknown[]).length > 0)

    const again = await fuzz(spoiled, 1)
    assert.match(again.errors, finding, 'the kept finding reproduces it')
  })
}

test('kept findings violate nothing once the fault is fixed', async () => {
  assert.equal((await fuzz(address, 1)).code, 0)
})

// So large that it stands out from whatever else happens in this process, which serves and measures nothing by itself.
const BURNT_MS = 200

test('a request that uses too much CPU is a violation, and listed among the worst', async () => {
  writeFileSync(corpus, '[]')
  const heavy = /(?:a: b\r\n){500}/
  const costly = await serveSpoiled(
    (text) => text,
    (text) => heavy.test(text) && burn(BURNT_MS),
  )
  const { code, summary, errors } = await fuzz(costly, 3_000, '--pid', String(process.pid))
  assert.equal(code, 1)
  assert.ok(summary.violations > 0)
  const form = /^GET \/v1\/pets\?limit=1 .* Bearer \$PETSTORE_KEY.*a: b.*×1000 .*\(\d+ bytes\)$/
  const found = summary.costliest.find(({ request }) => form.test(request))
  assert.ok(found && found.ms > BURNT_MS * 0.9, JSON.stringify(summary.costliest, null, 2))
  assert.ok(summary.costliest.length <= 10)
  assert.deepEqual(
    summary.costliest.map(({ ms }) => ms),
    summary.costliest.map(({ ms }) => ms).toSorted((a, b) => b - a),
  )
  assert.match(errors, /^violation: \d+ of them use more than 10 ms of CPU$/m)
  assert.ok(!errors.includes(key) && !JSON.stringify(summary).includes(key))
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
