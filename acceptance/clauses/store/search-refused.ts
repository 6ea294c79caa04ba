import type { Clause } from '../../clause.ts'
import { expect, expectError, petsOf } from '../../expect.ts'
import { litter, newWord, queryOf } from '../../search.ts'
import { clause, messageOf, newCategory, refused } from '../../store.ts'
import { nextOf } from '../../walk.ts'

const REFUSED: [id: string, what: string, query: string][] = [
  ['empty', 'empty', 'name='],
  ['space', 'white space', 'name=%20%E3%80%80'],
  ['nine-words', 'nine words', 'name=a+b+c+d+e+f+g+h+i'],
  ['long', '256 characters', `name=${'a'.repeat(256)}`],
  ['twice', 'twice', 'name=mo&name=mo'],
]

export const SEARCH_REFUSED: Clause[] = [
  ...REFUSED.map(([id, what, query]) =>
    refused(
      `search.refused.${id}`,
      `\`name\` takes 1 to 8 words in at most 255 characters; anything else is 400: ${what}.`,
      { path: `/pets?${query}` },
      400,
      'invalid_parameter',
    ),
  ),
  clause(
    'search.refused.message',
    'Without a word, or with nine, the message says how many there may be.',
    async ({ call }) => {
      for (const name of ['%20', 'a+b+c+d+e+f+g+h+i']) {
        const response = await call({ path: `/pets?name=${name}` })
        expect(response, messageOf(response) === '`name` must have 1 to 8 words.', '"`name` must have 1 to 8 words."')
      }
    },
  ),
  ...['sort=newest', 'sort=oldest', 'id=1'].map((other) =>
    clause(
      `search.refused.${other.replace('=', '-')}`,
      `\`name\` is not combined with \`sort\` or \`id\`: with ${other} it is 400, and the message says why.`,
      async ({ call }) => {
        const response = await call({ path: `/pets?name=mo&${other}` })
        expectError(response, 400, 'invalid_parameter')
        const [parameter] = other.split('=')
        const expected = `\`name\` cannot be combined with \`${parameter}\`: its pages are in the order of the words.`
        expect(response, messageOf(response) === expected, expected)
      },
    ),
  ),
  clause(
    'search.cursor',
    'A cursor of a search is good for no other search, nor for a list, nor theirs for it: 400.',
    async (context) => {
      const word = newWord()
      const category = newCategory()
      await litter(context, word, category)
      const cursorOf = async (query: string) => {
        const page = await context.call({ path: `/pets?limit=1&${query}` })
        const cursor = new URLSearchParams(nextOf(page)).get('cursor')
        expect(page, cursor !== null, 'a Link to a next page, with a cursor')
        return cursor
      }
      const searched = await cursorOf(queryOf(word))
      const inCategory = await cursorOf(`${queryOf(word)}&categoryId=${category}`)
      const listed = await cursorOf(`categoryId=${category}`)
      for (const query of [
        `name=${newWord()}&cursor=${searched}`,
        `${queryOf(`${word}e`)}&cursor=${searched}`,
        `${queryOf(`${word} big`)}&cursor=${searched}`,
        `cursor=${searched}`,
        `sort=newest&cursor=${searched}`,
        `${queryOf(word)}&cursor=${inCategory}`,
        `${queryOf(word)}&cursor=${listed}`,
        `${queryOf(word)}&cursor=${searched}A`,
        `${queryOf(word)}&cursor=`,
      ])
        await refused('', '', { path: `/pets?limit=1&${query}` }, 400, 'invalid_cursor').run(context)
      // It says the same in other letters.
      const response = await context.call({ path: `/pets?limit=1&${queryOf(word.toUpperCase())}&cursor=${searched}` })
      expect(response, petsOf(response).length === 1, 'the second pet')
    },
  ),
]
