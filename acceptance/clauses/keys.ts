import type { Clause } from '../clause.ts'
import { expect, expectError, expectHeader, expectStatus, jsonOf, objectOf } from '../expect.ts'
import { KEY, READ_KEY } from '../placeholders.ts'
import { rejection } from '../rejection.ts'

const SELF = '/keys/self'
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const NOTICE_MS = 14 * 86_400_000

const FIELDS: [field: string, is: string, holds: (value: unknown) => boolean][] = [
  ['id', 'a string', (value) => typeof value === 'string'],
  ['name', 'a string', (value) => typeof value === 'string'],
  ['mode', 'live or test', (value) => value === 'live' || value === 'test'],
  ['scopes', 'an array that names pets:read', (value) => Array.isArray(value) && value.includes('pets:read')],
  ['createdAt', 'a moment', (value) => typeof value === 'string' && DATE_TIME.test(value)],
  ['expiresAt', 'a moment or null', (value) => value === null || (typeof value === 'string' && DATE_TIME.test(value))],
]

const REJECTED =
  'A request with a key in its URL is rejected with 401 invalid_credentials, whatever else it carries, and the message says that the key is exposed'

const EXPOSED: [id: string, path: string, outside: boolean, authorization: string | null][] = [
  ['query', `/pets?api_key=${KEY}&access_token=${KEY}`, false, null],
  ['right-header', `/pets?api_key=${KEY}`, false, `Bearer ${KEY}`],
  ['path', `/pets/${KEY}`, false, `Bearer ${KEY}`],
  ['unknown-path', `/${KEY}`, false, `Bearer ${KEY}`],
  ['outside', `/livez?key=${KEY}`, true, null],
]

export const KEYS: Clause[] = [
  ...FIELDS.map(
    ([field, is, holds]): Clause => ({
      id: `keys.self.${field}`,
      profile: 'full',
      sentence: `GET ${SELF} returns 200 with the key of the request; \`${field}\` is ${is}.`,
      run: async ({ call }) => {
        const response = await call({ path: SELF })
        expectStatus(response, 200)
        expect(response, holds(objectOf(response)[field]), `\`${field}\`: ${is}`)
      },
    }),
  ),
  {
    id: 'keys.self.secret',
    profile: 'full',
    sentence: `GET ${SELF} does not show the text of the key.`,
    run: async ({ call }) => {
      const response = await call({ path: SELF })
      jsonOf(response)
      expect(response, !response.text.includes('petk_'), 'no text of a key')
    },
  },
  {
    id: 'keys.expires',
    profile: 'full',
    sentence:
      'In the last 14 days of a key, and not before, responses carry its expiry in Petstore-Key-Expires, an HTTP-date.',
    run: async ({ call }) => {
      const response = await call({ path: SELF })
      const { expiresAt } = objectOf(response)
      const left = typeof expiresAt === 'string' ? Date.parse(expiresAt) - Date.now() : Infinity
      // At the very moment either is right.
      if (Math.abs(left - NOTICE_MS) < 60_000) return
      if (left < NOTICE_MS) expectHeader(response, 'Petstore-Key-Expires', HTTP_DATE)
      else expect(response, !response.headers.has('petstore-key-expires'), 'no Petstore-Key-Expires')
    },
  },
  rejection(
    'keys.self.no-key',
    `GET ${SELF} needs a key.`,
    { path: SELF, authorization: null },
    401,
    'missing_credentials',
  ),
  ...EXPOSED.map(
    ([id, path, outside, authorization]): Clause => ({
      id: `keys.exposed.${id}`,
      profile: 'full',
      sentence: `${REJECTED}: ${id}.`,
      run: async ({ call }) => {
        const response = await call({ path, outside, authorization })
        expectError(response, 401, 'invalid_credentials')
        expectHeader(response, 'WWW-Authenticate', 'Bearer realm="petstore", error="invalid_token"')
        expect(response, /exposed|leaked/.test(response.text), 'a message that calls the key exposed or leaked')
      },
    }),
  ),
  {
    id: 'scopes.self',
    profile: 'full',
    sentence: `GET ${SELF} needs no scope, and names those that the key has.`,
    needs: 'readKey',
    run: async ({ call }) => {
      const response = await call({ path: SELF, authorization: `Bearer ${READ_KEY}` })
      expectStatus(response, 200)
      expect(response, String(objectOf(response)['scopes']) === 'pets:read', 'the scope pets:read alone')
    },
  },
]
