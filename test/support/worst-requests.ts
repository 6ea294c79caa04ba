import { EVENT_TYPES } from '../../src/domain/types/event.ts'
import { generateKey } from '../../src/lib/ids/key-format.ts'

const BODY_BYTES = 65_536
const LINE_BYTES = 16_000
const PET = '{"name":"a","categoryId":1}'

/** Valid names: of tags, of tags with letters between them, of all variation selectors, of what JSON escapes, and an ordinary one. */
export const COSTLY_NAMES = [
  `${'\u{E0041}'.repeat(254)}a`,
  `${'\u{E0041}a'.repeat(127)}a`,
  `a${Array.from({ length: 240 }, (_, i) => String.fromCodePoint(0xe_01_00 + i)).join('')}`,
  '\\'.repeat(255),
  'Rex',
]
/** Names that take long to read, with what finds all of them. */
export const LONG_TO_READ = [
  { name: 'ﷺ'.repeat(255), beginning: 'ص' },
  // As many characters as the longest, of the fewest bytes. What is sought with it is in more pets, so these are read.
  { name: 'ﷺ'.repeat(56), beginning: 'ص' },
  { name: `ﷻ${'ﷺ'.repeat(16)}`, beginning: 'جل' },
  { name: '한'.repeat(255), beginning: '한' },
  { name: 'ガ'.repeat(255), beginning: 'ガ' },
  {
    name: Array.from({ length: 85 }, (_, i) => `x${i.toString(36).padStart(2, '0')}`)
      .join(' ')
      .slice(0, 255),
    beginning: 'x',
  },
]
/** Of a thousand pets with each of these names, those of the first are all that this category has. */
export const COSTLY_CATEGORY = 77
/** A word of the name of each of a thousand categories. */
export const COSTLY_CATEGORY_WORD = 'ﷺ'
/** Each name has a pet with a history of 100 events. */
export const FIRST_COSTLY_PET = 2

/** A body of the greatest length: `unit` as often as it fits between the two ends. */
const filled = (start: string, unit: string, end: string) =>
  start + unit.repeat(Math.floor((BODY_BYTES - start.length - end.length) / unit.length)) + end
const repeated = (unit: string, bytes = LINE_BYTES) => unit.repeat(Math.floor(bytes / unit.length))
const distinct = (count: number, item: (i: number) => string) => Array.from({ length: count }, (_, i) => item(i))
const inChunks = (body: string, bytes: number) =>
  `${body.replaceAll(new RegExp(`[^]{${bytes}}`, 'g'), (chunk) => `${bytes.toString(16)}\r\n${chunk}\r\n`)}0\r\n\r\n`

/** Requests made to cost as much as one request can, each as the bytes that are sent. */
export function worstRequests(key: string): Record<string, string> {
  const auth = `Host: x\r\nAuthorization: Bearer ${key}\r\n`
  const get = (target: string, headers = auth) => `GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`
  const search = (name: string, filter = '') => get(`/v1/pets?limit=100&name=${encodeURIComponent(name)}${filter}`)
  const post = (body: string, headers = '') =>
    `POST /v1/pets HTTP/1.1\r\n${auth}Connection: close\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${Buffer.from(body).toString('latin1')}`
  const hook = (body: string) => post(body).replace('/v1/pets', '/v1/webhooks')
  const chunked = (body: string, size: number, headers = auth) =>
    `POST /v1/pets HTTP/1.1\r\n${headers}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${inChunks(body, size)}`
  const keyless = 'Host: x\r\n'
  const forged = () => `${keyless}Authorization: Bearer ${generateKey('live')}\r\n`
  const mcp = (body: string) => post(body).replace('/v1/pets', '/v1/mcp')
  const called = (name: string, start: string, unit: string, end: string) =>
    mcp(
      filled(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${start}`,
        unit,
        `${end}}}`,
      ),
    )
  const noise = filled('{"name":"a","categoryId":1,"x":"', 'a', '"}')

  return {
    'list of tools': mcp('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'),
    'tool: a page of events': called('read_events', '{"limit":100', ' ', '}'),
    'tool: a page of pets': called('find_pets', '{"limit":100', ' ', '}'),
    'tool: a page of tags': called('find_pets', '{"limit":100,"sort":"newest"', ' ', '}'),
    ...Object.fromEntries(
      COSTLY_NAMES.map((_, i) => [
        `tool: history ${i}`,
        called('read_events', `{"limit":100,"petId":"${FIRST_COSTLY_PET + i}"`, ' ', '}'),
      ]),
    ),
    'tool: argument of tags': mcp(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_pets","arguments":{"status":"${'\u{E0041}'.repeat(16_000)}"}}}`,
    ),
    'tool: list of ids': called('find_pets', '{"id":[', '"9223372036854775807",', '"1"]}'),
    'tool: list of lists': called('find_pets', '{"id":[', '[],', '[]]}'),
    'tool: list of types': called('read_events', '{"type":[', '"pet.created",', '"pet.created"]}'),
    'tool: long argument': called('find_pets', '{"status":"', 'a', '"}'),
    'tool: long id': called('change_pet', '{"version":"1","petId":"', '9', '"}'),
    'tool: long key': called('add_pet', '{"name":"a","categoryId":"1","idempotencyKey":"', '\\"', '"}'),
    'tool: arguments that it does not have': mcp(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_pet","arguments":{${distinct(7_000, (i) => `"${i.toString(36)}":1`).join()}}}}`,
    ),
    'tool: arguments as long as known ones': mcp(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_pet","arguments":{${distinct(6_000, (i) => `"x${i.toString(36).padStart(4, 'y')}":1`).join()}}}}`,
    ),
    'tool: surrogates': called('add_pet', '{"categoryId":"1","name":"', '\\ud83d', '"}'),
    'tool: text of marks': called('order_pet', '{"petId":"1","reference":"', '\u0301', '"}'),
    'tool: long name': mcp(
      filled('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"', 'find_pet', '"}}'),
    ),
    'message: long method': mcp(filled('{"jsonrpc":"2.0","id":1,"method":"', 'a', '"}')),
    'message: long id': mcp(filled('{"jsonrpc":"2.0","method":"ping","id":', '1', '}')),
    'message: long text as id': mcp(filled('{"jsonrpc":"2.0","method":"ping","id":"', 'é', '"}')),
    'message: many': mcp(filled('[', '{"jsonrpc":"2.0","id":1,"method":"ping"},', '{}]')),
    'path of bad percent-encoding': get(`/v1/pets${repeated('/%')}`, keyless),
    'path of one bad segment': get(`/v1/pets/${repeated('%')}`),
    'path of one bad segment without a key': get(`/v1/pets/${repeated('%')}`, keyless),
    'path of percent-encoding': get(`/v1/pets/${repeated('%41')}`, keyless),
    'codings of the console': get('/console', `${keyless}Accept-Encoding: ${repeated(',', 15_000)}\r\n`),
    'path of slashes': get(repeated('/'), keyless),
    'path of encoded slashes': get(`/v1/pets/${repeated('%2F')}`),
    'path of a long id': get(`/v1/pets/${repeated('9')}`),
    'query of empty parameters': get(`/v1/pets?${repeated('a&')}`),
    'query of distinct parameters': get(`/v1/pets?${distinct(3_600, (i) => i.toString(16)).join('&')}`),
    'query of names as long as known ones': get(
      `/v1/pets?${distinct(2_600, (i) => `x${i.toString(36).padStart(4, 'y')}`).join('&')}`,
    ),
    'query of a few long names': get(`/v1/pets?${distinct(30, (i) => String(i).repeat(260)).join('&')}`),
    'query of one parameter again and again': get(`/v1/pets?${repeated('limit=1&')}`),
    'query of percent-encoding': get(`/v1/pets?x=${repeated('%41')}`),
    'query of bad percent-encoding': get(`/v1/pets?x=${repeated('%')}`),
    'list of commas': get(`/v1/pets?id=${repeated(',')}`),
    'list of ids': get(`/v1/pets?id=${distinct(780, (i) => String(10n ** 18n + BigInt(i))).join(',')}`),
    ...Object.fromEntries(
      LONG_TO_READ.flatMap(({ name, beginning }, i) => [
        [`search for whole name ${i}`, search(name)],
        [`search ${i}`, search(beginning)],
        [`search ${i} in vain`, search(`${beginning} zzz`)],
        // No pet has both, and it is through the first that it goes.
        [`search ${i} with a word of as many others`, search(`${beginning} ${beginning === 'x' ? '한' : 'x'}`)],
        [`search ${i} of a category`, search(beginning, `&categoryId=${COSTLY_CATEGORY}`)],
        [`search ${i} of a status`, search(beginning, '&status=available&view=full')],
      ]),
    ),
    'search for eight words': search(distinct(8, (i) => `${'ﷺ'.repeat(30)}${i}`).join(' ')),
    'search for too many words': search(distinct(127, (i) => String.fromCodePoint(0x400 + i)).join(' ')),
    'long search': get(`/v1/pets?name=${repeated('a')}`),
    'long cursor of a search': get(`/v1/pets?name=a&cursor=CAAA${repeated('A')}`),
    'counts of 14 periods': get(
      `/v1/store/orders/counts?status=completed&boundaries=${distinct(15, (i) => `${2001 + i}-02-03T04:05:06.789012345-23:59`).join()}`,
    ),
    'boundaries without an end': get(
      `/v1/store/orders/counts?status=completed&boundaries=${repeated('2001-02-03T04:05:06Z,')}`,
    ),
    'boundaries of commas': get(`/v1/store/orders/counts?status=completed&boundaries=${repeated(',')}`),
    'counts by status': get(`/v1/pets/counts?categoryId=${COSTLY_CATEGORY}`),
    'long status': get(`/v1/pets?status=${repeated('a')}`),
    'long cursor': get(`/v1/pets?cursor=${repeated('A')}`),
    'a page of events': get('/v1/events?limit=100'),
    'rare events': get('/v1/events?limit=100&type=order.expired'),
    'the newest events': get('/v1/events?limit=100&sort=newest'),
    'the newest rare events': get('/v1/events?limit=100&sort=newest&type=order.expired'),
    'events since a time': get('/v1/events?limit=100&from=2001-02-03T04:05:06Z'),
    'events of all types': get(`/v1/events?limit=100&type=${EVENT_TYPES.join()}`),
    'the history of a pet': get('/v1/events?limit=100&petId=1'),
    'list of types': get(`/v1/events?type=${repeated('pet.created,')}`),
    'long cursor of events': get(`/v1/events?cursor=${repeated('A')}`),
    'a page of categories, counted': get('/v1/categories?counts=true&limit=20'),
    'categories by a word': get(`/v1/categories?limit=100&name=${encodeURIComponent(COSTLY_CATEGORY_WORD)}`),
    'categories by a word, counted': get(`/v1/categories?counts=true&name=${encodeURIComponent(COSTLY_CATEGORY_WORD)}`),
    'categories in vain': get(`/v1/categories?limit=100&name=${encodeURIComponent(`${COSTLY_CATEGORY_WORD} zzz`)}`),
    'tool: categories': called('list_categories', '{"limit":20', ' ', '}'),
    'tool: a name that no category has': called('find_pets', '{"limit":100,"category":"zzz"', ' ', '}'),
    'a count of pets': get('/v1/pets/count'),
    'a count of orders': get('/v1/store/orders/count'),
    'a count of sales': get(
      '/v1/store/orders/count?status=completed&from=2001-02-03T04:05:06Z&to=2099-02-03T04:05:06Z',
    ),
    'a page of sales': get('/v1/store/orders?limit=100&status=completed&sort=closed'),
    'a page of keys': get('/v1/keys?limit=100'),
    'names of keys': get('/v1/keys/names'),
    'names of keys that are unchanged': get('/v1/keys/names', `${auth}If-None-Match: *\r\n`),
    'names of keys after many tags': get('/v1/keys/names', `${auth}If-None-Match: ${repeated('"a",', 15_000)}"b"\r\n`),
    status: get('/v1/status'),
    'key prefixes in the path': get(`/v1/pets?${repeated('petk_live_')}`, keyless),
    'encoded key prefixes in the path': get(`/v1/pets?${repeated('%70etk_live_')}`, keyless),
    'keys in the path': get(`/v1/pets?${distinct(300, () => generateKey('live')).join('&')}`, keyless),
    'headers of one letter': get('/v1/pets', auth + distinct(3_200, (i) => `${'abc'[i % 3]}:\r\n`).join('')),
    'distinct headers': get('/v1/pets', auth + distinct(1_700, (i) => `${i.toString(16)}:\r\n`).join('')),
    cookies: get('/v1/pets', auth + repeated('cookie:a\r\n')),
    'spaces before a token': get('/v1/pets', `${keyless}Authorization: Bearer${repeated(' ')}x\r\n`),
    'addresses of proxies': get('/v1/pets', `${forged()}X-Forwarded-For: ${repeated('127.0.0.1,', 15_000)}\r\n`),
    'commas of proxies': get('/v1/pets', `${forged()}X-Forwarded-For: ${repeated(',', 15_000)}\r\n`),
    expectations: get('/v1/pets', `${auth}Expect: ${repeated('100-continue,')}x\r\n`),
    'parameters of a media type': post(PET, `Content-Type: application/json${repeated(';a=b', 15_000)}\r\n`),
    'spaces of a media type': post(PET, `Content-Type: application/json${repeated(' ', 15_000)}x\r\n`),
    'quotes of a media type': post(PET, `Content-Type: application/json${repeated(';a="', 15_000)}\r\n`),
    'long Idempotency-Key': post(PET, `Idempotency-Key: ${repeated('"\\\\', 15_000)}\r\n`),
    'one long number and many short ones': post(filled('{"name":"a","categoryId":1,"x":[1234567890123456', ',1', ']}')),
    'numbers with exponents': post(filled('{"name":"a","categoryId":1,"x":[1e1', ',1e1', ']}')),
    'fields with exponents': post(`{${distinct(6_500, (i) => `"${i.toString(36)}":1e1`).join(',')}}`),
    'fields with escaped names': post(`{${distinct(4_000, (i) => `"\\u0061${i.toString(36)}":1e1`).join(',')}}`),
    'fields as long as known ones': post(
      `{${distinct(6_000, (i) => `"x${i.toString(36).padStart(4, 'y')}":1`).join(',')}}`,
    ),
    'empty objects': post(filled('{"x":[{}', ',{}', ']}')),
    'objects with one field': post(filled('{"x":[{"a":1}', ',{"a":1}', ']}')),
    'the same field again and again': post(filled('{"a":1', ',"a":1', '}')),
    'nested arrays': post(filled('{"x":[[[[[]]]]', ',[[[[]]]]', ']}')),
    'duplicate fields before deep arrays': post(
      filled('{"a":1,"a":1,"x":[0', `,${'['.repeat(29)}${']'.repeat(29)}`, ']}'),
    ),
    'late mistake after numbers': post(filled('{"x":[1', ',1', ',]}')),
    'too deep': post(filled('', '[', '')),
    escapes: post(filled('{"name":"', '\\u0061', '","categoryId":1}')),
    'long name': post(filled('{"categoryId":1,"name":"', '\u{1F600}', '"}').slice(0, 30_000)),
    'invisible name': post(filled('{"categoryId":1,"name":"', '\\u200b', '"}')),
    'long number': post(filled('{"name":"a","categoryId":', '9', '}')),
    'late mistake in JSON': post(filled('{"x":["a"', ',"a"', ',]}')),
    'mistake after line ends': post(filled('', '\n', 'x')),
    'unclosed string': post(filled('{"x":"', '\\\\', '')),
    'wrong UTF-8 at the end': post(filled('{"x":"', 'a', '')).replace(/.$/, '\xff'),
    'types of numbers': hook(filled('{"url":"https://shop.example","types":[0', ',0', ']}')),
    'types of arrays': hook(filled('{"url":"https://shop.example","types":[[]', ',[]', ']}')),
    'distinct types': hook(
      `{"url":"https://shop.example","types":[${distinct(9_000, (i) => `"${i.toString(36)}"`).join()}]}`,
    ),
    'a type again and again': hook(
      filled('{"url":"https://shop.example","types":["pet.created"', ',"pet.created"', ']}'),
    ),
    'eight wrong types': hook(`{"url":"x","types":[${distinct(8, (i) => `"${String(i).repeat(8_000)}"`).join(',')}]}`),
    'long URL': hook(filled('{"url":"https://', 'a.', '"}')),
    'chunks of one byte': chunked(noise, 1),
    'chunks of one byte without a key': chunked(noise, 1, keyless),
    'chunks of one byte with a forged key': chunked(noise, 1, forged()),
    'chunks of 256 bytes': chunked(noise, 256),
    'escaped fields in chunks of 256 bytes': chunked(
      `{"name":"x","categoryId":1,${distinct(5_000, (i) => `"\\/${i.toString(36)}":1e1`).join(',')}${' '.repeat(2_000)}}`,
      256,
    ),
    'megabytes without a key': `POST /v1/pets HTTP/1.1\r\n${keyless}Content-Length: 4000000\r\n\r\n${'x'.repeat(4_000_000)}`,
    'forged key': get('/v1/pets', forged()),
    'the documentation': get('/docs', keyless),
    codings: get('/docs', `${keyless}Accept-Encoding: ${repeated('a;q=0,', 15_000)}\r\n`),
    'the document': get('/openapi.json', keyless),
  }
}

/** Calls of tools for a whole page of ordinary names. */
export function ordinaryPages(key: string): Record<string, string> {
  const call = (name: string, args: string) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`
    return `POST /v1/mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
  return {
    'read_events of one pet': call('read_events', `{"limit":100,"petId":"${FIRST_COSTLY_PET + 4}"}`),
    find_pets: call('find_pets', '{"limit":100}'),
  }
}

/** What one client sends on one connection without reading a byte of what comes back. */
export function worstConnections(key: string): Record<string, string> {
  const auth = `Host: x\r\nAuthorization: Bearer ${key}\r\n`
  const pets = `POST /v1/pets HTTP/1.1\r\n${auth}Content-Length: 60000\r\n\r\n${PET.padEnd(60_000)}`
  return {
    'the documentation, pipelined': 'GET /docs HTTP/1.1\r\nHost:a\r\n\r\n'.repeat(2_000),
    'health checks, pipelined': 'GET /livez HTTP/1.1\r\nHost:a\r\n\r\n'.repeat(20_000),
    'long heads, pipelined': `GET /v1/pets?limit=100 HTTP/1.1\r\n${auth}x: ${'x'.repeat(15_000)}\r\n\r\n`.repeat(150),
    'long bodies, pipelined': pets.repeat(30),
    'chunks of one byte, pipelined':
      'GET /docs HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(55) +
      `POST /v1/pets HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(250)}0\r\n\r\n`.repeat(
        41,
      ),
    'many headers, pipelined': `GET /docs HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(2_700)}\r\n`.repeat(23),
    'a head without an end': `GET /v1/pets HTTP/1.1\r\n${auth}x: ${'x'.repeat(16_000)}`,
    'chunks of one byte with a forged key': worstRequests(key)['chunks of one byte with a forged key'] ?? '',
    'megabytes without a key': worstRequests(key)['megabytes without a key'] ?? '',
  }
}
