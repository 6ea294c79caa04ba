import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { breakingChanges, type Document } from './support/breaking-changes.ts'

// released/openapi.json is the document of the last release; it is replaced when a release is made, and at no other time.
const released = () => JSON.parse(readFileSync('released/openapi.json', 'utf8')) as Document
const current = () => JSON.parse(readFileSync('openapi.json', 'utf8')) as Document

type Change = (document: Document) => void

// Breaking changes made on purpose: what each does to the document of the last release, and why. An entry goes away with
// the release that contains it.
const DELIBERATE: [why: string, change: Change][] = []

function releasedWith(changes: typeof DELIBERATE) {
  const document = released()
  for (const [, change] of changes) change(document)
  return document
}

test('nothing in the current document breaks clients of the last release, except deliberate changes', () => {
  assert.deepEqual(breakingChanges(releasedWith(DELIBERATE), current()), [])
})

for (const entry of DELIBERATE)
  test(`deliberate: ${entry[0]}`, () => {
    const others = DELIBERATE.filter((each) => each !== entry)
    assert.notDeepEqual(breakingChanges(releasedWith(others), current()), [], 'no longer needed: remove the entry')
  })

const list = ({ paths }: Document) => paths['/pets']!['get']!
const create = ({ paths }: Document) => paths['/pets']!['post']!
const get = ({ paths }: Document) => paths['/pets/{petId}']!['get']!
const schema = ({ components }: Document, name: string) => components.schemas[name]!
const parameter = (document: Document, name: string) => list(document).parameters!.find((each) => each.name === name)!

const BREAKING: [name: string, change: Change, found: RegExp][] = [
  ['a path removed', ({ paths }) => delete paths['/pets/{petId}'], /GET \/pets\/\{petId\}: removed/],
  ['a method removed', ({ paths }) => delete paths['/pets']!['post'], /POST \/pets: removed/],
  ['a status removed', (d) => delete list(d).responses['401'], /status 401 removed/],
  ['a header removed', (d) => delete list(d).responses['200']!.headers!['Link'], /header Link removed/],
  [
    'a field of an answer removed',
    (d) => delete schema(d, 'Pet').properties!['categoryId'],
    /categoryId: field removed/,
  ],
  ['a field of a response no longer required', (d) => (schema(d, 'Pet').required = ['id']), /no longer always there/],
  ['a field of an error removed', (d) => delete schema(d, 'Error').properties!['code'], /code: field removed/],
  ['a field of the body removed', (d) => delete schema(d, 'NewPet').properties!['status'], /status: field removed/],
  ['a media type removed', (d) => (create(d).requestBody!.content = {}), /media type application\/json removed/],
  ['a parameter removed', (d) => (list(d).parameters = []), /parameter limit removed/],
  [
    'a new required parameter',
    (d) => list(d).parameters!.push({ name: 'shop', in: 'query', required: true, schema: {} }),
    /parameter shop has become required/,
  ],
  [
    'a parameter made required',
    (d) => (parameter(d, 'status').required = true),
    /parameter status has become required/,
  ],
  ['a new required field', (d) => schema(d, 'NewPet').required!.push('status'), /status: has become required/],
  ['a type changed', (d) => (schema(d, 'NewPet').properties!['name']!.type = 'integer'), /name: type changed/],
  ['a format changed', (d) => (schema(d, 'Pet').properties!['id']!.format = 'int32'), /id: type changed/],
  ['the type of a response changed', (d) => (schema(d, 'Pets').type = 'object'), /status 200: type changed/],
  ['a value of an enum removed', (d) => schema(d, 'PetStatus').enum!.pop(), /value sold no longer allowed/],
  [
    'a value of a parameter removed',
    (d) => parameter(d, 'status').schema.enum!.shift(),
    /value available no longer allowed/,
  ],
  [
    'a text limited to certain values',
    (d) => (parameter(d, 'cursor').schema.enum = ['a']),
    /limited to certain values/,
  ],
  ['a maximum lowered', (d) => (parameter(d, 'limit').schema['maximum'] = 50), /maximum narrowed/],
  ['a minimum raised', (d) => (parameter(d, 'limit').schema['minimum'] = 2), /minimum narrowed/],
  ['a length shortened', (d) => (schema(d, 'NewPet').properties!['name']!['maxLength'] = 100), /maxLength narrowed/],
  [
    'a bound where there was none',
    (d) => (schema(d, 'NewPet').properties!['categoryId']!['minimum'] = 0),
    /minimum narrowed/,
  ],
  ['fewer items', (d) => (parameter(d, 'id').schema['maxItems'] = 10), /maxItems narrowed/],
  ['another pattern', (d) => (schema(d, 'NewPet').properties!['name']!.pattern = '^a'), /pattern changed/],
  [
    'a list of values in a response opened',
    (d) => delete schema(d, 'PetStatus').enum,
    /no longer limited to certain values/,
  ],
  ['an earlier sunset', (d) => (get(d)['x-sunset'] = '2029-01-01'), /sunset moved up from 2030-12-05 to 2029-01-01/],
]
for (const [name, change, found] of BREAKING) {
  test(`${name} is a breaking change`, () => {
    const changed = released()
    change(changed)
    assert.match(breakingChanges(released(), changed).join('\n'), found)
  })
}

test('a pattern removed is a breaking change in a response, and not in the body', () => {
  const [before, now] = [released(), released()]
  for (const name of ['Pet', 'NewPet']) {
    schema(before, name).properties!['name']!.pattern = '^a'
    delete schema(now, name).properties!['name']!.pattern
  }
  const changes = breakingChanges(before, now)
  assert.match(changes.join('\n'), /status 201.name: pattern no longer kept/)
  assert.doesNotMatch(changes.join('\n'), /body/)
})

test('a document does not break its own clients', () => {
  assert.deepEqual(breakingChanges(current(), current()), [])
})

const ADDITIVE: [name: string, change: Change][] = [
  ['a new operation', (d) => (d.paths['/orders'] = { get: list(d) })],
  ['a new optional parameter', (d) => list(d).parameters!.push({ name: 'shop', in: 'query', schema: {} })],
  ['a new field in a response', (d) => (schema(d, 'Pet').properties!['colour'] = { type: 'string' })],
  ['a new optional field in the body', (d) => (schema(d, 'NewPet').properties!['colour'] = { type: 'string' })],
  ['a new status', (d) => (list(d).responses['410'] = list(d).responses['401']!)],
  ['a new value of an enum', (d) => schema(d, 'PetStatus').enum!.push('reserved')],
  ['a higher maximum', (d) => (parameter(d, 'limit').schema['maximum'] = 200)],
  ['a bound removed', (d) => delete schema(d, 'NewPet').properties!['name']!['maxLength']],
  ['a later sunset', (d) => (get(d)['x-sunset'] = '2031-01-01')],
  ['another description', (d) => (schema(d, 'Pet')['description'] = 'A pet.')],
]
for (const [name, change] of ADDITIVE) {
  test(`${name} is not`, () => {
    const changed = released()
    change(changed)
    assert.deepEqual(breakingChanges(released(), changed), [])
  })
}
