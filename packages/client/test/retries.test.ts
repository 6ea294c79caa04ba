import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { backoff, readRetryAfter } from '../src/backoff.ts'
import { createPetstore, PetstoreError, type PetstoreOptions, type Retry } from '../src/index.ts'
import { type Answer, cut, cutInside, json, KEY, refusal, silence, startFaulty, unavailable } from './support/faulty.ts'

const created = json(201, '{"id":1,"name":"Rex","categoryId":9223372036854775807}')
const listed = json(200, '[{"id":1,"name":"Rex","categoryId":7}]')
const rex = { name: 'Rex', categoryId: 9_223_372_036_854_775_807n }

async function startClient(answers: [Answer, ...Answer[]], options: Partial<PetstoreOptions> = {}) {
  const { baseUrl, received } = await startFaulty(...answers)
  return { ...createPetstore({ baseUrl, key: KEY, ...options }), received }
}

test('create is tried again after a 503 and after a cut, with the same key and body', async () => {
  const { pets, received } = await startClient([unavailable('0'), cut, created])
  assert.deepEqual(await pets.create(rex), { id: 1n, ...rex })
  assert.equal(received.length, 3)
  assert.equal(new Set(received.map(({ headers }) => headers['idempotency-key'])).size, 1)
  assert.deepEqual(
    new Set(received.map(({ body }) => body)),
    new Set(['{"categoryId":9223372036854775807,"name":"Rex"}']),
  )
})

test('every create has an Idempotency-Key of its own, or the given one', async () => {
  const { pets, received } = await startClient([created])
  await pets.create(rex)
  await pets.create(rex)
  await pets.create(rex, { idempotencyKey: 'mine' })
  const [first, second, third] = received.map(({ headers }) => String(headers['idempotency-key']))
  assert.match(first ?? '', /^[0-9a-f-]{36}$/)
  assert.notEqual(first, second)
  assert.equal(third, 'mine')
})

test('a response that is cut off is retried', async () => {
  const { pets, received } = await startClient([cutInside, listed])
  assert.equal((await pets.list().page()).pets.length, 1)
  assert.equal(received.length, 2)
})

for (const [status, code, headers] of [
  [408, 'request_timeout', {}],
  [409, 'idempotency_in_progress', { 'retry-after': '0' }],
  [429, 'rate_limited', {}],
  [503, 'unavailable', {}],
] as const)
  test(`${status} is retried`, async () => {
    const { pets } = await startClient([refusal(status, code, headers), listed])
    assert.equal((await pets.list().page()).pets.length, 1)
  })

for (const status of [502, 504])
  test(`${status} of a proxy is retried, a create with the same Idempotency-Key`, async () => {
    const page = json(status, '<h1>Gateway</h1>')
    const { pets, received } = await startClient([page, listed, page, created])
    assert.equal((await pets.list().page()).pets.length, 1)
    assert.equal((await pets.create(rex)).id, 1n)
    assert.equal(received[2]?.headers['idempotency-key'], received[3]?.headers['idempotency-key'])
  })

test('a proxy that stays broken is an unexpected response', async () => {
  const { pets } = await startClient([json(502, '<h1>Bad gateway</h1>')], { retries: 0 })
  await assert.rejects(pets.list().page(), { code: 'unexpected_answer', status: 502 })
})

for (const status of [400, 401, 403, 404, 409, 413, 422, 500])
  test(`${status} is not retried${status === 409 ? ' unless it says when to try again' : ''}`, async () => {
    const { pets, received } = await startClient([refusal(status, 'x')])
    await assert.rejects(pets.create(rex), { name: 'PetstoreError', code: 'x', status, requestId: 'r-1' })
    assert.equal(received.length, 1)
  })

test('no more tries than allowed, then the error of the last one', async () => {
  const { pets, received } = await startClient([cut, unavailable('0')], { retries: 2 })
  await assert.rejects(pets.list().page(), { code: 'unavailable', status: 503 })
  assert.equal(received.length, 3)
})

test('an attempt without a response is given up and retried, within the deadline', async () => {
  const { pets, received } = await startClient([silence, listed], { attemptTimeoutMs: 100 })
  assert.equal((await pets.list().page()).pets.length, 1)
  assert.equal(received.length, 2)
})

test('the last attempt without a response says how long it was waited for', async () => {
  const { pets, received } = await startClient([silence], { attemptTimeoutMs: 100, retries: 1 })
  await assert.rejects(pets.list().page(), { code: 'deadline_exceeded', message: 'No response within 100 ms.' })
  assert.equal(received.length, 2)
})

test('onRetry hears of each attempt that failed, and of the wait', async () => {
  const retries: Retry[] = []
  const { pets } = await startClient([cut, unavailable('0'), listed], { onRetry: (retry) => retries.push(retry) })
  await pets.list().page()
  assert.deepEqual(
    retries.map(({ attempt, error }) => [attempt, error.code]),
    [
      [1, 'connection_failed'],
      [2, 'unavailable'],
    ],
  )
  assert.ok(retries.every(({ waitMs }) => waitMs >= 0 && waitMs <= 400))
})

test('an error says when to try again', async () => {
  const { pets } = await startClient([refusal(429, 'rate_limited', { 'retry-after': '7' })], { retries: 0 })
  await assert.rejects(pets.list().page(), { code: 'rate_limited', retryAfter: 7 })
  const other = await startClient([refusal(400, 'invalid_parameter')])
  await assert.rejects(other.pets.list().page(), { retryAfter: undefined })
})

test('Retry-After is waited for', async () => {
  const { pets } = await startClient([unavailable('1'), listed])
  const started = performance.now()
  await pets.list().page()
  assert.ok(performance.now() - started >= 1_000)
})

test('a Retry-After beyond the deadline is not waited for', async () => {
  const { pets, received } = await startClient([unavailable('3600')])
  const started = performance.now()
  await assert.rejects(pets.list().page(), { code: 'unavailable' })
  assert.ok(performance.now() - started < 10_000, 'before the deadline of thirty seconds')
  assert.equal(received.length, 1)
})

test('a service that is silent is given up at the deadline', async () => {
  const { pets } = await startClient([silence], { timeoutMs: 200 })
  await assert.rejects(pets.list().page(), { name: 'PetstoreError', code: 'deadline_exceeded', status: undefined })
})

test('a service that is not there is a PetstoreError with its cause', async () => {
  const { pets } = createPetstore({ baseUrl: await freeAddress(), key: KEY, retries: 1 })
  const error = await pets
    .list()
    .page()
    .catch((caught: unknown) => caught)
  assert.ok(error instanceof PetstoreError)
  assert.equal(error.code, 'connection_failed')
  assert.match(inspect(error.cause), /ECONNREFUSED/)
})

for (const [moment, answer] of [
  ['while the response is awaited', silence],
  ['while it waits for the next try', unavailable('20')],
] as const)
  test(`a signal ends a call ${moment}, with its own reason`, async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    const { pets, received } = await startClient([
      (response, request) => {
        answer(response, request)
        setTimeout(() => stop.abort(reason), 100)
      },
    ])
    const started = performance.now()
    await assert.rejects(pets.create(rex, { signal: stop.signal }), reason)
    assert.ok(performance.now() - started < 5_000)
    assert.equal(received.length, 1)
  })

test('without retries too, an aborted call is not a failed connection', async () => {
  const { pets } = await startClient([silence], { retries: 0 })
  await assert.rejects(pets.list({ signal: AbortSignal.timeout(50) }).page(), { name: 'TimeoutError' })
})

test('a signal that has aborted already lets nothing be sent', async () => {
  const { pets, received } = await startClient([listed])
  const signal = AbortSignal.abort()
  await assert.rejects(pets.list({ signal }).page(), { name: 'AbortError' })
  await assert.rejects(pets.get(1n, { signal }), { name: 'AbortError' })
  assert.equal(received.length, 0)
})

test('an Idempotency-Key that no header can hold is an error of the caller, not of the connection', async () => {
  const { pets, received } = await startClient([created])
  await assert.rejects(pets.create(rex, { idempotencyKey: 'a\nb' }), TypeError)
  assert.equal(received.length, 0)
})

test('waits are spread over all of their range, which doubles up to five seconds', () => {
  for (const [attempt, longest] of [
    [0, 200],
    [2, 800],
    [20, 5_000],
  ] as const) {
    const waits = Array.from({ length: 1_000 }, () => backoff(attempt))
    assert.ok(Math.min(...waits) < longest * 0.05 && Math.max(...waits) > longest * 0.95, `attempt ${attempt}`)
    assert.ok(Math.max(...waits) <= longest)
  }
})

test('Retry-After may be a date, and nonsense in it is no wait', () => {
  const inTenSeconds = readRetryAfter(new Date(Date.now() + 10_000).toUTCString())
  assert.ok(inTenSeconds !== undefined && inTenSeconds >= 9 && inTenSeconds <= 10)
  assert.equal(readRetryAfter(new Date(0).toUTCString()), 0)
  for (const text of ['', 'soon', 'in 5 s']) assert.equal(readRetryAfter(text), undefined)
})

/** A port where a server listened a moment ago, and none does now. */
async function freeAddress() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}/v1`
}
