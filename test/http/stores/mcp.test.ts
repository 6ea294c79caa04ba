import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caller, startApp } from '../../support/app.ts'
import { addPet } from '../../support/events.ts'
import { createTestKey } from '../../support/factories.ts'
import { connectClient, REVISIONS, toolCaller } from '../../support/mcp.ts'
import { startStores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'

const { live, sandbox, address } = await startStores()
const alone = await startApp()

for (const revision of REVISIONS)
  test(`${revision}: agents learn that they are in a sandbox, and only there`, async () => {
    const instructionsOf = async (url: string, key: string) =>
      (await connectClient(url, key, revision)).getInstructions() ?? ''
    assert.match(await instructionsOf(address, sandbox.key), /This is a sandbox/)
    for (const instructions of [
      await instructionsOf(address, live.key),
      // A test key, without a sandbox.
      await instructionsOf(alone.address, alone.key),
    ]) {
      assert.match(instructions, /^A pet store\./)
      assert.doesNotMatch(instructions, /sandbox/)
    }
  })

test('lists of a store that hangs, of however many agents, do not keep those of the other waiting', async () => {
  const lock = await sandbox.pool.connect()
  await lock.query('begin; lock table pets')
  const keys = await Promise.all(Array.from({ length: 4 }, () => createTestKey(sandbox.pool)))
  const waiting = keys.flatMap(({ key }) =>
    Array.from({ length: 4 }, () => toolCaller(caller(address, key))('find_pets')),
  )
  try {
    await until(async () => {
      const { rowCount } = await sandbox.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rowCount
    })
    const ended = Promise.race(waiting).then(() => undefined)
    // The first of them may come before the others have their turns.
    for (let i = 0; i < 20; i++) {
      const first = await Promise.race([toolCaller(live.call)('find_pets'), ended])
      assert.equal(first?.isError, false)
    }
  } finally {
    await lock.query('rollback')
    lock.release()
  }
  for (const { isError } of await Promise.all(waiting)) assert.equal(isError, false)
})

test('tools read and change the store of the key', async () => {
  for (const store of [live, sandbox]) {
    await addPet(store.call)
    const callTool = toolCaller(store.call)
    const changed = await callTool('change_pet', { petId: '1', version: '1', name: store === live ? 'Live' : 'Test' })
    assert.equal(changed.isError, false, changed.text)
  }
  for (const store of [live, sandbox]) {
    const { value } = await toolCaller(store.call)('find_pets')
    assert.deepEqual(
      (value['pets'] as { name: string }[]).map(({ name }) => name),
      [store === live ? 'Live' : 'Test'],
    )
  }
})
