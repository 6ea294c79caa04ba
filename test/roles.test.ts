import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { readConfig } from '../src/config.ts'
import { Readiness } from '../src/domain/readiness.ts'
import { connect, startService } from '../src/service.ts'
import { migrate } from '../src/storage/postgres/migrate.ts'
import { missingPrivileges, SERVING_PRIVILEGES } from '../src/storage/postgres/privileges.ts'
import { caller, openLogs, postJson } from './support/app.ts'
import { assertError } from './support/assert-error.ts'
import { createDatabase } from './support/database.ts'
import { createTestKey } from './support/factories.ts'
import { skipWithout } from './support/installed.ts'
import { petstore, serve } from './support/process.ts'
import { asked, connected, createRoles, each, granted, namesOf } from './support/roles.ts'
import { TEST_TIMES } from './support/times.ts'
import { until } from './support/until.ts'
import { MASTER_SECRET, RECEIVER, webhookCalls, webhookOf } from './support/webhooks.ts'

const { pool, suffix, password, scriptOf, nameOf, as } = await createRoles()
const ownerUrl = as(nameOf('owner'))
const ROLE = nameOf('service')
const serviceUrl = as(ROLE)
await migrate(ownerUrl)
const owner = await connected(ownerUrl)
await owner.query(scriptOf('grants'))
const service = await connected(serviceUrl)

test('the whole service works with the role that can do only what serving takes', async () => {
  const keys = await Promise.all(
    [[], ['--scope', 'pets:read']].map(async (scope) => {
      const { stdout, stderr } = await petstore(['keys', 'create', '--name', 'roles', '--json', ...scope], {
        DATABASE_URL: ownerUrl,
      })
      assert.equal(stderr, '')
      return (JSON.parse(stdout) as { key: string }).key
    }),
  )
  const { address } = await serve(serviceUrl)
  const { code, stdout } = await petstore(['verify', '--base-url', `${address}/v1`, '--json'], {
    PETSTORE_KEY: keys[0],
    PETSTORE_READ_KEY: keys[1],
  })
  const { failed, passed } = JSON.parse(stdout) as { passed: number; failed: number }
  assert.deepEqual([code, failed], [0, 0], stdout)
  assert.ok(passed > 400)
  const { rows } = await pool.query(`select from api_keys where last_used_at is null`)
  assert.deepEqual(rows, [], 'the use of a key is noted')
})

test('webhooks can be managed with that role', async () => {
  const { key } = await createTestKey(pool)
  const { address } = await serve(serviceUrl, { WEBHOOK_MASTER_SECRET: MASTER_SECRET })
  const { list, create, get, patch, rotate, ping, retry, attempts, remove } = webhookCalls(caller(address, key))
  const { id } = webhookOf(await create())
  const answers = [
    await get(id),
    await patch(id, { url: RECEIVER, types: null, name: 'Accounting', state: 'paused' }),
    await rotate(id),
    await ping(id),
    await retry(id),
    await attempts(id),
    await remove(id),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 202, 409, 200, 204],
  )
  assert.deepEqual(await list(), [])
})

const FORBIDDEN: Record<string, string> = {
  'give a pet another id': 'update pets set id = id + 1',
  'remove an order': 'delete from orders',
  'change an event': 'update events set name = null',
  'give an event another place in the feed': 'update feed_pages set pet_ids = versions',
  'give a webhook another id': `update webhooks set id = 'wh_1'`,
  'say what a receiver has responded': `update webhook_attempts set response_body = 'No.'`,
  'say what was sent to a webhook': `insert into webhook_attempts values ('wh_1', 1, now(), 'evt_1', 200, null, 1)`,
  'read which processes deliver': 'select from deliverers',
  'change what was ordered': 'update orders set pet_id = 1',
  'change until when an order holds its pet': 'update orders set expires_at = now()',
  'empty the table of pets': 'truncate pets',
  'set back the ids': `select setval('pets_id_seq', 1)`,
  'make a key': `insert into api_keys (id, name, mode, hash, scopes) values ('a', 'a', 'live', 'a', '{}')`,
  'bring a revoked key back': 'update api_keys set revoked_at = null',
  'give a key more scopes': `update api_keys set scopes = '{pets:write}'`,
  'remove a key': 'delete from api_keys',
  'change what an idempotency key stands for': 'update idempotency_keys set pet_id = 1',
  'forget who calls what is deprecated': 'delete from deprecated_calls',
  'count a call as another key’s': `update deprecated_calls set api_key_id = 'a'`,
  'read what was imported': 'select from imports',
  'make a table': 'create table toys (id int)',
  'make a temporary table': 'create temp table toys (id int)',
  'change a table': 'alter table pets add column x int',
  'drop a table': 'drop table pets',
  'make an index': 'create index on pets (name)',
  'make a function': `create function f() returns int language sql as 'select 1'`,
  'say that a migration was applied': `insert into schema_migrations values ('x', 'x')`,
  'read a file of the server': `select pg_read_file('PG_VERSION')`,
  'run a program on the server': `copy (select 1) to program 'true'`,
  'make a role': 'create role x',
}

for (const [what, statement] of Object.entries(FORBIDDEN)) {
  test(`the role of the service can't ${what}`, async () => {
    await assert.rejects(service.query(statement), { code: /^42501$/ }, statement)
  })
}

test('grants.sql grants exactly what a process checks that it has', async () => {
  assert.deepEqual(await missingPrivileges(asked(service), SERVING_PRIVILEGES), [])
  assert.deepEqual(await granted(pool, ROLE), namesOf(SERVING_PRIVILEGES))
})

for (const { relation, privilege, column } of each(SERVING_PRIVILEGES)) {
  const named = `${privilege}${column ? ` (${column})` : ''} on ${relation}`
  test(`a process that lacks ${named} is not ready, and names it`, async () => {
    const kind = privilege === 'usage' ? 'sequence' : 'table'
    await owner.query(`revoke ${privilege}${column ? ` (${column})` : ''} on ${kind} ${relation} from ${ROLE}`)
    await using db = connect(serviceUrl)
    const readiness = new Readiness(db)
    await assert.rejects(readiness.check(), {
      code: 'unavailable',
      message: `The role of this process lacks rights in the database: ${named}. Run deploy/postgres/grants.sql as the owner of the tables.`,
    })
    await owner.query(scriptOf('grants'))
    await readiness.check()
  })
}

test('a pet can be locked with the right to update some of its columns', async () => {
  for (const table of ['pets', 'orders']) await service.query(`select from ${table} for no key update skip locked`)
})

test('a process without rights logs what it lacks, is not ready, and rejects requests with 503 until it has them', async () => {
  const { key } = await createTestKey(pool)
  await owner.query(`revoke all on pets, orders from ${ROLE}; grant select (id) on pets to ${ROLE}`)
  const { address, child, output } = await serve(serviceUrl)
  const call = caller(address, key)
  const lacking =
    'select, insert, delete, update (name, category_id, status, version, held_by, worded) on pets; select, insert, update (status, closed_at, closed_by) on orders'
  while (!output.stdout.includes(lacking)) await once(child.stdout, 'data')
  assert.equal(output.stdout.match(/Run deploy\/postgres\/grants\.sql as the owner/g)?.length, 1)
  const ready = await call('/readyz')
  assertError(ready, 503, 'unavailable')
  assert.ok(ready.text.includes(lacking), ready.text)
  assertError(await call('/v1/pets'), 503, 'unavailable')
  assertError(await call('/v1/pets', postJson({ name: 'Rex', categoryId: 1 })), 503, 'unavailable')
  while (!/"reason":"[^"]*permission denied for table pets/.test(output.stdout)) await once(child.stdout, 'data')
  assert.ok(!output.stdout.includes('"stack"'))

  await owner.query(scriptOf('grants'))
  assert.equal((await call('/readyz')).status, 200)
  assert.equal((await call('/v1/pets')).status, 200)
  // A process that is ready stays so: whatever else it can do goes on.
  await owner.query(`revoke insert on pets from ${ROLE}`)
  assert.equal((await call('/readyz')).status, 200)
  assertError(await call('/v1/pets', postJson({ name: 'Rex', categoryId: 1 })), 503, 'unavailable')
  assert.equal((await call('/v1/pets')).status, 200)
  await owner.query(scriptOf('grants'))
})

test('a process logs what it lacks also if the database is too busy to be asked at first', async () => {
  await owner.query(`revoke insert on pets from ${ROLE}`)
  await owner.query('begin; lock table schema_migrations')
  const { logs, logTo } = openLogs()
  const config = readConfig({ DATABASE_URL: serviceUrl, PORT: '0', ADMIN_PORT: '0', DRAIN_DELAY: '0' })
  await using _service = await startService(config, { logTo, times: TEST_TIMES })
  const waiting = async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%schema_migrations%'
        and datname = current_database()`,
    )
    return rowCount
  }
  // The first attempt is given up.
  await until(waiting)
  await until(async () => (await waiting()) === 0)
  await owner.query('rollback')
  await until(() => logs.join('').includes('insert on pets'))
  await owner.query(scriptOf('grants'))
})

test('a schema that is too old is reported before rights that only the new one needs', async () => {
  const old = await createDatabase({ empty: true })
  await migrate(old.url)
  await old.pool.query(`delete from schema_migrations where name > '0012'; drop table orders`)
  await old.pool.query(`grant select on schema_migrations to ${ROLE}; grant connect on database ${old.name} to ${ROLE}`)
  await using db = connect(as(ROLE, old.url))
  await assert.rejects(new Readiness(db).check(), { message: /older than this program. Run `petstore migrate`/ })
})

test('grants are renewed without a moment in which the service has none', async () => {
  const client = await connected(serviceUrl)
  // As psql runs it: one statement after the other, each by itself.
  const statements = scriptOf('grants')
    .replaceAll(/--.*/g, '')
    .split(';')
    .filter((statement) => statement.trim())
  for (const statement of statements) {
    await owner.query(statement)
    await client.query('select from pets limit 1')
  }
  await client.end()
})

test('the owner can do all of a person’s commands, and is no superuser', async () => {
  const env = { DATABASE_URL: ownerUrl }
  const checked = await petstore(['migrate', '--check'], env)
  assert.equal(checked.code, 0, checked.stderr)
  const imported = await petstore(['import', '-', '--format', 'ndjson'], env, '{"name": "Rex", "categoryId": 1}\n')
  assert.equal(imported.code, 0, imported.stderr)
  assert.equal((await petstore(['export', '--format', 'ndjson'], env)).code, 0)
  const { rows } = await owner.query(
    'select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user',
  )
  assert.deepEqual(rows, [{ rolsuper: false, rolcreaterole: false, rolcreatedb: false }])
})

const PSQL = '/usr/bin/psql'

test('what compose runs gives the roles their passwords and rights', {
  skip: skipWithout(PSQL, 'postgresql-client'),
}, async () => {
  const { services } = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as {
    services: { roles: { command: string[] } }
  }
  using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-roles-'))
  for (const name of ['roles', 'grants']) writeFileSync(join(folder.path, `${name}.sql`), scriptOf(name))
  const command = services.roles.command.map((part) =>
    part
      .replaceAll('/sql/', `${folder.path}/`)
      .replaceAll(/\bpetstore_(?:service|deliver)\b/g, (role) => `${role}_${suffix}`),
  )
  const { hostname, port, pathname } = new URL(ownerUrl)
  const superuser = new URL(process.env['TEST_SERVER_URL'] ?? '')
  await owner.query(`revoke all on pets from ${ROLE}`)
  const { status, stderr } = spawnSync(command[0]!, command.slice(1), {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      PGHOST: superuser.searchParams.get('host') ?? hostname,
      PGPORT: port,
      PGUSER: decodeURIComponent(superuser.username),
      PGPASSWORD: decodeURIComponent(superuser.password),
      PGDATABASE: pathname.slice(1),
      SERVICE_PASSWORD: `new'${password}`,
      DELIVER_PASSWORD: password,
    },
  })
  assert.deepEqual([status, stderr], [0, ''])
  const address = new URL(serviceUrl)
  address.password = encodeURIComponent(`new'${password}`)
  const client = await connected(address.href)
  assert.deepEqual(await missingPrivileges(asked(client), SERVING_PRIVILEGES), [])
  await client.end()
})

test('another role of the server does not even come in', async () => {
  const stranger = `petstore_stranger_${suffix}`
  await pool.query(`create role ${stranger} login password '${password}'`)
  await assert.rejects(connected(as(stranger)), { code: /^42501$/ })
  await pool.query(`drop role ${stranger}`)
})
