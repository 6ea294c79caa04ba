import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caller, patchJson, postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createTestKey, insertHeldPet, insertPets } from '../support/factories.ts'
import { RawConnection } from '../support/raw.ts'

const { call, pool, url, key, address } = await startApp()
const other = await startApp({ databaseUrl: url })
const callOther = caller(other.address, key)

const remove = (id: bigint | string, headers: Record<string, string> = {}) =>
  call(`/v1/pets/${id}`, { method: 'DELETE', headers })

async function newPet(status: string | null = 'available') {
  const [id] = await insertPets(pool, [status])
  return id!
}

async function exists(id: bigint) {
  const { rowCount } = await pool.query('select from pets where id = $1', [id])
  return rowCount === 1
}

test('P16 a deleted pet is in no list, and a second DELETE is 404', async () => {
  for (const status of ['available', 'pending', 'sold', null]) {
    const id = await newPet(status)
    const answer = await remove(id)
    assert.equal(answer.status, 204)
    assert.equal(answer.text, '')
    for (const header of ['content-type', 'content-length', 'etag', 'deprecation', 'link'])
      assert.equal(answer.headers.has(header), false, header)
    assertError(await call(`/v1/pets/${id}`), 404, 'pet_not_found')
    assert.equal((await call(`/v1/pets?id=${id}`)).text, '[]')
    for (const query of ['', `?status=${status ?? 'sold'}`])
      assert.ok(!(await call(`/v1/pets${query}`)).text.includes(`"id":${id},`))
    assertError(await remove(id), 404, 'pet_not_found')
    assertError(await call(`/v1/pets/${id}`, patchJson({ name: 'Rex' })), 404, 'pet_not_found')
  }
})

test('P16 the id of a deleted pet is never used again', async () => {
  const create = async () => {
    const { body } = await call('/v1/pets', postJson({ name: 'Rex', categoryId: 1 }))
    return (body as { id: bigint }).id
  }
  const id = await create()
  assert.equal((await remove(id)).status, 204)
  assert.ok((await create()) > id)
})

test('P16 a walk whose cursor is at a deleted pet continues after it', async () => {
  const own = await startApp()
  const [first, second, third] = await insertPets(own.pool, ['sold', 'sold', 'sold'])
  const page = await own.call('/v1/pets?limit=2')
  const next = /<([^>]+)>/.exec(page.headers.get('link')!)![1]!
  for (const id of [first, second]) assert.equal((await own.call(`/v1/pets/${id}`, { method: 'DELETE' })).status, 204)
  const { body } = await own.call(next)
  assert.deepEqual(
    (body as { id: bigint }[]).map(({ id }) => id),
    [third],
  )
})

test('P17 a keyed create whose pet was deleted replays byte for byte', async () => {
  const init = postJson({ name: 'Rex', categoryId: 1, status: 'sold' }, { 'idempotency-key': 'deleted since' })
  const created = await call('/v1/pets', init)
  const { id } = created.body as { id: bigint }
  assert.equal((await remove(id)).status, 204)
  const replayed = await call('/v1/pets', init)
  assert.deepEqual([replayed.status, replayed.text], [201, created.text])
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
  assert.equal(await exists(id), false)
})

for (const header of ['*', '"1"', '"7", "1"'])
  test(`P4 P5 a pet is deleted with If-Match: ${header}`, async () =>
    assert.equal((await remove(await newPet(), { 'if-match': header })).status, 204))

for (const header of ['"2"', 'W/"1"'])
  test(`P6 P9 a pet is not deleted with If-Match: ${header}`, async () => {
    const id = await newPet()
    const answer = await remove(id, { 'if-match': header })
    assertError(answer, 412, 'version_mismatch')
    assert.equal(answer.headers.get('etag'), '"1"')
    assert.ok(await exists(id))
  })

for (const header of ['1', '', `"${'1'.repeat(1_024)}"`])
  test(`P7 a pet is not deleted with the malformed If-Match: ${header.slice(0, 20)}`, async () => {
    const id = await newPet()
    assertError(await remove(id, { 'if-match': header }), 400, 'invalid_parameter')
    assert.ok(await exists(id))
  })

test('P8 404 comes before 412, and 412 before 409', async () => {
  assertError(await remove(2n ** 62n, { 'if-match': '"7"' }), 404, 'pet_not_found')
  assertError(await remove(await insertHeldPet(pool, 5n), { 'if-match': '"7"' }), 412, 'version_mismatch')
})

test('O10 a pet that an order holds is not deleted', async () => {
  const id = await insertHeldPet(pool, 5n)
  for (const headers of [{}, { 'if-match': '"1"' }] as Record<string, string>[])
    assertError(await remove(id, headers), 409, 'pet_reserved')
  assert.ok(await exists(id))
})

test('P15 deleting a sold pet needs no version', async () => {
  assert.equal((await remove(await newPet('sold'))).status, 204)
})

for (const id of ['abc', '01', '%ZZ', '99999999999999999999', '0'])
  test(`P19 the id ${id} is not found`, async () => assertError(await remove(id), 404, 'pet_not_found'))

test('P22 If-None-Match: * is 412', async () => {
  const id = await newPet()
  const answer = await remove(id, { 'if-none-match': '*' })
  assertError(answer, 412, 'version_mismatch')
  assert.ok(await exists(id))
})

test('of racing DELETEs on two processes exactly one is 204', async () => {
  const ids = await insertPets(pool, Array<string>(20).fill('sold'))
  for (const id of ids) {
    const init = { method: 'DELETE' }
    const answers = await Promise.all([call, callOther, call, callOther].map((send) => send(`/v1/pets/${id}`, init)))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [204, 404, 404, 404],
    )
  }
})

test('of a racing DELETE and PATCH with one version exactly one succeeds', async () => {
  const ids = await insertPets(pool, Array<string>(20).fill('sold'))
  for (const id of ids) {
    const headers = { 'if-match': '"1"' }
    const [removed, patched] = await Promise.all([
      callOther(`/v1/pets/${id}`, { method: 'DELETE', headers }),
      call(`/v1/pets/${id}`, patchJson({ name: 'Rex' }, headers)),
    ])
    assert.ok(
      (removed.status === 204 && patched.status === 404) || (removed.status === 412 && patched.status === 200),
      `${removed.status} ${patched.status}`,
    )
  }
})

for (const body of ['x', 'x'.repeat(70_000)])
  test(`a body of ${body.length} bytes is not read, whatever its type: the pet is deleted and the connection closed`, async () => {
    for (const headers of [{}, { 'content-type': 'nonsense' }, { 'content-type': 'application/json' }]) {
      const id = await newPet()
      const answer = await call(`/v1/pets/${id}`, { method: 'DELETE', body: Buffer.from(body), headers })
      assert.equal(answer.status, 204, answer.text)
      assert.equal(answer.headers.get('connection'), 'close')
      assert.equal(await exists(id), false)
    }
  })

test('a type without a body is ignored, and the connection stays', async () => {
  const [first, second] = await insertPets(pool, ['sold', 'sold'])
  const connection = await RawConnection.open(address)
  for (const id of [first, second])
    connection.send(
      `DELETE /v1/pets/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: nonsense\r\nContent-Length: 0\r\n\r\n`,
    )
  const answers = await connection.answers(2)
  assert.deepEqual(
    answers.map(({ status }) => status),
    [204, 204],
  )
  connection.socket.destroy()
})

test('a key needs the scope pets:delete', async () => {
  const { key: editor } = await createTestKey(pool, { scopes: ['pets:read', 'pets:write', 'pets:edit'] })
  assertError(await call('/v1/pets/1', { method: 'DELETE', key: editor }), 403, 'insufficient_scope')
})
