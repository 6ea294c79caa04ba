import type { Clause, Context } from '../clause.ts'
import { expectError, expectHeader, expectStatus } from '../expect.ts'
import { post } from '../herd.ts'
import { KEY, LONGER_KEY, SHORTER_KEY } from '../placeholders.ts'
import { rejection } from '../rejection.ts'
import type { Request } from '../wire.ts'

const NEW_PET = '{"name":"verify","categoryId":1}'

const OPERATIONS: [name: string, success: number, request: (context: Context) => Promise<Request>][] = [
  ['listPets', 200, async () => ({ path: '/pets' })],
  ['createPet', 201, async () => post(NEW_PET)],
  ['getPet', 200, async ({ pet }) => ({ path: `/pets/${(await pet()).id}` })],
]

const ACCEPTED =
  'The API key is sent as the bearer token in the `Authorization` header; the scheme applies to every operation'
const REJECTED = 'When the credential is missing or invalid, the response is 401 with an Error body'

const NO_CREDENTIAL: [id: string, what: string, authorization: string | null][] = [
  ['missing', 'no Authorization header', null],
  ['empty', 'Bearer without a token', 'Bearer '],
  ['scheme-missing', 'the key without a scheme', KEY],
  ['scheme-other', 'another scheme', `Basic ${KEY}`],
]
const WRONG_CREDENTIAL: typeof NO_CREDENTIAL = [
  ['unknown', 'a token that is no key', 'Bearer not-a-key'],
  ['shorter', 'the key without its last character', `Bearer ${SHORTER_KEY}`],
  ['longer', 'the key with a character more', `Bearer ${LONGER_KEY}`],
]

const spec: Clause[] = OPERATIONS.flatMap(([name, success, request]) => [
  {
    id: `authentication.${name}.accepted`,
    profile: 'spec' as const,
    sentence: `${ACCEPTED}: ${name}.`,
    run: async (context) => expectStatus(await context.call(await request(context)), success),
  },
  ...[...NO_CREDENTIAL, ...WRONG_CREDENTIAL].map(
    ([id, what, authorization]): Clause => ({
      id: `authentication.${name}.${id}`,
      profile: 'spec',
      sentence: `${REJECTED}: ${name} with ${what}.`,
      run: async (context) => expectError(await context.call({ ...(await request(context)), authorization }), 401),
    }),
  ),
])

const CHALLENGE = 'Bearer realm="petstore"'
const INVALID = `${CHALLENGE}, error="invalid_token"`

function code(id: string, what: string, authorization: string | null, expected: string, challenge: string): Clause {
  return {
    id: `authentication.code.${id}`,
    profile: 'full',
    sentence: `401 ${expected} with WWW-Authenticate: ${challenge}, for ${what}.`,
    run: async ({ call }) => {
      const response = await call({ path: '/pets', authorization })
      expectError(response, 401, expected)
      expectHeader(response, 'WWW-Authenticate', challenge)
    },
  }
}

const ONLY_THE_HEADER = 'Nothing but the Authorization header is read'

const full: Clause[] = [
  ...NO_CREDENTIAL.map(([id, what, value]) => code(id, what, value, 'missing_credentials', CHALLENGE)),
  ...WRONG_CREDENTIAL.map(([id, what, value]) => code(id, what, value, 'invalid_credentials', INVALID)),
  code('noise', 'a token in two words', `Bearer ${KEY} ${KEY}`, 'invalid_credentials', INVALID),
  ...['bearer', 'BEARER', 'Bearer  '].map(
    (scheme, i): Clause => ({
      id: `authentication.scheme.${['lower-case', 'upper-case', 'spaces'][i]}`,
      profile: 'full',
      sentence: 'The scheme may be written in any case, with one or more spaces after it.',
      run: async ({ call }) => expectStatus(await call({ path: '/pets', authorization: `${scheme} ${KEY}` }), 200),
    }),
  ),
  ...['Cookie', 'X-Api-Key', 'Proxy-Authorization'].map((header) =>
    rejection(
      `authentication.elsewhere.${header.toLowerCase()}`,
      `${ONLY_THE_HEADER}: not ${header}.`,
      {
        path: '/pets',
        authorization: null,
        headers: { [header]: header === 'Cookie' ? `key=${KEY}` : `Bearer ${KEY}` },
      },
      401,
      'missing_credentials',
    ),
  ),
  rejection(
    'authentication.escaped',
    'A path that is spelled in escapes needs a valid key too.',
    { path: '/%76%31/pets', outside: true, authorization: `Bearer ${LONGER_KEY}` },
    401,
    'invalid_credentials',
  ),
  {
    id: 'authentication.twice',
    profile: 'full',
    sentence: 'Two Authorization headers are rejected with 401 invalid_credentials, even when both are valid.',
    run: async ({ exchange, basePath }) => {
      const header = `Authorization: Bearer ${KEY}\r\n`
      const head = `GET ${basePath}/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`
      for (const response of await exchange(`${head}${header}${header}\r\n`)) {
        expectError(response, 401, 'invalid_credentials')
        expectHeader(response, 'WWW-Authenticate', INVALID)
      }
    },
  },
]

export const AUTHENTICATION = [...spec, ...full]
