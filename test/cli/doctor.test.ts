import assert from 'node:assert/strict'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Examined, examine, type Finding } from '../../src/domain/doctor.ts'
import { migrate } from '../../src/storage/postgres/migrate.ts'
import { backUp } from '../support/backup.ts'
import { createDatabase } from '../support/database.ts'
import { insertWebhook, MASTER_SECRET } from '../support/deliveries.ts'
import { petstore } from '../support/process.ts'
import { asked, connected, createRoles } from '../support/roles.ts'
import { createStores, runCommand } from '../support/sandbox.ts'

const directory = mkdtempDisposableSync(join(tmpdir(), 'petstore-doctor-'))
after(() => directory.remove())
const BACKUP = join(directory.path, 'backup.prom')
await backUp(directory.path, BACKUP)
const roles = await createRoles()

const CHECKS = 'configuration database schema store rights connections clocks secret feed webhooks backups'.split(' ')
const envOf = (url: string): NodeJS.ProcessEnv => ({
  DATABASE_URL: url,
  WEBHOOK_MASTER_SECRET: MASTER_SECRET,
  BACKUP_METRICS: BACKUP,
})

/** What it finds, by check, and its exit code. */
async function examined(env: NodeJS.ProcessEnv) {
  const { code, stdout, stderr } = await petstore(['doctor', '--json'], env)
  assert.equal(stderr, '')
  const findings = JSON.parse(stdout) as Finding[]
  return { code, of: (check: string) => findings.find((finding) => finding.check === check), findings }
}

/** One check is not ok, for this reason; wrong decides the exit code. */
async function assertFound(env: NodeJS.ProcessEnv, check: string, state: Finding['state'], reason: RegExp) {
  const { code, of, findings } = await examined(env)
  assert.equal(of(check)?.state, state, JSON.stringify(findings))
  assert.match(of(check)!.detail, reason)
  assert.equal(code, findings.some((finding) => finding.state === 'wrong') ? 1 : 0)
}

test('a sound deployment: a line for each check, and exit code 0', async () => {
  const { url } = await createDatabase()
  const { code, stdout } = await petstore(['doctor'], envOf(url))
  assert.equal(code, 0, stdout)
  const lines = stdout.trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => line.split(/ +/).slice(0, 2)),
    // Nothing fetches WAL from the PostgreSQL of the tests.
    CHECKS.map((check) => [check === 'backups' ? 'warning' : 'ok', check]),
  )
  // Other tests connect to the same server meanwhile.
  const withoutCount = (detail: string) => detail.replace(/^\d+(?= of \d+ connections)/, 'some')
  assert.deepEqual(
    (await examined(envOf(url))).findings.map(({ check, state, detail }) => [state, check, withoutCount(detail)]),
    lines.map((line) => {
      const [, state, check, detail] = /^(\w+) +(\w+) +(.*)$/.exec(line)!
      return [state, check, withoutCount(detail!)]
    }),
  )
})

test('configuration: what is invalid is wrong, and nothing else can be examined; a stranger is a warning', async () => {
  const { url } = await createDatabase()
  const { findings } = await examined({ ...envOf(url), PORT: 'eighty' })
  assert.deepEqual(
    findings.map(({ check, state }) => [check, state]),
    [['configuration', 'wrong']],
  )
  await assertFound({ ...envOf(url), PORT: 'eighty' }, 'configuration', 'wrong', /PORT must be a port/)
  const faults = /^Invalid configuration: PORT must be [^;]+; WORKERS must be [^;]+$/
  await assertFound({ ...envOf(url), PORT: 'eighty', WORKERS: '0' }, 'configuration', 'wrong', faults)
  await assertFound({ PORT: '1' }, 'configuration', 'wrong', /DATABASE_URL is required/)
  await assertFound({ ...envOf(url), RATELIMIT: '1/s' }, 'configuration', 'warning', /Did you mean RATE_LIMIT/)
})

test('database: one that does not exist, or could lose what it acknowledges, is wrong', async () => {
  const { url, pool, name } = await createDatabase()
  const nowhere = new URL(url)
  nowhere.pathname = '/nowhere'
  await assertFound(envOf(nowhere.href), 'database', 'wrong', /does not exist\. Create it first/)
  await assertFound(envOf('postgres://u:p@127.0.0.1:1/petstore'), 'database', 'wrong', /does not accept connections/)
  await pool.query(`alter database ${name} set synchronous_commit = off`)
  await assertFound(envOf(url), 'database', 'wrong', /synchronous_commit is off.*Turn it on/)
  const allowed = { ...envOf(url), ALLOW_UNSAFE_DATABASE: 'synchronous_commit' }
  await assertFound(allowed, 'database', 'warning', /ALLOW_UNSAFE_DATABASE=synchronous_commit may lose pets/)
})

test('store: both databases are examined, and each must be the store that it is configured as', async () => {
  const { live, sandbox, env: urls } = await createStores()
  const env = { ...envOf(live.url), ...urls }
  await assertFound(env, 'store', 'wrong', /still has the test keys. Run `petstore sandbox create`/)
  await assertFound(env, 'sandbox store', 'wrong', /is not a sandbox. Run `petstore sandbox create`/)
  await runCommand(env, 'sandbox', 'create')
  const { code, findings } = await examined(env)
  assert.deepEqual(
    [code, ...findings.map(({ check }) => check)],
    [0, ...CHECKS, ...CHECKS.slice(1, -1).map((check) => `sandbox ${check}`)],
  )
  await assertFound(env, 'store', 'ok', /^the database is the live store$/)
  await assertFound(env, 'sandbox store', 'ok', /is a sandbox/)
  await assertFound(envOf(live.url), 'store', 'warning', /test keys were moved to a sandbox, and are rejected/)
  await assertFound(
    envOf(sandbox.url),
    'store',
    'wrong',
    /is a sandbox. Have DATABASE_URL and SANDBOX_DATABASE_URL been swapped/,
  )
  const lost = { ...env, SANDBOX_DATABASE_URL: sandbox.url.replace(sandbox.name, 'nowhere') }
  await assertFound(lost, 'sandbox database', 'wrong', /named in SANDBOX_DATABASE_URL does not exist/)
  await assertFound(lost, 'store', 'ok', /live/)
})

test('schema: a database without tables is wrong, and so is all that needs them', async () => {
  const { url } = await createDatabase({ empty: true })
  await assertFound(envOf(url), 'schema', 'wrong', /lacks 0001_pets\.sql, .*Run `petstore migrate`/)
  await assertFound(envOf(url), 'feed', 'wrong', /Run `petstore migrate`/)
})

test('rights: a role without them is wrong; those of serve and of deliver are enough', async () => {
  const { pool, as, nameOf, scriptOf } = roles
  await migrate(as(nameOf('owner')))
  const service = envOf(as(nameOf('service')))
  await assertFound(service, 'rights', 'wrong', /the role lacks .*select, insert, delete.* on pets.*grants\.sql/)
  await pool.query(`set role ${nameOf('owner')}; ${scriptOf('grants')}; reset role`)
  await assertFound(service, 'rights', 'ok', /petstore serve/)
  const deliver = await examined(envOf(as(nameOf('deliver'))))
  assert.match(deliver.of('rights')!.detail, /petstore deliver/)
  assert.equal(deliver.code, 0, JSON.stringify(deliver.findings))
})

test('connections: more than PostgreSQL accepts are a warning with both numbers', async () => {
  const { url } = await createDatabase()
  const env = { ...envOf(url), WORKERS: '64', DATABASE_CONNECTIONS: '100' }
  await assertFound(env, 'connections', 'warning', /can open 6656 connections.*PostgreSQL accepts \d+ /)
})

test('connections: those to a sandbox are added if it is in the same PostgreSQL, by its URL', async () => {
  const { live, sandbox, env } = await createStores()
  const together = { ...envOf(live.url), ...env }
  for (const check of ['connections', 'sandbox connections'])
    await assertFound(together, check, 'ok', /with these settings needs up to 22$/)
  const many = { ...together, WORKERS: '64' }
  const shortage =
    /^WORKERS=64, DATABASE_CONNECTIONS=10 and the 4 of a sandbox can open 1408 connections, 4 of each process beside each pool,/
  for (const check of ['connections', 'sandbox connections']) await assertFound(many, check, 'warning', shortage)

  const elsewhere = new URL(sandbox.url)
  elsewhere.hostname = elsewhere.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  const apart = { ...many, SANDBOX_DATABASE_URL: elsewhere.href }
  await assertFound(apart, 'connections', 'warning', /^WORKERS=64 and DATABASE_CONNECTIONS=10 can open 896 connections/)
  const ofSandbox = /^WORKERS=64 and the 4 of a sandbox can open 512 connections, .* Lower WORKERS, or raise/
  await assertFound(apart, 'sandbox connections', 'warning', ofSandbox)
})

test('connections: those of other roles are counted too, by a role that may not see what they do', async () => {
  const { url } = await createDatabase()
  const others = await Promise.all(Array.from({ length: 30 }, () => connected(url)))
  const { of } = await examined(envOf(roles.as(roles.nameOf('service'))))
  const { detail } = of('connections')!
  assert.ok(Number(/^\d+/.exec(detail)?.[0]) > others.length, detail)
  await Promise.all(others.map((client) => client.end()))
})

test('connections and clocks: what a server reports is judged', async () => {
  const { url } = await createDatabase()
  const client = await connected(url)
  const settings: Examined = {
    address: 'live',
    hasSandbox: false,
    workers: 1,
    stores: [{ address: 'live', databaseUrl: url, connections: 10 }],
    webhookMasterSecret: undefined,
    backupMetrics: undefined,
  }
  /** With this in place of what the server says. */
  const judged = async (check: string, column: string, row: object) => {
    const { query } = asked(client)
    const replaced: typeof query = async (statement) =>
      statement.text.includes(column) ? ([row] as never) : query(statement)
    const findings = await examine({ query: replaced }, settings, String)
    return findings.find((finding) => finding.check === check)!
  }
  const at = (seconds: number) => ({ now: new Date(Date.now() + seconds * 1_000) })
  for (const [seconds, state] of [
    [-5, 'warning'],
    [5, 'warning'],
    [60, 'wrong'],
    [-60, 'wrong'],
  ] as const) {
    const { state: found, detail } = await judged('clocks', 'as now', at(seconds))
    assert.deepEqual([found, /differ by [\d.]+ s\. Synchronise both/.test(detail)], [state, true], detail)
  }
  const full = await judged('connections', 'max_connections', { most: 100, reserved: 3, open: 95 })
  assert.deepEqual(
    [full.state, full.detail.startsWith('95 of 97 connections are open')],
    ['warning', true],
    full.detail,
  )
  for (const [slot, state, reason] of [
    [{ isActive: true, walStatus: 'reserved' }, 'warning', /WAL is fetched, but when .* is not known/],
    [{ isActive: true, walStatus: 'lost' }, 'wrong', /Make a full backup at once/],
    [{ isActive: false, walStatus: 'reserved' }, 'wrong', /Start petstore-receive-wal/],
  ] as const) {
    const found = await judged('backups', 'pg_replication_slots', slot)
    assert.equal(found.state, state)
    assert.match(found.detail, reason)
  }
  settings.backupMetrics = BACKUP
  const sound = await judged('backups', 'pg_replication_slots', { isActive: true, walStatus: 'reserved' })
  assert.deepEqual(sound, { check: 'backups', state: 'ok', detail: 'the last backup was completed 0 hours ago' })
  await client.end()
})

test('secret: none, although there are webhooks, is wrong', async () => {
  const { url, pool } = await createDatabase()
  const { WEBHOOK_MASTER_SECRET: _none, ...env } = envOf(url)
  await assertFound(env, 'secret', 'ok', /there are no webhooks/)
  await insertWebhook(pool, 'https://shop.example/')
  await assertFound(env, 'secret', 'wrong', /is not set, but there are 1 webhooks/)
})

test('feed: an event that no process adds to it is wrong', async () => {
  const { url, pool } = await createDatabase()
  const insert = (version: number, ago: string) =>
    pool.query(`insert into events (pet_id, version, at, type, name, category_id)
      values (1, ${version}, now() - interval '${ago}', 'pet.created', 'Rex', 1)`)
  await insert(1, '1 second')
  await assertFound(envOf(url), 'feed', 'ok', /every event is in the feed/)
  await insert(2, '1 minute')
  await assertFound(envOf(url), 'feed', 'wrong', /an event of 6\d s ago is not in the feed yet/)
})

test('webhooks: one that no process delivers for is wrong; a disabled, failing or paused one is a warning', async () => {
  const { url, pool } = await createDatabase()
  await insertWebhook(pool, 'https://shop.example/', { state: 'disabled' })
  await assertFound(envOf(url), 'webhooks', 'warning', /1 webhooks, 1 disabled, 0 paused.*petstore webhooks resume/)
  await pool.query(`update webhooks set state = 'paused', reason = null`)
  await assertFound(envOf(url), 'webhooks', 'ok', /1 webhooks, 0 disabled, 0 paused/)
  await pool.query(`update webhooks set reason = 'key_expired'`)
  await assertFound(
    envOf(url),
    'webhooks',
    'warning',
    /1 paused with their key, .*`petstore webhooks resume` .*`--key`/,
  )
  const leased_until = new Date(Date.now() - 60_000)
  await insertWebhook(pool, 'https://shop.example/', { leased_until })
  await assertFound(
    envOf(url),
    'webhooks',
    'wrong',
    /no process delivers for 1 of 2 webhooks\. Start `petstore deliver`/,
  )
})

test('backups: one of yesterday, and one that is not known, are not ok', async () => {
  const { url } = await createDatabase()
  const old = join(directory.path, 'old.prom')
  const yesterday = (at: string) => String(Number(at) - 27 * 3_600)
  writeFileSync(old, readFileSync(BACKUP, 'utf8').replace(/\d+$/m, yesterday))
  const withFile = (file: string) => ({ ...envOf(url), BACKUP_METRICS: file })
  await assertFound(withFile(old), 'backups', 'wrong', /completed 27 hours ago\. See the journal/)
  writeFileSync(old, '')
  await assertFound(withFile(old), 'backups', 'wrong', /has no time of a backup/)
  await assertFound(withFile(join(directory.path, 'none')), 'backups', 'wrong', /There is no file/)
  await assertFound(withFile(''), 'backups', 'warning', /is not known\. Set BACKUP_METRICS/)
})
