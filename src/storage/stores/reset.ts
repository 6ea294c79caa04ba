import { FEED_CHANNEL, HEAD, HEAD_QUERY, LAST_PET_ID, NEW_PAGE_TOKEN, parseHead } from '../events/sequencer.ts'
import type { Queryable } from '../postgres/statement.ts'
import { END_LEASE } from '../webhooks/owners.ts'
import { limitLockWaits } from './locks.ts'

/** What clients have stored, and what follows from it. All other tables stay. */
export const EMPTIED = [
  'pets',
  'orders',
  'events',
  'feed_pages',
  'categories',
  'idempotency_keys',
  'imports',
  'import_ranges',
  'pet_words',
  'stale_names',
  'word_ranges',
  'deprecated_calls',
  'webhook_attempts',
]

/**
 * Removes all pets, with everything that clients have stored about them. Ids continue where they were, and so do the numbers of the feed, in
 * a new epoch: cursors from before are no longer valid. Webhooks continue at the end of the feed. The lease of each ends, since the process
 * that has it would store its place again.
 */
export async function emptyStore(transaction: Queryable) {
  await limitLockWaits(transaction)
  await transaction.query({ text: `lock table ${EMPTIED.join()} in access exclusive mode` })
  const [row] = await transaction.query<{ head: string }>({ text: HEAD_QUERY })
  const last = parseHead(row?.head ?? '')
  if (!last) throw new Error('the feed has no pages')
  await transaction.query({ text: `truncate ${EMPTIED.join()}` })
  await transaction.query({
    name: 'stores.reset',
    text: `
      with page as (
        insert into feed_pages (first, pet_ids, versions, snapshot, mark, epoch, system, last_pet_id)
        select $1, '{}', '{}', pg_current_snapshot(), ${NEW_PAGE_TOKEN}, $1, system_identifier, ${LAST_PET_ID}
        from pg_control_system() returning *),
      moved as (
        update webhooks set sequence = page.first, mark = page.mark, moves = moves + 1, failing_since = null, failures = 0,
          next_attempt_at = null, retry_at = null, ${END_LEASE}
        from page)
      select pg_notify('${FEED_CHANNEL}', ${HEAD}) from page`,
    values: [last.sequence + 1n],
  })
}
