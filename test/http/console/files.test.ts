import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { startApp } from '../../support/app.ts'
import { assertError } from '../../support/assert-error.ts'
import { opened } from '../../support/cleanup.ts'
import { fromPage, SESSION, signIn } from '../../support/console.ts'
import { exchange } from '../../support/raw.ts'

const PAGE = '<!doctype html><title>Petstore</title>'
const SCRIPT = `console.log('${'pet '.repeat(100)}')`
const IDENTITY = { 'accept-encoding': 'identity' }
const FOREVER = 'public, max-age=31536000, immutable'

const directory = mkdtempSync(join(tmpdir(), 'console-'))
opened.defer(() => rmSync(directory, { recursive: true }))
mkdirSync(join(directory, 'assets'))
for (const [name, text] of [
  ['index.html', PAGE],
  ['assets/console-abc.js', SCRIPT],
  ['assets/style-abc.css', 'p{}'],
] as const) {
  writeFileSync(join(directory, name), text)
  writeFileSync(join(directory, `${name}.br`), brotliCompressSync(text))
  writeFileSync(join(directory, `${name}.gz`), gzipSync(text))
}
writeFileSync(join(directory, 'assets/plain-abc.js'), '1')
writeFileSync(join(directory, 'assets/notes.txt'), 'not served')

const { address, call, key } = await startApp({ consoleDirectory: directory })

/** Raw: `fetch` decodes by itself. */
async function get(path: string, headers: Record<string, string> = {}) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const [answer] = await exchange(
    address,
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join('')}\r\n`,
  )
  assert.ok(answer)
  return answer
}

test('every path that is no file is the page, which is never cached', async () => {
  for (const path of [
    '/console',
    '/console/',
    '/console?x=1',
    '/console/pets',
    '/console/pets/8?status=sold',
    '/console/a.b',
  ]) {
    const { status, headers, body } = await get(path)
    assert.deepEqual([path, status, body], [path, 200, PAGE])
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'no-store')
  }
})

test('files with a hash in their name may be cached for a year', async () => {
  const script = await get('/console/assets/console-abc.js')
  assert.deepEqual([script.status, script.body], [200, SCRIPT])
  assert.equal(script.headers.get('cache-control'), FOREVER)
  assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8')
  const style = await get('/console/assets/style-abc.css')
  assert.deepEqual(
    [style.headers.get('content-type'), style.headers.get('cache-control')],
    ['text/css; charset=utf-8', FOREVER],
  )
})

test('the smallest encoding that the client accepts is sent', async () => {
  for (const [accepted, encoding] of [
    ['', null],
    ['identity', null],
    ['deflate', null],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['BR', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000, gzip ; q=0.5', 'gzip'],
    ['brotli', null],
    [','.repeat(9_000), null],
  ] as const) {
    const answer = await fetch(`${address}/console/assets/console-abc.js`, {
      headers: { 'accept-encoding': accepted },
    })
    assert.equal(answer.headers.get('content-encoding'), encoding, accepted.slice(0, 50))
    assert.equal(answer.headers.get('vary'), 'accept-encoding')
    assert.equal(await answer.text(), SCRIPT)
  }
  assert.equal((await get('/console/assets/plain-abc.js', { 'accept-encoding': 'br, gzip' })).body, '1')
})

test('the bytes are those that the build has compressed', async () => {
  for (const [encoding, bytes] of [
    ['br', brotliCompressSync(SCRIPT)],
    ['gzip', gzipSync(SCRIPT)],
  ] as const) {
    const { headers } = await fetch(`${address}/console/assets/console-abc.js`, {
      method: 'HEAD',
      headers: { 'accept-encoding': encoding },
    })
    assert.equal(headers.get('content-length'), String(bytes.length))
  }
})

test('a file that is gone is 404, and the 404 is not cached', async () => {
  for (const path of [
    'assets/console-old.js',
    'assets/',
    'assets/notes.txt',
    'assets/console-abc.js.br',
    'assets/..%2findex.html',
  ]) {
    const answer = await call(`/console/${path}`, { key: null })
    assertError(answer, 404, 'route_not_found')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  }
})

test('no path leads out of the folder', async () => {
  for (const path of [
    '../package.json',
    '..%2f..%2fpackage.json',
    '%2e%2e/package.json',
    '....//package.json',
    'x/../../package.json',
    '%00',
    '%ff',
  ])
    assert.equal((await get(`/console/${path}`)).body.includes('petstore"'), false, path)
})

test('HEAD is GET without the body, other methods are 405, and OPTIONS names them', async () => {
  for (const path of ['/console', '/console/pets', '/console/assets/console-abc.js', SESSION]) {
    const [got, head] = [await get(path), await call(path, { key: null, method: 'HEAD', headers: IDENTITY })]
    const without = ({ headers }: { headers: Iterable<[string, string]> }) =>
      new Map([...headers].filter(([name]) => !['date', 'request-id', 'connection', 'keep-alive'].includes(name)))
    assert.deepEqual([head.status, head.text, without(head)], [200, '', without(got)])
  }
  for (const path of ['/console', '/console/pets', '/console/assets/console-abc.js'])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      const answer = await call(path, fromPage(undefined, { method }))
      assertError(answer, 405, 'method_not_allowed')
      assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS')
    }
  const put = await call(SESSION, fromPage(undefined, { method: 'PUT' }))
  assertError(put, 405, 'method_not_allowed')
  assert.equal(put.headers.get('allow'), 'GET, HEAD, POST, DELETE, OPTIONS')
  const options = await call(SESSION, { key: null, method: 'OPTIONS' })
  assert.deepEqual([options.status, options.headers.get('allow')], [204, 'GET, HEAD, POST, DELETE, OPTIONS'])
})

test('every response under /console has the headers that protect the page', async () => {
  const { cookie, answer } = await signIn(call, key)
  const answers = [
    answer,
    await call(SESSION, fromPage(cookie)),
    await call(SESSION, fromPage(cookie, { method: 'DELETE' })),
    await call(SESSION, fromPage(undefined, { method: 'POST' })),
    await call(SESSION, { key, method: 'POST' }),
    await call(SESSION, { key: null, method: 'OPTIONS' }),
    await call(SESSION, { key: null, method: 'PUT' }),
    await call('/console', { key: null }),
    await call('/console/pets', { key: null }),
    await call('/console/assets/console-abc.js', { key: null }),
    await call('/console/assets/gone.js', { key: null }),
    await call('/console', { key: null, method: 'POST' }),
    await call(`/console?${key}`, { key: null }),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 200, 204, 401, 403, 204, 405, 200, 200, 200, 404, 405, 401],
  )
  const docs = (await call('/docs', { key: null })).headers.get('content-security-policy')
  for (const { headers } of answers) {
    const policy = headers.get('content-security-policy')
    assert.equal(policy, `${docs}; require-trusted-types-for 'script'; trusted-types 'none'`)
    assert.match(policy ?? '', /default-src 'none';.*frame-ancestors 'none'/)
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('request-id') ?? '', /./)
  }
})

test('where it is not built, there is no page, and the log says how to build it', async () => {
  const empty = await startApp({ consoleDirectory: join(directory, 'nothing') })
  for (const path of ['/console', '/console/pets', '/console/assets/console-abc.js'])
    assertError(await empty.call(path, { key: null }), 404, 'route_not_found')
  const lines = empty.logs
    .join('')
    .split('\n')
    .filter((line) => line.includes('npm run build'))
  assert.equal(lines.length, 1)
})

test('a body is neither needed nor read', async () => {
  const body = 'x'.repeat(70_000)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/plain' }
  assert.equal((await call(SESSION, fromPage(undefined, { method: 'POST', headers, body }))).status, 201)
  assert.equal(
    (await call(SESSION, fromPage(undefined, { method: 'DELETE', headers: { 'content-type': 'x/y' } }))).status,
    204,
  )
})
