import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { judge } from '../../fuzz/oracle/request.ts'
import { repeatLines } from '../../fuzz/repeat.ts'
import { encode, type Request } from '../../fuzz/request.ts'

// The oracle decides what the fuzzer believes; these are sentences of the contract, as a reader understands them.
const KEY = 'petk_test_secret'

function request(method: string, target: string, rest: Partial<Request> = {}): Request {
  const headers: Request['headers'] = [
    ['Host', 'x'],
    ['Authorization', `Bearer ${KEY}`],
  ]
  return { method, target, version: '1.1', headers, ...rest }
}

const post = (text: string) => request('POST', '/v1/pets', { body: Buffer.from(text).toString('latin1') })
const REX = { id: 1n, name: 'Rex', categoryId: 7n }
const keyed = (...keys: string[]) => {
  const plain = post('{"name":"Rex","categoryId":7}')
  return { ...plain, headers: [...plain.headers, ...keys.map((key): [string, string] => ['Idempotency-Key', key])] }
}
const anonymous = { headers: [['Host', 'x']] satisfies Request['headers'] }

const ROWS: [name: string, given: Request, status: number, code?: string][] = [
  ['a pet', post('{"name":"Rex","categoryId":9223372036854775807}'), 201],
  ['a pet in other words', post(' {"categor\\u0079Id":50e-1,"x":1e400,"name":"🐢"}'), 201],
  ['255 code points', post(`{"name":"${'🐢'.repeat(255)}","categoryId":1}`), 201],
  ['256 code points', post(`{"name":"${'🐢'.repeat(256)}","categoryId":1}`), 400, 'invalid_body'],
  ['an invisible name', post('{"name":" \\u200b","categoryId":1}'), 400, 'invalid_body'],
  ['half of a pair', post('{"name":"a\\ud800","categoryId":1}'), 400, 'invalid_body'],
  ['2^63', post('{"name":"a","categoryId":9223372036854775808}'), 400, 'invalid_body'],
  ['a fraction', post('{"name":"a","categoryId":1.5}'), 400, 'invalid_body'],
  ['an exponent beyond 64', post('{"name":"a","categoryId":0e65}'), 400, 'invalid_body'],
  ['a status of null', post('{"name":"a","categoryId":1,"status":null}'), 400, 'invalid_body'],
  ['a key twice', post('{"name":"a","n\\u0061me":"a","categoryId":1}'), 400, 'invalid_json'],
  ['32 levels', post(`{"name":"a","categoryId":1,"x":${'['.repeat(31)}${']'.repeat(31)}}`), 201],
  ['33 levels', post(`{"name":"a","categoryId":1,"x":${'['.repeat(32)}${']'.repeat(32)}}`), 400, 'invalid_json'],
  ['a byte order mark', post('\ufeff{"name":"a","categoryId":1}'), 400, 'invalid_json'],
  ['a raw line end in a string', post('{"name":"a\n","categoryId":1}'), 400, 'invalid_json'],
  ['a new key', keyed('new'), 201],
  ['a key in quotes', keyed('"new \\" \\\\"'), 201],
  ['a used key with its pet', keyed('used'), 201],
  [
    'a used key with another pet',
    { ...keyed('used'), body: '{"name":"Momo","categoryId":7}' },
    422,
    'idempotency_key_reused',
  ],
  ['an empty key', keyed(''), 400, 'invalid_idempotency_key'],
  ['a key of 256 characters', keyed('k'.repeat(256)), 400, 'invalid_idempotency_key'],
  ['a key whose quote is not closed', keyed('"new\\"'), 400, 'invalid_idempotency_key'],
  ['two keys', keyed('new', 'new'), 400, 'invalid_idempotency_key'],
  ['a bad key with a bad body', { ...keyed(''), body: '{}' }, 400, 'invalid_body'],
  ['a limit of 100', request('GET', '/v1/pets?limit=100'), 200],
  ['a limit of 101', request('GET', '/v1/pets?limit=101'), 400, 'invalid_parameter'],
  ['a status twice', request('GET', '/v1/pets?status=sold&status=sold'), 400, 'invalid_parameter'],
  ['an id that is not canonical', request('GET', '/v1/pets/01'), 404, 'pet_not_found'],
  ['bad percent-encoding', request('GET', '/v1/pets/%ZZ'), 404, 'pet_not_found'],
  ['nothing after the slash', request('GET', '/v1/pets/'), 404, 'route_not_found'],
  ['no key, whatever else is wrong', request('PUT', '/v1/nothing?limit=0', anonymous), 401, 'missing_credentials'],
  ['OPTIONS without a key', request('OPTIONS', '/%76%31/pets', anonymous), 204],
  ['an unknown path outside', request('GET', '/v1%2Fpets', anonymous), 404, 'route_not_found'],
  ['a key in the URL', request('GET', `/v1/pets?x=${KEY}`), 401, 'invalid_credentials'],
  ['a key in a public URL', request('GET', `/livez?x=${KEY}`, anonymous), 401, 'invalid_credentials'],
  ['OPTIONS with a key in the URL', request('OPTIONS', `/v1/pets/${KEY}`, anonymous), 204],
  ['the own key', request('GET', '/v1/keys/self'), 200],
  ['the own key without a key', request('GET', '/v1/keys/self', anonymous), 401, 'missing_credentials'],
  ['its deprecated calls', request('GET', '/v1/deprecations'), 200],
  ['a slash too many', request('GET', '/v1/deprecations/'), 404, 'route_not_found'],
  ['another method', request('DELETE', '/v1/pets/1'), 405, 'method_not_allowed'],
]
for (const [name, given, status, code] of ROWS) {
  test(`the oracle expects ${status} ${code ?? ''} for ${name}`, () => {
    const { statuses, codes = [] } = judge(given, { key: KEY, createdBy: (key) => (key === 'used' ? REX : undefined) })
    assert.equal(statuses[0], status)
    if (code !== undefined) assert.deepEqual(codes, [code])
  })
}

test('the line that repeats a finding sends the same bytes, and does not show the key', () => {
  const given = { ...post('{"name":"%s \\\\ \' \t🐢\0\\u0000"}'), version: '1.0' as const }
  const { head, body } = encode(given)
  const [line = ''] = repeatLines([{ requests: [given], broken: 'more\0' }], 'http://127.0.0.1:1', KEY)
  assert.ok(!line.includes(KEY))
  const printed = execFileSync('bash', ['--norc', '-c', line.replace(/ \| nc .*$/, '')], { env: { PETSTORE_KEY: KEY } })
  assert.equal(printed.toString('latin1'), `${head}${body}more\0`)
})
