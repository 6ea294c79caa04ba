import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { caller } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createDatabase } from '../support/database.ts'
import { serve, serveHere } from '../support/process.ts'
import { until } from '../support/until.ts'

const { url, pool, name } = await createDatabase()

const changed = (change: (url: URL) => void) => {
  const other = new URL(url)
  change(other)
  return other.href
}

/** What /readyz and the log say of this database. */
async function reasonsOf(databaseUrl: string) {
  await using service = await serveHere(databaseUrl)
  // On a busy machine the first attempt may have taken too long, which is another reason, with a line of its own.
  const answer = await until(async () => {
    const now = await caller(service.address, '')('/readyz')
    assertError(now, 503, 'unavailable')
    return now.text.includes('cannot use its database: ') && now
  })
  const all = service.output.stdout.split('\n').filter((line) => line.includes('connect to the database'))
  const lines = all.filter((line) => !line.includes('timeout expired'))
  assert.equal(lines.length, 1, service.output.stdout)
  return { ready: (answer.body as { message: string }).message, logged: lines[0]! }
}

test('a database that does not exist: /readyz and the log say so', async () => {
  const { ready, logged } = await reasonsOf(changed((other) => (other.pathname = '/nowhere')))
  for (const text of [ready, logged])
    assert.match(text, /the database named in DATABASE_URL does not exist; create it, or correct the name/)
  assert.match(logged, /database \\"nowhere\\" does not exist/)
})

test('a role that does not exist: /readyz and the log say so', async () => {
  const { ready, logged } = await reasonsOf(changed((other) => (other.username = 'stranger')))
  for (const text of [ready, logged])
    assert.match(text, /rejects the (?:role|user or the password) in DATABASE_URL.*; (?:create it with|correct them)/)
})

test('connections that are used up: /readyz and the log say so, and it recovers by itself', async () => {
  const role = `crowded_${name}`
  await pool.query(`create role ${role} login password 'crowded' connection limit 0`)
  const crowded = changed((other) => {
    other.username = role
    other.password = 'crowded'
  })
  try {
    const { ready, logged } = await reasonsOf(crowded)
    for (const text of [ready, logged])
      assert.match(text, /no connection slots left; raise max_connections \(or the connection limit of the role/)
    await using service = await serveHere(crowded)
    await pool.query(`alter role ${role} connection limit -1`)
    // It has no rights, which is what is in its way now.
    await until(async () => /lacks rights/.test((await caller(service.address, '')('/readyz')).text))
  } finally {
    await pool.query(`drop role ${role}`)
  }
})

test('a server that accepts connections and says nothing: the process starts, and is not ready', async () => {
  await using silent = createServer().listen(0, '127.0.0.1')
  silent.on('connection', (socket) => void socket.on('error', () => {}).resume())
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  await using service = await serveHere(changed((other) => (other.port = String(port))))
  const call = caller(service.address, '')
  assert.equal((await call('/livez')).status, 200)
  assertError(await call('/readyz'), 503, 'unavailable')
})

test('a database that is dropped while the service runs is reported as such, once', async () => {
  const other = `${name}_dropped`
  await pool.query(`create database ${other} template ${process.env['TEST_TEMPLATE']}`)
  await using service = await serveHere(changed((each) => (each.pathname = `/${other}`)))
  const call = caller(service.address, '')
  await until(async () => (await call('/readyz')).status === 200)
  await pool.query(`drop database ${other} with (force)`)
  const gone = 'the database named in DATABASE_URL does not exist'
  await until(async () => (await call('/readyz')).text.includes(gone))
  const lines = service.output.stdout.split('\n').filter((line) => line.includes('lost the connection to the database'))
  assert.equal(lines.filter((line) => line.includes(gone)).length, 1, lines.join('\n'))
})

test('more connections than PostgreSQL accepts: a warning at the start with both numbers', async () => {
  const { rows } = await pool.query<{ most: number }>(`select current_setting('max_connections')::int as most`)
  const { most } = rows[0]!
  const warning = /can open (\d+) connections, 4 of each process beside its pool, but PostgreSQL accepts (\d+) /
  await using few = await serveHere(url)
  assert.doesNotMatch(few.output.stdout, warning)
  const workers = Math.floor(most / 104) + 1
  const env = { WORKERS: String(workers), DATABASE_CONNECTIONS: '100', DRAIN_DELAY: '0' }
  const { output, child, exited } = await serve(url, env)
  child.kill('SIGTERM')
  await exited
  const [, needed, accepted] = warning.exec(output.stdout) ?? []
  assert.equal(Number(needed), workers * 104)
  assert.ok(Number(accepted) < most && Number(accepted) > most - 20, String(accepted))
  assert.ok(output.stdout.includes(`max_connections is ${most}`))
  assert.equal(output.stdout.split('can open').length - 1, 1, 'once, and not by each worker')
})
