import { randomUUID } from 'node:crypto'
import type { Clause, Context } from '../../clause.ts'
import { caughtUp, endOfFeed, expectEvents, startWithOrder, startWithPet } from '../../events.ts'
import { expect, expectError, expectStatus, type Pet, petOf } from '../../expect.ts'
import { post } from '../../herd.ts'
import { place } from '../../orders.ts'
import { clause, expectConflict, ifMatch, keyed, newPet, patch, recordOf, remove } from '../../store.ts'
import type { Request } from '../../wire.ts'

const NONE = 'E1: What changes nothing has no event'

/** On a pet of its own: what is rejected, or changes nothing. */
const NOTHING: [
  id: string,
  what: string,
  status: string,
  act: (call: Context['call'], pet: Pet) => Promise<unknown>,
][] = [
  [
    'same',
    'a PATCH to the same values',
    'available',
    async (call, { id }) => recordOf(await call(patch(id, newPet('available')))),
  ],
  [
    '412',
    'a PATCH of another version',
    'available',
    async (call, { id }) => expectError(await call(patch(id, '{"name":"x"}', ifMatch('"9"'))), 412, 'version_mismatch'),
  ],
  [
    '428',
    'a sale taken back without its version',
    'sold',
    async (call, { id }) => expectError(await call(patch(id, '{"status":"available"}')), 428, 'version_required'),
  ],
  [
    '400',
    'a PATCH with a wrong value',
    'available',
    async (call, { id }) => expectError(await call(patch(id, '{"name":"","categoryId":2}')), 400, 'invalid_body'),
  ],
  [
    'delete-412',
    'a DELETE of another version',
    'available',
    async (call, { id }) => expectError(await call(remove(id, ifMatch('"9"'))), 412, 'version_mismatch'),
  ],
  [
    'place-409',
    'an order of a sold pet',
    'sold',
    async (call, { id }) => expectConflict(await call(place(id)), 'pet_not_available'),
  ],
  [
    'place-keyed-409',
    'an order of a sold pet, with an Idempotency-Key',
    'sold',
    async (call, { id }) => expectConflict(await call(place(id, '', keyed())), 'pet_not_available'),
  ],
  [
    'place-400',
    'an order with a wrong value',
    'available',
    async (call, { id }) => expectError(await call(place(id, '"expiresIn":0')), 400, 'invalid_body'),
  ],
]

/** On a pet that an order holds. */
const ON_HELD: [id: string, what: string, request: (petId: bigint) => Request][] = [
  ['patch', 'a PATCH of the status of a held pet', (id) => patch(id, '{"status":"sold"}')],
  ['delete', 'a DELETE of a held pet', (id) => remove(id)],
  ['place', 'an order of a held pet', (id) => place(id)],
]

export const EVENTS_UNRECORDED: Clause[] = [
  clause('events.e1.created.replayed', `${NONE}: a replayed createPet.`, async (context) => {
    const start = await endOfFeed(context)
    const request = post(newPet('available'), keyed())
    const pet = petOf(await context.call(request), 201)
    for (let i = 0; i < 3; i++) petOf(await context.call(request), 201)
    await expectEvents(context, start, pet.id, ['pet.created 1'])
  }),
  clause('events.e1.created.refused', `${NONE}: a createPet that is rejected with 400 or 422.`, async (context) => {
    const start = await endOfFeed(context)
    const name = `verify ${randomUUID()}`
    const key = keyed()
    petOf(await context.call(post(newPet(), key)), 201)
    expectError(await context.call(post(`{"name":"${name}"}`)), 400, 'invalid_body')
    expectError(await context.call(post(`{"name":"${name}","categoryId":1}`, key)), 422, 'idempotency_key_reused')
    const { events, response } = await caughtUp(context, start)
    expect(response, !events.some(({ data }) => data.pet?.name === name), 'no event of a pet that was rejected')
  }),
  ...NOTHING.map(([id, what, status, act]) =>
    clause(`events.e1.none.${id}`, `${NONE}: ${what}.`, async (context) => {
      const { pet, start } = await startWithPet(context, status)
      await act(context.call, pet)
      await expectEvents(context, start, pet.id, [])
    }),
  ),
  ...ON_HELD.map(([id, what, request]) =>
    clause(`events.e1.none.held-${id}`, `${NONE}: ${what}.`, async (context) => {
      const { pet, start } = await startWithOrder(context)
      expectStatus(await context.call(request(pet.id)), 409)
      await expectEvents(context, start, pet.id, ['order.placed 2 status'])
    }),
  ),
]
