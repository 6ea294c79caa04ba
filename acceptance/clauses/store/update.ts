import type { Clause } from '../../clause.ts'
import { expect, expectError, expectPet, objectOf, petsOf } from '../../expect.ts'
import { clause, expectNow, look, newPet, patch, recordOf } from '../../store.ts'

const ONE_MORE = 'P1: Each PATCH that changes something adds exactly 1 to the version'
const NO_CHANGE = 'P1: A PATCH that changes nothing is 200 and adds 0 to the version'

const CHANGES: [id: string, body: string][] = [
  ['name', '{"name":"verify changed"}'],
  ['category-id', '{"categoryId":-2}'],
  ['status', '{"status":"sold"}'],
  ['no-status', '{"status":null}'],
  ['all', '{"name":"verify changed","categoryId":5,"status":"pending"}'],
  ['one-of-two', '{"name":"verify store","categoryId":5}'],
]
const SAME: [id: string, status: string | undefined, body: string][] = [
  ['name', 'available', '{"name":"verify store"}'],
  ['category-id', 'available', '{"categoryId":1.0}'],
  ['status', 'pending', '{"status":"pending"}'],
  ['sold', 'sold', '{"status":"sold"}'],
  ['no-status', undefined, '{"status":null}'],
  ['all', 'available', newPet('available')],
]
const INEFFECTIVE: [id: string, what: string, body: string][] = [
  ['empty', 'an empty object', '{}'],
  ['unknown', 'only unknown fields', '{"colour":"red","Name":"verify"}'],
  ['id', 'only `id`', '{"id":7}'],
  ['version', 'only `version`', '{"version":7}'],
  ['inherited', 'only names that objects inherit', '{"__proto__":{"name":"verify"},"toString":1}'],
]

export const UPDATE: Clause[] = [
  clause('update.p1.new', 'P1: A new pet has version 1.', async (context) => {
    const { id } = await context.add(newPet('available'))
    await expectNow(context, id, { version: 1n, orderId: undefined })
  }),
  ...CHANGES.map(([id, body]) =>
    clause(`update.p1.changed.${id}`, `${ONE_MORE}: ${body}.`, async (context) => {
      const pet = await context.add(newPet('available'))
      const response = await context.call(patch(pet.id, body))
      expect(response, recordOf(response).version === 2n, '`version` 2')
      await expectNow(context, pet.id, { version: 2n })
    }),
  ),
  clause('update.p1.changed.again', `${ONE_MORE}: one after the other, there and back.`, async ({ call, add }) => {
    const { id } = await add(newPet())
    for (let i = 2n; i < 8n; i++) {
      const response = await call(patch(id, `{"name":"verify ${i % 2n}"}`))
      expect(response, recordOf(response).version === i, `\`version\` ${i}`)
    }
  }),
  ...SAME.map(([id, status, body]) =>
    clause(`update.p1.same.${id}`, `${NO_CHANGE}: ${body}.`, async (context) => {
      const pet = await context.add(newPet(status))
      const response = await context.call(patch(pet.id, body))
      expect(response, recordOf(response).version === 1n, '`version` 1')
      await expectNow(context, pet.id, { ...pet, version: 1n })
    }),
  ),
  clause('update.kept', 'A field that a PATCH does not name stays as it is.', async ({ call, add }) => {
    const { id } = await add('{"name":"verify kept","categoryId":9007199254740993,"status":"pending"}')
    const response = await call(patch(id, '{"name":"Šárka 🐢"}'))
    expectPet(response, 200, { id, name: 'Šárka 🐢', categoryId: 9007199254740993n, status: 'pending' })
    expectPet(await call(patch(id, '{"categoryId":4}')), 200, { name: 'Šárka 🐢', categoryId: 4n, status: 'pending' })
    expectPet(await call(patch(id, '{"status":"sold"}')), 200, { name: 'Šárka 🐢', categoryId: 4n, status: 'sold' })
  }),
  clause('update.everywhere', 'A change is in the next response to getPet and listPets.', async ({ call, add }) => {
    const { id } = await add(newPet('available'))
    recordOf(await call(patch(id, '{"name":"verify elsewhere","status":"pending"}')))
    const got = await call({ path: `/pets/${id}` })
    expectPet(got, 200, { id, name: 'verify elsewhere', categoryId: 1n, status: 'pending' })
    const listed = await call({ path: `/pets?id=${id}&status=pending` })
    expect(listed, listed.text === `[${got.text}]`, `[${got.text}]`)
    const left = await call({ path: `/pets?id=${id}&status=available` })
    expect(left, petsOf(left).length === 0, 'an empty list: the pet is no longer available')
  }),
  ...['{"name":"verify full"}', '{"status":null}', '{"categoryId":1}', '{"categoryId":-9223372036854775808}'].map(
    (body, i) =>
      clause(
        `update.p2.${['name', 'no-status', 'no-change', 'int64'][i]}`,
        `P2: The body of PATCH equals the item of the next ?view=full&id=: ${body}.`,
        async (context) => {
          const { id } = await context.add(newPet('available'))
          const changed = await context.call(patch(id, body))
          recordOf(changed)
          const { response } = await look(context, id)
          expect(response, response.text === `[${changed.text}]`, `[${changed.text}]`)
        },
      ),
  ),
  clause(
    'update.fields',
    'The body of PATCH is the Pet and its `version`, and nothing else.',
    async ({ call, add }) => {
      const { id } = await add(newPet('available'))
      const response = await call(patch(id, '{"name":"verify fields"}'))
      recordOf(response)
      const fields = Object.keys(objectOf(response)).toSorted().join()
      expect(
        response,
        fields === 'categoryId,id,name,status,version',
        'id, name, categoryId, status and version',
        fields,
      )
    },
  ),
  ...INEFFECTIVE.map(([id, what, body]) =>
    clause(
      `update.p10.${id}`,
      `P10: A PATCH without a field to change is 400 invalid_body: ${what}.`,
      async (context) => {
        const pet = await context.add(newPet('available'))
        expectError(await context.call(patch(pet.id, body)), 400, 'invalid_body')
        await expectNow(context, pet.id, { ...pet, version: 1n })
      },
    ),
  ),
  clause('update.p10.ignored', 'P10: Unknown fields beside known ones are ignored.', async (context) => {
    const pet = await context.add(newPet('available'))
    const body = '{"name":"verify p10","id":77777777777,"version":9,"orderId":"ord_x","colour":"red"}'
    const response = await context.call(patch(pet.id, body))
    recordOf(response)
    expect(response, !/colour|ord_x/.test(response.text), 'no unknown field in the body')
    await expectNow(context, pet.id, { name: 'verify p10', version: 2n, orderId: undefined })
  }),
]
