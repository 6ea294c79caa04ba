import fc from 'fast-check'
import { anyMember, ignored, type Member, objectText, toBytes } from './bodies.ts'
import { corrupted } from './corruption.ts'
import { nameText } from './names.ts'
import { numberText } from './numbers.ts'
import { oneOfWords } from './words.ts'

const index = fc.nat(99)

const petId = fc.oneof(
  { weight: 20, arbitrary: index.map((i) => `{{available${i}}}`) },
  { weight: 6, arbitrary: index.map((i) => `{{pet${i}}}`) },
  { weight: 1, arbitrary: index.map((i) => `{{pet${i}}}.0`) },
  { weight: 1, arbitrary: index.map((i) => `"{{pet${i}}}"`) },
  { weight: 2, arbitrary: oneOfWords('0 -1 9007199254740993 9223372036854775807 -9223372036854775808 null 1.5 1e400') },
)
/** Short enough to expire within a run, or long. */
const expiresIn = fc.oneof(
  { weight: 3, arbitrary: oneOfWords('1 1 2 3') },
  { weight: 6, arbitrary: oneOfWords('60 900 3600 2592000') },
  { weight: 1, arbitrary: oneOfWords('0 -1 1.5 "900" 2592001 null true 9e2 900.0 1e400 {{key}}', '9'.repeat(60)) },
  { weight: 1, arbitrary: numberText },
)
const reference = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 9 }).map((basket) => `"basket-${basket}"`) },
  { weight: 2, arbitrary: nameText(true) },
  { weight: 1, arbitrary: nameText(false) },
  { weight: 1, arbitrary: oneOfWords('null "" 7 [] "{{key}}"') },
)

const members = fc
  .tuple(
    petId,
    fc.option(expiresIn, { freq: 3 }),
    fc.option(reference, { freq: 2 }),
    fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, ignored, anyMember),
  )
  .map(([pet, seconds, text, more]) => {
    const given: Member[] = [['"petId"', pet]]
    if (seconds !== null) given.push(['"expiresIn"', seconds])
    if (text !== null) given.push(['"reference"', text])
    return more ? [more, ...given] : given
  })

const text = objectText(members)

export const anyOrder = fc.oneof(
  { weight: 40, arbitrary: text.map(toBytes) },
  { weight: 4, arbitrary: corrupted(text) },
  { weight: 1, arbitrary: oneOfWords('{} [] {"pet_id":1} {"petId":[1]} null {"petId":1,"petId":1}') },
)

/** Ids of orders, and texts that differ from one in a character, its case or its length. */
const orderId = fc.oneof(
  { weight: 16, arbitrary: index.map((i) => `{{open${i}}}`) },
  { weight: 8, arbitrary: index.map((i) => `{{order${i}}}`) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(index, oneOfWords('ORD_ Ord_ ord- or_ ord', ''))
      .map(([i, prefixOf]) => `${prefixOf}{{tail${i}}}`),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(index, oneOfWords('{}A {}= x{} {}%20 %20{} {}%00 {}, {}.json {}{}'))
      .map(([i, form]) => form.replaceAll('{}', `{{order${i}}}`)),
  },
  {
    weight: 3,
    arbitrary: oneOfWords(
      `ord_ ord_AAAAAAAAAAAAAAAAAAAA ord_aaaaaaaaaaaaaaaaaaaa ord_____________________ ord_-------------------- ord_none
       ORD_AAAAAAAAAAAAAAAAAAAA ord_AAAAAAAAAAAAAAAAAAA ord_AAAAAAAAAAAAAAAAAAAAA 1 0 {{pet0}} {{key}} %ZZ %00 .. ord_%F0%9F%90%A2
       ord_AAAAAAAAAAAAAAAAAAA+ ord_AAAAAAAAAAAAAAAAAAA/ ord%5F{{pet1}} complete`,
      'A'.repeat(9_000),
    ),
  },
)
const ORDERS = '/v1/store/orders'
const prefix = fc.oneof(
  { weight: 20, arbitrary: fc.constant(ORDERS) },
  oneOfWords('/v1/st%6Fre/orders /%76%31/store/orders'),
)

export const orderTarget = fc.tuple(prefix, orderId).map((parts) => parts.join('/'))
export const closingTarget = fc
  .tuple(orderTarget, fc.oneof({ weight: 20, arbitrary: oneOfWords('complete cancel') }, oneOfWords('expire Complete')))
  .map((parts) => parts.join('/'))

const time = oneOfWords(
  '2001-02-03T04:05:06Z 9999-12-31T23:59:59.999999999-23:59 0000-01-01T00:00:00%2B23:59 2026-02-30T00:00:00Z 2026-11-16 2026-11-16T09:30:00+01:00 now',
  '',
)
const closed = index.map((i) => `{{closed${i}}}`)
const parameter = fc.oneof(
  { weight: 3, arbitrary: oneOfWords('status=placed status=completed status=cancelled status=expired') },
  { weight: 1, arbitrary: oneOfWords('status=Placed status= status=placed,expired status=sold status=%00') },
  { weight: 4, arbitrary: index.map((i) => `petId={{pet${i}}}`) },
  { weight: 1, arbitrary: oneOfWords('petId=0 petId=-1 petId=01 petId= petId=1,2 petId=9223372036854775808 petid=x') },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 9 }).map((basket) => `reference=basket-${basket}`) },
  {
    weight: 1,
    arbitrary: oneOfWords(
      'reference=%F0%9F%90%A2 reference=%00 reference= reference=%20 reference={{key}}',
      `reference=${'a'.repeat(256)}`,
    ),
  },
  { weight: 3, arbitrary: oneOfWords('limit=1 limit=2 limit=3 limit=100') },
  { weight: 1, arbitrary: oneOfWords('limit=0 limit=101 limit=x view=full sort=Closed sort=oldest') },
  {
    weight: 3,
    arbitrary: oneOfWords(
      'sort=newest sort=expiring&status=placed sort=closed&status=completed sort=closed&status=expired',
    ),
  },
  { weight: 2, arbitrary: oneOfWords('from to').chain((name) => time.map((value) => `${name}=${value}`)) },
  // Times at which orders have ended: these belong to what begins there.
  {
    weight: 4,
    arbitrary: fc
      .tuple(oneOfWords('completed cancelled expired'), oneOfWords('from to'), closed)
      .map(([status, name, value]) => `status=${status}&sort=closed&${name}=${value}`),
  },
  { weight: 2, arbitrary: index.map((i) => `cursor={{cursor${i}}}`) },
  { weight: 1, arbitrary: oneOfWords('cursor= cursor=x cursor=AwAAAAAAAAAAAAAAAAAAAAA cursor=AQAAAAAAAAAB') },
)
export const ordersTarget = fc
  .array(parameter, { maxLength: 3 })
  .chain((list) =>
    fc
      .oneof({ weight: 4, arbitrary: fc.constant(ORDERS) }, fc.constant(`${ORDERS}/count`))
      .map((path) => (list.length === 0 ? path : `${path}?${list.join('&')}`)),
  )

/** Times that a list of boundaries is made of; most lists are in order. */
const boundaries = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 17 }).map((years) =>
      years
        .toSorted((a, b) => a - b)
        .map((year) => `20${String(year).padStart(2, '0')}-11-16T00:00:00Z`)
        .join(','),
    ),
  },
  { weight: 4, arbitrary: fc.array(time, { maxLength: 4 }).map((list) => list.join(',')) },
  fc.constantFrom(Array(40).fill('2001-02-03T04:05:06Z').join(','), ','.repeat(99), '%2C', '{{key}}'),
)
const period = fc.oneof(
  { weight: 6, arbitrary: oneOfWords('status=completed status=completed status=cancelled status=expired') },
  { weight: 6, arbitrary: boundaries.map((times) => `boundaries=${times}`) },
  oneOfWords('status=placed status= boundries=x from=2001-02-03T04:05:06Z to=x petId=1 x=1'),
)
export const periodsTarget = fc
  .oneof(
    { weight: 6, arbitrary: boundaries.map((times) => ['status=completed', `boundaries=${times}`]) },
    fc.array(period, { maxLength: 3 }),
  )
  .map((list) => (list.length === 0 ? `${ORDERS}/counts` : `${ORDERS}/counts?${list.join('&')}`))

export const placeTarget = prefix
