import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { freePort } from '../src/cli/dev/embedded-postgres.ts'
import { caller, postJson } from './support/app.ts'
import { startCollector } from './support/collector.ts'
import { createDatabase } from './support/database.ts'
import { createTestKey } from './support/factories.ts'
import { serve } from './support/process.ts'
import { DatabaseProxy } from './support/proxy.ts'
import { keepSecret, secretIn, watch } from './support/secrets.ts'
import { until } from './support/until.ts'

const execute = promisify(execFile)

test('the scan finds a key, a password and an Idempotency-Key, wherever they are', async () => {
  const { pool } = await createDatabase()
  const { key } = await createTestKey(pool)
  const secret = randomBytes(12).toString('hex')
  assert.equal(secretIn(`{"authorization":"Bearer ${key}"}`), key)
  assert.equal(secretIn(`connecting to postgres://petstore:${secret}@db/petstore`), undefined)
  keepSecret(secret)
  assert.equal(secretIn(`connecting to postgres://petstore:${secret}@db/petstore`), secret)
  assert.equal(secretIn('key_4f9a, petk_live_, and no more'), undefined)
})

test('a test file out of which a secret came fails at its end', async () => {
  const leak = (what: string) => `
    import { generateKey } from './src/lib/ids/key-format.ts'
    import { watch } from './test/support/secrets.ts'
    watch('a log', ${what})`
  const run = (what: string) => execute(process.execPath, ['--input-type=module', '--eval', leak(what)])
  await run(`generateKey('live').slice(0, -1)`)
  await assert.rejects(run(`generateKey('live')`), ({ code, stderr }: { code: number; stderr: string }) => {
    return code === 1 && stderr.includes('A secret came out of this: a log')
  })
})

test('a key in any wrong place of a request is never exposed, however the request ends', async () => {
  const { url, pool } = await createDatabase()
  const { key } = await createTestKey(pool)
  const { key: weak } = await createTestKey(pool, { scopes: ['pets:read'] })
  await using proxy = await DatabaseProxy.start(url)
  const adminPort = await freePort()
  const collector = await startCollector()
  const { address, output } = await serve(proxy.url, {
    ADMIN_PORT: String(adminPort),
    LOG_LEVEL: 'trace',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_TRACES_SAMPLER_ARG: '1',
  })
  const call = caller(address, key)
  const misplaced = async (bearer: string) => [
    await call(`/v1/pets?key=${bearer}`),
    await call(`/v1/pets?cursor=${bearer}`),
    await call(`/v1/pets/${bearer}`),
    await call(`/v1/${bearer}`),
    await call('/v1/pets', { key: `${bearer}x` }),
    await call('/v1/pets', { key: bearer, headers: { 'request-id': bearer, origin: `https://${bearer}.example` } }),
    await call('/v1/pets', { key: bearer, ...postJson({ name: bearer, categoryId: bearer }) }),
    await call('/v1/pets', { key: bearer, ...postJson(bearer) }),
    await call('/v1/pets', { key: bearer, ...postJson({ name: 'Rex', categoryId: 1 }, { 'idempotency-key': bearer }) }),
    await call('/v1/pets', {
      key: bearer,
      ...postJson({ name: bearer, categoryId: 1 }, { 'idempotency-key': 'once' }),
    }),
    await call('/v1/pets', {
      key: bearer,
      ...postJson({ name: bearer, categoryId: 2 }, { 'idempotency-key': 'once' }),
    }),
    await call('/v1/pets', { key: bearer, ...postJson('{}', { 'content-type': bearer }) }),
  ]
  const answers = [...(await misplaced(key)), ...(await misplaced(weak))]
  await proxy.takeAway()
  answers.push(...(await Promise.all([call('/v1/pets'), call('/v1/pets', postJson({ name: 'Rex', categoryId: 1 }))])))
  assert.deepEqual(
    new Set(answers.map(({ status }) => status).filter((status) => status >= 400)),
    new Set([400, 401, 403, 415, 422, 503]),
  )
  // What does not get through to an answer is watched by `caller`, `serve` and the collector; these are not.
  watch('the metrics', await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text())
  for (const { headers } of answers) watch('the headers of an answer', [...headers].join('\n'))
  // Lines and spans are gathered for a while before they are sent.
  await until(() => output.stdout.includes('"status":503'))
  await until(() => collector.spans.length >= answers.length)
})
