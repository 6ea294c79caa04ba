import { termsOf } from '../../lib/words.ts'
import { RequestError } from './errors.ts'

const MAX_TERMS = 8

export const NO_TERMS = `\`name\` must have 1 to ${MAX_TERMS} words.`

/** What a name is searched by: beginnings of its words. */
export function readTerms(name: string) {
  const terms = termsOf(name)
  if (terms.length === 0 || terms.length > MAX_TERMS) throw new RequestError('invalid_parameter', NO_TERMS)
  return terms
}
