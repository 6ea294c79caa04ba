import fc from 'fast-check'
import { oneOfWords } from './words.ts'

const EVENTS = '/v1/events'
const index = fc.nat(99)
const path = fc.oneof({ weight: 20, arbitrary: fc.constant(EVENTS) }, oneOfWords('/v1/%65vents /%76%31/events'))

const type = oneOfWords(
  'pet.created pet.updated pet.deleted order.placed order.completed order.cancelled order.expired pets.imported',
)
const types = fc.oneof(
  { weight: 6, arbitrary: fc.array(type, { minLength: 1, maxLength: 8 }).map((list) => list.join()) },
  { weight: 1, arbitrary: fc.array(type, { minLength: 9, maxLength: 12 }).map((list) => list.join('%2C')) },
  oneOfWords('pet Pet.created pet.created, ,pet.created pet.sold pet%2Ecreated %00 webhook.ping {{key}}', ''),
)
/** Long waits would make a run long: what ends them is tested elsewhere. */
const wait = fc.oneof(
  { weight: 8, arbitrary: fc.constant('0') },
  { weight: 1, arbitrary: fc.constant('1') },
  { weight: 2, arbitrary: oneOfWords('10 -1 1.5 1e0 00 +0 99999999999 x', '') },
)
const cursor = fc.oneof(
  { weight: 8, arbitrary: index.map((i) => `{{feed${i}}}`) },
  { weight: 3, arbitrary: index.map((i) => `{{altered${i}}}`) },
  { weight: 3, arbitrary: index.map((i) => `{{history${i}}}`) },
  { weight: 3, arbitrary: index.map((i) => `{{cursor${i}}}`) },
  oneOfWords('x BAAAAAAAAAAAAAAAAAAAAAA BAAAAAAAAAABAAAAAAAAAAE BH__________f_________8 AQAAAAAAAAAB {{feed0}}A', ''),
)
const limit = fc.oneof({ weight: 8, arbitrary: oneOfWords('1 2 3 7 20 100') }, oneOfWords('0 101 -1 x', ''))

const parameter = fc.oneof(
  { weight: 5, arbitrary: limit.map((value) => `limit=${value}`) },
  { weight: 4, arbitrary: cursor.map((value) => `cursor=${value}`) },
  { weight: 3, arbitrary: types.map((value) => `type=${value}`) },
  { weight: 2, arbitrary: wait.map((value) => `wait=${value}`) },
  { weight: 2, arbitrary: oneOfWords('from=now from=now from=oldest from=Now from= from=newest') },
  {
    weight: 2,
    arbitrary: oneOfWords(
      'from=2001-02-03T04:05:06Z from=9999-12-31T23:59:59.999999999Z from=0000-01-01T00:00:00%2B23:59 from=2026-02-30T00:00:00Z from=2026-11-16 from=2026-11-16T09:30:00+01:00 from=2026-11-16t09:30:00z',
    ),
  },
  { weight: 4, arbitrary: oneOfWords('sort=newest sort=newest sort=newest sort=oldest sort=Newest sort=') },
  {
    weight: 2,
    arbitrary: oneOfWords('keyId=key_0000000000000000 keyId= keyId=key_ keyId=key_%00 keyId={{key}} keyId=key_a,key_b'),
  },
  {
    weight: 1,
    arbitrary: oneOfWords('petId=0 petId=-1 petId=01 petId= petId=1,2 petId=9223372036854775807 x=1 Limit=0'),
  },
)
/** From the newest event back, along the links of such pages. */
const newest = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: limit.map((value) => `limit=${value}`) },
      { weight: 3, arbitrary: types.map((value) => `type=${value}`) },
      { weight: 6, arbitrary: index.map((i) => `cursor={{newest${i}}}`) },
      parameter,
    ),
    { maxLength: 3 },
  )
  .map((more) => ['sort=newest', ...more])
const feed = fc.oneof({ weight: 3, arbitrary: fc.array(parameter, { maxLength: 3 }) }, newest)
const history = fc
  .tuple(
    index,
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: limit.map((value) => `limit=${value}`) },
        { weight: 2, arbitrary: index.map((i) => `cursor={{history${i}}}`) },
        parameter,
      ),
      { maxLength: 2 },
    ),
  )
  .map(([i, more]) => [`petId={{pet${i}}}`, ...more])

export const eventsTarget = fc
  .tuple(path, fc.oneof(feed, history))
  .map(([given, list]) => (list.length === 0 ? given : `${given}?${list.join('&')}`))
