import fc from 'fast-check'
import type { Header } from './headers.ts'
import { oneOfWords } from './words.ts'

/** Tags that look like one of ours, and some that can't be. */
const tag = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 5 }).map((version) => `"${version}"`) },
  oneOfWords(
    'W/"1" "" "0" "01" "-1" "1.0" "a" "*" "9223372036854775807" "9223372036854775808" "\xe9" "1\'--" "\xd9\xa3"',
  ),
  fc.constantFrom(`"${'9'.repeat(80)}"`, `"${'x'.repeat(200)}"`),
)
const malformed = oneOfWords(
  '1 "1 1" W/1 w/"1" "1"x x"1" ** *,"1" "1",* "1";"2" \'1\' {{version0}} null {{key}}',
  '',
  '"1" "2"',
  '"a b"',
  'W/ "1"',
  '"1", 2',
  `"${'1'.repeat(1_023)}"`,
)
/** As long as it may be, and longer. */
const long = fc
  .tuple(fc.constantFrom('"1"', '"7"', 'W/"1"', '""'), fc.constantFrom(20, 60, 100, 200, 340, 1_000))
  .map(([unit, count]) => Array(count).fill(unit).join(','))

const value = fc.oneof(
  { weight: 4, arbitrary: fc.constant('*') },
  { weight: 8, arbitrary: tag },
  { weight: 4, arbitrary: fc.array(tag, { minLength: 2, maxLength: 6 }).map((tags) => tags.join(', ')) },
  { weight: 2, arbitrary: malformed },
  { weight: 1, arbitrary: long },
)

/** The conditions of a change of this pet: none, the version that it has, or any other. */
export function conditionOn(index: number): fc.Arbitrary<Header[]> {
  const match = (given: string): Header => ['If-Match', given]
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant<Header[]>([]) },
    { weight: 5, arbitrary: fc.constant<Header[]>([match(`"{{version${index}}}"`)]) },
    { weight: 4, arbitrary: value.map((given) => [match(given)]) },
    { weight: 1, arbitrary: fc.tuple(value, tag).map((pair) => pair.map(match)) },
    { weight: 2, arbitrary: fc.constant<Header[]>([match(`W/"{{version${index}}}"`)]) },
    { weight: 1, arbitrary: fc.constant<Header[]>([['If-None-Match', '*']]) },
    { weight: 1, arbitrary: fc.constant<Header[]>([match(`"{{version${index}}}"`), ['If-None-Match', '*']]) },
  )
}

/** In a story, where `now` is the version of the pet. */
export const storyCondition = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: fc.constant('"now"') },
  fc.constantFrom('*', '"1"', 'W/"now"', '"now0", "now"', '"7", "8"'),
)
