import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { CATEGORIES, categoryCalls, insertCategories } from '../support/categories.ts'
import { createTestKey } from '../support/factories.ts'
import { until } from '../support/until.ts'

const { call, pool } = await startApp()
const { list, put, remove } = categoryCalls(call)
const LARGEST = 9_223_372_036_854_775_807n
const SMALLEST = -9_223_372_036_854_775_808n

interface Category {
  id: bigint
  name: string
  pets?: Record<string, bigint>
}

/** Every record, by the links of the pages. */
async function walk(query: string) {
  const all: Category[] = []
  for (let next: string | undefined = `${CATEGORIES}?${query}`, pages = 0; next !== undefined; pages++) {
    assert.ok(pages < 100)
    const page = await call(next)
    assert.equal(page.status, 200, page.text)
    all.push(...(page.body as Category[]))
    next = /<(.+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
  }
  return all
}

/** How often each status was returned. */
function statusesOf(answers: { status: number }[]) {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const idsOf = (records: Category[]) => records.map(({ id }) => id)

test('a name is added with 201, changed with 200, and unchanged with the same version', async () => {
  const added = await put(7n, 'Dog')
  assert.equal(added.status, 201, added.text)
  assert.equal(added.text, '{"id":7,"name":"Dog","version":1}')
  assert.equal(added.headers.get('etag'), '"1"')
  const same = await put(7n, 'Dog')
  assert.equal(same.status, 200)
  assert.equal(same.text, added.text)
  const changed = await put(7n, 'Hund')
  assert.equal(changed.status, 200)
  assert.equal(changed.text, '{"id":7,"name":"Hund","version":2}')
  assert.equal(changed.headers.get('etag'), '"2"')
  assert.equal((await remove(7n)).status, 204)
  assertError(await remove(7n), 404, 'category_not_found')
})

test('no change of a name has an event', async () => {
  const eventsOf = async () => (await pool.query('select from events')).rowCount
  const before = await eventsOf()
  assert.equal((await put(7n, 'Dog')).status, 201)
  assert.equal((await put(7n, 'Hund')).status, 200)
  assert.equal((await put(7n, 'Hund')).status, 200)
  assert.equal((await remove(7n)).status, 204)
  assert.equal(await eventsOf(), before)
})

test('the list has each record once, in the order of ids, over the whole range of ids', async () => {
  const ids = [SMALLEST, -5n, 0n, 3n, 40n, 41n, LARGEST - 1n, LARGEST]
  for (const id of ids) assert.equal((await put(id, `c ${id}`)).status, 201)
  for (const limit of [1, 2, 3, 8, 100]) {
    assert.deepEqual(idsOf(await walk(`limit=${limit}`)), ids, `limit ${limit}`)
    assert.deepEqual(idsOf(await walk(`limit=${Math.min(limit, 20)}&counts=true`)), ids)
    assert.deepEqual(idsOf(await walk(`limit=${limit}&name=c`)), ids)
    assert.deepEqual(idsOf(await walk(`limit=${limit}&name=C+4`)), [40n, 41n])
  }
  for (const id of ids) assert.equal((await remove(id)).status, 204)
  assert.equal((await list()).text, '[]')
})

test('conditions are checked as for pets, and those of a category without a record', async () => {
  assertError(await put(7n, 'Dog', { 'if-match': '"1"' }), 412, 'version_mismatch')
  assertError(await put(7n, 'Dog', { 'if-match': '*' }), 412, 'version_mismatch')
  assertError(await put(7n, 'Dog', { 'if-match': 'W/"1"' }), 412, 'version_mismatch')
  assert.equal((await put(7n, 'Dog', { 'if-none-match': '*' })).status, 201)
  const exists = await put(7n, 'Cat', { 'if-none-match': '*' })
  assertError(exists, 412, 'version_mismatch')
  assert.equal(exists.headers.get('etag'), '"1"')
  const other = await put(7n, 'Cat', { 'if-match': '"2", "3"' })
  assertError(other, 412, 'version_mismatch')
  assert.match(other.text, /The category 7 has version 1; the request is for version 2 or 3\. Read the category again/)
  assert.equal((await put(7n, 'Cat', { 'if-match': '"1"' })).text, '{"id":7,"name":"Cat","version":2}')
  assert.equal((await put(7n, 'Cow', { 'if-match': '*' })).text, '{"id":7,"name":"Cow","version":3}')
  assertError(await remove(7n, { 'if-match': '"2"' }), 412, 'version_mismatch')
  assertError(await remove(7n, { 'if-none-match': '*' }), 412, 'version_mismatch')
  assertError(await remove(8n, { 'if-match': '"2"' }), 404, 'category_not_found')
  assertError(await remove(7n, { 'if-match': '2' }), 400, 'invalid_parameter')
  assert.equal((await remove(7n, { 'if-match': '"3"' })).status, 204)
  assertError(await put('abc', 'Dog'), 404, 'category_not_found')
  assertError(await remove('07'), 404, 'category_not_found')
})

test('of many that name a category at once, one adds it, and each version is made once', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => put(50n, `name ${i}`)))
  assert.deepEqual(statusesOf(answers), { 200: 19, 201: 1 })
  const versions = answers.map(({ headers }) => Number(headers.get('etag')?.slice(1, -1)))
  assert.deepEqual(
    versions.toSorted((a, b) => a - b),
    Array.from({ length: 20 }, (_, i) => i + 1),
  )
  const conditional = await Promise.all(
    Array.from({ length: 10 }, (_, i) => put(50n, `other ${i}`, { 'if-match': '"20"' })),
  )
  assert.deepEqual(statusesOf(conditional), { 200: 1, 412: 9 })
  const removed = await Promise.all(Array.from({ length: 10 }, () => remove(50n)))
  assert.deepEqual(statusesOf(removed), { 204: 1, 404: 9 })
})

test('a condition that a change cannot have is rejected, and nothing happens', async () => {
  assert.equal((await put(7n, 'Dog')).status, 201)
  for (const header of ['"1"', '"2"', 'W/"1"', '"1", *', 'x', '']) {
    const message = `\`If-None-Match\` must be *, or absent; got ${JSON.stringify(header)}. Send the versions that the request is for in \`If-Match\`.`
    for (const response of [
      await put(7n, 'Cat', { 'if-none-match': header }),
      await remove(7n, { 'if-none-match': header }),
    ]) {
      assertError(response, 400, 'invalid_parameter')
      assert.equal((response.body as { message: string }).message, message)
    }
  }
  assert.equal((await list()).text, '[{"id":7,"name":"Dog","version":1}]')
  assert.equal((await remove(7n)).status, 204)
})

test('a category that is being changed keeps no other write waiting', async () => {
  const app = await startApp()
  const calls = categoryCalls(app.call)
  assert.equal((await calls.put(7n, 'Dog')).status, 201)
  const client = await app.pool.connect()
  await client.query('begin')
  await client.query('select from categories where id = 7 for update')
  const rejected: Answer[] = []
  const changes = Array.from({ length: 130 }, async (_, i) => {
    const response = await (i % 10 === 0 ? calls.remove(7n) : calls.put(7n, `name ${i}`))
    if (response.status === 503) rejected.push(response)
    return response
  })
  await until(() => rejected.length === 30)
  const others = await Promise.all([
    calls.put(8n, 'Cat'),
    calls.remove(9n),
    ...Array.from({ length: 8 }, () => app.call('/v1/pets', postJson({ name: 'Rex', categoryId: 7 }))),
  ])
  const { rowCount } = await client.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  await client.query('rollback')
  client.release()
  assert.deepEqual(statusesOf(others), { 201: 9, 404: 1 })
  assert.equal(rowCount, 0)
  const found = statusesOf(await Promise.all(changes))
  assert.equal(found[503], 30, JSON.stringify(found))
  for (const response of rejected) {
    assertError(response, 503, 'overloaded')
    assert.match(response.text, /Other requests are changing the same pet or category\. Nothing was done/)
  }
})

test('a name has 1 to 100 characters', async () => {
  assert.equal((await put(7n, '🐢'.repeat(100))).status, 201)
  for (const name of ['', ' ', '🐢'.repeat(101), 'a\n', 7, null, undefined])
    assertError(await put(7n, name), 400, 'invalid_body')
  await remove(7n)
})

test('a name is found by the beginnings of its words, in any case and with or without accents', async () => {
  await insertCategories(pool, ['Große Hunde', 'Kleine Hunde', 'Élan', '犬と猫'])
  const found = async (name: string) => idsOf(await walk(`name=${encodeURIComponent(name)}`))
  assert.deepEqual(await found('HUND'), [1n, 2n])
  assert.deepEqual(await found('hunde gros'), [1n])
  assert.deepEqual(await found('grosse'), [1n])
  assert.deepEqual(await found('elan'), [3n])
  assert.deepEqual(await found('猫'), [4n])
  assert.deepEqual(await found('unde'), [])
  for (const name of ['', '+', 'a b c d e f g h i'.replaceAll(' ', '+'), 'a'.repeat(256)])
    assertError(await list(`?name=${name}`), 400, 'invalid_parameter')
  assertError(await list('?cursor=x'), 400, 'invalid_cursor')
  assertError(await list('?limit=21&counts=true'), 400, 'invalid_parameter')
  assert.equal((await list('?limit=21&counts=false')).status, 200)
  await pool.query('delete from categories')
})

test('more than 1,000 records cannot be searched, and all of them can be listed', async () => {
  await insertCategories(
    pool,
    Array.from({ length: 1_000 }, (_, i) => `c ${i}`),
  )
  assert.equal((await walk('name=c&limit=100')).length, 1_000)
  await put(5_000n, 'one more')
  assertError(await list('?name=c'), 409, 'too_many_categories')
  assert.equal((await walk('limit=100')).length, 1_001)
  await pool.query('delete from categories')
})

test('counts are those of the pets, of each status and up to 100; alone, up to 1,000', async () => {
  await pool.query(`
    insert into pets (name, category_id, status)
    select 'p', category, nullif(status, '') from (values
      (1, 'available', 3), (1, '', 2), (1, 'sold', 1000), (2, 'pending', 999), (2, '', 1001), (3, 'available', 1))
      as wanted (category, status, count), generate_series(1, count)`)
  await insertCategories(pool, ['Dog', 'Cat'])
  assert.deepEqual(
    (await walk('counts=true')).map(({ pets }) => pets),
    [
      { available: 3n, pending: 0n, sold: 100n, none: 2n },
      { available: 0n, pending: 100n, sold: 0n, none: 100n },
    ],
  )
  assert.match((await list('?counts=true&limit=1')).text, /"pets":\{"available":3,"pending":0,"sold":100,"none":2\}\}/)
  const count = async (query: string) => (await call(`/v1/pets/count?${query}`)).text
  assert.equal(await count(''), '{"count":1000,"isMore":true}')
  assert.equal(await count('status=available'), '{"count":4,"isMore":false}')
  assert.equal(await count('status=pending'), '{"count":999,"isMore":false}')
  assert.equal(await count('status=sold'), '{"count":1000,"isMore":true}')
  assert.equal(await count('categoryId=1'), '{"count":1000,"isMore":true}')
  assert.equal(await count('categoryId=1&status=available'), '{"count":3,"isMore":false}')
  assert.equal(await count('categoryId=2&status=pending'), '{"count":999,"isMore":false}')
  assert.equal(await count('categoryId=2&status=sold'), '{"count":0,"isMore":false}')
  assert.equal(await count('categoryId=3'), '{"count":1,"isMore":false}')
  assert.equal(await count(`categoryId=${LARGEST}`), '{"count":0,"isMore":false}')
  for (const query of ['name=Rex', 'id=1', 'status=Sold', 'categoryId=x', 'stauts=sold'])
    assertError(await call(`/v1/pets/count?${query}`), 400, 'invalid_parameter')
})

test('the pets of a category are counted by status, up to 1,000 each', async () => {
  const counts = async (query: string) => (await call(`/v1/pets/counts?${query}`)).text
  assert.equal(await counts('categoryId=1'), '{"available":3,"pending":0,"sold":1000,"none":2}')
  assert.equal(await counts('categoryId=2'), '{"available":0,"pending":999,"sold":0,"none":1000}')
  assert.equal(await counts('categoryId=3'), '{"available":1,"pending":0,"sold":0,"none":0}')
  assert.equal(await counts(`categoryId=${LARGEST}`), '{"available":0,"pending":0,"sold":0,"none":0}')
  const ids = Array.from({ length: 40 }, (_, i) => i % 20)
  const together = await Promise.all(ids.map((id) => counts(`categoryId=${id}`)))
  for (const [i, id] of ids.entries()) assert.equal(together[i], await counts(`categoryId=${id}`))
  for (const query of ['', 'categoryId=', 'categoryId=x', 'categoryId=1,2', 'category=1', 'categoryId=1&categoryId=2'])
    assertError(await call(`/v1/pets/counts?${query}`), 400, 'invalid_parameter')
  for (const name of ['status=sold', 'name=Rex', 'id=1'])
    assertError(await call(`/v1/pets/counts?categoryId=1&${name}`), 400, 'invalid_parameter')
})

test('counts that are requested at once are each what they are alone', async () => {
  const queries = ['', 'status=available', 'status=sold', 'categoryId=1', 'categoryId=2', 'categoryId=2&status=pending']
  const alone: string[] = []
  for (const query of queries) alone.push((await call(`/v1/pets/count?${query}`)).text)
  const paths = [...queries, ...queries, ...queries].map((query) => `/v1/pets/count?${query}`)
  const together = await Promise.all(paths.map((path) => call(path)))
  assert.deepEqual(
    together.map(({ text }) => text),
    [...alone, ...alone, ...alone],
  )
})

test('the count is a path of its own, and no other segment of a pet changes', async () => {
  const head = await call('/v1/pets/count', { method: 'HEAD' })
  assert.equal(head.status, 200)
  assert.equal(head.headers.get('deprecation'), null)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const answer = await call('/v1/pets/count', { method })
    assertError(answer, 405, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS')
    assert.equal(answer.headers.get('deprecation'), null)
  }
  assert.equal((await call('/v1/pets/count', { method: 'OPTIONS' })).headers.get('allow'), 'GET, HEAD, OPTIONS')
  for (const segment of ['Counts', 'Count', 'coun', 'count%20', '%00count']) {
    const answer = await call(`/v1/pets/${segment}`)
    assertError(answer, 404, 'pet_not_found')
    assert.notEqual(answer.headers.get('deprecation'), null, segment)
  }
  assert.equal((await call('/v1/pets/%63ount')).status, 200)
})

test('names are read with pets:read, and written with categories:write, which no default has', async () => {
  const keyOf = async (scope: 'pets:read' | 'categories:write') => (await createTestKey(pool, { scopes: [scope] })).key
  const reader = await keyOf('pets:read')
  const writer = await keyOf('categories:write')
  const init = { method: 'PUT', body: '{"name":"Dog"}', headers: { 'content-type': 'application/json' } }
  assert.equal((await call(CATEGORIES, { key: reader })).status, 200)
  assertError(await call(CATEGORIES, { key: writer }), 403, 'insufficient_scope')
  assertError(await call(`${CATEGORIES}/9`, { ...init, key: reader }), 403, 'insufficient_scope')
  assert.equal((await call(`${CATEGORIES}/9`, { ...init, key: writer })).status, 201)
})
