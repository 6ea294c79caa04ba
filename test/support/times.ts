import { TIMES, type Times } from '../../src/lib/times.ts'

/**
 * For tests that wait for nothing: how often a service looks for idle connections only decides how long each of them takes to end, and
 * on a busy machine a connection may take longer than production waits for it.
 */
export const TEST_TIMES: Times =
  process.env['REAL_TIMES'] === '1'
    ? TIMES
    : {
        ...TIMES,
        database: { ...TIMES.database, connectMs: 4_000, laneMs: 4_000 },
        readiness: { ...TIMES.readiness, checkMs: 4_500, metricMs: 4_500 },
        clients: { ...TIMES.clients, sweepMs: 50 },
      }

/**
 * Short times for tests that wait for them, related to each other as the real ones are. A test takes only the groups that it waits
 * for: with the rest it must not fail on a busy machine. With REAL_TIMES they are the real ones, so the same tests prove those.
 */
export const SHORT: Times =
  process.env['REAL_TIMES'] === '1'
    ? TIMES
    : {
        ...TIMES,
        database: { ...TIMES.database, statementMs: 800, silenceMs: 1_000, holdMs: 1_200, probeIntervalMs: 50 },
        listener: { reconnectMs: 50, timeoutMs: 500 },
        feed: {
          followerMs: 100,
          idleAfterMs: 1_000,
          idleMs: 80,
          refreshMs: 500,
          startMs: 300,
          stalledMs: 200,
          silentMs: 1_000,
        },
        clients: { arrivalMs: 800, sweepMs: 50, stalledMs: 2_000, lingerMs: 300, longestLingerMs: 2_000 },
        lease: { tickMs: 100, noticeMs: 500, unclaimedMs: 700, statementMs: 1_000, leaseMs: 1_500 },
        sending: { addressMs: 1_000, responseMs: 3_000, bodyMs: 200, idleMs: 6_000 },
        retries: { ...TIMES.retries, delaysMs: [300, 1_500, 6_000] },
        shutdown: { ...TIMES.shutdown, finishMs: 1_000, finishIntervalMs: 20, deliveryMs: 4_000 },
      }
