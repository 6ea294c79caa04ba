import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caller, postJson } from '../../support/app.ts'
import { createTestKey } from '../../support/factories.ts'
import { serve } from '../../support/process.ts'
import { createStores, runCommand } from '../../support/sandbox.ts'
import { countRows } from '../../support/stores.ts'
import { until } from '../../support/until.ts'

const [CALLERS, CREATES] = [8, 25]

test('of three processes, the one without the variable writes nothing for test keys once they were moved, whatever the load', async () => {
  const { live, sandbox, env } = await createStores()
  const { key } = await createTestKey(live.pool)
  const configured = await Promise.all([serve(live.url, env), serve(live.url, env)])
  const forgotten = await serve(live.url)
  const senders = [...configured, forgotten].map(({ address }) => caller(address, key))
  let number = 0
  const create = async (send: (typeof senders)[number]) => {
    const headers = { 'idempotency-key': `fleet-${++number}` }
    return (await send('/v1/pets', postJson({ name: `Pet ${number}`, categoryId: 1 }, headers))).status
  }
  // Before, under load and after: until they are moved, test keys are keys of the live store to it, and to no other.
  const stopping = new AbortController()
  const loads = senders.map(async (send) => {
    while (!stopping.signal.aborted) await create(send)
  })
  await until(async () => (await countRows(live.pool))['pets']! > 0)
  await runCommand(env, 'sandbox', 'create')
  for (const [i, send] of senders.entries()) await until(async () => (await create(send)) === (i < 2 ? 201 : 401))
  stopping.abort()
  await Promise.all(loads)

  const before = await countRows(live.pool)
  const inSandbox = (await countRows(sandbox.pool))['pets']!
  const load = async (send: (typeof senders)[number]) => {
    const statuses = new Set<number>()
    const call = async () => {
      for (let i = 0; i < CREATES; i++) statuses.add(await create(send))
    }
    await Promise.all(Array.from({ length: CALLERS }, call))
    return [...statuses]
  }
  assert.deepEqual(await Promise.all(senders.map(load)), [[201], [201], [401]])
  assert.deepEqual(await countRows(live.pool), before)
  assert.equal((await countRows(sandbox.pool))['pets'], inSandbox + 2 * CALLERS * CREATES)
})
