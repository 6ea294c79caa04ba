import type { Clause } from '../clause.ts'
import { expect, expectError, expectHeader, expectStatus } from '../expect.ts'
import { KEY } from '../placeholders.ts'
import type { Response } from '../response.ts'
import { malformed } from './malformed.ts'
import { slow } from './slow.ts'

const AUTH = `Host: x\r\nAuthorization: Bearer ${KEY}\r\n`
const PET = '{"name":"verify","categoryId":1}'
const WHOLE = `Content-Length: ${PET.length}\r\n`

const statuses = (responses: Response[]) => responses.map(({ status }) => status).join()

function expectStatuses(responses: Response[], ...expected: number[]) {
  for (const response of responses.slice(0, 1))
    expect(
      response,
      statuses(responses) === expected.join(),
      `the responses ${expected.join(', ')}, not ${statuses(responses)}`,
    )
}

/** Sends these bytes, of which the base path is a part, and checks the statuses of the responses. */
function respondsWith(id: string, sentence: string, bytes: (path: string) => string, ...expected: number[]): Clause {
  return {
    id: `framing.${id}`,
    profile: 'full',
    sentence,
    run: async ({ exchange, basePath }) => expectStatuses(await exchange(bytes(`${basePath}/pets`)), ...expected),
  }
}

/** 100 Continue is sent only once everything up to the length of the body is right. */
const refusedAtOnce = (id: string, headers: string, status: number): Clause =>
  respondsWith(
    `continue.${id}`,
    `100 Continue is sent only when everything up to the length of the body is right: else ${status} at once.`,
    (path) => `POST ${path} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n${headers}\r\n`,
    status,
  )

/** A head of exactly so many bytes, with no white space that could be left out, and without a key of unknown length. */
function headOf(size: number, path: string) {
  const head = `GET ${path} HTTP/1.1\r\nHost: x\r\n${'x: y\r\n'.repeat(1_000)}Connection: close\r\nPad: `
  return `${head}${'z'.repeat(size - head.length - 4)}\r\n\r\n`
}

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const chunked = (path: string) =>
  `POST ${path} HTTP/1.1\r\n${AUTH}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
const get = (path: string) => `GET ${path}?limit=1 HTTP/1.1\r\n${AUTH}`

export const FRAMING: Clause[] = [
  ...malformed,
  respondsWith(
    'http-1.0',
    'HTTP/1.0 needs no Host.',
    (path) => `GET ${path} HTTP/1.0\r\nAuthorization: Bearer ${KEY}\r\n\r\n`,
    200,
  ),
  respondsWith('head.most', '16 KiB of request line and headers are read.', (path) => headOf(16_384, path), 401),
  respondsWith(
    'head.over',
    'One byte over 16 KiB of request line and headers is 431.',
    (path) => headOf(16_385, path),
    431,
  ),
  respondsWith(
    'absolute',
    'A target in absolute form is the same path.',
    (path) => `GET http://x${path} HTTP/1.1\r\n${AUTH}Connection: close\r\n\r\n`,
    200,
  ),
  respondsWith(
    'absolute.no-key',
    'A target in absolute form needs a key too.',
    (path) => `GET http://x${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    401,
  ),
  respondsWith(
    'chunked',
    'A body in chunks is read.',
    (path) => `${chunked(path)}${chunk(PET.slice(0, 7))}${chunk(PET.slice(7))}0\r\n\r\n`,
    201,
  ),
  respondsWith(
    'chunked.over',
    'A body in chunks is 413 when it passes 65,536 bytes.',
    (path) => `${chunked(path)}${chunk(' '.repeat(65_000))}${chunk(' '.repeat(1_000))}`,
    413,
  ),
  respondsWith(
    'noise',
    'Garbage after complete requests does not affect their responses.',
    (path) => `${get(path)}\r\n${get(path)}\r\nnoise\r\n\r\n`,
    200,
    200,
    400,
  ),
  respondsWith(
    'connect-behind',
    'CONNECT after a complete request does not affect its response.',
    (path) => `${get(path)}\r\nCONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`,
    200,
    400,
  ),
  respondsWith(
    'options-body',
    'OPTIONS reads no body: the response comes before any of it was sent.',
    (path) => `OPTIONS ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n`,
    204,
  ),
  refusedAtOnce('no-key', WHOLE, 401),
  refusedAtOnce('type', `Authorization: Bearer ${KEY}\r\nContent-Type: text/plain\r\n${WHOLE}`, 415),
  refusedAtOnce('length', `Authorization: Bearer ${KEY}\r\nContent-Length: 65537\r\n`, 413),
  ...[
    ['sent', 'Expect: 100-continue\r\n'],
    ['sent-once', 'Expect: 100-continue\r\nExpect: 100-continue\r\n'],
  ].map(
    ([id, headers]): Clause => ({
      id: `framing.continue.${id}`,
      profile: 'full',
      sentence:
        '100 Continue is sent once when everything up to the length of the body is valid, followed by the response.',
      run: async ({ connect, basePath }) => {
        const connection = await connect()
        connection.send(`POST ${basePath}/pets HTTP/1.1\r\n${AUTH}${headers}${WHOLE}Connection: close\r\n\r\n`)
        expectStatuses(await connection.responses(1), 100)
        expectStatuses(await connection.send(PET).untilClosed(), 100, 201)
      },
    }),
  ),
  {
    id: 'framing.in-order',
    profile: 'full',
    sentence: 'Pipelined requests get their responses one by one, in order.',
    run: async ({ exchange, basePath }) => {
      const path = `${basePath}/pets`
      const post = `POST ${path} HTTP/1.1\r\n${AUTH}Request-Id: c\r\n${WHOLE}Connection: close\r\n\r\n${PET}`
      const responses = await exchange(`${get(path)}Request-Id: a\r\n\r\n${get(path)}Request-Id: b\r\n\r\n${post}`)
      expectStatuses(responses, 200, 200, 201)
      for (const [i, response] of responses.entries()) expectHeader(response, 'Request-Id', ['a', 'b', 'c'][i] ?? '')
    },
  },
  {
    id: 'framing.smuggled',
    profile: 'full',
    sentence: 'A request hidden in the body of a rejected one never gets a response.',
    run: async ({ exchange, basePath }) => {
      const hidden = `POST ${basePath}/pets HTTP/1.1\r\n${AUTH}${WHOLE}\r\n${PET}`
      // Long enough for any key, with nothing after it.
      const responses = await exchange(
        `POST ${basePath}/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n${hidden}`,
      )
      expectStatuses(responses, 401)
    },
  },
  {
    id: 'framing.half-closed',
    profile: 'full',
    sentence: 'A client that has closed its side of the connection still gets the response.',
    run: async ({ exchange, basePath }) =>
      expectStatuses(await exchange(`${get(`${basePath}/pets`)}\r\n`, { end: true }), 200),
  },
  {
    id: 'framing.cut',
    profile: 'full',
    sentence: 'A body that ends before its Content-Length is 400 bad_request, and adds nothing.',
    run: async ({ exchange, basePath }) => {
      const bytes = `POST ${basePath}/pets HTTP/1.1\r\n${AUTH}Content-Length: 1000\r\n\r\n${PET}`
      for (const response of await exchange(bytes, { end: true })) expectError(response, 400, 'bad_request')
    },
  },
  {
    id: 'framing.kept-open',
    profile: 'full',
    sentence: 'A connection is kept after a rejected request whose body was read.',
    run: async ({ connect, basePath }) => {
      const connection = await connect()
      const head = `POST ${basePath}/pets HTTP/1.1\r\n${AUTH}`
      connection.send(`${head}Content-Length: 1\r\n\r\n{`)
      for (const response of await connection.responses(1)) expectError(response, 400, 'invalid_json')
      const responses = await connection.send(`${head}${WHOLE}Connection: close\r\n\r\n${PET}`).untilClosed()
      for (const response of responses.slice(1)) expectStatus(response, 201)
      expectStatuses(responses, 400, 201)
    },
  },
  ...slow,
]
