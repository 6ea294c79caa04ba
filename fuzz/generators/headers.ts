import fc from 'fast-check'
import { oneOfWords } from './words.ts'

export type Header = [name: string, value: string]

export const GOOD_KEY: Header[] = [['Authorization', 'Bearer {{key}}']]

const keyHeader = (value: string): Header[] => [['Authorization', value]]

export const authorization = fc.oneof(
  { weight: 30, arbitrary: fc.constant(GOOD_KEY) },
  { weight: 2, arbitrary: fc.constant(keyHeader('Bearer {{earlier}}')) },
  { weight: 1, arbitrary: fc.constantFrom('bearer {{key}}', 'BEARER   {{key}}').map(keyHeader) },
  { weight: 1, arbitrary: fc.constantFrom('', 'Bearer', 'Basic {{key}}', '{{key}}', 'Bearer {{key}}x').map(keyHeader) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        'x{{key}}',
        '{{key}} x',
        '{{key}}, Bearer {{key}}',
        `petk_live_${'0'.repeat(36)}`,
        '\xe9'.repeat(50),
      )
      .map((token) => keyHeader(`Bearer ${token}`)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Header[]>(
      [],
      [...GOOD_KEY, ...GOOD_KEY],
      [...GOOD_KEY, ['authorization', 'Bearer x']],
      [
        ['Proxy-Authorization', 'Bearer {{key}}'],
        ['Cookie', 'key={{key}}'],
        ['X-Api-Key', '{{key}}'],
      ],
    ),
  },
)

const HOST: Header = ['Host', 'x']

export const host = fc.oneof(
  { weight: 60, arbitrary: fc.constant([HOST]) },
  { weight: 1, arbitrary: fc.constantFrom<Header[]>([], [HOST, ['host', 'x']], [['Host', 'evil.example:99999']]) },
)

const type = (value: string): Header[] => [['Content-Type', value]]
const JSON_TYPE = type('application/json')

export const contentType = fc.oneof(
  { weight: 12, arbitrary: fc.constant(JSON_TYPE) },
  { weight: 2, arbitrary: fc.constant<Header[]>([]) },
  {
    weight: 1,
    arbitrary: oneOfWords('Application/JSON application/json;charset="UTF-8" application/json;a=b').map(type),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('; charset=utf-8', ' ; a=b; Charset=Utf-8', '; profile="a;charset=latin1"', ';')
      .map((parameters) => type(`application/json${parameters}`)),
  },
  {
    weight: 1,
    arbitrary: oneOfWords('text/plain text/json application/jsonx application/x+json json */*', '').map(type),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('; charset=latin1', '; charset=utf8', ', text/plain')
      .map((rest) => type(`application/json${rest}`)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Header[]>(
      [...JSON_TYPE, ...JSON_TYPE],
      [['Content-Encoding', 'gzip']],
      [...JSON_TYPE, ['Content-Encoding', 'identity']],
    ),
  },
)

/** What PATCH reads, mostly. */
export const patchType = fc.oneof(
  { weight: 10, arbitrary: fc.constant(type('application/merge-patch+json')) },
  { weight: 6, arbitrary: contentType },
  {
    weight: 1,
    arbitrary: oneOfWords('Application/Merge-Patch+JSON application/merge-patch+json;charset=utf-8').map(type),
  },
  {
    weight: 1,
    arbitrary: oneOfWords(
      'application/json-patch+json merge-patch+json application/merge-patch application/merge-patch+json;charset=latin1',
    ).map(type),
  },
)

const printable = fc.stringMatching(/^[!-~][ -~]{0,12}$/)

/** Unique where they are sound: the pet of a key must be known. A request with a key is sent again. */
export const idempotencyKey: fc.Arbitrary<Header[]> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Header[]>([]) },
  {
    weight: 3,
    arbitrary: fc
      .oneof(
        oneOfWords('{{new}} "{{new}}" "\\"{{new}}\\\\" {a,b},NULL,{{new}} \'\\N"{{new}}', `{{new}}${'k'.repeat(219)}`),
        printable.map((text) => `${text}{{new}}`),
        printable.map((text) => JSON.stringify(`${text} {{new}}`)),
      )
      .map((value): Header[] => [['Idempotency-Key', value]]),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        '',
        '""',
        '"',
        '"a',
        '"a"b',
        '"a"; b',
        '"a\\b"',
        '"a\\',
        'a\tb',
        'caf\xe9',
        'k'.repeat(256),
        '"\xe9"',
      )
      .map((value): Header[] => [['Idempotency-Key', value]]),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Header[]>([
      ['Idempotency-Key', '{{new}}'],
      ['idempotency-key', '{{new}}'],
    ]),
  },
)

const named = (name: string, values: fc.Arbitrary<string>) => values.map((value): Header => [name, value])

const other = fc.oneof(
  { weight: 3, arbitrary: named('Request-Id', fc.stringMatching(/^[A-Za-z0-9._-]{1,10}$/)) },
  named('Request-Id', fc.constantFrom('x'.repeat(128), 'x'.repeat(129), 'a b', 'a"\xe9', '')),
  named('Expect', oneOfWords('100-continue 100-Continue 200-ok')),
  named('Connection', fc.constantFrom('close', 'keep-alive, X-Other', 'Upgrade')),
  named('Upgrade', oneOfWords('h2c websocket')),
  named('X-HTTP-Method-Override', oneOfWords('DELETE GET')),
  named('X-Long', fc.constant('y'.repeat(15_000))),
  fc.constantFrom<Header>(
    ['X-Forwarded-Proto', 'https'],
    ['Accept', 'text/html'],
    ['Accept-Encoding', 'gzip, br'],
    ['Origin', 'https://evil.example'],
    ['If-None-Match', '*'],
    ['If-Match', '"1"'],
    ['If-Match', 'x'],
    ['Range', 'bytes=0-1'],
    ['__proto__', 'x'],
    ['Constructor', 'x'],
  ),
)
export const otherHeaders = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Header[]>([]) },
  fc.array(other, { minLength: 1, maxLength: 3 }),
)
