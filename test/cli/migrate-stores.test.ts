import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { createDatabase } from '../support/database.ts'
import { petstore } from '../support/process.ts'
import { runCommand } from '../support/sandbox.ts'

/** Two databases without a schema. */
async function createEmpty() {
  const [live, sandbox] = await Promise.all([createDatabase({ empty: true }), createDatabase({ empty: true })])
  return { live, sandbox, env: { DATABASE_URL: live.url, SANDBOX_DATABASE_URL: sandbox.url } }
}
const isUntouched = async (pool: pg.Pool) =>
  (await pool.query(`select from information_schema.tables where table_schema = 'public'`)).rowCount === 0
const linesOf = (text: string) => text.trimEnd().split('\n')

test('migrate prepares the sandbox first, then the live store; --check says in one line each what is missing', async () => {
  const { env } = await createEmpty()
  const before = await petstore(['migrate', '--check'], env)
  assert.equal(before.code, 1)
  assert.match(
    before.stdout,
    /^sandbox: The database lacks 0001_pets.sql, .*\nlive: The database lacks 0001_pets.sql, .*\n$/,
  )

  const lines = linesOf((await runCommand(env, 'migrate')).stdout)
  const stores = lines.map((line) => line.split(': ')[0])
  assert.deepEqual([...new Set(stores)], ['sandbox', 'live'])
  assert.equal(stores.lastIndexOf('sandbox') + 1, stores.indexOf('live'))
  for (const store of ['sandbox', 'live']) assert.ok(lines.includes(`${store}: The database is at this version now.`))
  const after = await runCommand(env, 'migrate', '--check')
  assert.equal(after.stdout, 'sandbox: The database is at this version.\nlive: The database is at this version.\n')
  await runCommand(env, 'sandbox', 'create')
})

test('a sandbox that cannot be migrated stops it, and the live store stays as it is', async () => {
  const { live, sandbox, env } = await createEmpty()
  await sandbox.pool.query('create table pets (name text)')
  const nowhere = sandbox.url.replace(sandbox.name, 'nowhere')
  for (const [variables, reason] of [
    [env, /^petstore: sandbox: 0001_pets\.sql failed: relation "pets" already exists/],
    [
      { ...env, SANDBOX_DATABASE_URL: nowhere },
      /^petstore: sandbox: The database named in SANDBOX_DATABASE_URL does not exist/,
    ],
  ] as const) {
    const { code, stderr } = await petstore(['migrate'], variables)
    assert.equal(code, 1)
    const [first, ...rest] = linesOf(stderr)
    assert.match(first!, reason)
    assert.deepEqual(rest, [
      'petstore: live: not migrated, since the sandbox failed. To migrate it alone, leave SANDBOX_DATABASE_URL out.',
    ])
    assert.ok(await isUntouched(live.pool))
    const check = await petstore(['migrate', '--check'], variables)
    assert.equal(check.code, 1)
    assert.match(check.stdout, /^live: The database lacks 0001_pets.sql/m)
  }
})

test('a live store that cannot be migrated: the sandbox is at this version, and the exit code 1', async () => {
  const { live, env } = await createEmpty()
  await live.pool.query('create table pets (name text)')
  const { code, stdout, stderr } = await petstore(['migrate'], env)
  assert.equal(code, 1)
  assert.match(stdout, /^sandbox: The database is at this version now\.$/m)
  assert.match(stderr, /^petstore: live: 0001_pets\.sql failed: .*\n$/)
})
