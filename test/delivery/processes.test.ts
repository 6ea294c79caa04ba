import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { pause } from '../../src/jobs/runner.ts'
import { startApp } from '../support/app.ts'
import { insertWebhook, MASTER_SECRET, untilWebhook, webhookOf } from '../support/deliveries.ts'
import { insertPets } from '../support/factories.ts'
import { changePet, disordered, keyOf } from '../support/feed.ts'
import { launch } from '../support/process.ts'
import { certificate, keysOf, startReceiver } from '../support/receiver.ts'
import { SHORT } from '../support/times.ts'
import { until } from '../support/until.ts'

const SHORT_LIVED = new URL('../support/deliver.ts', import.meta.url).pathname
const { lease, shutdown } = SHORT

const { url, pool } = await startApp()
const pets = await insertPets(
  pool,
  Array.from({ length: 12 }, () => 'available'),
)

/** `petstore deliver`, or the same with short times. */
async function deliver(program?: string) {
  const env = {
    DATABASE_URL: url,
    ADMIN_PORT: '0',
    WEBHOOK_MASTER_SECRET: MASTER_SECRET,
    WEBHOOK_NETWORKS: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: certificate.file,
    REAL_TIMES: process.env['REAL_TIMES'],
  }
  const child = launch(['deliver'], env, undefined, program)
  after(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  await until(() => {
    if (child.exitCode !== null) throw new Error(child.output.stderr + child.output.stdout)
    return child.output.stdout.includes('Delivering webhooks')
  })
  return { child, exited }
}

async function change(times: number) {
  const keys: string[] = []
  for (let i = 0; i < times; i++) for (const id of pets) keys.push(await changePet(pool, id))
  return keys
}

test('without the master secret it does not start, and says why', async () => {
  const child = launch(['deliver'], { DATABASE_URL: url })
  const [code] = (await once(child, 'exit')) as [number]
  assert.equal(code, 1)
  assert.match(child.output.stderr, /WEBHOOK_MASTER_SECRET is not set/)
})

test('W8: two processes share the webhooks, no event is skipped, and one takes over when the other is killed', async () => {
  const receivers = await Promise.all(Array.from({ length: 6 }, () => startReceiver()))
  const ids = await Promise.all(receivers.map((receiver) => insertWebhook(pool, receiver.url)))
  const holders = async () => {
    const { rows } = await pool.query<{ leased_by: string; count: string }>(
      'select leased_by, count(*) from webhooks where leased_until > now() and leased_by is not null group by leased_by',
    )
    return rows.map(({ count }) => Number(count)).toSorted((a, b) => a - b)
  }
  const first = await deliver(SHORT_LIVED)
  await untilWebhook(pool, ids[5]!, ({ leased_by }) => leased_by !== null)
  assert.deepEqual(await holders(), [6])

  const keys: string[] = []
  const writing = new AbortController()
  const written = (async () => {
    do keys.push(...(await change(1)))
    while (await pause(20, writing.signal))
  })()
  const second = await deliver(SHORT_LIVED)
  await until(async () => (await holders()).join() === '3,3')
  const shared = keys.length
  await until(() => keys.length >= shared + 2 * pets.length)
  first.child.kill('SIGKILL')
  await first.exited
  const killed = performance.now()
  await until(async () => (await holders()).join() === '6')
  assert.ok(performance.now() - killed < lease.leaseMs + 5_000)
  writing.abort()
  await written
  for (const receiver of receivers) {
    await until(() => keysOf(receiver.received).length >= keys.length)
    assert.deepEqual(keysOf(receiver.received).toSorted(), keys.toSorted())
    // The first of each: what comes again after the kill has come in order before.
    assert.deepEqual(disordered(keysOf(receiver.received)), [])
  }
  second.child.kill('SIGTERM')
  assert.deepEqual(await second.exited, [0, null])
})

test('SIGTERM: what is under way is finished and stored, and the leases are given back', async () => {
  await pool.query('delete from webhooks')
  const slow = await startReceiver()
  const hanging = await startReceiver(() => undefined)
  const { rows } = await pool.query<{ first: string; mark: string }>(
    'select first + cardinality(pet_ids) - 1 as first, mark from feed_pages order by first desc limit 1',
  )
  const place = { sequence: rows[0]!.first, mark: rows[0]!.mark }
  const id = await insertWebhook(pool, slow.url, place)
  const { child, exited } = await deliver()
  await change(1)
  await slow.until(pets.length)
  slow.respond = (_received, response) => {
    setTimeout(() => response.writeHead(200).end(), 1_500)
    return undefined
  }
  await change(1)
  await slow.until(pets.length + 8)
  child.kill('SIGTERM')
  const stopped = performance.now()
  assert.deepEqual(await exited, [0, null])
  assert.ok(performance.now() - stopped < 5_000)
  assert.equal(slow.received.length, pets.length + 8)
  const row = await webhookOf(pool, id)
  assert.equal(BigInt(row.sequence), BigInt(place.sequence) + BigInt(pets.length + 8))
  assert.deepEqual([row.leased_by, row.attempts], [null, String(pets.length + 8)])
  assert.equal((await pool.query('select from deliverers')).rowCount, 0)

  const other = await insertWebhook(pool, hanging.url, place)
  const again = await deliver(SHORT_LIVED)
  await hanging.until(1)
  const begun = performance.now()
  again.child.kill('SIGTERM')
  assert.deepEqual(await again.exited, [0, null])
  const ms = performance.now() - begun
  assert.ok(ms > shutdown.finishMs / 2 && ms < shutdown.deliveryMs + 1_000, `${ms} ms`)
  // It was given up before its own time was over, which would be an attempt.
  const { leased_by, attempts } = await webhookOf(pool, other)
  assert.deepEqual([leased_by, attempts], [null, '0'])
})

test('after a crash at most what was not stored comes again, with the same ids', async () => {
  await pool.query('delete from webhooks')
  const receiver = await startReceiver()
  const id = await insertWebhook(pool, receiver.url)
  const { child, exited } = await deliver()
  const keys = (await pool.query<{ key: string }>(`select pet_id || ' ' || version as key from events`)).rows
  await receiver.until(keys.length)
  await untilWebhook(pool, id, ({ attempts }) => Number(attempts) >= keys.length)
  const stored = receiver.received.length
  await change(1)
  await receiver.until(stored + pets.length)
  child.kill('SIGKILL')
  await exited
  const before = new Map(receiver.received.map(({ event }) => [keyOf(event), event.id]))
  receiver.received.length = 0
  await pool.query('update webhooks set leased_until = now()')
  await deliver()
  const last = (await change(1)).at(-1)!
  await until(() => keysOf(receiver.received).includes(last))
  assert.ok(receiver.received.length <= 2 * pets.length, `${receiver.received.length}`)
  for (const { event } of receiver.received) {
    const earlier = before.get(keyOf(event))
    if (earlier !== undefined) assert.equal(event.id, earlier)
  }
})
