import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createTestKey } from '../support/factories.ts'

// 401 → 404 route → 405 → 403 → 429 → 415 → 413 → 400 → 404 pet → 412 → 428 → 409: each request is wrong in several ways, and the first counts.
const { call, pool, key } = await startApp()
const reader = (await createTestKey(pool, { scopes: ['pets:read'] })).key
const writer = (await createTestKey(pool, { scopes: ['pets:write'] })).key

const LONG = Buffer.alloc(70_000, 'x')
const TEXT = { 'content-type': 'text/plain' }
const JSON_TYPE = { 'content-type': 'application/json' }

type Row = [
  name: string,
  key: string | null,
  method: string,
  path: string,
  init: RequestInit,
  status: number,
  code: string,
]
const ROWS: Row[] = [
  ['no key before an unknown route', null, 'GET', '/v1/nothing', {}, 401, 'missing_credentials'],
  [
    'no key before an unknown route with a body',
    null,
    'POST',
    '/v1/nothing',
    { body: LONG, headers: TEXT },
    401,
    'missing_credentials',
  ],
  ['no key before the bare version', null, 'GET', '/v1', {}, 401, 'missing_credentials'],
  ['no key before the wrong method', null, 'DELETE', '/v1/pets', {}, 401, 'missing_credentials'],
  ['no key before the wrong type', null, 'POST', '/v1/pets', { body: 'x', headers: TEXT }, 401, 'missing_credentials'],
  [
    'no key before a body too large',
    null,
    'POST',
    '/v1/pets',
    { body: LONG, headers: JSON_TYPE },
    401,
    'missing_credentials',
  ],
  ['no key before a bad body', null, 'POST', '/v1/pets', { body: '{', headers: JSON_TYPE }, 401, 'missing_credentials'],
  ['no key before a bad parameter', null, 'GET', '/v1/pets?limit=0', {}, 401, 'missing_credentials'],
  ['no key before a pet that does not exist', null, 'GET', '/v1/pets/999', {}, 401, 'missing_credentials'],
  ['no key before an id that cannot exist', null, 'GET', '/v1/pets/%ZZ', {}, 401, 'missing_credentials'],
  ['no key where the version is spelled in escapes', null, 'GET', '/%76%31/pets', {}, 401, 'missing_credentials'],
  ['no key on an unknown route spelled in escapes', null, 'GET', '/v%31/%ZZ', {}, 401, 'missing_credentials'],
  ['no key before what needs no scope', null, 'DELETE', '/v1/keys/self', {}, 401, 'missing_credentials'],
  ['a key in the URL before no key', null, 'GET', `/v1/nothing?key=${key}`, {}, 401, 'invalid_credentials'],
  ['a key in the URL before the wrong method', key, 'PUT', `/v1/pets/${key}`, {}, 401, 'invalid_credentials'],
  ['the wrong method where no scope is needed', reader, 'DELETE', '/v1/keys/self', {}, 405, 'method_not_allowed'],
  ['a bad key before an unknown route', 'noise', 'GET', '/v1/nothing', {}, 401, 'invalid_credentials'],
  [
    'an unknown route before the wrong type',
    key,
    'POST',
    '/v1/nothing',
    { body: LONG, headers: TEXT },
    404,
    'route_not_found',
  ],
  ['an unknown route before the scope', writer, 'GET', '/v1/nothing', {}, 404, 'route_not_found'],
  ['the wrong method before the scope', reader, 'DELETE', '/v1/pets', {}, 405, 'method_not_allowed'],
  [
    'the wrong method before the wrong type',
    key,
    'PUT',
    '/v1/pets',
    { body: LONG, headers: TEXT },
    405,
    'method_not_allowed',
  ],
  [
    'the wrong method before a pet that cannot exist',
    key,
    'POST',
    '/v1/pets/abc',
    { body: '{' },
    405,
    'method_not_allowed',
  ],
  [
    'the scope before the wrong type',
    reader,
    'POST',
    '/v1/pets',
    { body: 'x', headers: TEXT },
    403,
    'insufficient_scope',
  ],
  [
    'the scope before a body too large',
    reader,
    'POST',
    '/v1/pets',
    { body: LONG, headers: JSON_TYPE },
    403,
    'insufficient_scope',
  ],
  [
    'the scope before a bad body',
    reader,
    'POST',
    '/v1/pets',
    { body: '{', headers: JSON_TYPE },
    403,
    'insufficient_scope',
  ],
  ['the scope before a bad parameter', writer, 'GET', '/v1/pets?limit=0', {}, 403, 'insufficient_scope'],
  ['the scope before a pet that cannot exist', writer, 'GET', '/v1/pets/abc', {}, 403, 'insufficient_scope'],
  [
    'the wrong type before a body too large',
    key,
    'POST',
    '/v1/pets',
    { body: LONG, headers: TEXT },
    415,
    'unsupported_media_type',
  ],
  [
    'the wrong type before a bad body',
    key,
    'POST',
    '/v1/pets',
    { body: '{', headers: TEXT },
    415,
    'unsupported_media_type',
  ],
  [
    'a body too large before a bad body',
    key,
    'POST',
    '/v1/pets',
    { body: LONG, headers: JSON_TYPE },
    413,
    'payload_too_large',
  ],
  [
    'a body too large before a malformed Idempotency-Key',
    key,
    'POST',
    '/v1/pets',
    { body: LONG, headers: { ...JSON_TYPE, 'idempotency-key': '' } },
    413,
    'payload_too_large',
  ],
  [
    'a body that is not a pet before a malformed Idempotency-Key',
    key,
    'POST',
    '/v1/pets',
    { body: '{}', headers: { ...JSON_TYPE, 'idempotency-key': '' } },
    400,
    'invalid_body',
  ],
  [
    'not JSON before not a pet',
    key,
    'POST',
    '/v1/pets',
    { body: '{"a":1,"a":1}', headers: JSON_TYPE },
    400,
    'invalid_json',
  ],
  [
    'a bad body before an id that cannot exist',
    key,
    'PATCH',
    '/v1/pets/abc',
    { body: '{}', headers: JSON_TYPE },
    400,
    'invalid_body',
  ],
  [
    'a malformed If-Match before an id that cannot exist',
    key,
    'DELETE',
    '/v1/pets/abc',
    { headers: { 'if-match': 'x' } },
    400,
    'invalid_parameter',
  ],
  [
    'a bad body before a malformed If-Match',
    key,
    'PATCH',
    '/v1/pets/1',
    { body: '{}', headers: { ...JSON_TYPE, 'if-match': 'x' } },
    400,
    'invalid_body',
  ],
  [
    'a pet that does not exist before its version',
    key,
    'DELETE',
    '/v1/pets/999',
    { headers: { 'if-match': '"7"' } },
    404,
    'pet_not_found',
  ],
]
for (const [name, rowKey, method, path, init, status, code] of ROWS) {
  test(`${name}: ${status} ${code}`, async () => {
    const answer = await call(path, { ...init, method, key: rowKey })
    assertError(answer, status, code)
    const bodyUnread = init.body !== undefined && status !== 400
    assert.equal(answer.headers.get('connection'), bodyUnread ? 'close' : 'keep-alive')
  })
}
