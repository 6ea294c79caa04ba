import type { Clause } from '../../clause.ts'
import { expect, expectError, expectHeader } from '../../expect.ts'
import { clause, expectNow, ifMatch, newPet, patch, recordOf, remove } from '../../store.ts'

const RIVALS = Array.from({ length: 12 }, (_, i) => i)

export const RACES: Clause[] = [
  clause(
    'races.p13.patch',
    'P13: Of racing PATCHes with the same If-Match exactly one is 200; the others are 412.',
    async (context) => {
      const { id } = await context.add(newPet('available'))
      const rivals = RIVALS.map((i) => patch(id, `{"name":"verify rival ${i}"}`, ifMatch('"1"')))
      const responses = await Promise.all(rivals.map(context.call))
      const winners = responses.filter(({ status }) => status === 200)
      for (const response of responses.slice(0, 1))
        expect(response, winners.length === 1, 'one 200', `${winners.length} times 200`)
      for (const response of responses.filter(({ status }) => status !== 200)) {
        expectError(response, 412, 'version_mismatch')
        expectHeader(response, 'ETag', '"2"')
      }
      for (const winner of winners) await expectNow(context, id, { name: recordOf(winner).name, version: 2n })
    },
  ),
  clause(
    'races.p13.delete',
    'P13: Of a PATCH and a DELETE that race with the same If-Match exactly one succeeds.',
    async ({ call, add }) => {
      const { id } = await add(newPet('available'))
      const responses = await Promise.all([
        call(patch(id, '{"name":"verify rival"}', ifMatch('"1"'))),
        call(remove(id, ifMatch('"1"'))),
      ])
      const statuses = responses.map(({ status }) => status).join()
      for (const response of responses.slice(0, 1))
        expect(response, ['200,412', '404,204'].includes(statuses), '200 and 412, or 404 and 204', statuses)
    },
  ),
  clause(
    'races.p14.names',
    'P14: Of n racing PATCHes without If-Match none is lost: the version grows by n.',
    async (context) => {
      const { id } = await context.add(newPet('available'))
      const responses = await Promise.all(RIVALS.map((i) => context.call(patch(id, `{"name":"verify rival ${i}"}`))))
      const versions = responses.map((response) => recordOf(response).version).toSorted((a, b) => Number(a - b))
      const expected = RIVALS.map((i) => i + 2).join()
      for (const response of responses.slice(0, 1))
        expect(response, versions.join() === expected, `each of the versions ${expected} once`, versions.join())
      const last = responses.map(recordOf).find(({ version }) => version === BigInt(RIVALS.length + 1))
      await expectNow(context, id, { name: last?.name, version: BigInt(RIVALS.length + 1) })
    },
  ),
  clause('races.p14.fields', 'P14: Racing PATCHes of different fields all take effect.', async (context) => {
    const { id } = await context.add(newPet('available'))
    const bodies = ['{"name":"verify field"}', '{"categoryId":77}', '{"status":"pending"}']
    for (const response of await Promise.all(bodies.map((body) => context.call(patch(id, body))))) recordOf(response)
    await expectNow(context, id, { name: 'verify field', categoryId: 77n, status: 'pending', version: 4n })
  }),
  clause('races.p16', 'P16: Of racing DELETEs exactly one is 204; the others are 404.', async ({ call, add }) => {
    const { id } = await add(newPet('available'))
    const responses = await Promise.all(RIVALS.map(() => call(remove(id))))
    const winners = responses.filter(({ status }) => status === 204)
    for (const response of responses.slice(0, 1))
      expect(response, winners.length === 1, 'one 204', `${winners.length} times 204`)
    for (const response of responses.filter(({ status }) => status !== 204)) expectError(response, 404, 'pet_not_found')
  }),
]
