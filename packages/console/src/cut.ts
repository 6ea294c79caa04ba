import { withValues } from './values.ts'

/** Texts of which each cuts its values off after so many characters: a longer name would hide the rest of its sentence. */
export const cutting = <Texts>(texts: Texts, most: number) => withValues(texts, (value) => cut(value, most))

/** Texts are cut between characters, as a person counts them. */
export function cut(text: string, most: number) {
  if (text.length <= most) return text
  const [end] = Array.from(new Intl.Segmenter().segment(text), ({ index }) => index).slice(most)
  return end === undefined ? text : `${text.slice(0, end).trimEnd()}…`
}
