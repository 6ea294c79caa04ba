import type { Answer } from '../answer.ts'
import type { Clause, Context } from '../clause.ts'
import { expect, expectError, expectStatus, jsonOf, objectOf } from '../expect.ts'
import { post } from '../herd.ts'
import { KEY } from '../placeholders.ts'

const NOBODY = '9223372036854775806'

const PROVOKE: [status: number, condition: string, provoke: (context: Context) => Promise<Answer>][] = [
  [400, 'body missing required fields', ({ call }) => call(post('{}'))],
  [401, 'API key missing', ({ call }) => call({ path: '/pets', authorization: null })],
  [404, 'the requested animal cannot be found', ({ call }) => call({ path: `/pets/${NOBODY}` })],
]

const PROPERTIES: [id: string, sentence: string, check: (answer: Answer, status: number) => void][] = [
  ['media-type', 'Response bodies are `application/json`, those of errors too', (answer) => void jsonOf(answer)],
  [
    'code',
    'All error responses use the Error body; `code` is a machine-readable string, always present',
    (answer) => expect(answer, typeof objectOf(answer)['code'] === 'string', '`code`, a string'),
  ],
  [
    'message',
    'All error responses use the Error body; `message` is a human-readable string, always present',
    (answer) => expect(answer, typeof objectOf(answer)['message'] === 'string', '`message`, a string'),
  ],
  [
    'status',
    '`status` repeats the HTTP status code, as an integer',
    (answer, status) => expect(answer, objectOf(answer)['status'] === BigInt(status), `\`status\` ${status}`),
  ],
]

const spec: Clause[] = PROVOKE.flatMap(([status, condition, provoke]) =>
  PROPERTIES.map(([id, sentence, check]) => ({
    id: `errors.${status}.${id}`,
    profile: 'spec',
    sentence: `${sentence} (${status}: ${condition}).`,
    run: async (context) => {
      const answer = await provoke(context)
      expectStatus(answer, status)
      check(answer, status)
    },
  })),
)

const withStatus = (text: string) => post(`{"name":"verify","categoryId":1,"status":"${text}"}`)
const messageOf = (answer: Answer) => String(objectOf(answer)['message'])

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
        const answer = await call(request)
        expectStatus(answer, 400)
        expect(answer, messageOf(answer).includes(part), `a message that says ${part}`)
      },
    }),
  ),
  {
    id: 'errors.message.length',
    profile: 'full',
    sentence: 'A message repeats at most 64 characters of what was sent.',
    run: async ({ call }) => {
      const answer = await call(withStatus('🐢'.repeat(200)))
      expectError(answer, 400, 'invalid_body')
      expect(answer, (messageOf(answer).match(/🐢/gu) ?? []).length <= 64, 'at most 64 of the characters sent')
    },
  },
  {
    id: 'errors.message.credential',
    profile: 'full',
    sentence: 'A message never repeats a credential.',
    run: async ({ call }) => {
      for (const request of [withStatus('petk_live_0123'), { path: '/pets?status=petk_live_0123' }, withStatus(KEY)]) {
        const answer = await call(request)
        expectStatus(answer, 400)
        expect(answer, !answer.text.includes('petk_'), 'a message without the credential')
      }
    },
  },
  {
    id: 'errors.message.inner',
    profile: 'full',
    sentence: 'A message never holds the text of an SQL statement or a stack.',
    run: async ({ call }) => {
      for (const request of [post('{'), withStatus("'; select"), { path: "/pets/'" }, { path: '/pets?cursor=AA' }]) {
        const answer = await call(request)
        expect(answer, !/\bat .+:\d+|insert into|syntax error|node_modules/i.test(answer.text), 'no inner text')
      }
    },
  },
]

export const ERRORS = [...spec, ...full]
