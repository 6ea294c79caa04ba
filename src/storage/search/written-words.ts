import { wordsOf } from '../../lib/words.ts'
import { pgArrayLiteral } from '../postgres/batches.ts'
import type { Queryable } from '../postgres/statement.ts'

/** Something with a name, and the words of it as one text; null without a name. No word has a line end. */
export type Worded<Item> = Item & { words: string | null }

/** Made in the turn of each request, not in that of its batch: two hundred names that are long to read would keep all others waiting. */
export function withWords<Item extends { name?: string | undefined }>(item: Item): Worded<Item> {
  return { ...item, words: item.name === undefined ? null : wordsOf(item.name).join('\n') }
}

/** SQL that joins each row with each word of its column `words`. */
export const EACH_WORD = `unnest(string_to_array(words, e'\\n')) as word`

/** Words of pets, for statements that read many. */
export interface PetWords {
  id: bigint | string
  words: readonly string[]
}

/** The words as one text, and the id of the pet of each. */
export function wordColumns(pets: readonly PetWords[]) {
  return [
    pets.flatMap(({ words }) => words).join('\n'),
    pgArrayLiteral(pets.flatMap(({ id, words }) => words.map(() => id))),
  ]
}

/** SQL that adds words, from `wordColumns`, where they are missing. Sorted, so that no two statements wait for each other. */
export const ADD_WORDS = `
        insert into pet_words (word, pet_id)
        select word, id from unnest(string_to_array($1, e'\\n'), $2::bigint[]) as pets (word, id)
        order by word collate "C", id on conflict do nothing`

/** Removes these words of these pets. */
export async function removeWords(db: Queryable, pets: readonly PetWords[]) {
  await db.query({
    name: 'words.remove',
    text: `
      delete from pet_words using unnest(string_to_array($1, e'\\n'), $2::bigint[]) as pets (word, id)
      where pet_words.word = pets.word collate "C" and pet_id = id`,
    values: wordColumns(pets),
  })
}
