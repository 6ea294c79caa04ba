import { CATEGORIES, categoriesOf, categoryOf, named, putCategory, removeCategory } from '../../categories.ts'
import type { Clause, Context } from '../../clause.ts'
import { expect, expectError, expectHeader, expectNoHeader, expectStatus, objectOf } from '../../expect.ts'
import { clause, ifMatch, messageOf, newCategory, newPet, refused } from '../../store.ts'
import { nextOf, pagesOf } from '../../walk.ts'

/** Gives categories of their own a name each, and takes the names away in the end. */
async function withNames(context: Context, names: string[], work: (ids: bigint[]) => Promise<void>) {
  const ids = names.map(newCategory)
  for (const [i, id] of ids.entries()) categoryOf(await context.call(named(id, names[i] ?? '')), 201)
  try {
    await work(ids)
  } finally {
    for (const id of ids) await context.call(removeCategory(id))
  }
}

/** The same for a search, which a service with more than 1,000 names rejects as documented. */
async function withFoundNames(context: Context, names: string[], work: (ids: bigint[]) => Promise<void>) {
  await withNames(context, names, async (ids) => {
    const response = await context.call({ path: `${CATEGORIES}?name=verify` })
    if (response.status === 409) expectError(response, 409, 'too_many_categories')
    else await work(ids)
  })
}

/** A word that no other name has: letters only, so that it stays one word. */
function newWord() {
  return `verify${newCategory()
    .toString()
    .replaceAll(/./g, (digit) => 'abcdefghijk'[digit === '-' ? 10 : Number(digit)] ?? '')}`
}

const count = async ({ call }: Context, query: string) => {
  const response = await call({ path: `/pets/count${query}` })
  expectStatus(response, 200)
  return { response, ...objectOf(response) } as { response: typeof response; count?: unknown; isMore?: unknown }
}

const BODIES: [id: string, what: string, body: string][] = [
  ['empty', 'no name', '{}'],
  ['null', 'null', '{"name":null}'],
  ['number', 'a number', '{"name":7}'],
  ['nothing', 'an empty name', '{"name":""}'],
  ['blank', 'a name that nobody can see', '{"name":" \\u200b"}'],
  ['control', 'a control character', '{"name":"a\\n"}'],
  ['long', '101 characters', `{"name":"${'x'.repeat(101)}"}`],
  ['misspelled', 'a misspelled field', '{"nam":"Dog"}'],
  ['list', 'a list', '[]'],
]

const QUERIES: [id: string, what: string, query: string, code: string][] = [
  ['name-empty', 'an empty name', 'name=', 'invalid_parameter'],
  ['name-blank', 'a name of white space', 'name=%20', 'invalid_parameter'],
  ['name-words', 'nine words', 'name=a+b+c+d+e+f+g+h+i', 'invalid_parameter'],
  ['limit-counted', 'a limit of 21 with counts', 'limit=21&counts=true', 'invalid_parameter'],
  ['limit', 'a limit of 101', 'limit=101', 'invalid_parameter'],
  ['counts', 'another word for counts', 'counts=1', 'invalid_parameter'],
  ['cursor', 'a cursor that it did not issue', 'cursor=x', 'invalid_cursor'],
  ['cursor-walk', 'a cursor of another list', 'cursor=AQAAAAAAAAAC', 'invalid_cursor'],
]

export const CATEGORY_NAMES: Clause[] = [
  clause('categories.put', 'PUT gives a category a name with 201, and another one with 200.', async ({ call }) => {
    const id = newCategory()
    const first = await call(named(id, 'verify 🐢'))
    const added = categoryOf(first, 201)
    expect(first, added.id === id && added.version === 1n, 'its id, and version 1')
    categoryOf(await call(named(id, 'verify 🐢')), 200)
    const response = await call(named(id, 'verify other'))
    expect(response, categoryOf(response, 200).version === 2n, 'version 2, since the same name again made none')
    expectStatus(await call(removeCategory(id)), 204)
    expectError(await call(removeCategory(id)), 404, 'category_not_found')
    const again = await call(named(id, 'verify'))
    expect(again, categoryOf(again, 201).version === 1n, 'version 1 again')
    expectStatus(await call(removeCategory(id)), 204)
  }),
  ...['9223372036854775807', '-9223372036854775808', '9007199254740993', '0', '-1'].map((id) =>
    clause(`categories.int64.${id}`, `The id of a category is exact to the last digit: ${id}.`, async ({ call }) => {
      const response = await call(named(id, 'verify int64'))
      expectStatus(response, 200, 201)
      expect(response, response.text.startsWith(`{"id":${id},`), `the id ${id}`)
      expectStatus(await call(removeCategory(id)), 204)
    }),
  ),
  clause(
    'categories.conditions',
    '`If-Match` and `If-None-Match: *` are checked before a change; any other `If-None-Match` is 400.',
    async (context) => {
      const { call } = context
      const absent = newCategory()
      for (const value of ['*', '"1"', 'W/"1"'])
        expectError(await call(named(absent, 'verify', ifMatch(value))), 412, 'version_mismatch')
      expectError(await call(removeCategory(absent, ifMatch('"1"'))), 404, 'category_not_found')
      await withNames(context, ['verify'], async ([id = 0n]) => {
        for (const header of [ifMatch('"2"'), ifMatch('W/"1"'), { 'If-None-Match': '*' }]) {
          for (const request of [named(id, 'verify other', header), removeCategory(id, header)]) {
            const response = await call(request)
            expectError(response, 412, 'version_mismatch')
            expectHeader(response, 'ETag', '"1"')
          }
        }
        expectError(await call(named(id, 'verify', ifMatch('1'))), 400, 'invalid_parameter')
        for (const value of ['"1"', '"2"', 'W/"1"', 'x'])
          expectError(await call(named(id, 'verify other', { 'If-None-Match': value })), 400, 'invalid_parameter')
        categoryOf(await call(named(id, 'verify', ifMatch('"1"'))), 200)
        expectStatus(await call(removeCategory(id, ifMatch('"1", "7"'))), 204)
        categoryOf(await call(named(id, 'verify', { 'If-None-Match': '*' })), 201)
      })
    },
  ),
  clause('categories.races', 'Of several that name a category at once, one adds it.', async ({ call }) => {
    const id = newCategory()
    const responses = await Promise.all(Array.from({ length: 8 }, (_, i) => call(named(id, `verify ${i}`))))
    const added = responses.filter(({ status }) => status === 201)
    for (const response of responses) {
      expectStatus(response, 200, 201)
      expect(response, added.length === 1, 'one 201', String(added.length))
    }
    const tags = new Set(responses.map(({ headers }) => headers.get('etag')))
    for (const response of added) expect(response, tags.size === 8, 'a version of its own for each', String(tags.size))
    expectStatus(await call(removeCategory(id)), 204)
  }),
  ...[1, 3, 100].map((limit) =>
    clause(
      `categories.walk.${limit}`,
      `A walk meets every category with a name exactly once, by ascending id: ${limit} on a page.`,
      async (context) => {
        const word = newWord()
        await withFoundNames(context, Array<string>(7).fill(`${word} x`), async (ids) => {
          for (const query of [
            `?limit=${limit}&name=${word}`,
            `?limit=${Math.min(limit, 20)}&counts=true&name=${word}`,
          ]) {
            const pages = await pagesOf(context, CATEGORIES, query)
            for (const page of pages) expect(page, categoriesOf(page).length <= limit, `at most ${limit}`)
            const met = pages.flatMap(categoriesOf).map(({ id }) => id)
            const expected = ids.toSorted((a, b) => (a < b ? -1 : 1)).join()
            for (const page of pages.slice(-1)) expect(page, met.join() === expected, expected, met.join())
          }
        })
      },
    ),
  ),
  clause('categories.walk.all', 'Without a name, a walk meets all of them.', async (context) => {
    await withNames(context, Array<string>(5).fill('verify all'), async (ids) => {
      const pages = await pagesOf(context, CATEGORIES, '?limit=100')
      const met = pages.flatMap(categoriesOf).map(({ id }) => id)
      for (const page of pages.slice(-1)) {
        const missed = ids.filter((id) => !met.includes(id))
        expect(page, missed.length === 0 && new Set(met).size === met.length, 'each exactly once', missed.join())
      }
    })
  }),
  clause('categories.link', 'The link repeats `limit`, `name` and `counts`.', async (context) => {
    const word = newWord()
    await withFoundNames(context, [word, word], async () => {
      const response = await context.call({ path: `${CATEGORIES}?limit=1&counts=true&name=${word}&x=1` })
      const names = [...new URLSearchParams(nextOf(response)).keys()].toSorted().join()
      expect(response, names === 'counts,cursor,limit,name', 'counts, cursor, limit and name', names)
    })
  }),
  clause(
    'categories.search',
    'A name is found by the beginnings of its words, in any order and case, with or without accents.',
    async (context) => {
      const word = newWord()
      await withFoundNames(context, [`Große ${word} Élan`, word], async ([id = 0n]) => {
        const terms = [`gros ${word}`, `${word} ELAN`, `GROSSE ${word}`, `${word.slice(0, -2)} éla`, `él ${word} gro`]
        for (const name of terms) {
          const response = await context.call({ path: `${CATEGORIES}?name=${encodeURIComponent(name)}` })
          const found = categoriesOf(response).map((category) => category.id)
          expect(response, found.join() === String(id), `the category ${id} alone`, found.join())
        }
        const response = await context.call({ path: `${CATEGORIES}?name=${word}+rosse` })
        expect(response, categoriesOf(response).length === 0, 'none by the middle of a word')
      })
    },
  ),
  clause(
    'categories.counts',
    'Categories with `counts=true` have how many pets there are of each status.',
    async (context) => {
      const word = newWord()
      await withFoundNames(context, [word], async ([id = 0n]) => {
        for (const status of ['sold', 'sold', 'available', undefined]) await context.add(newPet(status, id))
        const plain = await context.call({ path: `${CATEGORIES}?name=${word}` })
        for (const { pets } of categoriesOf(plain)) expect(plain, pets === undefined, 'no `pets` without counts=true')
        const response = await context.call({ path: `${CATEGORIES}?name=${word}&counts=true` })
        for (const { pets } of categoriesOf(response)) {
          const found = Object.values(pets ?? {}).join()
          expect(response, found === '1,0,2,1', '1 available, 0 pending, 2 sold, 1 without', found)
        }
        for (const [query, expected] of [
          ['', 4],
          ['&status=sold', 2],
          ['&status=pending', 0],
        ] as const) {
          const found = await count(context, `?categoryId=${id}${query}`)
          expect(found.response, Number(found.count) === expected && found.isMore === false, `${expected}, and no more`)
        }
      })
    },
  ),
  clause('categories.pets', 'Pets need no category with a name, and keep theirs when it loses it.', async (context) => {
    const id = newCategory()
    const pet = await context.add(newPet('available', id))
    categoryOf(await context.call(named(id, 'verify')), 201)
    expectStatus(await context.call(removeCategory(id)), 204)
    const response = await context.call({ path: `/pets?view=full&id=${pet.id}` })
    expect(response, response.text.includes(`"categoryId":${id}`), `the category ${id}`)
    expect(response, response.text.includes('"version":1'), 'version 1')
  }),
  clause('categories.count.all', 'GET /pets/count counts all pets, up to 1,000.', async (context) => {
    await context.add(newPet('sold'))
    for (const query of ['', '?status=sold', '?status=available', '?status=pending']) {
      const found = await count(context, query)
      const most = Number(found.count)
      expect(found.response, most >= 0 && most <= 1_000 && found.isMore === (most === 1_000), 'a count up to 1,000')
    }
  }),
  clause('categories.count.path', '/pets/count is a path of its own, and is not deprecated.', async ({ call }) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await call({ method, path: '/pets/count' })
      expectError(response, 405, 'method_not_allowed')
      expectHeader(response, 'Allow', 'GET, HEAD, OPTIONS')
      expectNoHeader(response, 'Deprecation')
    }
    const head = await call({ method: 'HEAD', path: '/pets/count' })
    expectStatus(head, 200)
    expectNoHeader(head, 'Deprecation')
    const other = await call({ path: '/pets/coun' })
    expectError(other, 404, 'pet_not_found')
    expectHeader(other, 'Deprecation', /^@\d+$/)
  }),
  ...['name=Rex', 'id=1', 'status=Sold', 'categoryId=x', 'stauts=sold'].map((query) =>
    refused(
      `categories.count.refused.${query.split('=', 1)[0]}`,
      `Pets are counted by status and category only: ?${query} is 400.`,
      { path: `/pets/count?${query}` },
      400,
      'invalid_parameter',
    ),
  ),
  ...QUERIES.map(([id, what, query, code]) =>
    refused(
      `categories.refused.${id}`,
      `A list of categories is 400 with ${what}.`,
      { path: `${CATEGORIES}?${query}` },
      400,
      code,
    ),
  ),
  ...BODIES.map(([id, what, body]) =>
    refused(
      `categories.body.${id}`,
      `A name has 1 to 100 characters, at least one of them visible: ${what} is 400.`,
      putCategory('-77', body),
      400,
      'invalid_body',
    ),
  ),
  ...['abc', '07', '1.0', '9223372036854775808', '%20'].map((id, i) =>
    clause(`categories.id.${i + 1}`, `Only an int64 is the id of a category: ${id} is 404.`, async ({ call }) => {
      for (const request of [named(id, 'verify'), removeCategory(id)]) {
        const response = await call(request)
        expectError(response, 404, 'category_not_found')
        expect(response, messageOf(response).includes('id'), 'a message about the id')
      }
    }),
  ),
]
