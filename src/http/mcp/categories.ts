import type { FastifyRequest } from 'fastify'
import { findByName } from '../../domain/categories.ts'
import { DomainError } from '../../domain/errors.ts'
import { requireScope } from '../../domain/keys.ts'
import type { Category } from '../../domain/types/category.ts'
import { echo } from '../wire/echo.ts'
import { RequestError } from '../wire/errors.ts'
import { type Arguments, textOf } from './arguments.ts'
import { CATEGORY, NAMES_SCOPE } from './tools.ts'

/** The arguments with the id of a category in place of its name. Never adds a category. */
export async function withCategoryId(args: Arguments, request: FastifyRequest): Promise<Arguments> {
  const { category, ...others } = args
  if (category === undefined) return args
  if (args['categoryId'] !== undefined)
    throw new RequestError('invalid_parameter', 'Send `category` or `categoryId`, not both.')
  const name = textOf('category', category)
  if (Array.from(name.slice(0, 2 * CATEGORY.maxLength + 1)).length > CATEGORY.maxLength)
    throw new RequestError('invalid_parameter', `\`category\` must have at most ${CATEGORY.maxLength} characters.`)
  requireScope(request.principal, NAMES_SCOPE)
  const found = await findByName(request.store, name, request)
  if ('category' in found) return { ...others, categoryId: String(found.category.id) }
  const listed = found.candidates.map(describe).join(', ')
  if (found.isKnown)
    throw new RequestError('invalid_parameter', `Several categories are called ${echo(name)}: ${listed}. ${SEND_ID}`)
  const hint = listed === '' ? 'list_categories shows all of them.' : `There is ${listed}. ${SEND_ID}`
  throw new DomainError('category_not_found', `No category is called ${echo(name)}. ${hint}`)
}

const SEND_ID = 'Send the `categoryId` of the one that is meant.'

function describe({ id, name }: Category) {
  return `${id} ${echo(name)}`
}

/** In JSON with integers as text. Text cannot look like it: its quotes are escaped. */
const CATEGORY_ID = /"categoryId":"(-?\d+)"/g

/** The names of the categories of one call: each is looked up once, also if the call reads a page twice. */
export class CategoryNames {
  readonly #names = new Map<string, string | undefined>()

  /** Adds `categoryName` to each pet whose category has one. */
  async addTo(json: string, request: FastifyRequest) {
    if (!request.principal.scopes.includes(NAMES_SCOPE)) return json
    const ids = new Set(Array.from(json.matchAll(CATEGORY_ID), ([, id = '']) => id))
    const unknown = [...ids].filter((id) => !this.#names.has(id))
    if (unknown.length > 0) {
      const found = await request.store.categories.namesOf(unknown, request)
      for (const id of unknown) this.#names.set(id, found.get(id))
    }
    return json.replaceAll(CATEGORY_ID, (field, id: string) => {
      const name = this.#names.get(id)
      return name === undefined ? field : `${field},"categoryName":${JSON.stringify(name)}`
    })
  }
}
