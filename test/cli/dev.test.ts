import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { after, test } from 'node:test'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { EmbeddedPostgres, runningIn, untilReady } from '../../src/cli/dev/embedded-postgres.ts'
import { readableByAll } from '../../src/cli/dev/unprivileged.ts'
import { SCOPES } from '../../src/domain/principal.ts'
import { webhookSecret } from '../../src/lib/webhook-secret.ts'
import { caller, postJson } from '../support/app.ts'
import { skipUnlessRoot } from '../support/installed.ts'
import { launch, petstore, start } from '../support/process.ts'

// As root, the folder is one that only root may enter, and PostgreSQL runs as another user.
const directory = mkdtempSync(join(tmpdir(), 'petstore-dev-'))
after(() => rmSync(directory, { recursive: true }))
const run = (args: string[], input?: string) => petstore(args, {}, input, directory)

const readKey = (file = 'key') => readFileSync(join(directory, '.petstore', file), 'utf8')
const RUNNING = /Petstore is running at (http:\S+)\/v1\..*Ctrl-C stops/s

const outside = await run(['keys', 'list'])
const { dev, ended, address, key } = await startDev()
const call = caller(address, key)
const liveCall = caller(address, readKey('live-key'))

async function startDev() {
  const started = launch(['dev'], { PORT: '0', HOST: '0.0.0.0' }, directory)
  after(() => started.kill('SIGKILL'))
  await new Promise<void>((resolve, reject) => {
    started.stdout.on('data', () => RUNNING.test(started.output.stdout) && resolve())
    started.once('exit', () =>
      reject(new Error(`petstore dev ended: ${started.output.stderr}${started.output.stdout}`)),
    )
  })
  return {
    dev: started,
    ended: once(started, 'exit'),
    address: RUNNING.exec(started.output.stdout)![1]!,
    key: readKey(),
  }
}

test('one port for requests and metrics is reported in a sentence', async () => {
  const another = mkdtempSync(join(tmpdir(), 'petstore-dev-'))
  after(() => rmSync(another, { recursive: true }))
  const { code, stderr } = await petstore(['dev'], { PORT: '18080', ADMIN_PORT: '18080' }, undefined, another)
  assert.equal(code, 1)
  assert.match(stderr, /^petstore: PORT and ADMIN_PORT are both 18080, but metrics need a port of their own\./m)
})

test('only this machine can connect, whatever HOST says', async () => {
  const { hostname, port } = new URL(address)
  assert.equal(hostname, '127.0.0.1')
  // What listens everywhere has this address too.
  await assert.rejects(fetch(`http://127.0.0.2:${port}/livez`))
})

test('links are absolute', async () => {
  const { status, headers } = await call('/v1/pets?limit=1')
  assert.equal(status, 200)
  assert.match(headers.get('link')!, new RegExp(`^<${address}/v1/pets\\?`))
})

test('both of its keys have every scope', async () => {
  for (const send of [call, liveCall]) {
    const { body } = await send('/v1/keys/self')
    assert.deepEqual((body as { scopes: string[] }).scopes, [...SCOPES])
  }
})

test('it has a live store, which begins empty, and a sandbox with sample pets, whose ids begin at 1', async () => {
  const [sandbox, live] = await Promise.all([call('/v1/pets'), liveCall('/v1/pets')])
  assert.deepEqual([sandbox.headers.get('petstore-mode'), live.headers.get('petstore-mode')], ['test', null])
  assert.match(sandbox.text, /^\[{"id":1,"name":"Rex",/)
  assert.equal(live.text, '[]')
})

test('it prints both keys, and says which is for what; only its user can read the files', () => {
  const liveKey = readKey('live-key')
  assert.match(key, /^petk_test_/)
  assert.match(liveKey, /^petk_live_/)
  assert.match(dev.output.stdout, new RegExp(`Test key, for the sandbox, .*\n  ${key}\nLive key, .*\n  ${liveKey}\n`))
  for (const file of ['key', 'live-key']) assert.equal(statSync(join(directory, '.petstore', file)).mode & 0o777, 0o600)
})

const using = (what: string) => `DATABASE_URL is not set: using the ${what} of petstore dev in .petstore/.\n`

test('keys uses both stores without any setting, import and export the sandbox or the one that is named, and say so', async () => {
  assert.equal(outside.code, 1)
  assert.match(outside.stderr, /DATABASE_URL is required/)

  const listed = await run(['keys', 'list'])
  assert.deepEqual([listed.code, listed.stderr], [0, using('databases')])
  assert.match(listed.stdout, / dev +live +active .* dev +test +active /s)
  const imported = await run(['import', '-'], '{"name":"Momo","categoryId":2}\n')
  assert.deepEqual([imported.code, imported.stderr], [0, using('sandbox')])
  const exported = await run(['export'])
  assert.equal(exported.code, 0)
  assert.ok(exported.stderr.startsWith(using('sandbox')))
  assert.match(exported.stdout, /"name":"Momo"/)
  assert.match((await call('/v1/pets')).text, /"name":"Momo"/)

  const ofLive = await run(['export', '--store', 'live'])
  assert.deepEqual([ofLive.code, ofLive.stdout], [0, ''])
  assert.ok(ofLive.stderr.startsWith(using('live store')))
  const examined = await run(['doctor'])
  assert.match(examined.stdout, /^ok +database .*^ok +sandbox database /ms)
})

test('its PostgreSQL can read no file that its user can not', async () => {
  const client = new pg.Client(await runningIn(join(directory, '.petstore')))
  await client.connect()
  const secret = join(directory, 'secret')
  writeFileSync(secret, 'secret', { mode: 0o600 })
  const isRoot = process.getuid?.() === 0
  try {
    await assert.rejects(client.query(`select pg_read_file('/etc/shadow')`), /Permission denied/)
    await assert.rejects(
      client.query(`create temp table lines (line text); copy lines from '/etc/shadow'`),
      /Permission denied/,
    )
    if (isRoot) await assert.rejects(client.query('select pg_read_file($1)', [secret]), /Permission denied/)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    if (isRoot) {
      const status = readFileSync(`/proc/${rows[0]!.pid}/status`, 'utf8')
      for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
        assert.match(status, new RegExp(`${set}:\\t0+\\n`))
    }
  } finally {
    await client.end()
  }
})

test('it delivers webhooks of both stores, also by http to this machine, signed with a secret that only its user can read', async () => {
  const file = join(directory, '.petstore/webhook-master-secret')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  for (const [send, source] of [
    [call, `${address}/v1#test`],
    [liveCall, `${address}/v1`],
  ] as const) {
    const { promise, resolve } = Promise.withResolvers<{ headers: Record<string, string>; body: string }>()
    const receiver = createServer((request, response) => {
      response.writeHead(204).end()
      resolve(textOf(request).then((body) => ({ headers: request.headers as Record<string, string>, body })))
    })
    after(() => receiver.close())
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const { port } = receiver.address() as AddressInfo
    const made = await send('/v1/webhooks', postJson({ url: `http://localhost:${port}/` }))
    assert.equal(made.status, 201, made.text)
    await send('/v1/pets', postJson({ name: 'Rex', categoryId: 1 }))
    const { headers, body } = await promise
    const { id } = made.body as { id: string }
    new Webhook(webhookSecret(readFileSync(file, 'utf8'), id, 1)).verify(body, headers)
    assert.equal((JSON.parse(body) as { source: string }).source, source)
  }
})

test('stopped, it leaves no database that a command would use', async () => {
  dev.kill('SIGINT')
  await ended
  assert.equal(await runningIn(join(directory, '.petstore')), undefined)
  assert.match((await run(['keys', 'list'])).stderr, /DATABASE_URL is required/)
})

/** Starts it again, in this process: what a signal does to the program was seen above. */
async function startAgain() {
  const { address: again, stop, output } = await start(['dev'], { PORT: '0' }, RUNNING, directory)
  return { address: again!, key: readKey(), stop, output }
}

/** Sends statements to the database with the pets of the test key. */
async function inSandbox(...statements: string[]) {
  const client = new pg.Client(await runningIn(join(directory, '.petstore')))
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

test('O22: its key stays the same, but one of an earlier version gains no scopes and is replaced', async () => {
  const second = await startAgain()
  assert.equal(second.key, key)
  await inSandbox(`update api_keys set scopes = '{pets:read,pets:write}'`)
  assert.equal(await second.stop(), 0)

  const third = await startAgain()
  assert.notEqual(third.key, key)
  const scopesOf = async (text: string) =>
    ((await caller(third.address, text)('/v1/keys/self')).body as { scopes: string[] }).scopes
  assert.deepEqual(await scopesOf(third.key), [...SCOPES])
  assert.deepEqual(await scopesOf(key), ['pets:read', 'pets:write'])
  await third.stop()
})

test('the one database of an earlier version becomes the sandbox, with its pets and key', async () => {
  const second = await startAgain()
  const pets = (await caller(second.address, second.key)('/v1/pets')).text
  await second.stop()
  {
    await using _server = await EmbeddedPostgres.start(join(directory, '.petstore'))
    await inSandbox(
      `update store set address = 'live'`,
      'drop database live',
      `insert into api_keys (id, name, mode, hash, scopes) values ('key_old', 'old', 'live', 'old', '{}')`,
    )
    rmSync(join(directory, '.petstore/live-key'))
  }

  const third = await startAgain()
  assert.equal(third.key, second.key)
  assert.match(third.output.stderr, /Live keys in it no longer work \(1\)/)
  const answer = await caller(third.address, third.key)('/v1/pets')
  assert.equal(answer.text, pets)
  assert.equal(answer.headers.get('petstore-mode'), 'test')
  assert.equal((await caller(third.address, readKey('live-key'))('/v1/pets')).text, '[]')
  await third.stop()
})

test('the program is copied to where its user can read it, and the copy is gone at the end', {
  skip: skipUnlessRoot,
}, async () => {
  const hidden = mkdtempSync(join(tmpdir(), 'petstore-hidden-'))
  after(() => rmSync(hidden, { recursive: true }))
  writeFileSync(join(hidden, 'program'), 'text', { mode: 0o755 })
  let copy: string
  {
    await using resources = new AsyncDisposableStack()
    copy = await readableByAll(hidden, resources)
    assert.notEqual(copy, hidden)
    assert.equal(statSync(copy).mode & 0o777, 0o755)
    assert.equal(readFileSync(join(copy, 'program'), 'utf8'), 'text')
    assert.equal(await readableByAll('/usr', resources), '/usr')
  }
  assert.throws(() => statSync(copy), /ENOENT/)
})

test('a server is ready also when it says so in two pieces', async () => {
  const script = `process.stderr.write('is ready to acc'); process.stdin.once('data', () => process.stderr.write('ept connections'))`
  const server = spawn(process.execPath, ['-e', script])
  after(() => server.kill('SIGKILL'))
  const ready = untilReady(server)
  await once(server.stderr, 'data')
  server.stdin.write('go')
  await ready
})
