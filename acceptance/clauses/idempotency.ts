import { randomUUID } from 'node:crypto'
import type { Clause, Context } from '../clause.ts'
import { expect, expectError, expectHeader, expectNoHeader, petOf } from '../expect.ts'
import { post } from '../herd.ts'

const PET = '{"name":"verify once","categoryId":7,"status":"sold"}'
const keyed = (key: string, body = PET) => post(body, { 'Idempotency-Key': key })

const SAME = 'The same Idempotency-Key with the same animal gets the same 201, byte for byte'
const OTHER = 'The same Idempotency-Key with another animal is 422 idempotency_key_reused, and adds nothing'
const MALFORMED = 'A malformed Idempotency-Key is 400 invalid_idempotency_key'

const SAME_PETS: [id: string, what: string, body: string][] = [
  ['same', 'as it was', PET],
  ['order', 'its fields in another order', '{"status":"sold","categoryId":7,"name":"verify once"}'],
  ['white-space', 'with white space', ' { "name" : "verify once", "categoryId":7,\n"status":"sold"} '],
  ['spelling', 'spelled another way', '{"name":"verify \\u006fnce","categoryId":7.0,"status":"sold","x":1}'],
]
const OTHER_PETS: [id: string, what: string, body: string][] = [
  ['name', 'another name', '{"name":"verify Once","categoryId":7,"status":"sold"}'],
  ['category-id', 'another categoryId', '{"name":"verify once","categoryId":8,"status":"sold"}'],
  ['status', 'another status', '{"name":"verify once","categoryId":7,"status":"pending"}'],
  ['no-status', 'no status', '{"name":"verify once","categoryId":7}'],
]
const MALFORMED_KEYS: [id: string, what: string, key: string][] = [
  ['empty', 'empty', ''],
  ['empty-quotes', 'empty in quotes', '""'],
  ['long', '256 characters', 'k'.repeat(256)],
  ['open', 'a quote that is not closed', '"verify'],
  ['behind', 'text after the quotes', '"verify" x'],
  ['escape', 'an escape that is none', '"ver\\ify"'],
  ['letter', 'a letter that is not ASCII', 'v\xe9rify'],
]
const KEYS: [id: string, what: string, key: (unique: string) => string][] = [
  ['bare', 'bare', (unique) => `verify, ${unique}`],
  ['long', '255 characters', (unique) => unique.padEnd(255, 'k')],
  ['quoted', 'a quoted string', (unique) => `"${unique}"`],
  ['escapes', 'a quoted string with escapes', (unique) => `"\\"${unique}\\\\"`],
]

/** Adds the pet by its key, then asks again; both responses. */
async function twice({ call }: Context, first: string, second = first, body = PET) {
  const added = await call(keyed(first))
  petOf(added, 201)
  expectNoHeader(added, 'Idempotent-Replayed')
  return { added, again: await call(keyed(second, body)) }
}

async function expectReplay(context: Context, first: string, second?: string, body?: string) {
  const { added, again } = await twice(context, first, second, body)
  petOf(again, 201)
  expect(again, again.text === added.text, `the body of the first response: ${added.text}`)
  expectHeader(again, 'Location', added.headers.get('location') ?? '')
  expectHeader(again, 'Idempotent-Replayed', 'true')
}

export const IDEMPOTENCY: Clause[] = [
  ...SAME_PETS.map(
    ([id, what, body]): Clause => ({
      id: `idempotency.replay.${id}`,
      profile: 'full',
      sentence: `${SAME}, with Idempotent-Replayed: true: ${what}.`,
      run: (context) => {
        const key = randomUUID()
        return expectReplay(context, key, key, body)
      },
    }),
  ),
  ...OTHER_PETS.map(
    ([id, what, body]): Clause => ({
      id: `idempotency.other.${id}`,
      profile: 'full',
      sentence: `${OTHER}: ${what}.`,
      run: async (context) => {
        const key = randomUUID()
        expectError((await twice(context, key, key, body)).again, 422, 'idempotency_key_reused')
      },
    }),
  ),
  ...KEYS.map(
    ([id, what, keyOf]): Clause => ({
      id: `idempotency.key.${id}`,
      profile: 'full',
      sentence: `An Idempotency-Key has 1 to 255 printable characters, quoted or bare: ${what}.`,
      run: (context) => expectReplay(context, keyOf(randomUUID())),
    }),
  ),
  {
    id: 'idempotency.key.quotes',
    profile: 'full',
    sentence: 'An Idempotency-Key is the same, quoted or bare.',
    run: (context) => {
      const key = randomUUID()
      return expectReplay(context, key, `"${key}"`)
    },
  },
  ...MALFORMED_KEYS.map(
    ([id, what, key]): Clause => ({
      id: `idempotency.malformed.${id}`,
      profile: 'full',
      sentence: `${MALFORMED}: ${what}.`,
      run: async ({ call }) => expectError(await call(keyed(key)), 400, 'invalid_idempotency_key'),
    }),
  ),
  {
    id: 'idempotency.refusal',
    profile: 'full',
    sentence: 'Errors are not stored: after a 400, the same Idempotency-Key adds an animal.',
    run: async ({ call }) => {
      const key = randomUUID()
      expectError(await call(keyed(key, '{"name":"verify once"}')), 400, 'invalid_body')
      const response = await call(keyed(key))
      petOf(response, 201)
      expectNoHeader(response, 'Idempotent-Replayed')
    },
  },
  {
    id: 'idempotency.race',
    profile: 'full',
    sentence: 'Concurrent requests with the same Idempotency-Key wait for the first, and get its response.',
    run: async ({ call }) => {
      const key = randomUUID()
      const responses = await Promise.all(Array.from({ length: 10 }, () => call(keyed(key))))
      for (const response of responses) {
        petOf(response, 201)
        expect(response, response.text === responses[0]?.text, `the same body as its rivals: ${responses[0]?.text}`)
      }
    },
  },
]
