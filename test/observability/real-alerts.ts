import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { RedisServer } from '../../faults/rig/redis.ts'
import { EmbeddedPostgres, freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { generateKey } from '../../src/lib/ids/key-format.ts'
import { migrate } from '../../src/storage/postgres/migrate.ts'
import { caller, postJson } from '../support/app.ts'
import { changeWebhook, insertWebhook, MASTER_SECRET, untilWebhook } from '../support/deliveries.ts'
import { createTestKey } from '../support/factories.ts'
import { startMachine } from '../support/machine.ts'
import { launch, serve } from '../support/process.ts'
import { Prometheus, readAlerts, readQueries } from '../support/prometheus.ts'
import { DatabaseProxy } from '../support/proxy.ts'
import { certificate, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

// Causes what each alert is for, and asks a real Prometheus, which has the rules and the configuration of deploy/observability,
// whether it has noticed. Not part of `npm test`: it needs Debian's packages prometheus and redis-server, and two minutes. How long a
// condition must last is for promtool, in alerts.test.ts.

const resources = new AsyncDisposableStack()
after(() => resources.disposeAsync())
const directory = await mkdtemp(join(tmpdir(), 'petstore-alerts-'))
resources.defer(() => rm(directory, { recursive: true }))
const { url } = resources.use(await EmbeddedPostgres.start(directory))
await migrate(url)
const pool = new pg.Pool({ connectionString: url, max: 4 })
pool.on('error', () => {})
resources.defer(() => pool.end())
const proxy = resources.use(await DatabaseProxy.start(url))
await pool.query('create database sandbox')
const sandboxProxy = resources.use(await DatabaseProxy.start(await createSandbox()))
const { key } = await createTestKey(pool, { mode: 'live' })
const redis = resources.use(new RedisServer(await freePort()))
await redis.start()

const MAX_IN_FLIGHT = 20
const start = async (env: NodeJS.ProcessEnv) => {
  const port = String(await freePort())
  return { ...(await serve(proxy.url, { ADMIN_PORT: port, ...env })), target: `127.0.0.1:${port}` }
}
const single = await start({ MAX_IN_FLIGHT: String(MAX_IN_FLIGHT), REDIS_URL: redis.url })
const several = await start({ WORKERS: '2', SANDBOX_DATABASE_URL: sandboxProxy.url })
const receiver = await startReceiver()
const deliveryPort = String(await freePort())
const delivering = launch(['deliver'], {
  DATABASE_URL: url,
  ADMIN_PORT: deliveryPort,
  WEBHOOK_MASTER_SECRET: MASTER_SECRET,
  WEBHOOK_NETWORKS: '127.0.0.0/8',
  NODE_EXTRA_CA_CERTS: certificate.file,
})
after(() => delivering.kill('SIGKILL'))
const call = caller(single.address, key)
const pet = postJson({ name: 'Rex', categoryId: 1 })
const create = () => call('/v1/pets', pet)
const list = () => call('/v1/pets')
const many = <T>(count: number, what: () => Promise<T>) => Promise.all(Array.from({ length: count }, what))

// Right after an installation nothing is compiled, and the first request of each kind holds up the event loop for longer than the
// alert allows. So each kind is sent once before Prometheus starts; reading the metrics resets the lag they report.
for (const { address, target } of [single, several]) {
  const warmUp = caller(address, key)
  await many(MAX_IN_FLIGHT, () => warmUp('/v1/pets', pet))
  await many(MAX_IN_FLIGHT, () => warmUp('/v1/pets'))
  await many(MAX_IN_FLIGHT, () => warmUp('/v1/pets/1'))
  for (let i = 0; i < 2; i++) await (await fetch(`http://${target}/metrics`)).text()
}

// Long enough for a supervisor to give up on a worker that hangs.
const EVERY_S = 2
/** Longer than the alert about the event loop allows. */
const STOPPED_MS = 300
/** Longer than the alert about slow requests allows. */
const LOCKED_MS = 1_000
const targets = [single.target, several.target, `127.0.0.1:${deliveryPort}`]
const webhook = await insertWebhook(pool, receiver.url)
const machine = resources.use(await startMachine(join(directory, 'machine')))
const prometheus = resources.use(await Prometheus.start(targets, EVERY_S, machine.target))

const raised = async () => new Set((await prometheus.alerts()).map(({ labels }) => labels.alertname))
const seen = new Set<string>()
const WAITS = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`

/** Waits until all of these are pending or firing, and does something meanwhile, again and again. */
async function untilRaised(names: string[], meanwhile?: () => Promise<unknown>) {
  await until(async () => {
    await meanwhile?.()
    const now = await raised()
    for (const name of now) seen.add(name)
    return names.every((name) => now.has(name))
  })
}

async function untilScraped() {
  const samples = async () => (await prometheus.query('sum(count_over_time(up[10m]))'))[0]?.value ?? 0
  const before = await samples()
  await until(async () => (await samples()) >= before + 4)
}

/** With a table locked, and so with all that needs it waiting. */
async function whileLocked(table: string, work: () => Promise<unknown>) {
  const lock = await pool.connect()
  await lock.query(`begin; lock table ${table}`)
  try {
    await work()
  } finally {
    await lock.query('rollback')
    lock.release()
  }
}

test('while all is well, nothing is raised, and every panel of the dashboard has something to show', async () => {
  const once = { ...pet, headers: { 'content-type': 'application/json', 'idempotency-key': 'a' } }
  for (let i = 0; i < 3; i++) {
    await many(10, create)
    await many(10, list)
    await many(2, () => call('/v1/pets', once))
    await many(5, () => call('/v1/pets/1'))
    await untilScraped()
  }
  assert.deepEqual(await prometheus.alerts(), [])
  for (const { title, expr } of readQueries()) {
    const values = await prometheus.query(expr)
    assert.ok(values.length > 0, `${title}: ${expr}`)
  }
})

test('a worker that hangs: PetstoreProcessNotReady', async () => {
  const [hung] = workersOf(several)
  process.kill(hung!, 'SIGSTOP')
  await untilRaised(['PetstoreProcessNotReady'])
  process.kill(hung!, 'SIGCONT')
})

test('a sandbox that is lost: PetstoreSandboxFailing, and no alert about the live database', async () => {
  await sandboxProxy.takeAway()
  await untilRaised(['PetstoreSandboxFailing', 'PetstoreKeyChangesUnheard'])
  await untilScraped()
  assert.equal((await raised()).has('PetstoreDatabaseLost'), false)
  await sandboxProxy.bringBack()
  await until(async () => !(await raised()).has('PetstoreSandboxFailing'))
})

test('workers that keep dying: PetstoreRestarts', async () => {
  await untilRaised(['PetstoreRestarts'], async () => {
    const before = workersOf(several)
    process.kill(before.at(-1)!, 'SIGKILL')
    await until(() => workersOf(several).length > before.length)
    await untilScraped()
  })
})

test('an event loop that does not turn: PetstoreEventLoopLag', async () => {
  await untilRaised(['PetstoreEventLoopLag'], async () => {
    single.child.kill('SIGSTOP')
    await sleep(STOPPED_MS)
    single.child.kill('SIGCONT')
  })
})

test('pets that are locked for a while: PetstoreSlow, PetstoreShedding, PetstoreErrors', async () => {
  const waiting: Promise<unknown>[] = []
  await whileLocked('pets', async () => {
    waiting.push(many(MAX_IN_FLIGHT, create))
    await sleep(LOCKED_MS)
    await many(10, create)
  })
  await Promise.all(waiting)
  await untilRaised(['PetstoreSlow', 'PetstoreShedding', 'PetstoreErrors'])
})

test('connections that are all busy: PetstorePoolExhausted', async () => {
  const waiting: Promise<unknown>[] = []
  const once = { ...pet, headers: { 'content-type': 'application/json', 'idempotency-key': 'busy' } }
  const lists = ['', '&status=available', '&status=pending', '&status=sold'].map(
    (status) => `/v1/pets?limit=1${status}`,
  )
  await pool.query('update api_keys set last_used_at = null')
  // Each kind of statement takes one connection. Nine kinds, the counts of what is deprecated and the last use of a key wait for
  // these locks, and so no connection is left for the look-up of a key.
  await whileLocked('pets, deprecated_calls; lock table api_keys in share mode', () =>
    untilRaised(['PetstorePoolExhausted'], async () => {
      for (const path of [...lists, '/v1/pets?id=1', '/v1/pets/1', '/v1/deprecations']) waiting.push(call(path))
      waiting.push(create(), call('/v1/pets', once), call('/v1/pets', { key: generateKey('live') }))
      await untilScraped()
    }),
  )
  await Promise.all(waiting)
})

test('a table that is gone: PetstoreBackgroundFailing', async () => {
  await pool.query('alter table deprecated_calls rename to elsewhere')
  await untilRaised(['PetstoreBackgroundFailing'], () => call('/v1/pets/1'))
  await pool.query('alter table elsewhere rename to deprecated_calls')
})

test('a pet that stays locked when its order ends: PetstoreOrdersOverdue', async () => {
  await pool.query(`update pets set status = 'available' where id = 1`)
  const placed = await call('/v1/store/orders', postJson({ petId: 1, expiresIn: 1 }))
  assert.equal(placed.status, 201)
  const lock = await pool.connect()
  await lock.query('begin; select id from pets where id = 1 for update')
  await untilRaised(['PetstoreOrdersOverdue'])
  await lock.query('rollback')
  lock.release()
})

test('words that cannot be stored: PetstoreSearchIncomplete', async () => {
  await whileLocked('pet_words in share mode', async () => {
    await pool.query('insert into word_ranges (last_id, reached) values (1000, 0)')
    await untilRaised(['PetstoreSearchIncomplete'])
  })
})

test('pages of the feed that are locked: PetstoreFeedBehind', async () => {
  await whileLocked('feed_pages', () => untilRaised(['PetstoreFeedBehind']))
})

test('a receiver that does not respond: PetstoreWebhookBehind', async () => {
  await untilWebhook(pool, webhook, ({ behind }) => behind === '0')
  receiver.respond = () => undefined
  // As if it had happened a while ago.
  await pool.query(`insert into events (pet_id, version, at, type, name, category_id)
    values (1, 1000, now() - interval '2 minutes', 'pet.updated', 'Rex', 1)`)
  await untilRaised(['PetstoreWebhookBehind'])
})

test('a receiver that fails: PetstoreWebhookFailing', async () => {
  receiver.respond = () => 500
  await changeWebhook(pool, webhook, `failures = 4, failing_since = now() - interval '1 hour', next_attempt_at = null`)
  await untilRaised(['PetstoreWebhookFailing'])
})

test('no process delivers: PetstoreWebhooksUndelivered', async () => {
  delivering.kill('SIGSTOP')
  await pool.query(`update webhooks set leased_until = now() - interval '1 minute'`)
  await untilRaised(['PetstoreWebhooksUndelivered'])
  receiver.respond = () => 200
  delivering.kill('SIGCONT')
})

test('a key that expires soon: PetstoreKeysExpiring', async () => {
  const expiresAt = new Date(Date.now() + 3 * 86_400_000)
  const { id } = await createTestKey(pool, { expiresAt })
  await pool.query(`update api_keys set created_at = now() - interval '1 year' where id = $1`, [id])
  await untilRaised(['PetstoreKeysExpiring'])
})

test('a disk that is nearly full: PetstoreDiskFilling', async () => {
  machine.freeShare = 0.05
  await untilRaised(['PetstoreDiskFilling'])
})

test('a backup that was completed long ago: PetstoreBackupOld', async () => {
  await machine.ageBackup(27 * 3_600)
  await untilRaised(['PetstoreBackupOld'])
})

test('a receiver that is gone for good: PetstoreWebhookDisabled', async () => {
  receiver.respond = () => 410
  await changeWebhook(pool, webhook, 'next_attempt_at = null')
  await create()
  await untilWebhook(pool, webhook, ({ state }) => state === 'disabled')
  await untilRaised(['PetstoreWebhookDisabled'])
})

test('a key that was revoked: PetstoreWebhookPaused', async () => {
  const owner = await createTestKey(pool)
  await changeWebhook(pool, webhook, `state = 'active', changed_by = '${owner.id}'`)
  await pool.query('update api_keys set revoked_at = now() where id = $1', [owner.id])
  await untilWebhook(pool, webhook, ({ state }) => state === 'paused')
  await untilRaised(['PetstoreWebhookPaused'])
})

test('Redis is gone: PetstoreRateLimitStoreAway', async () => {
  await redis.kill()
  await untilRaised(['PetstoreRateLimitStoreAway'])
})

test('a log that cannot be written: PetstoreLogLinesLost', async () => {
  // Its reader has gone. The test itself reads what `single` logs, so that one is left alone.
  several.child.stdout.destroy()
  await untilRaised(['PetstoreLogLinesLost'], () => caller(several.address, key)('/v1/pets'))
})

test('the standby is away: PetstoreCommitsStalled', async () => {
  await pool.query(`alter system set synchronous_standby_names = 'nobody'`)
  await pool.query('select pg_reload_conf()')
  await untilRaised(['PetstoreCommitsStalled'], create)
  await pool.query('alter system reset synchronous_standby_names')
  await pool.query('select pg_reload_conf()')
  await until(async () => (await create()).status === 201)
})

test('the primary is lost in the middle of a write: PetstoreOutcomeUnknown, PetstoreCallsHeld, PetstoreDatabaseLost, and then all the rest', async () => {
  const written: Promise<unknown>[] = []
  await whileLocked('pets', async () => {
    written.push(create())
    await until(async () => (await pool.query(WAITS)).rowCount)
    await proxy.takeAway()
  })
  await Promise.all(written)
  await untilRaised(
    [
      'PetstoreOutcomeUnknown',
      'PetstoreCallsHeld',
      'PetstoreDatabaseLost',
      'PetstoreKeyChangesUnheard',
      'PetstoreNobodyReady',
    ],
    list,
  )
  await proxy.bringBack()
  await until(async () => (await create()).status === 201)
})

test('a process that is gone: PetstoreDown', async () => {
  single.child.kill('SIGKILL')
  await untilRaised(['PetstoreDown'])
})

test('every alert was seen', () => {
  assert.deepEqual(
    readAlerts()
      .map(({ name }) => name)
      .filter((name) => !seen.has(name)),
    [],
  )
})

async function createSandbox() {
  const sandboxUrl = Object.assign(new URL(url), { pathname: '/sandbox' }).href
  await migrate(sandboxUrl)
  const client = new pg.Client(sandboxUrl)
  await client.connect()
  await client.query(`update store set address = 'test'`)
  await client.end()
  return sandboxUrl
}

/** In the order in which they were started. */
function workersOf({ output }: typeof several) {
  return Array.from(output.stdout.matchAll(/"pid":(\d+)[^\n]*"msg":"Worker listening/g), ([, pid]) => Number(pid))
}
