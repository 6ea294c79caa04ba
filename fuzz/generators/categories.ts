import fc from 'fast-check'
import { anyMember, ignored, type Member, objectText, toBytes } from './bodies.ts'
import { corrupted } from './corruption.ts'
import type { Header } from './headers.ts'
import { oneOfWords } from './words.ts'

// Few, so that they are named and lose their names again and again.
const id = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 9 }).map(String) },
  { weight: 3, arbitrary: oneOfWords('0 -1 9223372036854775807 -9223372036854775808 %31') },
  { weight: 2, arbitrary: oneOfWords('01 1.0 +1 -0 9223372036854775808 dogs null ١ %00 %ZZ {{key}} {}') },
)
const word = fc.oneof(
  { weight: 6, arbitrary: oneOfWords('dog Dog dogs cat d c Gro%C3%9F %E7%8A%AC %F0%9F%90%A2 dog+cat a+b+c+d+e+f+g+h') },
  { weight: 2, arbitrary: oneOfWords('+ %00 a+b+c+d+e+f+g+h+i ! . %CC%81 %ZZ {{key}}', '', 'a'.repeat(256)) },
  {
    weight: 2,
    arbitrary: fc.string({ unit: 'binary', maxLength: 8 }).map((text) => encodeURIComponent(text.toWellFormed())),
  },
)
const limit = oneOfWords('1 2 19 20 21 100 101 0 -1 05 x', '')
const cursor = fc.oneof(
  fc.nat(99).map((i) => `{{cursor${i}}}`),
  oneOfWords('x DH_______________ DIAAAAAAAAAA DAAAAAAAAAAA AQAAAAAAAAAC', ''),
)
const parameter = fc.oneof(
  { weight: 4, arbitrary: word.map((value) => `name=${value}`) },
  { weight: 4, arbitrary: oneOfWords('counts=true counts=true counts=false counts=1 counts=') },
  { weight: 3, arbitrary: limit.map((value) => `limit=${value}`) },
  { weight: 2, arbitrary: cursor.map((value) => `cursor=${value}`) },
  oneOfWords('nmae=dog count=true page=2 q=dog x=1'),
)
const search = fc.array(parameter, { maxLength: 3 }).map((list) => (list.length === 0 ? '' : `?${list.join('&')}`))
const counted = fc.oneof(
  { weight: 4, arbitrary: oneOfWords('status=sold status=available status=pending status=Sold') },
  { weight: 4, arbitrary: id.map((value) => `categoryId=${value}`) },
  oneOfWords('name=Rex id=1 limit=1 stauts=sold categoryId= x=1'),
)

export const categoriesTarget = search.map((query) => `/v1/categories${query}`)
export const categoryTarget = id.map((value) => `/v1/categories/${value}`)
export const countTarget = fc
  .array(counted, { maxLength: 3 })
  .map((list) => `/v1/pets/count${list.length === 0 ? '' : `?${list.join('&')}`}`)
export const statusCountsTarget = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: id.map((value) => `categoryId=${value}`) },
      oneOfWords('categoryId= categoryID=1 category=1 status=sold name=Rex id=1 x=1'),
    ),
    { maxLength: 2 },
  )
  .map((list) => `/v1/pets/counts${list.length === 0 ? '' : `?${list.join('&')}`}`)

const name = fc.oneof(
  { weight: 8, arbitrary: oneOfWords('"Dog" "dog" "Cat" "Hund" "Große" "犬と猫" "🐢" "O\'Neil"') },
  { weight: 2, arbitrary: oneOfWords('"" null 7 [] {} true "{{key}}" "a\\n" "\\u200b" "\\ud800"') },
  { weight: 2, arbitrary: fc.constantFrom(100, 101).map((count) => JSON.stringify('🐢'.repeat(count))) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }).map((text) => JSON.stringify(text)) },
)
const good = objectText(
  fc.tuple(name, fc.array(ignored, { maxLength: 2 })).map(([value, others]): Member[] => [['name', value], ...others]),
)
export const anyCategory = fc.oneof(
  { weight: 16, arbitrary: good.map(toBytes) },
  { weight: 1, arbitrary: objectText(fc.array(anyMember, { maxLength: 3 })).map(toBytes) },
  { weight: 1, arbitrary: corrupted(good) },
)

/** Versions are low, since names are taken away often. */
export const anyCondition: fc.Arbitrary<Header[]> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Header[]>([]) },
  {
    weight: 3,
    arbitrary: oneOfWords('"1" "1","2" "2" * W/"1" 1 "x"').map((value): Header[] => [['If-Match', value]]),
  },
  { weight: 1, arbitrary: fc.constant<Header[]>([['If-None-Match', '*']]) },
)
