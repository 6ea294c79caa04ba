import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES, type Scope } from '../../src/domain/principal.ts'
import { generateKey, hashKey } from '../../src/lib/ids/key-format.ts'
import { migrate } from '../../src/storage/postgres/migrate.ts'
import { type Call, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createDatabase } from '../support/database.ts'
import { createTestKey } from '../support/factories.ts'
import { petstore } from '../support/process.ts'
import { releasedMigrations } from '../support/released-migrations.ts'

const { call, pool, url } = await startApp()
const OLD = ['pets:read', 'pets:write']

interface OperationObject {
  operationId: string
  description: string
  parameters?: { name: string; example: unknown }[]
  responses: Record<string, { content?: Record<string, { examples: Record<string, { value: { message: string } }> }> }>
}

/** Every operation that the service declares, with the scopes that it documents: a new one is tested here too. */
async function declaredOperations() {
  const { paths } = JSON.parse((await call('/openapi.json')).text) as {
    paths: Record<string, Record<string, OperationObject>>
  }
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { operationId, description, parameters = [], responses }]) => {
      const path = template.replaceAll(/{(\w+)}/g, (_, name) =>
        String(parameters.find((each) => each.name === name)?.example),
      )
      const { message } = responses['403']?.content?.['application/json']?.examples['insufficient_scope']?.value ?? {}
      const [, documented = ''] = / Needs the scopes? (.+)\.$/.exec(description) ?? []
      const scopes = Array.from(documented.matchAll(/`([a-z:]+)`/g), ([, each]) => each as Scope)
      assert.equal(message?.includes(`the scope ${scopes[0]}.`) ?? false, scopes.length > 0, operationId)
      return { operationId, method: method.toUpperCase(), path: `/v1${path}`, scopes }
    }),
  )
}
const operations = await declaredOperations()
const keyWith = async (scopes: readonly Scope[]) => (await createTestKey(pool, { scopes: [...scopes] })).key

async function assertLacks(send: Call, key: string, operation: (typeof operations)[number], lacking?: Scope) {
  const { method, path, scopes } = operation
  // The body is incomplete and of no type, which a key that may do this would hear of.
  const answer = await send(path, { method, key, ...(method === 'POST' && { body: '{' }) })
  assertError(answer, 403, 'insufficient_scope')
  assert.ok(answer.text.includes(`the scope ${lacking ?? scopes[0]}.`), answer.text)
  assert.equal(
    answer.headers.get('www-authenticate'),
    `Bearer realm="petstore", error="insufficient_scope", scope="${scopes.join(' ')}"`,
  )
}

/** Whatever else may be wrong with the request. */
async function assertAllowed(send: Call, key: string, { method, path }: (typeof operations)[number]) {
  const { status, text } = await send(path, { method, key })
  assert.ok(status !== 401 && status !== 403 && status < 500, `${method} ${path} returned ${status}: ${text}`)
}

async function assertAsBefore(send: Call, key: string) {
  for (const operation of operations) {
    const isOld = operation.scopes.every((scope) => OLD.includes(scope))
    await (isOld ? assertAllowed : assertLacks)(send, key, operation)
  }
  assert.equal((await send('/v1/pets', { key })).status, 200)
}

for (const operation of operations.filter(({ scopes }) => scopes.length > 0)) {
  const { operationId, scopes } = operation
  test(`${operationId} needs the scope ${scopes.join(' and ')}, and no other`, async () => {
    for (const scope of scopes)
      await assertLacks(call, await keyWith(SCOPES.filter((each) => each !== scope)), operation, scope)
    await assertAllowed(call, await keyWith(scopes), operation)
  })
}

test('a webhook receives any event, so what makes it deliver for a key needs the scope of events too', () => {
  const both = operations.filter(({ scopes }) => scopes.join() === 'webhooks:manage,events:read')
  assert.deepEqual(
    both.map(({ operationId }) => operationId),
    ['createWebhook', 'updateWebhook', 'rotateWebhookSecret'],
  )
})

test('S2: a key with scopes that this version does not know works, lists them, and can be rotated', async () => {
  const made = await createTestKey(pool, { scopes: ['pets:read'] })
  const scopes = ['toys:break', 'pets:read', 'all', '*']
  await pool.query('update api_keys set scopes = $2 where id = $1', [made.id, scopes])
  assert.equal((await call('/v1/pets', { key: made.key })).status, 200)
  assertError(await call('/v1/pets', { method: 'POST', key: made.key }), 403, 'insufficient_scope')
  const self = await call('/v1/keys/self', { key: made.key })
  assert.deepEqual((self.body as { scopes: string[] }).scopes, scopes)

  const env = { DATABASE_URL: url }
  const shown = await petstore(['keys', 'show', made.id, '--json'], env)
  assert.deepEqual((JSON.parse(shown.stdout) as { scopes: string[] }).scopes, scopes)
  const rotated = await petstore(['keys', 'rotate', made.id, '--json'], env)
  const successor = JSON.parse(rotated.stdout) as { key: string; scopes: string[] }
  assert.deepEqual(successor.scopes, scopes)
  assert.equal((await call('/v1/pets', { key: successor.key })).status, 200)
})

test('O22: keys of the first release have the same scopes after all migrations', async () => {
  const old = await createDatabase({ empty: true })
  await migrate(old.url, { directory: releasedMigrations() })
  const given = [[], ['pets:read'], ['pets:write'], OLD]
  const keys = given.map((scopes, i) => ({ id: `key_${i}`, key: generateKey('live'), scopes }))
  for (const { id, key, scopes } of keys)
    await old.pool.query(`insert into api_keys (id, name, mode, hash, scopes) values ($1, $1, 'live', $2, $3)`, [
      id,
      hashKey(key),
      scopes,
    ])
  await migrate(old.url)
  const { rows } = await old.pool.query<{ scopes: string[] }>('select scopes from api_keys order by id')
  assert.deepEqual(
    rows.map(({ scopes }) => scopes),
    given,
  )
  const upgraded = await startApp({ databaseUrl: old.url })
  await assertAsBefore(upgraded.call, keys.at(-1)!.key)
})
