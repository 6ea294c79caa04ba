import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPetstore, type ResponseInfo } from '../src/index.ts'
import { json, KEY, startFaulty } from './support/faulty.ts'
import { startService } from './support/service.ts'

const use = `{"operation":"getPet","method":"GET","path":"/v1/pets/{petId}","calls":9007199254740993,
  "firstCalled":"2026-11-20T09:15:00.000Z","lastCalled":"2026-12-01T17:30:00.000Z","sunset":"2030-12-05",
  "successor":"/v1/pets?id={petId}","documentation":"/docs#get-pet"}`

test('deprecations lists the deprecated operations this key has called, with exact counts', async () => {
  const { baseUrl, received } = await startFaulty(json(200, `[${use}]`))
  const [getPet] = await createPetstore({ baseUrl, key: KEY }).deprecations()
  assert.equal(getPet?.operation, 'getPet')
  assert.equal(getPet.calls, 9_007_199_254_740_993n)
  assert.equal(received[0]?.url, '/v1/deprecations')
})

test('the real service reports the call of a deprecated operation, in its response and later in the list', {
  timeout: 30_000,
}, async () => {
  const { baseUrl, key } = await startService({ RATE_LIMIT: '100000/m' })
  const infos: ResponseInfo[] = []
  const client = createPetstore({ baseUrl, key, onResponse: (info) => infos.push(info) })
  await client.pets.get(1n)
  assert.deepEqual(infos[0]?.deprecation, { since: new Date('2026-11-14'), sunset: new Date('2030-12-05') })
  assert.deepEqual([infos[0].rateLimit?.quota, infos[0].rateLimit?.windowSeconds], [100_000, 60])

  // Calls are counted within a few seconds.
  let uses = await client.deprecations()
  while (uses.length === 0) uses = await client.deprecations()
  assert.deepEqual([uses[0]?.operation, uses[0]?.calls, uses[0]?.sunset], ['getPet', 1n, '2030-12-05'])
})

test('a body that is no such list is an unexpected response', async () => {
  for (const body of ['{}', '[1]', '[{"operation":"getPet"}]']) {
    const { baseUrl } = await startFaulty(json(200, body))
    await assert.rejects(createPetstore({ baseUrl, key: KEY }).deprecations(), { code: 'unexpected_answer' })
  }
})
