import { prunePages } from '../storage/events/pruner.ts'
import type { Transactional } from '../storage/postgres/statement.ts'
import { type Job, pause } from './runner.ts'

// Pauses leave the disk to requests; still more events are removed than can be added.
const PAUSE_MS = 20

/** Removes the events that have been in the feed for as long as they are kept, a part at a time. */
export function pruneEvents(db: Transactional, retentionMs: number): Job {
  return {
    task: 'prune-events',
    intervalMs: 60_000,
    firstMs: 2_000,
    hasJitter: true,
    failure: 'could not remove old events; will retry',
    async run(closing) {
      while ((await prunePages(db, retentionMs)) && (await pause(PAUSE_MS, closing)));
    },
  }
}
