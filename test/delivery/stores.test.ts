import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { readConfig } from '../../src/config.ts'
import { insertWebhook, startDelivering, untilWebhook, webhookOf } from '../support/deliveries.ts'
import { addPet } from '../support/events.ts'
import { DatabaseProxy } from '../support/proxy.ts'
import { startReceiver } from '../support/receiver.ts'
import { startStores } from '../support/stores.ts'
import { TEST_TIMES } from '../support/times.ts'
import { throughout, until } from '../support/until.ts'

const NAMED = { publicBaseUrl: 'https://pets.example/v1' }
const { live, sandbox } = await startStores(NAMED)

/** One process that delivers for both stores. */
const deliverFor = async (liveUrl: string, sandboxUrl: string) => {
  const { stores } = readConfig({ DATABASE_URL: liveUrl, SANDBOX_DATABASE_URL: sandboxUrl })
  const overrides = { ...NAMED, stores, adminPort: await freePort() }
  return await startDelivering(liveUrl, overrides, { database: { ...TEST_TIMES.database, holdMs: 300 } })
}

test('one process delivers for both stores, each its own events with its own source', async () => {
  const { delivery } = await deliverFor(live.url, sandbox.url)
  for (const [{ call, pool }, source] of [
    [live, 'https://pets.example/v1'],
    [sandbox, 'https://pets.example/v1#test'],
  ] as const) {
    const receiver = await startReceiver()
    await insertWebhook(pool, receiver.url)
    await addPet(call)
    for (const { event } of await receiver.until(1)) assert.equal(event.source, source)
    assert.equal(receiver.received.length, 1)
  }
  const metrics = await (await fetch(`${delivery.adminAddress}/metrics`)).text()
  for (const store of ['live', 'test'])
    assert.match(metrics, new RegExp(`^petstore_webhook_deliveries_total\\{store="${store}".*\\} 1$`, 'm'))
  await delivery[Symbol.asyncDispose]()
})

for (const [lost, other] of [
  ['sandbox', 'live'],
  ['live', 'sandbox'],
] as const)
  test(`a ${lost} store that is lost or silent delays no delivery of the other`, async () => {
    const stores = { live, sandbox }
    await using proxy = await DatabaseProxy.start(stores[lost].url)
    const urls = { live: live.url, sandbox: sandbox.url, [lost]: proxy.url }
    const receiver = await startReceiver()
    const { call, pool } = stores[other]
    await pool.query('delete from webhooks')
    const { delivery, logs } = await deliverFor(urls.live, urls.sandbox)
    const id = await insertWebhook(pool, receiver.url)
    const isDelivered = () => untilWebhook(pool, id, ({ behind }) => behind === '0')
    await isDelivered()
    await proxy.takeAway()
    await addPet(call)
    await isDelivered()
    await proxy.bringBack()
    proxy.fallSilent()
    await addPet(call)
    await isDelivered()
    const lines = logs.filter((line) => line.includes('lost the connection to the database'))
    assert.ok(lines.every((line) => line.includes('"store":"test"') === (lost === 'sandbox')))
    await delivery[Symbol.asyncDispose]()
  })

test('a sandbox that cannot be reached at the start keeps nothing of the live store from being delivered', async () => {
  await live.pool.query('delete from webhooks')
  await using proxy = await DatabaseProxy.start(sandbox.url)
  proxy.fallSilent()
  const { delivery } = await deliverFor(live.url, proxy.url)
  const receiver = await startReceiver()
  await insertWebhook(live.pool, receiver.url)
  await addPet(live.call)
  await receiver.until(1)
  await delivery[Symbol.asyncDispose]()
})

test('nothing is delivered from a store whose mark the role cannot read', async () => {
  await live.pool.query('delete from webhooks')
  await sandbox.pool.query('delete from webhooks')
  const receiver = await startReceiver()
  const id = await insertWebhook(live.pool, receiver.url)
  await addPet(live.call)
  await live.pool.query('alter table store rename to unread')
  await sandbox.pool.query('alter table store rename to unread')
  // Their URLs swapped.
  const { delivery, logs } = await deliverFor(sandbox.url, live.url)
  await until(() => logs.some((line) => line.includes('SANDBOX_DATABASE_URL does not say')))
  await throughout(1_000, () => receiver.received.length === 0)
  assert.equal((await webhookOf(live.pool, id)).leased_by, null)
  await live.pool.query('alter table unread rename to store')
  await sandbox.pool.query('alter table unread rename to store')
  await delivery[Symbol.asyncDispose]()
})
