import type { Clause } from '../../clause.ts'
import { expect, expectError, expectHeader, expectNoHeader, expectStatus } from '../../expect.ts'
import { clause, messageOf, refused } from '../../store.ts'
import {
  attempts,
  change,
  create,
  get,
  NO_WEBHOOK,
  ping,
  RECEIVER,
  removeWebhook,
  retry,
  rotate,
  WEBHOOKS,
  webhookClause,
  webhookOf,
  webhooksOf,
} from '../../webhooks.ts'
import type { Request } from '../../wire.ts'

const REFUSED = 'W3: A webhook is sent only to a public URL with https'
const NO_ID = 'Text that is not the id of a webhook is 404'

const HOSTILE: [id: string, url: string][] = [
  ['http', 'http://verify.example/'],
  ['ftp', 'ftp://verify.example/'],
  ['no-url', 'verify.example'],
  ['user', 'https://user:word@verify.example/'],
  ['fragment', 'https://verify.example/#x'],
  ['no-host', 'https://'],
  ['fragment-empty', 'https://verify.example/#'],
  ['space-inside', 'https://verify.example/a b'],
  ['space-before', ' https://verify.example/'],
  ['right-to-left', 'https://verify.example/\u202e'],
  ['script', 'https://bücher.example/'],
  ['no-slashes', 'https:verify.example'],
  ['backslash', 'https://verify.example\\\\@evil.example/'],
  ['private-10', 'https://10.0.0.1/'],
  ['private-172', 'https://172.31.255.255/'],
  ['benchmark', 'https://198.18.0.1/'],
  ['broadcast', 'https://255.255.255.255/'],
  ['mapped-public', 'https://[::ffff:8.8.8.8]/'],
  ['ipv6-any', 'https://[::]/'],
  ['documentation', 'https://[2001:db8::1]/'],
  ['ipv6-link-local', 'https://[fe80::1]/'],
  ['ipv6-multicast', 'https://[ff02::1]/'],
  ['port', 'https://verify.example:22/'],
  ['space', 'https://verify.example/ '],
  ['long', `https://verify.example/${'x'.repeat(2_048)}`],
  ['localhost', 'https://localhost/'],
  ['localhost-dot', 'https://localhost./'],
  ['loopback', 'https://127.0.0.1/'],
  ['short', 'https://127.1/'],
  ['decimal', 'https://2130706433/'],
  ['octal', 'https://0177.0.0.1/'],
  ['hexadecimal', 'https://0x7f.1/'],
  ['zero', 'https://0/'],
  ['private', 'https://192.168.0.1/'],
  ['link-local', 'https://169.254.169.254/'],
  ['shared', 'https://100.64.0.1/'],
  ['multicast', 'https://224.0.0.1/'],
  ['ipv6-loopback', 'https://[::1]/'],
  ['mapped', 'https://[::ffff:127.0.0.1]/'],
  ['nat64', 'https://[64:ff9b::7f00:1]/'],
  ['6to4', 'https://[2002:7f00:1::]/'],
  ['unique-local', 'https://[fd00::1]/'],
]
const PUBLIC = [
  'https://verify.example',
  'https://verify.example:443/',
  'https://VERIFY.example:1024/%7e?a=b&c=%00',
  'https://verify.example:65535/',
  'https://9.9.9.9/',
  'https://[2606:4700::1111]/',
  'https://xn--kse-qla.example/%C3%BC',
  `https://verify.example/${'x'.repeat(2_025)}`,
]
/** Those that a service accepts which sends webhooks to its own machine, as `petstore dev` does. */
const LOCAL = new Set([
  'http',
  'port',
  'localhost',
  'localhost-dot',
  'loopback',
  'short',
  'decimal',
  'octal',
  'hexadecimal',
  'ipv6-loopback',
  'mapped',
])
const BODIES: [id: string, what: string, fields: string, field: string][] = [
  ['url.absent', 'no URL', '', 'url'],
  ['url.null', 'a URL that is null', '"url":null', 'url'],
  ['url.number', 'a URL that is a number', '"url":1', 'url'],
  ['url.nul', 'a URL with U+0000', '"url":"https://verify.example/\\u0000"', 'url'],
  ['types.empty', 'no types', `"url":"${RECEIVER}","types":[]`, 'types'],
  ['types.twice', 'a type twice', `"url":"${RECEIVER}","types":["pet.created","pet.created"]`, 'types'],
  ['types.unknown', 'an unknown type', `"url":"${RECEIVER}","types":["pet.sold"]`, 'types[0]'],
  ['types.ping', 'the type of a ping', `"url":"${RECEIVER}","types":["webhook.ping"]`, 'types[0]'],
  ['types.nine', 'nine types', `"url":"${RECEIVER}","types":[${Array(9).fill('"pet.created"').join()}]`, 'types'],
  ['types.null', 'null among the types', `"url":"${RECEIVER}","types":["pet.created",null]`, 'types[1]'],
  ['types.object', 'types that are an object', `"url":"${RECEIVER}","types":{"0":"pet.created"}`, 'types'],
  ['url.empty', 'an empty URL', '"url":""', 'url'],
  ['url.surrogate', 'a URL with half a character', '"url":"https://verify.example/\\ud800"', 'url'],
  ['name.empty', 'an empty name', `"url":"${RECEIVER}","name":""`, 'name'],
  ['name.long', 'a name of 101 characters', `"url":"${RECEIVER}","name":"${'x'.repeat(101)}"`, 'name'],
  ['name.spaces', 'a name that cannot be seen', `"url":"${RECEIVER}","name":" \\u200b"`, 'name'],
  ['name.control', 'a name with a line end', `"url":"${RECEIVER}","name":"a\\nb"`, 'name'],
  ['name.null', 'a name that is null', `"url":"${RECEIVER}","name":null`, 'name'],
  ['types.text', 'types that are no array', `"url":"${RECEIVER}","types":"pet.created"`, 'types'],
]
const PATCHES: [id: string, what: string, body: string][] = [
  ['empty', 'no field', '{}'],
  ['unknown', 'only unknown fields', '{"colour":"red"}'],
  ['disabled', 'the state disabled', '{"state":"disabled"}'],
  ['state', 'an unknown state', '{"state":"Active"}'],
  ['state-null', 'a state that is null', '{"state":null}'],
  ['url', 'a URL that may not be used', '{"url":"https://10.0.0.1/"}'],
  ['types', 'no types', '{"types":[]}'],
  ['types-twice', 'a type twice', '{"types":["pet.created","pet.created"]}'],
  ['types-unknown', 'an unknown type', '{"types":["pet.sold"]}'],
  ['types-text', 'types that are no array', '{"types":"pet.created"}'],
  ['name-empty', 'an empty name', '{"name":""}'],
  ['name-long', 'a name of 101 characters', `{"name":"${'x'.repeat(101)}"}`],
  ['name-number', 'a name that is a number', '{"name":7}'],
  ['cursor', 'a cursor that is none', '{"cursor":"x"}'],
  ['cursor-of-pets', 'a cursor of a list of pets', '{"cursor":"AQAAAAAAAAAC"}'],
  ['cursor-null', 'a cursor that is null', '{"cursor":null}'],
]
const OVERLAPS = ['-1', '604801', '1.5', '"60"', 'null', 'true', '1e400', '9223372036854775808', '-9223372036854775809']
const IDS = [
  'wh_',
  'abc',
  '1',
  NO_WEBHOOK.slice(0, -1),
  `${NO_WEBHOOK}0`,
  NO_WEBHOOK.toUpperCase(),
  `${NO_WEBHOOK}%00`,
  `${NO_WEBHOOK}%0a`,
  `${NO_WEBHOOK}'--`,
  `${NO_WEBHOOK.slice(0, -1)}-`,
  '%F0%9F%90%88',
  '%ff',
  'x'.repeat(9_000),
]

/** Every operation, on a webhook that does not exist. */
const OPERATIONS: [operationId: string, request: (id: string) => Request][] = [
  ['listWebhooks', () => ({ path: WEBHOOKS })],
  ['createWebhook', () => create()],
  ['getWebhook', get],
  ['updateWebhook', (id) => change(id, '{"state":"active"}')],
  ['deleteWebhook', removeWebhook],
  ['rotateWebhookSecret', (id) => rotate(id)],
  ['pingWebhook', ping],
  ['retryWebhook', retry],
  ['listWebhookAttempts', attempts],
]
const ON_ONE = OPERATIONS.slice(2)
const ALLOWED: [path: string, allow: string][] = [
  [WEBHOOKS, 'GET, HEAD, POST, OPTIONS'],
  [`${WEBHOOKS}/${NO_WEBHOOK}`, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
  [`${WEBHOOKS}/${NO_WEBHOOK}/rotate`, 'POST, OPTIONS'],
  [`${WEBHOOKS}/${NO_WEBHOOK}/ping`, 'POST, OPTIONS'],
  [`${WEBHOOKS}/${NO_WEBHOOK}/retry`, 'POST, OPTIONS'],
  [`${WEBHOOKS}/${NO_WEBHOOK}/attempts`, 'GET, HEAD, OPTIONS'],
]
const READS_BODY: [operationId: string, request: (body: string, headers?: Record<string, string>) => Request][] = [
  ['createWebhook', create],
  ['updateWebhook', (body, headers) => change(NO_WEBHOOK, body, headers)],
  ['rotateWebhookSecret', (body, headers) => rotate(NO_WEBHOOK, body, headers)],
]

export const WEBHOOKS_REQUESTS: Clause[] = [
  ...HOSTILE.map(([id, url]) => ({
    ...clause(`webhooks.w3.${id}`, `${REFUSED}: ${id} is 400 that names \`url\`.`, async ({ call }) => {
      for (const request of [create(JSON.stringify({ url })), change(NO_WEBHOOK, JSON.stringify({ url }))]) {
        const response = await call(request)
        expectError(response, 400, 'invalid_body')
        expect(response, messageOf(response).startsWith('`url` '), 'a message that names `url`')
      }
    }),
    ...(LOCAL.has(id) && { setting: 'public receivers' as const }),
  })),
  webhookClause('webhooks.url', 'A public URL with https is kept as it was sent.', async ({ call }, made) => {
    const { webhook } = await made.created()
    for (const url of PUBLIC) {
      // Paused: nothing is to be sent there.
      const response = await call(change(webhook.id, JSON.stringify({ url, state: 'paused' })))
      expect(response, webhookOf(response).url === url, `\`url\` ${url}`)
    }
  }),
  ...BODIES.map(([id, what, fields, field]) =>
    clause(`webhooks.body.${id}`, `\`createWebhook\` with ${what} is 400 that names the field.`, async ({ call }) => {
      const response = await call(create(`{${fields}}`))
      expectError(response, 400, 'invalid_body')
      expect(response, messageOf(response).includes(`\`${field}\``), `a message that names \`${field}\``)
    }),
  ),
  ...PATCHES.map(([id, what, body]) =>
    refused(
      `webhooks.patch.${id}`,
      `\`updateWebhook\` with ${what} is 400, before 404.`,
      change(NO_WEBHOOK, body),
      400,
      'invalid_body',
    ),
  ),
  ...OVERLAPS.map((overlap, i) =>
    refused(
      `webhooks.overlap.${i + 1}`,
      `A rotation with an overlap that is not 0 to 604800 is 400, before 404: ${overlap}.`,
      rotate(NO_WEBHOOK, `{"overlap":${overlap}}`),
      400,
      'invalid_body',
    ),
  ),
  ...READS_BODY.flatMap(([operationId, request]) => [
    refused(
      `webhooks.json.${operationId}`,
      `\`${operationId}\` without JSON is 400.`,
      request('{'),
      400,
      'invalid_json',
    ),
    refused(
      `webhooks.array.${operationId}`,
      `\`${operationId}\` with an array is 400.`,
      request('[]'),
      400,
      'invalid_body',
    ),
    refused(
      `webhooks.type.${operationId}`,
      `\`${operationId}\` with another media type is 415.`,
      request('{}', { 'Content-Type': 'text/plain' }),
      415,
      'unsupported_media_type',
    ),
    refused(
      `webhooks.length.${operationId}`,
      `\`${operationId}\` with more than 65,536 bytes is 413.`,
      request('{}'.padEnd(65_537)),
      413,
      'payload_too_large',
    ),
  ]),
  refused(
    'webhooks.rotate.no-body',
    'A rotation without a body is 400: the secret is not lost to a request that says nothing.',
    rotate(NO_WEBHOOK, ''),
    400,
    'invalid_json',
  ),
  ...OPERATIONS.flatMap(([operationId, request]) => [
    refused(
      `webhooks.no-key.${operationId}`,
      `\`${operationId}\` without a key is 401.`,
      { ...request(NO_WEBHOOK), authorization: null },
      401,
      'missing_credentials',
    ),
  ]),
  ...IDS.map((text, i) =>
    clause(`webhooks.id.${i + 1}`, `${NO_ID}: ${text.slice(0, 30)}.`, async ({ call }) => {
      for (const [operationId, request] of ON_ONE) {
        const response = await call(request(text))
        expectError(response, 404, 'webhook_not_found')
        expect(response, operationId !== '' && messageOf(response).includes('webhook'), 'a message about webhooks')
      }
    }),
  ),
  ...ALLOWED.flatMap(([path, allow], i) => [
    clause(`webhooks.options.${i + 1}`, `OPTIONS of ${path} is 204 with Allow, without a key.`, async ({ call }) => {
      const response = await call({ method: 'OPTIONS', path, authorization: null })
      expectStatus(response, 204)
      expectHeader(response, 'Allow', allow)
    }),
    clause(`webhooks.method.${i + 1}`, `PUT of ${path} is 405 with Allow.`, async ({ call }) => {
      const response = await call({ method: 'PUT', path })
      expectError(response, 405, 'method_not_allowed')
      expectHeader(response, 'Allow', allow)
    }),
  ]),
  clause('webhooks.headers', 'A list of webhooks is never cached, and is not deprecated.', async ({ call }) => {
    const response = await call({ path: WEBHOOKS })
    webhooksOf(response)
    expectHeader(response, 'Cache-Control', 'no-store')
    for (const name of ['ETag', 'Deprecation', 'Sunset', 'Retry-After', 'Link']) expectNoHeader(response, name)
  }),
  refused(
    'webhooks.route',
    'Nothing is served below a webhook but its actions.',
    { path: `${WEBHOOKS}/${NO_WEBHOOK}/x` },
    404,
    'route_not_found',
  ),
]
