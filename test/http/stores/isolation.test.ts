import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, type Call, caller, patchJson, postJson, startApp } from '../../support/app.ts'
import { assertError } from '../../support/assert-error.ts'
import { addPet, endOfFeed } from '../../support/events.ts'
import { createTestKey } from '../../support/factories.ts'
import { toolCaller } from '../../support/mcp.ts'
import { countRows, createSandbox, startStores } from '../../support/stores.ts'
import { MASTER_SECRET } from '../../support/webhooks.ts'

// Every operation that the service declares, by the examples of its document: a new one is tested here too.

const NOWHERE = 'postgres://nobody@127.0.0.1:1/none'
const settings = { webhookMasterSecret: MASTER_SECRET }

const both = await startStores(settings)
const { live, sandbox } = both
/** A process that has only the live store, and one that has only the sandbox: the other is lost. */
const onlyLive = await startStores({ ...settings, sandboxUrl: NOWHERE })
const only = await createSandbox()
const { address } = await startApp({ ...settings, databaseUrl: NOWHERE, sandboxUrl: only.url })
const alone = await startApp(settings)

interface Documented {
  operationId: string
  parameters?: { name: string; in: string; example: unknown }[]
  requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> }
}

function requestsOf(document: unknown) {
  const { paths } = document as { paths: Record<string, Record<string, Documented>> }
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody }]) => {
      const path = template.replaceAll(/{(\w+)}/g, (_, name) =>
        String(parameters.find((each) => each.name === name)?.example),
      )
      const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
      const [example] = Object.values(content?.examples ?? {})
      const init = { method: method.toUpperCase(), ...(example && postJson(example.value, { 'content-type': type! })) }
      return { operationId, path: `/v1${path}`, init: { ...init, method: method.toUpperCase() } }
    }),
  )
}
const requests = requestsOf((await live.call('/openapi.json')).body)
assert.ok(requests.length > 30, String(requests.length))

const modeOf = ({ headers }: Answer) => headers.get('petstore-mode')

/** What every operation returns, one after the other, beginning with an empty store. */
async function answersOf(call: Call) {
  const answers = new Map<string, Answer>()
  for (const { operationId, path, init } of requests) answers.set(operationId, await call(path, init))
  return answers
}
const expected = await answersOf(alone.call)
const liveOnly = await answersOf(onlyLive.live.call)
const sandboxOnly = await answersOf(caller(address, only.key))

for (const { operationId } of requests)
  test(`${operationId} needs nothing but the store of its key`, () => {
    const { status, text } = expected.get(operationId)!
    assert.ok(status < 500, text)
    const [ofLive, ofSandbox] = [liveOnly.get(operationId)!, sandboxOnly.get(operationId)!]
    assert.equal(ofLive.status, status, ofLive.text)
    assert.equal(ofSandbox.status, status, ofSandbox.text)
    assert.deepEqual([modeOf(ofLive), modeOf(ofSandbox)], [null, 'test'])
  })

test('what a key of one store changes is not in the other', async () => {
  const empty = await countRows(live.pool)
  await answersOf(sandbox.call)
  assert.deepEqual(await countRows(live.pool), empty)
  const changed = await countRows(sandbox.pool)
  assert.ok(changed['webhooks']! > 0 && changed['events']! > 0, JSON.stringify(changed))
  await answersOf(live.call)
  assert.deepEqual(await countRows(sandbox.pool), changed)
})

test('the same ids, references and Idempotency-Keys are of different things in each store', async () => {
  const first = await startStores()
  for (const [name, { call }] of Object.entries({ live: first.live, test: first.sandbox })) {
    const pet = postJson({ name, categoryId: 1, status: 'available' }, { 'idempotency-key': 'the-same' })
    const made = await call('/v1/pets', pet)
    assert.equal(made.status, 201, made.text)
    assert.equal(made.headers.get('idempotent-replayed'), null)
    assert.equal((made.body as { id: bigint }).id, 1n)
    assert.equal(((await call('/v1/pets/1')).body as { name: string }).name, name)
    const order = await call('/v1/store/orders', postJson({ petId: 1, reference: 'the-same' }))
    assert.equal(order.status, 201, order.text)
    const { id } = order.body as { id: string }
    const found = await call('/v1/store/orders?reference=the-same')
    assert.deepEqual(
      (found.body as { id: string }[]).map((each) => each.id),
      [id],
    )
  }
})

test('a cursor of the feed of another store is no longer in the feed', async () => {
  for (const [from, to] of [
    [live, sandbox],
    [sandbox, live],
  ] as const) {
    await addPet(from.call)
    const path = await endOfFeed(from)
    assert.equal((await from.call(path)).status, 200)
    assertError(await to.call(path), 410, 'cursor_expired')
    const cursor = new URL(path, 'http://x').searchParams.get('cursor')
    const read = await toolCaller(to.call)('read_events', { cursor })
    assert.deepEqual([read.isError, read.value['code']], [true, 'cursor_expired'])
    const made = await to.call('/v1/webhooks', postJson({ url: 'https://shop.example/hooks' }))
    const { id } = made.body as { id: string }
    assertError(await to.call(`/v1/webhooks/${id}`, patchJson({ cursor })), 410, 'cursor_expired')
  }
})

test('tools of agents see the store of the key', async () => {
  const made = await createTestKey(sandbox.pool, { name: 'agent of the sandbox' })
  const add = await toolCaller((path, init) => both.call(path, { ...init, key: made.key }))('add_pet', {
    name: 'Unmistakable',
    categoryId: '1',
  })
  assert.equal(add.isError, false, add.text)
  assert.equal(modeOf(add as unknown as Answer), 'test')
  for (const [{ call }, count] of [
    [sandbox, 1],
    [live, 0],
  ] as const)
    assert.equal(((await call('/v1/pets?name=unmistakable')).body as unknown[]).length, count)
})
