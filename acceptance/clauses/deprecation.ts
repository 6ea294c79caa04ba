import type { Clause } from '../clause.ts'
import { expect, expectHeader, expectNoHeader, expectStatus } from '../expect.ts'
import { post } from '../herd.ts'
import type { Response } from '../response.ts'
import type { Request } from '../wire.ts'

const EVERY_RESPONSE = 'Every response to GET and HEAD at /pets/{petId} announces the deprecation'

function expectAnnouncement(response: Response, successor: string) {
  expectHeader(response, 'Deprecation', '@1794614400')
  expectHeader(response, 'Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT')
  expectHeader(response, 'Link', /<[^>]*\/docs#[^>]*>; rel="deprecation"/)
  const targets = Array.from(
    (response.headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="successor-version"/g),
    ([, to]) => to,
  )
  expect(
    response,
    targets.length === 1 && targets[0]?.endsWith(successor) === true,
    `a Link to ${successor}, rel="successor-version"`,
  )
}

const ANSWERS: [id: string, status: number, request: Request, successor: string][] = [
  ['missing', 404, { path: '/pets/9223372036854775806' }, '/pets?id=9223372036854775806'],
  ['impossible', 404, { path: '/pets/abc' }, '/pets'],
  ['control-characters', 404, { path: '/pets/%0A%00' }, '/pets'],
  ['bad-encoding', 404, { path: '/pets/%ZZ' }, '/pets'],
  ['no-key', 401, { path: '/pets/1', authorization: null }, '/pets?id=1'],
  ['head', 404, { method: 'HEAD', path: '/pets/9223372036854775806' }, '/pets?id=9223372036854775806'],
  ['head-no-key', 401, { method: 'HEAD', path: '/pets/1', authorization: null }, '/pets?id=1'],
]

const SILENT: [id: string, request: Request][] = [
  ['list', { path: '/pets?limit=1' }],
  ['create', post('{"name":"verify","categoryId":1}')],
  ['route', { path: '/pets/' }],
  ['longer-route', { path: '/pets/1/2' }],
  ['options', { method: 'OPTIONS', path: '/pets/1' }],
]

export const DEPRECATION: Clause[] = [
  {
    id: 'deprecation.found',
    profile: 'full',
    sentence: `${EVERY_RESPONSE}: 200.`,
    run: async ({ call, pet }) => {
      const { id } = await pet()
      const response = await call({ path: `/pets/${id}` })
      expectStatus(response, 200)
      expectAnnouncement(response, `/pets?id=${id}`)
    },
  },
  {
    id: 'deprecation.successor',
    profile: 'full',
    sentence: 'The announced successor returns the same pet.',
    run: async ({ call, pet }) => {
      const { id } = await pet()
      const got = await call({ path: `/pets/${id}` })
      const [, query] = /<[^>]*\/pets(\?[^>]*)>; rel="successor-version"/.exec(got.headers.get('link') ?? '') ?? []
      const response = await call({ path: `/pets${query ?? ''}` })
      expect(response, response.text === `[${got.text}]`, `[${got.text}]`)
    },
  },
  ...ANSWERS.map(
    ([id, status, request, successor]): Clause => ({
      id: `deprecation.${id}`,
      profile: 'full',
      sentence: `${EVERY_RESPONSE}: ${status}, ${id}.`,
      run: async ({ call }) => {
        const response = await call(request)
        expectStatus(response, status)
        expectAnnouncement(response, successor)
      },
    }),
  ),
  ...SILENT.map(
    ([id, request]): Clause => ({
      id: `deprecation.not.${id}`,
      profile: 'full',
      sentence: `What is not deprecated does not say so: ${id}.`,
      run: async ({ call }) => {
        const response = await call(request)
        expectNoHeader(response, 'Deprecation')
        expectNoHeader(response, 'Sunset')
      },
    }),
  ),
]
