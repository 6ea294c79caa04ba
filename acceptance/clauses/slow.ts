import type { Clause } from '../clause.ts'
import { expect, expectError } from '../expect.ts'
import { KEY } from '../placeholders.ts'

const SENTENCE =
  'A request must arrive whole within four seconds; else it is 408 request_timeout, and the connection is closed'
const MAX_MS = 8_000 // four seconds, the way there and back, and a busy machine
const AUTH = `Host: x\r\nAuthorization: Bearer ${KEY}\r\n`

const SLOW: [id: string, what: string, bytes: (path: string) => string][] = [
  ['nothing', 'nothing is sent', () => ''],
  ['line', 'half a request line', (path) => `GET ${path}`],
  ['headers', 'half of the headers', (path) => `GET ${path} HTTP/1.1\r\n${AUTH}X-Slow: `],
  ['no-body', 'no byte of the body', (path) => `POST ${path} HTTP/1.1\r\n${AUTH}Content-Length: 32\r\n\r\n`],
  ['body', 'half of the body', (path) => `POST ${path} HTTP/1.1\r\n${AUTH}Content-Length: 32\r\n\r\n{"name":`],
  [
    'chunks',
    'half of the chunks',
    (path) => `POST ${path} HTTP/1.1\r\n${AUTH}Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam`,
  ],
]

export const slow: Clause[] = [
  ...SLOW.map(
    ([id, what, bytes]): Clause => ({
      id: `framing.slow.${id}`,
      profile: 'full',
      sentence: `${SENTENCE}: ${what}.`,
      run: async ({ exchange, basePath }) => {
        const started = performance.now()
        const responses = await exchange(bytes(`${basePath}/pets`))
        const ms = performance.now() - started
        for (const response of responses) {
          expectError(response, 408, 'request_timeout')
          expect(response, ms < MAX_MS, `a response within ${MAX_MS / 1_000} seconds`)
        }
      },
    }),
  ),
  {
    id: 'framing.slow.drip',
    profile: 'full',
    sentence: `${SENTENCE}: a byte now and then.`,
    run: async ({ connect, basePath }) => {
      const connection = await connect()
      connection.send(`GET ${basePath}/pets HTTP/1.1\r\n${AUTH}X-Slow: `)
      const drip = setInterval(() => connection.send('x'), 200)
      try {
        for (const response of await connection.untilClosed()) expectError(response, 408, 'request_timeout')
      } finally {
        clearInterval(drip)
      }
    },
  },
]
