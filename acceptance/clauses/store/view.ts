import type { Clause } from '../../clause.ts'
import { expect, expectStatus, isObject, jsonOf, petsOf, STATUSES } from '../../expect.ts'
import { clause, newCategory, newPet, recordsOf, refused } from '../../store.ts'
import { nextOf, pagesOf } from '../../walk.ts'

const ids = (pets: { id: bigint }[]) => pets.map(({ id }) => id).join()
const byIds = (pets: { id: bigint }[]) => `id=${ids(pets)}`

const WALKS: [id: string, what: string, more: string][] = [
  ['all', 'of all statuses', ''],
  ...STATUSES.map((status): [string, string, string] => [status, `the ${status} ones`, `&status=${status}`]),
]
const VALUES: [id: string, what: string, query: string][] = [
  ['empty', 'empty', 'view='],
  ['word', 'another word', 'view=all'],
  ['case', 'another case', 'view=Full'],
  ['list', 'a list', 'view=full,basic'],
  ['twice', 'twice', 'view=full&view=full'],
  ['twice-basic', 'twice', 'view=basic&view=full'],
  ['space', 'a space', 'view=full%20'],
]

export const VIEW: Clause[] = [
  ...WALKS.map(([id, what, more]) =>
    clause(
      `view.p3.walk.${id}`,
      `P3: view=full returns the same pets in the same order, page by page: ${what}.`,
      async (context) => {
        const query = `limit=7&${byIds((await context.herd()).slice(0, 60))}${more}`
        const basic = await pagesOf(context, '/pets', `?${query}`)
        const full = await pagesOf(context, '/pets', `?${query}&view=full`)
        const expected = basic.map((page) => ids(petsOf(page)))
        for (const [i, page] of full.entries()) {
          const pets = recordsOf(page)
          expect(page, ids(pets) === expected[i], `the pets ${expected[i]}`, ids(pets))
          const next = new URLSearchParams(nextOf(page))
          const plain = new URLSearchParams(nextOf(basic[i] ?? page))
          if (next.size > 0) expect(page, next.get('view') === 'full', 'view=full in the link')
          next.delete('view')
          expect(page, String(next) === String(plain), `the link of the page without view, and view: ${String(plain)}`)
        }
        for (const page of full.slice(-1))
          expect(page, full.length === basic.length, `${basic.length} pages`, `${full.length} pages`)
      },
    ),
  ),
  clause('view.p3.fields', 'P3: With view=full a pet has what it has without, and `version`.', async (context) => {
    const category = newCategory()
    for (const status of [...STATUSES, undefined]) await context.add(newPet(status, category))
    const pets = petsOf(await context.call({ path: `/pets?categoryId=${category}` }))
    const response = await context.call({ path: `/pets?categoryId=${category}&view=full` })
    const body = jsonOf(response)
    expect(response, Array.isArray(body) && body.length === 4, 'the four pets')
    for (const [i, item] of body.entries()) {
      const { version, ...rest } = isObject(item) ? item : {}
      expect(response, version === 1n, '`version` 1')
      const expected = JSON.stringify(pets[i], digits)
      expect(response, JSON.stringify(rest, digits) === expected, `${expected} and the version`)
    }
  }),
  ...['', '&status=sold', '&limit=3', '&limit=100'].map((more, i) =>
    clause(
      `view.p3.basic.${i + 1}`,
      `P3: view=basic is byte for byte the same as no view${more && `, with ${more.slice(1)}`}.`,
      async ({ call, herd }) => {
        const path = `/pets?${byIds((await herd()).slice(0, 40))}${more}`
        const plain = await call({ path })
        const basic = await call({ path: `${path}&view=basic` })
        expectStatus(basic, 200)
        expect(basic, basic.text === plain.text, plain.text)
        const next = nextOf(basic)
        for (const page of next === undefined ? [] : await pagesOf({ call }, '/pets', next))
          expect(page, petsOf(page).length > 0 && !page.text.includes('"version"'), 'no `version` on any page')
      },
    ),
  ),
  ...VALUES.map(([id, what, query]) =>
    refused(
      `view.p3.refused.${id}`,
      `P3: \`view\` takes full or basic, once; anything else is 400: ${what}.`,
      { path: `/pets?${query}` },
      400,
      'invalid_parameter',
    ),
  ),
  clause('view.p3.default', 'P3: Without view no item has a `version`.', async ({ call, herd }) => {
    await herd()
    for (const query of ['', '?limit=100', '?status=available']) {
      const response = await call({ path: `/pets${query}` })
      expect(response, petsOf(response).length > 0 && !/"version"|"orderId"/.test(response.text), 'plain pets')
    }
  }),
]

function digits(_name: string, value: unknown) {
  return typeof value === 'bigint' ? String(value) : value
}
