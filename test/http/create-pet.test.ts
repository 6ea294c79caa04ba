import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'

const { call, pool } = await startApp()

const count = async () => (await pool.query<{ count: string }>('select count(*) from pets')).rows[0]!.count

test('an added pet comes back with its id, and Location says where it is', async () => {
  const { status, body, headers, text } = await call(
    '/v1/pets',
    postJson('{"name":"Rex","categoryId":7,"status":"sold"}'),
  )
  assert.equal(status, 201)
  const { id } = body as { id: bigint }
  assert.equal(text, `{"id":${id},"name":"Rex","categoryId":7,"status":"sold"}`)
  assert.equal(headers.get('location'), `/v1/pets/${id}`)
  assert.equal((await call(`/v1/pets/${id}`)).text, text)
})

test('ids start at 1, grow, and stay below 2^53', async () => {
  const { rows } = await pool.query<{ start: string; max: string }>(
    `select start_value as start, max_value as max from pg_sequences where sequencename = 'pets_id_seq'`,
  )
  assert.deepEqual(rows, [{ start: '1', max: String(2n ** 53n - 1n) }])
})

test('without a status in, there is no status out', async () => {
  const { body, text } = await call('/v1/pets', postJson({ name: 'Plain', categoryId: 1 }))
  assert.ok(!text.includes('status'))
  const { id } = body as { id: bigint }
  assert.ok(!(await call(`/v1/pets/${id}`)).text.includes('status'))
})

const rex = (fields: string) => `{"name":"Rex",${fields}}`

// Each is accepted, and comes back with this categoryId or name.
const ACCEPTED: [name: string, body: string, back: Record<string, unknown>][] = [
  ['an integer', rex('"categoryId":5'), { categoryId: 5n }],
  ['zero', rex('"categoryId":0'), { categoryId: 0n }],
  ['minus zero', rex('"categoryId":-0'), { categoryId: 0n }],
  ['a fraction of zeros', rex('"categoryId":5.0'), { categoryId: 5n }],
  ['an exponent', rex('"categoryId":5e0'), { categoryId: 5n }],
  ['the largest int64', rex('"categoryId":9223372036854775807'), { categoryId: 2n ** 63n - 1n }],
  ['the smallest int64', rex('"categoryId":-9223372036854775808'), { categoryId: -(2n ** 63n) }],
  ['2^53 + 1', rex('"categoryId":9007199254740993'), { categoryId: 9007199254740993n }],
  ['status available', rex('"categoryId":1,"status":"available"'), { status: 'available' }],
  ['status pending', rex('"categoryId":1,"status":"pending"'), { status: 'pending' }],
  ['status sold', rex('"categoryId":1,"status":"sold"'), { status: 'sold' }],
  ['an unknown field', rex('"categoryId":1,"colour":"red"'), { categoryId: 1n }],
  ['an id, which is not taken', rex('"categoryId":1,"id":77777'), { categoryId: 1n }],
  ['__proto__ and constructor', rex('"categoryId":1,"__proto__":{"x":1},"constructor":2'), { categoryId: 1n }],
  ['a deep unknown field', rex(`"categoryId":1,"x":${'['.repeat(31)}${']'.repeat(31)}`), { categoryId: 1n }],
  ['white space between tokens', ' {\n"name" :\t"Rex" , "categoryId" : 1 }\r\n', { name: 'Rex' }],
  ['one character', '{"name":"x","categoryId":1}', { name: 'x' }],
  ['255 characters', `{"name":"${'é'.repeat(255)}","categoryId":1}`, { name: 'é'.repeat(255) }],
  [
    '255 characters outside the first plane',
    `{"name":"${'🐢'.repeat(255)}","categoryId":1}`,
    { name: '🐢'.repeat(255) },
  ],
  ['spaces at both ends', '{"name":"  Rex ","categoryId":1}', { name: '  Rex ' }],
  ['an accent apart from its letter', '{"name":"e\u0301","categoryId":1}', { name: 'e\u0301' }],
  ['a line separator beside a letter', '{"name":"\u2028a","categoryId":1}', { name: '\u2028a' }],
  ['a joiner within an emoji', '{"name":"👩\u200d🚀","categoryId":1}', { name: '👩\u200d🚀' }],
  ['a name from right to left', '{"name":"\u202eשלום","categoryId":1}', { name: '\u202eשלום' }],
  ['escapes', '{"name":"\\u0052\\ud83d\\udc22\\"\\\\","categoryId":1}', { name: 'R🐢"\\' }],
  ['quotes and SQL', `{"name":"'; drop table pets; --","categoryId":1}`, { name: `'; drop table pets; --` }],
  ['the last code point', '{"name":"a\u{10FFFF}","categoryId":1}', { name: 'a\u{10FFFF}' }],
]
for (const [name, body, back] of ACCEPTED) {
  test(`a pet is accepted with ${name}`, async () => {
    const created = await call('/v1/pets', postJson(body))
    assert.equal(created.status, 201, created.text)
    const pet = created.body as Record<string, unknown>
    assert.deepEqual({ ...pet, ...back }, pet)
    assert.deepEqual(
      Object.keys(pet),
      Object.keys(pet).filter((key) => ['id', 'name', 'categoryId', 'status'].includes(key)),
    )
    assert.notEqual(pet['id'], 77777n)
    assert.equal((await call(`/v1/pets/${String(pet['id'])}`)).text, created.text)
  })
}

const REFUSED: [name: string, body: string, code: string, message: RegExp][] = [
  ['no body', '', 'invalid_json', /empty/],
  ['text', 'Rex', 'invalid_json', /not valid JSON/],
  ['a byte order mark', '\uFEFF{"name":"Rex","categoryId":1}', 'invalid_json', /byte order mark/],
  ['a key named twice', rex('"categoryId":1,"categoryId":1'), 'invalid_json', /twice/],
  ['a key named twice deep down', rex('"categoryId":1,"x":{"y":1,"y":1}'), 'invalid_json', /twice/],
  ['33 levels', rex(`"categoryId":1,"x":${'['.repeat(32)}${']'.repeat(32)}`), 'invalid_json', /32 levels/],
  ['null', 'null', 'invalid_body', /JSON object; got null/],
  ['an array', '[]', 'invalid_body', /JSON object; got an array/],
  ['a string', '"Rex"', 'invalid_body', /JSON object; got "Rex"/],
  ['a number', '5', 'invalid_body', /JSON object; got 5/],
  ['a number with a fraction', '5.5', 'invalid_body', /JSON object; got 5\.5/],
  ['an empty object', '{}', 'invalid_body', /`name` is required: a string\. `categoryId` is required: an integer\./],
  ['no name', '{"categoryId":1}', 'invalid_body', /`name` is required/],
  ['no categoryId', '{"name":"Rex"}', 'invalid_body', /`categoryId` is required/],
  ['another case', '{"Name":"Rex","categoryId":1}', 'invalid_body', /`name` is required/],
  ['name null', '{"name":null,"categoryId":1}', 'invalid_body', /`name` must be a string; got null/],
  ['name a number', '{"name":5,"categoryId":1}', 'invalid_body', /`name` must be a string; got 5/],
  ['name an object', '{"name":{},"categoryId":1}', 'invalid_body', /`name` must be a string; got an object/],
  ['name an array', '{"name":["Rex"],"categoryId":1}', 'invalid_body', /`name` must be a string; got an array/],
  [
    'name empty',
    '{"name":"","categoryId":1}',
    'invalid_body',
    /`name` must be 1 to 255 characters long; got an empty string/,
  ],
  ['256 characters', `{"name":"${'a'.repeat(256)}","categoryId":1}`, 'invalid_body', /at most 255 characters; got 256/],
  ['256 turtles', `{"name":"${'🐢'.repeat(256)}","categoryId":1}`, 'invalid_body', /at most 255 characters; got 256/],
  ['only spaces', '{"name":"   ","categoryId":1}', 'invalid_body', /visible/],
  ['only an ideographic space', '{"name":"\u3000","categoryId":1}', 'invalid_body', /visible/],
  ['only a zero-width joiner', '{"name":"\u200d","categoryId":1}', 'invalid_body', /visible/],
  ['only a Hangul filler', '{"name":"\u3164","categoryId":1}', 'invalid_body', /visible/],
  ['only a variation selector', '{"name":"\ufe0f","categoryId":1}', 'invalid_body', /visible/],
  ['NUL', '{"name":"a\\u0000b","categoryId":1}', 'invalid_body', /control characters; got U\+0000/],
  ['a newline', '{"name":"a\\nb","categoryId":1}', 'invalid_body', /control characters; got U\+000A/],
  ['DEL', '{"name":"a\\u007f","categoryId":1}', 'invalid_body', /control characters; got U\+007F/],
  ['a C1 control', '{"name":"a\\u0085","categoryId":1}', 'invalid_body', /control characters; got U\+0085/],
  ['a high surrogate alone', '{"name":"a\\ud83d","categoryId":1}', 'invalid_body', /surrogate/],
  ['a low surrogate alone', '{"name":"\\udc22a","categoryId":1}', 'invalid_body', /surrogate/],
  ['surrogates the wrong way round', '{"name":"\\udc22\\ud83d","categoryId":1}', 'invalid_body', /surrogate/],
  ['categoryId null', rex('"categoryId":null'), 'invalid_body', /`categoryId` must be an integer.*got null/],
  ['categoryId a string', rex('"categoryId":"5"'), 'invalid_body', /without quotes; got "5"/],
  ['categoryId true', rex('"categoryId":true'), 'invalid_body', /got true/],
  ['categoryId 5.5', rex('"categoryId":5.5'), 'invalid_body', /got 5\.5/],
  ['categoryId an array', rex('"categoryId":[5]'), 'invalid_body', /got an array/],
  ['categoryId above int64', rex('"categoryId":9223372036854775808'), 'invalid_body', /got 9223372036854775808\./],
  ['categoryId below int64', rex('"categoryId":-9223372036854775809'), 'invalid_body', /got -9223372036854775809\./],
  ['categoryId almost 1', rex('"categoryId":1.00000000000000000001'), 'invalid_body', /got 1\.00000000000000000001\./],
  ['categoryId 1e400', rex('"categoryId":1e400'), 'invalid_body', /got 1e400/],
  ['categoryId 1e-400', rex('"categoryId":1e-400'), 'invalid_body', /got 1e-400/],
  ['an exponent beyond 64', rex('"categoryId":0e65'), 'invalid_body', /got 0e65/],
  ['a literal over 64 characters', rex(`"categoryId":1.${'0'.repeat(64)}`), 'invalid_body', /got 1\.0{62}…/],
  ['status null', rex('"categoryId":1,"status":null'), 'invalid_body', /one of available, pending, sold; got null/],
  ['status a number', rex('"categoryId":1,"status":1'), 'invalid_body', /one of available, pending, sold; got 1/],
  ['status empty', rex('"categoryId":1,"status":""'), 'invalid_body', /got ""/],
  ['status Sold', rex('"categoryId":1,"status":"Sold"'), 'invalid_body', /got "Sold" — did you mean sold\?/],
  ['status unknown', rex('"categoryId":1,"status":"gone"'), 'invalid_body', /got "gone"\.$/],
]
for (const [name, body, code, message] of REFUSED) {
  test(`a pet is rejected with ${name}, and leaves no row`, async () => {
    const before = await count()
    const answer = await call('/v1/pets', postJson(body))
    assertError(answer, 400, code)
    assert.match((answer.body as { message: string }).message, message)
    assert.equal(await count(), before)
  })
}

test('invalid UTF-8 is rejected', async () => {
  const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff]), Buffer.from('","categoryId":1}')])
  assertError(await call('/v1/pets', { method: 'POST', body }), 400, 'invalid_json')
})

test('a message repeats at most 64 characters, and never a credential', async () => {
  const long = await call('/v1/pets', postJson(rex(`"categoryId":1,"status":"${'🐢'.repeat(200)}"`)))
  assert.equal((long.text.match(/🐢/gu) ?? []).length, 64)
  const three = await call(
    '/v1/pets',
    postJson(`{"name":[],"categoryId":"${'🐢'.repeat(99)}","status":"${'🐢'.repeat(99)}"}`),
  )
  assert.ok((three.text.match(/🐢/gu) ?? []).length <= 64)
  const secret = await call('/v1/pets', postJson(rex('"categoryId":1,"status":"petk_live_0123"')))
  assert.ok(!secret.text.includes('petk_live'))
})

const MEDIA_TYPES: [type: string | undefined, status: number][] = [
  ['application/json', 201],
  ['APPLICATION/Json', 201],
  ['application/json; charset=utf-8', 201],
  ['application/json;charset=UTF-8', 201],
  ['application/json; charset="utf-8"', 201],
  ['application/json; profile="x; charset=latin1"', 201],
  ['application/json; q=1 ;', 201],
  ['application/json; charset=latin1', 415],
  ['application/json; charset=utf-8; charset=utf-16', 415],
  ['application/json; charset=', 415],
  ['application/json garbage', 415],
  ['application/jsonp', 415],
  ['application/problem+json', 415],
  ['text/plain', 415],
  ['text/json', 415],
  ['application/x-www-form-urlencoded', 415],
  ['json', 415],
]
for (const [type, status] of MEDIA_TYPES) {
  test(`Content-Type ${type} returns ${status}`, async () => {
    const body = Buffer.from('{"name":"Rex","categoryId":1}')
    const answer = await call('/v1/pets', { method: 'POST', body, headers: { 'content-type': type ?? '' } })
    if (status === 201) assert.equal(answer.status, 201, answer.text)
    else assertError(answer, 415, 'unsupported_media_type')
  })
}

test('a body without a Content-Type is read as JSON', async () => {
  const answer = await call('/v1/pets', { method: 'POST', body: Buffer.from('{"name":"Rex","categoryId":1}') })
  assert.equal(answer.status, 201)
})

for (const encoding of ['gzip', 'identity', 'br']) {
  test(`Content-Encoding ${encoding} is rejected`, async () => {
    const { body } = postJson({ name: 'Rex', categoryId: 1 })
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
    assertError(await call('/v1/pets', { method: 'POST', body: body!, headers }), 415, 'unsupported_media_type')
  })
}

test('65,536 bytes are read, one more is too large', async () => {
  const text = '{"name":"Rex","categoryId":1}'
  assert.equal((await call('/v1/pets', postJson(text.padEnd(65_536)))).status, 201)
  assertError(await call('/v1/pets', postJson(text.padEnd(65_537))), 413, 'payload_too_large')
})
