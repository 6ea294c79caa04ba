import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { clausesOf } from '../../acceptance/run.ts'
import { startApp } from '../support/app.ts'
import { MASTER_SECRET, startDelivering } from '../support/deliveries.ts'
import { createTestKey } from '../support/factories.ts'
import { petstore, petstoreProcess } from '../support/process.ts'
import { WITH_WEBHOOKS } from '../support/webhook-errors.ts'

// Both send webhooks to this machine, as `petstore dev` does.
const LOCAL = { webhookMasterSecret: MASTER_SECRET, allowsLocalReceivers: true }
const { address, key, pool, url } = await startApp(LOCAL)
await startDelivering(url, LOCAL)
const reader = (await createTestKey(pool, { scopes: ['pets:read'] })).key
const pets = (await createTestKey(pool, { scopes: ['pets:read', 'pets:write'] })).key

const folder = mkdtempSync(join(tmpdir(), 'petstore-verify-'))
after(() => rmSync(folder, { recursive: true }))
const [html, junit] = [join(folder, 'report.html'), join(folder, 'report.xml')]

// A service that keeps no contract: whatever is asked, it repeats the credential.
const IMPATIENT = { headersTimeout: 500, requestTimeout: 500, keepAliveTimeout: 500, connectionsCheckingInterval: 100 }
const careless = createServer(IMPATIENT)
careless.on('request', (request, response) => {
  response.setHeader('content-type', 'application/json')
  request.resume().once('end', () => response.end(`["${request.headers.authorization}"]`))
})
careless.listen(0, '127.0.0.1')
await once(careless, 'listening')
after(() => careless.close())
const elsewhere = `http://127.0.0.1:${(careless.address() as AddressInfo).port}`

interface Result {
  total: number
  passed: number
  failed: number
  clauses: { id: string; profile: string; sentence: string; passed: boolean; detail?: string }[]
}

const KEYS = { PETSTORE_KEY: key, PETSTORE_READ_KEY: reader, PETSTORE_PETS_KEY: pets }

/** Runs the command without any configuration. */
async function verify(service: string, args: string[], program: typeof petstoreProcess = petstore) {
  const run = await program(['verify', '--base-url', `${service}/v1`, ...args], KEYS)
  for (const text of [run.stdout, run.stderr])
    for (const secret of [key, reader, pets]) assert.ok(!text.includes(secret.slice(0, -1)), 'no key is printed')
  return run
}

const PROFILES = ['spec', 'full', 'store'] as const

// These wait most of the time.
describe('webhooks', { concurrency: true }, () => {
  test('every clause of every profile holds on this service, in less than a minute', async () => {
    const started = performance.now()
    const { code, stdout, stderr } = await verify(address, ['--profile', 'store', '--json'])
    assert.ok(performance.now() - started < 60_000)
    const { total, passed, failed, clauses } = JSON.parse(stdout) as Result
    assert.deepEqual(
      clauses.filter((clause) => !clause.passed),
      [],
    )
    assert.match(stderr, /^petstore: 11 clauses about URLs of webhooks are left out: .*\.\n$/)
    assert.deepEqual([code, passed, failed], [0, total, 0])
    assert.equal(clauses.length, total)
    assert.equal(new Set(clauses.map(({ id }) => id)).size, total, 'ids are unique')
    for (const clause of clauses) assert.deepEqual(Object.keys(clause), ['id', 'profile', 'sentence', 'passed'])
    for (const { sentence } of clauses) assert.match(sentence, /^[A-Z0-9`/].{15,}/)
    const tried = (profile: string) => clauses.filter((clause) => clause.profile === profile).length
    assert.deepEqual(
      PROFILES.map(tried),
      PROFILES.map((profile) => expected.filter((clause) => clause.profile === profile).length),
    )
  })

  test('a service that accepts webhooks and delivers nothing fails the clauses about deliveries', async () => {
    const { code, failed, total, clauses } = await verifyWebhooks(await startApp(LOCAL), 'webhooks.w1')
    assert.deepEqual([code, failed], [1, total])
    for (const { detail } of clauses)
      assert.match(detail!, /^request .*\/v1\/webhooks.*\nexpected .*\nresponse +nothing was received\nrepeat .*curl/s)
  })
})

const expected = clausesOf('store', { readKey: reader, petsKey: pets }).filter(
  ({ setting }) => setting !== 'public receivers',
)

for (const [profile, least] of [
  ['spec', 60],
  ['full', 200],
  ['store', 1_400],
] as const)
  test(`the profile ${profile} has its clauses and those of the profiles before it`, () => {
    const clauses = clausesOf(profile, {})
    assert.ok(clauses.length >= least)
    const held = PROFILES.filter((each) => clauses.some((clause) => clause.profile === each))
    assert.deepEqual(held, PROFILES.slice(0, PROFILES.indexOf(profile) + 1))
  })

test('the program tries the clauses, and passes its reports and its exit code on', async () => {
  const args = ['--profile', 'full', '--only', 'scopes', '--json']
  const program = await verify(address, args, petstoreProcess)
  assert.equal(program.code, 0, program.stderr)
  const { total, passed } = JSON.parse(program.stdout) as Result
  assert.ok(total >= 8 && passed === total)
})

test('the clauses about scopes are part of a run that has a key which may only read', async () => {
  const scopes = (clauses: { id: string }[]) => clauses.filter(({ id }) => id.startsWith('scopes.')).length
  assert.equal(scopes(clausesOf('full', {})), 0)
  assert.ok(scopes(clausesOf('full', { readKey: reader })) >= 8)
})

/** The clauses about webhooks, which depend on how a service is set up. */
async function verifyWebhooks(service: { address: string; key: string }, pattern = 'webhooks') {
  const { code, stdout, stderr } = await petstore(
    ['verify', '--base-url', `${service.address}/v1`, '--profile', 'store', '--only', pattern, '--json'],
    { PETSTORE_KEY: service.key },
  )
  return { code, stderr, ...(JSON.parse(stdout) as Result) }
}

const webhooks = clausesOf('store', {}).filter(({ id }) => id.startsWith('webhooks.'))
const idsOf = (clauses: { id: string }[]) => clauses.map(({ id }) => id)

test('on a service that can create no webhooks, the clauses that do are left out, and verify says so', async () => {
  const { code, failed, stderr, clauses } = await verifyWebhooks(await startApp())
  const possible = webhooks.filter(({ setting }) => setting === undefined || setting === 'public receivers')
  const count = webhooks.length - possible.length
  assert.ok(count >= 55)
  assert.match(stderr, new RegExp(`^petstore: ${count} clauses about webhooks are left out: .*MASTER_SECRET\\.\\n$`))
  assert.deepEqual([code, failed, idsOf(clauses)], [0, 0, idsOf(possible)])
})

test('on a service that sends to public addresses only, the clauses about deliveries are left out, and verify says so', async () => {
  const { code, failed, stderr, clauses } = await verifyWebhooks(await startApp(WITH_WEBHOOKS))
  const possible = webhooks.filter(({ setting }) => setting !== 'local receivers')
  const count = webhooks.length - possible.length
  assert.ok(count >= 30)
  assert.match(stderr, new RegExp(`^petstore: ${count} clauses about deliveries are left out: .*\\.\\n$`))
  assert.deepEqual([code, failed, idsOf(clauses)], [0, 0, idsOf(possible)])
})

test('a run leaves no webhook behind', async () => {
  const { rows } = await pool.query('select url from webhooks')
  assert.deepEqual(rows, [])
})

test('a service that keeps no contract fails nearly every clause', async () => {
  const { code, stdout } = await verify(elsewhere, ['--json', '--html', html, '--junit', junit])
  const { total, passed, failed, clauses } = JSON.parse(stdout) as Result
  assert.equal(code, 1)
  assert.equal(passed + failed, total)
  assert.ok(failed > 0.9 * total, `${failed} of ${total}`)
  for (const { detail } of clauses.filter((clause) => !clause.passed))
    assert.match(detail!, /^request .*\nexpected .*\nresponse .*\nrepeat .*(?:curl|telnet)/s)
})

test('the reports of that run are whole, and name no key', () => {
  const page = readFileSync(html, 'utf8')
  assert.match(page, /^<!doctype html>.*clauses of the interface pass.*What failed.*<\/html>\n$/s)
  assert.doesNotMatch(page, /<script|https?:\/\/(?!127\.0\.0\.1|x|evil)/, 'the page needs nothing but itself')
  const xml = readFileSync(junit, 'utf8')
  assertWellFormed(xml)
  const [, tests, failures] = /<testsuites [^>]*tests="(\d+)" failures="(\d+)"/.exec(xml)!
  assert.equal(xml.match(/<testcase /g)!.length, Number(tests))
  assert.equal(xml.match(/<failure /g)!.length, Number(failures))
  for (const text of [page, xml]) assert.ok(!text.includes(key.slice(0, -1)))
})

test('for a person: a line for each group, what failed with a command that repeats it, and the sum', async () => {
  const { code, stdout } = await verify(elsewhere, [
    '--profile',
    'spec',
    '--only',
    'authentication',
    '--only',
    'list.ok',
  ])
  assert.equal(code, 1)
  assert.match(stdout, /^authentication: \d+ failed$/m)
  assert.match(stdout, /^Interface: \d+ of \d+ clauses pass\.\n$/m)
  const block = /^✗ list\.ok\n.*?\n(?=\nInterface)/ms.exec(stdout)![0]
  assert.match(block, /request +GET \/v1\/pets\n +Authorization: Bearer \$PETSTORE_KEY\n/)
  assert.match(block, /expected +a Pet/)
  assert.match(block, /response +200 OK/)
  const [, curl] = /repeat +(.*)/.exec(block)!
  const shell = await promisify(execFile)('bash', ['-c', curl!], {
    env: { PATH: process.env['PATH'], PETSTORE_KEY: key },
  })
  assert.match(shell.stdout, new RegExp(`^HTTP/1.1 200 OK.*\\["Bearer ${key}"\\]$`, 's'))
})

const WRONG: [name: string, args: string[], code: number, message: RegExp][] = [
  ['no URL', ['--key', 'k'], 2, /--base-url takes the URL .* http:\/\/127\.0\.0\.1:8080\/v1/],
  ['half a URL', ['--base-url', 'pets', '--key', 'k'], 2, /--base-url takes the URL/],
  ['no key', ['--base-url', 'http://127.0.0.1:1/v1'], 2, /Set PETSTORE_KEY \(or --key\)/],
  [
    'another profile',
    ['--base-url', 'http://127.0.0.1:1/v1', '--key', 'k', '--profile', 'most'],
    2,
    /spec, full or store/,
  ],
  ['an unknown option', ['--speed', 'high'], 2, /Unknown option '--speed'/],
  [
    'a pattern that matches nothing',
    ['--base-url', 'http://127.0.0.1:1/v1', '--key', 'k', '--only', 'unicorns'],
    2,
    /--only unicorns matches no clause\. The groups are: authentication, list, .*framing\./,
  ],
]
for (const [name, args, code, message] of WRONG) {
  test(`${name}: says so, and exits with ${code}`, async () => {
    const run = await petstore(['verify', ...args])
    assert.equal(run.code, code)
    assert.match(run.stderr, message)
    assert.equal(run.stdout, '')
  })
}

/** Every tag is closed in its turn, and nothing between them is markup by mistake. */
function assertWellFormed(xml: string) {
  const open: string[] = []
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '')
  const rest = body.replaceAll(
    /<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>/g,
    (_, closing: string, name: string, __, empty: string) => {
      if (closing) assert.equal(open.pop(), name)
      else if (!empty) open.push(name)
      return ''
    },
  )
  assert.deepEqual(open, [])
  assert.doesNotMatch(rest.replaceAll(/&(?:amp|lt|gt|quot);/g, ''), /[<&]/)
  assert.doesNotMatch(xml, /[^\t\n\P{Cc}]/u, 'no control characters, which XML can’t hold')
}
