import type { Caller } from '../lib/batch.ts'
import { TIMES } from '../lib/times.ts'
import { DatabaseBusy, DatabaseUnavailable, SchemaOutdated } from '../storage/postgres/failures.ts'
import type { StatusRow } from '../storage/status/status.ts'
import type { DatabaseState } from './readiness.ts'
import type { Store } from './store.ts'

/** What the database does not return in time is absent. */
export interface Status {
  database: { state: DatabaseState; detail?: string }
  feed: { lagMs: number }
  /** `foundPercent`: how many of 100 pets search can find. */
  search?: { isComplete: boolean; foundPercent: number }
  webhooks?: WebhookCounts
  expiringKeys?: number
}

interface WebhookCounts extends Pick<StatusRow, 'active' | 'paused' | 'disabled' | 'undelivered'> {
  /** How many events the active webhook has yet to get that is the furthest behind. */
  behind: number
}

const DETAILS: Partial<Record<DatabaseState, string>> = {
  stalled: 'Commits are not being acknowledged (standby down?). Writes are held for 5 s, then rejected.',
  read_only: 'The database takes no writes.',
}

/** How this process and its store are doing. */
export async function getStatus(
  { feed, readiness, words, status }: Pick<Store, 'feed' | 'readiness' | 'words' | 'status'>,
  caller?: Caller,
): Promise<Status> {
  const deadline = performance.now() + TIMES.readiness.undeliveredMs
  const [found, row, search] = await Promise.all([
    readiness.databaseState(),
    status.read(caller).catch(rethrowFaults),
    words.found(deadline).then(searchOf, rethrowFaults),
  ])
  const state = found.state === 'ok' && row?.isReadOnly ? 'read_only' : found.state
  const detail = found.detail ?? DETAILS[state]
  return {
    database: { state, ...(detail !== undefined && { detail }) },
    feed: { lagMs: Math.round(feed.lagMs) },
    ...(search && { search }),
    ...(row && { webhooks: webhookCounts(row, feed), expiringKeys: row.expiringKeys }),
  }
}

function searchOf(percent: number | undefined) {
  return { isComplete: percent === undefined, foundPercent: percent ?? 100 }
}

function webhookCounts(row: StatusRow, feed: Store['feed']): WebhookCounts {
  const { active, paused, disabled, undelivered, lastPlace } = row
  // A process may have delivered what this one does not know yet.
  const behind = lastPlace === null ? 0 : Math.max(0, Number(feed.end.sequence - lastPlace))
  return { active, paused, disabled, undelivered, behind }
}

const TOLERATED = [DatabaseUnavailable, DatabaseBusy, SchemaOutdated]

/** A database that does not respond, or lacks what this version reads, is part of the status. */
function rethrowFaults(error: unknown) {
  if (!TOLERATED.some((kind) => error instanceof kind)) throw error
  return undefined
}
