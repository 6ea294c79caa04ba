import { NameReader } from '../../lib/name-reader.ts'
import type { Transaction } from '../postgres/statement.ts'
import { ADD_WORDS, type PetWords, removeWords, wordColumns } from './written-words.ts'

const PART = 200

interface StaleName {
  row: string
  id: bigint
  name: string
  /** Null if the pet was deleted. */
  present: string | null
}

/**
 * Removes words of names that pets no longer have. The rows of the pets are locked: one that gets its old name back meanwhile would lose
 * the words that it has again. Those that others have locked are left for the next time. Their present names get their words too: a process
 * of a version with other words may have changed them. Returns whether there may be more to do now.
 */
export async function removeStaleWords(transaction: Transaction): Promise<boolean> {
  const stale = await transaction.query<StaleName & Record<string, unknown>>({
    name: 'words.stale',
    text: `
      with stale as materialized (select ctid, pet_id, name from stale_names limit ${PART}),
      locked as materialized (
        select id, name from pets where id = any (array(select pet_id from stale))
        order by id for no key update skip locked)
      select stale.ctid::text as row, pet_id as id, stale.name, locked.name as present
      from stale left join locked on locked.id = pet_id
      where locked.id is not null or (select true from pets where pets.id = pet_id) is null`,
  })
  const names = new NameReader()
  const changed: PetWords[] = []
  const outdated: PetWords[] = []
  for (const { id, name, present } of stale) {
    const kept = present === null ? [] : await names.wordsOf(present)
    const words = await names.wordsOf(name)
    changed.push({ id, words: kept })
    outdated.push({ id, words: words.filter((word) => !kept.includes(word)) })
  }
  await transaction.query({ name: 'words.addPresent', text: ADD_WORDS, values: wordColumns(changed) })
  await removeWords(transaction, outdated)
  await transaction.query({
    name: 'words.removed',
    text: 'delete from stale_names where ctid = any ($1::tid[])',
    values: [stale.map(({ row }) => row)],
  })
  return stale.length === PART
}
