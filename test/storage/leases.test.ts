import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { Database } from '../../src/storage/postgres/database.ts'
import { claimLeases, leave } from '../../src/storage/webhooks/claims.ts'
import { type Attempt, type LeasedWebhook, type Progress, renewLeases } from '../../src/storage/webhooks/leases.ts'
import { requestRetry } from '../../src/storage/webhooks/webhooks.ts'
import { opened } from '../support/cleanup.ts'
import { createDatabase } from '../support/database.ts'
import { attemptsOf, insertWebhook, webhookOf } from '../support/deliveries.ts'

const { url, pool } = await createDatabase()
const db = opened.use(new Database(url, () => {}))
const URL = 'https://shop.example/hooks'
// As a request changes a webhook: see storage/webhooks/webhooks.ts.
const CHANGED = `leased_by = null, leased_until = least(leased_until, now() + interval '2 seconds')`

beforeEach(() => pool.query('delete from webhooks; delete from deliverers'))

const soon = () => performance.now() + 2_000
const claim = async (holder: string, held = 0) => claimLeases(db, holder, held, soon())
const renew = async (holder: string, progress: Progress[]) => renewLeases(db, holder, progress, soon())

function progressOf(
  { id, hasSucceeded, position, revision, attempts, retryAt }: LeasedWebhook,
  changes: Partial<Progress> = {},
): Progress {
  const failing = { failingSince: undefined, failures: 0, nextAttemptAt: undefined }
  return {
    id,
    hasSucceeded,
    position,
    revision,
    attempts,
    ...failing,
    pinged: undefined,
    retried: retryAt,
    end: undefined,
    made: [],
    ...changes,
  }
}

async function insertMany(count: number) {
  return Promise.all(Array.from({ length: count }, () => insertWebhook(pool, URL)))
}

test('a webhook is claimed by one process at a time, with all that is known of it', async () => {
  const failingSince = new Date('2026-11-16T09:30:00.123Z')
  const id = await insertWebhook(pool, URL, {
    types: 'pet.created order.placed',
    secret_number: 3,
    old_secret_ends_at: new Date('2026-11-17T00:00:00Z'),
    failing_since: failingSince,
    failures: 2,
    next_attempt_at: new Date('2026-11-16T10:00:00Z'),
    attempts: 7,
  })
  const [one, other] = [randomUUID(), randomUUID()]
  const { share, claimed } = await claim(one)
  assert.equal(share, 1)
  const { mark } = (await pool.query<{ mark: string }>('select mark from feed_pages')).rows[0]!
  assert.deepEqual(claimed, [
    {
      id,
      url: URL,
      types: ['pet.created', 'order.placed'],
      isActive: true,
      hasSucceeded: false,
      secretNumber: 3,
      oldSecretEndsAt: Date.parse('2026-11-17T00:00:00Z'),
      position: { sequence: 0n, pageToken: BigInt(mark) },
      revision: 0,
      failingSince: failingSince.getTime(),
      failures: 2,
      nextAttemptAt: Date.parse('2026-11-16T10:00:00Z'),
      attempts: 7n,
      pingRequestedAt: undefined,
      retryAt: undefined,
    },
  ])
  assert.deepEqual((await claim(other)).claimed, [])
  assert.deepEqual((await claim(one, 1)).claimed, [])
})

test('many processes at once: each webhook goes to one of them', async () => {
  const ids = await insertMany(20)
  const holders = Array.from({ length: 8 }, () => randomUUID())
  const claims = await Promise.all(holders.map((holder) => claim(holder)))
  const claimed = claims.flatMap((made) => made.claimed.map(({ id }) => id))
  assert.equal(new Set(claimed).size, claimed.length)
  assert.deepEqual(claimed.toSorted(), ids.toSorted())
})

test('a process claims its share of those that were just created, and after some seconds what no other process came for', async () => {
  await insertMany(5)
  await claim(randomUUID(), 100)
  const one = randomUUID()
  const { share, claimed } = await claim(one)
  assert.equal(share, 3)
  assert.equal(claimed.length, 3)
  assert.deepEqual((await claim(one, 3)).claimed, [])
  await pool.query(`update webhooks set created_at = now() - interval '4 seconds'`)
  assert.equal((await claim(one, 3)).claimed.length, 2)
})

test('a process that was not seen for five seconds, or has left, gets no share', async () => {
  await insertMany(6)
  const [gone, left, one] = [randomUUID(), randomUUID(), randomUUID()]
  await claim(gone, 100)
  await claim(left, 100)
  assert.equal((await claim(one, 100)).share, 2)
  await pool.query(`update deliverers set seen_at = now() - interval '6 seconds' where id = $1`, [gone])
  assert.equal((await claim(one, 100)).share, 3)
  await leave(db, left, soon())
  assert.equal((await claim(one, 100)).share, 6)
  assert.deepEqual((await pool.query('select id from deliverers')).rows, [{ id: one }])
})

test('only what is active or has a ping to send is claimed', async () => {
  await insertWebhook(pool, URL, { state: 'paused' })
  await insertWebhook(pool, URL, { state: 'disabled' })
  const pinged = await insertWebhook(pool, URL, { state: 'paused', ping_requested_at: new Date() })
  const { share, claimed } = await claim(randomUUID())
  assert.deepEqual([share, claimed.map(({ id, isActive }) => [id, isActive])], [1, [[pinged, false]]])
})

test('a lease that ended can be claimed, and is then lost to the process that had it; one that no other process claimed is renewed', async () => {
  const [lost, kept] = await insertMany(2)
  const [one, other] = [randomUUID(), randomUUID()]
  const { claimed } = await claim(one)
  await pool.query(`update webhooks set leased_until = now() - interval '1 second' where id = $1`, [lost])
  assert.deepEqual(
    (await claim(other)).claimed.map(({ id }) => id),
    [lost],
  )
  await pool.query(`update webhooks set leased_until = now() - interval '1 second' where id = $1`, [kept])
  const moved = claimed.map((webhook) => progressOf(webhook, { attempts: 5n }))
  const renewals = new Map((await renew(one, moved)).map(({ id, isHeld, isRenewed }) => [id, [isHeld, isRenewed]]))
  assert.deepEqual(
    [renewals.get(lost!), renewals.get(kept!)],
    [
      [false, false],
      [true, true],
    ],
  )
  assert.deepEqual([(await webhookOf(pool, lost!)).attempts, (await webhookOf(pool, kept!)).attempts], ['0', '5'])
  assert.ok((await webhookOf(pool, kept!)).leased_until! > new Date(Date.now() + 4_000))
})

test('a process that was away for long does not undo what another has delivered meanwhile', async () => {
  const id = await insertWebhook(pool, URL)
  const [late, other] = [randomUUID(), randomUUID()]
  const [was] = (await claim(late)).claimed
  await pool.query(`update webhooks set leased_until = now() - interval '1 second'`)
  const [now] = (await claim(other)).claimed
  const position = { ...now!.position, sequence: now!.position.sequence + 3n }
  await renew(other, [progressOf(now!, { position, attempts: 3n, end: 'released' })])
  const [{ isRenewed } = assert.fail()] = await renew(late, [progressOf(was!)])
  const { sequence, attempts } = await webhookOf(pool, id)
  assert.deepEqual([isRenewed, sequence, attempts], [false, String(position.sequence), '3'])
})

test('a webhook that was changed is lost to its process, and free for another after two seconds', async () => {
  const [id] = await insertMany(1)
  const [one, other] = [randomUUID(), randomUUID()]
  const { claimed } = await claim(one)
  await pool.query(`update webhooks set ${CHANGED}`)
  assert.deepEqual((await claim(other)).claimed, [])
  assert.deepEqual(
    (await renew(one, [progressOf(claimed[0]!, { attempts: 9n })])).map(({ isHeld, isRenewed }) => [isHeld, isRenewed]),
    [[false, true]],
  )
  assert.equal((await webhookOf(pool, id!)).attempts, '9')
  await pool.query(`update webhooks set leased_until = leased_until - interval '2 seconds'`)
  assert.equal((await claim(other)).claimed.length, 1)
})

test('a webhook that was deleted is lost', async () => {
  await insertMany(1)
  const one = randomUUID()
  const { claimed } = await claim(one)
  await pool.query('delete from webhooks')
  const made: Attempt = {
    number: 1n,
    at: 1,
    eventId: 'evt_1',
    status: 200,
    error: undefined,
    durationMs: 1,
    responseBody: undefined,
  }
  const [renewal] = await renew(one, [progressOf(claimed[0]!, { attempts: 1n, made: [made] })])
  assert.deepEqual([renewal!.isHeld, renewal!.isRenewed], [false, false])
})

test('what was delivered is stored with the lease, and doing it twice is doing it once', async () => {
  const [id] = await insertMany(1)
  const one = randomUUID()
  const { claimed } = await claim(one)
  const { pageToken } = claimed[0]!.position
  const failingSince = Date.parse('2026-11-16T09:30:00.123Z')
  const made = [98, 99, 100].map(
    (number): Attempt => ({
      number: BigInt(number),
      at: failingSince + number,
      eventId: `evt_${number}`,
      status: number === 100 ? undefined : 500,
      error: number === 100 ? 'The connection was refused.' : undefined,
      durationMs: number,
      responseBody: number === 99 ? 'No.' : undefined,
    }),
  )
  const progress = progressOf(claimed[0]!, {
    position: { sequence: 0n, pageToken },
    failingSince,
    failures: 3,
    nextAttemptAt: failingSince + 5_000,
    attempts: 100n,
    made,
  })
  await renew(one, [progress])
  const [renewal] = await renew(one, [progress])
  assert.deepEqual([renewal!.isHeld, renewal!.isRenewed], [true, true])
  const row = await webhookOf(pool, id!)
  assert.deepEqual(
    [row.failing_since, row.failures, row.next_attempt_at, row.attempts],
    [new Date(failingSince), 3, new Date(failingSince + 5_000), '100'],
  )
  assert.deepEqual(
    (await attemptsOf(pool, id!)).map(({ event_id, status, error, duration_ms, response_body }) => [
      event_id,
      status,
      error,
      duration_ms,
      response_body,
    ]),
    [
      ['evt_100', null, 'The connection was refused.', 100, null],
      ['evt_99', 500, null, 99, 'No.'],
      ['evt_98', 500, null, 98, null],
    ],
  )
})

test('what was delivered before a request changed the webhook is stored, unless the request has moved it', async () => {
  await pool.query(
    'insert into feed_pages select 8, pet_ids, versions, snapshot, mark, mark, epoch, system from feed_pages',
  )
  const [kept, moved] = await insertMany(2)
  const one = randomUUID()
  const { claimed } = await claim(one)
  const { pageToken } = claimed[0]!.position
  await pool.query(`update webhooks set leased_by = null, failures = 2, ping_requested_at = '2026-11-17T00:00:00Z'`)
  await pool.query('update webhooks set sequence = 5, moves = 1 where id = $1', [moved])
  const attempt = {
    number: 1n,
    at: 0,
    eventId: 'evt_1',
    status: 200,
    error: undefined,
    durationMs: 1,
    responseBody: undefined,
  }
  const delivered = {
    position: { sequence: 7n, pageToken },
    attempts: 1n,
    made: [attempt],
    pinged: '2026-11-17T00:00:00Z',
  }
  const renewals = await renew(
    one,
    claimed.map((webhook) => progressOf(webhook, delivered)),
  )
  assert.ok(renewals.every(({ isHeld }) => !isHeld))
  const { sequence, failures, ping_requested_at, leased_by } = await webhookOf(pool, kept!)
  assert.deepEqual([sequence, failures, ping_requested_at, leased_by], ['7', 2, null, null])
  assert.equal((await attemptsOf(pool, kept!)).length, 1)
  const other = await webhookOf(pool, moved!)
  assert.deepEqual([other.sequence, other.ping_requested_at === null], ['5', false])
  assert.equal((await attemptsOf(pool, moved!)).length, 0)
})

test('a position in a page that is not in the feed is not stored: the feed was restored to an earlier time', async () => {
  const [id] = await insertMany(1)
  const one = randomUUID()
  const { claimed } = await claim(one)
  const [webhook] = claimed
  const elsewhere = { sequence: 7n, pageToken: webhook!.position.pageToken + 1n }
  const [refused] = await renew(one, [progressOf(webhook!, { position: elsewhere })])
  assert.deepEqual([refused!.isHeld, refused!.isRenewed], [true, false])
  assert.equal((await webhookOf(pool, id!)).sequence, '0')
  // One that was never known is left as it is, so that its webhook can continue with the oldest event.
  await pool.query('update webhooks set sequence = 7, mark = $1', [elsewhere.pageToken])
  const [renewed] = await renew(one, [progressOf(webhook!, { position: elsewhere })])
  assert.equal(renewed!.isRenewed, true)
})

test('a row that is locked delays no other, and is not lost', async () => {
  const [locked, free] = await insertMany(2)
  const one = randomUUID()
  const { claimed } = await claim(one)
  const client = await pool.connect()
  await client.query('begin')
  await client.query('select from webhooks where id = $1 for update', [locked])
  const renewals = new Map(
    (
      await renew(
        one,
        claimed.map((webhook) => progressOf(webhook)),
      )
    ).map((made) => [made.id, made]),
  )
  const { isHeld, isRenewed } = renewals.get(locked!)!
  assert.deepEqual([isHeld, isRenewed, renewals.get(free!)!.isRenewed], [true, false, true])
  await client.query('rollback')
  client.release()
})

test('a webhook is given back, or ended, in the same statement', async () => {
  await insertMany(2)
  const one = randomUUID()
  const { claimed } = await claim(one)
  const [released, disabled] = claimed
  await renew(one, [progressOf(released!, { end: 'released' }), progressOf(disabled!, { end: 'disabled' })])
  const rows = await Promise.all([webhookOf(pool, released!.id), webhookOf(pool, disabled!.id)])
  assert.deepEqual(
    rows.map(({ state, leased_by }) => [state, leased_by]),
    [
      ['active', null],
      ['disabled', null],
    ],
  )
  assert.deepEqual(
    (await claim(randomUUID())).claimed.map(({ id }) => id),
    [released!.id],
  )
})

test('a ping that was sent is done; one that was requested meanwhile is not', async () => {
  await insertWebhook(pool, URL, { ping_requested_at: new Date() })
  const one = randomUUID()
  const { claimed } = await claim(one)
  const pinged = claimed[0]!.pingRequestedAt!
  await pool.query('update webhooks set ping_requested_at = clock_timestamp()')
  const [again] = await renew(one, [progressOf(claimed[0]!, { pinged })])
  assert.ok(again!.pingRequestedAt !== undefined && again!.pingRequestedAt !== pinged)
  const [done] = await renew(one, [progressOf(claimed[0]!, { pinged: again!.pingRequestedAt })])
  assert.equal(done!.pingRequestedAt, undefined)
})

/** Attempts with these numbers, each with its response. */
const rejected = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i): Attempt => {
    const number = BigInt(from + i)
    return {
      number,
      at: from + i,
      eventId: `evt_${number}`,
      status: 500,
      error: 'No.',
      durationMs: 1,
      responseBody: `${number}`,
    }
  })

test('of the last twenty attempts the response is kept, however many are stored at once', async () => {
  const [id] = await insertMany(1)
  const one = randomUUID()
  const { claimed } = await claim(one)
  let last = 0
  for (const count of [1, 5, 30, 100, 7, 20, 19, 81, 1]) {
    const made = rejected(last + 1, last + count)
    last += count
    for (let i = 0; i < 2; i++) await renew(one, [progressOf(claimed[0]!, { attempts: BigInt(last), made })])
    const all = (await attemptsOf(pool, id!)).toSorted((a, b) => Number(b.at) - Number(a.at))
    const expected = Array.from({ length: Math.min(last, 100) }, (_, i) => [
      `evt_${last - i}`,
      i < 20 ? `${last - i}` : null,
    ])
    assert.deepEqual(
      all.map(({ event_id, response_body }) => [event_id, response_body]),
      expected,
      `${count} more`,
    )
  }
})

test('a retry that was requested is not overwritten, and is reported until the process knows it', async () => {
  const next = Date.now() + 3_600_000
  const id = await insertWebhook(pool, URL, {
    failing_since: new Date(),
    failures: 3,
    next_attempt_at: new Date(next),
  })
  const one = randomUUID()
  const { claimed } = await claim(one)
  const failing = { failingSince: Date.now(), failures: 3, nextAttemptAt: next }
  const nextOf = async () => (await webhookOf(pool, id)).next_attempt_at!.getTime()
  const [none] = await renew(one, [progressOf(claimed[0]!, failing)])
  assert.deepEqual([none!.retry, await nextOf()], [undefined, next])
  assert.deepEqual(await requestRetry(db, id), { state: 'active', isRequested: true })
  const [first] = await renew(one, [progressOf(claimed[0]!, failing)])
  assert.ok(first!.retry!.inMs <= 0 && first!.retry!.inMs > -5_000)
  assert.ok((await nextOf()) <= Date.now() + 1_000)
  // Once the process knows it, its own time counts: it has tried.
  const [second] = await renew(one, [progressOf(claimed[0]!, { ...failing, retried: first!.retry!.at })])
  assert.deepEqual([second!.retry!.at, await nextOf()], [first!.retry!.at, next])
  await renew(one, [progressOf(claimed[0]!, { ...failing, retried: first!.retry!.at, end: 'released' })])
  assert.equal((await claim(randomUUID())).claimed[0]!.retryAt, first!.retry!.at)
})

test('retries are ten seconds apart, and one that is due is not requested again', async () => {
  const next = new Date(Date.now() + 3_600_000)
  const id = await insertWebhook(pool, URL, { failing_since: new Date(), failures: 3, next_attempt_at: next })
  const requested = async () => {
    assert.equal((await requestRetry(db, id))?.isRequested, true)
    return webhookOf(pool, id)
  }
  const { retry_at, next_attempt_at } = await requested()
  assert.deepEqual(next_attempt_at, retry_at)
  assert.ok(Math.abs(retry_at!.getTime() - Date.now()) < 5_000)
  assert.deepEqual((await requested()).retry_at, retry_at)
  await pool.query('update webhooks set next_attempt_at = $1', [next])
  const again = await requested()
  assert.equal(again.retry_at!.getTime() - retry_at!.getTime(), 10_000)
  assert.deepEqual(again.next_attempt_at, again.retry_at)
  assert.deepEqual((await requested()).retry_at, again.retry_at)
  await pool.query(`update webhooks set next_attempt_at = $1, retry_at = now() - interval '11 seconds'`, [next])
  assert.ok(Math.abs((await requested()).retry_at!.getTime() - Date.now()) < 5_000)
  // What is tried sooner anyway is not put off.
  await pool.query(`update webhooks set next_attempt_at = now() + interval '2 seconds'`)
  const sooner = await webhookOf(pool, id)
  assert.deepEqual((await requested()).next_attempt_at, sooner.next_attempt_at)
})

test('a retry is requested only of an active webhook whose delivery waits', async () => {
  const waiting = { failing_since: new Date(), failures: 1, next_attempt_at: new Date() }
  for (const [row, isRequested] of [
    [{}, false],
    [waiting, true],
    [{ ...waiting, state: 'paused' }, false],
    [{ ...waiting, state: 'disabled' }, false],
  ] as const) {
    const id = await insertWebhook(pool, URL, row)
    const { retry_at: before } = await webhookOf(pool, id)
    assert.equal((await requestRetry(db, id))?.isRequested, isRequested)
    assert.deepEqual([before, (await webhookOf(pool, id)).retry_at !== null], [null, isRequested])
  }
  assert.equal(await requestRetry(db, 'wh_none'), undefined)
})
