import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TIMES } from '../../src/lib/times.ts'
import { startApp } from '../support/app.ts'
import { insertWebhook, startDelivering, untilWebhook } from '../support/deliveries.ts'
import { insertPets } from '../support/factories.ts'
import { changePet, keyOf } from '../support/feed.ts'
import { startReceiver } from '../support/receiver.ts'
import { SHORT } from '../support/times.ts'
import { until } from '../support/until.ts'

// Each retry comes as soon as the first.
const retries = { ...SHORT.retries, delaysMs: SHORT.retries.delaysMs.slice(0, 1) }
// They are renewed often, but none may end by itself on a busy machine: what was delivered since would rightly be sent again.
const times = { lease: { ...TIMES.lease, tickMs: SHORT.lease.tickMs }, retries }

const { url, pool } = await startApp()
const pets = await insertPets(
  pool,
  Array.from({ length: 6 }, () => 'available'),
)

async function holders() {
  const { rows } = await pool.query<{ count: string }>(
    'select count(*) from webhooks where leased_by is not null and leased_until > now() group by leased_by',
  )
  return rows.map(({ count }) => Number(count)).toSorted((a, b) => a - b)
}

/** Until each process has looked for its share once more. */
async function untilAllTick() {
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
  await until(
    async () => (await pool.query('select from deliverers where seen_at <= $1', [rows[0]!.now])).rowCount === 0,
  )
}

/** A receiver that notes what it accepts: all but the events of one pet, which it rejects a while after it may. */
async function startRejecting(rejected: () => bigint | undefined, mayReject: Promise<void>) {
  const accepted: string[] = []
  const { url: receiverUrl } = await startReceiver(({ event }, response) => {
    if (event.data.pet!.id !== rejected()) {
      accepted.push(keyOf(event))
      return 200
    }
    void mayReject.then(() => setTimeout(() => response.writeHead(500).end(), 300))
    return undefined
  })
  return { url: receiverUrl, accepted }
}

test('W8: what was delivered after an event that fails is not sent again because another process takes its share', {
  timeout: 40_000,
}, async () => {
  const [rejectedPet, ...others] = pets as [bigint, ...bigint[]]
  let rejected: bigint | undefined
  const beyondAccepted = Promise.withResolvers<void>()
  const receivers = await Promise.all(
    Array.from({ length: 2 }, () => startRejecting(() => rejected, beyondAccepted.promise)),
  )
  const ids = await Promise.all(receivers.map((receiver) => insertWebhook(pool, receiver.url)))
  await startDelivering(url, {}, times)
  const keys: string[] = []
  const areAccepted = async (wanted: string[]) => {
    for (const { accepted } of receivers) await until(() => wanted.every((key) => accepted.includes(key)))
  }
  // The more were delivered, the more are under way together.
  for (const pet of pets) keys.push(await changePet(pool, pet))
  await areAccepted(keys)
  rejected = rejectedPet
  keys.push(await changePet(pool, rejectedPet))
  const beyond = await Promise.all(others.map((pet) => changePet(pool, pet)))
  keys.push(...beyond)
  await areAccepted(beyond)
  beyondAccepted.resolve()
  for (const id of ids) await untilWebhook(pool, id, ({ failures }) => failures > 0)

  await startDelivering(url, {}, times)
  await until(async () => (await pool.query('select from deliverers')).rowCount === 2)
  for (let ticks = 0; ticks < 3; ticks++) await untilAllTick()
  assert.deepEqual(await holders(), [2])
  rejected = undefined
  await until(async () => (await holders()).join() === '1,1')
  for (const pet of pets) keys.push(await changePet(pool, pet))
  await areAccepted(keys)
  for (const { accepted } of receivers) assert.deepEqual(accepted.toSorted(), keys.toSorted())
})
