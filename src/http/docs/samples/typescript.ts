import { type Call, typescript as print } from './call.ts'

interface Snippet {
  /** The part of the client that it uses. */
  part: string
  code: (call: Call) => string
}

const text = (value: unknown) => print(String(value))
const int64 = (value: unknown) => `${String(value)}n`
/** The version in an `If-Match`. */
const version = (value: unknown) => `${String(value).replaceAll('"', '')}n`
/** The one field of the body, which the client takes by itself. */
const nameOf = (body: unknown) => (body as { name: string }).name
const id = ({ values }: Call) => text(values['orderId'] ?? values['webhookId'])

/** How the client calls each operation. A test checks that none is missing. */
const SNIPPETS: Record<string, Snippet> = {
  listPets: {
    part: 'pets',
    code: ({ values }) =>
      `// Every page, one after the other.\nfor await (const pet of pets.list({ status: ${text(values['status'])} })) console.log(pet.id, pet.name)`,
  },
  createPet: {
    part: 'pets',
    code: ({ body }) =>
      `// Ids are bigint. The client sends an Idempotency-Key of its own.\nconst pet = await pets.create(${print(body)})\nconsole.log(pet.id)`,
  },
  countPets: {
    part: 'pets',
    code: ({ values }) =>
      `const { count, isMore } = await pets.count({ status: ${text(values['status'])} })\nconsole.log(isMore ? '1,000 or more' : count)`,
  },
  countPetsByStatus: {
    part: 'pets',
    code: ({ values }) =>
      `const { available, sold } = await pets.counts({ categoryId: ${int64(values['categoryId'])} })\nconsole.log(available, sold)`,
  },
  getPet: {
    part: 'pets',
    code: ({ values }) => `const pet = await pets.get(${int64(values['petId'])})\nconsole.log(pet.name)`,
  },
  updatePet: {
    part: 'pets',
    code: ({ values, body }) =>
      `const pet = await pets.update(${int64(values['petId'])}, ${print(body)}, { ifMatch: ${version(values['If-Match'])} })\nconsole.log(pet.version)`,
  },
  deletePet: {
    part: 'pets',
    code: ({ values }) => `await pets.delete(${int64(values['petId'])}, { ifMatch: ${version(values['If-Match'])} })`,
  },
  listCategories: {
    part: 'categories',
    code: () =>
      'for await (const { name, pets } of categories.list({ counts: true })) console.log(name, pets?.available)',
  },
  putCategory: {
    part: 'categories',
    code: ({ values, body }) =>
      `const category = await categories.put(${int64(values['categoryId'])}, ${print(nameOf(body))}, { ifMatch: ${version(values['If-Match'])} })\nconsole.log(category.version)`,
  },
  deleteCategory: {
    part: 'categories',
    code: ({ values }) =>
      `await categories.delete(${int64(values['categoryId'])}, { ifMatch: ${version(values['If-Match'])} })`,
  },
  listOrders: {
    part: 'orders',
    code: ({ values }) =>
      `for await (const order of orders.list({ status: ${text(values['status'])} })) console.log(order.id, order.petId)`,
  },
  countOrders: {
    part: 'orders',
    code: ({ values }) =>
      `const { count, isMore } = await orders.count({ status: ${text(values['status'])} })\nconsole.log(isMore ? '1,000 or more' : count)`,
  },
  countOrdersByPeriod: {
    part: 'orders',
    code: ({ values }) =>
      `const days = ${print(values['boundaries'])}\nconst boundaries = days.map((day) => new Date(day))\nconst { counts } = await orders.counts({ status: ${text(values['status'])}, boundaries })\nfor (const { count, isMore } of counts) console.log(isMore ? '1,000 or more' : count)`,
  },
  placeOrder: {
    part: 'orders',
    code: ({ body }) => `const order = await orders.place(${print(body)})\nconsole.log(order.id, order.expiresAt)`,
  },
  getOrder: {
    part: 'orders',
    code: (call) => `const order = await orders.get(${id(call)})\nconsole.log(order.status)`,
  },
  completeOrder: {
    part: 'orders',
    code: (call) => `const order = await orders.complete(${id(call)})\nconsole.log(order.closedAt)`,
  },
  cancelOrder: {
    part: 'orders',
    code: (call) => `const order = await orders.cancel(${id(call)})\nconsole.log(order.closedAt)`,
  },
  listEvents: {
    part: 'events',
    code: () =>
      '// Up to now; `events.follow()` also waits for those to come.\nfor await (const event of events.list()) console.log(event.id, event.type)',
  },
  listWebhooks: {
    part: 'webhooks',
    code: () => 'for (const webhook of await webhooks.list()) console.log(webhook.id, webhook.url, webhook.behind)',
  },
  createWebhook: {
    part: 'webhooks',
    code: ({ body }) => `const { id, secret } = await webhooks.create(${print(body)})\nconsole.log(id, secret)`,
  },
  getWebhook: {
    part: 'webhooks',
    code: (call) => `const webhook = await webhooks.get(${id(call)})\nconsole.log(webhook.state, webhook.behind)`,
  },
  updateWebhook: {
    part: 'webhooks',
    code: (call) =>
      `const webhook = await webhooks.update(${id(call)}, ${print(call.body)})\nconsole.log(webhook.state)`,
  },
  deleteWebhook: { part: 'webhooks', code: (call) => `await webhooks.delete(${id(call)})` },
  rotateWebhookSecret: {
    part: 'webhooks',
    code: (call) => `const { secret } = await webhooks.rotate(${id(call)}, ${print(call.body)})\nconsole.log(secret)`,
  },
  pingWebhook: { part: 'webhooks', code: (call) => `await webhooks.ping(${id(call)})` },
  retryWebhook: { part: 'webhooks', code: (call) => `await webhooks.retry(${id(call)})` },
  listWebhookAttempts: {
    part: 'webhooks',
    code: (call) =>
      `for (const { at, status, error } of await webhooks.attempts(${id(call)})) console.log(at, status, error)`,
  },
  listKeys: {
    part: 'keys',
    code: () =>
      'for await (const key of keys.list()) console.log(key.id, key.name, key.state, key.lastUsedAt, key.openOrders)',
  },
  listKeyNames: {
    part: 'keys',
    code: () => 'for (const { id, name } of await keys.names()) console.log(id, name)',
  },
  getOwnKey: {
    part: 'keys',
    code: () => 'const { scopes, expiresAt } = await keys.self()\nconsole.log(scopes, expiresAt)',
  },
  listDeprecations: {
    part: 'petstore',
    code: () =>
      'for (const { operation, calls, successor } of await petstore.deprecations()) console.log(operation, calls, successor)',
  },
  getStatus: {
    part: 'petstore',
    code: () =>
      'const { database, feed, webhooks } = await petstore.status()\nconsole.log(database.state, feed.lagMs, webhooks?.behind)',
  },
}

const INSTALL = '// npm install @petstore/client\n'

export function typescriptSample(call: Call, baseUrl: string) {
  const snippet = SNIPPETS[call.operation]
  if (!snippet) return undefined
  const client = snippet.part === 'petstore' ? 'petstore' : `{ ${snippet.part} }`
  return `${INSTALL}import { createPetstore } from '@petstore/client'

const ${client} = createPetstore({
  baseUrl: '${baseUrl}',
  key: process.env.PETSTORE_KEY ?? '',
})

${snippet.code(call)}`
}
