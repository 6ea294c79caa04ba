import type { Clause } from '../clause.ts'
import { expect, expectError, expectHeader } from '../expect.ts'
import { post } from '../herd.ts'
import { KEY, READ_KEY } from '../placeholders.ts'
import { rejection } from '../rejection.ts'
import type { Request } from '../wire.ts'

const FIRST =
  'A request with several errors gets the first of: 401, 404 for the route, 405, 403, 415, 413, 400, 404 for the pet'
const LONG = '{"name":"verify"}'.padEnd(65_537)
const TEXT = { 'Content-Type': 'text/plain' }

const NO_KEY: [id: string, request: Request][] = [
  ['route', { path: '/nothing' }],
  ['version', { path: '' }],
  ['method', { method: 'DELETE', path: '/pets' }],
  ['type', post('x', TEXT)],
  ['length', post(LONG)],
  ['body', post('{')],
  ['parameter', { path: '/pets?limit=0' }],
  ['pet', { path: '/pets/9223372036854775806' }],
  ['impossible-pet', { path: '/pets/%ZZ' }],
  ['spelling', { path: '/%76%31/%70ets', outside: true }],
  ['spelling-route', { path: '/v%31/%ZZ', outside: true }],
  ['route-type', { ...post(LONG, TEXT), path: '/nothing' }],
  ['scopeless', { method: 'DELETE', path: '/keys/self' }],
]

const ROWS: [id: string, request: Request, status: number, code: string][] = [
  ['bad-key.route', { path: '/nothing', authorization: 'Bearer noise' }, 401, 'invalid_credentials'],
  ['exposed-key.method', { method: 'PUT', path: `/pets/${KEY}` }, 401, 'invalid_credentials'],
  ['exposed-key.no-key', { path: `/nothing?key=${KEY}`, authorization: null }, 401, 'invalid_credentials'],
  ['route.type', { ...post('x', TEXT), path: '/nothing' }, 404, 'route_not_found'],
  ['method.type', { ...post('x', TEXT), method: 'PUT' }, 405, 'method_not_allowed'],
  ['method.pet', { method: 'POST', path: '/pets/abc', body: '{' }, 405, 'method_not_allowed'],
  ['type.length', post(LONG, TEXT), 415, 'unsupported_media_type'],
  ['type.body', post('{', TEXT), 415, 'unsupported_media_type'],
  ['length.body', post(LONG), 413, 'payload_too_large'],
  ['length.idempotency-key', post(LONG, { 'Idempotency-Key': '' }), 413, 'payload_too_large'],
  ['body.idempotency-key', post('{}', { 'Idempotency-Key': '' }), 400, 'invalid_body'],
  ['json.body', post('{"a":1,"a":1}'), 400, 'invalid_json'],
]

const reader = `Bearer ${READ_KEY}`
const SCOPES: [id: string, request: Request, status: number, code: string][] = [
  ['route', { path: '/nothing' }, 404, 'route_not_found'],
  ['method', { method: 'DELETE', path: '/pets' }, 405, 'method_not_allowed'],
  ['type', post('x', TEXT), 403, 'insufficient_scope'],
  ['length', post(LONG), 403, 'insufficient_scope'],
  ['body', post('{'), 403, 'insufficient_scope'],
]

const scopes: Clause[] = [
  ...['/pets', '/pets/9223372036854775806'].map(
    (path, i): Clause => ({
      id: `scopes.read.${['list', 'get'][i]}`,
      profile: 'full',
      sentence: `A key with the scope pets:read may read: ${path}.`,
      needs: 'readKey',
      run: async ({ call }) => {
        const response = await call({ path, authorization: reader })
        expect(response, response.status === [200, 404][i], `the status ${[200, 404][i]}`)
      },
    }),
  ),
  {
    id: 'scopes.write',
    profile: 'full',
    sentence: 'A missing scope is 403 insufficient_scope; WWW-Authenticate names the scope that is needed.',
    needs: 'readKey',
    run: async ({ call }) => {
      const response = await call({ ...post('{"name":"verify","categoryId":1}'), authorization: reader })
      expectError(response, 403, 'insufficient_scope')
      expectHeader(
        response,
        'WWW-Authenticate',
        'Bearer realm="petstore", error="insufficient_scope", scope="pets:write"',
      )
    },
  },
  ...SCOPES.map(
    ([id, request, status, code]): Clause => ({
      ...rejection(
        `scopes.order.${id}`,
        `${FIRST}: the scope and the ${id}.`,
        { ...request, authorization: reader },
        status,
        code,
      ),
      needs: 'readKey',
    }),
  ),
]

/** Only the head is sent. Who gets a response to that has not made the service read a body. */
const unread = (id: string, headers: string, status: number, code: string): Clause => ({
  id: `order.unread.${id}`,
  profile: 'full',
  sentence: `An error before the body was read carries Connection: close: ${status}.`,
  run: async ({ exchange, basePath }) => {
    for (const response of await exchange(`POST ${basePath}/pets HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)) {
      expectError(response, status, code)
      expectHeader(response, 'Connection', 'close')
    }
  },
})

export const ORDER: Clause[] = [
  ...NO_KEY.map(([id, request]) =>
    rejection(
      `order.no-key.${id}`,
      `${FIRST}: no key, and the ${id}.`,
      { ...request, authorization: null },
      401,
      'missing_credentials',
    ),
  ),
  ...ROWS.map(([id, request, status, code]) =>
    rejection(`order.${id}`, `${FIRST}: ${id.replace('.', ' and ')}.`, request, status, code),
  ),
  unread('no-key', 'Content-Length: 1000\r\n', 401, 'missing_credentials'),
  unread(
    'type',
    `Authorization: Bearer ${KEY}\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n`,
    415,
    'unsupported_media_type',
  ),
  unread('length', `Authorization: Bearer ${KEY}\r\nContent-Length: 65537\r\n`, 413, 'payload_too_large'),
  ...scopes,
]
