import type { Clause, Context } from '../../clause.ts'
import { expect, expectStatus, type Pet, petsOf } from '../../expect.ts'
import { expectFound, idsOf, litter, nameOf, newWord, queryOf } from '../../search.ts'
import { clause, expectDeleted, newCategory, patch, recordOf, recordsOf, remove } from '../../store.ts'
import { nextOf, pagesOf } from '../../walk.ts'

/** A name, what finds it, and what does not. */
const EXAMPLES: [id: string, name: string, finds: string[], misses?: string[]][] = [
  ['beginning', 'Big Moe', ['mo', 'moe', 'b', 'big'], ['oe', 'moes']],
  ['several', 'Big Moe', ['MOE b', 'big moe', 'b m'], ['big max']],
  ['accents', 'Zo\u00eb S\u00f8ren \u0141ukasz', ['zoe', 'ZO\u00cb', 'zoe\u0308', 'sor', 'luk'], ['z\u00f6rn']],
  ['sharp-s', 'Strau\u00df', ['STRAUSS', 'strau\u00df', 'straus']],
  ['dotted-i', '\u0130stanbul \u0131s\u0131', ['ista', 'ISTANBUL', 'isi']],
  ['cyrillic', '\u0401\u043b\u043a\u0430', ['\u0435\u043b', '\u0451\u043b', '\u0415\u041b\u041a\u0410']],
  [
    'greek',
    '\u039f\u03b4\u03c5\u03c3\u03c3\u03b5\u03cd\u03c2',
    ['\u03bf\u03b4\u03c5\u03c3', '\u039f\u0394\u03a5\u03a3\u03a3\u0395\u03a5\u03a3'],
  ],
  ['kana', '\u30e2\u30e2\u3061\u3083\u3093', ['\u3082\u3082', '\u30e2\u30e2', '\u3061\u3083\u3093', '\uff93\uff93']],
  ['voiced-kana', '\u30ac\u30af', ['\u30ac', '\u30ab'], ['\u30ab\u30af']],
  ['hangul', '\ud55c\uae00', ['\ud55c', '\ud558', '\ud55c\uae00']],
  ['emoji', '\u{1f469}\u{1f3fd}\u200d\u{1f680} Luna \u{1f422}', ['\u{1f680}', '\u{1f422}', '\u{1f469}', 'luna']],
  ['arabic', '\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f', ['\u0645\u062d\u0645\u062f', '\u0645\u064f\u062d']],
  ['hebrew', '\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd', ['\u05e9\u05dc\u05d5\u05dd', '\u05e9\u05c1\u05b8\u05dc']],
  ['punctuation', "O'Malley", ['malley', 'o', "o'malley"]],
  ['symbols', 'C++', ['c+', 'c', '+']],
  ['compatible', '\ufb01do \u{1d57d}\u{1d58a}\u{1d59d}', ['fid', 'fido', 'rex']],
]

export const SEARCH: Clause[] = [
  ...EXAMPLES.map(([id, name, finds, misses = []]) =>
    clause(
      `search.words.${id}`,
      `\`name\` finds by the beginnings of words, whatever their case, accents and script: ${id}.`,
      async (context) => {
        const category = newCategory()
        const word = newWord()
        const pet = await context.add(nameOf(`${name} ${word}`, category))
        for (const text of finds) {
          await expectFound(context, `categoryId=${category}&${queryOf(text)}`, [pet])
          await expectFound(context, queryOf(`${word} ${text}`), [pet])
        }
        for (const text of misses) await expectFound(context, `categoryId=${category}&${queryOf(text)}`, [])
      },
    ),
  ),
  clause(
    'search.order',
    'Pets come in the order of the words found, then of their ids; each once.',
    async (context) => {
      const word = newWord()
      const pets = await litter(context, word)
      const again = await context.add(nameOf(word.toUpperCase()))
      await expectFound(context, queryOf(word), [...pets.slice(0, 2), again, ...pets.slice(2)])
    },
  ),
  clause('search.words.none', 'A name with nothing but punctuation is one word.', async (context) => {
    const category = newCategory()
    const pet = await context.add(nameOf('!!!', category))
    for (const text of ['!!!', '!']) await expectFound(context, `categoryId=${category}&${queryOf(text)}`, [pet])
    await expectFound(context, `categoryId=${category}&${queryOf('!?')}`, [])
  }),
  ...[1, 2, 100].map((limit) =>
    clause(
      `search.walk.${limit}`,
      `A walk by \`name\` meets every pet that matches exactly once, in order, and ends: ${limit} on a page.`,
      async (context) => {
        const word = newWord()
        const category = newCategory()
        const pets = await litter(context, word, category)
        const queries: [query: string, finds: (pet: Pet) => boolean][] = [
          ['', () => true],
          ['&view=full', () => true],
          ['&status=sold', ({ status }) => status === 'sold'],
          [`&categoryId=${category}`, () => true],
          [`&categoryId=${category}&status=available`, ({ status }) => status === 'available'],
          [`&categoryId=${newCategory()}`, () => false],
        ]
        for (const [query, finds] of queries) {
          const pages = await pagesOf(context, '/pets', `?limit=${limit}&${queryOf(word)}${query}`)
          const expected = idsOf(pets.filter(finds))
          for (const page of pages) expect(page, petsOf(page).length <= limit, `at most ${limit} pets`)
          for (const page of pages.slice(-1)) {
            const met = idsOf(pages.flatMap(petsOf))
            expect(page, met === expected, `the pets ${expected || 'none'}`, met)
          }
        }
      },
    ),
  ),
  clause(
    'search.walk.changes',
    'A walk by `name` keeps its promise while pets come, go and are renamed.',
    async (context) => {
      const word = newWord()
      const pets = await litter(context, word)
      const leaving = pets.slice(3, 4)
      const pages = await pagesOf(context, '/pets', `?limit=1&${queryOf(word)}`, {
        between: async (_, number) => {
          if (number > 4) return
          await context.add(nameOf(`${word}${number}`))
          if (number === 1) for (const { id } of leaving) expectDeleted(await context.call(remove(id)))
          if (number === 2) for (const { id } of pets.slice(0, 1)) await renamed(context, id, `${word}zz`)
        },
      })
      const met = pages.flatMap(petsOf).map(({ id }) => id)
      const stayed = pets.filter((pet, i) => i > 0 && !leaving.includes(pet)).map(({ id }) => id)
      for (const page of pages.slice(-1)) {
        expect(
          page,
          stayed.every((id) => met.filter((other) => other === id).length === 1),
          'every pet that stayed, once',
          met.join(),
        )
        expect(
          page,
          leaving.every(({ id }) => !met.includes(id)),
          'no pet that was deleted',
          met.join(),
        )
      }
    },
  ),
  clause('search.view', 'With `view=full`, what is found has versions.', async (context) => {
    const word = newWord()
    const { id } = await context.add(nameOf(word))
    const response = await context.call({ path: `/pets?view=full&${queryOf(word)}` })
    expect(
      response,
      recordsOf(response)
        .map((record) => `${record.id} ${record.version}`)
        .join() === `${id} 1`,
      'version 1',
    )
  }),
  clause(
    'search.own-writes',
    'A pet is found as soon as it is added or renamed, and no longer when it is deleted.',
    async (context) => {
      const [word, other] = [newWord(), newWord()]
      const pet = await context.add(nameOf(`One ${word}`))
      await expectFound(context, queryOf(`${word} one`), [pet])
      await renamed(context, pet.id, `Two ${other}`)
      await expectFound(context, queryOf(word), [])
      await expectFound(context, queryOf(other), [pet])
      await renamed(context, pet.id, `Three ${word}`)
      await expectFound(context, queryOf(word), [pet])
      expectDeleted(await context.call(remove(pet.id)))
      await expectFound(context, queryOf(word), [])
      await expectFound(context, queryOf(other), [])
    },
  ),
  clause('search.link', 'The link repeats `name`, `categoryId`, `status` and `view` of the page.', async (context) => {
    const word = newWord()
    const category = newCategory()
    for (let i = 0; i < 2; i++) await context.add(nameOf(`${word} é&+`, category, 'sold'))
    const query = `limit=1&status=sold&${queryOf(`é&+ ${word}`)}&categoryId=${category}&view=full`
    const response = await context.call({ path: `/pets?${query}` })
    const next = new URLSearchParams(nextOf(response))
    const expected = new URLSearchParams(query)
    const isRepeated = [...expected].every(([name, value]) => next.get(name) === value)
    expect(response, isRepeated && next.has('cursor'), `${query} and a cursor`)
    const rest = await context.call({ path: `/pets${nextOf(response)}` })
    expect(rest, petsOf(rest).length === 1 && nextOf(rest) === undefined, 'one more pet, and no Link')
  }),
  clause(
    'search.complete',
    '`Petstore-Search-Incomplete` of a search is absent, or a whole number from 0 to 99; a list never has it.',
    async ({ call }) => {
      for (const query of [queryOf(newWord()), `${queryOf('a')}&limit=1`, `${queryOf('a')}&status=sold&view=full`]) {
        const response = await call({ path: `/pets?${query}` })
        expectStatus(response, 200)
        const value = response.headers.get('petstore-search-incomplete')
        expect(response, value === undefined || /^[1-9]?[0-9]$/.test(value), 'absent, or 0 to 99', value)
      }
      for (const path of ['/pets?limit=1', '/categories?limit=1&name=a']) {
        const response = await call({ path })
        expect(response, !response.headers.has('petstore-search-incomplete'), 'no Petstore-Search-Incomplete')
      }
    },
  ),
  clause('search.head', 'HEAD has the headers of the search.', async (context) => {
    const word = newWord()
    await litter(context, word)
    const path = `/pets?limit=1&${queryOf(word)}`
    const [head, get] = [await context.call({ method: 'HEAD', path }), await context.call({ path })]
    expectStatus(head, 200)
    expect(head, head.text === '' && head.headers.get('link') === get.headers.get('link'), 'the same Link, and no body')
  }),
]

async function renamed({ call }: Pick<Context, 'call'>, id: bigint, name: string) {
  recordOf(await call(patch(id, `{"name":${JSON.stringify(name)}}`)))
}
