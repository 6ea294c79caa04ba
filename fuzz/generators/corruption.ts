import fc from 'fast-check'

type Spoil = (bytes: string, at: number) => string

const insert =
  (noise: string): Spoil =>
  (bytes, at) =>
    bytes.slice(0, at) + noise + bytes.slice(at)
const around =
  (before: string, after: string): Spoil =>
  (bytes) =>
    before + bytes + after
const inside =
  (depth: number): Spoil =>
  (bytes) =>
    bytes.replace('{', `{"deep":${'['.repeat(depth)}${']'.repeat(depth)},`)

const FRAGMENTS = [...', : " \\ { } [ ] 0 - e . // /**/ # null'.split(' '), "'", ' ', '\n', '\0', '\x0b']
// Bytes that are not UTF-8: a stray continuation, overlong forms, a surrogate, beyond U+10FFFF, cut short.
const NOT_UTF8 = [
  '\x80',
  '\xc0\xaf',
  '\xc0\x80',
  '\xe0\x80\xaf',
  '\xed\xa0\x80',
  '\xf4\x90\x80\x80',
  '\xe2\x82',
  '\xff',
  '\xfe\xff',
]

const spoil: fc.Arbitrary<Spoil> = fc.oneof(
  fc.constantFrom(...FRAGMENTS).map(insert),
  fc.constantFrom(...NOT_UTF8).map(insert),
  fc.constantFrom<Spoil>(
    (bytes, at) => bytes.slice(0, at),
    (bytes, at) => bytes.slice(0, at) + bytes.slice(at + 1),
    (bytes, at) => bytes.slice(0, at) + (bytes[at] ?? '') + bytes.slice(at),
    (bytes) => bytes.replace(/\}(\s*)$/, ',}$1'),
    (bytes) => bytes.replaceAll('"', "'"),
    (bytes) => bytes.replace('"name"', 'name'),
    (bytes) => Buffer.from(bytes, 'utf16le').toString('latin1'),
    () => '',
  ),
  fc.constantFrom(
    around('\xef\xbb\xbf', ''),
    around('', '\xef\xbb\xbf'),
    around('', '{}'),
    around('[', ']'),
    around('', '\0'),
    around(' \t\r\n', '\n'),
    around('\xa0', ''),
    around('', ';'),
    around(")]}',\n", ''),
    around('callback(', ')'),
  ),
  fc.constantFrom(...[1, 30, 31, 32, 33, 400, 20_000].map(inside)),
)

/** JSON text with something wrong in its bytes; sometimes with something odd that is not wrong. */
export function corrupted(text: fc.Arbitrary<string>) {
  return fc.tuple(text, spoil, fc.nat(200)).map(([good, change, at]) => {
    const bytes = Buffer.from(good).toString('latin1')
    return change(bytes, at % (bytes.length + 1))
  })
}
