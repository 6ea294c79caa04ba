import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { after, test } from 'node:test'
import { startApp } from '../support/app.ts'
import { createTestKey } from '../support/factories.ts'
import { petstore } from '../support/process.ts'

const { address, key, pool } = await startApp()
const reader = (await createTestKey(pool, { scopes: ['pets:read'] })).key
const pets = (await createTestKey(pool, { scopes: ['pets:read', 'pets:write'] })).key
const unknown = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`

async function listen(server: Server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const mail = await listen(
  createServer(
    (socket) =>
      void socket
        .on('error', () => {})
        .resume()
        .end('220 mail.example ESMTP\r\n'),
  ),
)
const closing = await listen(createServer((socket) => void socket.once('data', () => socket.destroy())))
const page = await listen(createHttpServer((_, response) => void response.end('<!doctype html><h1>Pets</h1>')))
const moved = await listen(
  createHttpServer((_, response) => void response.writeHead(308, { location: 'https://pets.example/v1/pets' }).end()),
)
const seenByPage: string[] = []
const other = await listen(
  createHttpServer((request, response) => {
    seenByPage.push(String(request.headers.authorization))
    response.writeHead(302, { location: '/login' }).end()
  }),
)

const OBSTACLES: [name: string, baseUrl: string, keys: Record<string, string>, sentence: RegExp, profile?: string][] = [
  [
    'nothing listens',
    'http://127.0.0.1:1/v1',
    { PETSTORE_KEY: 'k' },
    /^Nothing listens at http:\/\/127\.0\.0\.1:1\/v1 \(.*ECONNREFUSED.*\): start the service there, or correct --base-url\.$/,
  ],
  [
    'no such host',
    'http://pets.invalid/v1',
    { PETSTORE_KEY: 'k' },
    /^The host name pets\.invalid does not resolve \(E[A-Z_]+\): check the spelling of --base-url\.$/,
  ],
  [
    'another protocol',
    `${mail}/v1`,
    { PETSTORE_KEY: 'k' },
    /returned bytes that are not HTTP .*: check the port in --base-url/,
  ],
  [
    'a server that closes every connection',
    `${closing}/v1`,
    { PETSTORE_KEY: 'k' },
    /closed the connection without a response: check the port/,
  ],
  [
    'no TLS',
    `${address.replace('http', 'https')}/v1`,
    { PETSTORE_KEY: 'k' },
    /^TLS to https:.* failed \(.*\): use http if the server has no TLS/,
  ],
  [
    'a web page',
    `${page}/v1`,
    { PETSTORE_KEY: 'k' },
    /\/v1\/pets returned 200 OK with a body that is not JSON \(no Content-Type\): check that --base-url/,
  ],
  [
    'a redirect',
    `${moved}/v1`,
    { PETSTORE_KEY: 'k' },
    /redirects to https:\/\/pets\.example\/v1\/pets: give that URL as --base-url\.$/,
  ],
  [
    'no version in the URL',
    address,
    { PETSTORE_KEY: key },
    /\/pets returned 404 Not Found with the code route_not_found: check that --base-url ends with the version path/,
  ],
  [
    'a wrong key',
    `${address}/v1`,
    { PETSTORE_KEY: unknown },
    /^The key in PETSTORE_KEY \(or --key\) was rejected: GET .*\/v1\/pets returned 401 Unauthorized with the code invalid_credentials\. Check/,
  ],
  [
    'a key that can only read',
    `${address}/v1`,
    { PETSTORE_KEY: reader },
    /can read but not write: POST .*\/v1\/pets returned 403 Forbidden with the code insufficient_scope\. Use a key with both scopes/,
  ],
  [
    'a wrong read key',
    `${address}/v1`,
    { PETSTORE_KEY: key, PETSTORE_READ_KEY: unknown },
    /^The key in PETSTORE_READ_KEY \(or --read-key\) was rejected: GET .* 401/,
  ],
  [
    'a key without the scopes of the store',
    `${address}/v1`,
    { PETSTORE_KEY: pets },
    /lacks a scope that --profile store needs: PATCH .*\/v1\/pets\/none returned 403 Forbidden with the code insufficient_scope\. Use/,
    'store',
  ],
  [
    'a wrong key for pets',
    `${address}/v1`,
    { PETSTORE_KEY: key, PETSTORE_PETS_KEY: unknown },
    /^The key in PETSTORE_PETS_KEY \(or --pets-key\) was rejected: GET .* 401/,
    'store',
  ],
]
for (const [name, baseUrl, keys, sentence, profile = 'full'] of OBSTACLES) {
  test(`${name}: one sentence, exit code 3, and no clause is tried`, async () => {
    const { code, stdout, stderr } = await petstore(['verify', '--base-url', baseUrl, '--profile', profile], keys)
    assert.equal(stdout, '')
    assert.match(stderr, /^petstore: [^\n]+\n$/)
    assert.match(stderr.replace(/^petstore: /, '').trimEnd(), sentence)
    assert.equal(code, 3)
    for (const secret of [key, reader, pets, unknown]) assert.ok(!stderr.includes(secret.slice(0, -1)))
  })
}

test('a server that is something else is not shown the key', async () => {
  const { code, stderr } = await petstore(['verify', '--base-url', `${other}/v1`], { PETSTORE_KEY: key })
  assert.match(stderr, /redirects to \/login/)
  assert.deepEqual([code, seenByPage], [3, ['undefined']])
})
