import type { Clause, Context } from '../../clause.ts'
import { expect, expectError, expectHeader, expectNoHeader, expectStatus, objectOf } from '../../expect.ts'
import { clause, newCategory, newPet, refused } from '../../store.ts'

/** How many pets of each status, as `/pets/counts` returns it. */
const countsOf = async ({ call }: Context, categoryId: bigint) => {
  const response = await call({ path: `/pets/counts?categoryId=${categoryId}` })
  expectStatus(response, 200)
  return { response, found: JSON.stringify(objectOf(response), (_, each: unknown) => asNumber(each)) }
}
const asNumber = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value)

export const PET_COUNTS: Clause[] = [
  clause(
    'categories.count.statuses',
    'GET /pets/counts counts the pets of a category by status, whether it has a name or not.',
    async (context) => {
      const id = newCategory()
      const none = await countsOf(context, id)
      expect(none.response, none.found === '{"available":0,"pending":0,"sold":0,"none":0}', 'no pets', none.found)
      // As many of each as of no other.
      for (const [i, status] of (['available', 'pending', 'sold', undefined] as const).entries())
        for (let added = 0; added <= i; added++) await context.add(newPet(status, id))
      await context.add(newPet('available', newCategory()))
      const { response, found } = await countsOf(context, id)
      const due = '{"available":1,"pending":2,"sold":3,"none":4}'
      expect(response, found === due, due, found)
    },
  ),
  clause(
    'categories.count.statuses-path',
    '/pets/counts is a path of its own, and is not deprecated.',
    async (context) => {
      const { call } = context
      for (const method of ['POST', 'PATCH', 'DELETE']) {
        const response = await call({ method, path: '/pets/counts' })
        expectError(response, 405, 'method_not_allowed')
        expectHeader(response, 'Allow', 'GET, HEAD, OPTIONS')
        expectNoHeader(response, 'Deprecation')
      }
      const { response } = await countsOf(context, 1n)
      expectNoHeader(response, 'Deprecation')
    },
  ),
  ...[
    ['none', 'no category', ''],
    ['empty', 'an empty one', '?categoryId='],
    ['text', 'one that is no int64', '?categoryId=dogs'],
    ['several', 'two of them', '?categoryId=1,2'],
    ['status', 'a status, which would be ignored', '?categoryId=1&status=sold'],
    ['name', 'a name', '?categoryId=1&name=Rex'],
    ['id', 'an id', '?categoryId=1&id=1'],
  ].map(([id, what, query]) =>
    refused(
      `categories.count.statuses-refused.${id}`,
      `GET /pets/counts takes one category and nothing else: ${what} is 400.`,
      { path: `/pets/counts${query}` },
      400,
      'invalid_parameter',
    ),
  ),
]
