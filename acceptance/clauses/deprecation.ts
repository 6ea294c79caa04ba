import type { Answer } from '../answer.ts'
import type { Clause } from '../clause.ts'
import { expect, expectHeader, expectNoHeader, expectStatus } from '../expect.ts'
import { post } from '../herd.ts'
import type { Request } from '../wire.ts'

const EVERY_ANSWER = 'Every answer to GET and HEAD at /pets/{petId} announces that the operation goes away'

function expectAnnouncement(answer: Answer, successor: string) {
  expectHeader(answer, 'Deprecation', '@1794614400')
  expectHeader(answer, 'Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT')
  expectHeader(answer, 'Link', /<[^>]*\/docs#[^>]*>; rel="deprecation"/)
  const targets = Array.from(
    (answer.headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="successor-version"/g),
    ([, to]) => to,
  )
  expect(
    answer,
    targets.length === 1 && targets[0]?.endsWith(successor) === true,
    `a Link to ${successor}, rel="successor-version"`,
  )
}

const ANSWERS: [id: string, status: number, request: Request, successor: string][] = [
  ['missing', 404, { path: '/pets/9223372036854775806' }, '/pets?id=9223372036854775806'],
  ['impossible', 404, { path: '/pets/abc' }, '/pets'],
  ['bad-encoding', 404, { path: '/pets/%ZZ' }, '/pets'],
  ['no-key', 401, { path: '/pets/1', authorization: null }, '/pets?id=1'],
  ['head', 404, { method: 'HEAD', path: '/pets/9223372036854775806' }, '/pets?id=9223372036854775806'],
  ['head-no-key', 401, { method: 'HEAD', path: '/pets/1', authorization: null }, '/pets?id=1'],
]

const SILENT: [id: string, request: Request][] = [
  ['list', { path: '/pets?limit=1' }],
  ['create', post('{"name":"verify","categoryId":1}')],
  ['route', { path: '/pets/' }],
]

export const DEPRECATION: Clause[] = [
  {
    id: 'deprecation.found',
    profile: 'full',
    sentence: `${EVERY_ANSWER}: 200.`,
    run: async ({ call, pet }) => {
      const { id } = await pet()
      const answer = await call({ path: `/pets/${id}` })
      expectStatus(answer, 200)
      expectAnnouncement(answer, `/pets?id=${id}`)
    },
  },
  {
    id: 'deprecation.successor',
    profile: 'full',
    sentence: 'The announced successor answers with the same pet.',
    run: async ({ call, pet }) => {
      const { id } = await pet()
      const got = await call({ path: `/pets/${id}` })
      const [, query] = /<[^>]*\/pets(\?[^>]*)>; rel="successor-version"/.exec(got.headers.get('link') ?? '') ?? []
      const answer = await call({ path: `/pets${query ?? ''}` })
      expect(answer, answer.text === `[${got.text}]`, `[${got.text}]`)
    },
  },
  ...ANSWERS.map(
    ([id, status, request, successor]): Clause => ({
      id: `deprecation.${id}`,
      profile: 'full',
      sentence: `${EVERY_ANSWER}: ${status}, ${id}.`,
      run: async ({ call }) => {
        const answer = await call(request)
        expectStatus(answer, status)
        expectAnnouncement(answer, successor)
      },
    }),
  ),
  ...SILENT.map(
    ([id, request]): Clause => ({
      id: `deprecation.not.${id}`,
      profile: 'full',
      sentence: `What is not deprecated does not say so: ${id}.`,
      run: async ({ call }) => {
        const answer = await call(request)
        expectNoHeader(answer, 'Deprecation')
        expectNoHeader(answer, 'Sunset')
      },
    }),
  ),
]
