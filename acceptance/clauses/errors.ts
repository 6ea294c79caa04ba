import type { Clause, Context } from '../clause.ts'
import { expect, expectError, expectStatus, jsonOf, objectOf } from '../expect.ts'
import { post } from '../herd.ts'
import { KEY } from '../placeholders.ts'
import type { Response } from '../response.ts'

const NO_PET = '9223372036854775806'

const PROVOKE: [status: number, condition: string, provoke: (context: Context) => Promise<Response>][] = [
  [400, 'body missing required fields', ({ call }) => call(post('{}'))],
  [401, 'API key missing', ({ call }) => call({ path: '/pets', authorization: null })],
  [404, 'the requested animal cannot be found', ({ call }) => call({ path: `/pets/${NO_PET}` })],
]

const PROPERTIES: [id: string, sentence: string, check: (response: Response, status: number) => void][] = [
  ['media-type', 'Response bodies are `application/json`, those of errors too', (response) => void jsonOf(response)],
  [
    'code',
    'All error responses use the Error body; `code` is a machine-readable string, always present',
    (response) => expect(response, typeof objectOf(response)['code'] === 'string', '`code`, a string'),
  ],
  [
    'message',
    'All error responses use the Error body; `message` is a human-readable string, always present',
    (response) => expect(response, typeof objectOf(response)['message'] === 'string', '`message`, a string'),
  ],
  [
    'status',
    '`status` repeats the HTTP status code, as an integer',
    (response, status) => expect(response, objectOf(response)['status'] === BigInt(status), `\`status\` ${status}`),
  ],
]

const spec: Clause[] = PROVOKE.flatMap(([status, condition, provoke]) =>
  PROPERTIES.map(([id, sentence, check]) => ({
    id: `errors.${status}.${id}`,
    profile: 'spec',
    sentence: `${sentence} (${status}: ${condition}).`,
    run: async (context) => {
      const response = await provoke(context)
      expectStatus(response, status)
      check(response, status)
    },
  })),
)

const withStatus = (text: string) => post(`{"name":"verify","categoryId":1,"status":"${text}"}`)
const messageOf = (response: Response) => String(objectOf(response)['message'])

const full: Clause[] = [
  ...(
    [
      ['field', '`status`', withStatus('gone')],
      ['allowed', 'available, pending, sold', withStatus('gone')],
      ['got', '"gone"', withStatus('gone')],
      ['hint', 'did you mean sold?', withStatus('Sold')],
      ['every-fault', '`categoryId`', post('{"name":5}')],
      ['parameter', '`limit`', { path: '/pets?limit=0' }],
      ['bounds', '1 to 100', { path: '/pets?limit=0' }],
    ] as const
  ).map(
    ([id, part, request]): Clause => ({
      id: `errors.message.${id}`,
      profile: 'full',
      sentence: `A message names the field or parameter, what was wrong with it and what is allowed: here it says ${part}.`,
      run: async ({ call }) => {
        const response = await call(request)
        expectStatus(response, 400)
        expect(response, messageOf(response).includes(part), `a message that says ${part}`)
      },
    }),
  ),
  {
    id: 'errors.message.length',
    profile: 'full',
    sentence: 'A message repeats at most 64 characters of what was sent.',
    run: async ({ call }) => {
      const response = await call(withStatus('🐢'.repeat(200)))
      expectError(response, 400, 'invalid_body')
      expect(response, (messageOf(response).match(/🐢/gu) ?? []).length <= 64, 'at most 64 of the characters sent')
    },
  },
  {
    id: 'errors.message.credential',
    profile: 'full',
    sentence: 'A message never repeats a credential.',
    run: async ({ call }) => {
      for (const request of [withStatus('petk_live_0123'), { path: '/pets?status=petk_live_0123' }, withStatus(KEY)]) {
        const response = await call(request)
        expectStatus(response, 400)
        expect(response, !response.text.includes('petk_'), 'a message without the credential')
      }
    },
  },
  {
    id: 'errors.message.inner',
    profile: 'full',
    sentence: 'A message never holds the text of an SQL statement or a stack.',
    run: async ({ call }) => {
      for (const request of [post('{'), withStatus("'; select"), { path: "/pets/'" }, { path: '/pets?cursor=AA' }]) {
        const response = await call(request)
        expect(response, !/\bat .+:\d+|insert into|syntax error|node_modules/i.test(response.text), 'no inner text')
      }
    },
  },
]

export const ERRORS = [...spec, ...full]
