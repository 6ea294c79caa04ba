import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_TYPES } from '../../src/domain/types/event.ts'
import { type Answer, patchJson, postJson, startApp } from '../support/app.ts'
import { insertPets } from '../support/factories.ts'
import { makeDue, ORDERS, orderCalls, orderOf } from '../support/orders.ts'
import { WITH_WEBHOOKS } from '../support/webhook-errors.ts'
import { RECEIVER, webhookCalls, webhookOf } from '../support/webhooks.ts'

// The clauses of `petstore verify` prove what is rejected, with which status and code. These are the words for it.
const { call, pool } = await startApp(WITH_WEBHOOKS)
const { place, get, complete, cancel } = orderCalls(call)
const webhooks = webhookCalls(call)
const [petId] = await insertPets(pool, ['available'])
const { id: webhookId } = webhookOf(await webhooks.create())

const messageOf = ({ body }: Answer) => (body as { message: string }).message
const words = (message: string | RegExp) =>
  typeof message === 'string'
    ? (said: string) => assert.equal(said, message)
    : (said: string) => assert.match(said, message)

const ONE_STATUS = '`status` must be one of available, pending, sold; got'
const QUERIES: [path: string, message: string | RegExp][] = [
  ['/v1/pets?limit=0', '`limit` must be an integer from 1 to 100; got 0.'],
  ['/v1/pets?limit=5&%6cimit=5', '`limit` must be given only once.'],
  ['/v1/pets?status=', `${ONE_STATUS} "".`],
  ['/v1/pets?status=Sold', `${ONE_STATUS} "Sold" — did you mean sold?`],
  ['/v1/pets?cursor=abc', /^The `cursor` was not issued by this service\./],
  ['/v1/pets?cursor=AQAAAAAAAAAC&cursor=AQAAAAAAAAAC', /given only once/],
  ['/v1/pets?cursor=AgAAAAAAAAAC', /^The `cursor` continues a walk in the opposite direction\./],
  ['/v1/pets?id=1,abc', /^`id` must be an integer .*; got "abc"/],
  [`/v1/pets?id=${Array.from({ length: 101 }, (_, i) => i).join(',')}`, /`id` takes at most 100 values;/],
  [
    '/v1/pets?categoryId=01',
    '`categoryId` must be an integer from -9223372036854775808 to 9223372036854775807; got "01".',
  ],
  ['/v1/pets?sort=Newest', '`sort` must be one of oldest, newest; got "Newest" — did you mean newest?'],
  ['/v1/pets?view=', '`view` must be one of basic, full; got "".'],
  [`${ORDERS}?petId=1&reference=a`, '`petId` and `reference` cannot be combined; send one of them.'],
  [`${ORDERS}/7`, 'No order has the id "7".'],
]
for (const [path, message] of QUERIES)
  test(`GET ${path.slice(0, 60)} says what is wrong with it`, async () => words(message)(messageOf(await call(path))))

const rex = (fields: string) => `{"name":"Rex",${fields}}`
const named = (name: string) => `{"name":"${name}","categoryId":1}`
const PETS: [what: string, body: string, message: string | RegExp][] = [
  ['no body', '', 'The body is empty; it must be a JSON object.'],
  ['text', 'Rex', /not valid JSON/],
  ['a byte order mark', `\uFEFF${named('Rex')}`, /byte order mark/],
  ['a key named twice', rex('"categoryId":1,"categoryId":1'), /twice/],
  ['33 levels', rex(`"categoryId":1,"x":${'['.repeat(32)}${']'.repeat(32)}`), /32 levels/],
  ['null', 'null', 'The body must be a JSON object; got null.'],
  ['a string', '"Rex"', 'The body must be a JSON object; got "Rex".'],
  ['a number with a fraction', '5.5', 'The body must be a JSON object; got 5.5.'],
  ['an empty object', '{}', '`name` is required: a string. `categoryId` is required: an integer.'],
  ['name a number', '{"name":5,"categoryId":1}', '`name` must be a string; got 5.'],
  ['name an object', '{"name":{},"categoryId":1}', '`name` must be a string; got an object.'],
  ['name empty', named(''), '`name` must be 1 to 255 characters long; got an empty string.'],
  ['256 turtles', named('🐢'.repeat(256)), /at most 255 characters; got 256/],
  ['only spaces', named('   '), /visible/],
  ['a C1 control', named('a\\u0085'), '`name` must not contain control characters; got U+0085.'],
  ['half a character', named('a\\ud83d'), '`name` must not contain an unpaired surrogate.'],
  ['categoryId a string', rex('"categoryId":"5"'), /without quotes; got "5"/],
  ['categoryId 1e400', rex('"categoryId":1e400'), /got 1e400/],
  ['a literal over 64 characters', rex(`"categoryId":1.${'0'.repeat(64)}`), /got 1\.0{62}…/],
  ['status null', rex('"categoryId":1,"status":null'), `${ONE_STATUS} null.`],
  ['status Sold', rex('"categoryId":1,"status":"Sold"'), `${ONE_STATUS} "Sold" — did you mean sold?`],
]
for (const [what, body, message] of PETS)
  test(`the error of a new pet with ${what} says what is wrong`, async () =>
    words(message)(messageOf(await call('/v1/pets', postJson(body)))))

test('a change of nothing says what can be changed, and one of another version which there is', async () => {
  const path = `/v1/pets/${petId}`
  const nothing = 'The body must have at least one of `name`, `categoryId`, `status`.'
  assert.equal(messageOf(await call(path, patchJson('{"id":7}'))), nothing)
  const other = await call(path, patchJson({ name: 'Tom' }, { 'if-match': '"7", "8", "9", "10"' }))
  assert.match(messageOf(other), /has version 1; the request is for version 7 or 8 or 9\./)
})

test('an If-Match without quotes shows what arrived, and what to send', async () => {
  const said = async (header: string) =>
    messageOf(await call(`/v1/pets/${petId}`, patchJson({ name: 'Tom' }, { 'if-match': header })))
  const rule =
    '`If-Match` must be * or versions in double quotes, such as "3" or "3", "4", in at most 1,024 characters; got'
  assert.equal(await said('3'), `${rule} 3. Did you mean "3", with the quotes?`)
  assert.equal(await said('3, 4'), `${rule} 3, 4. Did you mean "3", "4", with the quotes?`)
  assert.equal(await said("'3'"), `${rule} "'3'".`)
  assert.equal(await said('x'.repeat(2_000)), `${rule} "${'x'.repeat(64)}"….`)
  assert.equal(await said('1'.repeat(65)), `${rule} "${'1'.repeat(64)}"….`)
})

test('the error of an order with a wrong field says what is allowed', async () => {
  const said = async (fields: string) => messageOf(await call(ORDERS, postJson(`{"petId":1,${fields}}`)))
  assert.match(await said('"expiresIn":0'), /^`expiresIn` must be an integer from 1 to 2592000.*; got 0\.$/)
  assert.match(await said('"reference":""'), /`reference` must be 1 to 255 characters/)
})

test('the error of an order that cannot be placed says why', async () => {
  const only = 'Only a pet whose status is available can be ordered.'
  for (const [status, why] of [
    ['pending', 'it is pending'],
    ['sold', 'it is sold'],
    [null, 'it has no status'],
  ] as const) {
    const [id] = await insertPets(pool, [status])
    assert.equal(messageOf(await place(id!)), `The pet ${id} cannot be ordered: ${why}. ${only}`)
  }
  const [held] = await insertPets(pool, ['available'])
  await place(held!)
  assert.match(messageOf(await place(held!)), /it is pending, held by another order/)
})

test('an order that has ended says how and when', async () => {
  const placed = async () => orderOf(await place((await insertPets(pool, ['available']))[0]!)).id
  const [sold, freed, due] = [await placed(), await placed(), await placed()]
  const { closedAt } = orderOf(await complete(sold))
  assert.equal(messageOf(await cancel(sold)), `The order ${sold} cannot be cancelled: it was completed at ${closedAt}.`)
  const { closedAt: freedAt } = orderOf(await cancel(freed))
  const refused = `The order ${freed} cannot be completed: it was cancelled at ${freedAt}.`
  assert.equal(messageOf(await complete(freed)), refused)
  await makeDue(pool, [due])
  let order = orderOf(await get(due))
  while (order.status === 'placed') order = orderOf(await get(due))
  assert.equal(messageOf(await cancel(due)), `The order ${due} cannot be cancelled: it expired at ${order.closedAt}.`)
})

const NO_URL = 'must be a URL like https://shop.example/hooks'
const NOT_ASCII =
  'must consist of visible ASCII characters: escape others with %, and write a host in other scripts as xn--…'
const URLS: [url: string, fault: string][] = [
  ['http://shop.example/hooks', 'must begin with https://'],
  ['shop.example/hooks', NO_URL],
  ['https://shop.example\\@evil.example/', NO_URL],
  ['https://user@shop.example/', 'must not contain a user or a password'],
  ['https://shop.example/hooks#now', 'must not have a fragment'],
  ['https://shop.example:80/', 'must have the port 443, or one from 1024'],
  ['https://bücher.example/', NOT_ASCII],
  ['https://api.localhost./', 'must not name this machine'],
  ['https://127.1/', 'must not be a private or reserved address'],
]
for (const [url, fault] of URLS)
  test(`the error of a webhook for ${url} says what is allowed`, async () => {
    assert.equal(messageOf(await webhooks.create({ url })), `\`url\` ${fault}.`)
    assert.equal(messageOf(await webhooks.patch(webhookId, { url })), `\`url\` ${fault}.`)
  })

const KNOWN = EVENT_TYPES.join(', ')
const TYPES: [types: unknown, message: string | RegExp][] = [
  [[], '`types` must have at least 1 value.'],
  [['pet.created', 'pet.created'], '`types` must have each value only once.'],
  [[...EVENT_TYPES, 'pet.created'], '`types` takes at most 8 values.'],
  [['pet.create'], `\`types[0]\` must be one of ${KNOWN}; got "pet.create" — did you mean pet.created?`],
  [['pet.created', null], `\`types[1]\` must be one of ${KNOWN}; got null.`],
  ['pet.created', '`types` must be an array or null; got "pet.created".'],
  [[1e300, 9007199254740993n], /^`types\[0\]` must be one of .*`types\[1\]` must be one of /],
]
test('types of a webhook that there are not are named, in both places', async () => {
  for (const [types, message] of TYPES) {
    words(message)(messageOf(await webhooks.create({ url: RECEIVER, types })))
    words(message)(messageOf(await webhooks.patch(webhookId, { types })))
  }
})

test('the errors of other fields of a webhook say what is allowed', async () => {
  const changed = async (body: object) => messageOf(await webhooks.patch(webhookId, body))
  assert.equal(messageOf(await webhooks.create({})), '`url` is required: a string.')
  const long = `https://shop.example/${'x'.repeat(2_028)}`
  assert.equal(await changed({ url: long }), '`url` must have at most 2048 characters; got 2049.')
  assert.equal(await changed({}), 'The body must have at least one of `url`, `types`, `name`, `state`, `cursor`.')
  assert.match(await changed({ state: 'disabled' }), /^`state` must be one of active, paused; got /)
  const cursor =
    '`cursor` must be `oldest`, a time in RFC 3339 such as 2026-11-16T09:30:00Z, or a cursor of the feed, from the Link header of GET /events without `sort=newest`.'
  assert.equal(await changed({ cursor: 'x' }), cursor)
  const overlap = messageOf(await webhooks.rotate(webhookId, '{"overlap":1e400}'))
  assert.equal(overlap, '`overlap` must be an integer from 0 to 604800; got 1e400.')
})

test('a body full of mistakes gets a short message', async () => {
  for (const item of ['0', '"x"', '[]', '{}']) {
    const types = Array.from({ length: 15_000 }, () => item).join()
    const answer = await webhooks.create(`{"url":"${RECEIVER}","types":[${types}]}`)
    assert.equal(answer.status, 400)
    assert.ok(answer.text.length < 2_000, String(answer.text.length))
  }
})
