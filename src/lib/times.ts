/*
 * The time limits that depend on each other or that tests wait for, in milliseconds. Each part takes the group that it needs as a
 * parameter, with these defaults: production always runs with them, tests may ask for shorter ones. test/lib/times.test.ts asserts
 * the relations, also of the times of the tests.
 */

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The same for every part of a process, so no parameter. */
export interface RequestTimes {
  /** From its arrival, a request has ended after this, whatever the database does. */
  requestMs: number
  /** How long a request may ask to wait for the next event. Public: the document names it. */
  longestWaitMs: number
  /** For the last attempt to change a locked row: one that is under way at the deadline has an unknown outcome. */
  lastAttemptMs: number
}

export interface DatabaseTimes {
  /** Short enough that a client soon learns of a lost database. */
  connectMs: number
  /**
   * How long a statement waits for a connection. Long enough for a busy moment, short enough that a client soon learns that it has to
   * try again.
   */
  laneMs: number
  statementMs: number
  /** Covers a server that went silent and can't cut its own statement off. What is left of the deadline then is for another try. */
  silenceMs: number
  /** A process that freezes between two statements must not keep from others what it has locked. */
  idleInTransactionMs: number
  /** How long after the loss of the primary statements wait for it. A planned switchover takes three seconds. */
  holdMs: number
  /** Between two probes of a database that is lost. */
  probeIntervalMs: number
  /** For each step of a probe. Short, so that a silent server does not hide that another is the primary by now. */
  probeMs: number
  /** A commit that waits for its standby is never cancelled: giving one up leaves its session open. */
  probeCommitMs: number
}

/** For a connection that listens for notifications. */
export interface ListenerTimes {
  /** The pause between two attempts to connect. */
  reconnectMs: number
  /** For each step of an attempt. */
  timeoutMs: number
}

export interface FeedTimes {
  /** How often a process without the lock tries to sequence. The one that has the lock may have been stopped. */
  followerMs: number
  /** Without an event for this long, a store is idle. */
  idleAfterMs: number
  /** How often a process looks for events of an idle store. */
  idleMs: number
  /** For the statement that reads the end of the feed. */
  refreshMs: number
  /** A process that starts waits this long for the first connection of the feed. */
  startMs: number
  /** A session that has waited this long for the standby shows that it is down. */
  stalledMs: number
  /** A connection without a response for this long is replaced, unless PostgreSQL is at work on its statement. */
  silentMs: number
}

interface KeyTimes {
  /**
   * Notifications drop a changed key at once. If one is lost, the old row is used for this time and that of a read: at most ten seconds.
   */
  maxAgeMs: number
  /** A key that does not exist is not made later: its text is random. This only bounds how long it takes up memory. */
  unknownAgeMs: number
}

export interface ReadinessTimes {
  /** For a check. Shorter than requests wait for a lost database: a load balancer can use other processes. */
  checkMs: number
  /** The pause between checks of a database that is unavailable or too busy. */
  intervalMs: number
  /** For the metric. Longer than statements wait for a connection, shorter than a supervisor waits for the metrics of its worker. */
  metricMs: number
  /** For metrics that are read from the database, like that of webhooks that no process delivers for. Shorter than a supervisor waits. */
  undeliveredMs: number
}

/** For clients that keep a connection. */
export interface ClientTimes {
  /** A request must have arrived within this time, also while the server closes. */
  arrivalMs: number
  /** How often the server looks for connections that are to be closed. */
  sweepMs: number
  /** A connection is closed if its client reads nothing of its response for this long. */
  stalledMs: number
  /** How long the rest of an unwanted body is discarded after the response. */
  lingerMs: number
  /** The connection of a client that does not read its last response is closed after this. */
  longestLingerMs: number
}

/** For the lease of a webhook: the right of one process to deliver for it. */
export interface LeaseTimes {
  /** How often leases are renewed. */
  tickMs: number
  /** A process sends nothing more when its lease was last renewed this long ago; a webhook that was changed is free after it. */
  noticeMs: number
  /** A webhook that was free for this long is taken by any process: another may be alive and yet not come for its share. */
  unclaimedMs: number
  /** A statement that takes longer is given up. */
  statementMs: number
  /** A lease ends this long after it was last renewed. */
  leaseMs: number
}

/** For a request to a receiver. */
export interface SendingTimes {
  /** A name may have addresses that do not respond beside one that does. */
  addressMs: number
  responseMs: number
  /** The rest of a response is read for this long, so that its connection can be used again. */
  bodyMs: number
  /** Longer than a request takes, so that it ends only connections that are not in use. */
  idleMs: number
}

/** For deliveries that failed. */
export interface RetryTimes {
  /** The wait after each failure in a row. The last one applies to all further failures. */
  delaysMs: readonly number[]
  /** A webhook is disabled after it has failed for this long. */
  giveUpMs: number
}

export interface ShutdownTimes {
  /**
   * For clients that keep a connection to learn, with the next response on it, that it is the last: a connection that is closed
   * in between could cross a request on its way.
   */
  lastResponsesMs: number
  /** Requests that have no response this long after that never get one. */
  drainMs: number
  /** Requests under way to receivers have this long to end. */
  finishMs: number
  finishIntervalMs: number
  /** A process that delivers has stopped after this. */
  deliveryMs: number
}

/** For the process that starts several others. No parameter either: no test waits for it. */
export interface SupervisorTimes {
  /** For the metrics of a worker. */
  metricsMs: number
  /**
   * 0.5 s for the last responses, 10 s for draining, 0.5 s for what can't be closed, and a margin: a worker that is still running then
   * hangs.
   */
  workerMs: number
}

export interface Times {
  database: DatabaseTimes
  listener: ListenerTimes
  feed: FeedTimes
  keys: KeyTimes
  readiness: ReadinessTimes
  clients: ClientTimes
  lease: LeaseTimes
  sending: SendingTimes
  retries: RetryTimes
  shutdown: ShutdownTimes
}

export const REQUEST_TIMES: RequestTimes = {
  requestMs: 10_000,
  longestWaitMs: 9_000,
  lastAttemptMs: 500,
}

/** A finished command may still hold connections to a database that does not respond; they keep it alive for at most this long. */
export const EXIT_MS = 500

export const SUPERVISOR_TIMES: SupervisorTimes = { metricsMs: 1_000, workerMs: 11_250 }

/** Of a session of the console, which has `idleMinutes` too: test/repeated-values.test.ts compares them. */
export const SESSION_TIMES = { hours: 12, idleMinutes: 60 }

export const TIMES: Times = {
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
  clients: {
    arrivalMs: 4_000,
    sweepMs: 500,
    stalledMs: 20_000,
    lingerMs: 2_000,
    longestLingerMs: 10_000,
  },
  lease: { tickMs: 1_000, noticeMs: 2_000, unclaimedMs: 3_000, statementMs: 4_000, leaseMs: 5_000 },
  sending: { addressMs: 5_000, responseMs: 15_000, bodyMs: 1_000, idleMs: 30_000 },
  retries: {
    delaysMs: [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS],
    giveUpMs: 5 * 24 * HOUR_MS,
  },
  shutdown: {
    lastResponsesMs: 500,
    drainMs: 10_000,
    finishMs: 8_000,
    finishIntervalMs: 100,
    deliveryMs: 14_000,
  },
}
