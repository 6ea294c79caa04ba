import {
  categoryNotFound,
  deleteCategory,
  listCategories,
  notACategory,
  putCategory,
  tooManyCategories,
  versionMismatch,
} from '../../domain/categories.ts'
import { operation } from '../operation.ts'
import { categoryJson, categoryPageJson } from '../print/category.ts'
import type { Resource } from '../resource.ts'
import { encodeCursor } from '../wire/cursor.ts'
import { RequestError, toErrorBody } from '../wire/errors.ts'
import { nextLink, readCursor } from '../wire/pagination.ts'
import { NO_TERMS, readTerms } from '../wire/terms.ts'
import { ADDED, NEW_CATEGORIES, PAGES, RENAMED } from './examples.ts'
import { Categories, Category, CategoryCounts, ListCategoriesQuery, NewCategory } from './schemas.ts'

const DEFAULT_LIMIT = 20
// Each category has four counts, of up to 100 index entries each.
const MAX_COUNTED = 20
const TOO_MANY_COUNTED = `\`limit\` must be at most ${MAX_COUNTED} where pets are counted.`
const PATH = '/categories'

const COMMON = { tag: 'categories', stability: 'beta' } as const
const CATEGORY_ID = { description: 'The id of the category.', example: 7, notFound: categoryNotFound }

export const categories: Resource = {
  name: 'categories',
  description:
    'Names of categories. The `categoryId` of a pet may be any 64-bit integer: a record gives it a name, and none is needed.',
  schemas: [NewCategory, CategoryCounts, Category, Categories],

  declare(app, { baseUrl }) {
    operation(app, {
      ...COMMON,
      id: 'listCategories',
      method: 'GET',
      path: PATH,
      scope: 'pets:read',
      summary: 'List categories',
      description:
        'Returns a page of the categories that have a name, by ascending id. If there are more, the `Link` header contains the URL of the next page (`rel="next"`). Following these links returns every record that exists and matches for the whole walk exactly once. With `counts=true`, each comes with how many pets it has of each status, counted up to 100, and `limit` is at most 20.',
      query: ListCategoriesQuery,
      success: { status: 200, description: 'Success.', body: Categories, headers: ['NextLink'], examples: PAGES },
      errors: { invalid_parameter: NO_TERMS, too_many_categories: tooManyCategories().message },
      handler: async (request) => {
        const { limit, counts, cursor } = request.query
        const name = request.query.name?.toWellFormed()
        if (counts && limit !== undefined && limit > MAX_COUNTED)
          throw new RequestError('invalid_parameter', TOO_MANY_COUNTED)
        const terms = name === undefined ? undefined : readTerms(name)
        const from = readCursor('categories', cursor)?.[0]
        const page = await listCategories(
          request.store,
          { terms, from, limit: limit ?? DEFAULT_LIMIT, counts },
          request,
        )
        const content = categoryPageJson(page)
        if (page.next === undefined) return { content }
        const parameters = { limit, name, counts: counts ? 'true' : undefined }
        const next = encodeCursor('categories', page.next)
        return { content, headers: ['link', nextLink(baseUrl + PATH, parameters, next)] }
      },
    })

    operation(app, {
      ...COMMON,
      id: 'putCategory',
      method: 'PUT',
      path: `${PATH}/{categoryId}`,
      scope: 'categories:write',
      summary: 'Name a category',
      description:
        'Gives a category its name, or another one: 201 if it had none, else 200. Setting the name that it has changes nothing and makes no new version. With `If-Match`, the name is changed only if the record still has that version; with `If-None-Match: *`, only a category without a name gets one. Pets stay as they are, and there is no event.',
      params: { categoryId: { ...CATEGORY_ID, notFound: notACategory } },
      body: NewCategory,
      bodyExamples: NEW_CATEGORIES,
      conditional: true,
      success: {
        status: 200,
        description: 'The category as it is now.',
        created: { description: 'The category has a name from now on.', examples: ADDED },
        body: Category,
        examples: RENAMED,
      },
      errors: {
        invalid_body: '`name` is required: a string.',
        category_not_found: notACategory('"dogs"').message,
        version_mismatch: toErrorBody(versionMismatch(7n, 4n, [3n])).message,
      },
      handler: async (request, _, condition) => {
        const category = { id: request.params.categoryId, name: request.body.name }
        const { version, isNew } = await putCategory(request.store, category, condition, request)
        return { content: categoryJson({ ...category, version }), headers: ['etag', `"${version}"`], isNew }
      },
    })

    operation(app, {
      ...COMMON,
      id: 'deleteCategory',
      method: 'DELETE',
      path: `${PATH}/{categoryId}`,
      scope: 'categories:write',
      summary: 'Remove the name of a category',
      description:
        'Deletes the record of a category. Its pets stay as they are, and keep its id. With `If-Match`, it is deleted only if it still has that version. A name that is given later begins with version 1 again.',
      params: { categoryId: CATEGORY_ID },
      conditional: true,
      success: { status: 204, description: 'The category has no name any more.' },
      errors: { version_mismatch: toErrorBody(versionMismatch(7n, 4n, [3n])).message },
      handler: async (request, _, condition) => {
        await deleteCategory(request.store, request.params.categoryId, condition, request)
        return {}
      },
    })
  },
}
