import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readConfig } from '../src/config.ts'
import { petNotFound } from '../src/domain/pets.ts'
import { operationSection } from '../src/http/docs/operation.ts'
import { referenceOf } from '../src/http/docs/reference.ts'
import { buildDocument } from '../src/http/openapi/document.ts'
import { ERRORS } from '../src/http/wire/error-codes.ts'
import { openApiDocument } from '../src/service.ts'
import { OPERATION as PLACE_ORDER } from '../src/storage/orders/idempotent-orders.ts'
import { OPERATION as CREATE_PET } from '../src/storage/pets/idempotent-pets.ts'
import { startApp } from './support/app.ts'

const committed = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document
const { call } = await startApp()

interface Document {
  openapi: string
  info: { version: string; description: string }
  security: object[]
  paths: Record<string, Record<string, Record<string, unknown>>>
  webhooks: Record<string, { post: Outgoing }>
  components: { schemas: Record<string, { properties: Record<string, { examples?: string[] }> }> }
}

interface Outgoing extends Record<string, unknown> {
  parameters: { name: string; in: string; required: boolean }[]
  requestBody: {
    required: boolean
    content: Record<
      string,
      { schema: object; examples: Record<string, { value: { type: string; sequence?: string } }> }
    >
  }
  responses: Record<string, object>
}

test('openapi.json matches the routes; `npm run openapi` updates it', async () => {
  const generated = await openApiDocument(readConfig({ DATABASE_URL: 'postgres://unused/unused' }))
  assert.equal(readFileSync('openapi.json', 'utf8'), `${generated}\n`)
})

test('the service serves it without a key', async () => {
  const { status, text, headers } = await call('/openapi.json', { key: null })
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/json')
  assert.deepEqual(JSON.parse(text), committed)
})

test('it has the version of package.json', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  assert.equal(committed.info.version, version)
})

test('it marks as beta what may still change, and nothing else', () => {
  assert.equal(committed.openapi, '3.1.0')
  assert.deepEqual(committed.security, [{ apiKey: [] }])
  assert.deepEqual(marksIn(committed), [
    'components headers SearchIncomplete',
    'components headers Mode',
    'components schemas PetCount',
    'components schemas PetCounts',
    'components schemas NewCategory',
    'components schemas CategoryCounts',
    'components schemas Category',
    'components schemas Categories',
    'components schemas OrderCount',
    'components schemas OrderCounts',
    'components schemas Event properties data properties previous',
    'components schemas NewWebhook properties name',
    'components schemas WebhookPatch properties name',
    'components schemas WebhookAttempt properties responseBody',
    'components schemas Webhook properties name',
    'components schemas WebhookWithSecret properties name',
    'components schemas ListedKey',
    'components schemas ListedKeys',
    'components schemas KeyName',
    'components schemas KeyNames',
    'components schemas Status',
    'paths /pets get parameters name',
    'paths /pets/count get',
    'paths /pets/counts get',
    'paths /categories get',
    'paths /categories/{categoryId} put',
    'paths /categories/{categoryId} delete',
    'paths /store/orders get parameters sort',
    'paths /store/orders get parameters from',
    'paths /store/orders get parameters to',
    'paths /store/orders/count get',
    'paths /store/orders/counts get',
    'paths /events get parameters keyId',
    'paths /webhooks/{webhookId}/retry post',
    'paths /keys get',
    'paths /keys/self get',
    'paths /keys/names get',
    'paths /deprecations get',
    'paths /status get',
  ])
})

/** The places of what is marked; a parameter by its name. */
function marksIn(node: unknown, place = ''): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { 'x-stability': stability, 'x-stability-level': level } = node as Record<string, unknown>
  assert.equal(stability, level, place)
  const inner = Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    const name = Array.isArray(node) ? (value as { name?: string } | null)?.name : undefined
    return marksIn(value, [place, name ?? key].join(' ').trim())
  })
  return stability === undefined ? inner : [place, ...inner]
}

test('it has what webhooks receive: an event without a key, with the headers of Standard Webhooks', () => {
  assert.deepEqual(Object.keys(committed.webhooks), ['event'])
  const { post } = committed.webhooks['event']!
  assert.deepEqual([post['security'], post['x-stability'], post['tags']], [[], undefined, ['webhooks']])
  assert.deepEqual(
    post.parameters.map(({ name, in: place, required }) => [name, place, required]),
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, 'header', true]),
  )
  assert.equal(post.requestBody.required, true)
  assert.deepEqual(Object.keys(post.requestBody.content), ['application/cloudevents+json'])
  const { schema, examples } = post.requestBody.content['application/cloudevents+json']!
  assert.deepEqual(schema, { $ref: '#/components/schemas/Event' })
  assert.deepEqual(
    Object.values(examples).map(({ value: { type, sequence } }) => [type, sequence?.length]),
    [
      ['pet.updated', 16],
      ['webhook.ping', undefined],
    ],
  )
  assert.deepEqual(Object.keys(post.responses), ['410', '2XX', 'default'])
  // What a receiver must be able to take, and how it asks for less.
  assert.match(String(post['description']), /no limit on the rate.* responds later, or with 429 and `Retry-After`/)
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
  assert.deepEqual(committed.components.schemas['Error']!.properties['code']!.examples, Object.keys(ERRORS))
  const documented = readFileSync('docs/errors.md', 'utf8').match(/^\| \d{3} \|.*$/gm)
  const rows = Object.entries(ERRORS).map(
    ([code, { status, means, todo }]) => `| ${status} | \`${code}\` | ${means} | ${todo} |`,
  )
  assert.deepEqual(documented, rows)
})

test('an operation without a body in its response is described and shown like any other', () => {
  const document = buildDocument(
    [
      {
        id: 'deleteThing',
        method: 'DELETE',
        path: '/things/{thingId}',
        tag: 'things',
        summary: 'Delete it',
        description: 'Deletes it.',
        params: { thingId: { description: 'Which one.', example: 1, notFound: petNotFound } },
        success: { status: 204, description: 'Deleted.' },
      },
    ],
    { baseUrl: '/v1', version: '1.2.3-dev+c0ffee0', tags: [], schemas: [] },
  )
  assert.equal('webhooks' in document, false)
  assert.equal(document.info.version, '1.2.3-dev')
  const { responses } = document.paths['/things/{thingId}']!['delete']!
  assert.equal(responses['204']!.content, undefined)
  assert.ok(responses['404']!.content)
  const page = referenceOf(document)
    .entries.map((entry) => operationSection(entry, '/v1').text)
    .join('')
  for (const text of ['Delete it', '204', 'Deleted.']) assert.ok(page.includes(text), text)
})

test('the document and the page say which scope an operation needs', async () => {
  const needed = Object.values(committed.paths).flatMap((path) =>
    Object.values(path).map(({ operationId, description }) => [
      operationId,
      / Needs the scopes? (`[a-z:]+`(?: and `[a-z:]+`)?)\.$/.exec(String(description))?.[1]?.replaceAll('`', ''),
    ]),
  )
  assert.deepEqual(Object.fromEntries(needed), {
    listPets: 'pets:read',
    createPet: 'pets:write',
    countPets: 'pets:read',
    countPetsByStatus: 'pets:read',
    getPet: 'pets:read',
    updatePet: 'pets:edit',
    deletePet: 'pets:delete',
    listCategories: 'pets:read',
    putCategory: 'categories:write',
    deleteCategory: 'categories:write',
    listOrders: 'orders:read',
    placeOrder: 'orders:write',
    countOrders: 'orders:read',
    countOrdersByPeriod: 'orders:read',
    getOrder: 'orders:read',
    completeOrder: 'orders:write',
    cancelOrder: 'orders:write',
    listEvents: 'events:read',
    listWebhooks: 'webhooks:manage',
    createWebhook: 'webhooks:manage and events:read',
    getWebhook: 'webhooks:manage',
    updateWebhook: 'webhooks:manage and events:read',
    deleteWebhook: 'webhooks:manage',
    rotateWebhookSecret: 'webhooks:manage and events:read',
    pingWebhook: 'webhooks:manage',
    retryWebhook: 'webhooks:manage',
    listWebhookAttempts: 'webhooks:manage',
    listKeys: 'keys:read',
    getOwnKey: undefined,
    listKeyNames: 'events:read',
    listDeprecations: undefined,
    getStatus: 'status:read',
  })
  const { text } = await call('/docs', { key: null })
  assert.equal(text.split('Needs the scope <code>orders:write</code>.</p>').length - 1, 3)
})

test('it says which unknown names are rejected', () => {
  for (const name of ['page', 'offset', 'per_page', 'q', 'search'])
    assert.ok(committed.info.description.includes(`\`${name}\``), name)
  assert.match(
    committed.info.description,
    /whose name is close to a\nknown one is 400.* Other unknown names are ignored\./,
  )
})

test('each operation that changes something and accepts no idempotency key says what that means', () => {
  const NO_EFFECT = /An `Idempotency-Key` is accepted and has no effect: repeating the request (.+?)\./
  const said = Object.values(committed.paths).flatMap((path) =>
    Object.entries(path).flatMap(([method, { operationId, description, parameters = [] }]) => {
      const [, what] = NO_EFFECT.exec(String(description)) ?? []
      const isKeyed = (parameters as { name: string }[]).some(({ name }) => name === 'Idempotency-Key')
      assert.equal(what === undefined, method === 'get' || isKeyed, String(operationId))
      return what === undefined ? [] : [[operationId, what]]
    }),
  )
  assert.deepEqual(Object.fromEntries(said), {
    updatePet: 'changes nothing more',
    deletePet: 'changes nothing more',
    putCategory: 'changes nothing more',
    deleteCategory: 'changes nothing more',
    completeOrder: 'changes nothing more',
    cancelOrder: 'changes nothing more',
    updateWebhook:
      'changes nothing more, except that a `cursor` moves the webhook again, and earlier failures are forgotten again',
    deleteWebhook: 'changes nothing more',
    rotateWebhookSecret: 'makes another secret',
    pingWebhook: 'sends another test event',
    retryWebhook: 'changes nothing until the attempt was made, and then asks for another',
  })
})

test('each operation that stores idempotency keys is declared, and accepts them', () => {
  for (const id of [CREATE_PET, PLACE_ORDER, 'createWebhook']) {
    const operation = Object.values(committed.paths)
      .flatMap((path) => Object.values(path))
      .find(({ operationId }) => operationId === id)
    const parameters = operation?.['parameters'] as { name: string }[]
    assert.ok(
      parameters.some(({ name }) => name === 'Idempotency-Key'),
      id,
    )
  }
})
