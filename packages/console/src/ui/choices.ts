// What a combobox offers for a text. Pure, so that tests need no browser.
import { termsOf, wordsOf } from '../words.ts'

export interface Choice {
  value: string
  label: string
  /** Beside the label, small; found by its beginning. */
  id?: string
  /** The id as it is shown, where it could be taken for a count. */
  number?: string
  /** How many there are of it, in words. */
  count?: string | undefined
}

/** Those of which each typed word begins a word of the label, or all that was typed the id. Case and accents do not matter. Those that are just that come first. */
export function narrow<Item extends Pick<Choice, 'label' | 'id'>>(choices: readonly Item[], typed: string): Item[] {
  const text = typed.trim()
  const words = termsOf(text)
  if (text === '') return [...choices]
  return choices
    .filter(({ label, id }) => {
      if (id?.startsWith(text)) return true
      const known = wordsOf(label)
      return words.length > 0 && words.every((word) => known.some((one) => one.startsWith(word)))
    })
    .toSorted((a, b) => Number(isExact(b, text)) - Number(isExact(a, text)))
}

/** Whether a text is all of a label or of an id. */
export const isExact = ({ label, id }: Pick<Choice, 'label' | 'id'>, text: string) =>
  id === text || label.toLowerCase() === text.toLowerCase()
