import assert from 'node:assert/strict'
import dns from 'node:dns'
import { mock, test } from 'node:test'
import { createDatabase } from '../../support/database.ts'
import { createTestKey } from '../../support/factories.ts'
import { DatabaseProxy } from '../../support/proxy.ts'
import { startStores } from '../../support/stores.ts'
import { TEST_TIMES } from '../../support/times.ts'
import { until } from '../../support/until.ts'

/** Of the four threads of Node, look-ups of names get half. */
const THREADS = 2
const SILENT = 'sandbox.invalid'

/** Look-ups as Node does them, while the name server never responds for one host. */
function silenceNameServer() {
  const { lookup } = dns
  const held: string[] = []
  const lookUp = (host: string, ...others: [never, never]) => {
    if (held.length === THREADS) return
    if (host === SILENT) held.push(host)
    else lookup(host, ...others)
  }
  mock.method(dns, 'lookup', lookUp)
  return held
}

test('a sandbox whose host is never found does not keep the live one from being found again', async () => {
  const database = await createDatabase()
  const { key } = await createTestKey(database.pool, { mode: 'live' })
  await using proxy = await DatabaseProxy.start(database.url)
  const url = new URL(proxy.url)
  url.hostname = 'localhost'
  const held = silenceNameServer()
  const { call } = await startStores(
    { databaseUrl: url.href, sandboxUrl: `postgres://nobody@${SILENT}/none` },
    { database: { ...TEST_TIMES.database, holdMs: 300 } },
  )
  await until(async () => (await call('/readyz')).status === 200)
  for (let i = 0; i < 3; i++) {
    await proxy.takeAway()
    await until(async () => (await call('/readyz')).status === 503)
    await proxy.bringBack()
    await until(async () => (await call('/v1/pets', { key })).status === 200)
  }
  assert.deepEqual(held, [SILENT])
})
