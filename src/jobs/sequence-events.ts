import type { Feed } from '../storage/events/feed.ts'
import type { Job } from './runner.ts'

/** Gives events their place in the feed. */
export function sequenceEvents(feed: Pick<Feed, 'sequence'>): Job {
  return {
    task: 'sequence',
    intervalMs: 50,
    failure: 'could not add new events to the feed; will retry',
    run: () => feed.sequence(),
  }
}
