import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { createPetstore, type EventPage, type PetstoreEvent, type PetstoreOptions, type Retry } from '../src/index.ts'
import { balanced } from './support/balanced.ts'
import {
  type Answer,
  cut,
  json,
  KEY,
  refusal,
  silence,
  startFaulty,
  startFaultyNetwork,
  unavailable,
} from './support/faulty.ts'
import { startProcess, startService } from './support/service.ts'

const { baseUrl, directory, key } = await startService()
const { pets, events } = createPetstore({ baseUrl, key })

test('the service is restarted and killed, and the network fails: no event is missed or repeated', async () => {
  let service = await startProcess(directory)
  const network = await startFaultyNetwork(new URL(service.baseUrl).origin)
  const follower = createPetstore({ baseUrl: network.baseUrl, key, retries: 0 })
  const { next } = await events.list({ from: 'now' }).page()

  const found: PetstoreEvent[] = []
  const following = (async () => {
    for await (const { events: some } of follower.events.follow({ cursor: next })) {
      found.push(...some)
      if (some.some(({ data }) => data.pet?.name === 'Last')) return
    }
  })()
  const written: bigint[] = []
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await write(written, 50)
    const [restarted] = await Promise.all([restart(service, signal), write(written, 50)])
    service = restarted
  }
  written.push((await pets.create({ name: 'Last', categoryId: 1n })).id)
  await following
  assert.deepEqual(new Set(found.map(({ data }) => data.pet?.id)), new Set(written))
  assertDense(found)
  await service.end('SIGTERM')
})

test('a follower that ends after any page is continued by another from its cursor: nothing missed, nothing repeated', async () => {
  let cursor = (await events.list({ from: 'now' }).page()).next
  const written: bigint[] = []
  const writing = write(written, 300)
  const found: PetstoreEvent[] = []
  for (let followers = 0; found.length < 300; followers++) {
    let left = followers % 3
    for await (const page of createPetstore({ baseUrl, key }).events.follow({ cursor })) {
      found.push(...page.events)
      cursor = page.next
      if (left-- <= 0 || found.length >= 300) break
    }
  }
  await writing
  assertDense(found)
  assert.ok(found.every(({ data }) => written.includes(data.pet?.id ?? 0n)))
})

test('processes that take turns do not end a cursor: what one has shown, the next one knows', async () => {
  const others = await Promise.all([startProcess(directory), startProcess(directory)])
  const baseUrls = [baseUrl, ...others.map((other) => other.baseUrl)]
  const { next } = await events.list({ from: 'now' }).page()
  const written: bigint[] = []
  const writing = write(written, 500)
  const found: PetstoreEvent[] = []
  for await (const page of createPetstore({ baseUrl, key, fetch: balanced(() => baseUrls) }).events.follow({
    cursor: next,
  })) {
    found.push(...page.events)
    if (found.length >= 500) break
  }
  await writing
  assertDense(found)
  for (const other of others) await other.end('SIGTERM')
})

test('an event of another process arrives while it waits', async () => {
  const { next } = await events.list({ from: 'now' }).page()
  const arrived = events.follow({ cursor: next }).next()
  const { id } = await pets.create({ name: 'Rex', categoryId: 1n })
  const begun = performance.now()
  assert.deepEqual(subjectsIn((await arrived).value ?? undefined), [`pets/${id}`])
  assert.ok(performance.now() - begun < 5_000)
})

test('from `now`, the first page comes at once, so that its cursor can be stored; without it, the oldest events', async () => {
  const begun = performance.now()
  const { value } = await events.follow({ from: 'now' }).next()
  assert.deepEqual(value?.events, [])
  assert.ok(performance.now() - begun < 5_000)
  const oldest = (await events.follow().next()).value
  assert.equal(oldest?.events[0]?.sequence, '0000000000000001')
  const [first] = (await events.follow({ types: ['pet.updated'], from: 'now' }).next()).value?.events ?? []
  assert.equal(first, undefined)
})

test('a cursor whose events are no longer kept is cursor_expired, and is not retried', async () => {
  const { next } = await events.list({ limit: 1 }).page()
  await pets.create({ name: 'Rex', categoryId: 1n })
  const pruner = await startProcess(directory, '0', { EVENTS_RETENTION: '1s' })
  const error = await untilRejected(async () => {
    await pets.create({ name: 'Rex', categoryId: 1n })
    return events.follow({ cursor: next }).next()
  })
  assert.deepEqual([error.name, error.code, error.status], ['PetstoreError', 'cursor_expired', 410])
  await pruner.end('SIGTERM')
})

const page = (cursor: string, body = '[]', headers = {}) =>
  json(200, body, { link: `</v1/events?cursor=${cursor}>; rel="next"`, ...headers })

test('it is retried for longer than any other call, with the same cursor', async () => {
  const failures = [
    cut,
    unavailable('0'),
    refusal(429, 'rate_limited'),
    json(502, '<h1>Bad gateway</h1>'),
    silence,
    cut,
  ]
  const retries: Retry[] = []
  const { events: faked, received } = await startFake([...failures, page('c2')], {
    retries: 0,
    timeoutMs: 50,
    attemptTimeoutMs: 1_000,
    onRetry: (retry) => retries.push(retry),
  })
  assert.deepEqual((await faked.follow({ cursor: 'c1' }).next()).value, { events: [], next: 'c2' })
  assert.deepEqual(new Set(received.map(({ url }) => url)), new Set(['/v1/events?limit=100&wait=0&cursor=c1']))
  assert.deepEqual(
    retries.map(({ attempt }) => attempt),
    [1, 2, 3, 4, 5, 6],
  )
})

for (const [status, code] of [
  [400, 'invalid_cursor'],
  [401, 'invalid_credentials'],
  [410, 'cursor_expired'],
  [500, 'internal_error'],
] as const)
  test(`${status} ends it at once`, async () => {
    const { events: faked, received } = await startFake([refusal(status, code)])
    await assert.rejects(faked.follow({ cursor: 'c1' }).next(), { name: 'PetstoreError', code, status })
    assert.equal(received.length, 1)
  })

test('a page that leads further is passed on although it is empty, one that does not is not', async () => {
  const event = '[{"id":"evt_1","type":"pets.imported","data":{"added":9223372036854775807}}]'
  const answers = [page('c1'), page('c2'), page('c2'), page('c3', event)]
  const { events: faked, received } = await startFake(answers)
  const pages: (EventPage | undefined)[] = []
  const following = faked.follow({ types: ['pets.imported'], from: 'oldest' })
  for (let i = 0; i < 3; i++) pages.push((await following.next()).value ?? undefined)
  assert.deepEqual(pages, [
    { events: [], next: 'c1' },
    { events: [], next: 'c2' },
    { events: [{ id: 'evt_1', type: 'pets.imported', data: { added: 9_223_372_036_854_775_807n } }], next: 'c3' },
  ])
  assert.deepEqual(
    received.map(({ url }) => url),
    [
      '/v1/events?limit=100&type=pets.imported&from=oldest',
      '/v1/events?limit=100&type=pets.imported&wait=9&cursor=c1',
      '/v1/events?limit=100&type=pets.imported&wait=9&cursor=c2',
      '/v1/events?limit=100&type=pets.imported&wait=9&cursor=c2',
    ],
  )
})

test('a service that does not wait is not asked all the time', async () => {
  const { events: faked, received } = await startFake([page('c1')])
  const begun = performance.now()
  const signal = AbortSignal.timeout(2_000)
  await assert.rejects(faked.follow({ cursor: 'c1', signal }).next(), { name: 'TimeoutError' })
  assert.ok(performance.now() - begun < 5_000)
  assert.ok(received.length >= 2 && received.length <= 5, `${received.length} requests`)
})

test('after a page that did not wait it waits for as long as Retry-After says', async () => {
  const { events: faked, received } = await startFake([page('c1', '[]', { 'retry-after': '2' }), page('c2')])
  const begun = performance.now()
  assert.deepEqual((await faked.follow({ cursor: 'c1' }).next()).value, { events: [], next: 'c2' })
  const ms = performance.now() - begun
  assert.ok(ms >= 1_990 && ms < 5_000, `${ms} ms`)
  assert.equal(received.length, 2)
})

for (const [moment, answer] of [
  ['while the service waits', silence],
  ['while it waits for the service', unavailable('3600')],
  ['before the next page', page('c2')],
] as const)
  test(`a signal ends it ${moment}, with its own reason`, async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    const { events: faked, received } = await startFake([
      (response, request) => {
        answer(response, request)
        setTimeout(() => stop.abort(reason), 100)
      },
    ])
    const follow = async () => {
      for await (const _ of faked.follow({ cursor: 'c1', signal: stop.signal })) await once(stop.signal, 'abort')
    }
    await assert.rejects(follow(), reason)
    assert.equal(received.length, 1)
  })

/** Adds pets, eight at a time. */
async function write(written: bigint[], count: number) {
  let left = count
  const add = async () => {
    while (left-- > 0) written.push((await pets.create({ name: 'Rex', categoryId: 1n })).id)
  }
  await Promise.all(Array.from({ length: 8 }, add))
}

async function restart(service: Awaited<ReturnType<typeof startProcess>>, signal: NodeJS.Signals) {
  await service.end(signal)
  return startProcess(directory, service.port)
}

/** Each event is followed by the one with the next number. */
function assertDense(found: PetstoreEvent[]) {
  const first = BigInt(found[0]?.sequence ?? 0)
  assert.deepEqual(
    found.map(({ sequence }) => BigInt(sequence ?? 0)),
    found.map((_, i) => first + BigInt(i)),
  )
}

function subjectsIn(found: EventPage | undefined) {
  return found?.events.map(({ subject }) => subject)
}

/** The error, as soon as there is one. */
async function untilRejected(call: () => Promise<unknown>) {
  return until(() =>
    call().then(
      () => undefined,
      (error: unknown) => error as { name: string; code: string; status: number },
    ),
  )
}

async function startFake(answers: Answer[], options: Partial<PetstoreOptions> = {}) {
  const fake = await startFaulty(...(answers as [Answer, ...Answer[]]))
  return { ...createPetstore({ baseUrl: fake.baseUrl, key: KEY, ...options }), received: fake.received }
}
