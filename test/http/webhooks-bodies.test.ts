import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_TYPES } from '../../src/domain/events.ts'
import { parseNetworks } from '../../src/lib/client-address.ts'
import { encodeCursor } from '../../src/lib/cursor.ts'
import { type Answer, patchJson, postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { WITH_WEBHOOKS } from '../support/webhook-errors.ts'
import { RECEIVER, WEBHOOKS, webhookCalls, webhookOf } from '../support/webhooks.ts'

const { call, pool } = await startApp(WITH_WEBHOOKS)
const { create, get, patch, remove, rotate, ping, attempts, list } = webhookCalls(call)
const { id } = webhookOf(await create())
const MISSING = 'wh_00000000000000000000'

function assertInvalid(answer: Answer, message: string | RegExp) {
  assertError(answer, 400, 'invalid_body')
  const { message: said } = answer.body as { message: string }
  if (typeof message === 'string') assert.equal(said, message)
  else assert.match(said, message)
}

const NOT_ASCII =
  'must consist of visible ASCII characters: escape others with %, and write a host in other scripts as xn--…'
const URLS: [url: string, fault: string][] = [
  ['http://shop.example/hooks', 'must begin with https://'],
  ['ftp://shop.example/hooks', 'must begin with https://'],
  ['shop.example/hooks', 'must be a URL like https://shop.example/hooks'],
  ['https://', 'must be a URL like https://shop.example/hooks'],
  ['https://user@shop.example/', 'must not contain a user or a password'],
  ['https://user:word@shop.example/', 'must not contain a user or a password'],
  ['https://shop.example/hooks#now', 'must not have a fragment'],
  ['https://shop.example/hooks#', 'must not have a fragment'],
  ['https://shop.example:80/', 'must have the port 443, or one from 1024'],
  ['https://shop.example:22/', 'must have the port 443, or one from 1024'],
  [' https://shop.example/', NOT_ASCII],
  ['https://shop.example/a b', NOT_ASCII],
  ['https://shop.example/\u202e', NOT_ASCII],
  ['https://bücher.example/', NOT_ASCII],
  ['https:shop.example', 'must be a URL like https://shop.example/hooks'],
  ['https://shop.example\\@evil.example/', 'must be a URL like https://shop.example/hooks'],
  ['https://localhost/', 'must not name this machine'],
  ['https://api.localhost./', 'must not name this machine'],
  ...[
    '127.0.0.1',
    '127.1',
    '0',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:8.8.8.8]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:db8::1]',
    '[fd00::1]',
    '[fe80::1]',
    '[ff02::1]',
  ].map((host): [string, string] => [`https://${host}/`, 'must not be a private or reserved address']),
]

test('W3: a URL that may not be used is rejected with what is allowed, in both places', async () => {
  for (const [url, fault] of URLS) {
    assertInvalid(await create({ url }), `\`url\` ${fault}.`)
    assertInvalid(await patch(id, { url }), `\`url\` ${fault}.`)
  }
  assert.equal(webhookOf(await get(id)).url, RECEIVER)
  assert.equal((await list()).length, 1)
})

test('a URL is kept as it was sent', async () => {
  const longest = `https://shop.example/${'x'.repeat(2_027)}`
  for (const url of [
    'https://shop.example',
    'https://shop.example:443/',
    'https://SHOP.example:1024/%7e?a=b&c=%00',
    'https://shop.example:65535/',
    'https://9.9.9.9/',
    'https://[2606:4700::1111]/',
    'https://xn--kse-qla.example/%C3%BC',
    longest,
  ])
    assert.equal(webhookOf(await patch(id, { url })).url, url)
  await patch(id, { url: RECEIVER })
  assertInvalid(await patch(id, { url: `${longest}x` }), '`url` must have at most 2048 characters; got 2049.')
})

test('addresses of the store itself are allowed where the operator says so, and this machine only in development', async () => {
  const networks = { webhookNetworks: parseNetworks('10.1.0.0/16') }
  const own = webhookCalls((await startApp({ ...WITH_WEBHOOKS, ...networks })).call)
  assert.equal((await own.create({ url: 'https://10.1.2.3/' })).status, 201)
  assertInvalid(await own.create({ url: 'https://10.2.0.1/' }), /private or reserved/)
  assertInvalid(await own.create({ url: 'http://10.1.2.3/' }), /https/)
  const local = webhookCalls((await startApp({ ...WITH_WEBHOOKS, allowsLocalReceivers: true })).call)
  for (const url of ['http://127.0.0.1:3000/', 'http://localhost:80/', 'https://[::1]/', 'http://shop.example/'])
    assert.equal((await local.create({ url })).status, 201, url)
  assertInvalid(await local.create({ url: 'http://10.0.0.1/' }), /private or reserved/)
})

const TYPES = EVENT_TYPES.join(', ')
test('types are one to eight known ones, each once', async () => {
  const faults: [types: unknown, message: string | RegExp][] = [
    [[], '`types` must have at least 1 value.'],
    [['pet.created', 'pet.created'], '`types` must have each value only once.'],
    [[...EVENT_TYPES, 'pet.created'], '`types` takes at most 8 values.'],
    [['pet.create'], `\`types[0]\` must be one of ${TYPES}; got "pet.create" — did you mean pet.created?`],
    [['pet.created', null], `\`types[1]\` must be one of ${TYPES}; got null.`],
    [['webhook.ping'], /^`types\[0\]` must be one of /],
    ['pet.created', '`types` must be an array or null; got "pet.created".'],
    [{ 0: 'pet.created' }, '`types` must be an array or null; got an object.'],
    [[1e300, 9007199254740993n], /^`types\[0\]` must be one of .*`types\[1\]` must be one of /],
  ]
  for (const [types, message] of faults) {
    assertInvalid(await create({ url: RECEIVER, types }), message)
    assertInvalid(await patch(id, { types }), message)
  }
  assert.deepEqual(webhookOf(await patch(id, { types: EVENT_TYPES })).types, [...EVENT_TYPES])
  const all = webhookOf(await create({ url: RECEIVER, types: null }))
  assert.equal(all.types, null)
  await remove(all.id)
})

test('a body full of mistakes gets a short message', async () => {
  for (const item of ['0', '"x"', '[]', '{}']) {
    const types = Array.from({ length: 15_000 }, () => item).join()
    const answer = await create(`{"url":"${RECEIVER}","types":[${types}]}`)
    assertError(answer, 400, 'invalid_body')
    assert.ok(answer.text.length < 2_000, String(answer.text.length))
  }
})

test('what a body lacks or has too much of is named', async () => {
  assertInvalid(await create({}), '`url` is required: a string.')
  assertInvalid(await create([]), 'The body must be a JSON object; got an array.')
  assertInvalid(await create('9223372036854775808'), /must be a JSON object/)
  assertInvalid(await create({ url: null }), '`url` must be a string; got null.')
  assertInvalid(await create({ url: 5 }), /^`url` must be a string/)
  assertInvalid(await create({ url: '' }), /^`url` must be 1 to 2048 characters long/)
  assertInvalid(
    await create({ url: 'https://shop.example/\u0000' }),
    '`url` must not contain control characters; got U+0000.',
  )
  assertInvalid(await create('{"url":"https://shop.example/\\ud800"}'), '`url` must not contain an unpaired surrogate.')
  const none = 'The body must have at least one of `url`, `types`, `state`, `cursor`.'
  for (const body of [{}, { colour: 'red' }, { id: 'wh_1', sequence: '1', secret: 'x' }])
    assertInvalid(await patch(id, body), none)
  for (const state of ['disabled', 'Active', '', null, 1])
    assertInvalid(await patch(id, { state }), /^`state` must be one of active, paused; got /)
  // Fields that only the service sets are ignored.
  const answer = await patch(id, { state: 'active', sequence: '0', behind: 5, secret: 'x', failingSince: 'x' })
  assert.equal(answer.status, 200)
})

test('a cursor must be one of the feed', async () => {
  const message = '`cursor` must be `oldest` or a cursor of the feed. Take it from the Link header of GET /events.'
  for (const cursor of ['', 'x', encodeCursor('oldest', 1n), encodeCursor('history', 1n, 1n), encodeCursor('feed', 1n)])
    assertInvalid(await patch(id, { cursor }), message)
  assertInvalid(await patch(id, { cursor: 5 }), '`cursor` must be a string; got 5.')
  assertInvalid(await patch(id, { cursor: null }), '`cursor` must be a string; got null.')
  const before = webhookOf(await get(id))
  const { rows } = await pool.query<{ mark: string }>('select mark from feed_pages')
  const mark = BigInt(rows[0]!.mark)
  for (const [sequence, other] of [
    [0n, mark + 1n],
    [1n, mark],
    [-1n, mark],
    [2n ** 63n - 1n, mark],
    [-(2n ** 63n), mark],
  ] as const)
    assertError(await patch(id, { cursor: encodeCursor('feed', sequence, other) }), 410, 'cursor_expired')
  assert.deepEqual((await get(id)).body, before)
})

test('the overlap of a rotation is a number of seconds up to a week', async () => {
  const message = (got: string) => `\`overlap\` must be an integer from 0 to 604800; got ${got}.`
  for (const [overlap, got] of [
    ['-1', '-1'],
    ['604801', '604801'],
    ['1.5', '1.5'],
    ['9223372036854775808', '9223372036854775808'],
    ['-9223372036854775809', '-9223372036854775809'],
    ['1e400', '1e400'],
    ['null', 'null'],
    ['true', 'true'],
  ])
    assertInvalid(await rotate(id, `{"overlap":${overlap}}`), message(got!))
  assertInvalid(await rotate(id, '{"overlap":"60"}'), /written without quotes/)
  // The secret is not lost to a request without a body.
  assertError(await call(`${WEBHOOKS}/${id}/rotate`, { method: 'POST' }), 400, 'invalid_json')
})

test('text that is no id is not found', async () => {
  for (const text of [
    'wh_',
    id.toUpperCase(),
    id.slice(0, -1),
    `${id}x`,
    `${id}%00`,
    `${id}%0a`,
    '%F0%9F%90%88',
    '%ff',
    '1',
    'wh_0000000000000000000-',
    'x'.repeat(9_000),
    `${id}'--`,
  ])
    for (const request of [get, remove, rotate, ping, attempts, (some: string) => patch(some, { state: 'active' })])
      assertError(await request(text), 404, 'webhook_not_found')
  assert.equal((await get(id)).status, 200)
})

test('what is wrong with a body comes first, then the webhook, then the cursor, then their number', async () => {
  const expired = encodeCursor('feed', 5n, 5n)
  for (const at of [MISSING, 'nonsense']) {
    assertError(await patch(at, { url: 'http://x' }), 400, 'invalid_body')
    assertError(await patch(at, { cursor: 'x' }), 400, 'invalid_body')
    assertError(await patch(at, {}), 400, 'invalid_body')
    assertError(await patch(at, { cursor: expired }), 404, 'webhook_not_found')
    assertError(await rotate(at, { overlap: -1 }), 400, 'invalid_body')
    assertError(await call(`${WEBHOOKS}/${at}`, patchJson('{')), 400, 'invalid_json')
    assertError(await call(`${WEBHOOKS}/${at}`, postJson('{')), 405, 'method_not_allowed')
  }
  const made = await Promise.all(Array.from({ length: 19 }, () => create()))
  assertError(await create({ url: 'http://x' }), 400, 'invalid_body')
  assertError(await create(), 409, 'too_many_webhooks')
  for (const webhook of made) await remove(webhookOf(webhook).id)
  const unconfigured = webhookCalls((await startApp()).call)
  assertError(await unconfigured.create({ url: 'http://x' }), 400, 'invalid_body')
})
