import assert from 'node:assert/strict'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { caller } from '../support/app.ts'
import { createDatabase } from '../support/database.ts'
import { insertWebhook } from '../support/deliveries.ts'
import { createTestKey, insertPets } from '../support/factories.ts'
import { petstore, serveHere } from '../support/process.ts'
import { createStores, runCommand } from '../support/sandbox.ts'

const { live, sandbox, env } = await createStores()
const onlyLive = { DATABASE_URL: live.url }
const before = await createTestKey(live.pool, { name: 'try' })
const till = await createTestKey(live.pool, { name: 'till', mode: 'live' })

interface Key {
  id: string
  key: string
  mode: string
}
const json = async <T = Key>(...args: string[]) => JSON.parse((await runCommand(env, ...args, '--json')).stdout) as T

async function fails(variables: NodeJS.ProcessEnv, args: string[], message: RegExp, input = '') {
  const { code, stdout, stderr } = await petstore(args, variables, input)
  assert.deepEqual([code, stdout], [1, ''], args.join(' '))
  assert.match(stderr, message)
}

test('until test keys are in the sandbox, commands for them say what to do, and those for live keys work', async () => {
  const message = /Test keys are not in the sandbox yet. Run `petstore sandbox create`/
  await fails(env, ['keys', 'create', '--name', 'x', '--test'], message)
  await fails(env, ['keys', 'revoke', before.id], message)
  await fails(env, ['keys', 'find', '-'], message, before.key)
  await fails(env, ['webhooks', 'list', '--store', 'test'], /not a sandbox.*petstore sandbox create/)
  assert.equal((await json('keys', 'show', till.id)).mode, 'live')
  await fails(onlyLive, ['sandbox', 'create'], /SANDBOX_DATABASE_URL is not set/)
  await fails(
    { ...env, SANDBOX_DATABASE_URL: live.url },
    ['sandbox', 'create'],
    /: SANDBOX_DATABASE_URL and DATABASE_URL lead to the same database/,
  )
})

test('sandbox create rejects a database in use and one that cannot be reached, and changes neither', async () => {
  const { live: used } = await createStores()
  for (const insert of [
    `insert into pets (name, category_id) values ('Rex', 7)`,
    `truncate pets; alter sequence pets_id_seq restart; insert into categories values (7, 'Dogs')`,
    `truncate categories; insert into api_keys (id, name, mode, hash, scopes) values ('key_1', 'x', 'live', 'x', '{}')`,
  ]) {
    await used.pool.query(insert)
    await fails(
      { ...env, SANDBOX_DATABASE_URL: used.url },
      ['sandbox', 'create'],
      /has keys, pets or categories already/,
    )
  }
  const { rows } = await used.pool.query('select address from store')
  assert.deepEqual(rows, [{ address: 'live' }])
  // Nor is the database of an earlier version migrated.
  await used.pool.query(`drop table store; delete from schema_migrations where name = '0030_store.sql'`)
  await fails({ ...env, SANDBOX_DATABASE_URL: used.url }, ['sandbox', 'create'], /has keys, pets or categories already/)
  assert.equal((await used.pool.query(`select from schema_migrations where name = '0030_store.sql'`)).rowCount, 0)
  const nowhere = sandbox.url.replace(sandbox.name, 'nowhere')
  await fails(
    { ...env, SANDBOX_DATABASE_URL: nowhere },
    ['sandbox', 'create'],
    /The database named in SANDBOX_DATABASE_URL does not exist/,
  )
  assert.equal((await live.pool.query(`select from api_keys where mode = 'test'`)).rowCount, 1)
})

test('then test keys are created and found in the sandbox, and their commands act there', async () => {
  await runCommand(env, 'sandbox', 'create')
  const made = await json('keys', 'create', '--name', 'new', '--test')
  assert.match(made.key, /^petk_test_/)
  const { stdout } = await runCommand(env, 'keys', 'create', '--name', 'another', '--test')
  assert.match(stdout, /It reads and writes the sandbox only\.\n$/)
  const rotated = await json('keys', 'rotate', made.id)
  assert.match(rotated.key, /^petk_test_/)
  await runCommand(env, 'keys', 'limit', rotated.id, '100/s')
  await runCommand(env, 'keys', 'expire', rotated.id, '--in', '7d')
  assert.match((await runCommand(env, 'keys', 'show', rotated.id)).stdout, /limit +\S+ +100\/s/)
  assert.match(
    (await petstore(['keys', 'find', '-'], env, rotated.key)).stdout,
    new RegExp(`^${rotated.id}  new  active`),
  )
  assert.match(
    (await petstore(['keys', 'revoke', '-'], env, before.key)).stdout,
    new RegExp(`^Revoked the key ${before.id}`),
  )

  const listed = await json<Key[]>('keys', 'list')
  assert.deepEqual(
    listed.map(({ mode }) => mode),
    ['live', 'test', 'test', 'test', 'test'],
  )
  assert.match((await runCommand(env, 'keys', 'list')).stdout, /till +live(?:.|\n)* try +test +revoked/)
  const { rows } = await live.pool.query('select id from api_keys')
  assert.deepEqual(rows, [{ id: till.id }])
  await using service = await serveHere(live.url, env)
  const statusOf = async (key: string) => (await caller(service.address, key)('/v1/pets')).status
  assert.deepEqual(await Promise.all([till.key, made.key, rotated.key, before.key].map(statusOf)), [200, 200, 200, 401])
})

test('without the variable no test key can be created, and a test key says where it is', async () => {
  const message = /Test keys are in the sandbox: set SANDBOX_DATABASE_URL/
  await fails(onlyLive, ['keys', 'create', '--name', 'x', '--test'], message)
  await fails(onlyLive, ['keys', 'show', before.id], message)
  await fails(onlyLive, ['keys', 'revoke', '-'], message, before.key)
  const list = await petstore(['keys', 'list'], onlyLive)
  assert.match(list.stderr, message)
  assert.doesNotMatch(list.stdout, /test/)
  // Also by a command that has looked before they were moved.
  await assert.rejects(createTestKey(live.pool, { mode: 'test' }), /moved to a sandbox meanwhile/)
})

test('commands for live keys work while the sandbox is lost', async () => {
  const lost = { ...env, SANDBOX_DATABASE_URL: sandbox.url.replace(sandbox.name, 'nowhere') }
  const { id } = JSON.parse((await runCommand(lost, 'keys', 'create', '--name', 'x', '--json')).stdout) as Key
  for (const args of [['show'], ['limit', '5/s'], ['revoke']])
    await runCommand(lost, 'keys', args[0]!, id, ...args.slice(1))
  const message =
    /^petstore: The keys of the sandbox are not listed\. The database named in SANDBOX_DATABASE_URL does not exist/
  for (const options of [[], ['--json']]) {
    const { code, stdout, stderr } = await petstore(['keys', 'list', ...options], lost)
    assert.equal(code, 1)
    assert.match(stderr, message)
    assert.deepEqual([stdout.includes(till.id), stdout.includes(before.id)], [true, false])
  }
  const { url, pool } = await createDatabase()
  await pool.query('update store set test_keys_elsewhere = true')
  assert.equal((await petstore(['keys', 'list'], { ...lost, DATABASE_URL: url })).stdout, '')
})

test('with --store test each command acts in the sandbox, and otherwise in the live store', async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'petstore-stores-'))
  const file = join(directory.path, 'pets.ndjson')
  writeFileSync(file, '{"name":"Momo","categoryId":7}\n')
  const namesIn = async (pool: typeof live.pool) => {
    const { rows } = await pool.query<{ name: string }>('select name from pets order by id')
    return rows.map(({ name }) => name)
  }
  await insertPets(live.pool, ['available'])
  await runCommand(env, 'import', file, '--store', 'test')
  assert.deepEqual([await namesIn(live.pool), await namesIn(sandbox.pool)], [['pet 1'], ['Momo']])
  for (const [args, imports] of [
    [[], 0],
    [['--store=test'], 1],
  ] as const)
    assert.equal((await json<unknown[]>('import', '--status', ...args)).length, imports)
  const exported = join(directory.path, 'export.ndjson')
  await runCommand(env, 'export', exported, '--store', 'test')
  assert.match(readFileSync(exported, 'utf8'), /^\{"id":9000000000000001,"name":"Momo"/)
  await runCommand(env, 'search', 'rebuild', '--store', 'test')
  assert.equal((await sandbox.pool.query('select from pet_words')).rowCount, 1)
  assert.equal((await live.pool.query('select from pet_words')).rowCount, 0)
  await runCommand(env, 'erase', 'pet', '9000000000000001', '--store', 'test')
  assert.deepEqual([await namesIn(live.pool), await namesIn(sandbox.pool)], [['pet 1'], ['(erased)']])
  const webhook = await insertWebhook(sandbox.pool, 'https://shop.example/hooks')
  assert.deepEqual(
    (await json<Key[]>('webhooks', 'list', '--store', 'test')).map(({ id }) => id),
    [webhook],
  )
  assert.deepEqual(await json('webhooks', 'list'), [])
  await fails(env, ['webhooks', 'pause', webhook], /There is no webhook/)
  await runCommand(env, 'webhooks', 'pause', webhook, '--store', 'test')
  const [{ id } = { id: '' }] = (await json<Key[]>('keys', 'list')).filter(({ mode }) => mode === 'test')
  for (const args of [
    ['sessions', 'end', '--key', id],
    ['orders', 'cancel', '--key', id],
  ]) {
    await fails(env, args, /There is no key/)
    await runCommand(env, ...args, '--store', 'test')
  }
})

test('--store takes the name of a store that is configured', async () => {
  for (const args of [['--store'], ['--store', 'acme'], ['--store=']]) {
    const { code, stderr } = await petstore(['webhooks', 'list', ...args], env)
    assert.equal(code, 2)
    assert.match(stderr, /--store takes live or test/)
  }
  await fails(onlyLive, ['export', '--store', 'test'], /SANDBOX_DATABASE_URL is not set/)
  // The two URLs are swapped.
  const swapped = { DATABASE_URL: sandbox.url, SANDBOX_DATABASE_URL: live.url }
  for (const args of [['keys', 'list'], ['export'], ['webhooks', 'list'], ['erase', 'pet', '1']])
    await fails(swapped, args, /The database at DATABASE_URL is a sandbox/)
})
