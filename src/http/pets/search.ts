import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { SearchPlace } from '../../domain/types/pet.ts'
import type { Caller } from '../../lib/batch.ts'
import { petPageJson } from '../print/pet.ts'
import { decodePlace, encodePlace } from '../wire/cursor.ts'
import { RequestError } from '../wire/errors.ts'
import { nextLink } from '../wire/pagination.ts'
import { readTerms } from '../wire/terms.ts'
import { DEFAULT_LIMIT, type ListPetsQuery } from './schemas.ts'

type Query = Static<typeof ListPetsQuery>

interface Search {
  name: string
  terms: string[]
  after: SearchPlace | undefined
}

/** What a list of pets is searched for, and where its page begins; undefined without a `name`. */
export function readSearch({ name, id, sort, status, categoryId, cursor }: Query): Search | undefined {
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

export async function searchPage(
  request: Caller & Pick<FastifyRequest, 'store'>,
  { name, terms, after }: Search,
  { limit, status, categoryId, view }: Query,
  baseUrl: string,
) {
  const sought = { terms, after, status, categoryId, view: view ?? 'basic', limit: limit ?? DEFAULT_LIMIT }
  const page = await request.store.search.find(sought, request)
  const parameters = { limit, status, name, categoryId, view: view === 'full' ? view : undefined }
  const headers: string[] = []
  if (page.next) headers.push('link', nextLink(`${baseUrl}/pets`, parameters, encodePlace(page.next, terms)))
  if (page.foundPercent !== undefined) headers.push('petstore-search-incomplete', String(page.foundPercent))
  return { content: petPageJson(page), headers }
}

function readPlace(cursor: string, terms: readonly string[], isFiltered: boolean): SearchPlace {
  const place = decodePlace(cursor, terms)
  if (!place) throw new RequestError('invalid_cursor', { kind: 'unknown cursor' })
  const { isOther, ...after } = place
  if (isOther || (after.walk === 'filter' && !isFiltered))
    throw new RequestError('invalid_cursor', { kind: 'cursor of another search' })
  return after
}
