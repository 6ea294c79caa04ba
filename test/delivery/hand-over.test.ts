import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../support/app.ts'
import { insertWebhook, startDelivering, untilWebhook } from '../support/deliveries.ts'
import { insertPets } from '../support/factories.ts'
import { changePet, keyOf } from '../support/feed.ts'
import { startReceiver } from '../support/receiver.ts'

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

/** A receiver that notes what it accepts: all but the events of one pet, which it rejects after a while. */
async function startRejecting(rejected: () => bigint | undefined) {
  const accepted: string[] = []
  const { url: receiverUrl } = await startReceiver(({ event }, response) => {
    if (event.data.pet!.id !== rejected()) {
      accepted.push(keyOf(event))
      return 200
    }
    setTimeout(() => response.writeHead(500).end(), 300)
    return undefined
  })
  return { url: receiverUrl, accepted }
}

test('W8: what was delivered after an event that fails is not sent again because another process takes its share', {
  timeout: 40_000,
}, async () => {
  const [rejectedPet, ...others] = pets as [bigint, ...bigint[]]
  let rejected: bigint | undefined
  const receivers = await Promise.all(Array.from({ length: 2 }, () => startRejecting(() => rejected)))
  const ids = await Promise.all(receivers.map((receiver) => insertWebhook(pool, receiver.url)))
  await startDelivering(url)
  const keys: string[] = []
  const areAccepted = async (wanted: string[]) => {
    for (const { accepted } of receivers) while (!wanted.every((key) => accepted.includes(key))) await sleep(5)
  }
  // The more were delivered, the more are under way together.
  for (const pet of pets) keys.push(await changePet(pool, pet))
  await areAccepted(keys)
  rejected = rejectedPet
  keys.push(await changePet(pool, rejectedPet))
  const beyond = await Promise.all(others.map((pet) => changePet(pool, pet)))
  keys.push(...beyond)
  await areAccepted(beyond)
  for (const id of ids) await untilWebhook(pool, id, ({ failures }) => failures > 0)

  await startDelivering(url)
  while ((await pool.query('select from deliverers')).rowCount !== 2) await sleep(20)
  // Twice as long as a process needs to notice the other.
  await sleep(2_500)
  assert.deepEqual(await holders(), [2])
  rejected = undefined
  while ((await holders()).join() !== '1,1') await sleep(20)
  for (const pet of pets) keys.push(await changePet(pool, pet))
  await areAccepted(keys)
  for (const { accepted } of receivers) assert.deepEqual(accepted.toSorted(), keys.toSorted())
})
