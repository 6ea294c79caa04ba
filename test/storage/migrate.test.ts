import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cpSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { withoutValues } from '../../src/storage/postgres/lock-holders.ts'
import { MigrationLocked, migrate } from '../../src/storage/postgres/migrate.ts'
import { createDatabase } from '../support/database.ts'
import { launch, petstore } from '../support/process.ts'
import { until } from '../support/until.ts'

const OURS = globSync('migrations/*.sql')
  .map((path) => basename(path))
  .toSorted()

/** The real migrations and some more, in a directory that a test may change. */
function migrationsWith(files: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-migrations-'))
  after(() => rmSync(directory, { recursive: true }))
  cpSync('migrations', directory, { recursive: true })
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(directory, name), sql)
  return directory
}

const CONCURRENT_INDEX = `-- no transaction
drop index concurrently if exists pets_name;
create index concurrently pets_name on pets (name);
`

test('many machines at once bring the database to the version, and each migration runs once', async () => {
  const { url, pool } = await createDatabase({ empty: true })
  const directory = migrationsWith({
    '9001_index.sql': CONCURRENT_INDEX,
    '9002_more.sql': 'create table more (id int)',
  })
  const applied = await Promise.all(Array.from({ length: 8 }, () => migrate(url, { directory })))
  const all = [...OURS, '9001_index.sql', '9002_more.sql']
  assert.deepEqual(applied.flat().toSorted(), all)
  const { rows } = await pool.query<{ name: string }>('select name from schema_migrations order by name')
  assert.deepEqual(
    rows.map(({ name }) => name),
    all,
  )
  const index = await pool.query<{ valid: boolean }>(
    `select indisvalid as valid from pg_index where indexrelid = 'pets_name'::regclass`,
  )
  assert.equal(index.rows[0]!.valid, true)
})

test('a file that has changed since it was applied is refused, and nothing is done', async () => {
  const { url, pool } = await createDatabase({ empty: true })
  const directory = migrationsWith({ '9001_one.sql': 'create table one (id int)' })
  await migrate(url, { directory })
  writeFileSync(join(directory, '9001_one.sql'), 'create table one (id bigint)')
  writeFileSync(join(directory, '9002_two.sql'), 'create table two (id int)')
  await assert.rejects(migrate(url, { directory }), /9001_one\.sql has changed since it was applied/)
  const { rows } = await pool.query(`select to_regclass('two') as two`)
  assert.deepEqual(rows, [{ two: null }])
})

test('a migration that fails leaves nothing behind, and can be mended and run again', async () => {
  const { url, pool } = await createDatabase({ empty: true })
  const directory = migrationsWith({ '9001_bad.sql': 'create table half (id int); select 1 / 0' })
  await assert.rejects(migrate(url, { directory }), (error: Error) => {
    assert.equal(error.message, '9001_bad.sql failed')
    return /division by zero/.test((error.cause as Error).message)
  })
  assert.deepEqual((await pool.query(`select to_regclass('half') as half`)).rows, [{ half: null }])
  writeFileSync(join(directory, '9001_bad.sql'), 'create table half (id int)')
  assert.deepEqual(await migrate(url, { directory }), ['9001_bad.sql'])
})

test('an index whose building was interrupted is built anew', async () => {
  const { url, pool } = await createDatabase({ empty: true })
  await migrate(url)
  await pool.query(`insert into pets (name, category_id) values ('a', 1), ('a', 2)`)
  // What an interrupted build leaves behind: an index of that name that is not valid.
  await assert.rejects(
    pool.query('create unique index concurrently pets_name on pets (name)'),
    /could not create unique index/,
  )
  await migrate(url, { directory: migrationsWith({ '9001_index.sql': CONCURRENT_INDEX }) })
  const { rows } = await pool.query(`select indisvalid as valid from pg_index where indexrelid = 'pets_name'::regclass`)
  assert.deepEqual(rows, [{ valid: true }])
})

test('a migration that has to wait for a lock holds nobody up for long, and comes again until it gets it', async () => {
  const { url, pool } = await createDatabase()
  const [reader, caller] = [await pool.connect(), await pool.connect()]
  await reader.query('begin; select from pets') // somebody's long report
  const directory = migrationsWith({ '9001_weight.sql': 'alter table pets add column weight bigint' })
  const applied = migrate(url, { directory })
  const waiting = `select from pg_locks where relation = 'pets'::regclass and not granted`
  while ((await caller.query(waiting)).rowCount === 0);
  const begun = performance.now()
  await caller.query('select from pets') // waits behind the migration, which gives up
  assert.ok(performance.now() - begun < 1_000, `${performance.now() - begun} ms`)
  await reader.query('commit')
  assert.deepEqual(await applied, ['9001_weight.sql'])
  for (const client of [reader, caller]) client.release()
})

test('petstore migrate says what it did; --check says whether there is anything to do', async () => {
  const { url } = await createDatabase({ empty: true })
  const env = { DATABASE_URL: url }
  const before = await petstore(['migrate', '--check'], env)
  assert.equal(before.code, 1)
  assert.ok(before.stdout.includes(`lacks ${OURS.join(', ')}. Run \`petstore migrate\``), before.stdout)
  const run = await petstore(['migrate'], env)
  assert.equal(run.code, 0)
  const applying = OURS.map((name) => `applying ${name}`).join('\n')
  assert.ok(run.stdout.startsWith(applying), run.stdout)
  assert.equal((await petstore(['migrate', '--check'], env)).code, 0)
  assert.match((await petstore(['migrate'], env)).stdout, /at this version already/)
})

test('the tables refuse what the service must never write', async () => {
  const { pool } = await createDatabase()
  for (const [column, value] of [
    ['id', '0'],
    ['id', '9007199254740992'],
    ['status', `'gone'`],
    ['name', `''`],
    ['name', `repeat('a', 256)`],
  ] as const) {
    const columns = { name: `'Rex'`, category_id: '1', [column]: value }
    const insert = `insert into pets (${Object.keys(columns).join()}) values (${Object.values(columns).join()})`
    await assert.rejects(pool.query(insert), /violates check constraint/, insert)
  }
})

test('a migration that waits for another says for which, and gives up after a while', async () => {
  const { url, pool } = await createDatabase({ empty: true })
  const other = await pool.connect()
  const { rows } = await other.query<{ pid: number }>('select pg_advisory_lock(7377301115), pg_backend_pid() as pid')
  const session = `PostgreSQL session ${rows[0]!.pid}, from 127.0.0.1, since `
  const notices: string[] = []
  const onWait = (holder: string) => notices.push(holder)
  await assert.rejects(migrate(url, { onWait, patienceMs: 2_500 }), (error: Error) => {
    assert.ok(error instanceof MigrationLocked)
    assert.ok(error.message.startsWith(session), error.message)
    return true
  })
  assert.equal(notices.length, 1)
  assert.ok(notices[0]!.startsWith(session), String(notices))

  const waiting = launch(['migrate'], { DATABASE_URL: url })
  const said = /^Another migration is running \(PostgreSQL session \d+.*\)\. Waiting for it, for up to 10 minutes\.$/m
  while (!said.test(waiting.output.stdout)) await once(waiting.stdout, 'data')
  other.release(true)
  assert.deepEqual(await once(waiting, 'exit'), [0, null])
})

for (const [kind, sql] of [
  ['in a transaction', 'alter table pets add column weight bigint'],
  ['without one', `-- no transaction\ncreate index concurrently pets_name on pets (name);`],
]) {
  test(`a migration ${kind} that waits for a lock says who holds it, since when and by which statement`, async () => {
    const { url } = await createDatabase()
    const reader = new pg.Client({ connectionString: url, application_name: 'report' })
    await reader.connect()
    const { rows } = await reader.query<{ pid: number }>('select pg_backend_pid() as pid')
    await reader.query(`begin; insert into pets (name, category_id) values ('a secret', 4711)`)
    const notices: string[] = []
    const applied = migrate(url, {
      directory: migrationsWith({ '9001_wait.sql': sql! }),
      onBlocked: (name, holders) => notices.push(`${name}: ${holders}`),
    })
    await until(() => notices.length)
    await reader.query('commit')
    await reader.end()
    assert.deepEqual(await applied, ['9001_wait.sql'])
    assert.equal(notices.length, 1)
    const since = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`
    const query = String.raw`begin; insert into pets \(name, category_id\) values \(\?, \?\)`
    assert.match(
      notices[0]!,
      new RegExp(
        `^9001_wait\\.sql: PostgreSQL session ${rows[0]!.pid}, application report, from 127\\.0\\.0\\.1, since ${since}, query: ${query}$`,
      ),
    )
  })
}

test('petstore migrate says who holds the lock that a migration waits for', async () => {
  const { url } = await createDatabase({ empty: true })
  const directory = migrationsWith({})
  rmSync(join(directory, '0022_feed_pages.sql'))
  await migrate(url, { directory })
  const reader = new pg.Client({ connectionString: url, application_name: 'report' })
  await reader.connect()
  await reader.query('begin; select from feed_pages')
  const waiting = launch(['migrate'], { DATABASE_URL: url })
  const said =
    /^0022_feed_pages\.sql waits for a lock that another session holds \(PostgreSQL session \d+, application report, .*select from feed_pages\)\. Waiting for it\./m
  await until(() => said.test(waiting.output.stdout))
  await reader.end()
  assert.deepEqual(await once(waiting, 'exit'), [0, null])
})

test('a statement is shown without its values', () => {
  const shown = (query: string) => withoutValues(query)
  assert.equal(
    shown(`select 'it''s', E'a\\'b', 1.5e3, -7 from t2 where "c1" = $1`),
    'select ?, ?, ?, -? from t2 where "c1" = $1',
  )
  assert.equal(shown(`do $x$ secret $x$; select $$secret$$,\n  'cut off`), 'do ?; select ?, ?')
  assert.equal(shown('x'.repeat(300)).length, 201)
})
