import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foundBy } from '../../fuzz/oracle/words.ts'
import { plainRequest, type Request } from '../../fuzz/request.ts'
import { Store } from '../../fuzz/store.ts'
import { checkResponse } from '../../fuzz/verdict.ts'
import { matchOf, termsOf, wordsOf } from '../../src/lib/words.ts'

// Findings in what finds and counts: searches, categories, orders by time, counts, keys and the status.
const KEY = 'petk_test_secret'
const FORM = {
  'request-id': 'r',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-type': 'application/json',
}

function ask(method: string, target: string, body?: unknown): Request {
  const request = plainRequest(method, `/v1${target}`, [], body === undefined ? undefined : JSON.stringify(body))
  return { ...request, headers: request.headers.map(([name, value]) => [name, value.replace('{{key}}', KEY)]) }
}

function open() {
  const store = new Store(KEY)
  const check = (request: Request, status: number, body?: unknown, headers: Record<string, string> = {}) =>
    checkResponse(
      request,
      {
        status,
        headers: new Map(Object.entries({ ...FORM, ...headers })),
        body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
        continued: false,
      },
      store,
      performance.now(),
    )
  let created = 0
  const create = (name: string) => {
    const pet = { id: ++created, name, categoryId: 7, status: 'available' }
    const { id: _, ...sent } = pet
    assert.equal(check(ask('POST', '/pets', sent), 201, pet, { location: `/v1/pets/${pet.id}` }), undefined)
    return pet
  }
  return { store, check, create }
}

const MORE = { link: '</v1/pets?cursor=a>; rel="next"' }

test('a search finds the pets that have the words, in their order, and none that is known is missing', () => {
  const { check, create } = open()
  const [moe, max] = [create('Big Moe'), create("Max O'Malley")]
  const find = (name: string, body: object[], headers = {}) =>
    check(ask('GET', `/pets?name=${encodeURIComponent(name)}`), 200, body, headers)
  assert.equal(find('m', [max, moe]), undefined)
  assert.equal(find('MO big', [moe]), undefined)
  assert.match(find('mo', [moe, max]) ?? '', /has other words/)
  assert.match(find('m', [moe, max]) ?? '', /in another order/)
  assert.match(find('m', [max]) ?? '', /lacks the pet 1/)
  assert.equal(find('m', [max], MORE), undefined)
  assert.equal(find('m', [], { 'petstore-search-incomplete': '43' }), undefined)
  assert.match(find('m', [max, moe], { 'petstore-search-incomplete': '100' }) ?? '', /incomplete is 100/)
  assert.equal(check(ask('GET', '/pets?name=m&status=sold'), 200, []), undefined)
})

test('the words of the fuzzer are those of the service', () => {
  const names = [
    'Big Moe',
    "O'Malley",
    'C++',
    '!!!',
    ' ! ',
    'a_b-c',
    `${'x'.repeat(40)} y`,
    'a$b^c',
    'Mo mo MO',
    '1 22 333',
  ]
  names.push(Array.from({ length: 20 }, (_, i) => `w${i}`).join(' '))
  for (const name of names)
    for (const text of ['m', 'mo big', 'o', 'c+', '+', '!', '!!', 'b', 'x'.repeat(33), '$', 'w15', 'w19', '3', 'a b']) {
      const terms = termsOf(text)
      const due = matchOf(wordsOf(name), terms, terms[0] ?? '')
      const found = foundBy(name, text)
      assert.equal(typeof found === 'string', due !== undefined, `${name} by ${text}`)
      if (terms.length === 1 && due !== undefined) assert.equal(found, due)
    }
  assert.equal(foundBy('Zoë', 'zoe'), undefined)
  assert.equal(foundBy('Zoe', 'zoë'), undefined)
})

test('a category has the name that was put, one version more with each change, and is in the list', async () => {
  const { store, check } = open()
  const put = (name: string, status: number, version: number, tag = version) =>
    store.categories.changing([7n], async () =>
      check(ask('PUT', '/categories/7', { name }), status, { id: 7, name, version }, { etag: `"${tag}"` }),
    )
  const list = (body: object[], query = '') => check(ask('GET', `/categories${query}`), 200, body)
  assert.match((await put('Dog', 201, 1, 2)) ?? '', /ETag is "2"/)
  assert.equal(await put('Dog', 201, 1), undefined)
  assert.match((await put('Dog', 201, 1)) ?? '', /after Dog/)
  assert.match((await put('Dog', 200, 2)) ?? '', /the version 2, not 1/)
  assert.equal(await put('Hund', 200, 3), undefined)
  const other = await store.categories.changing([7n], async () =>
    check(ask('PUT', '/categories/7', { name: 'Cat' }), 200, { id: 7, name: 'Dog', version: 4 }, { etag: '"4"' }),
  )
  assert.match(other ?? '', /not the category that was sent/)
  const hund = { id: 7, name: 'Hund', version: 3 }
  assert.equal(list([hund]), undefined)
  assert.equal(list([hund], '?name=hun'), undefined)
  assert.equal(list([], '?name=dog'), undefined)
  assert.match(list([]) ?? '', /lacks 7/)
  assert.match(list([], '?name=HU') ?? '', /lacks 7/)
  assert.match(list([hund], '?name=dog') ?? '', /has other words/)
  assert.match(list([{ ...hund, version: 2 }]) ?? '', /does not read back/)
  assert.match(list([hund, { ...hund, id: 6 }]) ?? '', /out of order/)
  assert.match(list([hund], '?counts=true') ?? '', /not counted/)
  const pets = { available: 1, pending: 0, sold: 1_000, none: 0 }
  assert.equal(list([{ ...hund, pets }], '?counts=true'), undefined)
  assert.match(list([{ ...hund, pets: { ...pets, sold: 1_001 } }], '?counts=true') ?? '', /is not a category/)
  const remove = () => store.categories.changing([7n], async () => check(ask('DELETE', '/categories/7'), 204))
  assert.equal(await remove(), undefined)
  assert.match((await remove()) ?? '', /deleted twice/)
  assert.match(list([hund]) ?? '', /does not read back/)
})

test('counts are whole, and not less than what is known', () => {
  const { check, create } = open()
  create('Rex')
  create('Max')
  const count = (body: object, query = '') => check(ask('GET', `/pets/count${query}`), 200, body)
  assert.equal(count({ count: 2, isMore: false }), undefined)
  assert.equal(count({ count: 1_000, isMore: true }), undefined)
  assert.equal(count({ count: 0, isMore: false }, '?status=sold'), undefined)
  assert.match(count({ count: 1, isMore: false }, '?status=available&categoryId=7') ?? '', /less than 2/)
  assert.match(count({ count: 1_001, isMore: true }) ?? '', /no count/)
  assert.match(count({ count: 2, isMore: true }) ?? '', /no count/)
})

test('orders that ended in a span are in its list and its count, and no others', () => {
  const { check, create } = open()
  const { id: petId } = create('Rex')
  const placed = {
    id: 'ord_1',
    petId,
    status: 'placed',
    placedAt: '2026-11-17T10:00:00.000Z',
    expiresAt: '2026-11-17T10:15:00.000Z',
    placedBy: 'key_0a1B2c3D4e5F6g7H',
  }
  const location = { location: '/v1/store/orders/ord_1' }
  assert.equal(check(ask('POST', '/store/orders', { petId }), 201, placed, location), undefined)
  const sold = { ...placed, status: 'completed', closedAt: '2026-11-17T10:01:00.000Z', closedBy: placed.placedBy }
  assert.equal(check(ask('POST', '/store/orders/ord_1/complete'), 200, sold), undefined)
  const list = (span: string, body: object[]) =>
    check(ask('GET', `/store/orders?status=completed&sort=closed&${span}`), 200, body)
  const count = (span: string, found: number) =>
    check(ask('GET', `/store/orders/count?status=completed&${span}`), 200, { count: found, isMore: false })
  for (const span of ['', 'from=2026-11-17T10:01:00Z', 'to=2026-11-17T11:01:00.001%2B01:00']) {
    assert.equal(list(span, [sold]), undefined)
    assert.match(list(span, []) ?? '', /lacks ord_1/)
    assert.match(count(span, 0) ?? '', /less than 1/)
  }
  for (const span of ['from=2026-11-17T10:01:00.001Z', 'to=2026-11-17T10:01:00Z']) {
    assert.equal(list(span, []), undefined)
    assert.match(list(span, [sold]) ?? '', /was not asked for/)
    assert.equal(count(span, 0), undefined)
  }
})

test('keys, their names and the status are whole, and show no secret', () => {
  const { check } = open()
  const key = {
    id: 'key_0a1B2c3D4e5F6g7H',
    name: 'till',
    mode: 'live',
    scopes: ['pets:read'],
    createdAt: '2026-11-15T09:30:00.000Z',
    expiresAt: null,
    state: 'active',
    lastUsedAt: null,
    openOrders: 0,
    openOrderLimit: 1_000,
    webhooks: 0,
    deprecatedCalls: 0,
  }
  const keys = (body: object[]) => check(ask('GET', '/keys'), 200, body)
  assert.equal(keys([key]), undefined)
  assert.match(keys([key, key]) ?? '', /a key twice/)
  assert.match(
    keys([key, { ...key, id: 'key_1a1B2c3D4e5F6g7H', createdAt: '2026-11-16T09:30:00.000Z' }]) ?? '',
    /order/,
  )
  assert.match(keys([{ ...key, hash: 'x' }]) ?? '', /a list of keys that is none/)
  assert.match(keys([{ ...key, name: '0'.repeat(64) }]) ?? '', /shows a key/)
  const names = (body: object[], headers = { etag: '"a"' }) => check(ask('GET', '/keys/names'), 200, body, headers)
  assert.equal(names([{ id: key.id, name: 'till' }]), undefined)
  assert.match(names([{ id: key.id, name: 'till' }], { etag: 'W/"a"' }) ?? '', /ETag/)
  assert.match(names([{ id: key.id, name: 'till', scopes: [] }]) ?? '', /names of keys that is none/)
  assert.equal(check(ask('GET', '/keys/names'), 304, undefined, { etag: '"a"' }), undefined)
  const status = {
    version: '1.0.0',
    commit: 'unknown',
    startedAt: '2026-11-16T06:00:00.000Z',
    database: { state: 'ok' },
    feed: { lagMs: 200 },
    search: { isComplete: true, foundPercent: 100 },
    webhooks: { active: 0, paused: 0, disabled: 0, undelivered: 0, behind: 0 },
    expiringKeys: 0,
  }
  const statusIs = (more: object) => check(ask('GET', '/status'), 200, { ...status, ...more })
  assert.equal(statusIs({}), undefined)
  assert.match(statusIs({ search: { isComplete: true, foundPercent: 43 } }) ?? '', /no search/)
  assert.match(statusIs({ database: { state: 'fine' } }) ?? '', /no status/)
  assert.match(statusIs({ expiringKeys: -1 }) ?? '', /no counts/)
})
