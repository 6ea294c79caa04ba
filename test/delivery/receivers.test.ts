import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, BlockList, createServer } from 'node:net'
import { test } from 'node:test'
import { Sender } from '../../src/delivery/sender.ts'
import { isAllowed, type ReceiverRules } from '../../src/lib/receivers.ts'
import { TIMES } from '../../src/lib/times.ts'
import { opened } from '../support/cleanup.ts'
import { startNameServer } from '../support/name-server.ts'
import { certificate, makeCertificate, startReceiver } from '../support/receiver.ts'
import { throughout, until } from '../support/until.ts'

const PUBLIC = '8.8.8.8'
const rules: ReceiverRules = { networks: undefined, allowsLocal: false }
const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
const allowing: ReceiverRules = { networks: loopback, allowsLocal: false }

// Every connection to this machine on this port, by whatever address, ends up here.
let reached = 0
const trap = createServer((socket) => {
  reached++
  socket.destroy()
})
trap.listen(0, '::')
await once(trap, 'listening')
opened.defer(() => void trap.close())
const { port } = trap.address() as AddressInfo

const zone: Record<string, readonly string[]> = {
  'private.example': ['10.0.0.1'],
  'loopback.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'mapped.example': ['::ffff:7f00:1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'mixed.example': [PUBLIC, '127.0.0.1'],
  'mixed-reverse.example': ['127.0.0.1', PUBLIC],
  'mixed-families.example': [PUBLIC, '::1'],
  'metadata.example': ['169.254.169.254'],
  'any.example': ['0.0.0.0'],
  'any6.example': ['::'],
}
let rebinding = 0
const { resolver, asked } = await startNameServer((name) => {
  if (name === 'silent.example') return undefined
  if (name === 'receiver.example') return ['127.0.0.1']
  // Of these only the last one listens.
  if (name === 'second.example') return ['127.0.3.1', '127.0.3.99']
  if (name === 'many.example') return [...Array.from({ length: 30 }, (_, i) => `127.0.3.${i + 1}`), '127.0.3.99']
  // Public at first, and this machine ever after.
  if (name === 'rebinding.example') return rebinding++ < 2 ? [PUBLIC] : ['127.0.0.1']
  return zone[name] ?? []
})

/** Spellings of hosts that must not be connected to. */
const HOSTILE = [
  // This machine, in all its spellings.
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '0177.0.0.1',
  '0177.1',
  '0x7f.1',
  '0x7f.0.0.1',
  '0x7f000001',
  '2130706433',
  '017700000001',
  '0',
  '0.0.0.0',
  '0x0',
  '127。0。0。1',
  '①②⑦.0.0.1',
  '%31%32%37.0.0.1',
  'localhost',
  'localhost.',
  'LOCALHOST',
  'ｌｏｃａｌｈｏｓｔ',
  'a.localhost',
  'a.localhost.',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001::7f00:1]',
  '[::ffff:0:127.0.0.1]',
  // Networks that are not public.
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[5f00::1]',
  ...Object.keys(zone),
]

/** To a URL that has accepted a request before, so that the outcome says what has failed. */
async function post(url: string, by: ReceiverRules = rules, hasSucceeded = true) {
  using sender = new Sender(url, by, resolver, TIMES.sending, hasSucceeded)
  return await sender.post({}, '{"specversion":"1.0","data":{}}')
}

test('W3: of many hostile hosts none is connected to, by https or by http, on any port', {
  timeout: 30_000,
}, async () => {
  assert.ok(HOSTILE.length >= 50)
  for (const host of HOSTILE) {
    const url = URL.parse(`https://${host}:${port}/`)
    assert.ok(url, host)
    const { status, error = '' } = await post(url.href)
    assert.equal(status, undefined, host)
    assert.match(error, /not allowed|could not be resolved/, host)
  }
  for (const url of [
    `http://${PUBLIC}/`,
    `http://127.0.0.1:${port}/`,
    `https://user@${PUBLIC}/`,
    `https://${PUBLIC}:22/`,
  ])
    assert.match((await post(url)).error ?? '', /^The URL is not allowed: it must/, url)
  await throughout(100, () => reached === 0)
})

test('the trap would notice', async () => {
  const { error } = await post(`https://127.0.0.1:${port}/`, allowing)
  assert.equal(error, 'The connection was closed before there was a response.')
  assert.equal(reached, 1)
  reached = 0
})

test('W3: a name of which one address is private is not connected to, whatever the order', async () => {
  for (const name of ['mixed.example', 'mixed-reverse.example', 'mixed-families.example'])
    assert.equal((await post(`https://${name}:${port}/`)).error, 'The name resolves to an address that is not allowed.')
  assert.equal(reached, 0)
})

test('W3: a name that changes its answer is connected to at the address that was checked', {
  timeout: 30_000,
}, async () => {
  using sender = new Sender(`https://rebinding.example:${port}/`, rules, resolver, TIMES.sending, true)
  rebinding = 0
  // To a public address that does not respond on this port, or not at all: no network is needed.
  const first = sender.post({}, '{}')
  const isAsked = () => rebinding >= 2
  await until(isAsked)
  const second = await sender.post({}, '{}')
  assert.equal(second.error, 'The name resolves to an address that is not allowed.')
  assert.equal(asked.filter((question) => question.startsWith('rebinding.example')).length, 4)
  sender[Symbol.dispose]()
  await first
  assert.equal(reached, 0)
})

test('a receiver in a network of the store is reached by its name, which is also checked in its certificate', async () => {
  const receiver = await startReceiver()
  const { status } = await post(`https://receiver.example:${receiver.port}/hooks`, allowing)
  assert.equal(status, 200)
  assert.equal(receiver.received[0]!.headers.host, `receiver.example:${receiver.port}`)

  zone['other.example'] = ['127.0.0.1']
  const { error } = await post(`https://other.example:${receiver.port}/hooks`, allowing)
  assert.equal(error, 'The certificate is not valid: ERR_TLS_CERT_ALTNAME_INVALID.')
  assert.equal(receiver.received.length, 1)
})

test('a certificate that is not trusted is not accepted', async () => {
  const untrusted = await startReceiver(() => 200, makeCertificate('IP:127.0.0.1'))
  const { error } = await post(untrusted.url, allowing)
  assert.equal(error, 'The certificate is not valid: DEPTH_ZERO_SELF_SIGNED_CERT.')
  assert.equal(untrusted.received.length, 0)
  assert.equal((await post((await startReceiver(() => 200, certificate)).url, allowing)).status, 200)
})

/** Receivers that fail, each in its way, and what is said of them. */
async function failures() {
  const closed = createServer()
  closed.listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const free = (closed.address() as AddressInfo).port
  closed.close()
  const plain = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
  })
  plain.listen(0, '127.0.0.1')
  await once(plain, 'listening')
  opened.defer(() => void plain.close())
  const garbage = await startReceiver((_received, response) => {
    response.socket?.end('not HTTP at all\r\n\r\n')
  })
  return {
    [`https://127.0.0.1:${free}/`]: 'The connection was refused.',
    [`https://127.0.0.1:${(plain.address() as AddressInfo).port}/`]: 'The receiver did not accept TLS.',
    [garbage.url]: 'The response was not valid HTTP.',
    'https://nowhere.example/': 'The name could not be resolved.',
    'https://silent.example/': 'The name could not be resolved.',
    'https://private.example/': 'The name resolves to an address that is not allowed.',
    [(await startReceiver(() => 200, makeCertificate('IP:127.0.0.1'))).url]:
      'The certificate is not valid: DEPTH_ZERO_SELF_SIGNED_CERT.',
  }
}

test('what goes wrong is said in a sentence that shows no address', { timeout: 30_000 }, async () => {
  for (const [url, sentence] of Object.entries(await failures()))
    assert.equal((await post(url, allowing)).error, sentence, url)
})

test('until a URL has accepted a first request, nothing tells open, closed and other ports apart, nor names', {
  timeout: 30_000,
}, async () => {
  const urls = Object.keys(await failures())
  assert.equal(urls.length, 7)
  const outcomes = await Promise.all(urls.map((url) => post(url, allowing, false)))
  assert.equal(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size, 1)
  assert.match(outcomes[0]!.error!, /^There was no response\. Check that the name resolves/)
  assert.equal(outcomes[0]!.durationMs, 0)
  // What the operator does not allow says nothing about the receiver.
  assert.match((await post(`http://127.0.0.1:${port}/`, rules, false)).error!, /^The URL is not allowed/)
})

test('a failure after a first success says what it is, and a response always does', async () => {
  const receiver = await startReceiver(() => 500)
  using sender = new Sender(receiver.url, allowing, resolver)
  assert.equal((await sender.post({}, '{"data":{}}')).error, 'The status was 500.')
  receiver.respond = () => 204
  assert.equal(sender.hasSucceeded, false)
  await sender.post({}, '{"data":{}}')
  assert.equal(sender.hasSucceeded, true)
  receiver.close()
  assert.equal((await sender.post({}, '{"data":{}}')).error, 'The connection was refused.')
})

/** What is kept of a response: with this body, from a URL that has accepted a request before, or not. */
async function bodyOf(status: number, body: string | Buffer, hasSucceeded = true) {
  const receiver = await startReceiver((_received, response) => void response.writeHead(status).end(body))
  return (await post(receiver.url, allowing, hasSucceeded)).responseBody
}

test('a response that is not 2xx is kept, its first 1,024 bytes, cut at a character', async () => {
  for (const status of [300, 302, 400, 404, 410, 422, 429, 500, 503])
    assert.equal(await bodyOf(status, 'No.'), 'No.', `${status}`)
  for (const status of [200, 202, 299]) assert.equal(await bodyOf(status, 'Yes.'), undefined, `${status}`)
  const long = 'x'.repeat(1_024)
  for (const [body, kept] of [
    ['', undefined],
    ['{"error":"Полли"}', '{"error":"Полли"}'],
    [long, long],
    [`${long}y`, long],
    ['x'.repeat(200_000), long],
    // Characters of two, three and four bytes, cut wherever they can be.
    [`${'x'.repeat(1_023)}ж`, 'x'.repeat(1_023)],
    [`${'x'.repeat(1_022)}ж`, `${'x'.repeat(1_022)}ж`],
    [`${'x'.repeat(1_022)}狗`, 'x'.repeat(1_022)],
    [`${'x'.repeat(1_021)}🐢`, 'x'.repeat(1_021)],
    [`${'x'.repeat(1_020)}🐢`, `${'x'.repeat(1_020)}🐢`],
  ] as const)
    assert.equal(await bodyOf(500, body), kept)
})

test('what is no text becomes text that can be stored', async () => {
  for (const [bytes, kept] of [
    [[0x61, 0x00, 0x62, 0x00], 'ab'],
    [[0x00, 0x00], undefined],
    [[0xff, 0xfe, 0x61], '\ufffd\ufffda'],
    [[0xc3, 0x28], '\ufffd('],
    // Half a character at the end of all is no text; at the end of what is kept it is cut.
    [[0x61, 0xd0], 'a\ufffd'],
    [[0xed, 0xa0, 0x80], '\ufffd\ufffd\ufffd'],
    [[0xef, 0xbb, 0xbf, 0x61], 'a'],
    [[0x1b, 0x5b, 0x33], '\u001b[3'],
  ] as const)
    assert.equal(await bodyOf(500, Buffer.from(bytes)), kept)
})

test('until a URL has accepted a first request, nothing is kept of what it responds', async () => {
  for (const status of [302, 404, 500]) assert.equal(await bodyOf(status, 'a secret of another', false), undefined)
  const receiver = await startReceiver((_received, response) => void response.writeHead(500).end('No.'))
  using sender = new Sender(receiver.url, allowing, resolver)
  const { responseBody: before } = await sender.post({}, '{"data":{}}')
  receiver.respond = () => 204
  await sender.post({}, '{"data":{}}')
  receiver.respond = (_received, response) => void response.writeHead(500).end('No.')
  const { responseBody: now } = await sender.post({}, '{"data":{}}')
  assert.deepEqual([before, now], [undefined, 'No.'])
})

test('a body that never ends is waited for a second, and what took long is not the attempt', async () => {
  const receiver = await startReceiver((_received, response) => void response.writeHead(500).write('Sorry, '))
  const begun = performance.now()
  const { responseBody, durationMs, status } = await post(receiver.url, allowing)
  const { bodyMs } = TIMES.sending
  const ms = performance.now() - begun
  assert.deepEqual([status, responseBody], [500, 'Sorry, '])
  assert.ok(ms >= bodyMs - 1 && ms < bodyMs + 1_000, `${ms}`)
  assert.ok(durationMs < bodyMs, `${durationMs}`)
  await until(() => receiver.underWay === 0)
})

test('a connection that breaks in the middle of a body is a response, with what came of it', async () => {
  const receiver = await startReceiver((_received, response) => {
    response.writeHead(500, { 'content-length': '100' }).write('Sor', () => response.destroy())
    return undefined
  })
  const { status, responseBody } = await post(receiver.url, allowing)
  assert.deepEqual([status, responseBody], [500, 'Sor'])
})

test('nothing but an address is allowed', () => {
  const everything = new BlockList()
  everything.addSubnet('0.0.0.0', 0, 'ipv4')
  for (const text of ['', 'shop.example', '127.0.0.1.', '8.8.8.8 ', '8.8.8', '::g', '[::1]', '08.8.8.8'])
    for (const each of [rules, { networks: everything, allowsLocal: true }])
      assert.equal(isAllowed(text, each), false, text)
  assert.equal(isAllowed(PUBLIC, rules), true)
})

test('of a name with many addresses few are tried: each may take five seconds', async () => {
  const server = createServer((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
  server.listen(0, '127.0.3.99')
  await once(server, 'listening')
  opened.defer(() => void server.close())
  const { port: last } = server.address() as AddressInfo
  // The connection that is made is not one with TLS.
  assert.equal((await post(`https://second.example:${last}/`, allowing)).error, 'The receiver did not accept TLS.')
  assert.equal((await post(`https://many.example:${last}/`, allowing)).error, 'The connection was refused.')
})

test('a name whose servers do not respond delays no other', async () => {
  const receiver = await startReceiver()
  const silent = Array.from({ length: 50 }, () => post('https://silent.example/', allowing))
  const begun = performance.now()
  assert.equal((await post(`https://receiver.example:${receiver.port}/`, allowing)).status, 200)
  assert.ok(performance.now() - begun < 250)
  await Promise.all(silent)
})

test('local receivers are for `petstore dev`: http, and names of this machine', async () => {
  const local: ReceiverRules = { networks: undefined, allowsLocal: true }
  const receiver = await startReceiver()
  assert.equal((await post(receiver.url, local)).status, 200)
  const plain = createServer((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
  plain.listen(0, '127.0.0.1')
  await once(plain, 'listening')
  opened.defer(() => void plain.close())
  const { port: plainPort } = plain.address() as AddressInfo
  assert.equal((await post(`http://localhost:${plainPort}/`, local)).status, 204)
  assert.match((await post(`http://localhost:${plainPort}/`, allowing)).error ?? '', /must begin with https/)
  assert.match((await post('https://private.example/', local)).error ?? '', /not allowed/)
})
