import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Readiness } from '../../src/domain/readiness.ts'
import { connect } from '../../src/service.ts'
import { migrate } from '../../src/storage/postgres/migrate.ts'
import { DELIVERING_PRIVILEGES, missingPrivileges } from '../../src/storage/postgres/privileges.ts'
import { attemptsOf, insertWebhook, startDelivering, untilWebhook } from '../support/deliveries.ts'
import { createTestKey } from '../support/factories.ts'
import { serve } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { asked, connected, createRoles, each, granted, namesOf } from '../support/roles.ts'
import { SHORT } from '../support/times.ts'
import { throughout, until } from '../support/until.ts'

const { lease } = SHORT

const { pool, scriptOf, nameOf, as } = await createRoles()
const owner = nameOf('owner')
await migrate(as(owner))
const asOwner = await connected(as(owner))
await asOwner.query(scriptOf('grants'))
const ROLE = nameOf('deliver')
const deliver = await connected(as(ROLE))

test('events are delivered with the role that can read no pets, and of keys only whether they are valid', async () => {
  await serve(as(nameOf('service')))
  const { delivery, logs } = await startDelivering(as(ROLE), {}, { lease })
  const receiver = await startReceiver()
  const key = await createTestKey(pool)
  const id = await insertWebhook(pool, receiver.url, { ping_requested_at: new Date(), changed_by: key.id })
  await pool.query(
    `insert into events (pet_id, version, type, name, category_id, status) values (1, 1, 'pet.created', 'Rex', 1, null)`,
  )
  await receiver.until(2)
  await untilWebhook(pool, id, ({ sequence, ping_requested_at }) => sequence === '1' && ping_requested_at === null)
  receiver.respond = () => 410
  await pool.query(
    `insert into events (pet_id, version, type, name, category_id, status) values (1, 2, 'pet.updated', 'Rex', 1, null)`,
  )
  await untilWebhook(pool, id, ({ state }) => state === 'disabled')
  assert.equal((await attemptsOf(pool, id)).length, 3)
  await pool.query(`update webhooks set state = 'active' where id = $1`, [id])
  await pool.query('update api_keys set revoked_at = now()')
  await untilWebhook(pool, id, ({ state, reason }) => state === 'paused' && reason === 'key_revoked')
  await delivery[Symbol.asyncDispose]()
  assert.equal((await pool.query('select from deliverers')).rowCount, 0)
  const complaints = logs.filter(
    (line) => /"level":[45]0/.test(line) && !/a webhook was (?:disabled|paused)/.test(line),
  )
  assert.deepEqual(complaints, [])
})

const FORBIDDEN: Record<string, string> = {
  'read a pet': 'select from pets',
  'read the hash of a key': 'select hash from api_keys',
  'read the name of a key': 'select name from api_keys',
  'let a webhook deliver for another key': 'update webhooks set changed_by = null',
  'read an idempotency key': 'select from idempotency_keys',
  'add an event': `insert into events (pet_id, version, type) values (1, 99, 'pet.updated')`,
  'remove an event': 'delete from events',
  'add a page to the feed': 'insert into feed_pages select * from feed_pages',
  'create a webhook': `insert into webhooks (id, url, sequence, mark) values ('wh_1', 'https://a.example', 0, 0)`,
  'send a webhook elsewhere': `update webhooks set url = 'https://a.example'`,
  'give a webhook another name': `update webhooks set name = 'a'`,
  'give a webhook another secret': 'update webhooks set secret_number = 1',
  'remove a webhook': 'delete from webhooks',
  'forget an attempt': 'delete from webhook_attempts',
  'change an order': `update orders set status = 'completed'`,
  'make a table': 'create table toys (id int)',
  'make a temporary table': 'create temp table toys (id int)',
}

for (const [what, statement] of Object.entries(FORBIDDEN)) {
  test(`the role of deliver can't ${what}`, async () => {
    await assert.rejects(deliver.query(statement), { code: /^42501$/ }, statement)
  })
}

test('grants.sql grants exactly what a process that delivers checks that it has', async () => {
  assert.deepEqual(await missingPrivileges(asked(deliver), DELIVERING_PRIVILEGES), [])
  assert.deepEqual(await granted(pool, ROLE), namesOf(DELIVERING_PRIVILEGES))
})

for (const { relation, privilege, column } of each(DELIVERING_PRIVILEGES)) {
  const named = `${privilege}${column ? ` (${column})` : ''} on ${relation}`
  test(`a process that lacks ${named} names it`, async () => {
    await asOwner.query(`revoke ${privilege}${column ? ` (${column})` : ''} on ${relation} from ${ROLE}`)
    await using db = connect(as(ROLE))
    const readiness = new Readiness(db, DELIVERING_PRIVILEGES)
    await assert.rejects(readiness.check(), {
      message: `The role of this process lacks rights in the database: ${named}. Run deploy/postgres/grants.sql as the owner of the tables.`,
    })
    await asOwner.query(scriptOf('grants'))
    await readiness.check()
  })
}

test('a process without rights says at its start what it lacks, once, and delivers as soon as it has them', async () => {
  const receiver = await startReceiver()
  await asOwner.query(`revoke all on webhooks, feed_pages from ${ROLE}`)
  await insertWebhook(pool, receiver.url)
  const { logs } = await startDelivering(as(ROLE), {}, { lease })
  const lacking = 'select on feed_pages; select, update (state, reason'
  await until(() => logs.join('').includes(lacking))
  await throughout(3 * lease.tickMs, () => receiver.received.length === 0) // a line for each tick would be in the log
  assert.equal(logs.join('').match(/Run deploy\/postgres\/grants\.sql/g)?.length, 1)
  await asOwner.query(scriptOf('grants'))
  await receiver.until(1)
})
