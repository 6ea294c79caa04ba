import assert from 'node:assert/strict'
import { hostname, userInfo } from 'node:os'
import { test } from 'node:test'
import { createDatabase } from '../support/database.ts'
import { petstore } from '../support/process.ts'

// What is done to a key after it was made: rotate, expire, limit, revoke; and that each of it is noted.
const { url, pool } = await createDatabase()
const FALSE = { USER: 'somebody', LOGNAME: 'somebody', HOSTNAME: 'elsewhere' }
Object.assign(process.env, FALSE)
const WHO = `${userInfo().username}@${hostname()}`

interface Key {
  id: string
  name: string
  key: string
  mode: string
  scopes: string[]
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  replacedBy: string | null
  firstId: string
  openOrders: number | null
  rateLimit: { quota: number; windowSeconds: number } | null
  changes: { changedAt: string; what: string; detail: string; who: string }[]
}

const run = (...args: string[]) => petstore(['keys', ...args], { DATABASE_URL: url, ...FALSE })

async function keys(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Key & { replaces: { id: string; expiresAt: string } }
}

const secondsFromNow = (moment: string | null) => (Date.parse(moment!) - Date.now()) / 1_000
const changesOf = async (id: string) => (await keys('show', id)).changes.map(({ what, who }) => [what, who])

test('a rotation makes a key that may do the same for as long, and lets the old one work until the overlap is over', async () => {
  const old = await keys('create', '--name', 'shop', '--scope', 'pets:read', '--rate-limit', '100/s', '--test')
  const made = await keys('rotate', old.id, '--overlap', '12h')
  assert.match(made.key, /^petk_test_\w{36}$/)
  assert.notEqual(made.key, old.key)
  assert.deepEqual(
    [made.name, made.scopes, made.rateLimit, made.replacedBy],
    ['shop', ['pets:read'], { quota: 100, windowSeconds: 1 }, null],
  )
  assert.ok(Math.abs(secondsFromNow(made.expiresAt) - 365 * 86_400) < 60, 'a year again')
  const after = await keys('show', old.id)
  assert.ok(Math.abs(secondsFromNow(after.expiresAt) - 12 * 3_600) < 60)
  assert.deepEqual([after.replacedBy, made.replaces], [made.id, { id: old.id, expiresAt: after.expiresAt }])
})

test('an overlap never makes a key work for longer, and a key without end is replaced by one without end', async () => {
  const brief = await keys('create', '--name', 'brief', '--expires', '1h')
  await keys('rotate', brief.id)
  assert.equal((await keys('show', brief.id)).expiresAt, brief.expiresAt)

  const endless = await keys('create', '--name', 'endless', '--expires', 'never')
  assert.equal((await keys('rotate', endless.id)).expiresAt, null)
  assert.ok(Math.abs(secondsFromNow((await keys('show', endless.id)).expiresAt) - 86_400) < 60, 'a day by default')
})

test('of two rotations at once one makes a key, and the other says which', async () => {
  const { id } = await keys('create', '--name', 'twice')
  const runs = await Promise.all([0, 1].map(() => run('rotate', id)))
  assert.equal(
    runs.reduce((sum, { code }) => sum + code, 0),
    1,
    'one has failed',
  )
  const { replacedBy } = await keys('show', id)
  assert.ok(
    runs.some(({ stderr }) => stderr.includes(`was replaced by ${replacedBy} already. Rotate that one: petstore keys`)),
  )
  const { rows } = await pool.query(`select id from api_keys where name = 'twice' order by created_at`)
  assert.deepEqual(rows, [{ id }, { id: replacedBy }])
})

test('expire moves the end of a key, nearer, further or away', async () => {
  const { id } = await keys('create', '--name', 'moved')
  assert.ok(Math.abs(secondsFromNow((await keys('expire', id, '--in', '7d')).expiresAt) - 7 * 86_400) < 60)
  assert.equal((await keys('expire', id, '--in', 'never')).expiresAt, null)
  const { stdout } = await run('expire', id, '--in', '30m')
  assert.match(
    stdout,
    /^The key key_\w+ \(moved\) expires \d{4}-.* UTC\. To end it now: petstore keys revoke key_\w+\n$/,
  )
})

test('limit sets the limit of a key, changes it and takes it away', async () => {
  const { id } = await keys('create', '--name', 'limited')
  assert.deepEqual((await keys('limit', id, '6000/m')).rateLimit, { quota: 6_000, windowSeconds: 60 })
  assert.deepEqual((await keys('limit', id, '5/h')).rateLimit, { quota: 5, windowSeconds: 3_600 })
  assert.match((await run('list')).stdout, /limited +live +active +pets:read pets:write +5\/h/)
  assert.equal((await keys('limit', id, 'none')).rateLimit, null)
})

test('every change is noted once, with who made it, whatever their environment says', async () => {
  const { id } = await keys('create', '--name', 'noted')
  await keys('limit', id, '10/s')
  await keys('limit', id, '10/s') // changes nothing
  await keys('expire', id, '--in', '7d')
  const made = await keys('rotate', id)
  await keys('revoke', id)
  const revokedAt = (await keys('revoke', id)).revokedAt // was revoked before
  const expected = ['created', 'limit', 'expiry', 'rotated', 'revoked'].map((what) => [what, WHO])
  assert.deepEqual(await changesOf(id), expected)
  assert.deepEqual(await changesOf(made.id), [['created', WHO]])

  const shown = await keys('show', id)
  assert.equal(shown.revokedAt, revokedAt)
  assert.match(shown.changes[0]!.detail, /^pets:read pets:write; until \d{4}-/)
  assert.deepEqual(
    shown.changes.slice(1).map(({ detail }) => detail.replaceAll(/key_\w+|\d{4}-[\d-]+T[\d:.]+Z/g, '…')),
    ['10/s', 'until …', 'replaced by …; works until … at most', ''],
  )
  assert.equal((await keys('show', made.id)).changes[0]!.detail, `in place of ${id}`)
})

test('show prints a key and its history, but not its text', async () => {
  const { id } = await keys('create', '--name', 'window')
  await keys('rotate', id)
  const { stdout } = await run('show', id)
  assert.match(stdout, /^ID +key_\w+\nNAME +window\nMODE +live\nSTATE +replaced\nSCOPES +pets:read pets:write\n/)
  assert.match(
    stdout,
    /\nLIMIT +none of its own\n.*\nEXPIRES +\d{4}-.*\nLAST USED +never\nREPLACED BY +key_\w+\n\nWHEN/s,
  )
  assert.match(stdout, /\nWHEN +WHAT +WHO +DETAIL\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +created +\S+@\S+ +pets:read/)
  assert.doesNotMatch(stdout, /petk_/)
})

test('a change that cannot be noted is not made', async () => {
  const { id, expiresAt } = await keys('create', '--name', 'unnoted')
  await pool.query('alter table key_changes add constraint never check (false) not valid')
  for (const args of [
    ['rotate', id],
    ['revoke', id],
    ['expire', id, '--in', '1h'],
    ['limit', id, '1/s'],
  ])
    assert.equal((await run(...args)).code, 1, args.join(' '))
  await pool.query('alter table key_changes drop constraint never')
  const key = await keys('show', id)
  assert.deepEqual([key.expiresAt, key.revokedAt, key.replacedBy, key.rateLimit], [expiresAt, null, null, null])
  assert.equal(key.changes.length, 1)
})

test('on a database of an older version it says what to do', async () => {
  await pool.query('alter table api_keys rename column replaced_by to elsewhere')
  const { code, stderr } = await run('list')
  await pool.query('alter table api_keys rename column elsewhere to replaced_by')
  assert.equal(code, 1)
  assert.match(stderr, /The database schema is outdated\. Run `petstore migrate`/)
})

test('the table of keys rejects half a limit', async () => {
  const { id } = await keys('create', '--name', 'half')
  for (const set of ['rate_quota = 1', 'rate_window_seconds = 1', 'rate_quota = 0, rate_window_seconds = 1'])
    await assert.rejects(pool.query(`update api_keys set ${set} where id = $1`, [id]), /api_keys_rate_limit/, set)
})

for (const [state, args, why] of [
  ['revoked', ['revoke'], /was revoked, and cannot be rotated\. Create a new one: petstore keys create --name NAME/],
  ['expired', ['expire', '--in', '1s'], /has expired, and cannot be rotated\. Create a new one/],
] as const) {
  test(`a key that is ${state} cannot be rotated`, async () => {
    const { id } = await keys('create', '--name', state)
    await keys(args[0], id, ...args.slice(1))
    if (state === 'expired') await pool.query('update api_keys set expires_at = now() where id = $1', [id])
    const { code, stderr } = await run('rotate', id)
    assert.equal(code, 1)
    assert.match(stderr, why)
  })
}

test('a key that was revoked stays so, and as it was', async () => {
  const { id } = await keys('create', '--name', 'over')
  await keys('revoke', id)
  for (const args of [
    ['expire', id, '--in', '7d'],
    ['limit', id, '1/s'],
  ]) {
    const { code, stderr } = await run(...args)
    assert.equal(code, 1)
    assert.match(stderr, /was revoked, and stays revoked\. Create a new one/)
  }
  assert.deepEqual((await changesOf(id)).length, 2)
})

for (const [option, ...value] of [['never'], ['7d']])
  test(`a key that has expired stays expired: expire --in ${option}`, async () => {
    const { id } = await keys('create', '--name', 'late')
    await pool.query(`update api_keys set expires_at = now() - interval '1 minute' where id = $1`, [id])
    const { expiresAt } = await keys('show', id)
    const { code, stderr } = await run('expire', id, '--in', option!, ...value)
    assert.equal(code, 1)
    assert.match(
      stderr,
      /\(late\) expired at \d{4}-.* UTC, and an expired key stays expired\. Create a new one: petstore/,
    )
    assert.equal((await keys('show', id)).expiresAt, expiresAt)
    assert.equal((await changesOf(id)).length, 1)
  })

test('keys of a rotation know the first of their chain', async () => {
  const first = await keys('create', '--name', 'chain')
  const second = await keys('rotate', first.id)
  const third = await keys('rotate', second.id)
  assert.deepEqual([first.firstId, second.firstId, third.firstId], [first.id, first.id, first.id])
})

for (const [command, ...more] of [['show'], ['rotate'], ['revoke'], ['expire', '--in', '7d'], ['limit', '1/s']])
  test(`petstore keys ${command} says of a key that does not exist where to look`, async () => {
    const { code, stderr } = await run(command!, 'key_none', ...more)
    assert.equal(code, 1)
    assert.match(stderr, /There is no key "key_none"\. See `petstore keys list`/)
  })

const WRONG: [args: string[], message: RegExp][] = [
  [['show'], /Name one key: petstore keys show ID/],
  [['rotate', 'a', 'b'], /Name one key: petstore keys rotate ID/],
  [['rotate', 'a', '--overlap', 'soon'], /--overlap takes 7d, 24h, 30m or 45s/],
  [['expire', 'a'], /--in takes 90d, 12h, 30m, 45s, or never/],
  [['limit', 'a'], /Name one key: petstore keys limit ID 100\/s\|none/],
  [['limit', 'a', '100'], /limit takes 100\/s, 6000\/m, 50000\/h, or none/],
  [['create', '--name', 'x', '--rate-limit', '0/s'], /--rate-limit takes 100\/s/],
]
for (const [args, message] of WRONG)
  test(`petstore keys ${args.join(' ')} says what to write instead, and exits with 2`, async () => {
    const { code, stderr } = await run(...args)
    assert.equal(code, 2)
    assert.match(stderr, message)
  })

test('the number of open orders is limited for all keys of a chain, is copied by a rotation, and is noted', async () => {
  const first = await keys('create', '--name', 'hoarder')
  assert.equal(first.openOrders, null)
  const second = await keys('rotate', first.id)
  const limited = await run('limit', second.id, '--open-orders', '5000')
  assert.equal(
    limited.stdout,
    `The key ${second.id} (hoarder) may have 5,000 open orders, on every process within a second.\n`,
  )
  assert.deepEqual(
    [(await keys('show', first.id)).openOrders, (await keys('show', second.id)).openOrders],
    [5_000, 5_000],
  )
  assert.deepEqual((await keys('show', first.id)).changes.at(-1)?.detail, 'open orders: 5000')
  assert.match((await run('show', first.id)).stdout, /^OPEN ORDERS +5,000 at most$/m)
  const third = await keys('rotate', second.id)
  assert.equal(third.openOrders, 5_000)
  const both = await run('limit', third.id, '7/s', '--open-orders', 'default')
  assert.match(both.stdout, /is limited to 7\/s and may have 1,000 open orders, on every process/)
  assert.deepEqual([(await keys('show', third.id)).openOrders, (await keys('show', first.id)).openOrders], [null, null])
  for (const wrong of ['0', '-1', '1.5', 'none', '100001', '']) {
    const { code, stderr } = await run('limit', third.id, `--open-orders=${wrong}`)
    assert.equal(code, 2)
    assert.match(stderr, /--open-orders takes a number from 1 to 100000, or default\./)
  }
  assert.equal((await run('limit', third.id)).code, 2)
  await run('revoke', third.id)
  assert.match((await run('limit', third.id, '--open-orders', '5')).stderr, /was revoked, and stays revoked/)
  assert.match((await run('limit', 'key_none', '--open-orders', '5')).stderr, /There is no key "key_none"/)
})
