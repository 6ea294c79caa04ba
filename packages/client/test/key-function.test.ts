import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPetstore, type PetstoreOptions } from '../src/index.ts'
import { type Answer, json, refusal, startFaulty } from './support/faulty.ts'

const keyOf = (digit: number) => `petk_test_${String(digit).repeat(36)}`
const revoked = refusal(401, 'revoked_credentials')
const pet = '{"id":1,"name":"Rex","categoryId":7,"version":2}'

/** A service that accepts one key, and a client whose key comes from a function. */
async function start(key: () => string | Promise<string>, options: Partial<PetstoreOptions> = {}) {
  let accepted = keyOf(1)
  const answer: Answer = (response, received) => {
    const isRight = received.headers.authorization === `Bearer ${accepted}`
    const body = received.method === 'GET' ? `[${pet}]` : pet
    return (isRight ? json(200, body) : revoked)(response, received)
  }
  const { baseUrl, received } = await startFaulty(answer)
  const sent = () => received.map(({ headers }) => Number(headers.authorization?.at(-1)))
  const store = createPetstore({ baseUrl, key, retries: 0, ...options })
  const accept = (digit: number) => {
    accepted = keyOf(digit)
  }
  return { ...store, sent, accept }
}

test('the function is asked before the first request, and not again while its key works', async () => {
  let asked = 0
  const { pets, sent } = await start(() => keyOf(++asked))
  assert.equal(asked, 0, 'not when the client is created')
  for (let i = 0; i < 3; i++) await pets.list().page()
  assert.deepEqual([asked, sent()], [1, [1, 1, 1]])
})

test('after a 401 it is asked again, and the call is sent once more: a read, a create and a change, without retries', async () => {
  let current = 1
  const { pets, sent, accept } = await start(async () => keyOf(current))
  const calls = [
    () => pets.list().page(),
    () => pets.create({ name: 'Rex', categoryId: 7n }),
    () => pets.update(1n, { name: 'Rex' }),
  ]
  for (const call of calls) {
    await pets.list().page()
    accept(++current)
    await call()
  }
  assert.deepEqual(sent(), [1, 1, 2, 2, 2, 3, 3, 3, 4])
})

test('once per call: a second 401 rejects it', async () => {
  let asked = 1
  const { pets, sent } = await start(() => keyOf(++asked), { retries: 4 })
  await assert.rejects(pets.list().page(), { code: 'revoked_credentials', status: 401 })
  assert.deepEqual([asked, sent()], [3, [2, 3]])
})

test('the same key is not sent again', async () => {
  const { pets, sent } = await start(() => keyOf(2))
  await assert.rejects(pets.list().page(), { code: 'revoked_credentials' })
  assert.deepEqual(sent(), [2])
})

test('calls at the same time share what the function returns', async () => {
  let asked = 0
  const { pets, accept } = await start(async () => keyOf(++asked))
  await Promise.all(Array.from({ length: 20 }, () => pets.list().page()))
  assert.equal(asked, 1)
  accept(2)
  await Promise.all(Array.from({ length: 20 }, () => pets.list().page()))
  assert.equal(asked, 2)
})

test('what the function throws rejects the call, and the next call asks again', async () => {
  let asked = 0
  const { pets } = await start(() => {
    if (++asked === 1) throw new RangeError('no secret store')
    return keyOf(1)
  })
  await assert.rejects(pets.list().page(), RangeError)
  assert.equal((await pets.list().page()).pets.length, 1)
})

test('what is no key is not sent', async () => {
  const { pets, sent } = await start(() => 'petk_test_0\n')
  await assert.rejects(pets.list().page(), { name: 'TypeError', message: /contains whitespace, a line break/ })
  assert.deepEqual(sent(), [])
})

test('a create that meets a rotation ends with one Idempotency-Key: an attempt under way, a 401, and that attempt again', async () => {
  const running = refusal(409, 'idempotency_in_progress', { 'retry-after': '0' })
  const { baseUrl, received } = await startFaulty(running, revoked, running, json(201, pet))
  let asked = 0
  const { pets } = createPetstore({ baseUrl, key: () => keyOf(++asked) })
  assert.equal((await pets.create({ name: 'Rex', categoryId: 7n })).id, 1n)
  const keys = received.map(({ headers }) => headers.authorization?.at(-1))
  assert.deepEqual([asked, keys.join()], [2, '1,1,2,2'])
  assert.equal(new Set(received.map(({ headers }) => headers['idempotency-key'])).size, 1)
})
