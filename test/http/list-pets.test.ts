import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { insertPets } from '../support/factories.ts'

const { call, pool } = await startApp()
// 250 pets: of every five, two available, one pending, one sold, one without a status.
const statuses = Array.from({ length: 250 }, (_, i) => ['available', 'pending', 'available', 'sold', null][i % 5]!)
const ids = await insertPets(pool, statuses)

const idsOf = (body: unknown) => (body as { id: bigint }[]).map(({ id }) => id)
const ofStatus = (status: string | null) => ids.filter((_, i) => statuses[i] === status)

const OK: [query: string, expected: bigint[], next: boolean][] = [
  ['', ids.slice(0, 20), true],
  ['limit=1', ids.slice(0, 1), true],
  ['limit=100', ids.slice(0, 100), true],
  ['limit=20&unknown=1&limits=3', ids.slice(0, 20), true],
  ['status=available', ofStatus('available').slice(0, 20), true],
  ['status=pending&limit=49', ofStatus('pending').slice(0, 49), true],
  ['status=pending&limit=50', ofStatus('pending'), false],
  ['status=sold&limit=100', ofStatus('sold'), false],
  [`id=${ids[3]}`, [ids[3]!], false],
  [`id=${ids[9]},${ids[3]}`, [ids[3]!, ids[9]!], false],
  [`id=${ids[3]},${ids[3]}`, [ids[3]!], false],
  [`id=${ids[3]},999999999`, [ids[3]!], false],
  ['id=-9223372036854775808,9223372036854775807', [], false],
  [`id=${ids.slice(0, 100).join(',')}&limit=100`, ids.slice(0, 100), false],
  [`id=${ids.slice(0, 100).join(',')}`, ids.slice(0, 20), true],
  [`id=${ids.slice(0, 10).join(',')}&status=sold`, [ids[3]!, ids[8]!], false],
  [`id=${ids.slice(0, 10).join('%2C')}&limit=10`, ids.slice(0, 10), false],
]
for (const [query, expected, next] of OK) {
  test(`GET /v1/pets?${query.slice(0, 60)} returns what matches, in order`, async () => {
    const { status, body, headers, text } = await call(`/v1/pets?${query}`)
    assert.equal(status, 200, text)
    assert.deepEqual(idsOf(body), expected)
    assert.equal(headers.has('link'), next)
  })
}

const BAD: [query: string, code: string, message: RegExp][] = [
  ...['0', '101', '-1', '1.0', '1e1', '+5', '%205', '05', '0x10', '', 'ten', '100000000000000000000', '٣', 'null'].map(
    (limit): [string, string, RegExp] => [
      `limit=${limit}`,
      'invalid_parameter',
      /`limit` must be an integer from 1 to 100/,
    ],
  ),
  ['limit=5&limit=5', 'invalid_parameter', /`limit` must be given only once/],
  ['limit=5&%6cimit=5', 'invalid_parameter', /`limit` must be given only once/],
  ['status=', 'invalid_parameter', /`status` must be one of available, pending, sold; got ""/],
  ['status=Sold', 'invalid_parameter', /did you mean sold\?/],
  ['status=sold,pending', 'invalid_parameter', /`status` must be one of/],
  ['status=null', 'invalid_parameter', /`status` must be one of/],
  ['status=%ZZ', 'invalid_parameter', /`status` must be one of/],
  ['status=sold&status=sold', 'invalid_parameter', /`status` must be given only once/],
  ['cursor=', 'invalid_cursor', /`cursor` was not issued by this service/],
  ['cursor=abc', 'invalid_cursor', /`cursor` was not issued by this service/],
  ['cursor=AQAAAAAAAAAC&cursor=AQAAAAAAAAAC', 'invalid_cursor', /given only once/],
  ['cursor=AgAAAAAAAAAC', 'invalid_cursor', /continues a walk in the opposite direction/],
  ['cursor=AwAAAAAAAAAC', 'invalid_cursor', /not issued by this service/],
  ['id=', 'invalid_parameter', /`id` must be an integer/],
  ['id=1,', 'invalid_parameter', /`id` must be an integer/],
  ['id=1,abc', 'invalid_parameter', /got "abc"/],
  ['id=01', 'invalid_parameter', /got "01"/],
  ['id=1.0', 'invalid_parameter', /got "1.0"/],
  ['id=9223372036854775808', 'invalid_parameter', /got "9223372036854775808"/],
  ['id=1&id=2', 'invalid_parameter', /`id` must be given only once/],
  [`id=${Array.from({ length: 101 }, (_, i) => i).join(',')}`, 'invalid_parameter', /at most 100 values;/],
]
for (const [query, code, message] of BAD) {
  test(`GET /v1/pets?${query.slice(0, 60)} is rejected`, async () => {
    const answer = await call(`/v1/pets?${query}`)
    assertError(answer, 400, code)
    assert.match((answer.body as { message: string }).message, message)
  })
}

test('Link repeats the parameters of the page, and nothing else', async () => {
  const query = `limit=2&status=available&id=${ids.slice(0, 10).join(',')}`
  const { headers } = await call(`/v1/pets?${query}&unknown=1`)
  const [, target] = /^<([^>]*)>; rel="next"$/.exec(headers.get('link')!)!
  const params = new URLSearchParams(target!.slice('/v1/pets?'.length))
  assert.ok(target!.startsWith('/v1/pets?'))
  assert.deepEqual(new Set(params.keys()), new Set(['limit', 'status', 'id', 'cursor']))
  assert.equal(params.get('id'), ids.slice(0, 10).join(','))
  const second = await call(target!)
  assert.deepEqual(idsOf(second.body), [ids[5]!, ids[7]!])
  assert.ok(!(await call('/v1/pets')).headers.get('link')!.includes('limit='))
})

test('a cursor holds only the position: another filter may be walked on from it', async () => {
  const first = await call('/v1/pets?limit=10&status=available')
  const cursor = /cursor=([^>&]*)/.exec(first.headers.get('link')!)![1]!
  const last = idsOf(first.body).at(-1)!
  const others = await call(`/v1/pets?limit=5&cursor=${cursor}`)
  assert.deepEqual(idsOf(others.body), ids.filter((id) => id > last).slice(0, 5))
})

test('the pet that a cursor points after may be deleted', async () => {
  const first = await call('/v1/pets?limit=5')
  const last = idsOf(first.body).at(-1)!
  const client = await pool.connect()
  try {
    await client.query('delete from pets where id = $1', [last])
    const second = await call(/<([^>]*)>/.exec(first.headers.get('link')!)![1]!)
    assert.deepEqual(idsOf(second.body), ids.slice(5, 10))
  } finally {
    await client.query(`insert into pets (id, name, category_id) values ($1, 'back', 1)`, [last])
    client.release()
  }
})

test('a walk over given ids meets each that exists exactly once', async () => {
  const wanted = ids.slice(20, 110).concat(999_999_999n)
  const met: bigint[] = []
  let next: string | undefined = `/v1/pets?limit=7&id=${wanted.toReversed().join(',')}`
  while (next) {
    const { body, headers } = await call(next)
    met.push(...idsOf(body))
    next = /<([^>]*)>/.exec(headers.get('link') ?? '')?.[1]
  }
  assert.deepEqual(met, ids.slice(20, 110))
})

test('the end of a walk is a page without a link, also when it is empty', async () => {
  const { headers, body } = await call(`/v1/pets?id=999999998`)
  assert.deepEqual(body, [])
  assert.equal(headers.has('link'), false)
})
