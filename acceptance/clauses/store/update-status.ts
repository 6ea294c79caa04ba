import type { Clause } from '../../clause.ts'
import { expect, expectError, expectHeader, expectNoHeader } from '../../expect.ts'
import { clause, expectNow, ifMatch, newPet, patch, recordOf } from '../../store.ts'

const STATES = [undefined, 'available', 'pending', 'sold']
const text = (status: string | undefined) => status ?? 'none'
const body = (status: string | undefined) => `{"status":${status ? `"${status}"` : 'null'}}`

const CHANGES = STATES.flatMap((from) => STATES.flatMap((to) => (from === to ? [] : [[from, to] as const])))
const FROM_SOLD = CHANGES.filter(([from]) => from === 'sold')
const TAKING_BACK = 'P15: Leaving sold needs If-Match with the version'

export const UPDATE_STATUS: Clause[] = [
  ...CHANGES.filter(([from]) => from !== 'sold').map(([from, to]) =>
    clause(
      `update.status.${text(from)}.${text(to)}`,
      `The status of a pet that no order holds can be changed by hand: ${text(from)} to ${text(to)}.`,
      async (context) => {
        const { id } = await context.add(newPet(from))
        const response = await context.call(patch(id, body(to)))
        expect(response, recordOf(response).status === to, `\`status\` ${to ?? 'absent'}`)
        await expectNow(context, id, { status: to, version: 2n, orderId: undefined })
      },
    ),
  ),
  ...FROM_SOLD.flatMap(([, to]) => [
    clause(`update.p15.bare.${text(to)}`, `${TAKING_BACK}: without it, to ${text(to)} is 428.`, async (context) => {
      const pet = await context.add(newPet('sold'))
      const response = await context.call(patch(pet.id, body(to)))
      expectError(response, 428, 'version_required')
      expect(response, response.text.includes('If-Match'), 'a message that names If-Match')
      expectNoHeader(response, 'Retry-After')
      await expectNow(context, pet.id, { ...pet, version: 1n })
    }),
    clause(`update.p15.any.${text(to)}`, `${TAKING_BACK}: with *, to ${text(to)} is 428.`, async (context) => {
      const pet = await context.add(newPet('sold'))
      expectError(await context.call(patch(pet.id, body(to), ifMatch('*'))), 428, 'version_required')
      await expectNow(context, pet.id, { ...pet, version: 1n })
    }),
    clause(`update.p15.version.${text(to)}`, `${TAKING_BACK}: with it, to ${text(to)} is 200.`, async (context) => {
      const { id } = await context.add(newPet('sold'))
      const response = await context.call(patch(id, body(to), ifMatch('"1"')))
      expect(response, recordOf(response).status === to, `\`status\` ${to ?? 'absent'}`)
      await expectNow(context, id, { status: to, version: 2n })
    }),
  ]),
  clause('update.p15.other', `${TAKING_BACK}: with another one it is 412.`, async (context) => {
    const pet = await context.add(newPet('sold'))
    const response = await context.call(patch(pet.id, '{"status":"available"}', ifMatch('"7"')))
    expectError(response, 412, 'version_mismatch')
    expectHeader(response, 'ETag', '"1"')
    await expectNow(context, pet.id, { ...pet, version: 1n })
  }),
  clause(
    'update.p15.name',
    'P15: The name and category of a sold pet can be changed without If-Match.',
    async (context) => {
      const { id } = await context.add(newPet('sold'))
      recordOf(await context.call(patch(id, '{"name":"verify sold","categoryId":3}')))
      recordOf(await context.call(patch(id, '{"name":"verify sold twice","status":"sold"}')))
      await expectNow(context, id, { name: 'verify sold twice', categoryId: 3n, status: 'sold', version: 3n })
    },
  ),
  clause('update.p15.beside', 'P15: A PATCH that is 428 changes nothing, also no other field.', async (context) => {
    const pet = await context.add(newPet('sold'))
    const response = await context.call(patch(pet.id, '{"name":"verify 428","status":"pending"}'))
    expectError(response, 428, 'version_required')
    await expectNow(context, pet.id, { ...pet, version: 1n })
  }),
  clause(
    'update.no-reservation',
    'PATCH does not reserve: two callers who both set pending both get 200, and one change is made.',
    async (context) => {
      const { id } = await context.add(newPet('available'))
      for (let i = 0; i < 2; i++) recordOf(await context.call(patch(id, '{"status":"pending"}')))
      await expectNow(context, id, { status: 'pending', version: 2n, orderId: undefined })
    },
  ),
]
