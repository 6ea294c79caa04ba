import type { Clause } from '../../clause.ts'
import { expect, expectError, expectPet } from '../../expect.ts'
import { post } from '../../herd.ts'
import { clause, expectNow, messageOf, newPet, patch, recordOf, refused } from '../../store.ts'

const NULL = 'P11: `name` and `categoryId` can’t be removed: null is 400 invalid_body'
const AS_IN_CREATE = 'P12: A value is validated as createPet does, with the same message'
const EXACT = 'P12: An int64 is kept exact to the last digit by a PATCH'

const INVALID: [id: string, field: 'name' | 'categoryId' | 'status', literal: string][] = [
  ['name.empty', 'name', '""'],
  ['name.spaces', 'name', '"   "'],
  ['name.number', 'name', '5'],
  ['name.object', 'name', '{}'],
  ['name.256', 'name', `"${'a'.repeat(256)}"`],
  ['name.control', 'name', '"a\\u0000b"'],
  ['name.surrogate', 'name', '"a\\ud83d"'],
  ['category-id.digits', 'categoryId', '"5"'],
  ['category-id.fraction', 'categoryId', '5.5'],
  ['category-id.boolean', 'categoryId', 'true'],
  ['category-id.above', 'categoryId', '9223372036854775808'],
  ['category-id.absurd', 'categoryId', '1e999999999'],
  ['status.case', 'status', '"Sold"'],
  ['status.unknown', 'status', '"gone"'],
  ['status.empty', 'status', '""'],
  ['status.number', 'status', '1'],
]
const INT64 = ['9223372036854775807', '-9223372036854775808', '9007199254740993', '0']
const LITERALS: [literal: string, value: bigint][] = [
  ['5.0', 5n],
  ['9.223372036854775807e18', 9223372036854775807n],
]
const NOT_JSON: [id: string, body: string | Buffer][] = [
  ['empty', ''],
  ['truncated', '{"name":"ver'],
  ['twice', '{"name":"a","name":"b"}'],
  ['utf-8', Buffer.from('{"name":"a\u00ff"}', 'latin1')],
  ['depth', `{"name":"a","x":${'['.repeat(32)}${']'.repeat(32)}}`],
]

/** The same field in a body for createPet. */
function toCreate(field: string, literal: string) {
  const others = { name: '"name":"verify"', categoryId: '"categoryId":1' }
  const fields = Object.entries(others).flatMap(([name, text]) => (name === field ? [] : [text]))
  return `{${[...fields, `"${field}":${literal}`].join()}}`
}

export const UPDATE_VALUES: Clause[] = [
  ...['name', 'categoryId'].map((field) =>
    clause(`update.p11.${field === 'name' ? 'name' : 'category-id'}`, `${NULL}: ${field}.`, async (context) => {
      const pet = await context.add(newPet('available'))
      const response = await context.call(patch(pet.id, `{"${field}":null,"status":"sold"}`))
      expectError(response, 400, 'invalid_body')
      expect(response, messageOf(response).includes(`\`${field}\``), `a message that names \`${field}\``)
      await expectNow(context, pet.id, { ...pet, version: 1n })
    }),
  ),
  ...['available', 'pending'].map((status) =>
    clause(`update.p11.status.${status}`, `P11: \`status\` null removes the status: ${status}.`, async (context) => {
      const { id } = await context.add(newPet(status))
      const response = await context.call(patch(id, '{"status":null}'))
      expectPet(response, 200, { id, name: 'verify store', categoryId: 1n })
      expect(response, !response.text.includes('status'), 'no `status`, not even null')
      expectPet(await context.call({ path: `/pets/${id}` }), 200, { id, name: 'verify store', categoryId: 1n })
    }),
  ),
  ...INVALID.map(([id, field, literal]) =>
    clause(`update.p12.${id}`, `${AS_IN_CREATE}: ${field}, ${id.replace(/.*\./, '')}.`, async (context) => {
      const pet = await context.add(newPet('available'))
      const created = await context.call(post(toCreate(field, literal)))
      expectError(created, 400, 'invalid_body')
      const response = await context.call(patch(pet.id, `{"${field}":${literal}}`))
      expectError(response, 400, 'invalid_body')
      expect(response, messageOf(response) === messageOf(created), `the message of createPet: ${messageOf(created)}`)
      await expectNow(context, pet.id, { ...pet, version: 1n })
    }),
  ),
  ...[...INT64.map((text): [string, bigint] => [text, BigInt(text)]), ...LITERALS].map(([literal, value]) =>
    clause(`update.p12.int64.${literal}`, `${EXACT}: ${literal}.`, async (context) => {
      const { id } = await context.add(newPet())
      const response = await context.call(patch(id, `{"categoryId":${literal}}`))
      expect(response, recordOf(response).categoryId === value, `\`categoryId\` ${value}`)
      expect(response, new RegExp(`"categoryId":\\s*${value}\\b`).test(response.text), `"categoryId":${value}`)
      await expectNow(context, id, { categoryId: value, version: 2n })
    }),
  ),
  clause(
    'update.p12.name',
    'P12: A name is kept as it was given: nothing is trimmed, nothing normalised.',
    async (context) => {
      const { id } = await context.add(newPet())
      for (const name of ['  e\u0301 ', '🐢'.repeat(255), '\u202eשלום', `"Rex" 'II' \\ /`])
        expectPet(await context.call(patch(id, JSON.stringify({ name }))), 200, { id, name, categoryId: 1n })
    },
  ),
  ...NOT_JSON.map(([id, body]) =>
    clause(`update.json.${id}`, `A body of PATCH that is not JSON is 400 invalid_json: ${id}.`, async (context) => {
      const pet = await context.add(newPet('available'))
      expectError(await context.call({ ...patch(pet.id, ''), body }), 400, 'invalid_json')
      await expectNow(context, pet.id, { ...pet, version: 1n })
    }),
  ),
  ...['null', '[]', '"verify"', '5'].map((body, i) =>
    clause(
      `update.object.${i + 1}`,
      `A body of PATCH that is no object is 400 invalid_body: ${body}.`,
      async (context) => {
        const { id } = await context.add(newPet('available'))
        expectError(await context.call(patch(id, body)), 400, 'invalid_body')
      },
    ),
  ),
  refused(
    'update.order.body',
    'The body is read before the pet: an invalid one is 400, also where no pet has the id.',
    patch('9223372036854775806', '{"name":5}'),
    400,
    'invalid_body',
  ),
  refused(
    'update.order.impossible',
    'The body is read before the id: an invalid one is 400, also where the id is none.',
    patch('abc', '{}'),
    400,
    'invalid_body',
  ),
]
