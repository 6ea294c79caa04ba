import fc from 'fast-check'
import { corrupted } from './corruption.ts'
import { nameText } from './names.ts'
import { goodNumber, numberText } from './numbers.ts'
import { oneOfWords } from './words.ts'

/** A member of a JSON object, both sides as they are written. */
export type Member = [key: string, value: string]

const quoted = (text: string) => JSON.stringify(text)

export const goodStatus = oneOfWords('"available" "pending" "sold"')
export const statusText = fc.oneof(
  { weight: 3, arbitrary: goodStatus },
  { weight: 1, arbitrary: oneOfWords('"Sold" "" null 0 ["sold"] "{{key}}" "s\\u006fld"', '"sold "') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 90 }).map(quoted) },
)

const key = fc.oneof(
  { weight: 2, arbitrary: oneOfWords('name categoryId status').map(quoted) },
  { weight: 2, arbitrary: oneOfWords('id __proto__ constructor toString Name category_id a', '').map(quoted) },
  { weight: 1, arbitrary: oneOfWords('"\\u006eame" "categoryI\\u0064" "name\\u0000" "nаme" "__pr\\u006fto__"') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }).map(quoted) },
)
const value = fc.oneof(
  numberText,
  oneOfWords('null true "x" {"name":"Rex","categoryId":1} {"a":{"a":[]}} [{"b":1},{"b":2}] {"b":1,"b":1}'),
  fc.json({ maxDepth: 3 }),
)
export const anyMember: fc.Arbitrary<Member> = fc.tuple(key, value)
export const ignored: fc.Arbitrary<Member> = fc.tuple(
  oneOfWords('"id" "__proto__" "constructor" "tags" "x" "colour"'),
  oneOfWords('1 null {"name":"Momo","status":"sold"} [[[]]] 1e400 "y"'),
)

function membersOf(name: fc.Arbitrary<string>, number: fc.Arbitrary<string>, status: fc.Arbitrary<string>) {
  return fc.tuple(name, number, fc.option(status), fc.option(ignored)).map(([first, second, third, more]) => {
    const required: Member[] = [
      ['"name"', first],
      ['"categoryId"', second],
    ]
    if (third !== null) required.push(['"status"', third])
    return more ? [more, ...required] : required
  })
}

const goodMembers = membersOf(nameText(true), goodNumber, goodStatus)
const oddMembers = membersOf(nameText(false), fc.oneof(goodNumber, numberText), statusText)

/** One thing done to the members: dropped, renamed, doubled, given another value, or another one added. */
const mutation = fc.record({
  kind: fc.constantFrom('drop', 'rename', 'double', 'replace', 'add'),
  at: fc.nat(3),
  other: anyMember,
})

const mutatedMembers = fc
  .tuple(goodMembers, fc.array(mutation, { minLength: 1, maxLength: 2 }))
  .map(([members, mutations]) => mutations.reduce(mutate, members))

function mutate(members: Member[], { kind, at, other }: { kind: string; at: number; other: Member }): Member[] {
  const index = at % Math.max(members.length, 1)
  const [newKey, newValue] = other
  if (kind === 'add') return members.toSpliced(index, 0, other)
  return members.flatMap((member, i): Member[] => {
    if (i !== index) return [member]
    if (kind === 'drop') return []
    if (kind === 'rename') return [[newKey, member[1]]]
    if (kind === 'double') return [member, [member[0], at % 2 ? member[1] : newValue]]
    return [[member[0], newValue]]
  })
}

const space = fc.constantFrom('', '', '', ' ', '\n', '\r\n\t ')

/** The members as an object, in either order, with white space wherever it is allowed. */
export function objectText(members: fc.Arbitrary<Member[]>) {
  return fc.tuple(members, fc.boolean(), space).map(([given, reversed, gap]) => {
    const ordered = reversed ? given.toReversed() : given
    const inner = ordered.map(([name, text]) => `${gap}${name}${gap}:${gap}${text}${gap}`).join(',')
    return `${gap}{${inner}}${gap}`
  })
}

const goodText = objectText(goodMembers)

/** A body that the contract accepts, whatever its spelling. */
export const goodBody = goodText.map(toBytes)

/** Up to and over the limit of 65,536 bytes, with what JSON does not mind. */
const paddedBody = fc
  .tuple(goodText, fc.constantFrom(-1, 0, 1, 5_000))
  .map(([text, over]) => toBytes(text).padEnd(65_536 + over, ' '))

export const anyBody = fc.oneof(
  { weight: 45, arbitrary: goodBody },
  { weight: 15, arbitrary: objectText(oddMembers).map(toBytes) },
  { weight: 20, arbitrary: objectText(mutatedMembers).map(toBytes) },
  { weight: 16, arbitrary: corrupted(goodText) },
  { weight: 3, arbitrary: value.map(toBytes) },
  { weight: 1, arbitrary: paddedBody },
)

/** Text as the bytes of its UTF-8, one character for each. */
export function toBytes(text: string) {
  return Buffer.from(text).toString('latin1')
}
