import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { pauseWebhooksOf } from '../../src/domain/webhooks.ts'
import { webhookSecret } from '../../src/lib/webhook-secret.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import type { Statement, Writable } from '../../src/storage/postgres/statement.ts'
import { createDatabase } from '../support/database.ts'
import { createTestKey, rotateTestKey } from '../support/factories.ts'
import { petstore } from '../support/process.ts'
import { type Attempt, insertAttempts, insertWebhook, MASTER_SECRET } from '../support/webhooks.ts'

const { url, pool } = await createDatabase()
const env = { DATABASE_URL: url }
const FIRST = 'wh_0000000000000000000A'
const SECOND = 'wh_0000000000000000000B'
const MISSING = 'wh_0000000000000000000C'
const TIME = '2026-11-16T09:30:00.123Z'

async function run(...args: string[]) {
  const { code, stdout, stderr } = await petstore(['webhooks', ...args], env)
  assert.equal(code, 0, stderr)
  return stdout
}
const stateOf = async (id: string) => {
  const { rows } = await pool.query<{ state: string; failures: number; leased: boolean }>(
    'select state, failures, leased_by is not null as leased from webhooks where id = $1',
    [id],
  )
  return rows[0]
}

test('a list says so if it is empty', async () => {
  assert.equal(await run('list'), 'There are no webhooks.\n')
  assert.equal(await run('list', '--json'), '[]\n')
})

test('the list and one webhook show how it is doing', async () => {
  const common = { createdAt: '2026-11-16T09:00:00.000Z', sequence: '0' }
  await insertWebhook(pool, {
    ...common,
    id: FIRST,
    name: 'The shop',
    url: 'https://shop.example/hooks',
    types: ['order.placed', 'pet.created'],
    state: 'active',
    failingSince: TIME,
    attempts: 3n,
    nextAttemptAt: '2026-11-16T09:32:00.000Z',
    createdBy: 'key_creator',
    changedBy: 'key_changer',
  })
  await insertWebhook(pool, { ...common, id: SECOND, url: 'https://other.example/', types: null, state: 'disabled' })
  await pool.query(`update feed_pages set first = 5`)
  const lines = (await run('list')).split('\n').map((line) => line.split(/ {2,}/))
  assert.deepEqual(lines, [
    ['ID', 'NAME', 'STATE', 'KEY', 'BEHIND', 'FAILING SINCE', 'NEXT ATTEMPT', 'TYPES', 'URL'],
    [
      FIRST,
      'The shop',
      'active',
      'key_changer',
      '5',
      '2026-11-16 09:30:00',
      '2026-11-16 09:32:00',
      'order.placed pet.created',
      'https://shop.example/hooks',
    ],
    [SECOND, '-', 'disabled', '-', '5', '-', '-', 'all', 'https://other.example/'],
    [''],
  ])
  const all = JSON.parse(await run('list', '--json')) as {
    id: string
    name?: string
    behind: number
    attempts?: number
  }[]
  assert.deepEqual(
    all.map(({ id, name, behind, attempts }) => [id, name, behind, attempts]),
    [
      [FIRST, 'The shop', 5, 3],
      [SECOND, undefined, 5, undefined],
    ],
  )

  const untried = await run('show', FIRST)
  for (const line of [
    /^NAME +The shop$/m,
    /^URL +https:\/\/shop\.example\/hooks$/m,
    /^STATE +active$/m,
    /^CREATED BY +key_creator$/m,
    /^CHANGED BY +key_changer$/m,
    /^FAILING +since 2026-11-16 09:30:00, 3 times$/m,
    /^NEXT TRY +2026-11-16 09:32:00$/m,
    /^Nothing has been sent to it yet\.$/m,
  ])
    assert.match(untried, line)
  const attempts = Array.from({ length: 30 }, (_, i): Attempt => {
    const outcome = i % 2 === 0 ? { status: 204n } : { error: 'The connection was refused.' }
    return { at: new Date(Date.parse(TIME) + i * 1_000).toISOString(), eventId: `evt_${i}`, ...outcome, durationMs: 7n }
  })
  await insertAttempts(pool, FIRST, attempts)
  const shown = (await run('show', FIRST)).split('\n')
  const at = shown.findIndex((line) => /^WHEN +EVENT +STATUS +MS +ERROR$/.test(line))
  const rows = shown.slice(at + 1, -1).map((line) => line.split(/ {2,}/))
  assert.equal(rows.length, 20)
  assert.deepEqual(rows.slice(0, 2), [
    ['2026-11-16 09:30:29', 'evt_29', '-', '7', 'The connection was refused.'],
    ['2026-11-16 09:30:28', 'evt_28', '204', '7'],
  ])
  const json = JSON.parse(await run('show', FIRST, '--json')) as { id: string; lastAttempts: { eventId: string }[] }
  assert.deepEqual([json.id, json.lastAttempts.length, json.lastAttempts[0]!.eventId], [FIRST, 30, 'evt_29'])
})

test('a webhook is paused and resumed, and the process that delivers loses it', async () => {
  const lease = `update webhooks set leased_by = gen_random_uuid(), leased_until = now() + interval '5 s'`
  await pool.query(lease)
  assert.equal(
    await run('pause', FIRST),
    `Paused the webhook ${FIRST} (https://shop.example/hooks), which is 5 events behind.\n`,
  )
  assert.deepEqual(await stateOf(FIRST), { state: 'paused', failures: 3, leased: false })
  assert.deepEqual(await stateOf(SECOND), { state: 'disabled', failures: 0, leased: true })
  await pool.query(lease)
  const resumed = JSON.parse(await run('resume', FIRST, '--json')) as { state: string; failingSince?: string }
  assert.deepEqual([resumed.state, resumed.failingSince], ['active', undefined])
  assert.deepEqual(await stateOf(FIRST), { state: 'active', failures: 0, leased: false })
  assert.match(await run('resume', SECOND), /^Resumed /)
})

test('a webhook is removed', async () => {
  assert.equal(await run('remove', FIRST), `Removed the webhook ${FIRST}.\n`)
  assert.equal(await run('remove', SECOND, '--json'), `{"id":"${SECOND}"}\n`)
  assert.equal(await run('list', '--json'), '[]\n')
})

test('a webhook whose key has ended is resumed only for another key, which may receive events', async () => {
  const [key, heir] = [await createTestKey(pool), await createTestKey(pool)]
  const weak = await createTestKey(pool, { name: 'weak', scopes: ['webhooks:manage'] })
  const webhook = { id: FIRST, url: 'https://shop.example/hooks', types: null, state: 'active', sequence: '0' }
  await insertWebhook(pool, { ...webhook, createdAt: TIME, createdBy: key.id, changedBy: key.id })
  const { stdout } = await petstore(['keys', 'revoke', key.id], env)
  assert.equal(
    stdout,
    `Revoked the key ${key.id} (test). Every process rejects it within a second.\nPaused its webhook ${FIRST} (https://shop.example/hooks).\n`,
  )
  assert.match(await run('show', FIRST), /^STATE +paused: its key was revoked$/m)
  assert.match(await run('list'), /paused \(key_revoked\)/)

  const failsWith = async (message: RegExp, ...args: string[]) => {
    const { code, stderr } = await petstore(['webhooks', 'resume', FIRST, ...args], env)
    assert.equal(code, 1)
    assert.match(stderr, message)
  }
  await failsWith(/^petstore: Its key was revoked\. Name another one, .*petstore webhooks resume wh_\w+ --key ID\n$/)
  await failsWith(/The key key_\w+ \(test\) is revoked/, '--key', key.id)
  await failsWith(/The key key_\w+ \(weak\) lacks events:read/, '--key', weak.id)
  await failsWith(/There is no key with this id/, '--key', 'key_none')
  assert.equal((await stateOf(FIRST))?.state, 'paused')
  assert.match(await run('resume', FIRST, '--key', heir.id), /^Resumed /)
  const shown = JSON.parse(await run('show', FIRST, '--json')) as Record<string, unknown>
  assert.deepEqual(
    [shown['state'], shown['reason'], shown['createdBy'], shown['changedBy']],
    ['active', undefined, key.id, heir.id],
  )
  // The first key has created it, and ends nothing any more.
  const again = await petstore(['keys', 'revoke', key.id], env)
  assert.match(
    again.stdout,
    new RegExp(`${FIRST} .* still delivers: ${heir.id} changed it last\\. To stop it: petstore`),
  )

  const made = await rotateTestKey(pool, heir)
  const rotated = await petstore(['keys', 'revoke', heir.id], env)
  assert.match(rotated.stdout, /still delivers: another key of its rotation is valid/)
  const last = await petstore(['keys', 'revoke', made.id, '--json'], env)
  const { webhooks } = JSON.parse(last.stdout) as { webhooks: object[] }
  const { url: receiver } = webhook
  assert.deepEqual(webhooks, [
    { id: FIRST, url: receiver, state: 'paused', reason: 'key_revoked', changedBy: heir.id, isOwn: true },
  ])
  await run('remove', FIRST)
})

test('a webhook that does not exist is named, and text that is no id is not repeated', async () => {
  const secret = webhookSecret(MASTER_SECRET, FIRST, 1)
  for (const command of ['show', 'pause', 'resume', 'remove']) {
    const missing = await petstore(['webhooks', command, MISSING], env)
    assert.deepEqual([missing.code, missing.stdout], [1, ''])
    assert.equal(missing.stderr, `petstore: There is no webhook ${MISSING}. See \`petstore webhooks list\`.\n`)
    const { code, stderr } = await petstore(['webhooks', command, secret.slice(0, -1)], env)
    assert.deepEqual([code, stderr.includes('whsec')], [1, false])
    assert.match(stderr, /not the id of a webhook \(wh_…\)/)
  }
})

const WRONG: [args: string[], message: RegExp][] = [
  [[], /list, show, pause, resume or remove/],
  [['paus'], /Did you mean pause\?/],
  [['show'], /Name one webhook: petstore webhooks show ID/],
  [['remove', FIRST, SECOND], /Name one webhook: petstore webhooks remove ID/],
  [['list', '--jsn'], /Unknown option '--jsn'\. Did you mean --json\?/],
]
for (const [args, message] of WRONG)
  test(`petstore webhooks ${args.join(' ')} says what to write instead, and exits with 2`, async () => {
    const { code, stderr, stdout } = await petstore(['webhooks', ...args], env)
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, message)
  })

test('a webhook that is being renewed while its key is revoked is paused too', async (t) => {
  const key = await createTestKey(pool)
  const webhook = { id: FIRST, url: 'https://shop.example/hooks', types: null, state: 'active', sequence: '0' }
  await insertWebhook(pool, { ...webhook, createdAt: TIME, createdBy: key.id, changedBy: key.id })
  await pool.query('update api_keys set revoked_at = now() where id = $1', [key.id])
  const renewing = await pool.connect()
  t.after(() => renewing.release())
  await renewing.query('begin; select from webhooks for no key update')
  await using db = new Database(url, () => {})
  let writes = 0
  const counting: Writable = {
    query: db.query.bind(db),
    writeOnce: db.writeOnce.bind(db),
    write: async <Row extends pg.QueryResultRow>(statement: Statement) => {
      const rows = await db.write<Row>(statement)
      if (++writes === 1) await renewing.query('commit')
      return rows
    },
  }
  const [paused] = await pauseWebhooksOf({ db: counting }, { firstId: key.id })
  assert.deepEqual([paused?.state, paused?.reason, writes], ['paused', 'key_revoked', 2])
  await run('remove', FIRST)
})
