import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONTRACT } from '../../acceptance/contract.ts'
import { verify } from '../../acceptance/run.ts'
import { parseNetworks } from '../../src/lib/client-address.ts'
import { startApp } from '../support/app.ts'
import { launch, petstore } from '../support/process.ts'
import { until } from '../support/until.ts'
import { WITH_WEBHOOKS } from '../support/webhook-errors.ts'
import { webhookCalls } from '../support/webhooks.ts'

// A store that accepts receivers which the contract rejects: each clause about them creates a webhook that it did not expect.
const app = await startApp({
  ...WITH_WEBHOOKS,
  webhookNetworks: parseNetworks('10.0.0.0/8,192.168.0.0/16,169.254.0.0/16'),
})
const base = `${app.address}/v1`
const { list } = webhookCalls(app.call)
const IDS = ['webhooks.w3.private-10', 'webhooks.w3.private', 'webhooks.w3.link-local']

test('a run deletes the webhooks that it has created, also those that it did not expect, and prints no secret', async () => {
  const only = IDS.flatMap((id) => ['--only', id])
  for (const format of [[], ['--json']]) {
    const { code, stdout, stderr } = await petstore(
      ['verify', '--base-url', base, '--profile', 'store', ...only, ...format],
      { PETSTORE_KEY: app.key },
    )
    assert.equal(code, 1)
    for (const id of IDS) assert.ok(stdout.includes(id), stdout + stderr)
    assert.match(stdout, /whsec_…/)
    assert.doesNotMatch(stdout + stderr, /whsec_\w/)
    assert.deepEqual(await list(), [])
  }
})

test('a run that stops at its first failure leaves no webhook either', async () => {
  const clauses = CONTRACT.filter(({ id }) => IDS.includes(id) || id.startsWith('webhooks.rotate'))
  await verify(new URL(base), { key: app.key }, clauses, { bail: true, onOutcome: () => {} })
  assert.deepEqual(await list(), [])
})

test('a run that is interrupted leaves no webhook either, and says which clauses were not tried', async () => {
  const only = [...IDS, 'events.e5.over'].flatMap((id) => ['--only', id])
  const child = launch(['verify', '--base-url', base, '--profile', 'store', '--json', ...only], {
    PETSTORE_KEY: app.key,
  })
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  await until(async () => (await list()).length > 0)
  child.kill('SIGINT')
  assert.equal(await exited, 1, child.output.stderr)
  assert.match(child.output.stdout, /"notTried": *"stopped"/)
  assert.deepEqual(await list(), [])
})
