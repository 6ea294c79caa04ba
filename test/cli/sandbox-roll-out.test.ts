import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caller } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createDatabase } from '../support/database.ts'
import { createTestKey } from '../support/factories.ts'
import { serveHere } from '../support/process.ts'
import { runCommand } from '../support/sandbox.ts'
import { until } from '../support/until.ts'

for (const empty of [false, true])
  test(`processes that have the variable before the move, with a database ${empty ? 'that is empty' : 'at this version'}: test keys get 503, which is not a wrong key, until it is done`, async () => {
    const [live, sandbox] = await Promise.all([createDatabase(), createDatabase({ empty })])
    const env = { DATABASE_URL: live.url, SANDBOX_DATABASE_URL: sandbox.url }
    const [{ key }, { key: testKey }] = [
      await createTestKey(live.pool, { mode: 'live' }),
      await createTestKey(live.pool, { mode: 'test' }),
    ]
    const { address } = await serveHere(live.url, { ...env, AUTH_FAILURE_LIMIT: '2/h' })
    const [asLive, asTest] = [caller(address, key), caller(address, testKey)]
    for (let i = 0; i < 4; i++) assertError(await asTest('/v1/pets'), 503, 'unavailable')
    for (const path of ['/v1/pets', '/readyz']) assert.equal((await asLive(path)).status, 200)

    await runCommand(env, 'sandbox', 'create')
    await until(async () => {
      const answer = await asTest('/v1/pets')
      assert.ok(answer.status === 200 || answer.status === 503, answer.text)
      return answer.headers.get('petstore-mode') === 'test'
    })
    assert.equal((await asLive('/v1/pets')).status, 200)
  })
