import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import pg from 'pg'
import type { NewPet } from '../../src/domain/types/pet.ts'
import { HELD_BY } from '../../src/http/pets/examples.ts'
import { generateKey, hashKey } from '../../src/lib/ids/key-format.ts'
import type { Idempotent } from '../../src/storage/idempotency/stored-keys.ts'
import { storeStatement } from '../../src/storage/pets/idempotent-pets.ts'
import { withWords } from '../../src/storage/search/written-words.ts'
import { caller, parseExact, patchJson, postJson, startApp } from '../support/app.ts'
import { assertErrorBody } from '../support/assert-error.ts'
import { categoryCalls } from '../support/categories.ts'
import { categoryErrors } from '../support/category-errors.ts'
import { breakPets } from '../support/database.ts'
import { eventErrors } from '../support/event-errors.ts'
import { createTestKey, insertHeldPet, insertPets } from '../support/factories.ts'
import { orderErrors } from '../support/order-errors.ts'
import { exchange } from '../support/raw.ts'
import { WITH_WEBHOOKS, webhookErrors } from '../support/webhook-errors.ts'

// Every status and every example that openapi.json has for an operation, provoked, and compared with the response.
const app = await startApp(WITH_WEBHOOKS)
const broken = await startApp(WITH_WEBHOOKS)
const away = await startApp({ ...WITH_WEBHOOKS, databaseUrl: 'postgres://nobody@127.0.0.1:1/none' })
const busy = await startApp({ maxInFlight: 1 })
const limited = await startApp({ rateLimit: { quota: 1, windowSeconds: 3_600 } })
const none = (await createTestKey(app.pool, { scopes: [] })).key
await insertPets(app.pool, ['sold'])
await insertPets(broken.pool, ['sold'])
const keyless = await startApp()
// Columns have another type than statements expect: an error that the service can't handle.
await breakPets(broken.pool)
await broken.pool.query('alter table categories alter column id type boolean using true')
await broken.pool.query('alter table orders alter column id type text, alter column expires_at type text')
await broken.pool.query('alter table events alter column version type text')
await broken.pool.query(`
  alter table webhook_attempts drop constraint webhook_attempts_webhook_id_fkey;
  alter table webhooks alter column id type int using 0`)
await keyless.pool.query('alter table api_keys alter column hash type int using 0')
await broken.pool.query('alter table deprecated_calls alter column api_key_id type int using 0')

// A pet that an order holds, and one that was changed three times.
const reserved = await startApp()
await insertHeldPet(reserved.pool, HELD_BY)
const changed = await startApp(WITH_WEBHOOKS)
await insertPets(changed.pool, ['available'])
await changed.pool.query('update pets set version = 4')

interface Outcome {
  status: number
  text: string
}

interface Target {
  operationId: string
  path: string
  init: RequestInit & { method: string }
  errors: string[]
}

const expired = (await createTestKey(app.pool, { expiresAt: new Date(0) })).key
const revoked = await createTestKey(app.pool)
await app.pool.query('update api_keys set revoked_at = now() where id = $1', [revoked.id])

interface Example {
  value: unknown
}

interface Operation {
  operationId: string
  tags: string[]
  parameters?: { name: string; in: string; example: unknown }[]
  requestBody?: { content: { 'application/json': { examples: Record<string, Example> } } }
  responses: Record<string, { content: { 'application/json': { examples: Record<string, Example> } } }>
}

const document = parseExact(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { properties?: Record<string, { examples?: unknown[] }> }> }
}
const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
const exampleOf = (operationId: string, status: string, name: string) =>
  operations.find((operation) => operation.operationId === operationId)!.responses[status]!.content['application/json']
    .examples[name]!.value

/** The errors that an operation documents, as "400 bad_request". */
function errorsOf(operationId: string) {
  const { responses } = operations.find((operation) => operation.operationId === operationId)!
  return Object.entries(responses).flatMap(([status, { content }]) =>
    status < '400' ? [] : Object.keys(content['application/json'].examples).map((code) => `${status} ${code}`),
  )
}

const pet = postJson({ name: 'Rex', categoryId: 1 })
const withKey = (key: string, categoryId = 1) => ({
  ...postJson({ name: 'Rex', categoryId }),
  headers: { 'content-type': 'application/json', 'idempotency-key': key },
})
const brokenCall = caller(broken.address, broken.key)
// A key that no process has looked up yet: the row of one in use is at hand, whatever happens to the database.
const unseen = generateKey('live')
const keylessCall = caller(keyless.address, unseen)
const awayCall = caller(away.address, app.key)
const busyCall = caller(busy.address, busy.key)
assert.equal((await limited.call('/v1/pets')).status, 200) // and so its limit is reached
/** A request to each documented operation that would succeed: with the example of its path parameter and of its body. */
const targets = Object.entries(document.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, { operationId, parameters = [], requestBody }]): Target => {
    const [body] = Object.values(requestBody?.content['application/json'].examples ?? {})
    const path = template.replace(/{(\w+)}/, (_, name) => String(parameters.find((one) => one.name === name)?.example))
    const init = { ...(body && postJson(body.value)), method: method.toUpperCase() }
    return { operationId, path: `/v1${path}`, init, errors: errorsOf(operationId) }
  }),
)
const overloaded = await whileFull(async () => {
  const answers: Record<string, Outcome> = {}
  for (const { operationId, path, init } of targets) answers[operationId] = await busyCall(path, init)
  return { answers, readyz: await busyCall('/readyz') }
})

const raw = async (bytes: string): Promise<Outcome> => {
  const [answer] = await exchange(app.address, bytes)
  return { status: answer!.status, text: answer!.body }
}

/** How to provoke an error that operations have in common. */
const COMMON: Record<string, (target: Target) => Promise<Outcome>> = {
  '400 bad_request': ({ path, init }) => raw(`${init.method} ${path} HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`),
  '401 missing_credentials': ({ path, init }) => app.call(path, { ...init, key: null }),
  '401 invalid_credentials': ({ path, init }) => app.call(path, { ...init, key: 'noise' }),
  '401 expired_credentials': ({ path, init }) => app.call(path, { ...init, key: expired }),
  '401 revoked_credentials': ({ path, init }) => app.call(path, { ...init, key: revoked.key }),
  '403 insufficient_scope': ({ path, init }) => app.call(path, { ...init, key: none }),
  '408 request_timeout': ({ path, init }) => raw(`${init.method} ${path} HTTP/1.1\r\n`),
  '429 rate_limited': ({ path, init }) => limited.call(path, init),
  '431 headers_too_large': ({ path, init }) =>
    raw(`${init.method} ${path} HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`),
  '500 internal_error': ({ path, init }) => brokenCall(path, init),
  '503 unavailable': ({ path, init }) => awayCall(path, init),
  '503 overloaded': async ({ operationId }) => overloaded.answers[operationId]!,
}

const periods = (boundaries: string) => `/v1/store/orders/counts?status=completed&boundaries=${boundaries}`

/** How to provoke an error that one operation has, or has in another way. */
const SPECIFIC: Record<string, Record<string, () => Promise<Outcome>>> = {
  listPets: {
    '400 invalid_parameter': () => app.call('/v1/pets?status=Sold'),
    '400 invalid_cursor': () => app.call('/v1/pets?cursor=x'),
  },
  createPet: {
    '400 invalid_json': () => app.call('/v1/pets', postJson('{')),
    '400 invalid_body': () => app.call('/v1/pets', postJson('{}')),
    '400 invalid_idempotency_key': () => app.call('/v1/pets', withKey('"')),
    '409 idempotency_in_progress': whileItsKeyIsBeingStored,
    '413 payload_too_large': () => app.call('/v1/pets', postJson(' '.repeat(65_537))),
    '415 unsupported_media_type': () => app.call('/v1/pets', { ...pet, headers: { 'content-type': 'text/plain' } }),
    '422 idempotency_key_reused': async () => {
      assert.equal((await app.call('/v1/pets', withKey('reused', 1))).status, 201)
      return app.call('/v1/pets', withKey('reused', 2))
    },
  },
  countPets: {
    '400 invalid_parameter': () => app.call('/v1/pets/count?name=Rex'),
    '500 internal_error': () => brokenCall('/v1/pets/count?categoryId=1'),
  },
  countPetsByStatus: {
    '400 invalid_parameter': () => app.call('/v1/pets/counts'),
    '500 internal_error': () => brokenCall('/v1/pets/counts?categoryId=1'),
  },
  getPet: { '404 pet_not_found': () => app.call('/v1/pets/999') },
  updatePet: {
    '400 invalid_json': () => app.call('/v1/pets/1', patchJson('{')),
    '400 invalid_body': () => app.call('/v1/pets/1', patchJson('{}')),
    '400 invalid_parameter': () => app.call('/v1/pets/1', patchJson({ name: 'Rex' }, { 'if-match': '3' })),
    '404 pet_not_found': () => app.call('/v1/pets/999', patchJson({ name: 'Rex' })),
    '409 pet_reserved': () => reserved.call('/v1/pets/1', patchJson({ status: null })),
    '412 version_mismatch': () => changed.call('/v1/pets/1', patchJson({ name: 'Rex' }, { 'if-match': '"3"' })),
    '413 payload_too_large': () => app.call('/v1/pets/1', patchJson(' '.repeat(65_537))),
    '415 unsupported_media_type': () => app.call('/v1/pets/1', patchJson('x', { 'content-type': 'text/plain' })),
    '428 version_required': () => app.call('/v1/pets/1', patchJson({ status: null })),
  },
  deletePet: {
    '400 invalid_parameter': () => app.call('/v1/pets/1', { method: 'DELETE', headers: { 'if-match': '3' } }),
    '404 pet_not_found': () => app.call('/v1/pets/999', { method: 'DELETE' }),
    '409 pet_reserved': () => reserved.call('/v1/pets/1', { method: 'DELETE' }),
    '412 version_mismatch': () => changed.call('/v1/pets/1', { method: 'DELETE', headers: { 'if-match': '"3"' } }),
  },
  ...(await categoryErrors(app, reserved, changed)),
  ...(await orderErrors(app)),
  countOrdersByPeriod: {
    '400 invalid_parameter': () => app.call(periods('2026-11-17T00:00:00Z,2026-11-16T00:00:00Z')),
    '500 internal_error': () => brokenCall(periods('2026-11-16T00:00:00Z,2026-11-17T00:00:00Z')),
  },
  ...eventErrors(app.call),
  ...(await webhookErrors(app, changed, reserved)),
  getOwnKey: { '500 internal_error': () => keylessCall('/v1/keys/self') },
  listKeys: {
    '400 invalid_parameter': () => app.call('/v1/keys?limit=0'),
    '400 invalid_cursor': () => app.call('/v1/keys?cursor=x'),
    '500 internal_error': () => keylessCall('/v1/keys'),
  },
  listKeyNames: { '500 internal_error': () => keylessCall('/v1/keys/names') },
  getStatus: { '500 internal_error': () => keylessCall('/v1/status') },
}

test('each documented error can be provoked, and reads as documented', { concurrency: true }, async (t) => {
  const provoked = targets.flatMap((target) =>
    target.errors.map((name) =>
      t.test(`${target.operationId} returns ${name}`, async () => {
        const [status, code] = name.split(' ') as [string, string]
        const provoke = SPECIFIC[target.operationId]?.[name] ?? COMMON[name]
        assert.ok(provoke, 'say in SPECIFIC how to provoke it')
        const answer = await provoke(target)
        assert.equal(answer.status, Number(status), answer.text)
        assertErrorBody(answer.text, Number(status), code)
        assert.deepEqual(parseExact(answer.text), exampleOf(target.operationId, status, code))
      }),
    ),
  )
  await Promise.all(provoked)
})

test('each documented success reads as documented', async () => {
  const { call, pool } = await startApp()
  const create = async (body: unknown) => {
    const answer = await call('/v1/pets', postJson(body))
    assert.equal(answer.status, 201)
    return answer.body
  }
  const [rex, whiskers] = exampleOf('listPets', '200', 'page') as [object, object]
  assert.deepEqual([await create(rex), await create(whiskers)], [rex, whiskers])
  assert.deepEqual((await call('/v1/pets')).body, exampleOf('listPets', '200', 'page'))
  assert.deepEqual((await call('/v1/pets?status=sold')).body, exampleOf('listPets', '200', 'empty'))
  assert.deepEqual((await call('/v1/pets/1')).body, exampleOf('getPet', '200', 'pet'))
  await pool.query(`update pets set status = 'pending', version = 2, held_by = 3764013288910749701 where id = 2`)
  assert.deepEqual((await call('/v1/pets?view=full')).body, exampleOf('listPets', '200', 'full'))
  const { requestBody } = operations.find(({ operationId }) => operationId === 'createPet')!
  const requests = Object.entries(requestBody!.content['application/json'].examples)
  for (const [name, { value }] of requests) assert.deepEqual(await create(value), exampleOf('createPet', '201', name))

  const patched = operations.find(({ operationId }) => operationId === 'updatePet')!.requestBody!
  const patches = Object.entries(patched.content['application/json'].examples)
  for (const [name, { value }] of patches)
    assert.deepEqual((await call('/v1/pets/1', patchJson(value))).body, exampleOf('updatePet', '200', name))
  assert.equal((await call('/v1/pets/1', { method: 'DELETE' })).status, 204)

  const other = await createTestKey(pool)
  await pool.query(
    `insert into deprecated_calls values ($1, 'getPet', 12, '2026-11-20T09:15:00Z', '2026-12-01T17:30:00Z')`,
    [other.id],
  )
  const used = await call('/v1/deprecations', { key: other.key })
  assert.deepEqual(used.body, exampleOf('listDeprecations', '200', 'used'))
  const unused = await call('/v1/deprecations', { key: (await createTestKey(pool)).key })
  assert.deepEqual(unused.body, exampleOf('listDeprecations', '200', 'unused'))
})

test('categories and counts of pets read as documented', async () => {
  const { call, pool } = await startApp()
  const { put, remove } = categoryCalls(call)
  assert.equal((await call('/v1/categories')).text, '[]')
  const dog = exampleOf('putCategory', '201', 'dog') as { id: bigint; name: string }
  const added = await put(dog.id, dog.name)
  assert.deepEqual([added.status, added.body], [201, dog])
  await remove(dog.id)
  await put(dog.id, 'Hund')
  const renamed = await put(dog.id, dog.name)
  assert.deepEqual([renamed.status, renamed.body], [200, exampleOf('putCategory', '200', 'dog')])
  await remove(dog.id)
  await put(dog.id, dog.name)
  for (const name of ['Katze', 'Cat']) await put(8n, name)
  assert.deepEqual((await call('/v1/categories')).body, exampleOf('listCategories', '200', 'page'))
  for (const status of ['available', 'sold', 'sold'])
    await call('/v1/pets', postJson({ name: 'Rex', categoryId: dog.id, status }))
  assert.deepEqual(
    (await call('/v1/categories?counts=true&limit=1')).body,
    exampleOf('listCategories', '200', 'counts'),
  )
  assert.deepEqual((await call('/v1/pets/count?status=sold')).body, exampleOf('countPets', '200', 'few'))
  await pool.query(`insert into pets (name, category_id) select 'p', 1 from generate_series(1, 1000)`)
  assert.deepEqual((await call('/v1/pets/count')).body, exampleOf('countPets', '200', 'many'))
  const byStatus = { available: 12, sold: 1_000, none: 3 }
  for (const [status, count] of Object.entries(byStatus))
    await pool.query(
      `insert into pets (name, category_id, status) select 'p', 77, nullif($1, 'none') from generate_series(1, $2::int)`,
      [status, count],
    )
  const counted = await call('/v1/pets/counts?categoryId=77')
  assert.deepEqual(counted.body, exampleOf('countPetsByStatus', '200', 'category'))
  for (const id of [7n, 8n]) assert.equal((await remove(id)).status, 204)
  assert.deepEqual((await call('/v1/categories')).body, exampleOf('listCategories', '200', 'empty'))
})

test('a key is shown as documented', async () => {
  for (const name of ['whole', 'least']) {
    const example = exampleOf('getOwnKey', '200', name) as Record<string, unknown>
    const { key } = await createTestKey(app.pool)
    const limit = example['rateLimit'] as { quota: bigint; windowSeconds: bigint } | undefined
    await app.pool.query(
      `update api_keys set (id, name, mode, scopes, created_at, expires_at, rate_quota, rate_window_seconds, replaced_by) =
         ($2, $3, $4, $5, $6, $7, $8, $9, $10) where hash = $1`,
      [
        hashKey(key),
        ...['id', 'name', 'mode', 'scopes', 'createdAt', 'expiresAt'].map((field) => example[field]),
        limit?.quota,
        limit?.windowSeconds,
        example['replacedBy'],
      ],
    )
    const { body } = await app.call('/v1/keys/self', { key })
    assert.deepEqual(body, example)
  }
})

test('each example of a parameter or a field is accepted', async () => {
  const ofPets = operations.filter(({ tags }) => tags.includes('pets'))
  for (const { name, in: place, example } of ofPets.flatMap(({ parameters = [] }) => parameters)) {
    assert.notEqual(example, undefined, name)
    if (place === 'header') {
      const headers = { 'content-type': 'application/json', [name]: String(example) }
      assert.equal((await app.call('/v1/pets', { ...postJson({ name: 'Rex', categoryId: 1 }), headers })).status, 201)
      continue
    }
    const path = place === 'path' ? `/v1/pets/${String(example)}` : `/v1/pets?${name}=${String(example)}`
    assert.equal((await app.call(path)).status, 200, path)
  }
  const fields = document.components.schemas['NewPet']!.properties!
  const pets = Object.entries(fields).flatMap(([name, { examples = [] }]) =>
    examples.map((value) => ({ [name]: value })),
  )
  assert.ok(pets.length >= 2)
  for (const field of pets)
    assert.equal((await app.call('/v1/pets', postJson({ name: 'Rex', categoryId: 1, ...field }))).status, 201)
})

test('no error is provoked that is not documented', () => {
  for (const [operationId, errors] of Object.entries(SPECIFIC))
    for (const name of Object.keys(errors)) assert.ok(errorsOf(operationId).includes(name), `${operationId}: ${name}`)
})

test('internal errors are not exposed', async () => {
  const { text, headers } = await brokenCall('/v1/pets')
  assert.doesNotMatch(text, /column|name|sql|select|at /i)
  assert.ok(broken.logs.some((line) => line.includes(headers.get('request-id')!) && line.includes('does not exist')))
})

test('a 503 without the database has Retry-After, and a busy process is still ready', async () => {
  assert.equal((await awayCall('/v1/pets')).headers.get('retry-after'), '1')
  assert.equal(overloaded.readyz.status, 200)
})

/** Another process has stored the key and does not commit, for longer than a request may wait. */
async function whileItsKeyIsBeingStored() {
  const own = await createTestKey(app.pool)
  const other = new pg.Client(app.url)
  await other.connect()
  await other.query('begin')
  const stored: Idempotent<NewPet> = {
    apiKeyId: own.id,
    chainId: own.id,
    key: 'slow',
    fingerprints: ['00'],
    attempt: 1,
    input: { name: 'Rex', categoryId: 1n },
  }
  await other.query(storeStatement([{ ...stored, input: withWords(stored.input) }]))
  const answer = await app.call('/v1/pets', { ...withKey('slow'), key: own.key })
  assert.equal(answer.headers.get('retry-after'), '1')
  await other.end()
  return answer
}

/** While the one request that is admitted waits for a lock. */
async function whileFull<T>(work: () => Promise<T>) {
  const lock = await busy.pool.connect()
  await lock.query('begin; lock table pets')
  const waiting = [busyCall('/v1/pets', pet)]
  for (let blocked = 0; blocked < waiting.length; ) {
    const { rows } = await lock.query<{ count: string }>(`select count(*) from pg_locks where not granted`)
    blocked = Number(rows[0]!.count)
  }
  const result = await work()
  await lock.query('rollback')
  lock.release()
  await Promise.all(waiting)
  return result
}
