import type { Clause } from '../clause.ts'
import { expectError, expectStatus } from '../expect.ts'
import { post } from '../herd.ts'
import { KEY } from '../placeholders.ts'
import { rejection } from '../rejection.ts'

const NEW_PET = '{"name":"verify","categoryId":1}'

const ACCEPTED: [id: string, type: string][] = [
  ['case', 'APPLICATION/Json'],
  ['charset', 'application/json; charset=utf-8'],
  ['charset-case', 'application/json;charset=UTF-8'],
  ['charset-quoted', 'application/json; charset="utf-8"'],
  ['parameter', 'application/json; profile="x; charset=latin1"'],
  ['semicolon', 'application/json; q=1 ;'],
]
const REJECTED: [id: string, type: string][] = [
  ['charset', 'application/json; charset=latin1'],
  ['charset-twice', 'application/json; charset=utf-8; charset=utf-16'],
  ['charset-empty', 'application/json; charset='],
  ['garbage', 'application/json garbage'],
  ['subtype', 'json'],
  ['merge-patch', 'application/merge-patch+json'],
  ['prefix', 'application/jsonp'],
  ['suffix', 'application/problem+json'],
  ['text', 'text/plain'],
  ['text-json', 'text/json'],
  ['form', 'application/x-www-form-urlencoded'],
]

export const MEDIA_TYPES: Clause[] = [
  ...ACCEPTED.map(
    ([id, type]): Clause => ({
      id: `media-type.accepted.${id}`,
      profile: 'full',
      sentence: `The media type may be written in any case, and have parameters: ${type}.`,
      run: async ({ call }) => expectStatus(await call(post(NEW_PET, { 'Content-Type': type })), 201),
    }),
  ),
  ...REJECTED.map(([id, type]) =>
    rejection(
      `media-type.refused.${id}`,
      `Any media type but application/json in UTF-8 is 415: ${type}.`,
      post(NEW_PET, { 'Content-Type': type }),
      415,
      'unsupported_media_type',
    ),
  ),
  ...['gzip', 'br', 'identity'].map((encoding) =>
    rejection(
      `media-type.encoding.${encoding}`,
      `Any Content-Encoding is 415: ${encoding}.`,
      post(NEW_PET, { 'Content-Encoding': encoding }),
      415,
      'unsupported_media_type',
    ),
  ),
  {
    id: 'media-type.absent',
    profile: 'full',
    sentence: 'A body without a Content-Type is read as JSON.',
    run: async ({ call }) => expectStatus(await call({ method: 'POST', path: '/pets', body: NEW_PET }), 201),
  },
  {
    id: 'media-type.twice',
    profile: 'full',
    sentence: 'A second Content-Type is 415.',
    run: async ({ exchange, basePath }) => {
      const head = `POST ${basePath}/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nConnection: close\r\n`
      const type = 'Content-Type: application/json\r\n'
      const bytes = `${head}${type}${type}Content-Length: ${NEW_PET.length}\r\n\r\n${NEW_PET}`
      for (const response of await exchange(bytes)) expectError(response, 415, 'unsupported_media_type')
    },
  },
  {
    id: 'media-type.length.most',
    profile: 'full',
    sentence: 'A body of 65,536 bytes is read.',
    run: async ({ call }) => expectStatus(await call(post(NEW_PET.padEnd(65_536))), 201),
  },
  rejection(
    'media-type.length.over',
    'A body over 65,536 bytes is 413.',
    post(NEW_PET.padEnd(65_537)),
    413,
    'payload_too_large',
  ),
]
