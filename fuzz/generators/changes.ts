import fc from 'fast-check'
import { anyMember, goodStatus, ignored, type Member, objectText, statusText, toBytes } from './bodies.ts'
import { corrupted } from './corruption.ts'
import { nameText } from './names.ts'
import { goodNumber, numberText } from './numbers.ts'
import { oneOfWords } from './words.ts'

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 2 })

/** Some of the fields of a pet. */
function membersOf(
  name: fc.Arbitrary<string>,
  number: fc.Arbitrary<string>,
  status: fc.Arbitrary<string>,
  other: fc.Arbitrary<Member>,
) {
  const rare = fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, other)
  return fc.tuple(optional(name), optional(number), optional(status), rare).map((given) => {
    const [first, second, third, more] = given
    const members: Member[] = []
    if (first !== null) members.push(['"name"', first])
    if (second !== null) members.push(['"categoryId"', second])
    if (third !== null) members.push(['"status"', third])
    return more ? [...members, more] : members
  })
}

const few = oneOfWords('1 2 3')
const goodMembers = membersOf(
  fc.oneof(fc.constant('"a"'), nameText(true)),
  fc.oneof(few, goodNumber),
  fc.oneof({ weight: 3, arbitrary: goodStatus }, fc.constant('null')),
  ignored,
)
const oddMembers = membersOf(
  fc.oneof(nameText(false), fc.constant('null')),
  fc.oneof(goodNumber, numberText),
  statusText,
  anyMember,
)

const goodText = objectText(goodMembers)

/** Changes that most pets can take; some are empty. */
export const goodPatch = goodText.map(toBytes)

/** As many fields, as deep and as long as may be. */
const hostile = fc.constantFrom(
  `{${Array.from({ length: 4_000 }, (_, i) => `"f${i}":${i}`).join(',')},"name":"many"}`,
  `{"x":${'['.repeat(31)}${']'.repeat(31)},"status":null}`,
  `{"name":"${'a'.repeat(60_000)}"}`,
  `{"categoryId":${'9'.repeat(60_000)}}`,
  '{"id":1}',
  '{"id":1,"version":7,"orderId":null}',
  '{"version":9,"orderId":null,"name":"a"}',
  '[{"op":"replace","path":"/name","value":"a"}]',
)

export const anyPatch = fc.oneof(
  { weight: 50, arbitrary: goodPatch },
  { weight: 15, arbitrary: objectText(oddMembers).map(toBytes) },
  { weight: 10, arbitrary: corrupted(goodText) },
  { weight: 3, arbitrary: hostile },
)
