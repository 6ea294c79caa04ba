import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { addPet, endOfFeed, eventsOf } from '../support/events.ts'
import { MASTER_SECRET, webhookCalls, webhookOf } from '../support/webhooks.ts'

test('`oldest` moves a webhook before the oldest event that is kept, also when earlier ones are gone', async () => {
  const app = await startApp({ webhookMasterSecret: MASTER_SECRET })
  const { create, patch } = webhookCalls(app.call)
  for (let i = 0; i < 3; i++) {
    await addPet(app.call)
    await endOfFeed(app) // each in a page of its own
  }
  const { id } = webhookOf(await create())
  /** How many events `oldest` leaves to deliver, and how many are kept. */
  const moved = async () => {
    const webhook = webhookOf(await patch(id, { cursor: 'oldest' }))
    const events = eventsOf(await app.call('/v1/events?limit=100'))
    assert.equal(BigInt(webhook.sequence), BigInt(events[0]?.sequence ?? 0) - 1n)
    return [webhook.behind, BigInt(events.length)]
  }
  assert.deepEqual(await moved(), [3n, 3n])
  await app.pool.query(
    'delete from feed_pages where first <= (select min(first) from feed_pages where cardinality(pet_ids) > 0)',
  )
  assert.deepEqual(await moved(), [2n, 2n])
})
