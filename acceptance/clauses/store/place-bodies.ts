import type { Clause } from '../../clause.ts'
import { expect, expectError, expectHeader } from '../../expect.ts'
import { getOrder, orderOf, place, placeBody } from '../../orders.ts'
import { KEY } from '../../placeholders.ts'
import { clause, expectNow, messageOf, NO_PET, newPet, refused } from '../../store.ts'

const PERIODS: [id: string, literal: string][] = [
  ['zero', '0'],
  ['fraction', '1.5'],
  ['digits', '"900"'],
  ['above', '2592001'],
  ['null', 'null'],
  ['negative', '-1'],
  ['boolean', 'true'],
  ['array', '[900]'],
  ['huge', '1e400'],
]
const REFERENCES: [id: string, literal: string][] = [
  ['empty', '""'],
  ['spaces', '"  "'],
  ['long', `"${'r'.repeat(256)}"`],
  ['control', '"a\\u0000b"'],
  ['newline', '"a\\nb"'],
  ['surrogate', '"a\\ud83d"'],
  ['number', '4711'],
  ['null', 'null'],
]
const KEPT = [
  'r',
  ' Basket 4711 ',
  'é'.repeat(255),
  '🐢'.repeat(255),
  `'; drop table orders; --`,
  ' a\u2028b\\"</script> ',
  'NULL',
  '{a,b}',
  '1,2',
]
const PETS: [id: string, fields: string][] = [
  ['missing', '"expiresIn":900'],
  ['null', '"petId":null'],
  ['digits', '"petId":"7"'],
  ['fraction', '"petId":1.5'],
  ['boolean', '"petId":true'],
  ['above', '"petId":9223372036854775808'],
  ['below', '"petId":-9223372036854775809'],
  ['misspelled', '"PetId":1'],
]
// Of no pet that exists, for a service that reads them all the same.
const ONE = `"petId":${NO_PET}`
const NOT_JSON = ['', `{${ONE}`, `{${ONE},${ONE}}`, `petId=${NO_PET}`, `\uFEFF{${ONE}}`]
const NO_OBJECT = ['null', '[]', `[{${ONE}}]`, '7', '"7"']

/** A field of an order for an available pet is wrong: 400 that names it, and the pet is not held. */
function invalid(id: string, sentence: string, field: string, literal: string): Clause {
  return clause(id, sentence, async (context) => {
    const pet = await context.add(newPet('available'))
    const response = await context.call(place(pet.id, `"${field}":${literal}`))
    expectError(response, 400, 'invalid_body')
    expect(response, messageOf(response).includes(`\`${field}\``), `a message that names \`${field}\``)
    await expectNow(context, pet.id, { status: 'available', version: 1n, orderId: undefined })
  })
}

export const PLACE_BODIES: Clause[] = [
  ...PERIODS.map(([id, literal]) =>
    invalid(
      `orders.o17.${id}`,
      `O17: \`expiresIn\` takes 1 to 2,592,000 whole seconds; ${literal} is 400.`,
      'expiresIn',
      literal,
    ),
  ),
  ...['1', '2592000'].map((literal) =>
    clause(`orders.o17.taken.${literal}`, `O17: \`expiresIn\` takes ${literal}.`, async ({ call, add }) => {
      const pet = await add(newPet('available'))
      orderOf(await call(place(pet.id, `"expiresIn":${literal}`)), 201)
    }),
  ),
  ...REFERENCES.map(([id, literal]) =>
    invalid(
      `orders.reference.${id}`,
      `\`reference\` has 1 to 255 characters and is validated like a name; else it is 400: ${id}.`,
      'reference',
      literal,
    ),
  ),
  ...KEPT.map((reference, i) =>
    clause(`orders.reference.kept.${i + 1}`, 'A `reference` is kept as it was given.', async ({ call, add }) => {
      const pet = await add(newPet('available'))
      const response = await call(place(pet.id, `"reference":${JSON.stringify(reference)}`))
      const order = orderOf(response, 201)
      expect(response, order.reference === reference, JSON.stringify(reference))
      const got = await call(getOrder(order.id))
      expect(got, got.text === response.text, response.text)
    }),
  ),
  ...PETS.map(([id, fields]) =>
    clause(`orders.pet-id.${id}`, `\`petId\` is required, an int64; else it is 400: ${id}.`, async ({ call }) => {
      const response = await call(placeBody(`{${fields}}`))
      expectError(response, 400, 'invalid_body')
      expect(response, messageOf(response).includes('`petId`'), 'a message that names `petId`')
    }),
  ),
  clause(
    'orders.pet-id.literal',
    'A `petId` whose value is integral is read, however it is written.',
    async (context) => {
      const pet = await context.add(newPet('available'))
      const response = await context.call(place(`${pet.id}.0`))
      expect(response, orderOf(response, 201).petId === pet.id, `\`petId\` ${pet.id}`)
    },
  ),
  clause('orders.ignored', 'Unknown fields of an order, also `id` and `status`, are ignored.', async (context) => {
    const pet = await context.add(newPet('available'))
    const more = '"id":"ord_x","status":"completed","placedAt":"2000-01-01T00:00:00.000Z","colour":"red"'
    const response = await context.call(place(pet.id, more))
    const order = orderOf(response, 201)
    expect(response, order.status === 'placed' && order.id !== 'ord_x', 'an order that is placed')
    expect(response, !/colour|2000-01-01/.test(response.text), 'nothing of the unknown fields')
  }),
  ...NOT_JSON.map((body, i) =>
    refused(
      `orders.json.${i + 1}`,
      'An order that is not JSON is 400 invalid_json.',
      placeBody(body),
      400,
      'invalid_json',
    ),
  ),
  ...NO_OBJECT.map((body, i) =>
    refused(
      `orders.object.${i + 1}`,
      `An order that is no object is 400: ${body}.`,
      placeBody(body),
      400,
      'invalid_body',
    ),
  ),
  ...['text/plain', 'application/merge-patch+json', 'application/json; charset=latin1'].map((type, i) =>
    clause(
      `orders.type.${i + 1}`,
      `An order in any media type but application/json is 415: ${type}.`,
      async (context) => {
        const pet = await context.add(newPet('available'))
        const response = await context.call(place(pet.id, '', { 'Content-Type': type }))
        expectError(response, 415, 'unsupported_media_type')
        await expectNow(context, pet.id, { status: 'available', version: 1n })
      },
    ),
  ),
  refused(
    'orders.length',
    'An order over 65,536 bytes is 413.',
    placeBody(`{${ONE}}`.padEnd(65_537)),
    413,
    'payload_too_large',
  ),
  clause('orders.unread', '`placeOrder` of another media type is 415 before its body is read.', async (context) => {
    const head = `POST ${context.basePath}/store/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n`
    for (const response of await context.exchange(`${head}Content-Type: text/plain\r\nContent-Length: 1000\r\n\r\n`)) {
      expectError(response, 415, 'unsupported_media_type')
      expectHeader(response, 'Connection', 'close')
    }
  }),
]
