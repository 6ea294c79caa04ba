import type { Clause } from '../clause.ts'
import { expect, expectHeader, expectNoHeader } from '../expect.ts'
import { post } from '../herd.ts'
import type { Response } from '../response.ts'
import type { Request } from '../wire.ts'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

// One for each way that a response comes about.
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

const EVERYWHERE: [id: string, sentence: string, check: (response: Response) => void][] = [
  ['request-id', 'Every response carries Request-Id.', (response) => expectHeader(response, 'Request-Id', REQUEST_ID)],
  [
    'no-store',
    'Every response carries Cache-Control: no-store.',
    (response) => expectHeader(response, 'Cache-Control', 'no-store'),
  ],
  [
    'nosniff',
    'Every response carries X-Content-Type-Options: nosniff.',
    (response) => expectHeader(response, 'X-Content-Type-Options', 'nosniff'),
  ],
  ['no-server', 'No response carries Server.', (response) => expectNoHeader(response, 'Server')],
  ['no-powered-by', 'No response carries X-Powered-By.', (response) => expectNoHeader(response, 'X-Powered-By')],
  [
    'plain-json',
    'Every body is application/json, without parameters, which JSON does not have.',
    (response) => response.text === '' || expectHeader(response, 'Content-Type', 'application/json'),
  ],
]

const KEPT = ['a', 'A.b_c-9', 'x'.repeat(128)]
const REPLACED = ['x'.repeat(129), 'with space', 'semi;colon', 'slash/', 'petk_test_0123456789']

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
    sentence: 'No two responses get the same Request-Id.',
    run: async ({ call }) => {
      const responses = await Promise.all(Array.from({ length: 10 }, () => call({ path: '/pets?limit=1' })))
      const ids = new Set(responses.map(({ headers }) => headers.get('request-id')))
      for (const response of responses.slice(0, 1))
        expect(response, ids.size === responses.length, 'a new Request-Id each time')
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
        const response = await call({ path: '/pets?limit=1', headers: { 'Request-Id': id } })
        expectHeader(response, 'Request-Id', REQUEST_ID)
        expect(response, response.headers.get('request-id') !== id, 'another Request-Id')
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
        const response = await call(request)
        const links = `${response.headers.get('link') ?? ''}${response.headers.get('location') ?? ''}`
        expect(response, links !== '' && !links.includes('evil.example'), 'a link that does not repeat Host')
      }
    },
  },
]
