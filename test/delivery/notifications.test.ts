import assert from 'node:assert/strict'
import { Resolver } from 'node:dns/promises'
import { test } from 'node:test'
import { Deliverer } from '../../src/delivery/deliverer.ts'
import { Feed } from '../../src/storage/events/feed.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { startApp } from '../support/app.ts'
import { insertWebhook, MASTER_SECRET } from '../support/deliveries.ts'
import { insertPets } from '../support/factories.ts'
import { changePet } from '../support/feed.ts'
import { keysOf, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const { url, pool } = await startApp()
const [pet] = await insertPets(pool, ['available'])

test('events are delivered although no notification arrives, and how late they are is measured', async () => {
  await using resources = new AsyncDisposableStack()
  const db = resources.use(new Database(url, () => {}))
  await db.start()
  // Its connection is never made, as if it had been lost without notice.
  const feed = resources.use(new Feed(db, url, { isReader: true }))
  let isReadable = false
  const failures: unknown[] = []
  const deliverer = new Deliverer(db, url, {
    feed: {
      get head() {
        return feed.head
      },
      advance: (head) => feed.advance(head),
      list: async (request) => {
        if (!isReadable) throw new Error('planted')
        return feed.list(request)
      },
    },
    source: 'test',
    masterSecret: MASTER_SECRET,
    receivers: { networks: undefined, allowsLocal: true },
    resolver: new Resolver(),
    version: '1.0.0',
    onDisabled: () => {},
    onPaused: () => {},
    onSkipped: () => {},
    onReadFailed: (error) => failures.push(error),
  })
  resources.defer(() => deliverer.finish())
  const behind = () => {
    const metric = deliverer.metrics.find(({ name }) => name === 'petstore_webhook_behind_seconds')
    const [value] = metric!.read() as { value: number }[]
    return value!.value
  }
  const receiver = await startReceiver()
  await insertWebhook(pool, receiver.url)
  const key = await changePet(pool, pet!)

  await deliverer.tick()
  while (failures.length === 0) await deliverer.tick()
  await until(() => behind() >= 0.1)
  isReadable = true
  await until(async () => {
    await deliverer.tick()
    return receiver.received.length > 0
  })
  assert.deepEqual(keysOf(receiver.received), [key])
  await until(() => behind() === 0) // its response is on its way
})
