import fc from 'fast-check'
import type { Expiry } from '../expiry.ts'
import type { Race } from '../race.ts'

type Racing = Race['requests'][number]

const PET = '/v1/pets/{{pet}}'
const ORDERS = '/v1/store/orders'

const update = fc
  .tuple(
    fc.constantFrom('{"name":"a"}', '{"name":"b"}', '{"categoryId":2}', '{"status":"sold"}', '{"status":null}'),
    fc.constantFrom(undefined, '"1"', '"1"', '"2"', '*'),
  )
  .map(
    ([body, ifMatch]): Racing => ({ method: 'PATCH', path: PET, body, ...(ifMatch === undefined ? {} : { ifMatch }) }),
  )
const other = fc.constantFrom<Racing>(
  { method: 'POST', path: ORDERS, body: '{"petId":{{pet}}}' },
  { method: 'POST', path: ORDERS, body: '{"petId":{{pet}},"expiresIn":60,"reference":"race"}' },
  { method: 'DELETE', path: PET },
  { method: 'DELETE', path: PET, ifMatch: '"2"' },
)
const ending = fc.constantFrom<Racing>(
  { method: 'POST', path: `${ORDERS}/{{order}}/complete` },
  { method: 'POST', path: `${ORDERS}/{{order}}/cancel` },
)

export const anyRace: fc.Arbitrary<Race> = fc.oneof(
  fc.record({
    held: fc.constant(false),
    requests: fc.array(fc.oneof(update, other), { minLength: 2, maxLength: 5 }),
  }),
  fc.record({
    held: fc.constant(true),
    requests: fc.array(fc.oneof(update, other, { weight: 3, arbitrary: ending }), { minLength: 2, maxLength: 5 }),
  }),
)

export const anyExpiry: fc.Arbitrary<Expiry> = fc.record({
  seconds: fc.integer({ min: 1, max: 2 }),
  meanwhile: fc.constantFrom(null, '{"name":"b"}', '{"status":"available"}'),
})
