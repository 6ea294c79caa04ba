import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { addPet } from '../../support/events.ts'
import { connectClient, REVISIONS, toolCaller } from '../../support/mcp.ts'
import { startStores } from '../../support/stores.ts'

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
