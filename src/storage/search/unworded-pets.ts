import { NameReader } from '../../lib/name-reader.ts'
import { pgArrayLiteral } from '../postgres/batches.ts'
import { valueAt } from '../postgres/columns.ts'
import type { Transaction } from '../postgres/statement.ts'
import { ADD_WORDS, wordColumns } from './written-words.ts'

const PART = 500

/**
 * Makes the words of pets that a version without words has added, while it served beside this one or after a rollback. Returns whether
 * there may be more to do now.
 */
export async function wordUnworded(transaction: Transaction): Promise<boolean> {
  const pets = await transaction.query<{ id: bigint; name: string }>({
    name: 'words.unworded',
    text: `
      select id, name from pets where not worded order by id limit ${PART} for no key update skip locked`,
  })
  const words = await new NameReader().wordsOfEach(pets.map(({ name }) => name))
  await transaction.query({
    name: 'words.addUnworded',
    text: `
      with added as (${ADD_WORDS})
      update pets set worded = true where id = any ($3::bigint[])`,
    values: [
      ...wordColumns(pets.map(({ id }, i) => ({ id, words: valueAt(words, i) }))),
      pgArrayLiteral(pets.map(({ id }) => id)),
    ],
  })
  return pets.length === PART
}
