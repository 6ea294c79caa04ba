import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainRequest, type Request } from '../../fuzz/request.ts'
import { Store } from '../../fuzz/store.ts'
import { checkResponse } from '../../fuzz/verdict.ts'

// Each kind of finding, in responses that a service could have sent. The healthy ones have none.
const KEY = 'petk_test_secret'
const FORM = {
  'request-id': 'r',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-type': 'application/json',
  'www-authenticate': 'Bearer realm="petstore"',
}

const store = new Store(KEY)

function ask(method: string, target: string, body?: unknown, more: Request['headers'] = []): Request {
  const request = plainRequest(method, `/v1${target}`, more, body === undefined ? undefined : JSON.stringify(body))
  return { ...request, headers: request.headers.map(([name, value]) => [name, value.replace('{{key}}', KEY)]) }
}

/** What is wrong with a response to this request, sent after all that were checked before. */
function check(
  request: Request,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
  sentAt = performance.now(),
) {
  const response = {
    status,
    headers: new Map(Object.entries({ ...FORM, ...headers })),
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    continued: false,
  }
  return checkResponse(request, response, store, sentAt)
}

const error = (code: string, status: number, message = 'wrong') => ({ code, message, status })
const location = (path: string) => ({ location: `http://x/v1${path}` })
const NEW = { name: 'Rex', categoryId: 7, status: 'available' }
const order = (id: string, petId: number) => ({
  id,
  petId,
  status: 'placed',
  placedAt: '2026-11-17T10:00:00.000Z',
  expiresAt: '2026-11-17T10:15:00.000Z',
  placedBy: 'key_0a1B2c3D4e5F6g7H',
})
let created = 0

/** A pet that the service has confirmed. */
function create(more: Request['headers'] = [], headers: Record<string, string> = {}) {
  const id = ++created
  assert.equal(
    check(ask('POST', '/pets', NEW, more), 201, { id, ...NEW }, { ...location(`/pets/${id}`), ...headers }),
    undefined,
  )
  return id
}

/** An order that the service has confirmed. */
function place(petId: number, id = `ord_${petId}`) {
  const fault = check(ask('POST', '/store/orders', { petId }), 201, order(id, petId), location(`/store/orders/${id}`))
  assert.equal(fault, undefined)
  return id
}

const FORMS: [name: string, request: Request, status: number, body: unknown, finding: RegExp, headers?: object][] = [
  ['a failure', ask('GET', '/pets'), 500, error('internal_error', 500), /failed with 500/],
  ['a rejected excess', ask('GET', '/pets'), 429, error('rate_limited', 429), /failed with 429/],
  ['another success', ask('POST', '/pets', NEW), 200, { id: 1, ...NEW }, /createPet does not document 200/],
  [
    'an undocumented status',
    ask('GET', '/pets'),
    412,
    error('version_mismatch', 412),
    /listPets does not document 412/,
  ],
  ['an undocumented code', ask('GET', '/pets'), 400, error('invalid_json', 400), /does not document the code/],
  ['an unknown code', ask('GET', '/pets'), 400, error('wrong', 400), /not that of a 400/],
  ['the code of another status', ask('GET', '/pets/1'), 404, error('bad_request', 404), /not that of a 404/],
  ['the status of another response', ask('GET', '/pets/1'), 404, error('pet_not_found', 400), /not that of a 404/],
  ['a fourth member', ask('GET', '/pets/1'), 404, { ...error('pet_not_found', 404), x: 1 }, /not an Error/],
  ['no body', ask('GET', '/pets/1'), 404, undefined, /has no body/],
  ['the key', ask('GET', '/pets'), 400, error('bad_request', 400, `not ${KEY}`), /shows the key/],
  [
    'a long echo',
    ask('GET', `/pets?limit=${'a'.repeat(90)}`),
    400,
    error('invalid_parameter', 400, `"${'a'.repeat(65)}" is too much`),
    /echoes more than 64/,
  ],
  ['a success of nothing', ask('GET', '/nothing'), 200, [], /no operation does not document 200/],
  ['a success without a key', { ...ask('GET', '/pets'), headers: [] }, 200, [], /without a key/],
  [
    'no challenge',
    ask('GET', '/pets'),
    401,
    error('missing_credentials', 401),
    /www-authenticate/,
    { 'www-authenticate': '' },
  ],
  ['no Request-Id', ask('GET', '/pets'), 200, [], /request-id/, { 'request-id': '' }],
  ['another Request-Id', ask('GET', '/pets', undefined, [['Request-Id', 'a']]), 200, [], /was not kept/],
]
for (const [name, request, status, body, finding, headers] of FORMS)
  test(`a response is found with ${name}`, () => {
    assert.match(check(request, status, body, { ...headers }) ?? 'nothing', finding)
  })

test('an error that the operation documents is none of these', () => {
  assert.equal(check(ask('GET', '/pets?limit=0'), 400, error('invalid_parameter', 400)), undefined)
  assert.equal(check(ask('GET', '/nothing'), 404, error('route_not_found', 404)), undefined)
})

test('what was created is read back as it was sent, and nowhere else', () => {
  const sent = ask('POST', '/pets', { ...NEW, categoryId: 9 })
  assert.match(check(sent, 201, { id: 90, ...NEW }, location('/pets/90')) ?? '', /not the pet that was sent/)
  const id = create()
  const again = check(ask('POST', '/pets', NEW), 201, { id, ...NEW }, location(`/pets/${id}`))
  assert.match(again ?? '', /given before/)
  assert.equal(check(ask('GET', `/pets/${id}`), 200, { id, ...NEW }), undefined)
  assert.match(check(ask('GET', `/pets/${id}`), 200, { id, ...NEW, name: 'Momo' }) ?? '', /does not read back/)
  assert.match(check(ask('GET', `/pets/${id}`), 404, error('pet_not_found', 404)) ?? '', /is gone/)
  assert.match(check(ask('GET', `/pets?id=${id}`), 200, []) ?? '', /lacks/)
  assert.match(check(ask('GET', '/pets?status=sold'), 200, [{ id, ...NEW }]) ?? '', /not asked for/)
  assert.match(
    check(ask('GET', '/pets?limit=1'), 200, [
      { id, ...NEW },
      { id: 91, ...NEW },
    ]) ?? '',
    /a limit of 1/,
  )
})

test('a used Idempotency-Key repeats its response, and no other', () => {
  const key: Request['headers'] = [['Idempotency-Key', 'k']]
  const id = create(key)
  const replayed = { ...location(`/pets/${id}`), 'idempotent-replayed': 'true' }
  const repeated = ask('POST', '/pets', NEW, key)
  assert.equal(check(repeated, 201, { id, ...NEW }, replayed), undefined)
  assert.match(check(repeated, 201, { id: 92, ...NEW }, location('/pets/92')) ?? '', /Idempotent-Replayed is undefined/)
  const other = ask('POST', '/pets', { ...NEW, name: 'Momo' }, key)
  assert.match(check(other, 201, { id, ...NEW }, replayed) ?? '', /not the pet that was sent/)
})

test('a change makes one version more, and a deletion is the last', () => {
  const id = create()
  const rename = ask('PATCH', `/pets/${id}`, { name: 'Momo' })
  const changed = { id, ...NEW, name: 'Momo' }
  assert.match(check(rename, 200, { ...changed, version: 1 }, { etag: '"1"' }) ?? '', /not the pet after the change/)
  assert.match(check(rename, 200, { ...changed, version: 2 }, { etag: '"1"' }) ?? '', /ETag is/)
  assert.equal(check(rename, 200, { ...changed, version: 2 }, { etag: '"2"' }), undefined)
  assert.equal(check(rename, 200, { ...changed, version: 2 }, { etag: '"2"' }), undefined, 'nothing has changed')
  const remove = ask('DELETE', `/pets/${id}`)
  assert.equal(check(remove, 204, undefined), undefined)
  assert.match(check(remove, 204, undefined) ?? '', /deleted twice/)
  assert.match(check(ask('GET', `/pets?id=${id}`), 200, [changed]) ?? '', /was deleted/)
})

test('a pet has one open order, which ends once', () => {
  const petId = create()
  const id = place(petId)
  const second = check(
    ask('POST', '/store/orders', { petId }),
    201,
    order('ord_b', petId),
    location('/store/orders/ord_b'),
  )
  assert.match(second ?? '', /not available/)
  assert.match(check(ask('DELETE', `/pets/${petId}`), 204, undefined) ?? '', /an order holds it/)
  assert.match(check(ask('GET', `/store/orders/${id}`), 404, error('order_not_found', 404)) ?? '', /is gone/)
  const ended = { closedAt: '2026-11-17T10:01:00.000Z', closedBy: 'key_0a1B2c3D4e5F6g7H' }
  const closed = { ...order(id, petId), status: 'completed', ...ended }
  assert.equal(check(ask('POST', `/store/orders/${id}/complete`), 200, closed), undefined)
  const cancelled = { ...closed, status: 'cancelled' }
  assert.match(check(ask('POST', `/store/orders/${id}/cancel`), 200, cancelled) ?? '', /is cancelled, not completed/)
  assert.match(check(ask('GET', `/store/orders/${id}`), 200, order(id, petId)) ?? '', /is placed, not completed/)
  const sold = { id: petId, ...NEW, status: 'sold', version: 3 }
  assert.equal(check(ask('GET', `/pets?view=full&id=${petId}`), 200, [sold]), undefined)
})

test('an order does not expire before its time', () => {
  const petId = create()
  const id = place(petId)
  const expired = { ...order(id, petId), status: 'expired', closedAt: '2026-11-17T10:15:01.000Z' }
  assert.match(check(ask('GET', `/store/orders/${id}`), 200, expired) ?? '', /is expired, not placed/)
})

test('each event is of a change that was made, and has its place in the feed for ever', () => {
  const petId = create()
  const pet = { id: petId, ...NEW, version: 1 }
  const event = (sequence: number, data: object, type = 'pet.created') => ({
    specversion: '1.0',
    id: `evt_${'A'.repeat(27)}${sequence}`,
    source: 'http://x/v1',
    type,
    subject: `pets/${petId}`,
    time: '2026-11-17T10:00:00.000Z',
    sequence: String(sequence).padStart(16, '0'),
    data: { pet, keyId: 'key_a', ...data },
  })
  const feed = ask('GET', '/events')
  const next = { link: '<http://x/v1/events?cursor=a>; rel="next"' }
  const after = { link: '<http://x/v1/events?cursor=b>; rel="next"' }
  assert.equal(check(feed, 200, [event(1, {})], next), undefined)
  const continued = ask('GET', '/events?cursor=a')
  assert.match(check(continued, 200, [event(3, {})], after) ?? '', /continues after 1 with 3/)
  const another = { ...event(1, {}), id: `evt_${'B'.repeat(28)}` }
  assert.match(check(feed, 200, [another], next) ?? '', /had another event before/)
  const unknown = event(2, { pet: { ...pet, version: 2 }, changed: ['name'] }, 'pet.updated')
  assert.match(check(feed, 200, [unknown], next) ?? '', /no change that was confirmed/)
  const spoiled = event(2, { pet: { ...pet, name: 'Momo' } })
  assert.match(check(feed, 200, [spoiled], next) ?? '', /is not of its change/)
  const history = ask('GET', `/events?petId=${petId}`)
  const { sequence: _, ...first } = event(1, {})
  assert.equal(check(history, 200, [first], after), undefined)
  assert.match(check(history, 200, [], after) ?? '', /has the versions , not 1/)
  const newest = ask('GET', '/events?sort=newest')
  const back = { link: '<http://x/v1/events?sort=newest&cursor=c>; rel="next"' }
  assert.equal(check(newest, 200, [event(1, {})]), undefined)
  assert.equal(check(newest, 200, [event(1, {})], back), undefined)
  assert.match(check(newest, 200, [event(1, {}), event(1, {})]) ?? '', /continue before 1 with 1/)
  assert.match(check(ask('GET', '/events?sort=newest&cursor=c'), 200, [event(1, {})]) ?? '', /continue before 1 with 1/)
  const newestHistory = ask('GET', `/events?petId=${petId}&sort=newest`)
  assert.equal(check(newestHistory, 200, [first]), undefined)
  assert.match(check(newestHistory, 200, []) ?? '', /has the versions , not 1/)
})

test('a secret is shown only where it is new', () => {
  const webhook = {
    id: 'wh_00000000000000000000',
    url: 'https://a.example',
    types: null,
    state: 'active',
    createdAt: '2026-11-17T10:00:00.000Z',
    sequence: '0'.repeat(16),
    behind: 0,
  }
  const secret = `whsec_${'A'.repeat(43)}=`
  const shown = ask('GET', '/webhooks')
  assert.equal(check(shown, 200, [webhook]), undefined)
  assert.match(check(shown, 200, [{ ...webhook, secret }]) ?? '', /list of webhooks/)
})

test('an order that may have expired may also be in an event of a change under way', async () => {
  const petId = create()
  const id = `ord_${petId}`
  const placed = { ...order(id, petId), expiresAt: '2026-11-17T10:00:01.000Z' }
  const sent = ask('POST', '/store/orders', { petId, expiresIn: 1 })
  const twoSecondsAgo = performance.now() - 2_000
  assert.equal(check(sent, 201, placed, location(`/store/orders/${id}`), twoSecondsAgo), undefined)
  const cancelled = {
    specversion: '1.0',
    id: `evt_${'C'.repeat(28)}`,
    source: 'http://x/v1',
    type: 'order.cancelled',
    subject: `pets/${petId}`,
    time: '2026-11-17T10:00:01.000Z',
    sequence: String(9).padStart(16, '0'),
    data: {
      pet: { id: petId, ...NEW, version: 3 },
      order: { ...placed, status: 'cancelled', closedAt: '2026-11-17T10:00:01.000Z', closedBy: 'key_a' },
      changed: ['status'],
      keyId: 'key_a',
    },
  }
  const newest = ask('GET', '/events?sort=newest')
  assert.match(check(newest, 200, [cancelled]) ?? '', /is not of its change/)
  await store.changing([BigInt(petId)], async () => assert.equal(check(newest, 200, [cancelled]), undefined))
})
