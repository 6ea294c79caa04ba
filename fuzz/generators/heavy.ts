import fc from 'fast-check'
import type { Request } from '../request.ts'
import { GOOD_KEY, type Header } from './headers.ts'
import { oneOfWords } from './words.ts'

// Short of the bounds of the contract, so that all of it is read: 16,384 bytes of head, 65,536 of body.
const HEAD_BYTES = 15_000
const BODY_BYTES = 65_400

/** One short text over and over: what costs time by its number costs the most like this. */
function filled(unit: fc.Arbitrary<string>, bytes: number) {
  return fc
    .tuple(unit, fc.constantFrom(1, 1, 0.5, 0.1))
    .map(([text, share]) => text.repeat(Math.floor((bytes * share) / Buffer.byteLength(text))))
}

const inPath = oneOfWords('/ /% % /%41 %41 %2F /.. /a a . ; /%F0%9F%90%A2 /%ZZ /1 1 %00 {} : *')
const inQuery = oneOfWords(
  '& , = id= &id= a=1& %2C , [ ]= + % %41 1, -1, 9 A &limit=1 &status=sold ; &view=full &sort=newest &petId=1 %F0%9F%90%A2 2001-02-03T04:05:06Z,',
)
const inHeader = oneOfWords('a , ; = " \\ a, ;a=b ;a="b" \xe9 Bearer: 0 k "1", W/"1", "", *, ,"', ' ')

const target = fc.oneof(
  fc
    .tuple(
      oneOfWords(
        '/ /v1/ /v1/pets/ /v1/pets/1/ /% /v1/store/orders/ /v1/store/orders/ord_ /v1/webhooks/ /v1/webhooks/wh_',
      ),
      filled(inPath, HEAD_BYTES),
    )
    .map((parts) => parts.join('')),
  fc
    .tuple(
      oneOfWords('/v1/pets /v1/store/orders /v1/store/orders/counts /v1/events'),
      oneOfWords(
        '? ?id= ?id=1, ?limit= ?status= ?cursor= ?a= ?reference= ?petId= ?categoryId= ?name= ?name=a&limit=100&name= ?view= ?view=full&id= ?type= ?type=pet.created, ?wait= ?from= ?status=completed&boundaries= ?status=completed&boundaries=2001-02-03T04:05:06Z,',
      ),
      filled(inQuery, HEAD_BYTES),
    )
    .map((parts) => parts.join('')),
)
const header: fc.Arbitrary<Header[]> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom<Header>(
        ['Idempotency-Key', 'a'],
        ['Request-Id', 'a'],
        ['Content-Type', 'application/json'],
        ['X-Other', 'a'],
        ['Accept', '*/*'],
        ['Cookie', 'a=b'],
        ['X-Forwarded-For', '1.1.1.1'],
      ),
      filled(inHeader, HEAD_BYTES),
    )
    .map(([[name, start], rest]): Header[] => [...GOOD_KEY, [name, `${start}${rest}`.trimEnd()]]),
  filled(inHeader, HEAD_BYTES).map((token): Header[] => [['Authorization', `Bearer x${token}`.trimEnd()]]),
  fc
    .constantFrom(100, 1_000)
    .map((count): Header[] => [...GOOD_KEY, ...Array.from({ length: count }, (): Header => ['a', 'b'])]),
)

/** Conditions of a change, up to the length that is read and beyond. */
const condition = fc
  .tuple(oneOfWords('If-Match If-None-Match'), fc.constantFrom(1_020, HEAD_BYTES))
  .chain(([name, bytes]) => filled(inHeader, bytes).map((value): Header => [name, `"1",${value}"1"`]))

/** Valid pets, each with something that takes long to read; and some that are none. */
const body = fc
  .oneof(
    fc
      .tuple(
        oneOfWords('1 [] {} "" null 1234567890123456 -9007199254740993 1e5 0.1 "\\u0041" "é" "\\\\" [[]] {"a":1}'),
        oneOfWords('1 [] {} 1234567890123456 "\\n"'),
      )
      .map(([first, unit]) => `[${first}${`,${unit}`.repeat(Math.floor(BODY_BYTES / (unit.length + 1)))}]`)
      .map(withIgnored),
    filled(oneOfWords('a \\u0041 \\\\ \\" é 🐢 \\ud83d\\udc22 /'), BODY_BYTES).map((text) => withIgnored(`"${text}"`)),
    filled(oneOfWords('9 0'), BODY_BYTES).map((digits) => withIgnored(`1${digits}`)),
    fc.constant(withIgnored(`{${Array.from({ length: 5_000 }, (_, i) => `"a${i}":${i}`).join(',')}}`)),
    filled(oneOfWords('a \\u0041 é 🐢'), BODY_BYTES).map((name) => `{"name":"${name}","categoryId":1}`),
    filled(oneOfWords('a \\u0041 é 🐢'), BODY_BYTES).map((text) => `{"petId":{{pet0}},"reference":"${text}"}`),
    filled(oneOfWords('9 0'), BODY_BYTES).map((digits) => `{"petId":{{pet0}},"expiresIn":1${digits}}`),
    filled(oneOfWords('"pet.created", 1, "x", [], {},'), BODY_BYTES).map(
      (items) => `{"url":"https://fuzz.example","types":[${items}0]}`,
    ),
    filled(oneOfWords('a / @ # %41 é .'), BODY_BYTES).map((text) => `{"url":"https://${text}"}`),
    filled(oneOfWords('[ {"a": " , 1, \\ { 9 - ] {} "a" "a":1,', ' '), BODY_BYTES),
  )
  .map((text) => Buffer.from(text).toString('latin1'))

/** A pet, a change of one and an order at once. */
function withIgnored(value: string) {
  return `{"x":${value},"name":"heavy","categoryId":1,"petId":{{pet0}}}`
}

const BASE = { version: '1.1' as const, method: 'GET', target: '/v1/pets?limit=1' }
const HOST: Header = ['Host', 'x']
const reader = fc.constantFrom(
  { method: 'POST', target: '/v1/pets' },
  { method: 'POST', target: '/v1/pets' },
  { method: 'PATCH', target: '/v1/pets/{{pet0}}' },
  { method: 'POST', target: '/v1/store/orders' },
  { method: 'POST', target: '/v1/webhooks' },
  { method: 'PATCH', target: '/v1/webhooks/{{webhook0}}' },
)
const authorization = fc.constantFrom<Header[]>(GOOD_KEY, GOOD_KEY, [])

/** Sound requests as large as may be, made of one thing many times, which may cost more than they look. */
export const heavyRequest: fc.Arbitrary<Request> = fc.oneof(
  fc.tuple(target, authorization).map(([given, key]) => ({ ...BASE, target: given, headers: [HOST, ...key] })),
  header.map((given) => ({ ...BASE, headers: [HOST, ...given] })),
  fc.tuple(condition, oneOfWords('PATCH DELETE')).map(([given, method]) => ({
    ...BASE,
    method,
    target: '/v1/pets/{{pet0}}',
    headers: [HOST, ...GOOD_KEY, given],
    ...(method === 'PATCH' && { body: '{"name":"heavy"}' }),
  })),
  fc.tuple(reader, body, fc.constantFrom(0, 0, 1, 7)).map(([operation, given, chunk]) => ({
    ...BASE,
    ...operation,
    headers: [HOST, ...GOOD_KEY],
    body: given,
    ...(chunk > 0 && { chunks: Array<number>(Math.ceil(given.length / chunk)).fill(chunk) }),
  })),
)
