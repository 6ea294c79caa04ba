import type { Clause } from '../../clause.ts'
import { expect, expectError, expectHeader, expectStatus, petOf } from '../../expect.ts'
import { post } from '../../herd.ts'
import {
  clause,
  expectDeleted,
  expectNow,
  ifMatch,
  keyed,
  messageOf,
  NO_PET,
  newPet,
  patch,
  recordOf,
  refused,
  remove,
} from '../../store.ts'

type Headers = Record<string, string>

const CHANGE = '{"name":"verify condition"}'
/** A list of exactly so many characters, 1024 or 1025, that holds the version 1. */
const long = (length: number) => `${'"1", '.repeat(203)}"1", "${'2'.repeat(length - 1_022)}"`

const MATCHES: [number: string, id: string, sentence: string, header: string][] = [
  ['P4', 'any', '`If-Match: *` matches any existing pet', '*'],
  ['P5', 'one', '`If-Match` with the version in quotes matches', '"1"'],
  ['P5', 'first', '`If-Match` takes a list, of which one must match', '"1", "2"'],
  ['P5', 'last', '`If-Match` takes a list, of which one must match', '"77","3" , "1"'],
  ['P5', 'gaps', '`If-Match` may have empty elements in its list', ', "7" ,, "1" ,'],
  ['P5', 'comma', 'An ETag may contain a comma', '"a,b", "1"'],
  ['P5', 'beside-empty', 'An empty ETag does not keep another one of the list from matching', '"", "1"'],
  ['P6', 'beside', 'A weak ETag does not keep another one of the list from matching', 'W/"2", "1"'],
  ['P7', 'most', '`If-Match` of 1,024 characters is read', long(1_024)],
]
const OTHERS: [number: string, id: string, sentence: string, header: string][] = [
  ['P5', 'other', 'A version that is not the current one does not match', '"2"'],
  ['P5', 'none', 'A list without the current version does not match', '"2", "3","11"'],
  ['P5', 'zeros', 'An ETag matches character for character', '"01"'],
  ['P5', 'no-number', 'An ETag that this service never gave does not match', '"one"'],
  ['P5', 'quoted-any', 'An ETag is no `*`', '"*"'],
  ['P5', 'fraction', 'An ETag matches character for character', '"1.0"'],
  ['P5', 'huge', 'An ETag that this service never gave does not match', '"99999999999999999999"'],
  ['P5', 'empty', 'An empty ETag does not match', '""'],
  ['P6', 'weak', 'A weak ETag never matches', 'W/"1"'],
  ['P6', 'weak-list', 'A weak ETag never matches', '"2", W/"1"'],
]
const MALFORMED: [id: string, what: string, header: string][] = [
  ['unquoted', 'unquoted', '1'],
  ['empty', 'empty', ''],
  ['open', 'a quote that is not closed', '"1'],
  ['behind', 'text after the quotes', '"1" x'],
  ['any-in-list', '* in a list', '"1", *'],
  ['any-first', '* before an ETag', '*, "1"'],
  ['any-twice', 'two *', '**'],
  ['close', 'a quote that was not opened', '1"'],
  ['other-quotes', 'other quotes', "'1'"],
  ['no-comma', 'two ETags without a comma', '"1" "2"'],
  ['semicolon', 'a semicolon', '"1";'],
  ['weak-case', 'w/ for W/', 'w/"1"'],
  ['weak-space', 'a space after W/', 'W/ "1"'],
  ['space', 'a space in an ETag', '"a b"'],
  ['comma', 'nothing but a comma', ','],
  ['long', '1,025 characters', long(1_025)],
]

export const CONDITIONS: Clause[] = [
  ...MATCHES.flatMap(([number, id, sentence, header]) => [
    clause(
      `conditions.${number.toLowerCase()}.${id}.patch`,
      `${number}: ${sentence}: PATCH is 200.`,
      async (context) => {
        const pet = await context.add(newPet('available'))
        const response = await context.call(patch(pet.id, CHANGE, ifMatch(header)))
        expect(response, recordOf(response).version === 2n, '`version` 2')
      },
    ),
    clause(
      `conditions.${number.toLowerCase()}.${id}.delete`,
      `${number}: ${sentence}: DELETE is 204.`,
      async (context) => {
        const pet = await context.add(newPet('available'))
        expectDeleted(await context.call(remove(pet.id, ifMatch(header))))
        expectError(await context.call({ path: `/pets/${pet.id}` }), 404, 'pet_not_found')
      },
    ),
  ]),
  ...OTHERS.map(([number, id, sentence, header]) =>
    clause(
      `conditions.${number.toLowerCase()}.${id}`,
      `${number}: ${sentence}: 412 version_mismatch, and nothing is changed or deleted.`,
      async (context) => {
        const pet = await context.add(newPet('available'))
        for (const request of [patch(pet.id, CHANGE, ifMatch(header)), remove(pet.id, ifMatch(header))])
          expectError(await context.call(request), 412, 'version_mismatch')
        await expectNow(context, pet.id, { ...pet, version: 1n })
      },
    ),
  ),
  ...MALFORMED.map(([id, what, header]) =>
    clause(
      `conditions.p7.${id}`,
      `P7: A malformed If-Match is 400 that names the header: ${what}.`,
      async (context) => {
        const pet = await context.add(newPet('available'))
        for (const request of [patch(pet.id, CHANGE, ifMatch(header)), remove(pet.id, ifMatch(header))]) {
          const response = await context.call(request)
          expectError(response, 400, 'invalid_parameter')
          expect(response, messageOf(response).includes('If-Match'), 'a message that names If-Match')
        }
        await expectNow(context, pet.id, { ...pet, version: 1n })
      },
    ),
  ),
  ...['*', '"1"', 'W/"1"'].flatMap((header, i) => [
    refused(
      `conditions.p8.missing.patch.${i + 1}`,
      `P8: 404 beats 412: PATCH with If-Match: ${header} where no pet has the id.`,
      patch(NO_PET, CHANGE, ifMatch(header)),
      404,
      'pet_not_found',
    ),
    refused(
      `conditions.p8.missing.delete.${i + 1}`,
      `P8: 404 beats 412: DELETE with If-Match: ${header} where no pet has the id.`,
      remove(NO_PET, ifMatch(header)),
      404,
      'pet_not_found',
    ),
  ]),
  refused(
    'conditions.p8.malformed.impossible',
    'P8: 400 beats 404: a malformed If-Match where the id is none.',
    remove('abc', ifMatch('x')),
    400,
    'invalid_parameter',
  ),
  refused(
    'conditions.p8.body',
    'P8: The body is judged before If-Match: where both are wrong, the message is about the body.',
    patch(NO_PET, '{}', ifMatch('x')),
    400,
    'invalid_body',
  ),
  refused(
    'conditions.p8.malformed',
    'P8: 400 beats 404: a malformed If-Match where no pet has the id.',
    remove(NO_PET, ifMatch('1')),
    400,
    'invalid_parameter',
  ),
  clause('conditions.p8.sold', 'P8: 412 beats 428: leaving sold with another version.', async ({ call, add }) => {
    const { id } = await add(newPet('sold'))
    expectError(await call(patch(id, '{"status":"available"}', ifMatch('"2"'))), 412, 'version_mismatch')
  }),
  ...(['patch', 'delete'] as const).map((method) =>
    clause(
      `conditions.p9.${method}`,
      `P9: 412 carries the current ETag, and the message names both versions: ${method.toUpperCase()}.`,
      async ({ call, add }) => {
        const { id } = await add(newPet('available'))
        recordOf(await call(patch(id, CHANGE)))
        const request =
          method === 'patch' ? patch(id, '{"categoryId":5}', ifMatch('"4711"')) : remove(id, ifMatch('"4711"'))
        const response = await call(request)
        expectError(response, 412, 'version_mismatch')
        expectHeader(response, 'ETag', '"2"')
        for (const version of ['2', '4711'])
          expect(
            response,
            new RegExp(`\\b${version}\\b`).test(messageOf(response)),
            `a message with the version ${version}`,
          )
      },
    ),
  ),
  ...[0, 1].map((i) =>
    clause(
      `conditions.p22.${['patch', 'delete'][i]}`,
      `P22: \`If-None-Match: *\` on ${['PATCH', 'DELETE'][i]} is 412, and nothing happens.`,
      async (context) => {
        const pet = await context.add(newPet('available'))
        const request = i === 0 ? (id: bigint | string, headers: Headers) => patch(id, CHANGE, headers) : remove
        for (const also of [{}, ifMatch('"1"'), ifMatch('*')]) {
          const response = await context.call(request(pet.id, { 'If-None-Match': '*', ...also }))
          expectError(response, 412, 'version_mismatch')
          expectHeader(response, 'ETag', '"1"')
        }
        await expectNow(context, pet.id, { ...pet, version: 1n })
        expectError(await context.call(request(NO_PET, { 'If-None-Match': '*' })), 404, 'pet_not_found')
      },
    ),
  ),
  ...['"99"', '1', '', 'W/"1"', '*'].map((header, i) =>
    clause(
      `conditions.p20.${i + 1}`,
      `P20: listPets, createPet and getPet ignore If-Match and If-None-Match: ${header || 'empty'}.`,
      async ({ call, pet }) => {
        const headers = { ...ifMatch(header), 'If-None-Match': '*' }
        expectStatus(await call({ path: '/pets?limit=1', headers }), 200)
        petOf(await call(post(newPet(), headers)), 201)
        const got = await call({ path: `/pets/${(await pet()).id}`, headers })
        petOf(got, 200)
      },
    ),
  ),
  clause('conditions.tag.create', 'The 201 of createPet has the ETag "1", and so has a replay.', async (context) => {
    const headers = keyed()
    const pet = newPet('available')
    for (const _ of ['first', 'replay']) {
      const response = await context.call(post(pet, headers))
      petOf(response, 201)
      expectHeader(response, 'ETag', '"1"')
    }
  }),
  clause('conditions.tag.use', 'The ETag of a create matches in `If-Match` without another read.', async (context) => {
    const created = await context.call(post(newPet('available')))
    const { id } = petOf(created, 201)
    const response = await context.call(patch(id, CHANGE, ifMatch(created.headers.get('etag') ?? '')))
    expect(response, recordOf(response).version === 2n, '`version` 2')
  }),
  clause('conditions.tag.get', 'The ETag of getPet is the version of the pet.', async ({ call, add }) => {
    const { id } = await add(newPet('available'))
    for (const version of [1, 2, 3]) {
      for (const method of ['GET', 'HEAD'])
        expectHeader(await call({ method, path: `/pets/${id}` }), 'ETag', `"${version}"`)
      recordOf(await call(patch(id, `{"name":"verify tag ${version}"}`)))
    }
  }),
]
