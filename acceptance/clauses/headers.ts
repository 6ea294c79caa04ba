import type { Answer } from '../answer.ts'
import type { Clause } from '../clause.ts'
import { expect, expectHeader, expectNoHeader } from '../expect.ts'
import { post } from '../herd.ts'
import type { Request } from '../wire.ts'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

// One for each way that an answer comes about.
const ANSWERS: Request[] = [
  { path: '/pets?limit=1' },
  post('{"name":"verify","categoryId":1}'),
  { path: '/pets?limit=0' },
  post('{'),
  { path: '/pets', authorization: null },
  { path: '/pets/9223372036854775806' },
  { path: '/nothing' },
  { path: '/nothing', outside: true },
  { method: 'DELETE', path: '/pets' },
  { method: 'OPTIONS', path: '/pets' },
  { path: '/livez', outside: true, authorization: null },
  { path: '/openapi.json', outside: true, authorization: null },
]

const EVERYWHERE: [id: string, sentence: string, check: (answer: Answer) => void][] = [
  ['request-id', 'Every answer carries Request-Id.', (answer) => expectHeader(answer, 'Request-Id', REQUEST_ID)],
  [
    'no-store',
    'Every answer carries Cache-Control: no-store.',
    (answer) => expectHeader(answer, 'Cache-Control', 'no-store'),
  ],
  [
    'nosniff',
    'Every answer carries X-Content-Type-Options: nosniff.',
    (answer) => expectHeader(answer, 'X-Content-Type-Options', 'nosniff'),
  ],
  ['no-server', 'No answer carries Server.', (answer) => expectNoHeader(answer, 'Server')],
  ['no-powered-by', 'No answer carries X-Powered-By.', (answer) => expectNoHeader(answer, 'X-Powered-By')],
  [
    'plain-json',
    'Every body is application/json, without parameters, which JSON does not have.',
    (answer) => answer.text === '' || expectHeader(answer, 'Content-Type', 'application/json'),
  ],
]

const KEPT = ['a', 'A.b_c-9', 'x'.repeat(128)]
const REPLACED = ['x'.repeat(129), 'with space', 'semi;colon', 'slash/']

export const HEADERS: Clause[] = [
  ...EVERYWHERE.map(
    ([id, sentence, check]): Clause => ({
      id: `headers.${id}`,
      profile: 'full',
      sentence,
      run: async ({ call }) => {
        for (const request of ANSWERS) check(await call(request))
      },
    }),
  ),
  {
    id: 'headers.request-id.new',
    profile: 'full',
    sentence: 'No two answers get the same Request-Id.',
    run: async ({ call }) => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => call({ path: '/pets?limit=1' })))
      const ids = new Set(answers.map(({ headers }) => headers.get('request-id')))
      for (const answer of answers.slice(0, 1))
        expect(answer, ids.size === answers.length, 'a new Request-Id each time')
    },
  },
  ...KEPT.map(
    (id, i): Clause => ({
      id: `headers.request-id.kept.${i + 1}`,
      profile: 'full',
      sentence: 'A well-formed incoming Request-Id (1 to 128 letters, digits, `.`, `_`, `-`) is kept.',
      run: async ({ call }) =>
        expectHeader(await call({ path: '/pets?limit=1', headers: { 'Request-Id': id } }), 'Request-Id', id),
    }),
  ),
  ...REPLACED.map(
    (id, i): Clause => ({
      id: `headers.request-id.replaced.${i + 1}`,
      profile: 'full',
      sentence: 'An incoming Request-Id that is not well-formed is replaced.',
      run: async ({ call }) => {
        const answer = await call({ path: '/pets?limit=1', headers: { 'Request-Id': id } })
        expectHeader(answer, 'Request-Id', REQUEST_ID)
        expect(answer, answer.headers.get('request-id') !== id, 'another Request-Id')
      },
    }),
  ),
  {
    id: 'headers.host',
    profile: 'full',
    sentence: 'Links are never built from Host.',
    run: async ({ call, herd }) => {
      await herd()
      const headers = { Host: 'evil.example' }
      for (const request of [{ path: '/pets?limit=1', headers }, post('{"name":"verify","categoryId":1}', headers)]) {
        const answer = await call(request)
        const links = `${answer.headers.get('link') ?? ''}${answer.headers.get('location') ?? ''}`
        expect(answer, links !== '' && !links.includes('evil.example'), 'a link that does not repeat Host')
      }
    },
  },
]
