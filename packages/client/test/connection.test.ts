import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { createPetstore, type ResponseInfo, stringify } from '../src/index.ts'
import { json, KEY, refusal, startFaulty } from './support/faulty.ts'

const SECRET = '0123456789abcdefghij0123456789abcdef'
const baseUrl = 'http://127.0.0.1:8080/v1'

for (const [what, key, says] of [
  ['no key', undefined, /^`key` is missing\./],
  ['an empty key', '', /^`key` is missing\./],
  ['a key that is no text', 42, /^`key` is missing\./],
  ['the example of the README', 'petk_test_…', /is the example from the documentation/],
  ['an example with the name of a store', 'petk_live_acme_…', /is the example from the documentation/],
  ['an example with three dots', 'petk_live_...', /is the example from the documentation/],
  ['a line break after the key', `petk_live_${SECRET}\n`, /contains whitespace, a line break/],
  ['a header hidden in the key', `petk_live_${SECRET}\r\nhost: other`, /contains whitespace, a line break/],
  ['a key in typographic quotes', `“petk_live_${SECRET}”`, /outside ASCII/],
  ['a key with its scheme', `Bearer petk_live_${SECRET}`, /contains whitespace/],
  ['a key of something else', `sk_live_${SECRET}`, /is not an API key: those start with petk_live_ or petk_test_/],
  ['a key with two prefixes', `petk_live_petk_live_${SECRET}`, /is not an API key/],
  ['a key in quotes', `"petk_live_${SECRET}"`, /is not an API key/],
] as const)
  test(`${what} is rejected with a sentence that does not repeat it`, () => {
    assert.throws(
      () => createPetstore({ baseUrl, key: key as string }),
      (error) => {
        assert.ok(error instanceof TypeError)
        assert.match(error.message, says)
        assert.ok(!inspect(error, { depth: null }).includes(SECRET))
        return true
      },
    )
  })

test('without the option no Authorization header is sent', async () => {
  const service = await startFaulty(json(200, '[]'))
  await createPetstore({ baseUrl: service.baseUrl }).pets.list().page()
  await createPetstore({ baseUrl: service.baseUrl, key: KEY }).pets.list().page()
  assert.deepEqual(
    service.received.map(({ headers }) => headers.authorization),
    [undefined, `Bearer ${KEY}`],
  )
})

for (const [what, given, says] of [
  [
    'no baseUrl',
    undefined,
    /^`baseUrl` is missing\. Pass .*https:\/\/pets\.example\/v1; is its environment variable set\?$/,
  ],
  ['an empty baseUrl', '', /^`baseUrl` is missing\./],
  [
    'a URL without its version',
    'https://pets.example',
    /version of the API\. Did you mean https:\/\/pets\.example\/v1\?$/,
  ],
  ['a URL with only a slash', new URL('http://127.0.0.1:8080/'), /Did you mean http:\/\/127\.0\.0\.1:8080\/v1\?$/],
  [
    'a local host without its scheme',
    'localhost:8080/v1',
    /starts with http.* Did you mean http:\/\/localhost:8080\/v1\?$/,
  ],
  ['an address without its scheme', '127.0.0.1:8080/v1', /Did you mean http:\/\/127\.0\.0\.1:8080\/v1\?$/],
  ['a host without its scheme', 'pets.example/v1', /Did you mean https:\/\/pets\.example\/v1\?$/],
  ['another scheme', `ftp://user:${SECRET}@pets.example/v1`, /Pass the URL of the service with its version, like/],
  ['no URL', `http//user:${SECRET}@pets.example`, /Pass the URL of the service with its version, like/],
  [
    'a user and a query',
    `https://user:${SECRET}@pets.example/?token=${SECRET}`,
    /Did you mean https:\/\/pets\.example\/v1\?$/,
  ],
] as const)
  test(`${what} is rejected at once, with what to pass`, () => {
    assert.throws(
      () => createPetstore({ baseUrl: given as string, key: KEY }),
      (error) => {
        assert.ok(error instanceof TypeError)
        assert.match(error.message, says)
        assert.ok(!inspect(error, { depth: null }).includes(SECRET))
        return true
      },
    )
  })

test('a service may be below any path', async () => {
  const service = await startFaulty(json(200, '[]'))
  for (const path of ['/v1', '/v1/', '/shop/v1//', '/gateway'])
    await createPetstore({ baseUrl: service.origin + path, key: KEY })
      .pets.list()
      .page()
  assert.deepEqual(
    service.received.map(({ url }) => url.replace('?', '')),
    ['/v1/pets', '/v1/pets', '/shop/v1/pets', '/gateway/pets'],
  )
})

test('a runtime that is too old for 64-bit ids is named when the client is created, and by stringify', () => {
  const real = Object.getOwnPropertyDescriptor(JSON, 'rawJSON')
  assert.ok(real)
  Reflect.deleteProperty(JSON, 'rawJSON')
  try {
    for (const use of [() => createPetstore({ baseUrl, key: KEY }), () => stringify({ id: 1n })])
      assert.throws(use, {
        name: 'TypeError',
        message: /^This JavaScript runtime is too old for 64-bit ids: @petstore\/client needs Node 22, .* or newer\.$/,
      })
  } finally {
    Object.defineProperty(JSON, 'rawJSON', real)
  }
})

test('both modes of key are accepted, also with the name of a store', () => {
  for (const address of ['live', 'test', 'live_acme', 'test_s2'])
    createPetstore({ baseUrl, key: `petk_${address}_${SECRET}` })
})

test('onResponse gets the rate limit, the deprecation and the expiry of the key', async () => {
  const sentHeaders = {
    'ratelimit-policy': '"default";q=100;w=60',
    ratelimit: '"default";r=41;t=12',
    deprecation: '@1794614400',
    sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    'petstore-key-expires': 'Fri, 20 Nov 2026 08:00:00 GMT',
  }
  const pet = json(200, '{"id":1,"name":"Rex","categoryId":7}', sentHeaders)
  assert.deepEqual(await infoOf(pet), {
    method: 'GET',
    path: '/pets/1',
    status: 200,
    requestId: 'r-1',
    rateLimit: { quota: 100, windowSeconds: 60, remaining: 41, resetSeconds: 12 },
    deprecation: { since: new Date(1_794_614_400_000), sunset: new Date('2030-12-05') },
    keyExpiresAt: new Date('2026-11-20T08:00:00Z'),
  })
})

test('what a response does not say is undefined, and nonsense in it too', async () => {
  for (const headers of [{}, { 'ratelimit-policy': 'q=1', ratelimit: 'r=x', deprecation: 'true', sunset: 'soon' }]) {
    const { rateLimit, deprecation, keyExpiresAt, status } = await infoOf(refusal(404, 'pet_not_found', headers))
    assert.deepEqual([rateLimit, deprecation, keyExpiresAt, status], [undefined, undefined, undefined, 404])
  }
})

test('the path has no query, and every attempt is reported', async () => {
  const service = await startFaulty(refusal(503, 'unavailable'), json(200, '[]'))
  const seen: [string, number][] = []
  const onResponse = ({ path, status }: ResponseInfo) => seen.push([path, status])
  await createPetstore({ baseUrl: service.baseUrl, key: KEY, onResponse }).pets.list({ status: 'sold' }).page()
  assert.deepEqual(seen, [
    ['/pets', 503],
    ['/pets', 200],
  ])
})

test('what a hook throws rejects the call, and is not retried', async () => {
  const service = await startFaulty(json(200, '[]'))
  const onResponse = () => {
    throw new RangeError('mine')
  }
  const { pets } = createPetstore({ baseUrl: service.baseUrl, key: KEY, onResponse })
  await assert.rejects(pets.list().page(), RangeError)
  assert.equal(service.received.length, 1)
})

test('requests name the client and its version', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const service = await startFaulty(json(200, '[]'))
  await createPetstore({ baseUrl: service.baseUrl, key: KEY }).pets.list().page()
  assert.equal(service.received[0]?.headers['user-agent'], `petstore-client/${version}`)
})

test('in a browser the User-Agent is left to the browser: another one would need the permission of the service', async () => {
  const service = await startFaulty(json(200, '[]'))
  const real = Object.getOwnPropertyDescriptor(globalThis, 'navigator') ?? { configurable: true }
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { userAgent: 'Mozilla/5.0 (X11)' } })
  try {
    await createPetstore({ baseUrl: service.baseUrl, key: KEY }).pets.list().page()
  } finally {
    Object.defineProperty(globalThis, 'navigator', real)
  }
  assert.equal(service.received[0]?.headers['user-agent'], 'node')
})

/** What the hook receives about one response to `get(1n)`. */
async function infoOf(answer: ReturnType<typeof json>) {
  const service = await startFaulty(answer)
  const infos: ResponseInfo[] = []
  const onResponse = (info: ResponseInfo) => infos.push(info)
  await createPetstore({ baseUrl: service.baseUrl, key: KEY, onResponse })
    .pets.get(1n)
    .catch(() => undefined)
  assert.equal(infos.length, 1)
  return infos[0] as ResponseInfo
}
