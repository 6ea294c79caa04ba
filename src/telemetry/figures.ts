import { setTimeout as sleep } from 'node:timers/promises'
import type { Readiness } from '../domain/readiness.ts'
import type { AddressBar } from '../http/gate/address-limit.ts'
import type { Admission } from '../http/gate/admission.ts'
import type { RateLimits } from '../http/gate/rate-limits.ts'
import type { Draining } from '../http/server/draining.ts'
import type { JobRunner } from '../jobs/runner.ts'
import type { DeprecatedCalls } from '../storage/deprecations/calls.ts'
import type { KeyedPets } from '../storage/idempotency/keyed-pets.ts'
import type { KeyCache } from '../storage/keys/cache.ts'
import type { Redis } from '../storage/limits/redis.ts'
import type { Pets } from '../storage/pets/pets.ts'
import type { Database } from '../storage/postgres/database.ts'
import type { Metrics } from './metrics.ts'
import type { Traces } from './traces.ts'

export interface Parts {
  addressBar: AddressBar | undefined
  admission: Admission
  build: { version: string; commit: string }
  db: Database
  deprecatedCalls: DeprecatedCalls
  draining: Draining
  jobs: JobRunner
  keyedPets: KeyedPets
  keys: KeyCache
  /** Log lines that were lost, by why. */
  linesLost: Record<string, number>
  pets: Pets
  rateLimits: RateLimits
  readiness: Readiness
  redis: Redis | undefined
  tracing: Traces | undefined
}

// Longer than statements wait for a connection, shorter than a supervisor waits for the metrics of its worker.
const READY_MS = 850

/** What the parts of a process know of themselves, read whenever somebody asks. docs/metrics.md says what each is for. */
export function tellFigures(metrics: Metrics, parts: Parts) {
  const { admission, addressBar, db, deprecatedCalls, keyedPets, keys, linesLost, pets } = parts
  const { jobs, rateLimits, redis, tracing } = parts
  const gauge = metrics.tell.bind(metrics, 'gauge')
  const counter = metrics.tell.bind(metrics, 'counter')

  gauge('petstore_build_info', 'Version and commit of the program; always 1.', () => [
    { labels: parts.build, value: 1 },
  ])
  gauge('petstore_processes_ready', 'Processes that are ready for calls.', () => readinessOf(parts))
  gauge('petstore_requests_in_flight', 'Calls under /v1 that are not answered yet.', () => admission.counts.inFlight)
  counter('petstore_requests_shed_total', 'Calls refused since too many were in flight.', () => {
    return admission.counts.refused
  })
  counter('petstore_rate_limited_total', 'Calls refused with 429, by whose limit was reached.', () => {
    return by('by', { key: rateLimits.refused, address: addressBar?.refused ?? 0 })
  })
  if (redis)
    gauge('petstore_rate_limit_store_up', '1 where limits are counted in Redis, 0 in memory.', () => {
      return Number(redis.isReady)
    })
  counter('petstore_idempotent_replays_total', 'Creates answered with the pet of an earlier call.', () => {
    return keyedPets.replays
  })
  counter('petstore_deprecated_calls_total', 'Calls of what is deprecated, by the id of the key.', () =>
    deprecatedCalls.counted.map(({ operation, keyId, calls }) => ({ labels: { operation, key: keyId }, value: calls })),
  )

  gauge('petstore_database_lost', 'Processes that have lost the primary.', () => Number(db.lostBecause !== undefined))
  gauge('petstore_commits_stalled', 'Processes whose commits nobody confirms.', () => Number(db.isStalled))
  gauge('petstore_statements_held', 'Statements that wait for the lost primary.', () => db.counts.held)
  counter('petstore_statement_holds_total', 'Statements that had to wait for it.', () => db.counts.holds)
  counter('petstore_statement_retries_total', 'Statements sent again, by why.', () => by('class', db.counts.retries))
  counter('petstore_outcomes_unknown_total', 'Batches of creates of which nobody knows whether they were done.', () => {
    return pets.outcomesUnknown
  })
  gauge('petstore_pool_connections', 'Connections to the database.', () => {
    return by('state', { in_use: db.pool.inUse, idle: db.pool.idle })
  })
  gauge('petstore_pool_waiting', 'Statements that wait for a connection.', () => db.pool.waiting)

  gauge('petstore_key_changes_heard', 'Processes that hear at once of keys that change.', () => {
    return Number(keys.hearsOfChanges)
  })
  counter('petstore_log_errors_total', 'Log lines that were lost, by reason.', () => by('reason', linesLost))
  counter('petstore_background_failures_total', 'Work beside the calls that failed; it is tried again.', () => {
    return by('task', {
      ...jobs.failures,
      ...(tracing && { traces: tracing.failures }),
    })
  })
}

function by(label: string, values: Record<string, number>) {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))
}

async function readinessOf({ draining, readiness }: Parts) {
  if (draining.hasBegun) return 0
  const answer = readiness.check().then(
    () => 1,
    () => 0,
  )
  return await Promise.race([answer, sleep(READY_MS, 0, { ref: false })])
}
