import assert from 'node:assert/strict'
import { Resolver } from 'node:dns/promises'
import { BlockList } from 'node:net'
import { mock, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Delivery } from '../../src/delivery/delivery.ts'
import { eventPrinter } from '../../src/http/print/event.ts'
import { TIMES } from '../../src/lib/times.ts'
import type { FeedEvent, FeedPage, FeedRequest } from '../../src/storage/events/pages.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

// Of the feed, one page looks at so many events, and takes so long on a busy database.
const LOOKED_AT = 1_000n
const LIST_MS = 50
const HEAD = { sequence: 100_000n, pageToken: 1n, epoch: 1n }
const OUTAGE_MS = 3_600_000
const [FIRST, LAST] = [10n, 99_990n]

/** Its time is when it was read. */
interface Body {
  id: string
  time: string
}

/** Whose reads take time only by the clock that is mocked. */
function feedOf(sequences: readonly bigint[]) {
  const requests: FeedRequest[] = []
  const list = async (request: FeedRequest): Promise<FeedPage | undefined> => {
    requests.push(request)
    await nextTurn()
    mock.timers.tick(LIST_MS)
    const { sequence: after } = request.after ?? { sequence: 0n }
    const reached = after + LOOKED_AT < HEAD.sequence ? after + LOOKED_AT : HEAD.sequence
    const events = sequences.filter((sequence) => sequence > after && sequence <= reached).map(eventOf)
    const next = { sequence: reached, pageToken: 1n }
    return { events, placed: events, isKeyKnown: true, isLast: reached === HEAD.sequence, next }
  }
  return { head: HEAD, list, advance: () => {}, requests }
}

function eventOf(sequence: bigint): FeedEvent {
  const id = `evt_${sequence}`
  const pet = { id: sequence, name: 'Rex', categoryId: 1n, version: 1n }
  const none = {
    order: undefined,
    added: undefined,
    idRanges: undefined,
    changed: undefined,
    previous: undefined,
    keyId: undefined,
  }
  const at = BigInt(Date.now()) * 1_000n
  const position = { sequence, pageToken: 1n }
  return { id, petId: sequence, at, sequence: String(sequence), type: 'pet.updated', pet, ...none, position }
}

test('a webhook whose types are rare delivers again after an outage, and reads for each event one page as it is then', async (t) => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.after(() => mock.timers.reset())
  const receiver = await startReceiver()
  const networks = new BlockList()
  networks.addAddress('127.0.0.1')
  const feed = feedOf([FIRST, LAST])
  const failures: unknown[] = []
  const webhook = {
    id: 'wh_1',
    url: receiver.url,
    types: ['order.expired'] as const,
    isActive: true,
    hasSucceeded: true,
    secretNumber: 1,
    oldSecretEndsAt: undefined,
    position: { sequence: 0n, pageToken: 1n },
    revision: 0,
    failingSince: Date.now(),
    failures: 1,
    nextAttemptAt: Date.now() + OUTAGE_MS,
    attempts: 0n,
    pingRequestedAt: undefined,
    retryAt: undefined,
  }
  using delivery = new Delivery(webhook, Number.POSITIVE_INFINITY, {
    feed,
    source: 'test',
    print: eventPrinter('test'),
    masterSecret: 'secret',
    receivers: { networks, allowsLocal: false },
    resolver: new Resolver(),
    version: '0.0.0',
    onOutcome: () => {},
    onSkipped: () => {},
    onReadFailed: (error) => failures.push(error),
    times: TIMES,
  })
  delivery.pump()
  await until(() => feed.requests.length === Number(HEAD.sequence / LOOKED_AT))
  feed.requests.length = 0
  mock.timers.tick(OUTAGE_MS)
  const retriedAt = Date.now()
  delivery.pump()
  await until(() => delivery.progress.position.sequence === HEAD.sequence)
  assert.deepEqual(failures, [])
  assert.deepEqual(
    feed.requests.map(({ after }) => after?.sequence),
    [0n, (LAST / LOOKED_AT) * LOOKED_AT],
  )
  const again = receiver.received.map(({ body }) => JSON.parse(body) as Body)
  assert.deepEqual(
    again.map(({ id }) => id),
    [`evt_${FIRST}`, `evt_${LAST}`],
  )
  for (const { time } of again) assert.ok(Date.parse(time) >= retriedAt, 'as it was stored then')
})
