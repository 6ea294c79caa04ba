import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'
import { storeStatement } from '../../src/storage/pets/idempotent-pets.ts'
import { withWords } from '../../src/storage/search/written-words.ts'
import { type Answer, caller, postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createTestKey, rotateTestKey } from '../support/factories.ts'
import { exchange } from '../support/raw.ts'

const { call, pool, key: apiKey, address, url } = await startApp()

const REX = '{"name":"Rex","categoryId":7,"status":"sold"}'

const keyed = (key: string, body: unknown = REX) => postJson(body, { 'idempotency-key': key })
const create = (key: string, body?: unknown) => call('/v1/pets', keyed(key, body))
const idOf = (answer: Answer) => (answer.body as { id: bigint }).id

async function countOf(table: 'pets' | 'idempotency_keys') {
  const { rows } = await pool.query<{ count: string }>(`select count(*) from ${table}`)
  return Number(rows[0]!.count)
}

test('a key sent again with the same pet gets the same response, byte for byte, and adds nothing', async () => {
  const key = randomUUID()
  const first = await create(key)
  assert.equal(first.status, 201)
  assert.equal(first.headers.get('idempotent-replayed'), null)
  const before = await countOf('pets')
  const again = await create(key)
  assert.equal(again.status, 201)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.text, first.text)
  assert.equal(again.headers.get('location'), first.headers.get('location'))
  assert.equal(await countOf('pets'), before)
  assert.equal((await call(`/v1/pets/${idOf(first)}`)).text, first.text)
})

test('an API key is no Idempotency-Key, and is not stored', async () => {
  const before = await countOf('idempotency_keys')
  for (const sent of [apiKey, `"${apiKey}"`, `retry-${apiKey}`, apiKey.toUpperCase()]) {
    const answer = await create(sent)
    assertError(answer, 400, 'invalid_idempotency_key')
    assert.match(answer.text, /looks like an API key\. Send a random value.*rotate it/)
    assert.ok(!answer.text.includes(apiKey))
  }
  assert.equal(await countOf('idempotency_keys'), before)
})

const SAME = [
  '{"status":"sold","categoryId":7,"name":"Rex"}',
  ' {\n"name" : "Rex",\t"categoryId":7 , "status":"sold"}\n',
  '{"name":"\\u0052ex","categoryId":7.0,"status":"sold","colour":"red"}',
]
for (const body of SAME) {
  test(`the same pet may be written in other ways: ${JSON.stringify(body)}`, async () => {
    const key = randomUUID()
    const first = await create(key)
    const again = await create(key, body)
    assert.deepEqual([again.status, again.text], [201, first.text])
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
  })
}

const OTHERS = [
  '{"name":"rex","categoryId":7,"status":"sold"}',
  '{"name":"Rex","categoryId":8,"status":"sold"}',
  '{"name":"Rex","categoryId":7,"status":"pending"}',
  '{"name":"Rex","categoryId":7}',
]
for (const body of OTHERS) {
  test(`a key sent again with another pet is rejected, and adds nothing: ${body}`, async () => {
    const key = randomUUID()
    const first = await create(key)
    const before = await countOf('pets')
    assertError(await create(key, body), 422, 'idempotency_key_reused')
    assert.equal(await countOf('pets'), before)
    assert.equal((await create(key)).text, first.text)
  })
}

test('a key and the same key in quotes are one; escapes in quotes are read', async () => {
  const first = await create('a "b" \\ c')
  const again = await create('"a \\"b\\" \\\\ c"')
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.text, first.text)
})

for (const [name, key] of [
  ['one character', '!'],
  ['255 characters', 'k'.repeat(255)],
  ['255 characters in quotes', `"${'\\"'.repeat(255)}"`],
  ['what an array would have to escape', `{a,"b"},'NULL',\\N;--`],
] as const) {
  test(`a key may be ${name}`, async () => {
    const first = await create(key)
    assert.equal(first.status, 201, first.text)
    assert.equal((await create(key)).text, first.text)
  })
}

for (const [name, key] of [
  ['is empty', ''],
  ['is empty in quotes', '""'],
  ['has 256 characters', 'k'.repeat(256)],
  ['is not closed by its quote', '"abc'],
  ['is a quote', '"'],
  ['has text after its quotes', '"abc"; a=b'],
  ['has an escape that is none', '"a\\b"'],
  ['ends in an escape', '"abc\\"'],
  ['holds a letter that is not ASCII', 'caf\xe9'],
  ['holds a tab', 'a\tb'],
] as const) {
  test(`a key is rejected that ${name}`, async () => {
    const before = await countOf('pets')
    assertError(await create(key), 400, 'invalid_idempotency_key')
    assert.equal(await countOf('pets'), before)
  })
}

test('two keys are rejected, even if they are equal', async () => {
  const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Length: ${REX.length}\r\n`
  const [answer] = await exchange(
    address,
    `${head}Idempotency-Key: a\r\nidempotency-key: a\r\nConnection: close\r\n\r\n${REX}`,
  )
  assert.equal(answer!.status, 400)
  assert.match(answer!.body, /invalid_idempotency_key/)
})

test('a malformed key counts less than a wrong body, and takes no connection', async () => {
  assertError(await create('', '{'), 400, 'invalid_json')
  assertError(await create('', '{}'), 400, 'invalid_body')
  assert.equal((await create('')).headers.get('connection'), 'keep-alive')
})

test('a rejection is not stored: the same key can be used for a valid pet', async () => {
  const key = randomUUID()
  assertError(await create(key, '{"name":"Rex"}'), 400, 'invalid_body')
  assertError(
    await call('/v1/pets', { ...keyed(key), headers: { 'content-type': 'text/plain' } }),
    415,
    'unsupported_media_type',
  )
  const { status, headers } = await create(key)
  assert.deepEqual([status, headers.get('idempotent-replayed')], [201, null])
})

test('each API key has keys of its own', async () => {
  const key = randomUUID()
  const other = (await createTestKey(pool)).key
  const first = await create(key)
  const theirs = await call('/v1/pets', { ...keyed(key, '{"name":"Momo","categoryId":1}'), key: other })
  assert.equal(theirs.status, 201)
  assert.notEqual(idOf(theirs), idOf(first))
})

test('a retry with the successor of a rotated API key returns the same response, byte for byte, and adds nothing', async () => {
  const old = await createTestKey(pool)
  const key = randomUUID()
  const first = await call('/v1/pets', { ...keyed(key), key: old.key })
  const successor = await rotateTestKey(pool, old)
  const before = await countOf('pets')
  const again = await call('/v1/pets', { ...keyed(key), key: successor.key })
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.headers.get('location'), first.headers.get('location'))
  const other = keyed(key, '{"name":"Momo","categoryId":1}')
  assertError(await call('/v1/pets', { ...other, key: successor.key }), 422, 'idempotency_key_reused')
  assert.equal(await countOf('pets'), before)
})

test('many requests race over two processes with few keys: each key adds one pet, and all of its requests return it', async () => {
  const config = readConfig({ DATABASE_URL: url, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent' })
  await using second = await startService(config)
  const processes = [call, caller(second.address, apiKey)]
  const before = await countOf('pets')
  for (let round = 0; round < 10; round++) {
    const keys = Array.from({ length: 5 }, () => randomUUID())
    const races = keys.flatMap((key) => Array.from({ length: 10 }, (_, i) => ({ key, post: processes[i % 2]! })))
    const answers = await Promise.all(
      races.map(async ({ key, post }) => ({
        key,
        ...(await post('/v1/pets', keyed(key, `{"name":"${key}","categoryId":1}`))),
      })),
    )
    for (const key of keys) {
      const own = answers.filter((answer) => answer.key === key)
      assert.deepEqual([...new Set(own.map(({ status }) => status))], [201])
      assert.equal(new Set(own.map(({ text }) => text)).size, 1)
      assert.equal(own.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
    }
  }
  assert.equal(await countOf('pets'), before + 50)
})

test('equal keys in one batch: one pet for all requests that send it, a rejection for those that send another', async () => {
  const key = randomUUID()
  const before = await countOf('pets')
  const bodies = [REX, REX, '{"name":"Momo","categoryId":1}', REX]
  const answers = await Promise.all(bodies.map((body) => create(key, body)))
  assert.equal(await countOf('pets'), before + 1)
  const added = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text))
  assert.equal(added.size, 1)
  // Which of the two pets came first is not known; all the others met a 422.
  assert.ok([1, 3].includes(answers.filter(({ status }) => status === 201).length))
  assert.ok(answers.every(({ status }) => status === 201 || status === 422))
})

/** Another process, in the middle of storing this key. */
async function storing(apiKeyId: string, key: string) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('begin')
  const input = withWords({ name: 'Elsewhere', categoryId: 1n })
  await client.query(storeStatement([{ apiKeyId, chainId: apiKeyId, key, fingerprints: ['00'], attempt: 1, input }]))
  return client
}

test('a request whose key is being stored waits for it without delaying others, and continues when it is free', async () => {
  const { id, key: own } = await createTestKey(pool)
  const key = randomUUID()
  const elsewhere = await storing(id, key)
  let isAnswered = false
  const waiting = call('/v1/pets', { ...keyed(key), key: own }).finally(() => (isAnswered = true))
  // Its batch is under way or over when these have been answered, one batch after the other.
  for (let i = 0; i < 5; i++) assert.equal((await create(randomUUID())).status, 201)
  assert.equal(isAnswered, false)
  await elsewhere.query('rollback')
  await elsewhere.end()
  const answer = await waiting
  assert.deepEqual([answer.status, answer.headers.get('idempotent-replayed')], [201, null])
})

test('a running service removes keys that are older than a day', async () => {
  const key = randomUUID()
  const first = await create(key)
  await pool.query(`update idempotency_keys set created_at = now() - interval '25 hours' where key = $1`, [key])
  const config = readConfig({ DATABASE_URL: url, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent' })
  await using _started = await startService(config)
  const isStored = async () => (await pool.query('select from idempotency_keys where key = $1', [key])).rowCount === 1
  while (await isStored());
  const again = await create(key)
  assert.equal(again.status, 201)
  assert.notEqual(idOf(again), idOf(first))
})

test('a pet and its key are stored together: a connection lost in between leaves neither, and the service does it again', async () => {
  const key = randomUUID()
  const before = { pets: await countOf('pets'), keys: await countOf('idempotency_keys') }
  const lock = await pool.connect()
  await lock.query('begin; lock table pets in access exclusive mode')
  const cut = create(key)
  // The key is stored, the pet waits for the lock.
  for (let ended = 0; ended === 0; ) {
    const { rowCount } = await lock.query(
      `select pg_terminate_backend(pid) from pg_locks
       where relation = 'pets'::regclass and not granted`,
    )
    ended = rowCount ?? 0
  }
  await lock.query('rollback')
  lock.release()
  const { status, headers } = await cut
  assert.deepEqual([status, headers.get('idempotent-replayed')], [201, null])
  assert.deepEqual(
    { pets: await countOf('pets'), keys: await countOf('idempotency_keys') },
    { pets: before.pets + 1, keys: before.keys + 1 },
  )
})
