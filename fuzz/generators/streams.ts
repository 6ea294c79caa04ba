import fc from 'fast-check'
import type { Request } from '../request.ts'
import { goodBody } from './bodies.ts'
import { plainRequest } from './requests.ts'
import { oneOfWords } from './words.ts'

/** What is sent on one connection in one go: sound requests, and perhaps something malformed after them. */
export interface Stream {
  requests: Request[]
  /** Bytes that are no sound request, and the error that must reject them. */
  broken?: { bytes: string; status: number; code: string }
  /** Closes the sending half at the end. */
  end: boolean
  /** Where to part the sound requests, in thousandths of their length. */
  cuts: number[]
}

const HEAD = 'Host: x\r\nAuthorization: Bearer {{key}}\r\n'
const GET = `GET /v1/pets HTTP/1.1\r\n${HEAD}`
const POST = `POST /v1/pets HTTP/1.1\r\n${HEAD}`
const KEY_LENGTH = 46
const PET = '{"name":"Smuggled","categoryId":1}'

// What Node's parser and the contract call malformed, each without what would make it a request after all.
const MALFORMED = [
  'hello\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  `GOT /v1/pets HTTP/1.1\r\n${HEAD}\r\n`,
  `get /v1/pets HTTP/1.1\r\n${HEAD}\r\n`,
  `GET /v1/pets HTTP/1.9\r\n${HEAD}\r\n`,
  `GET /v1/pets HTTP/3.0\r\n${HEAD}\r\n`,
  `GET /v1/pets http/1.1\r\n${HEAD}\r\n`,
  `GET /v1/pets x HTTP/1.1\r\n${HEAD}\r\n`,
  `GET v1/pets HTTP/1.1\r\n${HEAD}\r\n`,
  `GET /v1/\0 HTTP/1.1\r\n${HEAD}\r\n`,
  `CONNECT x:443 HTTP/1.1\r\n${HEAD}\r\n`,
  'GET /v1/pets HTTP/1.1\r\nHost : x\r\n\r\n',
  'GET /livez HTTP/1.1\r\n\r\n',
  'GET /v1/pets HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  ...['X: a\r\n b', 'X: a\0b', 'X: a\rb: c', 'nonsense', ': x', 'X\x80: y', 'X Y: z', 'X: \x01', '\tX: y', 'X(: y'].map(
    (line) => `${GET}${line}\r\n\r\n`,
  ),
]

const lengths = oneOfWords('-1 +5 0x5 5,6 1e1 99999999999999999999999 abc', '5, 5', '5 5', '5\r\nContent-Length: 6')
const codings = oneOfWords('xchunked gzip identity chunkedx', 'chunked, identity', 'chunked, chunked, identity')
const chunks = oneOfWords('zz -5 0x5 fffffffffffffffff', '5 5', '5\r\nabcdefgh', '5\r\nabcde0', '\r\n5')

const malformed = fc.oneof(
  fc.constantFrom(...MALFORMED),
  lengths.map((length) => `${POST}Content-Length: ${length}\r\n\r\n${PET}`),
  codings.map((coding) => `${POST}Transfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`),
  chunks.map((chunk) => `${POST}Transfer-Encoding: chunked\r\n\r\n${chunk}\r\n`),
  fc
    .shuffledSubarray(['Content-Length: 34', 'Transfer-Encoding: chunked'], { minLength: 2 })
    .map((lines) => `${POST}${lines.join('\r\n')}\r\n\r\n0\r\n\r\n${GET}\r\n`),
)

/** A head of exactly so many bytes more than may be. */
const tooLong = fc
  .tuple(fc.constantFrom(1, 2, 700, 20_000), fc.constantFrom('header', 'headers', 'line'))
  .map(([over, where]) => {
    const size = 16_384 + over - KEY_LENGTH + '{{key}}'.length
    if (where === 'line') return `GET /v1/pets?${'a'.repeat(size - GET.length - 3)} HTTP/1.1\r\n${HEAD}\r\n`
    const many = where === 'headers' ? 'x: y\r\n'.repeat(1_500) : ''
    return `${GET}${many}Pad: ${'z'.repeat(size - GET.length - many.length - 9)}\r\n\r\n`
  })

/** A sound POST that stops somewhere, after which nothing more is sent. */
const cutShort = fc.tuple(goodBody, fc.integer({ min: 1, max: 999 })).map(([given, at]) => {
  // Of a length that is known already here.
  const body = given.replaceAll('{{key}}', 'key')
  const whole = `${POST}Content-Length: ${body.length}\r\n\r\n${body}`
  return whole.slice(0, Math.max(1, Math.floor((whole.length * at) / 1_000)))
})

const cuts = fc.array(fc.nat(1_000), { maxLength: 4 }).map((list) => list.toSorted((a, b) => a - b))
const before = fc.oneof({ weight: 2, arbitrary: fc.constant<Request[]>([]) }, fc.array(plainRequest, { maxLength: 4 }))

function brokenBy(bytes: fc.Arbitrary<string>, status: number, code: string, end = false): fc.Arbitrary<Stream> {
  const broken = bytes.map((given) => ({ bytes: given, status, code }))
  return fc.record({ requests: before, broken, end: fc.constant(end), cuts })
}

export const anyStream: fc.Arbitrary<Stream> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      requests: fc.array(plainRequest, { minLength: 2, maxLength: 8 }),
      end: fc.boolean(),
      cuts,
    }),
  },
  { weight: 4, arbitrary: brokenBy(malformed, 400, 'bad_request') },
  { weight: 1, arbitrary: brokenBy(tooLong, 431, 'headers_too_large') },
  { weight: 1, arbitrary: brokenBy(cutShort, 400, 'bad_request', true) },
)

/** A client that stops sending in the middle of a request gets a 408 in time. */
export const slowStream = brokenBy(cutShort, 408, 'request_timeout').map((stream) => ({ ...stream, requests: [] }))
