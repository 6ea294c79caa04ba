import fc from 'fast-check'
import { oneOfWords } from './words.ts'

const seen = oneOfWords(`a " \\ / é e\u0301 ß 漢 🐢 👩‍👩‍👧 \u0300 \ue000 \uffff \u{10ffff} \u0378 ' $1 %s {{key}}`)
const unseen = fc.oneof(
  oneOf(0x20, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1680, 0x17b4, 0x180e, 0x2003, 0x200b, 0x200d, 0x2028, 0x2029),
  oneOf(0x202e, 0x2060, 0x3000, 0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xe0001, 0xe01ef, 0x1d173),
)
const control = oneOf(0, 1, 8, 9, 10, 0x1f, 0x7f, 0x80, 0x85, 0x9f)
const half = oneOf(0xd800, 0xdbff, 0xdc00, 0xdfff)

function oneOf(...codePoints: number[]) {
  return fc.constantFrom(...codePoints.map((code) => String.fromCodePoint(code)))
}

const plain = fc.string({ minLength: 1, maxLength: 16 })
const anyUnicode = fc.string({ unit: 'binary', minLength: 1, maxLength: 24 })
const graphemes = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 24 })
const mixed = fc.array(fc.oneof(seen, unseen), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''))
const withFaults = fc.array(fc.oneof(seen, unseen, control, half), { maxLength: 6 }).map((parts) => parts.join(''))
/** Around the limit, which counts code points: neither bytes nor halves of pairs. */
const long = fc
  .tuple(fc.constantFrom('a', 'é', '漢', '🐢', ' '), fc.constantFrom(100, 127, 128, 254, 255, 256, 510), fc.boolean())
  .map(([unit, count, tail]) => unit.repeat(count) + (tail ? 'z' : ''))

/** How a JSON string may be written: as it is, in ASCII only, or with needless escapes. */
const WRITERS: ((text: string) => string)[] = [
  (text) => JSON.stringify(text),
  (text) => JSON.stringify(text).replaceAll(/[^ -~]/g, (unit) => escapeUnit(unit)),
  (text) => JSON.stringify(text).replaceAll('/', '\\/').replaceAll('a', '\\u0061'),
]

function escapeUnit(unit: string) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`
}

/** A name, as JSON text; one that is mostly good, or any. */
export function nameText(mostlyGood: boolean) {
  const name = mostlyGood
    ? fc.oneof({ weight: 4, arbitrary: plain }, { weight: 3, arbitrary: graphemes }, { weight: 2, arbitrary: mixed })
    : fc.oneof({ weight: 3, arbitrary: anyUnicode }, { weight: 3, arbitrary: withFaults }, mixed, graphemes, {
        weight: 2,
        arbitrary: long,
      })
  return fc.tuple(name, fc.nat(WRITERS.length - 1)).map(([text, writer]) => WRITERS[writer]?.(text) ?? text)
}
