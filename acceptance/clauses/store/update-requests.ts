import type { Clause } from '../../clause.ts'
import { expect, expectError, expectHeader, expectNoHeader, expectStatus } from '../../expect.ts'
import { post } from '../../herd.ts'
import { KEY } from '../../placeholders.ts'
import type { Response } from '../../response.ts'
import {
  clause,
  expectDeleted,
  expectNow,
  ifMatch,
  NO_PET,
  newPet,
  patch,
  recordOf,
  refused,
  remove,
} from '../../store.ts'
import type { Request } from '../../wire.ts'

const CHANGE = '{"name":"verify request"}'
const ACCEPT_PATCH = 'application/merge-patch+json, application/json'
const NOT_CANONICAL = 'P19: A `petId` that is not an int64 in its canonical form names no pet: 404 pet_not_found'

const IMPOSSIBLE: [id: string, petId: string][] = [
  ['word', 'abc'],
  ['leading-zero', '01'],
  ['plus', '+1'],
  ['fraction', '1.0'],
  ['above', '9223372036854775808'],
  ['encoding', '%ZZ'],
]
const READ: [id: string, type: string][] = [
  ['merge-patch', 'application/merge-patch+json'],
  ['json', 'application/json'],
  ['case', 'Application/Merge-Patch+JSON'],
  ['charset', 'application/merge-patch+json; charset=utf-8'],
  ['charset-quoted', 'application/json; charset="utf-8"'],
]
const NOT_READ: [id: string, headers: Record<string, string>][] = [
  ['text', { 'Content-Type': 'text/plain' }],
  ['json-patch', { 'Content-Type': 'application/json-patch+json' }],
  ['suffix', { 'Content-Type': 'application/vnd.api+json' }],
  ['longer', { 'Content-Type': 'application/merge-patch+jsonp' }],
  ['charset', { 'Content-Type': 'application/merge-patch+json; charset=latin1' }],
  ['encoding', { 'Content-Encoding': 'gzip' }],
]
const WITHOUT_KEY: [id: string, request: Request][] = [
  ['patch', patch(NO_PET, CHANGE)],
  ['patch-body', patch(NO_PET, '{', { 'Content-Type': 'text/plain' })],
  ['delete', remove(NO_PET)],
  ['delete-condition', remove(NO_PET, ifMatch('1'))],
]

/** Neither is deprecated, though getPet at the same path is. */
function expectSilence(response: Response) {
  for (const name of ['Deprecation', 'Sunset', 'Link']) expectNoHeader(response, name)
}

export const UPDATE_REQUESTS: Clause[] = [
  ...READ.map(([id, type]) =>
    clause(`update.type.read.${id}`, `PATCH reads ${type}.`, async ({ call, add }) => {
      const { id: petId } = await add(newPet())
      const response = await call(patch(petId, CHANGE, { 'Content-Type': type }))
      expect(response, recordOf(response).name === 'verify request', 'the new name')
      expectNoHeader(response, 'Accept-Patch')
    }),
  ),
  clause('update.type.read.absent', 'PATCH reads a body without a Content-Type as JSON.', async ({ call, add }) => {
    const { id } = await add(newPet())
    recordOf(await call({ method: 'PATCH', path: `/pets/${id}`, body: CHANGE }))
  }),
  clause('update.type.post', 'Accept-Patch is for PATCH alone: 415 of POST has none.', async ({ call }) => {
    const response = await call(post(newPet(), { 'Content-Type': 'application/merge-patch+json' }))
    expectError(response, 415, 'unsupported_media_type')
    expectNoHeader(response, 'Accept-Patch')
    expectNoHeader(await call({ method: 'OPTIONS', path: '/pets', authorization: null }), 'Accept-Patch')
  }),
  ...NOT_READ.map(([id, headers]) =>
    clause(`update.type.refused.${id}`, `PATCH of anything else is 415 with Accept-Patch: ${id}.`, async (context) => {
      const pet = await context.add(newPet())
      const response = await context.call(patch(pet.id, CHANGE, headers))
      expectError(response, 415, 'unsupported_media_type')
      expectHeader(response, 'Accept-Patch', ACCEPT_PATCH)
      await expectNow(context, pet.id, { ...pet, version: 1n })
    }),
  ),
  clause('update.length.most', 'A body of PATCH of 65,536 bytes is read.', async ({ call, add }) => {
    const { id } = await add(newPet())
    recordOf(await call(patch(id, CHANGE.padEnd(65_536))))
  }),
  clause('update.length.over', 'A body of PATCH over 65,536 bytes is 413.', async (context) => {
    const pet = await context.add(newPet())
    expectError(await context.call(patch(pet.id, CHANGE.padEnd(65_537))), 413, 'payload_too_large')
    await expectNow(context, pet.id, { ...pet, version: 1n })
  }),
  refused(
    'update.order.type',
    'PATCH with several errors gets the first: 415 before 413, 400 and 404.',
    patch(NO_PET, '{'.padEnd(65_537), { 'Content-Type': 'text/plain' }),
    415,
    'unsupported_media_type',
  ),
  clause('update.unread', 'PATCH without a key is 401 before its body is read.', async ({ exchange, basePath }) => {
    const head = `PATCH ${basePath}/pets/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n`
    for (const response of await exchange(head)) {
      expectError(response, 401, 'missing_credentials')
      expectHeader(response, 'Connection', 'close')
    }
  }),
  clause('update.unread.type', 'PATCH with another media type is 415 before its body is read.', async (context) => {
    const head = `PATCH ${context.basePath}/pets/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n`
    for (const response of await context.exchange(`${head}Content-Type: text/plain\r\nContent-Length: 1000\r\n\r\n`)) {
      expectError(response, 415, 'unsupported_media_type')
      expectHeader(response, 'Accept-Patch', ACCEPT_PATCH)
    }
  }),
  ...WITHOUT_KEY.flatMap(([id, request]) => [
    refused(
      `update.no-key.${id}`,
      `PATCH and DELETE need a key: without one 401, whatever else is wrong: ${id}.`,
      { ...request, authorization: null },
      401,
      'missing_credentials',
    ),
    refused(
      `update.wrong-key.${id}`,
      `PATCH and DELETE need a key: with another one 401, whatever else is wrong: ${id}.`,
      { ...request, authorization: 'Bearer noise' },
      401,
      'invalid_credentials',
    ),
  ]),
  refused('update.missing', 'PATCH where no pet has the id: 404.', patch(NO_PET, CHANGE), 404, 'pet_not_found'),
  refused('delete.missing', 'DELETE where no pet has the id: 404.', remove(NO_PET), 404, 'pet_not_found'),
  ...IMPOSSIBLE.flatMap(([id, petId]) => [
    refused(`update.p19.patch.${id}`, `${NOT_CANONICAL}: PATCH, ${id}.`, patch(petId, CHANGE), 404, 'pet_not_found'),
    refused(`update.p19.delete.${id}`, `${NOT_CANONICAL}: DELETE, ${id}.`, remove(petId), 404, 'pet_not_found'),
  ]),
  clause('update.p18.patch', 'P18: PATCH carries no Deprecation: 200, 404 and 412.', async ({ call, add }) => {
    const { id } = await add(newPet())
    const requests = [patch(id, CHANGE), patch(NO_PET, CHANGE), patch(id, CHANGE, ifMatch('"9"'))]
    for (const [i, request] of requests.entries()) {
      const response = await call(request)
      expectStatus(response, [200, 404, 412][i] ?? 0)
      expectSilence(response)
    }
  }),
  clause('update.p18.delete', 'P18: DELETE carries no Deprecation: 412, 204 and 404.', async ({ call, add }) => {
    const { id } = await add(newPet())
    for (const [i, request] of [remove(id, ifMatch('"9"')), remove(id), remove(id)].entries()) {
      const response = await call(request)
      expectStatus(response, [412, 204, 404][i] ?? 0)
      expectSilence(response)
    }
  }),
  clause('update.options', 'OPTIONS at /pets/{petId} carries Allow and Accept-Patch.', async ({ call }) => {
    const response = await call({ method: 'OPTIONS', path: '/pets/1', authorization: null })
    expectStatus(response, 204)
    expectHeader(response, 'Allow', 'GET, HEAD, PATCH, DELETE, OPTIONS')
    expectHeader(response, 'Accept-Patch', ACCEPT_PATCH)
  }),
  clause('delete.ok', 'DELETE returns 204 without a body.', async ({ call, add }) => {
    for (const status of [undefined, 'available', 'pending', 'sold']) {
      const response = await call(remove((await add(newPet(status))).id))
      expectDeleted(response)
      for (const name of ['Content-Type', 'Content-Length', 'ETag']) expectNoHeader(response, name)
    }
  }),
  ...[CHANGE, 'x'.repeat(70_000)].map((body, i) =>
    clause(
      `delete.body.${i + 1}`,
      'DELETE has no body. One that is sent is not read, whatever its type: the pet is deleted, and the connection closed.',
      async ({ call, add }) => {
        for (const type of [{}, { 'Content-Type': 'nonsense' }, { 'Content-Type': 'application/json' }]) {
          const response = await call({ ...remove((await add(newPet())).id, type), body })
          expectDeleted(response)
          expectHeader(response, 'Connection', 'close')
        }
      },
    ),
  ),
  clause(
    'delete.type',
    'DELETE with a Content-Type and no body is as good as without, and the connection is kept.',
    async ({ add, connect, basePath }) => {
      const connection = await connect()
      const head = `Host: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: nonsense\r\nContent-Length: 0\r\n\r\n`
      for (let i = 0; i < 2; i++)
        connection.send(`DELETE ${basePath}/pets/${(await add(newPet())).id} HTTP/1.1\r\n${head}`)
      const responses = await connection.responses(2)
      for (const response of responses) {
        expectDeleted(response)
        expect(response, responses.length === 2, 'two responses over one connection')
      }
    },
  ),
]
