import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { fromPage, signIn } from '../support/console.ts'
import { createTestKey } from '../support/factories.ts'
import { petstore } from '../support/process.ts'

const { call, pool, url } = await startApp()
const env = { DATABASE_URL: url }
const ann = await createTestKey(pool, { name: 'ann' })
const ben = await createTestKey(pool, { name: 'ben' })

async function run(...args: string[]) {
  const { code, stdout, stderr } = await petstore(['sessions', ...args], env)
  assert.equal(code, 0, stderr)
  return stdout
}
const namesListed = async () =>
  (JSON.parse(await run('list', '--json')) as { keyName: string }[]).map(({ keyName }) => keyName)

test('a list says so if nobody is signed in', async () => {
  assert.equal(await run('list'), 'Nobody is signed in to the console.\n')
  assert.equal(await run('list', '--json'), '[]\n')
})

test('the list shows the sessions that work, by their key, and no token', async () => {
  const { token } = await signIn(call, ann.key)
  await signIn(call, ben.key)
  const revoked = await createTestKey(pool, { name: 'revoked' })
  await signIn(call, revoked.key)
  await petstore(['keys', 'revoke', revoked.id], env)
  const idle = await createTestKey(pool, { name: 'idle' })
  await signIn(call, idle.key)
  await pool.query(`update console_sessions set last_seen_at = now() - interval '61 minutes' where key_id = $1`, [
    idle.id,
  ])
  const text = await run('list')
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2,}/))
  assert.deepEqual(lines[0], ['KEY', 'NAME', 'SIGNED IN', 'LAST USED', 'ENDS'])
  assert.deepEqual(
    lines.slice(1).map(([id, name]) => [id, name]),
    [
      [ann.id, 'ann'],
      [ben.id, 'ben'],
    ],
  )
  assert.match(lines[1]![4]!, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  assert.ok(!text.includes(token))
})

test('the sessions of one key end at once, and its key can sign in again', async () => {
  const [first, second] = [await signIn(call, ann.key), await signIn(call, ann.key)]
  const { cookie } = await signIn(call, ben.key)
  assert.equal(await run('end', '--key', ann.id), `Ended 3 sessions of the key ${ann.id}.\n`)
  for (const ended of [first, second])
    assertError(await call('/v1/pets', fromPage(ended.cookie)), 401, 'expired_credentials')
  assert.equal((await call('/v1/pets', fromPage(cookie))).status, 200)
  assert.deepEqual(await namesListed(), ['ben', 'ben'])
  await signIn(call, ann.key)
  assert.deepEqual(await namesListed(), ['ben', 'ben', 'ann'])
})

test('all sessions end at once', async () => {
  const { cookie } = await signIn(call, ben.key)
  assert.equal(await run('end', '--all', '--json'), '{"ended":4}\n')
  assertError(await call('/v1/pets', fromPage(cookie)), 401, 'expired_credentials')
  assert.equal(await run('end', '--all'), 'Ended 0 sessions.\n')
  assert.deepEqual(await namesListed(), [])
})

const WRONG: [args: string[], code: number, message: RegExp][] = [
  [[], 2, /list or end/],
  [['ned'], 2, /Did you mean end\?/],
  [['end'], 2, /sessions end --key key_…, or petstore sessions end --all/],
  [['end', '--all', '--key', 'key_1'], 2, /sessions end --key key_…, or petstore sessions end --all/],
  [['end', '--key', 'key_none'], 1, /There is no key "key_none"/],
]
for (const [args, expected, message] of WRONG)
  test(`petstore sessions ${args.join(' ')} says what to write instead`, async () => {
    const { code, stderr, stdout } = await petstore(['sessions', ...args], env)
    assert.deepEqual([code, stdout], [expected, ''])
    assert.match(stderr, message)
  })
