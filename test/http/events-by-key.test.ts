import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caller, patchJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { addPet, endOfFeed, eventsOf, follow, nextOf, sequenceOf } from '../support/events.ts'
import { createTestKey } from '../support/factories.ts'

const app = await startApp()
const { call, pool } = app
const ben = await createTestKey(pool)
const ofBen = caller(app.address, ben.key)
const unused = await createTestKey(pool)

const start = await endOfFeed(app)
for (let i = 0; i < 3; i++) {
  const pet = await addPet(call)
  await ofBen(`/v1/pets/${pet}`, patchJson({ name: `Ben's ${i}` }))
  await addPet(ofBen)
}
await endOfFeed(app)
const { events } = await follow(call, start)
const { time } = events[4]!
const due = events.filter(({ data }) => data.keyId === ben.id)
assert.equal(due.length, 6)

/** All pages of a walk that has an end: empty in the feed, without a link from the newest event back. */
async function walk(path: string) {
  const met = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer = await call(next)
    assert.equal(answer.status, 200, answer.text)
    met.push(...eventsOf(answer))
    const link: string | undefined = answer.headers.has('link') ? nextOf(answer) : undefined
    next = link === next ? undefined : link
  }
  return met
}

for (const limit of [1, 2, 100])
  test(`the changes of a key, in both directions, ${limit} on a page`, async () => {
    const path = `/v1/events?limit=${limit}&keyId=${ben.id}`
    assert.deepEqual(await walk(path), due)
    assert.deepEqual(await walk(`${path}&sort=newest`), due.toReversed())
    const updated = due.filter(({ type }) => type === 'pet.updated')
    assert.deepEqual(await walk(`${path}&type=pet.updated`), updated)
    assert.deepEqual(await walk(`${path}&type=pet.updated&sort=newest`), updated.toReversed())
    const since = await walk(`${path}&from=${time}`)
    assert.deepEqual(since, due.slice(due.length - since.length))
    assert.ok(since.length >= due.filter((event) => event.time >= time).length)
    assert.deepEqual(await walk(`/v1/events?limit=${limit}&keyId=${unused.id}`), [])
    assert.deepEqual(await walk(`/v1/events?limit=${limit}&keyId=${unused.id}&sort=newest`), [])
  })

test('a request that waits gets the next change of the key', async () => {
  const next = await endOfFeed(app)
  const waiting = call(`${next}&wait=9&keyId=${ben.id}`)
  const pet = await addPet(call)
  let answer = await waiting
  for (; eventsOf(answer).length === 0; answer = await call(nextOf(answer)))
    await ofBen(`/v1/pets/${pet}`, patchJson({ name: 'Next' }))
  assert.deepEqual(
    eventsOf(answer).map(({ type, data }) => [type, data.keyId]),
    [['pet.updated', ben.id]],
  )
})

test('a page looks at a thousand events at most; it may be empty and have a next', async () => {
  const from = await endOfFeed(app)
  await pool.query(
    `insert into events (pet_id, version, type, name, category_id)
     select 1000000 + i, 1, 'pet.updated', 'Rex', 7 from generate_series(1, 1500) as i`,
  )
  await endOfFeed(app)
  const pet = await addPet(ofBen)
  const end = await endOfFeed(app)
  const first = await call(`${from}&keyId=${ben.id}`)
  assert.deepEqual(eventsOf(first), [])
  assert.equal(sequenceOf(nextOf(first)) - sequenceOf(from), 1_000n)
  assert.equal(eventsOf(await call(nextOf(first)))[0]?.data.pet?.id, pet)
  for (const type of ['', '&type=pet.created']) {
    const newest = await call(`/v1/events?sort=newest&keyId=${ben.id}${type}`)
    assert.equal(eventsOf(newest).length, 1)
    assert.equal(sequenceOf(end) - sequenceOf(nextOf(newest), 'newestEvents'), 999n)
    const older = await walk(`/v1/events?sort=newest&keyId=${ben.id}${type}`)
    assert.ok(older.length >= 4)
  }
})

for (const [keyId, message] of [
  ['key_0000000000000000', 'No key has the id key_0000000000000000.'],
  ['0a1B2c3D4e5F6g7H', '`keyId` must be the id of a key, such as key_0a1B2c3D4e5F6g7H; got "0a1B2c3D4e5F6g7H".'],
  ['', '`keyId` must be the id of a key, such as key_0a1B2c3D4e5F6g7H; got "".'],
  ['key_a%00', '`keyId` must be the id of a key, such as key_0a1B2c3D4e5F6g7H; got "key_a\\u0000".'],
  ['key_a,key_b', '`keyId` must be the id of a key, such as key_0a1B2c3D4e5F6g7H; got "key_a,key_b".'],
] as const)
  test(`keyId=${keyId} is rejected, and no request waits for it`, async () => {
    for (const query of ['', '&sort=newest', '&from=now&wait=9', '&type=pet.created']) {
      const answer = await call(`/v1/events?keyId=${keyId}${query}`)
      assertError(answer, 400, 'invalid_parameter')
      assert.equal((answer.body as { message: string }).message, message)
    }
  })

test('keyId is not for the history of a pet', async () => {
  assertError(await call(`/v1/events?petId=1&keyId=${ben.id}`), 400, 'invalid_parameter')
})
