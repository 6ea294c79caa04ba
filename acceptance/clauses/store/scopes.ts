import { named, removeCategory } from '../../categories.ts'
import type { Clause } from '../../clause.ts'
import { EVENTS } from '../../events.ts'
import { expect, expectError, expectHeader, expectStatus, objectOf, petOf } from '../../expect.ts'
import { post } from '../../herd.ts'
import { close, getOrder, ORDERS, orderOf, place, placed } from '../../orders.ts'
import { PETS_KEY } from '../../placeholders.ts'
import { clause, expectNow, messageOf, NO_PET, newPet, patch, remove } from '../../store.ts'
import {
  attempts,
  change,
  create,
  get,
  NO_WEBHOOK,
  ping,
  removeWebhook,
  retry,
  rotate,
  WEBHOOKS,
} from '../../webhooks.ts'
import type { Request } from '../../wire.ts'

const authorization = `Bearer ${PETS_KEY}`
const OLD = 'S1: A key with pets:read and pets:write alone'
const SMALL = { 'Content-Type': 'text/plain' }

type OnOrder = (orderId: string, petId: bigint) => Request

/** On a pet that an order holds. None of them may do anything. */
const NEW: [operationId: string, scopes: string, request: OnOrder][] = [
  ['updatePet', 'pets:edit', (_, petId) => patch(petId, '{"name":"verify scope"}')],
  ['deletePet', 'pets:delete', (_, petId) => remove(petId)],
  ['listOrders', 'orders:read', (_, petId) => ({ path: `${ORDERS}?petId=${petId}` })],
  ['countOrders', 'orders:read', () => ({ path: `${ORDERS}/count` })],
  ['countOrdersByPeriod', 'orders:read', () => ({ path: `${ORDERS}/counts` })],
  ['placeOrder', 'orders:write', (_, petId) => place(petId)],
  ['getOrder', 'orders:read', (orderId) => getOrder(orderId)],
  ['completeOrder', 'orders:write', (orderId) => close(orderId, 'complete')],
  ['cancelOrder', 'orders:write', (orderId) => close(orderId, 'cancel')],
  ['listEvents', 'events:read', (_, petId) => ({ path: `${EVENTS}?petId=${petId}` })],
  ['putCategory', 'categories:write', () => named(NO_PET, 'verify')],
  ['deleteCategory', 'categories:write', () => removeCategory(NO_PET)],
  ['listWebhooks', 'webhooks:manage', () => ({ path: WEBHOOKS })],
  ['createWebhook', 'webhooks:manage events:read', () => create()],
  ['getWebhook', 'webhooks:manage', () => get(NO_WEBHOOK)],
  ['updateWebhook', 'webhooks:manage events:read', () => change(NO_WEBHOOK, '{"state":"paused"}')],
  ['deleteWebhook', 'webhooks:manage', () => removeWebhook(NO_WEBHOOK)],
  ['rotateWebhookSecret', 'webhooks:manage events:read', () => rotate(NO_WEBHOOK)],
  ['pingWebhook', 'webhooks:manage', () => ping(NO_WEBHOOK)],
  ['retryWebhook', 'webhooks:manage', () => retry(NO_WEBHOOK)],
  ['listWebhookAttempts', 'webhooks:manage', () => attempts(NO_WEBHOOK)],
  ['listKeys', 'keys:read', () => ({ path: '/keys' })],
  ['listKeyNames', 'events:read', () => ({ path: '/keys/names' })],
  ['getStatus', 'status:read', () => ({ path: '/status' })],
]
const ALL =
  'pets:edit pets:delete orders:read orders:write events:read webhooks:manage categories:write keys:read status:read'.split(
    ' ',
  )
const FIRST: [id: string, request: Request][] = [
  ['type', place(NO_PET, '', SMALL)],
  ['length', place(NO_PET, `"x":"${'x'.repeat(65_536)}"`)],
  ['body', place('"1')],
  ['pet', place(NO_PET)],
  ['update', patch(NO_PET, '{', SMALL)],
  ['delete', remove('abc', { 'If-Match': '1' })],
  ['list', { path: `${ORDERS}?limit=0` }],
  ['order', getOrder('abc')],
  ['events', { path: `${EVENTS}?limit=0` }],
  ['webhook', create('{', SMALL)],
  ['webhook-url', create('{"url":"http://x"}')],
  ['keys', { path: '/keys?limit=0' }],
  ['events-wait', { path: `${EVENTS}?from=now&wait=9` }],
]

const clauses: Clause[] = [
  ...NEW.map(([operationId, scopes, request]) =>
    clause(`scopes.s1.${operationId}`, `${OLD}: ${operationId} is 403 that names ${scopes}.`, async (context) => {
      const { pet, order } = await placed(context)
      const response = await context.call({ ...request(order.id, pet.id), authorization })
      expectError(response, 403, 'insufficient_scope')
      expectHeader(
        response,
        'WWW-Authenticate',
        `Bearer realm="petstore", error="insufficient_scope", scope="${scopes}"`,
      )
      const [first = ''] = scopes.split(' ')
      expect(response, messageOf(response).includes(first), `a message that names ${first}`)
      await expectNow(context, pet.id, { ...pet, status: 'pending', orderId: order.id, version: 2n })
    }),
  ),
  clause('scopes.s1.listPets', `${OLD}: listPets is 200, also with the new parameters.`, async ({ call, pet }) => {
    const { id } = await pet()
    for (const query of ['', `?id=${id}`, '?view=full&limit=1', '?categoryId=1', '?sort=newest'])
      expectStatus(await call({ path: `/pets${query}`, authorization }), 200)
  }),
  clause('scopes.s1.counts', `${OLD}: countPets and countPetsByStatus are 200.`, async ({ call }) => {
    for (const path of ['/pets/count', '/pets/counts?categoryId=1'])
      expectStatus(await call({ path, authorization }), 200)
  }),
  clause('scopes.s1.createPet', `${OLD}: createPet is 201.`, async ({ call }) => {
    petOf(await call({ ...post(newPet()), authorization }), 201)
  }),
  clause('scopes.s1.getPet', `${OLD}: getPet is 200.`, async ({ call, pet }) => {
    petOf(await call({ path: `/pets/${(await pet()).id}`, authorization }), 200)
  }),
  ...FIRST.map(([id, request]) =>
    clause(
      `scopes.s1.first.${id}`,
      `${OLD}: 403 comes before every other error of the request: ${id}.`,
      async ({ call }) => expectError(await call({ ...request, authorization }), 403, 'insufficient_scope'),
    ),
  ),
  ...[
    'Content-Length: 1000\r\n',
    'Content-Length: 1000\r\nExpect: 100-continue\r\n',
    'Transfer-Encoding: chunked\r\n',
  ].map((headers, i) =>
    clause(
      `scopes.o20.${['length', 'continue', 'chunked'][i]}`,
      `O20: Without orders:write placeOrder is 403 before the body is read: ${['with its length', 'with 100-continue', 'in chunks'][i]}.`,
      async ({ exchange, basePath }) => {
        const head = `POST ${basePath}${ORDERS} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n`
        const responses = await exchange(`${head}Content-Type: application/json\r\n${headers}\r\n`)
        for (const response of responses) {
          expectError(response, 403, 'insufficient_scope')
          expectHeader(response, 'Connection', 'close')
        }
      },
    ),
  ),
  clause('scopes.s1.feed', `${OLD}: listEvents is 403 for the whole feed too.`, async ({ call }) => {
    for (const query of ['', '?from=now', '?type=pet.created'])
      expectError(await call({ path: `${EVENTS}${query}`, authorization }), 403, 'insufficient_scope')
  }),
  clause('scopes.o22', 'O22: No key from before has a scope of orders.', async ({ call }) => {
    const response = await call({ path: '/keys/self', authorization })
    expectStatus(response, 200)
    const { scopes } = objectOf(response)
    const names = Array.isArray(scopes) ? scopes.map(String).toSorted().join() : ''
    expect(response, names === 'pets:read,pets:write', 'the scopes pets:read and pets:write', names)
  }),
]

export const STORE_SCOPES: Clause[] = [
  ...clauses.map((each): Clause => ({ ...each, needs: 'petsKey' })),
  clause(
    'scopes.all',
    'GET /keys/self names the scopes of the store, which the key of this run has.',
    async (context) => {
      const response = await context.call({ path: '/keys/self' })
      const { scopes } = objectOf(response)
      const names = Array.isArray(scopes) ? scopes.map(String) : []
      for (const scope of ALL) expect(response, names.includes(scope), `the scope ${scope}`, names.join())
      orderOf((await placed(context)).response, 201)
    },
  ),
]
