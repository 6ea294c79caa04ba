import type { Transactional } from '../storage/postgres/statement.ts'
import { pruneSessions } from '../storage/sessions/pruner.ts'
import { type Job, pause } from './runner.ts'

// Pauses leave the disk to requests.
const PAUSE_MS = 20

/** Removes the sessions of the console whose time is over, a part at a time. */
export function pruneConsoleSessions(db: Transactional): Job {
  return {
    task: 'prune-sessions',
    intervalMs: 60_000,
    firstMs: 3_000,
    hasJitter: true,
    failure: 'could not remove console sessions that have ended; will retry',
    async run(closing) {
      while ((await pruneSessions(db)) && (await pause(PAUSE_MS, closing)));
    },
  }
}
