import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { pause } from '../../src/jobs/runner.ts'
import { readBuildInfo } from '../../src/lib/build-info.ts'
import { TIMES } from '../../src/lib/times.ts'
import { patchJson, startApp } from '../support/app.ts'
import {
  attemptsOf,
  changeWebhook,
  insertWebhook,
  retryNow,
  secretOf,
  startDelivering,
  untilWebhook,
  webhookOf,
} from '../support/deliveries.ts'
import { endOfFeed, follow } from '../support/events.ts'
import { insertPets } from '../support/factories.ts'
import { changePet, disordered, keyOf, storedKeys } from '../support/feed.ts'
import { keysOf, startReceiver } from '../support/receiver.ts'
import { SHORT } from '../support/times.ts'
import { throughout, until } from '../support/until.ts'

const { lease, sending } = SHORT
const { noticeMs } = lease
const { responseMs, bodyMs } = sending
// Of the retries: no test waits for one.
const { delaysMs } = TIMES.retries
// On a busy machine.
const SLACK_MS = 500

const { url, pool, call } = await startApp({ publicBaseUrl: 'https://pets.example/v1' })
const pets = await insertPets(
  pool,
  Array.from({ length: 12 }, () => 'available'),
)
const { logs } = await startDelivering(url, { publicBaseUrl: 'https://pets.example/v1' }, { lease, sending })

// Receivers of the tests before would get the events of this one too.
beforeEach(() => pool.query('delete from webhooks'))

const change = async (times = 1, ids = pets) => {
  const keys: string[] = []
  for (let i = 0; i < times; i++) for (const id of ids) keys.push(await changePet(pool, id))
  return keys
}

/** There is something to deliver for all of this time. */
async function changeFor(ms: number) {
  const end = performance.now() + ms
  await until(async () => {
    await change(1, pets.slice(0, 2))
    return performance.now() >= end
  })
}

/** A webhook for what comes from now on. */
async function open(receiver: { url: string }, overrides: Record<string, unknown> = {}) {
  await endOfFeed({ call, pool })
  const { rows } = await pool.query<{ sequence: string; mark: string }>(
    `select first + greatest(cardinality(pet_ids), 1) - 1 as sequence, mark from feed_pages order by first desc limit 1`,
  )
  return insertWebhook(pool, receiver.url, { ...rows[0], ...overrides })
}

test('W1: an event arrives as it is in the feed, signed as Standard Webhooks describes it', async () => {
  const receiver = await startReceiver()
  const id = await open(receiver)
  const [key] = await change(1, pets.slice(0, 1))
  const [received] = await receiver.until(1)
  const { headers, body, event, path } = received!
  assert.equal(keyOf(event), key)
  assert.ok((await call('/v1/events?limit=100')).text.includes(body))
  assert.equal(event.source, 'https://pets.example/v1')
  assert.equal(path, '/hooks')
  assert.equal(headers['content-type'], 'application/cloudevents+json')
  assert.equal(headers['webhook-id'], event.id)
  assert.equal(headers.host, new URL(receiver.url).host)
  assert.equal(headers['user-agent'], `Petstore/${readBuildInfo().version}`)
  const signed = headers as Record<string, string>
  assert.deepEqual(new Webhook(secretOf(id)).verify(body, signed), JSON.parse(body))
  assert.throws(() => new Webhook(secretOf(id, 2)).verify(body, signed))
  assert.equal(signed['webhook-signature']!.split(' ').length, 1)
})

test('W1: while a rotation overlaps, the old secret verifies too, and no longer after it', async () => {
  const receiver = await startReceiver()
  const id = await open(receiver, { secret_number: 3, old_secret_ends_at: new Date(Date.now() + 60_000) })
  await change(1, pets.slice(0, 1))
  const [first] = await receiver.until(1)
  for (const number of [2, 3])
    new Webhook(secretOf(id, number)).verify(first!.body, first!.headers as Record<string, string>)
  await changeWebhook(pool, id, `old_secret_ends_at = now()`)
  await untilWebhook(pool, id, ({ leased_by }) => leased_by !== null)
  await change(1, pets.slice(0, 1))
  const [, second] = await receiver.until(2)
  new Webhook(secretOf(id, 3)).verify(second!.body, second!.headers as Record<string, string>)
  assert.throws(() => new Webhook(secretOf(id, 2)).verify(second!.body, second!.headers as Record<string, string>))
})

test('W2: events of one pet arrive in order and never together, those of different pets eight at a time', async () => {
  const underWay = new Set<bigint>()
  const receiver = await startReceiver(({ event }, response) => {
    const pet = event.data.pet!.id
    assert.ok(!underWay.has(pet))
    underWay.add(pet)
    setTimeout(
      () => {
        underWay.delete(pet)
        response.writeHead(204).end()
      },
      20 + Math.random() * 30,
    )
  })
  await open(receiver)
  const keys = await change(10)
  const received = await receiver.until(keys.length)
  const arrived = received.map(({ event }) => keyOf(event))
  assert.deepEqual(disordered(arrived), [])
  assert.deepEqual(arrived.toSorted(), keys.toSorted())
  assert.equal(receiver.mostUnderWay, 8)
})

test('a webhook receives only the events of its types', async () => {
  const receiver = await startReceiver()
  const id = await open(receiver, { types: 'pet.created pets.imported' })
  await change(3)
  await call('/v1/pets', {
    method: 'POST',
    body: '{"name":"Rex","categoryId":1}',
    headers: { 'content-type': 'application/json' },
  })
  const [received] = await receiver.until(1)
  assert.equal(received!.event.type, 'pet.created')
  // Those of other types count as delivered.
  const last = (await follow(call, '/v1/events')).events.at(-1)!.sequence
  await untilWebhook(pool, id, ({ sequence }) => BigInt(sequence) >= BigInt(last!))
  assert.equal(receiver.received.length, 1)
})

test('a webhook that is given other types misses no event of these from then on', async () => {
  const receiver = await startReceiver()
  const id = await open(receiver, { types: 'pets.imported' })
  await untilWebhook(pool, id, ({ leased_by }) => leased_by !== null)
  assert.equal((await call(`/v1/webhooks/${id}`, patchJson({ types: null }))).status, 200)
  // The process that has the webhook does not know it yet.
  const [key] = await change(1, pets.slice(0, 1))
  const [received] = await receiver.until(1)
  assert.equal(keyOf(received!.event), key)
})

test('W2: a receiver that fails gets every event once it recovers, each pet in order', async () => {
  const receiver = await startReceiver(() => 500)
  const id = await open(receiver)
  const keys = await change(2)
  for (let failures = 1; failures <= 3; failures++) {
    const { failing_since, next_attempt_at } = await untilWebhook(pool, id, (row) => row.failures === failures)
    assert.ok(failing_since)
    const delay = next_attempt_at!.getTime() - Date.now()
    assert.ok(delay > 0 && delay <= 1.2 * delaysMs[failures - 1]!, `${delay}`)
    await retryNow(pool, id)
  }
  const failed = receiver.received.length
  assert.equal(failed, 3, 'one alone each time')
  const [attempt] = await attemptsOf(pool, id)
  assert.deepEqual([attempt!.status, attempt!.error], [500, 'The status was 500.'])
  receiver.received.length = 0
  receiver.respond = () => 200
  await receiver.until(keys.length)
  assert.deepEqual(keysOf(receiver.received).toSorted(), keys.toSorted())
  assert.deepEqual(disordered(receiver.received.map(({ event }) => keyOf(event))), [])
  const row = await untilWebhook(pool, id, (now) => now.failures === 0)
  assert.deepEqual([row.failing_since, row.next_attempt_at], [null, null])
})

test('a name that was erased while its event waited for a failing receiver is not sent', async () => {
  const receiver = await startReceiver(() => 500)
  await open(receiver)
  const [pet] = pets
  await change(1, [pet!])
  await receiver.until(1)
  await pool.query(`update events set name = '(erased)' where pet_id = $1`, [pet])
  receiver.respond = () => 200
  await receiver.until(2)
  const names = receiver.received.map(({ event }) => event.data.pet?.name)
  assert.ok(names[0] && names[0] !== '(erased)')
  assert.equal(names[1], '(erased)')
})

test('since when a URL fails tells no more of its attempts than they do themselves', async () => {
  const receiver = await startReceiver((_received, response) => void setTimeout(() => response.destroy(), 100))
  for (const has_succeeded of [false, true]) {
    const id = await open(receiver, { has_succeeded })
    await change(1, pets.slice(0, 1))
    const { failing_since } = await untilWebhook(pool, id, ({ failures }) => failures === 1)
    const [attempt] = await attemptsOf(pool, id)
    assert.equal(failing_since!.getTime() - attempt!.at.getTime(), attempt!.duration_ms)
    assert.equal(attempt!.duration_ms > 0, has_succeeded)
  }
})

test('a receiver that sends many responses with 1xx fails, and one that sends some does not', async () => {
  const receiver = await startReceiver((_received, response) => {
    for (let i = 0; i < interim; i++) response.writeProcessing()
    return 200
  })
  let interim = 11
  const id = await open(receiver, { has_succeeded: true })
  await change(1, pets.slice(0, 1))
  await untilWebhook(pool, id, ({ failures }) => failures === 1)
  const [attempt] = await attemptsOf(pool, id)
  assert.deepEqual([attempt!.status, attempt!.error], [null, 'The receiver sent more than 10 responses with 1xx.'])
  interim = 10
  await retryNow(pool, id)
  await untilWebhook(pool, id, ({ failures, behind }) => failures === 0 && behind === '0')
})

test('a webhook that is changed all the time delivers nevertheless, and most events once', async () => {
  const receiver = await startReceiver()
  const id = await open(receiver)
  const changing = new AbortController()
  const changes = (async () => {
    do assert.equal((await call(`/v1/webhooks/${id}`, patchJson({ types: null }))).status, 200)
    while (await pause(0.4 * noticeMs, changing.signal))
  })()
  const keys: string[] = []
  while (keys.length < 60) {
    keys.push(...(await change(1)))
    await pause(0.25 * noticeMs, changing.signal)
  }
  await untilWebhook(pool, id, ({ behind }) => behind === '0')
  changing.abort()
  await changes
  assert.deepEqual(new Set(keysOf(receiver.received)), new Set(keys))
  assert.ok(
    receiver.received.length < 2 * keys.length,
    `${receiver.received.length} deliveries of ${keys.length} events`,
  )
})

test('W4: a redirect is a failure, and is not followed', async () => {
  const elsewhere = await startReceiver()
  const receiver = await startReceiver((_received, response) => {
    response.writeHead(302, { location: elsewhere.url }).end()
  })
  const id = await open(receiver)
  await change(1, pets.slice(0, 1))
  await untilWebhook(pool, id, ({ failures }) => failures === 1)
  const [attempt] = await attemptsOf(pool, id)
  assert.deepEqual([attempt!.status, attempt!.error], [302, 'Redirects are not followed.'])
  assert.equal(elsewhere.connections, 0)
})

test('W5: a receiver that is gone gets nothing more, until its webhook is active again and continues', async () => {
  const receiver = await startReceiver(() => 410)
  const id = await open(receiver)
  const [key] = await change(1, pets.slice(0, 1))
  const { leased_by } = await untilWebhook(pool, id, ({ state }) => state === 'disabled')
  assert.equal(leased_by, null)
  await until(() => logs.some((line) => line.includes(`"webhookId":"${id}","msg":"a webhook was disabled`)))
  await change(1, pets.slice(0, 1))
  assert.equal(receiver.received.length, 1)
  receiver.respond = () => 200
  await changeWebhook(pool, id, `state = 'active', failing_since = null, failures = 0, next_attempt_at = null`)
  const received = await receiver.until(3)
  assert.equal(keyOf(received[1]!.event), key)
  assert.notEqual(keyOf(received[2]!.event), key)
})

test('a webhook that has failed for five days is disabled, and not a moment earlier', async () => {
  const receiver = await startReceiver(() => 503)
  const [early, late] = await Promise.all(
    [4.99, 5.01].map((days) =>
      open(receiver, { failing_since: new Date(Date.now() - days * 86_400_000), failures: 100 }),
    ),
  )
  await change(1, pets.slice(0, 1))
  await untilWebhook(pool, late!, ({ state }) => state === 'disabled')
  const { state, next_attempt_at } = await untilWebhook(pool, early!, ({ failures }) => failures === 101)
  assert.equal(state, 'active')
  const minutes = (next_attempt_at!.getTime() - Date.now()) / 60_000
  assert.ok(minutes > 47 && minutes < 73, `${minutes}`)
})

test('Retry-After is honoured, up to an hour', async () => {
  const [first = 0] = delaysMs
  for (const [header, least, most] of [
    ['600', 600, 600],
    ['86400', 3_600, 3_600],
    ['1', 0.0008 * first, 0.0012 * first],
  ] as const) {
    const receiver = await startReceiver((_received, response) => {
      response.writeHead(429, { 'retry-after': header }).end()
    })
    const id = await open(receiver)
    await change(1, pets.slice(0, 1))
    const { next_attempt_at } = await untilWebhook(pool, id, ({ failures }) => failures === 1)
    const [{ at, duration_ms } = assert.fail()] = await attemptsOf(pool, id)
    const seconds = (next_attempt_at!.getTime() - at.getTime() - duration_ms) / 1_000
    assert.ok(seconds > least - 0.01 && seconds < most + SLACK_MS / 1_000, `${header}: ${seconds}`)
  }
})

test('W6: a position that is moved back delivers again, with the same ids', async () => {
  const receiver = await startReceiver()
  const id = await open(receiver)
  const { sequence } = await untilWebhook(pool, id, () => true)
  const keys = await change(1)
  const before = (await receiver.until(keys.length)).map(({ event }) => event.id)
  const { rows } = await pool.query<{ mark: string }>(
    'select mark from feed_pages where first <= $1 order by first desc limit 1',
    [sequence],
  )
  await changeWebhook(pool, id, `sequence = ${sequence}, mark = ${rows[0]!.mark}, moves = 1`)
  const again = (await receiver.until(2 * keys.length)).slice(keys.length).map(({ event }) => event.id)
  assert.deepEqual(again.toSorted(), before.toSorted())
})

test('a webhook whose position is no longer in the feed continues with the oldest event that is kept', async () => {
  const receiver = await startReceiver()
  await change(1)
  await endOfFeed({ call, pool })
  const webhook = await insertWebhook(pool, receiver.url, { mark: 1 })
  const { events } = await follow(call, '/v1/events?limit=100')
  await receiver.until(events.length)
  assert.deepEqual(receiver.received.map(({ event }) => event.id).toSorted(), events.map(({ id }) => id).toSorted())
  assert.equal((await storedKeys(pool)).length, events.length)
  assert.ok(logs.some((line) => line.includes(webhook) && line.includes('a webhook has missed events')))
})

test('W10: a receiver that never responds holds its own webhook until its time is over, and no other', async () => {
  const hanging = await startReceiver(() => undefined)
  const receiver = await startReceiver()
  const id = await open(hanging, { has_succeeded: true })
  await open(receiver)
  const keys = await change(2)
  const begun = performance.now()
  await receiver.until(keys.length)
  assert.ok(performance.now() - begun < responseMs)
  assert.equal(hanging.underWay, 1)
  await untilWebhook(pool, id, ({ failures }) => failures === 1)
  const [attempt, ...others] = await attemptsOf(pool, id)
  assert.deepEqual(others, [])
  const { error, status, duration_ms } = attempt!
  assert.deepEqual([error, status], [`There was no response within ${responseMs / 1_000} s.`, null])
  // A timer may fire a millisecond early.
  assert.ok(duration_ms >= responseMs - 1 && duration_ms < responseMs + 2 * SLACK_MS, `${duration_ms}`)
  await until(() => hanging.underWay === 0)
})

test('a response counts by its head: a body that never ends is cut off, one that is too long too', async () => {
  const receiver = await startReceiver((_received, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 50)
    response.once('close', () => clearInterval(timer))
  })
  await open(receiver)
  const begun = performance.now()
  await change(3, pets.slice(0, 1))
  await receiver.until(3)
  assert.ok(performance.now() - begun < responseMs)
  await until(() => receiver.underWay === 0)
  assert.ok(performance.now() - begun < responseMs + bodyMs)

  const long = await startReceiver((_received, response) => {
    response.writeHead(200).end('x'.repeat(100_000))
  })
  await open(long)
  for (let i = 1; i <= 2; i++) {
    await change(1, pets.slice(0, 1))
    await long.until(i)
    await until(() => long.underWay === 0)
  }
  assert.equal(long.connections, 2, 'one that has more to send is not used again')
})

test('a connection is used again, and one that the receiver has closed is no failure', async () => {
  const receiver = await startReceiver()
  const id = await open(receiver)
  for (let i = 1; i <= 3; i++) {
    await change(1, pets.slice(0, 1))
    await receiver.until(i)
  }
  assert.equal(receiver.connections, 1)
  let resets = 0
  receiver.respond = (_received, response) => {
    if (resets++ > 0) return 200
    response.socket?.destroy()
    return undefined
  }
  await change(1, pets.slice(0, 1))
  await receiver.until(5)
  assert.equal(receiver.connections, 2)
  await untilWebhook(pool, id, ({ attempts }) => attempts === '4')
  assert.deepEqual(
    (await attemptsOf(pool, id)).map(({ status }) => status),
    [200, 200, 200, 200],
  )
})

test('a ping is sent also by a webhook that is paused, and its failure is none of the webhook', async () => {
  const receiver = await startReceiver(() => 500)
  const id = await open(receiver, { state: 'paused', ping_requested_at: new Date() })
  await change(1, pets.slice(0, 1))
  const [received] = await receiver.until(1)
  const { headers, body, event } = received!
  assert.equal(event.type, 'webhook.ping')
  assert.match(event.id, /^evt_ping_\w{20}$/)
  assert.equal(event.subject, `webhooks/${id}`)
  assert.equal(event.source, 'https://pets.example/v1')
  new Webhook(secretOf(id)).verify(body, headers as Record<string, string>)
  const row = await untilWebhook(pool, id, ({ ping_requested_at }) => ping_requested_at === null)
  assert.deepEqual([row.state, row.failures, row.failing_since, row.leased_by], ['paused', 0, null, null])
  assert.deepEqual(
    (await attemptsOf(pool, id)).map(({ event_id, status }) => [event_id, status]),
    [[event.id, 500]],
  )
  await pool.query('update webhooks set ping_requested_at = clock_timestamp() where id = $1', [id])
  await receiver.until(2)
  assert.equal(receiver.received.length, 2)
})

test('a retry that was requested is made by the next renewal, once, and the waits continue', async () => {
  const receiver = await startReceiver((_received, response) => {
    response.writeHead(503, { 'retry-after': '3600' }).end('Closed.')
  })
  const id = await open(receiver, { has_succeeded: true })
  await change(1, pets.slice(0, 1))
  await untilWebhook(pool, id, ({ failures }) => failures === 1)
  const { leased_by } = await webhookOf(pool, id)
  const begun = performance.now()
  assert.equal((await call(`/v1/webhooks/${id}/retry`, { method: 'POST' })).status, 202)
  await receiver.until(2)
  const ms = performance.now() - begun
  assert.ok(ms < lease.tickMs + 2 * SLACK_MS, `${ms}`)
  const row = await untilWebhook(pool, id, ({ failures }) => failures === 2)
  assert.equal(row.leased_by, leased_by, 'the same process has it')
  assert.ok(row.next_attempt_at!.getTime() > Date.now() + 3_000_000)
  await throughout(5 * lease.tickMs, () => receiver.received.length === 2)
  const attempts = await attemptsOf(pool, id)
  assert.deepEqual(
    attempts.map(({ status, response_body }) => [status, response_body]),
    [
      [503, 'Closed.'],
      [503, 'Closed.'],
    ],
  )
  assert.ok(!logs.some((line) => line.includes('Closed.')))
  // A process that takes it over does not make it again.
  await changeWebhook(pool, id, 'state = state')
  await untilWebhook(pool, id, (now) => now.leased_by !== null)
  await throughout(5 * lease.tickMs, () => receiver.received.length === 2)
})

test('a retry that was requested of a webhook without a process is made by the one that claims it', async () => {
  const receiver = await startReceiver(() => 500)
  const next = new Date(Date.now() + 3_600_000)
  const id = await open(receiver, { failing_since: new Date(), failures: 4, next_attempt_at: next, state: 'paused' })
  await change(1, pets.slice(0, 1))
  await pool.query(`update webhooks set state = 'active', leased_until = now() + interval '1 hour' where id = $1`, [id])
  assert.equal((await call(`/v1/webhooks/${id}/retry`, { method: 'POST' })).status, 202)
  await changeWebhook(pool, id, 'state = state')
  await receiver.until(1)
  await untilWebhook(pool, id, ({ failures }) => failures === 5)
})

test('W11: a deleted webhook is not called any more', async () => {
  const receiver = await startReceiver((_received, response) => {
    setTimeout(() => response.writeHead(200).end(), 10)
  })
  const hanging = await startReceiver(() => undefined)
  await open(receiver)
  await open(hanging)
  await change(1)
  await Promise.all([receiver.until(1), hanging.until(1)])
  await pool.query('delete from webhooks')
  const deleted = performance.now()
  await changeFor(noticeMs + 2 * SLACK_MS)
  assert.equal(hanging.underWay, 0, 'what was under way is given up')
  const last = receiver.received.at(-1)!.at - deleted
  assert.ok(last < noticeMs + SLACK_MS, `the last request came ${last} ms after the webhook was deleted`)
})

test('a process that cannot renew its leases stops sending, as another may begin; it continues when it can', async () => {
  const receiver = await startReceiver()
  await open(receiver)
  await change(1, pets.slice(0, 1))
  await receiver.until(1)
  const lock = await pool.connect()
  await lock.query('begin; lock table webhooks in exclusive mode')
  const locked = performance.now()
  await changeFor(noticeMs + 2 * SLACK_MS)
  const last = receiver.received.at(-1)!.at - locked
  await lock.query('rollback')
  lock.release()
  assert.ok(last > noticeMs / 4 && last < noticeMs + SLACK_MS, `the last request came after ${last} ms`)
  const [key] = await change(1, pets.slice(0, 1))
  await until(() => keysOf(receiver.received).includes(key!))
})

test('the last hundred attempts are kept', async () => {
  const receiver = await startReceiver()
  const id = await open(receiver)
  const keys = await change(10)
  await untilWebhook(pool, id, ({ attempts }) => Number(attempts) >= keys.length)
  const attempts = await attemptsOf(pool, id)
  assert.equal(attempts.length, 100)
  const ids = new Set(receiver.received.map(({ event }) => event.id))
  assert.ok(attempts.every(({ event_id }) => ids.has(event_id)))
})
