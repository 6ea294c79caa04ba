import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { assertErrorBody } from '../support/assert-error.ts'
import { exchange, type RawAnswer, RawConnection } from '../support/raw.ts'
import { SHORT } from '../support/times.ts'

const { address, key, url, pool, call, logs } = await startApp()
const { clients } = SHORT
const { address: impatient } = await startApp({ databaseUrl: url }, { clients })

const AUTH = `Host: x\r\nAuthorization: Bearer ${key}\r\n`
const GET = `GET /v1/pets HTTP/1.1\r\n${AUTH}`
const POST = `POST /v1/pets HTTP/1.1\r\n${AUTH}`
const PET = '{"name":"Rex","categoryId":1}'
const MAX_MS = clients.arrivalMs + clients.sweepMs + 1_000 // and a busy machine

function assertRejection(answer: RawAnswer | undefined, status: number, code: string) {
  assert.ok(answer, 'there is a response')
  assert.equal(answer.status, status, answer.body)
  assertErrorBody(answer.body, status, code)
  assert.equal(answer.headers.get('content-type'), 'application/json')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  assert.match(answer.headers.get('request-id')!, /^[\w.-]{1,128}$/)
}

// Each is one request, or less than one: one response, the Error body, and the connection closed.
const MALFORMED: [name: string, bytes: string, status?: number, code?: string][] = [
  ['no Host', `GET /livez HTTP/1.1\r\n\r\n`],
  ['two Hosts', `GET /livez HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n`],
  ['two Hosts before a missing key', `GET /v1/pets HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n`],
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['an unknown method', `GOT /v1/pets HTTP/1.1\r\n${AUTH}\r\n`],
  ['HTTP/2 by prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a version that does not exist', `GET /v1/pets HTTP/1.9\r\n${AUTH}\r\n`],
  ['a space in the target', `GET /v1/pets x HTTP/1.1\r\n${AUTH}\r\n`],
  ['a space before the colon', `GET /v1/pets HTTP/1.1\r\nHost : x\r\n\r\n`],
  ['a folded header', `${GET}X: a\r\n b\r\n\r\n`],
  ['NUL in a header', `${GET}X: a\0b\r\n\r\n`],
  ['a bare CR in a header', `${GET}X: a\rb: c\r\n\r\n`],
  ['a header without a colon', `${GET}nonsense\r\n\r\n`],
  ['a header without a name', `${GET}: x\r\n\r\n`],
  ['Content-Length and Transfer-Encoding', `${POST}Content-Length: 29\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['two Content-Lengths', `${POST}Content-Length: 29\r\nContent-Length: 30\r\n\r\n${PET}`],
  ['a Content-Length list', `${POST}Content-Length: 29, 29\r\n\r\n${PET}`],
  ['a negative Content-Length', `${POST}Content-Length: -1\r\n\r\n${PET}`],
  ['a Content-Length in hex', `${POST}Content-Length: 0x1d\r\n\r\n${PET}`],
  ['a Content-Length that overflows', `${POST}Content-Length: 99999999999999999999999\r\n\r\n${PET}`],
  ['an unknown Transfer-Encoding', `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
  ['chunked twice', `${POST}Transfer-Encoding: chunked, chunked, identity\r\n\r\n0\r\n\r\n`],
  ['a chunk size that is none', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n${PET}\r\n0\r\n\r\n`],
  ['a chunk longer than it says', `${POST}Transfer-Encoding: chunked\r\n\r\n5\r\n${PET}\r\n0\r\n\r\n`],
  ['the methods of RTSP', `DESCRIBE /v1/pets RTSP/1.0\r\n${AUTH}\r\n`],
  ['HTTP/0.9', 'GET /livez\r\n\r\n'],
  ['HTTP/2.0', `GET /livez HTTP/2.0\r\n${AUTH}\r\n`],
  ['a Transfer-Encoding besides chunked', `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  ['a Transfer-Encoding in HTTP/1.0', `POST /v1/pets HTTP/1.0\r\n${AUTH}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['another expectation', `${POST}Expect: 200-ok\r\nContent-Length: 29\r\n\r\n`],
  ['another expectation beside 100-continue', `${POST}Expect: 200-ok, 100-continue\r\nContent-Length: 29\r\n\r\n`],
  ['two different expectations', `${POST}Expect: 200-ok\r\nExpect: 100-continue\r\nContent-Length: 29\r\n\r\n`],
  ['CONNECT', `CONNECT x:443 HTTP/1.1\r\n${AUTH}\r\n`],
  ['a header over 16 KiB', `${GET}X: ${'a'.repeat(17_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ['headers over 16 KiB together', `${GET}${'X: a\r\n'.repeat(4_000)}\r\n`, 431, 'headers_too_large'],
  [
    'a request line over 16 KiB',
    `GET /v1/pets?x=${'a'.repeat(17_000)} HTTP/1.1\r\n${AUTH}\r\n`,
    431,
    'headers_too_large',
  ],
]
for (const [name, bytes, status = 400, code = 'bad_request'] of MALFORMED) {
  test(`${name}: one response with the Error body, then the connection is closed`, async () => {
    const answers = await exchange(address, bytes)
    assert.equal(answers.length, 1)
    assertRejection(answers[0], status, code)
    assert.equal(answers[0]!.headers.get('connection'), 'close')
  })
}

test('HTTP/1.0 needs no Host', async () => {
  const [answer] = await exchange(address, `GET /v1/pets HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  assert.equal(answer!.status, 200)
})

test('16 KiB of request line and headers are read, one byte more is not', async () => {
  const head = `GET /v1/pets HTTP/1.1\r\n${'x: y\r\n'.repeat(2_000)}${AUTH}Connection: close\r\nPad: `
  const padded = (size: number) => `${head}${'z'.repeat(size - head.length - 4)}\r\n\r\n`
  assert.equal((await exchange(address, padded(16_384)))[0]!.status, 200)
  assertRejection((await exchange(address, padded(16_385)))[0], 431, 'headers_too_large')
})

test('pipelined requests get their responses one by one, in order', async () => {
  const bytes = `${GET}Request-Id: a\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\nRequest-Id: b\r\n\r\n${POST}Request-Id: c\r\nContent-Length: 29\r\nConnection: close\r\n\r\n${PET}`
  const answers = await exchange(address, bytes)
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('request-id')]),
    [
      [200, 'a'],
      [200, 'b'],
      [201, 'c'],
    ],
  )
})

test('noise after a complete request does not spoil its response', async () => {
  for (const noise of [
    'nonsense\r\n\r\n',
    'GET /v1/pets HTTP/1.1\r\nHost : x\r\n\r\n',
    `CONNECT x:443 HTTP/1.1\r\n${AUTH}\r\n`,
  ]) {
    const answers = await exchange(address, `${GET}\r\n${GET}\r\n${noise}`)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 400],
    )
    assertRejection(answers[2], 400, 'bad_request')
  }
})

test('CONNECT after a complete request does not take its response', async () => {
  const answers = await exchange(
    address,
    `${POST}Content-Length: 29\r\n\r\n${PET}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`,
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 400],
  )
})

test('clients that disconnect at once do no harm', async () => {
  const requests = [
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
    `${GET}\r\n`,
    'nonsense\r\n\r\n',
    `${POST}Content-Length: 9\r\n\r\n{`,
  ]
  for (let i = 0; i < 400; i++) {
    const connection = await RawConnection.open(address)
    connection.send(requests[i % requests.length]!)
    if (i % 8 < 4) await new Promise((resolve) => setImmediate(resolve))
    connection.socket.resetAndDestroy()
  }
  assert.equal((await call('/livez')).status, 200)
})

test('OPTIONS reads no body, and needs none', async () => {
  for (const path of ['/v1/pets', '/v1/pets/1', '/livez']) {
    for (const rest of [
      'Content-Length: 5\r\n',
      'Content-Length: 100000\r\n',
      'Content-Type: ;;\r\nContent-Length: 5\r\n',
      'Expect: 100-continue\r\nContent-Length: 5\r\n',
    ]) {
      const connection = await RawConnection.open(address)
      connection.send(`OPTIONS ${path} HTTP/1.1\r\nHost: x\r\n${rest}\r\n`)
      const answers = await connection.untilClosed()
      assert.deepEqual(
        answers.map(({ status }) => status),
        [204],
      )
      assert.equal(answers[0]!.headers.get('connection'), 'close')
    }
  }
})

test('a client with a large body can read why it was rejected', async () => {
  const body = Buffer.alloc(3_000_000, 'x')
  for (let i = 0; i < 10; i++) {
    assert.equal((await call('/v1/pets', { method: 'POST', body, key: null })).status, 401)
    assert.equal((await call('/v1/pets', { method: 'POST', body })).status, 413)
  }
})

test('a Request-Id is kept also where only the body is broken, and the rejection is logged', async () => {
  for (const rest of ['Content-Length: 29\r\n\r\n{', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n']) {
    const [answer] = await exchange(address, `${POST}Request-Id: mine\r\n${rest}`, { end: true })
    assertRejection(answer, 400, 'bad_request')
    assert.equal(answer!.headers.get('request-id'), 'mine')
  }
  assert.equal(logs.filter((line) => line.includes('"requestId":"mine"') && line.includes('"rejected"')).length, 2)
})

test('an Upgrade is not followed, and is the last request of its connection', async () => {
  // After it, Node would leave malformed bytes without a response until they time out.
  const [answer, ...more] = await exchange(address, `${GET}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`)
  assert.equal(answer!.status, 200)
  assert.equal(answer!.headers.get('connection'), 'close')
  assert.deepEqual(more, [])
})

test('a request hidden in a rejected body gets no response and is not executed', async () => {
  const before = (await pool.query('select 1 from pets')).rowCount
  const hidden = `${POST}Content-Length: 29\r\n\r\n${PET}`
  const request = (length: number) => `POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${hidden}`
  const refused = await exchange(address, request(hidden.length))
  assert.equal(refused.length, 1)
  assertRejection(refused[0], 401, 'missing_credentials')
  assert.equal(refused[0]!.headers.get('connection'), 'close')
  const chunked = `${POST}Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n`
  const smuggled = await exchange(address, `${chunked}${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`)
  assert.equal(smuggled.length, 1)
  assertRejection(smuggled[0], 415, 'unsupported_media_type')
  assert.equal((await pool.query('select 1 from pets')).rowCount, before)
})

test('a body in chunks is read, up to its limit', async () => {
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const head = `${POST}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
  const [created] = await exchange(address, `${head}${chunk(PET.slice(0, 7))}${chunk(PET.slice(7))}0\r\n\r\n`)
  assert.equal(created!.status, 201)
  const [refused] = await exchange(address, `${head}${chunk(' '.repeat(65_000))}${chunk(' '.repeat(1_000))}`)
  assertRejection(refused, 413, 'payload_too_large')
})

test('a body in too many chunks is rejected, however small it is', async () => {
  const inBytes = (text: string) => text.replaceAll(/./gs, '1\r\n$&\r\n')
  const head = `${POST}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
  const padded = (length: number) => PET.padEnd(length)
  const [created] = await exchange(address, `${head}${inBytes(padded(250))}0\r\n\r\n`)
  assert.equal(created!.status, 201)
  for (const length of [257, 1_500, 30_000]) {
    const answers = await exchange(address, `${head}${inBytes(padded(length))}0\r\n\r\n`)
    assert.equal(answers.length, 1)
    assertRejection(answers[0], 400, 'bad_request')
    assert.match(answers[0]!.body, /256 chunks/)
  }
})

test('a hundred requests may wait on a connection; the next is rejected, and nothing after it is served', async () => {
  const requests = Array.from({ length: 150 }, (_, i) => `GET /livez HTTP/1.1\r\nHost: x\r\nRequest-Id: ${i}\r\n\r\n`)
  const answers = await exchange(address, requests.join(''))
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('request-id')]),
    Array.from({ length: 102 }, (_, i) => [i < 101 ? 200 : 400, String(i)]),
  )
  assertRejection(answers.at(-1), 400, 'bad_request')
  assert.equal(answers.at(-1)!.headers.get('connection'), 'close')
})

test('a client that keeps some requests waiting may send as many as it likes', async () => {
  const connection = await RawConnection.open(address)
  const request = `GET /livez HTTP/1.1\r\nHost: x\r\nPad: ${'x'.repeat(2_000)}\r\n\r\n`
  for (let sent = 10; sent <= 400; sent += 10) {
    connection.send(request.repeat(10))
    const answers = await connection.answers(sent - 5)
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  }
  connection.socket.destroy()
})

test('100 Continue is sent only when everything up to the length of the body is right', async () => {
  const expecting = async (headers: string) => {
    const connection = await RawConnection.open(address)
    connection.send(`POST /v1/pets HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n${headers}\r\n`)
    return connection
  }
  const key_ = `Authorization: Bearer ${key}\r\n`
  for (const [headers, status] of [
    ['Content-Length: 29\r\n', 401],
    [`${key_}Content-Length: 29\r\nContent-Type: text/plain\r\n`, 415],
    [`${key_}Content-Length: 65537\r\n`, 413],
  ] as const) {
    const answers = await (await expecting(headers)).untilClosed()
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [status],
    )
  }
  const connection = await expecting(`${key_}Content-Length: 29\r\nConnection: close\r\n`)
  assert.deepEqual(
    (await connection.answers(1)).map(({ status }) => status),
    [100],
  )
  connection.send(PET)
  assert.deepEqual(
    (await connection.untilClosed()).map(({ status }) => status),
    [100, 201],
  )
})

test('a client that has finished sending still gets the response', async () => {
  const whole = await exchange(address, `${GET}\r\n`, { end: true })
  assert.equal(whole.length, 1)
  assert.equal(whole[0]!.status, 200)
  for (const cut of [`${POST}Content-Length: 29\r\n\r\n${PET.slice(0, 9)}`, `${GET}X: `, 'GE']) {
    const answers = await exchange(address, cut, { end: true })
    assert.equal(answers.length, 1, cut)
    assertRejection(answers[0], 400, 'bad_request')
  }
})

const SLOW: [name: string, bytes: string][] = [
  ['nothing', ''],
  ['half a request line', 'GET /v1/pe'],
  ['half of the headers', `${GET}X-Slow: `],
  ['half of the body', `${POST}Content-Length: 29\r\n\r\n${PET.slice(0, 9)}`],
  ['no byte of the body', `${POST}Content-Length: 29\r\n\r\n`],
  ['half of the chunks', `${POST}Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam`],
]
test('a slow client gets a 408 and is disconnected in time', { concurrency: true }, async (t) => {
  await Promise.all(
    SLOW.map(([name, bytes]) =>
      t.test(`one that sends ${name}`, async () => {
        const started = performance.now()
        const answers = await exchange(impatient, bytes)
        assert.ok(performance.now() - started < MAX_MS)
        assert.equal(answers.length, 1)
        assertRejection(answers[0], 408, 'request_timeout')
      }),
    ),
  )
  await t.test('one that sends a byte now and then', async () => {
    const connection = await RawConnection.open(impatient)
    connection.send(GET)
    const drip = setInterval(() => connection.send('x'), clients.arrivalMs / 20)
    const started = performance.now()
    const answers = await connection.untilClosed()
    clearInterval(drip)
    assert.ok(performance.now() - started < MAX_MS)
    assertRejection(answers[0], 408, 'request_timeout')
  })
})

test('after all of this the service is well', async () => {
  assert.equal((await call('/readyz')).status, 200)
  assert.equal((await call('/v1/pets')).status, 200)
})

test('a body that only its type announces is an empty one', async () => {
  const head = (method: string, type: string) =>
    `${method} /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${type}\r\nConnection: close\r\n\r\n`
  const [post] = await exchange(address, head('POST', 'application/json'))
  assertRejection(post, 400, 'invalid_json')
  const [other] = await exchange(address, head('POST', 'text/plain'))
  assertRejection(other, 415, 'unsupported_media_type')
  const [get] = await exchange(address, head('GET', 'application/json'))
  assert.equal(get?.status, 200)
})
