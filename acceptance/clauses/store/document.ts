import type { Clause } from '../../clause.ts'
import { expect, isObject, objectOf } from '../../expect.ts'
import { clause } from '../../store.ts'

const OPERATIONS: [method: string, path: string, operationId: string, statuses: string, stability?: 'beta'][] = [
  ['get', '/pets/count', 'countPets', '200 400 401 403 429 503', 'beta'],
  ['get', '/pets/counts', 'countPetsByStatus', '200 400 401 403 429 503', 'beta'],
  ['get', '/categories', 'listCategories', '200 400 401 403 409 429 503', 'beta'],
  ['put', '/categories/{categoryId}', 'putCategory', '200 201 400 401 403 404 412 413 415 429 503', 'beta'],
  ['delete', '/categories/{categoryId}', 'deleteCategory', '204 400 401 403 404 412 429 503', 'beta'],
  ['patch', '/pets/{petId}', 'updatePet', '200 400 401 403 404 409 412 413 415 428 429 503'],
  ['delete', '/pets/{petId}', 'deletePet', '204 400 401 403 404 409 412 429 503'],
  ['get', '/store/orders', 'listOrders', '200 400 401 403 429 503'],
  ['get', '/store/orders/count', 'countOrders', '200 400 401 403 429 503', 'beta'],
  ['get', '/store/orders/counts', 'countOrdersByPeriod', '200 400 401 403 429 503', 'beta'],
  ['post', '/store/orders', 'placeOrder', '201 400 401 403 404 409 413 415 422 429 503'],
  ['get', '/store/orders/{orderId}', 'getOrder', '200 401 403 404 429 503'],
  ['post', '/store/orders/{orderId}/complete', 'completeOrder', '200 401 403 404 409 429 503'],
  ['post', '/store/orders/{orderId}/cancel', 'cancelOrder', '200 401 403 404 409 429 503'],
  ['get', '/events', 'listEvents', '200 400 401 403 410 429 503'],
  ['get', '/webhooks', 'listWebhooks', '200 401 403 429 503'],
  ['post', '/webhooks', 'createWebhook', '201 400 401 403 409 413 415 422 429 503'],
  ['get', '/webhooks/{webhookId}', 'getWebhook', '200 401 403 404 429 503'],
  ['patch', '/webhooks/{webhookId}', 'updateWebhook', '200 400 401 403 404 410 413 415 429 503'],
  ['delete', '/webhooks/{webhookId}', 'deleteWebhook', '204 401 403 404 429 503'],
  ['post', '/webhooks/{webhookId}/rotate', 'rotateWebhookSecret', '200 400 401 403 404 413 415 429 503'],
  ['post', '/webhooks/{webhookId}/ping', 'pingWebhook', '202 401 403 404 429 503'],
  ['post', '/webhooks/{webhookId}/retry', 'retryWebhook', '202 401 403 404 409 429 503', 'beta'],
  ['get', '/webhooks/{webhookId}/attempts', 'listWebhookAttempts', '200 401 403 404 429 503'],
  ['get', '/keys', 'listKeys', '200 400 401 403 429 503', 'beta'],
  ['get', '/keys/names', 'listKeyNames', '200 304 401 403 429 503', 'beta'],
  ['get', '/status', 'getStatus', '200 401 403 429 503', 'beta'],
]

const PARAMETERS: [path: string, operationId: string, name: string, stability?: 'beta'][] = [
  ['/pets', 'listPets', 'id'],
  ['/pets', 'listPets', 'view'],
  ['/pets', 'listPets', 'categoryId'],
  ['/pets', 'listPets', 'sort'],
  ['/pets', 'listPets', 'name', 'beta'],
  ['/store/orders', 'listOrders', 'sort', 'beta'],
  ['/store/orders', 'listOrders', 'from', 'beta'],
  ['/store/orders', 'listOrders', 'to', 'beta'],
  ['/events', 'listEvents', 'keyId', 'beta'],
]

function at(document: unknown, ...path: string[]) {
  return path.reduce<unknown>((node, name) => (isObject(node) ? node[name] : undefined), document)
}

async function documentOf({ call }: Parameters<Clause['run']>[0]) {
  const response = await call({ path: '/openapi.json', outside: true, authorization: null })
  return { response, document: objectOf(response) }
}

export const STORE_DOCUMENT: Clause[] = [
  ...OPERATIONS.flatMap(([method, path, operationId, statuses, stability]) => [
    clause(
      `document.${operationId}`,
      `${method.toUpperCase()} ${path} is the operation \`${operationId}\`, ${stability === 'beta' ? 'marked beta' : 'which is stable'}. /openapi.json says so.`,
      async (context) => {
        const { response, document } = await documentOf(context)
        const operation = (name: string) => at(document, 'paths', path, method, name)
        expect(response, operation('operationId') === operationId, `operationId ${operationId}`)
        for (const name of ['x-stability', 'x-stability-level'])
          expect(response, operation(name) === stability, `${name} ${stability}`, `${name} ${String(operation(name))}`)
        expect(response, operation('deprecated') !== true, 'an operation that is not deprecated')
      },
    ),
    clause(
      `document.${operationId}.statuses`,
      `/openapi.json documents each status of \`${operationId}\`.`,
      async (context) => {
        const { response, document } = await documentOf(context)
        const responses = at(document, 'paths', path, method, 'responses')
        const given = Object.keys(isObject(responses) ? responses : {})
        const missing = statuses.split(' ').filter((status) => !given.includes(status))
        expect(response, missing.length === 0, `${operationId} with ${statuses}`, `without ${missing.join()}`)
      },
    ),
  ]),
  ...PARAMETERS.map(([path, operationId, name, stability]) =>
    clause(
      `document.${operationId}.${name}`,
      `The parameter \`${name}\` of ${operationId} is ${stability === 'beta' ? 'marked beta' : 'stable'}. /openapi.json says so.`,
      async (context) => {
        const { response, document } = await documentOf(context)
        const parameters = at(document, 'paths', path, 'get', 'parameters')
        const declared = Array.isArray(parameters) ? parameters.filter((each) => at(each, 'name') === name) : []
        const isMarked = declared.length === 1 && at(declared[0], 'x-stability') === stability
        expect(response, isMarked, `${name} with x-stability ${stability ?? 'absent'}`)
      },
    ),
  ),
]
