import type { Pet } from './oracle/new-pet.ts'
import { asciiWords, foundBy, inBytes } from './oracle/words.ts'
import { nextPage, type Shown } from './shown.ts'

const INCOMPLETE = 'petstore-search-incomplete'
const PERCENT = /^[1-9]?[0-9]$/

/**
 * Each pet has the words that were searched for, and those found by one word come in its order. A list that is whole lacks no known pet:
 * `isAskedFor` has the other filters.
 */
export function checkSearch(
  text: string,
  { search, response, store, sentAt }: Shown,
  pets: Pet[],
  isAskedFor: (pet: Omit<Pet, 'id'>) => boolean,
) {
  const percent = response.headers.get(INCOMPLETE)
  if (percent !== undefined && !PERCENT.test(percent)) return `${INCOMPLETE} is ${percent}`
  const found = pets.map(({ id, name }) => ({ id, word: foundBy(name, text) }))
  const stranger = found.find(({ word }) => word === null)
  if (stranger) return `a search for ${text} finds the pet ${stranger.id}, whose name has other words`
  const isOneTerm = asciiWords(text)?.length === 1
  const isSorted = found.every(({ id, word }, i) => {
    const before = found[i - 1]
    if (!isOneTerm || !before || typeof word !== 'string' || typeof before.word !== 'string') return true
    const order = inBytes(before.word, word)
    return order < 0 || (order === 0 && before.id < id)
  })
  if (!isSorted) return `a search for ${text} finds pets in another order than that of their words`
  if (percent !== undefined || nextPage(response) !== undefined || search.get('cursor') !== undefined) return undefined
  const missing = store.recentIds.find((id) => {
    const due = store.seen(id, sentAt)
    return due && isAskedFor(due) && typeof foundBy(due.name, text) === 'string' && !pets.some((pet) => pet.id === id)
  })
  return missing === undefined ? undefined : `a search for ${text} lacks the pet ${missing}`
}
