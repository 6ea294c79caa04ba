import type { Clause } from '../clause.ts'
import { expect, expectError, expectHeader } from '../expect.ts'
import { KEY } from '../placeholders.ts'

const AUTH = `Host: x\r\nAuthorization: Bearer ${KEY}\r\n`
const PET = '{"name":"verify","categoryId":1}'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'

type Bytes = (get: string, post: string, path: string) => string

// Each is one request, or less than one.
const BAD: [id: string, what: string, bytes: Bytes][] = [
  ['no-host', 'no Host', (_get, _post, path) => `GET ${path} HTTP/1.1\r\n\r\n`],
  ['two-hosts', 'two Hosts', (get) => `${get}host: y\r\n\r\n`],
  ['no-http', 'no HTTP at all', () => 'hello\r\n\r\n'],
  ['tls', 'TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['method', 'a method that does not exist', (_get, _post, path) => `GOT ${path} HTTP/1.1\r\n${AUTH}\r\n`],
  ['http-2', 'HTTP/2 by prior knowledge', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['version', 'a version that does not exist', (_get, _post, path) => `GET ${path} HTTP/1.9\r\n${AUTH}\r\n`],
  ['target-space', 'a space in the target', (_get, _post, path) => `GET ${path} x HTTP/1.1\r\n${AUTH}\r\n`],
  ['colon-space', 'a space before the colon', (get) => `${get}X : y\r\n\r\n`],
  ['folded', 'a folded header', (get) => `${get}X: a\r\n b\r\n\r\n`],
  ['nul', 'NUL in a header', (get) => `${get}X: a\0b\r\n\r\n`],
  ['bare-cr', 'a bare CR in a header', (get) => `${get}X: a\rb: c\r\n\r\n`],
  ['no-colon', 'a header without a colon', (get) => `${get}nonsense\r\n\r\n`],
  ['no-name', 'a header without a name', (get) => `${get}: x\r\n\r\n`],
  [
    'both-lengths',
    'Content-Length and Transfer-Encoding',
    (_get, post) => `${post}Content-Length: 5\r\n${CHUNKED}\r\n0\r\n\r\n`,
  ],
  [
    'two-lengths',
    'two Content-Lengths',
    (_get, post) => `${post}Content-Length: 32\r\nContent-Length: 33\r\n\r\n${PET}`,
  ],
  ['length-list', 'a list of Content-Lengths', (_get, post) => `${post}Content-Length: 32, 32\r\n\r\n${PET}`],
  ['length-negative', 'a negative Content-Length', (_get, post) => `${post}Content-Length: -1\r\n\r\n${PET}`],
  ['length-hex', 'a Content-Length in hex', (_get, post) => `${post}Content-Length: 0x20\r\n\r\n${PET}`],
  [
    'length-huge',
    'a Content-Length that overflows',
    (_get, post) => `${post}Content-Length: 99999999999999999999999\r\n\r\n${PET}`,
  ],
  ['encoding', 'an unknown Transfer-Encoding', (_get, post) => `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
  [
    'encoding-list',
    'chunked, but not last',
    (_get, post) => `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  ],
  [
    'encoding-besides',
    'a Transfer-Encoding besides chunked',
    (_get, post) => `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['rtsp', 'a method of RTSP', (_get, _post, path) => `DESCRIBE ${path} RTSP/1.0\r\n${AUTH}\r\n`],
  ['http-0.9', 'HTTP/0.9', (_get, _post, path) => `GET ${path}\r\n\r\n`],
  [
    'two-expectations',
    'two different expectations',
    (_get, post) => `${post}Expect: 100-continue\r\nExpect: 200-ok\r\nContent-Length: 32\r\n\r\n`,
  ],
  ['chunk-size', 'a chunk size that is none', (_get, post) => `${post}${CHUNKED}\r\nzz\r\n${PET}\r\n0\r\n\r\n`],
  ['chunk-longer', 'a chunk longer than it says', (_get, post) => `${post}${CHUNKED}\r\n5\r\n${PET}\r\n0\r\n\r\n`],
  ['expectation', 'another expectation', (_get, post) => `${post}Expect: 200-ok\r\nContent-Length: 32\r\n\r\n`],
  ['connect', 'CONNECT', () => `CONNECT x:443 HTTP/1.1\r\n${AUTH}\r\n`],
]
const LARGE: typeof BAD = [
  ['header', 'one header over 16 KiB', (get) => `${get}X: ${'a'.repeat(17_000)}\r\n\r\n`],
  ['headers', 'headers over 16 KiB together', (get) => `${get}${'X: a\r\n'.repeat(4_000)}\r\n`],
  [
    'line',
    'a request line over 16 KiB',
    (_get, _post, path) => `GET ${path}?x=${'a'.repeat(17_000)} HTTP/1.1\r\n${AUTH}\r\n`,
  ],
]

/** The same bytes for others who send what is not sound HTTP: what is wrong with each, and what to send. */
export function malformedRequests(path: string): [what: string, bytes: string][] {
  const [get, post] = [`GET ${path} HTTP/1.1\r\n${AUTH}`, `POST ${path} HTTP/1.1\r\n${AUTH}`]
  return [...BAD, ...LARGE].map(([, what, bytes]) => [what, bytes(get, post, path)])
}

const clause =
  (status: number, code: string) =>
  ([id, what, bytes]: (typeof BAD)[number]): Clause => ({
    id: `framing.malformed.${id}`,
    profile: 'full',
    sentence: `A request that is not valid HTTP gets one response, ${status} ${code} with the Error body, and the connection is closed: ${what}.`,
    run: async ({ exchange, basePath }) => {
      const path = `${basePath}/pets`
      const responses = await exchange(
        bytes(`GET ${path} HTTP/1.1\r\n${AUTH}`, `POST ${path} HTTP/1.1\r\n${AUTH}`, path),
      )
      for (const response of responses) {
        expect(response, responses.length === 1, `one response, not ${responses.length}`)
        expectError(response, status, code)
        expectHeader(response, 'Connection', 'close')
        expectHeader(response, 'Request-Id', /^[\w.-]{1,128}$/)
        expectHeader(response, 'Cache-Control', 'no-store')
        expectHeader(response, 'X-Content-Type-Options', 'nosniff')
      }
    },
  })

export const malformed = [...BAD.map(clause(400, 'bad_request')), ...LARGE.map(clause(431, 'headers_too_large'))]
