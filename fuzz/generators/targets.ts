import fc from 'fast-check'
import { PATHS } from '../document.ts'
import { oneOfWords } from './words.ts'

const index = fc.nat(99)
const known = index.map((i) => `{{pet${i}}}`)

/** The path of the collection, mostly as it is published. */
const collection = fc.oneof(
  { weight: 20, arbitrary: fc.constant('/v1/pets') },
  { weight: 1, arbitrary: oneOfWords('/%76%31/pets /v1/%70ets /v1/pet%73 http://x/v1/pets https://y:1/%761/pets') },
)

const limit = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }).map(String) },
  oneOfWords('1 20 99 100 101 0 -1 05 5.0 1e1 +5 %2B5 %205 5%20 1000 %35 ５ 0x5 5,5 NaN {{key}}', ''),
)
const status = fc.oneof(
  { weight: 5, arbitrary: oneOfWords('available pending sold') },
  oneOfWords("Sold sold,pending null s%6Fld sold%00 %ZZ sold+ '%20or%20'1'='1 {{key}}", ''),
  fc.constantFrom('a'.repeat(90), '%F0%9F%90%A2'.repeat(70)),
)
const id = fc.oneof(
  { weight: 12, arbitrary: known },
  { weight: 2, arbitrary: oneOfWords('0 -1 9223372036854775807 -9223372036854775808 4611686018427387904 %31') },
  oneOfWords('-0 01 1.0 1e3 +1 9223372036854775808 -9223372036854775809 ١ null', '', '9'.repeat(80)),
)
const ids = fc.oneof(
  { weight: 12, arbitrary: fc.array(id, { minLength: 1, maxLength: 6 }).map((list) => list.join(',')) },
  { weight: 4, arbitrary: fc.array(known, { minLength: 1, maxLength: 30 }).map((list) => list.join('%2C')) },
  { weight: 1, arbitrary: fc.constantFrom(99, 100, 101).map((count) => Array(count).fill('7').join(',')) },
)
const cursor = fc.oneof(
  { weight: 6, arbitrary: index.map((i) => `{{cursor${i}}}`) },
  { weight: 1, arbitrary: index.map((i) => `{{cursor${i}}}x`) },
  oneOfWords('0 x AAAA %00 {{key}} AQAAAAAAAAA null = AQAAAAAAAAAq%0A', '', 'A'.repeat(200)),
)

const category = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }).map(String) },
  { weight: 1, arbitrary: oneOfWords('0 -1 9223372036854775807 -9223372036854775808 -2147483648 %31') },
  oneOfWords('01 1.0 +1 1,2 9223372036854775808 null {{key}} %00', '', '9'.repeat(90)),
)
const words = fc.oneof(
  {
    weight: 8,
    arbitrary: oneOfWords(
      'a e p pet P%C3%89T pe+p a+b fuzz heavy 漢 か ガ é 🐢 👩‍👩‍👧 ß İ ﷺ 한 ! \u{10ffff} %2B \ue000',
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }).map(encodeURIComponent) },
  oneOfWords('a+b+c+d+e+f+g+h a+b+c+d+e+f+g+h+i %00 a%00b %0A %20 + %E3%80%80 %ZZ %ED%A0%80 {{key}}', ''),
  fc
    .constantFrom('a', 'é', '漢', 'ﷺ', '🐢', '\u0301')
    .chain((unit) => fc.constantFrom(32, 33, 255, 256).map((count) => unit.repeat(count))),
)
const view = fc.oneof(
  { weight: 6, arbitrary: oneOfWords('full full basic') },
  oneOfWords('Full full, %00 f%75ll x', ''),
)
const sort = fc.oneof({ weight: 6, arbitrary: oneOfWords('newest newest oldest') }, oneOfWords('id -id Newest asc', ''))

function parameter(name: fc.Arbitrary<string>, value: fc.Arbitrary<string>) {
  return fc.tuple(name, value).map((sides) => sides.join('='))
}
const parameters = fc.oneof(
  { weight: 4, arbitrary: parameter(oneOfWords('limit limit limit %6Cimit'), limit) },
  { weight: 4, arbitrary: parameter(oneOfWords('status status status s%74atus'), status) },
  { weight: 4, arbitrary: parameter(fc.constant('id'), ids) },
  { weight: 3, arbitrary: parameter(fc.constant('cursor'), cursor) },
  { weight: 3, arbitrary: parameter(fc.constant('categoryId'), category) },
  { weight: 4, arbitrary: parameter(fc.constant('name'), words) },
  { weight: 4, arbitrary: parameter(fc.constant('view'), view) },
  { weight: 3, arbitrary: parameter(fc.constant('sort'), sort) },
  oneOfWords('limit status id cursor Limit=0 limit[]=5 offset=5 api_key={{key}} = __proto__=1 a=%ZZ x?y', ''),
)
const search = fc.array(parameters, { maxLength: 4 }).map((list) => (list.length === 0 ? '' : `?${list.join('&')}`))

/** Texts in the place of an id that name no pet: canonical, nearly, and nothing like it. */
const noPet = fc.oneof(
  {
    weight: 1,
    arbitrary: oneOfWords('9223372036854775807 9223372036854775808 -9223372036854775808 9007199254740993 0 -1'),
  },
  { weight: 2, arbitrary: oneOfWords('abc 1.5 1.0 +1 -0 01 1e3 0x1 %201 1%20 1%00 %00 %0A ١ %D9%A1 %EF%BC%91') },
  {
    weight: 2,
    arbitrary: oneOfWords('1%2F2 %2F 1%2f %2e%2e .. . %ZZ % %E0%A4%A %C0%AF null 1,2 1;2 * :petId {{key}} {}'),
  },
  { weight: 1, arbitrary: fc.constantFrom('9'.repeat(10_000), 'a'.repeat(300)) },
  {
    weight: 2,
    arbitrary: fc.string({ unit: 'binary', minLength: 2, maxLength: 6 }).map((text) => `x${encodeURIComponent(text)}`),
  },
)
const segment = fc.oneof(
  { weight: 10, arbitrary: known },
  { weight: 2, arbitrary: fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map(String) },
  { weight: 2, arbitrary: fc.bigInt({ min: -3n, max: 40n }).map(String) },
  { weight: 8, arbitrary: noPet },
  { weight: 1, arbitrary: fc.constant('%31') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }).map(encodeURIComponent) },
)

/** A published path, or one that differs from it by a slash, a case, an encoding, or a segment. */
const respelled = fc.tuple(fc.constantFrom(...PATHS), noPet, fc.nat(9)).map(([{ segments }, value, spelling]) => {
  const [version = '', resource = '', ...rest] = segments.map((literal) => literal ?? value)
  const path = (...parts: string[]) => `/${parts.join('/')}`
  const whole = path(version, resource, ...rest)
  const capital = resource.charAt(0).toUpperCase() + resource.slice(1)
  const encoded = `%${resource.charCodeAt(0).toString(16)}${resource.slice(1)}`
  const others = [
    `${whole}/`,
    `${whole}?key={{key}}`,
    path(version, capital, ...rest),
    path(version, encoded, ...rest),
    path(version, resource, ...rest.slice(1)),
    path(resource, ...rest),
  ]
  return others[spelling] ?? whole
})

/** Lists of what the run does not change: keys, and how the service is doing. */
const keyCursor = fc.oneof(
  { weight: 3, arbitrary: index.map((i) => `{{cursor${i}}}`) },
  oneOfWords('DzBhMUIyYzNENGU1RjZnN0g DwAAAAAAAAAAAAAAAAAAAAA Dycgb3IgMT0xOy0tIGFhYWE x', ''),
)
export const keysTarget = fc.oneof(
  fc.constant('/v1/keys'),
  oneOfWords('/v1/keys/names /v1/keys/self /v1/status /v1/k%65ys /v1/keys/ /v1/keys/key_0a1B2c3D4e5F6g7H /v1/Status'),
  limit.map((value) => `/v1/keys?limit=${value}`),
  keyCursor.map((value) => `/v1/keys?limit=1&cursor=${value}`),
)

/** Paths that are no operation: a slash too many, another case, another place. */
const elsewhere = fc.oneof(
  oneOfWords(
    '/ /v1 /v1/ /v1/pets/ /v1//pets //v1/pets /V1/pets /v1/Pets /v1/pets/1/ /v1/pets/1/2 /v2/pets /pets /v1/store',
  ),
  { weight: 2, arbitrary: respelled },
  oneOfWords(
    '/v1/store/orders/ /v1/store/Orders /v1/%ZZ /%ZZ /v1%2Fpets /v1/pets%2F1 /v1/./pets /v1/../v1/pets /v1/%2570ets',
  ),
  oneOfWords(
    '/livez /readyz /openapi.json /livez/ /metrics /%6Civez /v1/livez /v1/openapi.json /v1/pets;x=1 /v1x/pets',
  ),
  fc
    .array(oneOfWords('v1 pets 1 %76 % %2F .. livez ; {{key}}', ''), { maxLength: 4 })
    .map((parts) => `/${parts.join('/')}`),
)

const rareSearch = fc.oneof({ weight: 9, arbitrary: fc.constant('') }, search)

export const collectionTarget = fc.tuple(collection, rareSearch).map(join)
export const listTarget = fc.tuple(collection, search).map(join)
export const petTarget = fc
  .tuple(collection, segment, fc.constantFrom('', '', '', '?limit=0', '?'))
  .map(([path, place, query]) => join([path, `/${place}`, query]))
/** For methods that change the pet: it is one of this run, or none. */
export const changedTarget = (i: number) =>
  fc
    .tuple(collection, fc.oneof({ weight: 12, arbitrary: fc.constant(`{{pet${i}}}`) }, noPet))
    .map(([path, place]) => join([path, `/${place}`]))
export const otherTarget = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(elsewhere, rareSearch).map(join) },
  { weight: 1, arbitrary: keysTarget.map((target) => join([target])) },
)

/** A target is ASCII; what is not is spelled as the bytes of its UTF-8. */
function join(parts: string[]) {
  return parts.join('').replaceAll(/[^!-~]+/gu, (other) => encodeURIComponent(other))
}
