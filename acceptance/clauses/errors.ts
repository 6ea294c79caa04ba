import type { Clause, Context } from '../clause.ts'
import { expect, expectError, expectStatus, jsonOf, objectOf } from '../expect.ts'
import { post } from '../herd.ts'
import { KEY } from '../placeholders.ts'
import type { Response } from '../response.ts'
import type { Request } from '../wire.ts'

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
      const many = '🐢'.repeat(99)
      for (const [status, code, request] of [
        [400, 'invalid_body', withStatus('🐢'.repeat(200))],
        [400, 'invalid_body', post(`{"name":[],"categoryId":"${many}","status":"${many}"}`)],
        [404, 'pet_not_found', { path: `/pets/${encodeURIComponent(many)}` }],
      ] as const) {
        const response = await call(request)
        expectError(response, status, code)
        expect(response, (messageOf(response).match(/🐢/gu) ?? []).length <= 64, 'at most 64 of the characters sent')
      }
    },
  },
  {
    id: 'errors.message.credential',
    profile: 'full',
    sentence: 'A message never repeats a credential.',
    run: async ({ call }) => {
      const expectNone = async (request: Request, status: number) => {
        const response = await call(request)
        expectStatus(response, status)
        expect(response, !/petk_/i.test(response.text), 'a message without the credential')
      }
      for (const request of [withStatus('petk_live_0123'), { path: '/pets?status=petk_live_0123' }, withStatus(KEY)])
        await expectNone(request, 400)
      for (const text of ['petk_live_abc', 'PETK_LIVE_abc', 'x%20petk_test_abc'])
        await expectNone({ path: `/pets/${text}` }, 404)
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
