import fc from 'fast-check'
import { anyMember, ignored, type Member, objectText, toBytes } from './bodies.ts'
import { corrupted } from './corruption.ts'
import { numberText } from './numbers.ts'
import { oneOfWords } from './words.ts'

const WEBHOOKS = '/v1/webhooks'
const index = fc.nat(99)
const quoted = (text: string) => JSON.stringify(text)

const url = fc.oneof(
  { weight: 12, arbitrary: fc.nat(9).map((i) => `"https://fuzz${i}.example/hooks"`) },
  {
    weight: 3,
    arbitrary: oneOfWords('https://a.b.example:8443 https://fuzz.example:443/ https://fuzz.example/?a=b&c=~').map(
      quoted,
    ),
  },
  {
    weight: 4,
    arbitrary: oneOfWords(
      `http://10.0.0.1/ https://10.1.2.3/ https://192.168.0.1 https://169.254.169.254/ https://3232235521/ https://[fd00::1]/
       https://[fe80::1]/ https://[::ffff:8.8.8.8]/ https://[64:ff9b::7f00:1]/ https://u@fuzz.example https://u:p@fuzz.example
       https://fuzz.example/# ftp://fuzz.example fuzz.example javascript:alert(1) https:// https://[ https://fuzz.example:99999
       https://fuzz.example:22/ https://xn--a.example https://fuzz..example HTTPS://FUZZ.EXAMPLE https://%66uzz.example
       //fuzz.example https:fuzz.example https://fuzz.example:0443/ https://fuzz.example\\ {{key}} whsec_AAAAAAAAAAAAAAAAAAAAAAAA`,
      '',
      ' https://fuzz.example',
      'https://fuzz.example/\n',
      'https://fuzz.example/\u0000',
      'https://fuzz.example/\ud800',
      'https://käse.example/🐢',
      `https://fuzz.example/${'x'.repeat(2_027)}`,
      `https://fuzz.example/${'x'.repeat(2_028)}`,
      `https://${'a.'.repeat(2_000)}example`,
    ).map(quoted),
  },
  { weight: 1, arbitrary: oneOfWords('null 7 true [] {} ["https://fuzz.example"]') },
)
const type = oneOfWords(
  'pet.created pet.updated pet.deleted order.placed order.completed order.cancelled order.expired pets.imported',
)
const types = fc.oneof(
  { weight: 8, arbitrary: fc.uniqueArray(type, { minLength: 1, maxLength: 8 }).map((list) => JSON.stringify(list)) },
  { weight: 2, arbitrary: fc.array(type, { maxLength: 10 }).map((list) => JSON.stringify(list)) },
  {
    weight: 2,
    arbitrary: oneOfWords(
      'null [] ["webhook.ping"] ["Pet.created"] [null] [1] [[]] ["pet.created",1e400] "pet.created" {"0":"pet.created"} ["{{key}}"]',
    ),
  },
  { weight: 1, arbitrary: fc.array(fc.string(), { maxLength: 4 }).map((list) => JSON.stringify(list)) },
)
const label = fc.oneof(
  { weight: 6, arbitrary: oneOfWords('Accounting Склад 🐢', 'x'.repeat(100), '🐢'.repeat(100), ' a ').map(quoted) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 101 }).map(quoted) },
  oneOfWords(
    'null 7 [] {} "\\u0000" "\\ud800"',
    ...['', ' ', '\u200b', 'a\nb', 'x'.repeat(101), '🐢'.repeat(101)].map(quoted),
  ),
)
const state = fc.oneof(
  { weight: 6, arbitrary: oneOfWords('"active" "paused"') },
  oneOfWords('"disabled" "Active" "" null 1 ["active"]'),
)
const cursor = fc.oneof(
  { weight: 6, arbitrary: index.map((i) => `"{{feed${i}}}"`) },
  { weight: 2, arbitrary: index.map((i) => `"{{altered${i}}}"`) },
  { weight: 1, arbitrary: index.map((i) => `"{{newest${i}}}"`) },
  {
    weight: 2,
    arbitrary: oneOfWords('"2001-02-03T04:05:06Z" "9999-12-31T23:59:59Z" "2026-11-16" "2026-02-30T00:00:00Z"'),
  },
  { weight: 2, arbitrary: index.map((i) => `"{{history${i}}}"`) },
  { weight: 1, arbitrary: index.map((i) => `"{{cursor${i}}}"`) },
  oneOfWords('"" "x" null 7 "BAAAAAAAAAAAAAAAAAAAAAA" "BH__________f_________8" "AQAAAAAAAAAB"'),
)
const overlap = fc.oneof(
  { weight: 6, arbitrary: oneOfWords('0 1 60 86400 604800') },
  oneOfWords('-1 604801 1.5 6e1 "60" null true 1e400 9223372036854775808', '9'.repeat(60)),
  numberText,
)

const rare = fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, ignored, anyMember)

/** An object with some of these fields. */
function some(fields: Record<string, fc.Arbitrary<string>>, required: string[] = []) {
  const members = Object.entries(fields).map(([name, value]) =>
    (required.includes(name) ? value : fc.option(value, { freq: 2 })).map((text): Member[] =>
      text === null ? [] : [[quoted(name), text]],
    ),
  )
  const given = fc.tuple(rare, ...members).map(([more, ...list]) => [...(more ? [more] : []), ...list.flat()])
  const text = objectText(given)
  return fc.oneof(
    { weight: 20, arbitrary: text.map(toBytes) },
    { weight: 2, arbitrary: corrupted(text) },
    { weight: 1, arbitrary: oneOfWords('{} [] null 7 {"url":1,"url":1}', '') },
  )
}

export const anyWebhook = some({ url, types, name: label }, ['url'])
export const anyWebhookPatch = some({ url, types, name: label, state, cursor })
export const anyRotation = some({ overlap })

/** Ids of webhooks, and texts that differ from one. */
const webhookId = fc.oneof(
  { weight: 20, arbitrary: index.map((i) => `{{webhook${i}}}`) },
  { weight: 2, arbitrary: index.map((i) => `{{webhook${i}}}x`) },
  {
    weight: 3,
    arbitrary: oneOfWords(
      `wh_ wh_00000000000000000000 WH_00000000000000000000 wh_0000000000000000000- wh_0000000000000000000 1 0 {{pet0}} {{key}} %ZZ
       %00 .. wh_%F0%9F%90%A2 wh%5F00000000000000000000 rotate whsec_AAAA`,
      'w'.repeat(9_000),
    ),
  },
)
const prefix = fc.oneof({ weight: 20, arbitrary: fc.constant(WEBHOOKS) }, oneOfWords('/v1/web%68ooks /%76%31/webhooks'))

export const webhooksTarget = fc.oneof({ weight: 20, arbitrary: prefix }, oneOfWords('/v1/webhooks/ /v1/Webhooks'))
export const webhookTarget = fc.tuple(prefix, webhookId).map((parts) => parts.join('/'))
const action = (name: string) => webhookTarget.map((target) => `${target}/${name}`)
export const rotateTarget = action('rotate')
export const pingTarget = fc.oneof({ weight: 20, arbitrary: action('ping') }, action('Ping'), action('pong'))
export const retryTarget = fc.oneof({ weight: 20, arbitrary: action('retry') }, action('Retry'))
export const attemptsTarget = action('attempts')
