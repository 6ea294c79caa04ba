import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES, SCOPES } from '../../src/domain/principal.ts'
import { generateKey } from '../../src/lib/ids/key-format.ts'
import { caller } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { breakPets, createDatabase } from '../support/database.ts'
import { petstore, serveHere } from '../support/process.ts'

const { url, pool } = await createDatabase()
const env = { DATABASE_URL: url }

interface CreatedKey {
  id: string
  name: string
  key: string
  mode: string
  scopes: string[]
  expiresAt: string | null
}

async function create(...args: string[]) {
  const { code, stdout, stderr } = await petstore(['keys', 'create', '--json', ...args], env)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as CreatedKey
}

const daysLeft = ({ expiresAt }: CreatedKey) => (Date.parse(expiresAt!) - Date.now()) / 86_400_000

test('by default a key can list and create pets, and expires after a year', async () => {
  const usual = await create('--name', 'usual')
  assert.match(usual.key, /^petk_live_[0-9A-Za-z]{36}$/)
  assert.match(usual.id, /^key_[0-9A-Za-z]{16}$/)
  assert.deepEqual([usual.name, usual.scopes], ['usual', ['pets:read', 'pets:write']])
  assert.ok(Math.abs(daysLeft(usual) - 365) < 0.01)

  const special = await create('--name', 'special', '--scope', 'pets:read', '--expires', '12h', '--test')
  assert.match(special.key, /^petk_test_/)
  assert.deepEqual(special.scopes, ['pets:read'])
  assert.ok(Math.abs(daysLeft(special) - 0.5) < 0.01)
  assert.equal((await create('--name', 'forever', '--expires', 'never')).expiresAt, null)
})

test('with --scope all a key has every scope by name, each once, and so has its successor', async () => {
  const whole = await create('--name', 'whole', '--scope', 'orders:read', '--scope', 'all')
  assert.deepEqual(whole.scopes.toSorted(), SCOPES.toSorted())
  const { stdout } = await petstore(['keys', 'rotate', whole.id, '--json'], env)
  assert.deepEqual((JSON.parse(stdout) as CreatedKey).scopes, whole.scopes)
})

test('a role stands for its scopes, which are printed and stored, and nothing else is', async () => {
  const EXPECTED: Record<string, string> = {
    reader: 'pets:read orders:read events:read',
    staff: 'pets:read orders:read events:read orders:write pets:write pets:edit',
    manager:
      'pets:read orders:read events:read orders:write pets:write pets:edit pets:delete webhooks:manage categories:write keys:read status:read',
    shop: 'pets:read orders:read orders:write',
  }
  assert.deepEqual(Object.keys(EXPECTED).toSorted(), Object.keys(ROLES).toSorted())
  for (const [role, scopes] of Object.entries(EXPECTED)) {
    const made = await create('--name', 'made for a role', '--role', role)
    assert.deepEqual(made.scopes, scopes.split(' '))
    assert.ok(!JSON.stringify(made).includes(`"${role}"`))
  }
  const { stdout } = await petstore(['keys', 'create', '--name', 'till', '--role', 'shop'], env)
  assert.match(stdout, /\(till\); scopes: pets:read, orders:read, orders:write; /)
})

test('for a person, the key is shown once, with what it may do', async () => {
  const { stdout } = await petstore(['keys', 'create', '--name', 'shop floor', '--expires', '90d'], env)
  assert.match(
    stdout,
    /Created the key key_\w+ \(shop floor\); scopes: pets:read, pets:write; expires \d{4}-\d\d-\d\d \d\d:\d\d UTC\./,
  )
  assert.equal(stdout.match(/petk_live_\w{36}/g)!.length, 1)
  const list = await petstore(['keys', 'list'], env)
  assert.match(list.stdout, /^ID +NAME +MODE +STATE +SCOPES +LIMIT +CREATED +EXPIRES +LAST USED\n/)
  assert.match(list.stdout, /shop floor +live +active +pets:read pets:write/)
  assert.doesNotMatch(list.stdout, /petk_/)
})

const WRONG: [args: string[], message: RegExp][] = [
  [['keys'], /create, list, show, find, rotate, revoke, expire or limit/],
  [['keys', 'destroy'], /create, list, show, find, rotate, revoke, expire or limit/],
  [['keys', 'create'], /Give the key a name/],
  [['keys', 'create', '--name', ' '], /Give the key a name/],
  [
    ['keys', 'create', '--name', 'x', '--scope', 'pets:eat'],
    /no scope "pets:eat"; the scopes are pets:read, pets:write, .*webhooks:manage, .*, and all\./,
  ],
  [
    ['keys', 'create', '--name', 'x', '--role', 'staff', '--scope', 'pets:read'],
    /--role and --scope cannot be combined/,
  ],
  [['keys', 'create', '--name', 'x', '--role', 'boss'], /no role "boss"; the roles are staff, manager, shop, reader\./],
  [['keys', 'create', '--name', 'x', '--expires', '1w'], /--expires takes 90d, 12h, 30m, 45s, or never/],
  [['keys', 'create', '--nmae', 'x'], /Unknown option '--nmae'/],
  [['keys', 'revoke'], /Name one key/],
  [['fly'], /There is no command "fly"/],
  [['constructor'], /There is no command/],
]
for (const [args, message] of WRONG) {
  test(`petstore ${args.join(' ')} says what to write instead, and exits with 2`, async () => {
    const { code, stderr, stdout } = await petstore(args, env)
    assert.equal(code, 2)
    assert.match(stderr, message)
    assert.equal(stdout, '')
  })
}

test('find and revoke read a key from standard input, and no command repeats one', async () => {
  const { id, key } = await create('--name', 'found on a wiki', '--test')
  const found = await petstore(['keys', 'find', '-'], env, `  ${key}\r\n`)
  assert.deepEqual([found.code, found.stdout], [0, `${id}  found on a wiki  active\n`])
  const json = await petstore(['keys', 'find', '-', '--json'], env, key)
  assert.deepEqual([(JSON.parse(json.stdout) as CreatedKey).id, json.stdout.includes(key)], [id, false])
  const revoked = await petstore(['keys', 'revoke', '-'], env, key)
  assert.match(revoked.stdout, new RegExp(`^Revoked the key ${id} `))
  assert.match((await petstore(['keys', 'find', '-'], env, key)).stdout, / revoked\n$/)

  const unknown = await petstore(['keys', 'find', '-'], env, generateKey('live'))
  assert.deepEqual([unknown.code, unknown.stderr.includes('was not issued by this service')], [1, true])
  const noise = await petstore(['keys', 'revoke', '-'], env, `${key}x\n`)
  assert.deepEqual([noise.code, noise.stderr.includes('does not begin with an API key')], [1, true])
})

test('a key in an argument is never repeated, wherever it is', async () => {
  // Not even one that was not copied whole.
  const key = generateKey('live').slice(0, -1)
  for (const args of [
    ['keys', 'revoke', key],
    ['keys', 'show', key],
    ['keys', 'rotate', key],
    ['keys', 'find', key],
    ['keys', 'list', key],
    ['keys', 'create', '--name', key],
    ['keys', 'create', '--name', 'x', '--scope', key],
    ['keys', 'create', '--name', 'x', '--role', key],
    ['keys', `--${key}`],
    ['keys', 'list', `--${key}`],
    ['import', key],
    [key],
  ]) {
    const { code, stdout, stderr } = await petstore(args, env)
    assert.notEqual(code, 0)
    assert.ok(!(stdout + stderr).includes(key.slice(0, 20)), args.slice(0, 2).join(' '))
  }
  const { stderr } = await petstore(['keys', 'revoke', key], env)
  assert.match(stderr, /This is an API key, not the id of one .*treat it as leaked.*`petstore keys revoke -` read/)
})

test('without a sandbox, a test key says that it writes to the same pets', async () => {
  const { stdout } = await petstore(['keys', 'create', '--name', 'try', '--test'], env)
  assert.match(stdout, /There is no sandbox, so it reads and writes the same pets as live keys\.\n$/)
})

test('a URL without the name of a database is rejected before anything is done', async () => {
  for (const path of ['', '/']) {
    const { code, stderr } = await petstore(['migrate'], { DATABASE_URL: `postgres://user@127.0.0.1:1${path}` })
    assert.equal(code, 1)
    assert.match(stderr, /DATABASE_URL must be .*, with the name of the database/)
  }
})

test('a key that does not exist cannot be revoked', async () => {
  const { code, stderr } = await petstore(['keys', 'revoke', 'key_none'], env)
  assert.equal(code, 1)
  assert.match(stderr, /There is no key "key_none"\. See `petstore keys list`/)
})

test('a key revoked on the command line is rejected by every instance within a second', async () => {
  const { id, key } = await create('--name', 'leaked')
  const services = await Promise.all([serveHere(url), serveHere(url)])
  const calls = services.map(({ address }) => caller(address, key))
  for (const call of calls) for (let i = 0; i < 3; i++) assert.equal((await call('/v1/pets')).status, 200)

  const { code, stdout } = await petstore(['keys', 'revoke', id], env)
  const revoked = performance.now()
  assert.equal(code, 0)
  assert.match(stdout, /Revoked the key key_\w+ \(leaked\)/)
  for (const call of calls) {
    let answer = await call('/v1/pets')
    while (answer.status === 200 && performance.now() - revoked < 1_000) answer = await call('/v1/pets')
    assertError(answer, 401, 'revoked_credentials')
  }
  assert.ok(performance.now() - revoked < 1_000)
})

test('keys are stored nowhere: not in the database, not in the logs, whatever the requests', async () => {
  const good = await create('--name', 'secret')
  const service = await serveHere(url, { LOG_LEVEL: 'trace' })
  const call = caller(service.address, good.key)
  await call('/v1/pets')
  await call(`/v1/pets?api_key=${good.key}&status=${good.key}`)
  await call(`/v1/pets/${good.key}`)
  await call(`/v1/${good.key}`)
  await call(`/${good.key}`)
  await call('/v1/pets', { method: 'POST', body: `{"name":5,"key":"${good.key}"}` })
  await call('/v1/pets', { key: `${good.key}x` })
  await breakPets(pool)
  assert.equal((await call('/v1/pets')).status, 500)
  await service.stop()

  const secret = good.key.slice('petk_live_'.length, -6)
  const logs = service.output.stdout + service.output.stderr
  assert.ok(logs.includes('"operation":"listPets"') && logs.includes('"status":500'), 'the calls were logged')
  assert.ok(!logs.includes(secret))
  assert.ok(!logs.includes('Bearer'))

  const tables = await pool.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  )
  assert.ok(tables.rows.length >= 3)
  for (const { name } of tables.rows) {
    const dump = await pool.query<{ row: string }>(`select t::text as row from ${name} as t`)
    assert.ok(!dump.rows.some(({ row }) => row.includes(secret)), name)
  }
})
