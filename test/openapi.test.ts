import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import Fastify from 'fastify'
import { readConfig } from '../src/config.ts'
import { ERROR_GUIDE } from '../src/http/docs/errors.ts'
import { type Document as ReferenceDocument, reference } from '../src/http/docs/reference.ts'
import { describeRoutes, documentText } from '../src/http/openapi/document.ts'
import { type ErrorCode, STATUS_OF } from '../src/http/wire/errors.ts'
import { openApiDocument } from '../src/service.ts'
import { startApp } from './support/app.ts'

const committed = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document
const { call } = await startApp()

interface Document {
  openapi: string
  info: { version: string }
  security: object[]
  paths: Record<string, Record<string, Record<string, unknown>>>
  components: { schemas: Record<string, { properties: Record<string, { examples?: string[] }> }> }
}

test('openapi.json is what the routes say; `npm run openapi` writes it anew', async () => {
  const generated = await openApiDocument(readConfig({ DATABASE_URL: 'postgres://unused/unused' }))
  assert.equal(readFileSync('openapi.json', 'utf8'), `${generated}\n`)
})

test('the service serves it without a key', async () => {
  const { status, text, headers } = await call('/openapi.json', { key: null })
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/json')
  assert.deepEqual(JSON.parse(text), committed)
})

test('it has the three operations, at the version that was asked for, and others that are marked as beta', () => {
  assert.equal(committed.openapi, '3.1.0')
  assert.equal(committed.info.version, '1.0.0')
  assert.deepEqual(committed.security, [{ apiKey: [] }])
  const operations = Object.entries(committed.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  )
  const stable = operations.filter(({ operation }) => !('x-stability' in operation))
  assert.deepEqual(
    stable.map(({ name }) => name),
    ['get /pets', 'post /pets', 'get /pets/{petId}'],
  )
  const beta = operations.filter(({ operation }) => operation['x-stability'] === 'beta')
  assert.deepEqual(
    beta.map(({ name, operation }) => [name, operation['x-stability-level']]),
    [
      ['get /keys/self', 'beta'],
      ['get /deprecations', 'beta'],
    ],
  )
  assert.equal(stable.length + beta.length, operations.length)
})

test('only getPet is deprecated, with its end', () => {
  for (const operation of Object.values(committed.paths).flatMap((path) => Object.values(path))) {
    const isGetPet = operation['operationId'] === 'getPet'
    assert.equal(operation['deprecated'], isGetPet ? true : undefined)
    assert.equal(operation['x-sunset'], isGetPet ? '2030-12-05' : undefined)
    assert.equal(operation['x-deprecated-sunset'], isGetPet ? '2030-12-05' : undefined)
  }
})

test('every error code is in the document and in docs/errors.md, with its status, its meaning and what to do', () => {
  assert.deepEqual(committed.components.schemas['Error']!.properties['code']!.examples, Object.keys(STATUS_OF))
  const documented = readFileSync('docs/errors.md', 'utf8').match(/^\| \d{3} \|.*$/gm)
  const rows = Object.entries(ERROR_GUIDE).map(
    ([code, [means, todo]]) => `| ${STATUS_OF[code as ErrorCode]} | \`${code}\` | ${means} | ${todo} |`,
  )
  assert.deepEqual(documented, rows)
})

test('an operation whose responses have no body is described and shown like any other', async () => {
  const app = Fastify()
  describeRoutes(app, '/v1', '/v1')
  app.register(
    async (v1) => {
      const nothing = (description: string) => ({ description, type: 'null' })
      const response = { 204: nothing('Deleted.'), 304: nothing('Not changed.') }
      const schema = { operationId: 'deleteThing', summary: 'Delete it', description: 'Deletes it.', response }
      v1.delete('/things', { schema, handler: (_request, reply) => reply.code(204).send() })
    },
    { prefix: '/v1' },
  )
  await app.ready()
  const described = JSON.parse(documentText(app)) as ReferenceDocument
  const { responses } = described.paths['/things']!['delete']!
  assert.deepEqual(Object.keys(responses), ['204', '304'])
  for (const answer of Object.values(responses)) assert.equal(answer.content, undefined)
  const page = reference(described)
    .map(({ text }) => text)
    .join('')
  for (const text of ['Delete it', '204', 'Not changed.']) assert.ok(page.includes(text), text)
  await app.close()
})
