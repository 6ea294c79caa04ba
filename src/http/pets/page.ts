import type { Static } from 'typebox'
import type { Page } from '../../domain/pets.ts'
import { nextLink } from '../wire/pagination.ts'
import type { ListPetsQuery } from './schemas.ts'

/** A page, with a link to the next one, if there are more. */
export function pageResponse(page: Page, query: Static<typeof ListPetsQuery>, baseUrl: string) {
  const headers = page.next === undefined ? [] : ['link', nextLink(baseUrl, query, page.next)]
  return { body: page.pets, headers }
}
