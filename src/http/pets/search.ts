import type { Static } from 'typebox'
import type { SearchPlace } from '../../domain/types/pet.ts'
import { decodePlace } from '../wire/cursor.ts'
import { RequestError } from '../wire/errors.ts'
import { readTerms } from '../wire/terms.ts'
import type { ListPetsQuery } from './schemas.ts'

/** What a list of pets is searched for, and where its page begins; undefined without a `name`. */
export function readSearch({ name, id, sort, status, categoryId, cursor }: Static<typeof ListPetsQuery>) {
  if (name === undefined) return undefined
  for (const [other, value] of Object.entries({ id, sort }))
    if (value !== undefined)
      throw new RequestError(
        'invalid_parameter',
        `\`name\` cannot be combined with \`${other}\`: its pages are in the order of the words.`,
      )
  // No name has these, and PostgreSQL takes neither.
  const text = name.toWellFormed().replaceAll('\0', ' ')
  const terms = readTerms(text)
  const isFiltered = status !== undefined || categoryId !== undefined
  return { name: text, terms, after: cursor === undefined ? undefined : readPlace(cursor, terms, isFiltered) }
}

function readPlace(cursor: string, terms: readonly string[], isFiltered: boolean): SearchPlace {
  const place = decodePlace(cursor, terms)
  if (!place) throw new RequestError('invalid_cursor', { kind: 'unknown cursor' })
  const { isOther, ...after } = place
  if (isOther || (after.walk === 'filter' && !isFiltered))
    throw new RequestError('invalid_cursor', { kind: 'cursor of another search' })
  return after
}
