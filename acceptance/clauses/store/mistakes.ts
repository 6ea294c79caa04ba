import type { Clause } from '../../clause.ts'
import { expect, expectError, expectStatus, petsOf } from '../../expect.ts'
import { post } from '../../herd.ts'
import { ORDERS, place } from '../../orders.ts'
import { clause, expectNow, messageOf, newCategory, newPet, patch } from '../../store.ts'

const NAMED = 'A mistake is named'

/** A query in which a name is misspelled, and the name that was meant. */
const PARAMETERS: [id: string, path: string, meant: string][] = [
  ['letters', '/pets?stauts=sold', 'status'],
  ['missing', '/pets?limt=1', 'limit'],
  ['case', '/pets?Status=sold', 'status'],
  ['plural', '/pets?ids=1', 'id'],
  ['brackets', '/pets?id%5B%5D=1', 'id'],
  ['separator', '/pets?category_id=1', 'categoryId'],
  ['beside', '/pets?limit=1&satus=sold', 'status'],
  ['orders', `${ORDERS}?petid=1`, 'petId'],
  ['events', '/events?types=pet.created', 'type'],
]
const ELSEWHERE = ['page', 'offset', 'per_page', 'q', 'search']
const LISTS = ['/pets', ORDERS, '/events']
const STRANGERS = ['_=1', 'ts=1', 'v=1', 'colour=red', 'utm_source=verify']

/** A path that nothing is served at, and the one that was meant. */
const PATHS: [id: string, path: string, meant: string][] = [
  ['slash', '/pets/', '/pets'],
  ['case', '/Pets', '/pets'],
  ['orders', `${ORDERS}/`, ORDERS],
]

export const MISTAKES: Clause[] = [
  ...PARAMETERS.map(([id, path, meant]) =>
    clause(
      `mistakes.parameter.${id}`,
      `${NAMED}: ${path} is 400 invalid_parameter, and the message names \`${meant}\`.`,
      async ({ call }) => {
        const response = await call({ path })
        expectError(response, 400, 'invalid_parameter')
        expect(response, messageOf(response).includes(`\`${meant}\``), `a message that names \`${meant}\``)
      },
    ),
  ),
  ...LISTS.flatMap((list) =>
    ELSEWHERE.map((name) =>
      clause(
        `mistakes.elsewhere${list.replaceAll('/', '.')}.${name.replace('_', '-')}`,
        `${NAMED}: ${list}?${name}=2, which lists of other services take, is 400 invalid_parameter.`,
        async ({ call }) => expectError(await call({ path: `${list}?${name}=2` }), 400, 'invalid_parameter'),
      ),
    ),
  ),
  ...LISTS.map((list) =>
    clause(
      `mistakes.stranger${list.replaceAll('/', '.')}`,
      `Unknown parameters that resemble no known one are ignored on ${list}.`,
      async ({ call }) => {
        for (const stranger of STRANGERS) expectStatus(await call({ path: `${list}?limit=1&${stranger}` }), 200)
      },
    ),
  ),
  clause('mistakes.field.create', `${NAMED}: a new pet with \`Status\` is 400, and none is added.`, async (context) => {
    const category = newCategory()
    const response = await context.call(post(`{"name":"verify mistaken","categoryId":${category},"Status":"sold"}`))
    expectError(response, 400, 'invalid_body')
    expect(response, messageOf(response).includes('`status`'), 'a message that names `status`')
    const added = await context.call({ path: `/pets?categoryId=${category}` })
    expect(added, petsOf(added).length === 0, 'an empty list')
  }),
  clause(
    'mistakes.field.update',
    `${NAMED}: a change with \`Status\` is 400, and nothing changes.`,
    async (context) => {
      const pet = await context.add(newPet('available'))
      const response = await context.call(patch(pet.id, '{"name":"verify mistaken","Status":"sold"}'))
      expectError(response, 400, 'invalid_body')
      expect(response, messageOf(response).includes('`status`'), 'a message that names `status`')
      await expectNow(context, pet.id, { ...pet, version: 1n })
    },
  ),
  clause(
    'mistakes.field.order',
    `${NAMED}: an order with \`expires_in\` is 400, and holds no pet.`,
    async (context) => {
      const pet = await context.add(newPet('available'))
      const response = await context.call(place(pet.id, '"expires_in":60'))
      expectError(response, 400, 'invalid_body')
      expect(response, messageOf(response).includes('`expiresIn`'), 'a message that names `expiresIn`')
      await expectNow(context, pet.id, { status: 'available', version: 1n, orderId: undefined })
    },
  ),
  ...PATHS.map(([id, path, meant]) =>
    clause(
      `mistakes.path.${id}`,
      `${NAMED}: the 404 at ${path} has a message with the path that was meant.`,
      async ({ call }) => {
        const response = await call({ path })
        expectError(response, 404, 'route_not_found')
        const names = new RegExp(`${meant}(?![\\w/])`)
        expect(response, names.test(messageOf(response)), `a message that names ${meant}`)
      },
    ),
  ),
]
