import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import type { Knowledge, Walk } from '../../fuzz/oracle/expectation.ts'
import { judge } from '../../fuzz/oracle/request.ts'
import type { World } from '../../fuzz/oracle/world.ts'
import { repeatLines } from '../../fuzz/repeat.ts'
import { encode, type Request } from '../../fuzz/request.ts'

// The oracle decides what the fuzzer believes; these are sentences of the contract, as a reader understands them.
const KEY = 'petk_test_secret'

function request(method: string, target: string, rest: Partial<Request> = {}): Request {
  const headers: Request['headers'] = [
    ['Host', 'x'],
    ['Authorization', `Bearer ${KEY}`],
  ]
  return { method, target, version: '1.1', headers, ...rest }
}

const post = (text: string) => request('POST', '/v1/pets', { body: Buffer.from(text).toString('latin1') })
const REX = { id: 1n, name: 'Rex', categoryId: 7n }
const keyed = (...keys: string[]) => {
  const plain = post('{"name":"Rex","categoryId":7}')
  return { ...plain, headers: [...plain.headers, ...keys.map((key): [string, string] => ['Idempotency-Key', key])] }
}
const anonymous = { headers: [['Host', 'x']] satisfies Request['headers'] }

const ROWS: [name: string, given: Request, status: number, code?: string][] = [
  ['a pet', post('{"name":"Rex","categoryId":9223372036854775807}'), 201],
  ['a pet in other words', post(' {"categor\\u0079Id":50e-1,"x":1e400,"name":"🐢"}'), 201],
  ['255 code points', post(`{"name":"${'🐢'.repeat(255)}","categoryId":1}`), 201],
  ['256 code points', post(`{"name":"${'🐢'.repeat(256)}","categoryId":1}`), 400, 'invalid_body'],
  ['an invisible name', post('{"name":" \\u200b","categoryId":1}'), 400, 'invalid_body'],
  ['half of a pair', post('{"name":"a\\ud800","categoryId":1}'), 400, 'invalid_body'],
  ['2^63', post('{"name":"a","categoryId":9223372036854775808}'), 400, 'invalid_body'],
  ['a fraction', post('{"name":"a","categoryId":1.5}'), 400, 'invalid_body'],
  ['an exponent beyond 64', post('{"name":"a","categoryId":0e65}'), 400, 'invalid_body'],
  ['a status of null', post('{"name":"a","categoryId":1,"status":null}'), 400, 'invalid_body'],
  ['a key twice', post('{"name":"a","n\\u0061me":"a","categoryId":1}'), 400, 'invalid_json'],
  ['32 levels', post(`{"name":"a","categoryId":1,"x":${'['.repeat(31)}${']'.repeat(31)}}`), 201],
  ['33 levels', post(`{"name":"a","categoryId":1,"x":${'['.repeat(32)}${']'.repeat(32)}}`), 400, 'invalid_json'],
  ['a byte order mark', post('\ufeff{"name":"a","categoryId":1}'), 400, 'invalid_json'],
  ['a raw line end in a string', post('{"name":"a\n","categoryId":1}'), 400, 'invalid_json'],
  ['a new key', keyed('new'), 201],
  ['a key in quotes', keyed('"new \\" \\\\"'), 201],
  ['a used key with its pet', keyed('used'), 201],
  [
    'a used key with another pet',
    { ...keyed('used'), body: '{"name":"Momo","categoryId":7}' },
    422,
    'idempotency_key_reused',
  ],
  ['an empty key', keyed(''), 400, 'invalid_idempotency_key'],
  ['a key of 256 characters', keyed('k'.repeat(256)), 400, 'invalid_idempotency_key'],
  ['a key whose quote is not closed', keyed('"new\\"'), 400, 'invalid_idempotency_key'],
  ['two keys', keyed('new', 'new'), 400, 'invalid_idempotency_key'],
  ['a bad key with a bad body', { ...keyed(''), body: '{}' }, 400, 'invalid_body'],
  ['a limit of 100', request('GET', '/v1/pets?limit=100'), 200],
  ['a limit of 101', request('GET', '/v1/pets?limit=101'), 400, 'invalid_parameter'],
  ['a status twice', request('GET', '/v1/pets?status=sold&status=sold'), 400, 'invalid_parameter'],
  ['an id that is not canonical', request('GET', '/v1/pets/01'), 404, 'pet_not_found'],
  ['bad percent-encoding', request('GET', '/v1/pets/%ZZ'), 404, 'pet_not_found'],
  ['nothing after the slash', request('GET', '/v1/pets/'), 404, 'route_not_found'],
  ['no key, whatever else is wrong', request('PUT', '/v1/nothing?limit=0', anonymous), 401, 'missing_credentials'],
  ['OPTIONS without a key', request('OPTIONS', '/%76%31/pets', anonymous), 204],
  ['an unknown path outside', request('GET', '/v1%2Fpets', anonymous), 404, 'route_not_found'],
  ['a key in the URL', request('GET', `/v1/pets?x=${KEY}`), 401, 'invalid_credentials'],
  ['a key in a public URL', request('GET', `/livez?x=${KEY}`, anonymous), 401, 'invalid_credentials'],
  ['OPTIONS with a key in the URL', request('OPTIONS', `/v1/pets/${KEY}`, anonymous), 204],
  ['the own key', request('GET', '/v1/keys/self'), 200],
  ['the own key without a key', request('GET', '/v1/keys/self', anonymous), 401, 'missing_credentials'],
  ['its deprecated calls', request('GET', '/v1/deprecations'), 200],
  ['a slash too many', request('GET', '/v1/deprecations/'), 404, 'route_not_found'],
  ['another method', request('PUT', '/v1/pets/1'), 405, 'method_not_allowed'],
]
// Pets of every kind, by id, and an order on the last one whose time has come: it may have expired already.
const WORLDS = new Map(
  [
    { version: 3n, status: 'available' },
    { version: 4n, status: 'sold' },
    { version: 5n },
    undefined,
    { version: 6n, status: 'pending', orderId: 'ord_open' },
    { version: 6n, status: 'pending', orderId: 'ord_due' },
  ].map((state, i): [bigint, World] => {
    const petId = BigInt(i + 1)
    const { orderId = 'ord_completed' } = state ?? {}
    const order = {
      id: orderId,
      petId,
      placedAt: '',
      expiresAt: '',
      expires: { from: i === 5 ? 50 : 1_000, to: 5_000 },
    }
    const status = orderId === 'ord_completed' ? 'completed' : 'placed'
    const orders = new Map([[orderId, { ...order, status }]])
    return [petId, { petId, orders, past: [], ...(state && { pet: { name: 'Rex', categoryId: 7n, ...state } }) }]
  }),
)
const ORDER = { petId: 1n, expiresIn: 900 }
const CURSORS: Record<string, Walk> = { NEW: 'newest', FEED: 'feed', PAST: 'history of 1' }
const KNOWN: Knowledge = {
  key: KEY,
  earlierKey: 'petk_test_earlier',
  createdBy: (key, idempotencyKey) => (key === KEY && idempotencyKey === 'used' ? REX : undefined),
  orderedBy: (idempotencyKey) => (idempotencyKey === 'used' ? { order: ORDER, body: '' } : undefined),
  world: (petId) => WORLDS.get(petId),
  petOf: (orderId) => ({ ord_completed: 1n, ord_open: 5n, ord_due: 6n })[orderId],
  walkOf: (cursor) => CURSORS[cursor],
  isSettled: () => true,
}

const with_ = (given: Request, ...more: Request['headers']): Request => ({
  ...given,
  headers: [...given.headers, ...more],
})
const patch = (id: number | string, body: string, ...more: Request['headers']) =>
  with_(request('PATCH', `/v1/pets/${id}`, { body }), ...more)
const remove = (id: number | string, ...more: Request['headers']) => with_(request('DELETE', `/v1/pets/${id}`), ...more)
const order = (body: string, ...more: Request['headers']) =>
  with_(request('POST', '/v1/store/orders', { body }), ...more)
const match = (value: string): [string, string] => ['If-Match', value]
const TO_SOLD = '{"status":"sold"}'
const NAME = '{"name":"Momo"}'

ROWS.push(
  ['a new name', patch(1, NAME), 200],
  ['a new name with its version', patch(1, NAME, match('"2", "3"')), 200],
  ['a condition with empty elements', patch(1, NAME, match(',"3",,')), 200],
  ['a new name of any version', patch(1, NAME, match('*')), 200],
  ['a weak tag', patch(1, NAME, match('W/"3"')), 412, 'version_mismatch'],
  ['another version', patch(1, NAME, match('"2"')), 412, 'version_mismatch'],
  ['a tag of another service', patch(1, NAME, match('"a,b"')), 412, 'version_mismatch'],
  ['If-None-Match', patch(1, NAME, ['If-None-Match', '*']), 412, 'version_mismatch'],
  ['a tag without quotes', patch(1, NAME, match('3')), 400, 'invalid_parameter'],
  ['an empty condition', remove(1, match('')), 400, 'invalid_parameter'],
  ['a condition that is too long', remove(1, match('"3",'.repeat(257).slice(0, -1))), 400, 'invalid_parameter'],
  ['no field', patch(1, '{}'), 400, 'invalid_body'],
  ['only fields that are no pet’s', patch(1, '{"id":1,"x":2}'), 400, 'invalid_body'],
  ['a name of null', patch(1, '{"name":null}'), 400, 'invalid_body'],
  ['a status of null in a patch', patch(1, '{"status":null}'), 200],
  ['a JSON patch', patch(1, NAME, ['Content-Type', 'application/json-patch+json']), 415, 'unsupported_media_type'],
  ['a merge patch', patch(1, NAME, ['Content-Type', 'application/merge-patch+json']), 200],
  [
    'a merge patch as a pet',
    with_(post('{"name":"a","categoryId":1}'), ['Content-Type', 'application/merge-patch+json']),
    415,
    'unsupported_media_type',
  ],
  ['a sale taken back', patch(2, '{"status":"available"}'), 428, 'version_required'],
  ['a sale taken back of any version', patch(2, '{"status":null}', match('*')), 428, 'version_required'],
  ['a sale taken back with another version', patch(2, '{"status":null}', match('"3"')), 412, 'version_mismatch'],
  ['a sale taken back with its version', patch(2, '{"status":"available"}', match('"4"')), 200],
  ['sold again', patch(2, TO_SOLD), 200],
  ['a patch of a deleted pet', patch(4, NAME, match('"9"')), 404, 'pet_not_found'],
  ['a patch of an id that is not canonical', patch('01', NAME), 404, 'pet_not_found'],
  ['the status of a held pet', patch(5, '{"status":"pending"}'), 409, 'pet_reserved'],
  ['the name of a held pet', patch(5, NAME), 200],
  ['the deletion of a held pet', remove(5), 409, 'pet_reserved'],
  ['the deletion of a held pet of another version', remove(5, match('"5"')), 412, 'version_mismatch'],
  ['a deletion', remove(2), 204],
  ['a second deletion', remove(4), 404, 'pet_not_found'],
  ['an order', order('{"petId":1}'), 201],
  ['an order of a sold pet', order('{"petId":2}'), 409, 'pet_not_available'],
  ['an order of a pet without a status', order('{"petId":3}'), 409, 'pet_not_available'],
  ['an order of a deleted pet', order('{"petId":4}'), 404, 'pet_not_found'],
  ['an order of a held pet', order('{"petId":5}'), 409, 'pet_not_available'],
  ['an order for no time', order('{"petId":1,"expiresIn":0}'), 400, 'invalid_body'],
  ['an order for too long', order('{"petId":1,"expiresIn":2592001}'), 400, 'invalid_body'],
  ['an order for a time in quotes', order('{"petId":1,"expiresIn":"900"}'), 400, 'invalid_body'],
  ['an order with a reference of null', order('{"petId":1,"reference":null}'), 400, 'invalid_body'],
  ['a used key with its order', order('{"petId":1}', ['Idempotency-Key', 'used']), 201],
  [
    'a used key with another order',
    order('{"petId":1,"expiresIn":1}', ['Idempotency-Key', 'used']),
    422,
    'idempotency_key_reused',
  ],
  ['an order that is open', request('GET', '/v1/store/orders/ord_open'), 200],
  ['an order in another case', request('GET', '/v1/store/orders/ORD_OPEN'), 404, 'order_not_found'],
  ['a completion', request('POST', '/v1/store/orders/ord_open/complete'), 200],
  ['a second completion', request('POST', '/v1/store/orders/ord_completed/complete'), 200],
  [
    'a cancellation of what is completed',
    request('POST', '/v1/store/orders/ord_completed/cancel'),
    409,
    'order_closed',
  ],
  ['orders of a pet and a reference', request('GET', '/v1/store/orders?petId=1&reference=a'), 400, 'invalid_parameter'],
  ['orders of a status that pets have', request('GET', '/v1/store/orders?status=sold'), 400, 'invalid_parameter'],
  ['all of a pet', request('GET', '/v1/pets?view=full&sort=newest&categoryId=-1'), 200],
  ['no view', request('GET', '/v1/pets?view='), 400, 'invalid_parameter'],
  ['two categories', request('GET', '/v1/pets?categoryId=1,2'), 400, 'invalid_parameter'],
  ['a cursor of the other direction', request('GET', '/v1/pets?cursor=NEW'), 400, 'invalid_cursor'],
  ['a cursor of its direction', request('GET', '/v1/pets?sort=newest&cursor=NEW'), 200],
  ['a cursor of the feed', request('GET', '/v1/events?cursor=FEED&wait=9&type=pet.created,order.expired'), 200],
  ['a cursor of a history', request('GET', '/v1/events?petId=1&cursor=PAST'), 200],
  ['a cursor of the history of another pet', request('GET', '/v1/events?petId=2&cursor=PAST'), 400, 'invalid_cursor'],
  ['a cursor of a history in the feed', request('GET', '/v1/events?cursor=PAST'), 400, 'invalid_cursor'],
  ['a cursor of pets in the feed', request('GET', '/v1/events?cursor=NEW'), 400, 'invalid_cursor'],
  ['a cursor of the feed in a list', request('GET', '/v1/pets?cursor=FEED'), 400, 'invalid_cursor'],
  [
    'where the feed starts beside a cursor',
    request('GET', '/v1/events?from=now&cursor=FEED'),
    400,
    'invalid_parameter',
  ],
  ['a wait of ten seconds', request('GET', '/v1/events?wait=10'), 400, 'invalid_parameter'],
  ['an unknown type of event', request('GET', '/v1/events?type=pet.created,pet.sold'), 400, 'invalid_parameter'],
  ['a history that waits', request('GET', '/v1/events?petId=1&wait=1'), 400, 'invalid_parameter'],
)
for (const [name, given, status, code] of ROWS) {
  test(`the oracle expects ${status} ${code ?? ''} for ${name}`, () => {
    const [{ statuses, codes = [] } = { statuses: [] }, ...more] = judge(given, KNOWN, { from: 0, to: 100 })
    assert.equal(statuses[0], status)
    assert.equal(more.length, 0)
    if (code !== undefined) assert.deepEqual(codes, [code])
  })
}

test('an earlier key lacks the scopes of orders and changes', () => {
  for (const [method, target, scope] of [
    ['PATCH', '/v1/pets/1', 'pets:edit'],
    ['DELETE', '/v1/pets/1', 'pets:delete'],
    ['POST', '/v1/store/orders', 'orders:write'],
    ['GET', '/v1/store/orders/x', 'orders:read'],
    ['POST', '/v1/store/orders/x/cancel', 'orders:write'],
    ['GET', '/v1/events', 'events:read'],
    ['GET', '/v1/webhooks', 'webhooks:manage'],
    ['POST', '/v1/webhooks/x/ping', 'webhooks:manage'],
    ['POST', '/v1/pets', undefined],
  ] as const) {
    const given = request(method, target, {
      headers: [
        ['Host', 'x'],
        ['Authorization', 'Bearer petk_test_earlier'],
      ],
    })
    assert.equal(judge(given, KNOWN, { from: 0, to: 1 })[0]?.scope, scope)
  }
})

test('an order whose time has come may still be open, or have expired', () => {
  const window = { from: 40, to: 100 }
  const statusesOf = (given: Request, during = window) => judge(given, KNOWN, during).map(({ statuses }) => statuses[0])
  assert.deepEqual(statusesOf(request('POST', '/v1/store/orders/ord_due/complete')), [200, 409])
  assert.deepEqual(statusesOf(order('{"petId":6}')), [409, 201])
  assert.deepEqual(statusesOf(order('{"petId":6}'), { from: 0, to: 49 }), [409], 'never before its time')
  assert.deepEqual(statusesOf(order('{"petId":6}'), { from: 5_001, to: 5_002 }), [201], 'never too late')
  const [, after] = judge(patch(6, NAME), KNOWN, window)
  assert.deepEqual(
    [after?.record?.version, after?.record?.status, after?.record?.orderId],
    [8n, 'available', undefined],
  )
})

test('the line that repeats a finding sends the same bytes, and does not show the key', () => {
  const given = { ...post('{"name":"%s \\\\ \' \t🐢\0\\u0000"}'), version: '1.0' as const }
  const { head, body } = encode(given)
  const [line = ''] = repeatLines([{ requests: [given], broken: 'more\0' }], 'http://127.0.0.1:1', KEY)
  assert.ok(!line.includes(KEY))
  const printed = execFileSync('bash', ['--norc', '-c', line.replace(/ \| nc .*$/, '')], { env: { PETSTORE_KEY: KEY } })
  assert.equal(printed.toString('latin1'), `${head}${body}more\0`)
})
