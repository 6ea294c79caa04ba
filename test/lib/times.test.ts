import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXIT_MS, REQUEST_TIMES, SUPERVISOR_TIMES, TIMES } from '../../src/lib/times.ts'
import { SHORT } from '../support/times.ts'

/** What the documentation promises: a key that was revoked is rejected after this, whatever is lost. */
const KEY_PROMISE_MS = 10_000
/** And: after this, events flow again although the connection of the feed was cut off without a sign. */
const FEED_PROMISE_MS = 20_000
/** The addresses of a receiver that are tried: MAX_ADDRESSES in delivery/connection.ts. */
const ADDRESSES = 3

/** Each must be less than the next, or equal to it where that is said. */
function assertAscending(chain: Record<string, number>, { orEqual = false } = {}) {
  const entries = Object.entries(chain)
  for (const [i, [name, ms]] of entries.entries()) {
    const [nextName, nextMs] = entries[i + 1] ?? ['', Number.POSITIVE_INFINITY]
    assert.ok(orEqual ? ms <= nextMs : ms < nextMs, `${name} ${ms} ms, ${nextName} ${nextMs} ms`)
  }
}

for (const [name, times] of Object.entries({ 'in production': TIMES, 'in tests': SHORT })) {
  const { database, listener, feed, keys, readiness, clients, lease, sending, retries, shutdown } = times
  const { requestMs, longestWaitMs, lastAttemptMs } = REQUEST_TIMES

  test(`${name}, a request gets its response before it is given up, whatever the database does`, () => {
    assertAscending({ connectMs: database.connectMs, holdMs: database.holdMs, requestMs })
    // A server cuts its statement off before the service takes its silence for a loss; then there is time for another try.
    assertAscending({ statementMs: database.statementMs, silenceMs: database.silenceMs, requestMs })
    assertAscending({ idleInTransactionMs: database.idleInTransactionMs, requestMs })
    assertAscending({ lastAttemptMs, laneMs: database.laneMs, requestMs })
    assertAscending({ longestWaitMs, requestMs })
    assertAscending({ refreshMs: feed.refreshMs, requestMs })
    assertAscending({ probeMs: database.probeMs, probeCommitMs: database.probeCommitMs })
    assertAscending({ probeIntervalMs: database.probeIntervalMs, holdMs: database.holdMs })
  })

  test(`${name}, a process that is busy is reported as ready, and its metrics come before the supervisor gives up`, () => {
    const { metricsMs } = SUPERVISOR_TIMES
    assertAscending({ laneMs: database.laneMs, metricMs: readiness.metricMs, metricsMs })
    assertAscending({ undeliveredMs: readiness.undeliveredMs, metricsMs })
    assertAscending({ checkMs: readiness.checkMs, holdMs: database.holdMs })
  })

  test(`${name}, a change of a key counts within ten seconds, although its notification is lost`, () => {
    const READ_MS = 1_000
    assertAscending({ maxAgeAndRead: keys.maxAgeMs + READ_MS, promised: KEY_PROMISE_MS }, { orEqual: true })
    assertAscending({ unknownAgeMs: keys.unknownAgeMs, maxAgeMs: keys.maxAgeMs })
  })

  test(`${name}, a listener has several attempts while a process starts, and a wait for the standby is noticed meanwhile`, () => {
    assertAscending({ twoAttempts: 2 * listener.reconnectMs, startMs: feed.startMs })
    assertAscending({ stalledMs: feed.stalledMs, startMs: feed.startMs })
    assertAscending({ followerMs: feed.followerMs, refreshMs: feed.refreshMs })
    // The process that sequences an idle store looks before any other tries to take its place.
    assertAscending({ idleMs: feed.idleMs, followerMs: feed.followerMs })
  })

  test(`${name}, a connection of the feed that is cut off is replaced in time, and not while a statement may still be at work`, () => {
    assertAscending({ stalledMs: feed.stalledMs, refreshMs: feed.refreshMs, silentMs: feed.silentMs })
    // It is looked at every quarter of that time; then it connects, and another process may have to try to sequence.
    const { reconnectMs, timeoutMs } = listener
    const flowing = 1.25 * feed.silentMs + reconnectMs + 2 * timeoutMs + feed.followerMs
    assertAscending({ flowing, promised: FEED_PROMISE_MS })
  })

  test(`${name}, a process has stopped sending before another may begin, and knows in time that it may continue`, () => {
    assertAscending(
      (({ tickMs, noticeMs, statementMs, leaseMs }) => ({ tickMs, noticeMs, statementMs, leaseMs }))(lease),
    )
    // What was changed or given back is left to those with a share for longer than its last process may send.
    assertAscending({ noticeMs: lease.noticeMs, unclaimedMs: lease.unclaimedMs, leaseMs: lease.leaseMs })
  })

  test(`${name}, every address of a receiver is tried within its time, and a retry comes later than the next tick`, () => {
    assertAscending({ addresses: ADDRESSES * sending.addressMs, responseMs: sending.responseMs }, { orEqual: true })
    assertAscending({ bodyMs: sending.bodyMs, responseMs: sending.responseMs, idleMs: sending.idleMs })
    const delays = retries.delaysMs.map((ms, i): [string, number] => [`delay ${i + 1}`, ms])
    assertAscending({ tickMs: lease.tickMs, ...Object.fromEntries(delays), giveUpMs: retries.giveUpMs })
  })

  test(`${name}, a client that holds a connection is found before the shutdown ends`, () => {
    assertAscending({ sweepMs: clients.sweepMs, arrivalMs: clients.arrivalMs, drainMs: shutdown.drainMs })
    assertAscending({ arrivalMs: clients.arrivalMs, stalledMs: clients.stalledMs })
    assertAscending({ lingerMs: clients.lingerMs, longestLingerMs: clients.longestLingerMs })
    assertAscending({ longestLingerMs: clients.longestLingerMs, drainMs: shutdown.drainMs }, { orEqual: true })
  })

  test(`${name}, a process has drained before its supervisor kills it`, () => {
    assertAscending({ requestMs, drainMs: shutdown.drainMs }, { orEqual: true })
    const drained = shutdown.lastResponsesMs + shutdown.drainMs + EXIT_MS
    assertAscending({ drained, workerMs: SUPERVISOR_TIMES.workerMs })
    const finished = shutdown.finishMs + lease.statementMs
    assertAscending({ finishIntervalMs: shutdown.finishIntervalMs, finished, deliveryMs: shutdown.deliveryMs })
  })
}

test('the times of production are these', () => {
  const HOUR_MS = 3_600_000
  assert.deepEqual(REQUEST_TIMES, { requestMs: 10_000, longestWaitMs: 9_000, lastAttemptMs: 500 })
  assert.equal(EXIT_MS, 500)
  assert.deepEqual(SUPERVISOR_TIMES, { metricsMs: 1_000, workerMs: 11_250 })
  assert.deepEqual(TIMES, {
    database: {
      connectMs: 700,
      laneMs: 700,
      statementMs: 5_000,
      silenceMs: 6_000,
      idleInTransactionMs: 5_000,
      holdMs: 5_000,
      probeIntervalMs: 150,
      probeMs: 1_000,
      probeCommitMs: 60_000,
    },
    listener: { reconnectMs: 500, timeoutMs: 2_000 },
    feed: {
      followerMs: 500,
      idleAfterMs: 10_000,
      idleMs: 400,
      refreshMs: 2_000,
      startMs: 2_000,
      stalledMs: 1_000,
      silentMs: 10_000,
    },
    keys: { maxAgeMs: 9_000, unknownAgeMs: 5_000 },
    readiness: { checkMs: 1_000, intervalMs: 1_000, metricMs: 850, undeliveredMs: 700 },
    clients: { arrivalMs: 4_000, sweepMs: 500, stalledMs: 20_000, lingerMs: 2_000, longestLingerMs: 10_000 },
    lease: { tickMs: 1_000, noticeMs: 2_000, unclaimedMs: 3_000, statementMs: 4_000, leaseMs: 5_000 },
    sending: { addressMs: 5_000, responseMs: 15_000, bodyMs: 1_000, idleMs: 30_000 },
    retries: { delaysMs: [5_000, 30_000, 120_000, 600_000, 1_800_000, HOUR_MS], giveUpMs: 120 * HOUR_MS },
    shutdown: {
      lastResponsesMs: 500,
      drainMs: 10_000,
      finishMs: 8_000,
      finishIntervalMs: 100,
      deliveryMs: 14_000,
    },
  })
})
