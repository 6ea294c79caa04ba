import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderIdText } from '../../src/lib/order-id.ts'
import { caller, parseExact, patchJson, postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createTestKey, insertHeldPet, insertPets } from '../support/factories.ts'

const { call, pool, url, key, name: database } = await startApp()
// Another process on the same database.
const { address } = await startApp({ databaseUrl: url })
const callOther = caller(address, key)
const ORDER = (1_794_821_400_123n << 21n) + 5n

const patch = (id: bigint | string, body: unknown, headers: Record<string, string> = {}) =>
  call(`/v1/pets/${id}`, patchJson(body, headers))

async function newPet(status: string | null = 'available') {
  const [id] = await insertPets(pool, [status])
  return id!
}

/** As the table has it. */
async function stored(id: bigint) {
  const { rows } = await pool.query<{ name: string; category: string; status: string | null; version: string }>(
    'select name, category_id as category, status, version from pets where id = $1',
    [id],
  )
  return rows[0]!
}

const messageOf = ({ body }: { body: unknown }) => (body as { message: string }).message

test('P1 a new pet has version 1, and each PATCH that changes something adds 1', async () => {
  const created = await call('/v1/pets', postJson({ name: 'Rex', categoryId: 1, status: 'available' }))
  const { id } = created.body as { id: bigint }
  assert.equal((await stored(id)).version, '1')
  const changes = [{ name: 'Rex II' }, { categoryId: 2 }, { status: 'pending' }, { status: null }]
  for (const [i, change] of changes.entries()) {
    const { status, headers, body } = await patch(id, change)
    assert.equal(status, 200)
    assert.equal(headers.get('etag'), `"${i + 2}"`)
    assert.equal((body as { version: bigint }).version, BigInt(i + 2))
  }
  assert.deepEqual(await stored(id), { name: 'Rex II', category: '2', status: null, version: '5' })
})

test('P1 a PATCH to the values that the pet has is 200 and makes no new version', async () => {
  for (const status of ['available', 'sold', null]) {
    const id = await newPet(status)
    const { name, category } = await stored(id)
    const { rows: before } = await pool.query('select xmin from pets where id = $1', [id])
    for (const change of [{ name }, { status }, { name, categoryId: BigInt(category), status }]) {
      const answer = await patch(id, change)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.headers.get('etag'), '"1"')
    }
    const { rows: after } = await pool.query('select xmin from pets where id = $1', [id])
    assert.deepEqual(after, before)
  }
})

test('P2 the body is the pet as it is stored, with its version', async () => {
  const id = await newPet()
  const { text } = await patch(id, { name: 'Rex "II" 🐢', status: 'sold' })
  assert.equal(text, `{"id":${id},"name":"Rex \\"II\\" 🐢","categoryId":1,"status":"sold","version":2}`)
  const listed = (await call(`/v1/pets?id=${id}`)).text
  assert.equal(listed, `[${text.replace(',"version":2', '')}]`)
})

test('P2 the body names the order that holds the pet', async () => {
  const id = await insertHeldPet(pool, ORDER)
  const { body } = await patch(id, { name: 'Rex' })
  const orderId = orderIdText({ petId: id, id: ORDER })
  assert.deepEqual(body, { id, name: 'Rex', categoryId: 1n, status: 'pending', version: 2n, orderId })
})

const MATCHING = ['*', '"1"', '"1", "7"', '"7","1"', '"7" , W/"1",, "1"', ', "1" ,', '"a,b", "1"', '"", "1"']
for (const header of MATCHING)
  test(`P4 P5 If-Match: ${header} matches version 1`, async () => {
    const { status, text } = await patch(await newPet(), { name: 'Rex' }, { 'if-match': header })
    assert.equal(status, 200, text)
  })

test('P5 If-Match sent twice is one list', async () => {
  const id = await newPet()
  const headers = new Headers({ 'content-type': 'application/json', 'if-match': '"7"' })
  headers.append('if-match', '"1"')
  const init = { ...patchJson({ name: 'Rex' }), headers: Object.fromEntries(headers) }
  assert.equal((await call(`/v1/pets/${id}`, init)).status, 200)
})

const OTHERS = ['"2"', '"0"', '"01"', 'W/"1"', '"-1"', '"*"', '"99999999999999999999"', '"1.0"', '"x"', '""']
for (const header of OTHERS)
  test(`P6 If-Match: ${header} does not match version 1: 412`, async () => {
    const id = await newPet()
    const answer = await patch(id, { name: 'Rex' }, { 'if-match': header })
    assertError(answer, 412, 'version_mismatch')
    assert.equal(answer.headers.get('etag'), '"1"')
    assert.equal((await stored(id)).version, '1')
  })

const MALFORMED = ['1', '', 'x', '"1', '1"', "'1'", '"1" "2"', '"1";', '*, "1"', '**', 'w/"1"', 'W/ "1"', '"a b"', ',']
for (const header of [...MALFORMED, `"${'1'.repeat(1_023)}"`])
  test(`P7 If-Match: ${header.slice(0, 20)} is malformed: 400`, async () => {
    const id = await newPet()
    const answer = await patch(id, { name: 'Rex' }, { 'if-match': header })
    assertError(answer, 400, 'invalid_parameter')
    assert.match(messageOf(answer), /`If-Match`/)
    assert.equal((await stored(id)).version, '1')
  })

test('P7 1,024 characters are read', async () => {
  const header = `"1", "${'1'.repeat(1_017)}"`
  assert.equal(header.length, 1_024)
  assert.equal((await patch(await newPet(), { name: 'Rex' }, { 'if-match': header })).status, 200)
})

test('P8 404 comes before 412, and 412 before 428 and 409', async () => {
  const other = { 'if-match': '"7"' }
  assertError(await patch(2n ** 62n, { status: null }, other), 404, 'pet_not_found')
  assertError(await patch(await newPet('sold'), { status: null }, other), 412, 'version_mismatch')
  assertError(await patch(await insertHeldPet(pool, ORDER), { status: null }, other), 412, 'version_mismatch')
})

test('P9 a 412 has the current ETag, and names both versions', async () => {
  const id = await newPet()
  await patch(id, { name: 'Rex' })
  const answer = await patch(id, { name: 'Tom' }, { 'if-match': '"7", "8", "9", "10"' })
  assert.equal(answer.headers.get('etag'), '"2"')
  assert.match(messageOf(answer), /has version 2; the request is for version 7 or 8 or 9\./)
})

const EMPTY: [name: string, body: string][] = [
  ['nothing', '{}'],
  ['only an unknown field', '{"colour":"red"}'],
  ['only an id', '{"id":7}'],
  ['names of inherited properties', '{"__proto__":{"name":"Rex"},"toString":1}'],
  ['another case', '{"Name":"Rex"}'],
]
for (const [what, body] of EMPTY)
  test(`P10 a body with ${what} is rejected`, async () => {
    const answer = await patch(await newPet(), body)
    assertError(answer, 400, 'invalid_body')
    assert.equal(messageOf(answer), 'The body must have at least one of `name`, `categoryId`, `status`.')
  })

test('P10 unknown fields beside a known one are ignored, also an id', async () => {
  const id = await newPet()
  const { body } = await patch(id, '{"id":77,"version":9,"orderId":"x","heldBy":1,"name":"Rex"}')
  assert.deepEqual(body, { id, name: 'Rex', categoryId: 1n, status: 'available', version: 2n })
})

test('P11 a status of null removes the status', async () => {
  const id = await newPet()
  assert.equal((await patch(id, '{"status":null}')).text, `{"id":${id},"name":"pet 1","categoryId":1,"version":2}`)
})

// Each is wrong for createPet too, which gives the same message about this field.
const FIELDS = ['"name":null', '"name":5', '"name":""', '"name":"  "', '"name":"a\\u0000"', '"name":"\\ud83d"']
const TOO_LONG = `"name":"${'🐢'.repeat(256)}"`
const NUMBERS = ['null', '"5"', '5.5', '9223372036854775808', '1.00000000000000000001', '[]'].map(
  (value) => `"categoryId":${value}`,
)
const STATUSES = ['"status":"Sold"', '"status":1', '"status":""', '"status":{}', '"status":"gone"']
for (const field of [...FIELDS, TOO_LONG, ...NUMBERS, ...STATUSES])
  test(`P11 P12 ${field.slice(0, 40)} is rejected as createPet rejects it`, async () => {
    const id = await newPet()
    const rest = { name: '"categoryId":1', categoryId: '"name":"Rex"', status: '"name":"Rex","categoryId":1' }
    const [, named] = /^"(\w+)"/.exec(field) as unknown as [string, keyof typeof rest]
    const created = await call('/v1/pets', postJson(`{${field},${rest[named]}}`))
    const patched = await patch(id, `{${field}}`)
    assertError(patched, 400, 'invalid_body')
    assert.equal(patched.text, created.text)
    assert.equal((await stored(id)).version, '1')
  })

test('P12 a body that is no JSON object is rejected as createPet rejects it', async () => {
  const id = await newPet()
  for (const body of ['', 'x', '[]', 'null', '5', '"x"', '{"name":"a","name":"b"}']) {
    const patched = await patch(id, body)
    assert.equal(patched.status, 400)
    assert.equal(patched.text, (await call('/v1/pets', postJson(body))).text)
  }
})

for (const categoryId of [2n ** 63n - 1n, -(2n ** 63n), 9007199254740993n])
  test(`P12 categoryId ${categoryId} is kept digit for digit`, async () => {
    const id = await newPet()
    const { text } = await patch(id, { categoryId })
    assert.equal((parseExact(text) as { categoryId: bigint }).categoryId, categoryId)
    assert.equal((await stored(id)).category, String(categoryId))
  })

test('P13 of racing PATCHes with one If-Match, on two processes, exactly one is 200', async () => {
  const id = await newPet()
  for (let version = 1; version <= 5; version++) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? call : callOther)(
          `/v1/pets/${id}`,
          patchJson({ name: `${version} ${i}` }, { 'if-match': `"${version}"` }),
        ),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, ...Array<number>(19).fill(412)],
    )
    const winner = answers.find(({ status }) => status === 200)!
    assert.equal((winner.body as { name: string }).name, (await stored(id)).name)
  }
})

test('P14 of racing PATCHes without If-Match, on two processes, none is lost', async () => {
  const id = await newPet()
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      (i % 2 ? call : callOther)(`/v1/pets/${id}`, patchJson({ name: `name ${i}` })),
    ),
  )
  const versions = answers.map(({ body }) => Number((body as { version: bigint }).version))
  assert.deepEqual(
    versions.toSorted((a, b) => a - b),
    Array.from({ length: 60 }, (_, i) => i + 2),
  )
  const last = answers[versions.indexOf(61)]!
  assert.equal((last.body as { name: string }).name, (await stored(id)).name)
})

const EACH = [null, 'available', 'pending', 'sold']
for (const from of EACH)
  for (const to of EACH)
    test(`P15 from ${from ?? 'no status'} to ${to ?? 'no status'} by hand`, async () => {
      const id = await newPet(from)
      const needsVersion = from === 'sold' && to !== 'sold'
      for (const headers of [{}, { 'if-match': '*' }] as Record<string, string>[]) {
        const answer = await patch(id, { status: to, name: 'Rex' }, headers)
        if (needsVersion) assertError(answer, 428, 'version_required')
        else assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('etag'), needsVersion ? null : '"2"')
      }
      const { version } = await stored(id)
      const answer = await patch(id, { status: to }, { 'if-match': `"${version}"` })
      assert.equal(answer.status, 200)
      assert.equal((answer.body as { status?: string }).status, to ?? undefined)
    })

for (const to of EACH)
  test(`O10 the status of a pet that an order holds cannot be set to ${to ?? 'none'}, with or without a version`, async () => {
    const id = await insertHeldPet(pool, ORDER)
    for (const headers of [{}, { 'if-match': '"1"' }] as Record<string, string>[]) {
      const answer = await patch(id, { status: to, name: 'Rex' }, headers)
      assertError(answer, 409, 'pet_reserved')
      assert.ok(messageOf(answer).includes(orderIdText({ petId: id, id: ORDER })), answer.text)
      assert.equal(answer.headers.has('retry-after'), false)
    }
    assert.equal((await stored(id)).version, '1')
    assert.equal((await patch(id, { name: 'Rex', categoryId: 7 })).status, 200)
  })

test('P18 no response has Deprecation', async () => {
  const id = await newPet()
  const answers = [await patch(id, { name: 'Rex' }), await patch(id, {}), await patch('abc', { name: 'Rex' })]
  for (const { headers } of answers)
    for (const header of ['deprecation', 'sunset', 'link']) assert.equal(headers.has(header), false)
})

for (const id of ['abc', '01', '1.0', '+1', '%ZZ', '99999999999999999999', '0', '-1', String(2n ** 63n - 1n)])
  test(`P19 the id ${id} is not found`, async () => assertError(await patch(id, { name: 'Rex' }), 404, 'pet_not_found'))

test('P20 the three operations ignore If-Match', async () => {
  const id = await newPet()
  for (const header of ['"7"', 'x', '']) {
    const headers = { 'if-match': header, 'if-none-match': '*' }
    assert.equal((await call(`/v1/pets/${id}`, { headers })).status, 200)
    assert.equal((await call('/v1/pets', { headers })).status, 200)
    assert.equal((await call('/v1/pets', postJson({ name: 'Rex', categoryId: 1 }, headers))).status, 201)
  }
  assert.equal((await call(`/v1/pets/${id}`)).headers.has('etag'), false)
})

test('P21 a PATCH whose connection to the database is lost is a 503 that says so', async () => {
  const id = await newPet()
  const holder = await pool.connect()
  await holder.query('begin; lock table pets in share mode')
  const waiting = patch(id, { name: 'Rex' })
  const blocked = `datname = '${database}' and wait_event_type = 'Lock' and query like '%has_status%'`
  for (let ended = 0; ended === 0; )
    ended = (await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${blocked}`)).rowCount ?? 0
  await holder.query('rollback')
  holder.release()
  const answer = await waiting
  assertError(answer, 503, 'unavailable')
  assert.match(messageOf(answer), /the outcome is unknown/)
  assert.equal(answer.headers.get('retry-after'), '1')
})

test('P22 If-None-Match: * is 412 for a pet that exists, and 404 for one that does not', async () => {
  const headers = { 'if-none-match': '*' }
  const id = await newPet()
  for (const also of [{}, { 'if-match': '"1"' }, { 'if-match': '*' }] as Record<string, string>[]) {
    const answer = await patch(id, { name: 'Rex' }, { ...headers, ...also })
    assertError(answer, 412, 'version_mismatch')
    assert.equal(answer.headers.get('etag'), '"1"')
  }
  assertError(await patch(2n ** 62n, { name: 'Rex' }, headers), 404, 'pet_not_found')
})

const MEDIA_TYPES: [type: string, status: number][] = [
  ['application/merge-patch+json', 200],
  ['Application/Merge-Patch+JSON; charset=UTF-8', 200],
  ['application/json', 200],
  ['application/json; charset="utf-8"', 200],
  ['', 200],
  ['application/json-patch+json', 415],
  ['application/merge-patch+json; charset=latin1', 415],
  ['application/merge-patch+jsonp', 415],
  ['text/plain', 415],
]
for (const [type, status] of MEDIA_TYPES)
  test(`Content-Type ${type || '(none)'} of a PATCH returns ${status}`, async () => {
    const id = await newPet()
    const headers: Record<string, string> = type ? { 'content-type': type } : {}
    const answer = await call(`/v1/pets/${id}`, { method: 'PATCH', body: Buffer.from('{"name":"Rex"}'), headers })
    assert.equal(answer.status, status, answer.text)
    const accepted = 'application/merge-patch+json, application/json'
    assert.equal(answer.headers.get('accept-patch'), status === 415 ? accepted : null)
  })

test('POST does not accept a merge patch, and its 415 has no Accept-Patch', async () => {
  const answer = await call('/v1/pets', postJson({}, { 'content-type': 'application/merge-patch+json' }))
  assertError(answer, 415, 'unsupported_media_type')
  assert.equal(answer.headers.has('accept-patch'), false)
})

test('OPTIONS says which patches the path accepts, and only where there is PATCH', async () => {
  const options = (path: string) => call(path, { method: 'OPTIONS', key: null })
  const { headers } = await options('/v1/pets/1')
  assert.equal(headers.get('accept-patch'), 'application/merge-patch+json, application/json')
  assert.equal((await options('/v1/pets')).headers.has('accept-patch'), false)
})

test('a key needs the scope pets:edit', async () => {
  const { key: other } = await createTestKey(pool, { scopes: ['pets:read', 'pets:write', 'pets:delete'] })
  const answer = await call('/v1/pets/1', { ...patchJson('{'), key: other })
  assertError(answer, 403, 'insufficient_scope')
})
