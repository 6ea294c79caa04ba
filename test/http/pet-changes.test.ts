import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caller, patchJson, postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { insertPets } from '../support/factories.ts'

// What a client cannot see from outside; the rest are clauses of `petstore verify`.
const { call, pool, url, key, name: database } = await startApp()
// Another process on the same database.
const { address } = await startApp({ databaseUrl: url })
const callOther = caller(address, key)

const patch = (id: bigint, body: unknown) => call(`/v1/pets/${id}`, patchJson(body))

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

test('P1 a PATCH to the values that the pet has is 200 and makes no new version', async () => {
  for (const status of ['available', 'sold', null]) {
    const id = await newPet(status)
    const { name, category } = await stored(id)
    // Otherwise the job that makes words could change the row meanwhile.
    await pool.query('update pets set worded = true where id = $1', [id])
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

test('a create, its replay and a fetch carry the version as ETag, and their bodies do not', async () => {
  const body = { name: 'Rex', categoryId: 7n }
  const headers = { 'idempotency-key': 'etag-of-a-create' }
  const created = await call('/v1/pets', postJson(body, headers))
  const { id } = created.body as { id: number }
  const json = `{"id":${id},"name":"Rex","categoryId":7}`
  assert.deepEqual([created.headers.get('etag'), created.text], ['"1"', json])
  const fetched = await call(`/v1/pets/${id}`)
  assert.deepEqual([fetched.headers.get('etag'), fetched.text], ['"1"', json])

  const tag = { 'if-match': created.headers.get('etag')! }
  assert.equal((await call(`/v1/pets/${id}`, patchJson({ name: 'Tom' }, tag))).status, 200)
  const changed = await call(`/v1/pets/${id}`)
  assert.deepEqual([changed.headers.get('etag'), changed.text], ['"2"', json.replace('Rex', 'Tom')])
  const replayed = await call('/v1/pets', postJson(body, headers))
  assert.deepEqual([replayed.headers.get('etag'), replayed.text], ['"1"', json], 'as it was added')
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
  assert.match(answer.text, /the outcome is unknown/)
  assert.equal(answer.headers.get('retry-after'), '1')
})
