import type { Clause, Context } from '../clause.ts'
import { expect, expectError, expectHeader, expectStatus, objectOf } from '../expect.ts'
import { KEY, SHORTER_KEY } from '../placeholders.ts'
import { rejection } from '../rejection.ts'
import type { Request } from '../wire.ts'

const NEW_PET = '{"name":"verify","categoryId":1}'
const NO_ROUTE =
  'Nothing is served at an unknown path, with a slash more or less, or in another case: 404, never a redirect'

const UNKNOWN = [
  '',
  '/',
  '/pet',
  '/pets/',
  '/pets/1/',
  '/pets/1/2',
  '//pets',
  '/Pets',
  '/store',
  '/%ZZ',
  '/keys/',
  '/keys/self/',
  '/deprecations/',
]
const UNKNOWN_OUTSIDE = [
  '/pets',
  '/V1/pets',
  '//v1/pets',
  '/v2/pets',
  '/livez/',
  '/%ZZ',
  '/v1x',
  '/metrics',
  '/favicon.ico',
]

const PATHS: [name: string, path: string, allow: string, others: string[]][] = [
  ['pets', '/pets', 'GET, HEAD, POST, OPTIONS', ['PUT', 'PATCH', 'DELETE', 'TRACE']],
  ['pet', '/pets/1', 'GET, HEAD, PATCH, DELETE, OPTIONS', ['POST', 'PUT']],
  ['key', '/keys/self', 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE']],
  ['keys', '/keys', 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE']],
  ['key-names', '/keys/names', 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE']],
  ['status', '/status', 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE']],
  ['deprecations', '/deprecations', 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE']],
]

/** Lists no pet that another clause changes meanwhile. */
const HEADS: [id: string, request: Request | ((context: Context) => Promise<Request>)][] = [
  ['list', async ({ pet }) => ({ path: `/pets?id=${(await pet()).id}` })],
  ['pet', async ({ pet }) => ({ path: `/pets/${(await pet()).id}` })],
  ['key', { path: '/keys/self' }],
  ['live', { path: '/livez', outside: true }],
  ['document', { path: '/openapi.json', outside: true }],
  ['missing', { path: '/pets/9223372036854775806' }],
  ['bad-parameter', { path: '/pets?limit=0' }],
  ['no-key', { path: '/pets', authorization: null }],
  ['no-route', { path: '/nothing' }],
]

const options = ([name, path, allow, others]: (typeof PATHS)[number]): Clause[] => [
  {
    id: `routes.options.${name}`,
    profile: 'full',
    sentence: `OPTIONS returns 204 with Allow, without a key: ${path}.`,
    run: async ({ call }) => {
      const response = await call({ method: 'OPTIONS', path, authorization: null })
      expectStatus(response, 204)
      expectHeader(response, 'Allow', allow)
      expect(response, response.text === '', 'no body')
    },
  },
  ...others.map(
    (method): Clause => ({
      id: `routes.method.${name}.${method.toLowerCase()}`,
      profile: 'full',
      sentence: `A method that the path does not have is 405 with Allow: ${method} ${path}.`,
      run: async ({ call }) => {
        const response = await call({ method, path })
        expectError(response, 405, 'method_not_allowed')
        expectHeader(response, 'Allow', allow)
      },
    }),
  ),
]

export const ROUTES: Clause[] = [
  ...UNKNOWN.map((path, i) =>
    rejection(`routes.unknown.${i + 1}`, `${NO_ROUTE}: /v1${path}`, { path }, 404, 'route_not_found'),
  ),
  ...UNKNOWN_OUTSIDE.map((path, i) =>
    rejection(
      `routes.unknown.outside.${i + 1}`,
      `${NO_ROUTE}: ${path}`,
      { path, outside: true },
      404,
      'route_not_found',
    ),
  ),
  ...PATHS.flatMap(options),
  rejection(
    'routes.options.unknown',
    'OPTIONS on an unknown path is 404, with a key.',
    { method: 'OPTIONS', path: '/nothing' },
    404,
    'route_not_found',
  ),
  rejection(
    'routes.options.unknown-no-key',
    'OPTIONS on an unknown path is 401, without a key.',
    { method: 'OPTIONS', path: '/nothing', authorization: null },
    401,
    'missing_credentials',
  ),
  ...HEADS.map(
    ([id, request]): Clause => ({
      id: `routes.head.${id}`,
      profile: 'full',
      sentence: `HEAD returns what GET returns, without the body: ${id}.`,
      run: async (context) => {
        const asked = typeof request === 'function' ? await request(context) : request
        const get = await context.call(asked)
        const head = await context.call({ ...asked, method: 'HEAD' })
        expectStatus(head, get.status)
        expect(head, head.text === '', 'no body')
        for (const name of [
          'content-type',
          'content-length',
          'link',
          'deprecation',
          'www-authenticate',
          'cache-control',
        ]) {
          const value = get.headers.get(name)
          expect(head, head.headers.get(name) === value, `the ${name} of GET: ${value ?? 'none'}`)
        }
      },
    }),
  ),
  ...['/livez', '/readyz', '/openapi.json'].map(
    (path): Clause => ({
      id: `routes.public.${path.slice(1).replace('.json', '')}`,
      profile: 'full',
      sentence: `${path} returns 200 with JSON, without a key.`,
      run: async ({ call }) => {
        const response = await call({ path, outside: true, authorization: null })
        expectStatus(response, 200)
        objectOf(response)
      },
    }),
  ),
  ...['/%76%31/pets', '/v1/%70ets', '/v%31/pets', '/%761/pets', '/%76%31/%70%65%74%73', '/v1/pet%73'].map(
    (path, i): Clause => ({
      id: `routes.spelling.${i + 1}`,
      profile: 'full',
      sentence: `The routes decide, not the text of the path: ${path} is /v1/pets, and needs a key too.`,
      run: async ({ call }) => {
        expectStatus(await call({ path, outside: true }), 200)
        for (const request of [{}, { method: 'POST', body: NEW_PET }]) {
          const asked = { ...request, path, outside: true }
          expectError(await call({ ...asked, authorization: null }), 401, 'missing_credentials')
          expectError(await call({ ...asked, authorization: `Bearer ${SHORTER_KEY}` }), 401, 'invalid_credentials')
        }
      },
    }),
  ),
  {
    id: 'routes.spelling.absolute',
    profile: 'full',
    sentence: 'The routes decide, not the text of the path: http://x/v1/pets is /v1/pets, and needs a key too.',
    run: async ({ exchange, basePath }) => {
      const head = `GET http://x${basePath}/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`
      for (const response of await exchange(`${head}Authorization: Bearer ${KEY}\r\n\r\n`)) expectStatus(response, 200)
      for (const response of await exchange(`${head}\r\n`)) expectError(response, 401, 'missing_credentials')
      for (const response of await exchange(`${head}Authorization: Bearer ${SHORTER_KEY}\r\n\r\n`))
        expectError(response, 401, 'invalid_credentials')
    },
  },
]
