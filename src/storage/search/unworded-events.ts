import { wordsOf } from '../../lib/words.ts'
import { pgArrayLiteral } from '../postgres/batches.ts'
import { LOCKS } from '../postgres/locks.ts'
import type { Transaction } from '../postgres/statement.ts'
import { ADD_WORDS, wordColumns } from './written-words.ts'

const PART = 500

/**
 * Makes the words of pets that the previous version has created or renamed. The pet as it is now counts, so nothing is added for one
 * that was deleted. Of an import, the ids of its pets become ranges; all ids, if they are not known. Returns whether there may be more.
 */
export async function wordEvents(transaction: Transaction): Promise<boolean> {
  // The event pruner would miss events that change.
  await transaction.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCKS.eventPruner] })
  const events = await transaction.query<{ id: bigint; version: bigint; name: string | null }>({
    name: 'words.unworded',
    text: `
      select pet_id as id, events.version, pets.name
      from events left join pets on pets.id = pet_id
      where not worded order by pet_id, events.version limit ${PART}`,
  })
  const named = events.flatMap(({ id, name }) => (name === null ? [] : [{ id, words: wordsOf(name) }]))
  await transaction.query({
    name: 'words.wordEvents',
    text: `
      with added as (${ADD_WORDS}),
      done as (
        update events set worded = true
        from unnest($3::bigint[], $4::bigint[]) as done (id, number) where pet_id = id and version = number
        returning type, id_ranges)
      insert into word_ranges (first_id, last_id, reached)
      select lower(ids), upper(ids) - 1, lower(ids) - 1
      from done, unnest(coalesce(id_ranges, int8multirange(int8range(1, greatest(1, pg_sequence_last_value('pets_id_seq')), '[]')))) as ids
      where type = 'pets.imported'`,
    values: [
      ...wordColumns(named),
      pgArrayLiteral(events.map(({ id }) => id)),
      pgArrayLiteral(events.map(({ version }) => version)),
    ],
  })
  return events.length === PART
}
