import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { caller, postJson, startApp } from '../support/app.ts'
import { assertErrorBody } from '../support/assert-error.ts'
import { createTestKey, insertPets } from '../support/factories.ts'
import { exchange } from '../support/raw.ts'

// Every status that openapi.json documents for an operation, provoked. The last test fails when one is missing here.
const app = await startApp()
const broken = await startApp()
const away = await startApp({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' })
const none = (await createTestKey(app.pool, { scopes: [] })).key
const [id] = await insertPets(app.pool, ['sold'])
await insertPets(broken.pool, ['sold'])
// The table has lost a column: a fault that the service can't foresee.
await broken.pool.query('alter table pets rename column name to title')

interface Outcome {
  status: number
  text: string
}

const pet = postJson({ name: 'Rex', categoryId: 1 })
const brokenCall = caller(broken.address, broken.key)
const awayCall = caller(away.address, app.key)

const raw = async (bytes: string): Promise<Outcome> => {
  const [answer] = await exchange(app.address, bytes)
  return { status: answer!.status, text: answer!.body }
}

const common = (path: string, init: RequestInit & { method: string }): Record<string, () => Promise<Outcome>> => ({
  '400 bad_request': () => raw(`${init.method} /v1${path} HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`),
  '401 missing_credentials': () => app.call(`/v1${path}`, { ...init, key: null }),
  '403 insufficient_scope': () => app.call(`/v1${path}`, { ...init, key: none }),
  '408 request_timeout': () => raw(`${init.method} /v1${path} HTTP/1.1\r\n`),
  '431 headers_too_large': () => raw(`${init.method} /v1${path} HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`),
  '500 internal_error': () => brokenCall(`/v1${path}`, init),
  '503 unavailable': () => awayCall(`/v1${path}`, init),
})

const OPERATIONS: Record<string, Record<string, () => Promise<Outcome>>> = {
  listPets: {
    200: () => app.call('/v1/pets'),
    '400 invalid_parameter': () => app.call('/v1/pets?limit=0'),
    '400 invalid_cursor': () => app.call('/v1/pets?cursor=x'),
    ...common('/pets', { method: 'GET' }),
  },
  createPet: {
    201: () => app.call('/v1/pets', pet),
    '400 invalid_json': () => app.call('/v1/pets', postJson('{')),
    '400 invalid_body': () => app.call('/v1/pets', postJson('{}')),
    '413 payload_too_large': () => app.call('/v1/pets', postJson(' '.repeat(65_537))),
    '415 unsupported_media_type': () => app.call('/v1/pets', { ...pet, headers: { 'content-type': 'text/plain' } }),
    ...common('/pets', { ...pet, method: 'POST' }),
  },
  getPet: {
    200: () => app.call(`/v1/pets/${id}`),
    '404 pet_not_found': () => app.call('/v1/pets/999'),
    ...common(`/pets/${id}`, { method: 'GET' }),
  },
}

test('each documented status can be provoked', { concurrency: true }, async (t) => {
  const provoked = Object.entries(OPERATIONS).flatMap(([operation, outcomes]) =>
    Object.entries(outcomes).map(([name, provoke]) =>
      t.test(`${operation} answers ${name}`, async () => {
        const [status, code] = name.split(' ')
        const answer = await provoke()
        assert.equal(answer.status, Number(status), answer.text)
        if (code) assertErrorBody(answer.text, Number(status), code)
      }),
    ),
  )
  await Promise.all(provoked)
})

test('no documented status is missing here, and none is provoked that is not documented', () => {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string; responses: object }>>
  }
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  const documented = Object.fromEntries(
    operations.map(({ operationId, responses }) => [operationId, Object.keys(responses)]),
  )
  const provoked = Object.fromEntries(
    Object.entries(OPERATIONS).map(([operation, outcomes]) => [
      operation,
      [...new Set(Object.keys(outcomes).map((name) => name.slice(0, 3)))].toSorted(),
    ]),
  )
  assert.deepEqual(provoked, documented)
})

test('what went wrong inside stays inside', async () => {
  const { text, headers } = await brokenCall('/v1/pets')
  assert.doesNotMatch(text, /column|name|sql|select|at /i)
  assert.ok(broken.logs.some((line) => line.includes(headers.get('request-id')!) && line.includes('does not exist')))
})

test('a refusal for want of the database says when to come back', async () => {
  assert.equal((await awayCall('/v1/pets')).headers.get('retry-after'), '1')
})
