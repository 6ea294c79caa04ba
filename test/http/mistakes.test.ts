import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patchJson, postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { insertPets } from '../support/factories.ts'
import { toolCaller } from '../support/mcp.ts'

// A mistake is named, a stranger is ignored: an unknown name is 400 if it was meant to be a known one, by HTTP and as an argument of a
// tool alike. Other names do nothing in a request, and are rejected by tools, whose schemas allow no other argument.
const { call, pool } = await startApp()
const tool = toolCaller(call)
const available = async () => (await insertPets(pool, ['available']))[0]!

/** How each operation is called with one more parameter or field, by HTTP and by its tool. */
const OPERATIONS = {
  listPets: { tool: 'find_pets', args: async () => ({}), http: list('/v1/pets') },
  listOrders: { tool: 'find_orders', args: async () => ({}), http: list('/v1/store/orders') },
  listEvents: { tool: 'read_events', args: async () => ({}), http: list('/v1/events') },
  createPet: {
    tool: 'add_pet',
    args: async () => ({ name: 'Rex', categoryId: '1' }),
    http: async (name: string) => call('/v1/pets', postJson(`{"name":"Rex","categoryId":1,"${name}":"x"}`)),
  },
  updatePet: {
    tool: 'change_pet',
    args: async () => ({ petId: String(await available()), version: '1', name: 'Tom' }),
    http: async (name: string) => call(`/v1/pets/${await available()}`, patchJson(`{"name":"Tom","${name}":"x"}`)),
  },
  placeOrder: {
    tool: 'order_pet',
    args: async () => ({ petId: String(await available()) }),
    http: async (name: string) =>
      call('/v1/store/orders', postJson(`{"petId":${await available()},"reference":"r","${name}":"x"}`)),
  },
}
type OperationId = keyof typeof OPERATIONS

function list(path: string) {
  return async (name: string) => call(`${path}?limit=1&${encodeURIComponent(name)}=1`)
}

const LINK = 'and the `Link` header of a page'
const CURSOR = 'send `nextCursor` of a page as `cursor`'
const NO_SEARCH = 'Text search is not offered. It accepts limit, '
const BY_NAME = '`name` finds by words of the name, or their beginnings.'

/** A name with what was meant; or with what its message says by HTTP, and as an argument. */
const MISTAKES: Record<OperationId, [name: string, meant: string | [http: string, tool: string]][]> = {
  listPets: [
    ['stauts', 'status'],
    ['Status', 'status'],
    ['STATUS', 'status'],
    ['statuses', 'status'],
    ['limt', 'limit'],
    ['Limit', 'limit'],
    ['limits', 'limit'],
    ['ids', 'id'],
    ['Id', 'id'],
    ['id[]', 'id'],
    ['id[0]', 'id'],
    ['IDS[]', 'id'],
    ['category_id', 'categoryId'],
    ['categoryID', 'categoryId'],
    ['srot', 'sort'],
    ['curser', 'cursor'],
    ['page', [LINK, CURSOR]],
    ['Page', [LINK, CURSOR]],
    ['offset', [LINK, CURSOR]],
    ['per_page', [LINK, CURSOR]],
    ['names', 'name'],
    ['Name', 'name'],
    ['q', [BY_NAME, BY_NAME]],
    ['search', [BY_NAME, BY_NAME]],
  ],
  listOrders: [
    ['petid', 'petId'],
    ['pet_id', 'petId'],
    ['refrence', 'reference'],
    ['references', 'reference'],
    ['page', [LINK, CURSOR]],
  ],
  listEvents: [
    ['types', 'type'],
    ['form', 'from'],
    ['wiat', 'wait'],
    ['offset', [LINK, CURSOR]],
    ['search', [NO_SEARCH, NO_SEARCH]],
  ],
  createPet: [
    ['Status', 'status'],
    ['stats', 'status'],
    ['Name', 'name'],
    ['categroyId', 'categoryId'],
  ],
  updatePet: [
    ['statsu', 'status'],
    ['names', 'name'],
  ],
  placeOrder: [
    ['expires_in', 'expiresIn'],
    ['expiresAt', 'expiresIn'],
    ['petID', 'petId'],
    ['Reference', 'reference'],
  ],
}

const STRANGERS: Record<OperationId, string[]> = {
  listPets: [
    ...'_ ts v t x colour utm_source gclid lang format list start uid petId type page_size order'.split(' '),
    'constructor',
    '__proto__',
    'x'.repeat(500),
    '[]',
    'naïve',
  ],
  listOrders: ['id', 'since', 'view', 'categoryId', 'customer'],
  listEvents: ['status', 'until', 'ids', 'key'],
  createPet: ['id', 'tags', 'photoUrls', 'breed', 'note', 'page', 'q', 'nom'],
  updatePet: ['id', 'orderId', 'createdAt', 'offset'],
  placeOrder: ['id', 'status', 'placedAt', 'quantity', 'shipDate'],
}

const rows = <T>(table: Record<OperationId, T[]>) =>
  Object.entries(table).flatMap(([id, cases]) => cases.map((each) => [id as OperationId, each] as const))

test('the table has thirty mistakes and thirty strangers', () => {
  for (const table of [MISTAKES, STRANGERS]) assert.ok(rows<unknown>(table).length >= 30)
})

for (const [id, [name, meant]] of rows(MISTAKES))
  test(`${id}: ${name} is a mistake, and both say what to send instead`, async () => {
    const { http, tool: toolName, args } = OPERATIONS[id]
    const guess = `Did you mean \`${String(meant)}\`?`
    const [byHttp, byTool] = typeof meant === 'string' ? [guess, guess] : meant
    const isList = id.startsWith('list')
    const response = await http(name)
    assertError(response, 400, isList ? 'invalid_parameter' : 'invalid_body')
    const said = (response.body as { message: string }).message
    assert.ok(said.startsWith(`There is no ${isList ? 'parameter' : 'field'} "${name}". `), said)
    assert.ok(said.includes(byHttp), said)

    const { value, isError } = await tool(toolName, { ...(await args()), [name]: '1' })
    assert.deepEqual([isError, value['code'], value['status']], [true, 'invalid_parameter', 400])
    const message = String(value['message'])
    assert.ok(message.startsWith(`This tool has no argument "${name}". `), message)
    assert.ok(message.includes(byTool), message)
  })

for (const [id, name] of rows(STRANGERS))
  test(`${id}: ${name.slice(0, 20)} is a stranger, which HTTP ignores and the tool does not have`, async () => {
    const { http, tool: toolName, args } = OPERATIONS[id]
    const { status, text } = await http(name)
    assert.equal(status, id === 'createPet' || id === 'placeOrder' ? 201 : 200, text)
    const withStranger = JSON.parse(
      JSON.stringify({ ...(await args()), x: '1' }).replace('"x":', `"${name}":`),
    ) as object
    const { value, isError } = await tool(toolName, withStranger)
    assert.deepEqual([isError, value['code']], [true, 'invalid_parameter'])
    assert.match(String(value['message']), /^This tool has no argument "[^ ]*"…?\. It accepts [^?]*\.$/)
  })

test('operations without parameters have none to mistake', async () => {
  assert.equal((await call('/v1/keys/self?Id=1&page=2')).status, 200)
  assert.equal((await call(`/v1/pets/${await available()}?stauts=sold`)).status, 200)
  assert.equal((await call('/v1/pets?stauts=sold', postJson('{"name":"Rex","categoryId":1}'))).status, 201)
})

test('a mistake among a few strangers is found, and thousands of strangers are ignored', async () => {
  const strangers = (count: number) => Array.from({ length: count }, (_, i) => `x${i.toString(36)}`).join('&')
  assertError(await call(`/v1/pets?${strangers(20)}&stauts=sold`), 400, 'invalid_parameter')
  assert.equal((await call(`/v1/pets?limit=1&${strangers(3_000)}`)).status, 200)
})

test('a misspelled field is named rather than the one that is missing', async () => {
  const { body } = await call('/v1/pets', postJson('{"Name":"Rex","categoryId":1}'))
  assert.equal((body as { message: string }).message, 'There is no field "Name". Did you mean `name`?')
})
