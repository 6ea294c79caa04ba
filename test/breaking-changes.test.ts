import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { breakingChanges, type Document, isOfBeta } from './support/breaking-changes.ts'
import { applied, type Deliberate, violations } from './support/stability.ts'

// released/openapi.json is the document of the last release; it is replaced when a release is made, and at no other time.
const released = () => JSON.parse(readFileSync('released/openapi.json', 'utf8')) as Document
const current = () => JSON.parse(readFileSync('openapi.json', 'utf8')) as Document

type Change = (document: Document) => void

// Breaking changes of what is beta, made on purpose (of what is stable: only in a new major version). Each has its line in CHANGELOG.md, and
// what it does to the document of the last release. An entry goes away with the release that contains it.
const DELIBERATE: Deliberate[] = []

const changelog = readFileSync('CHANGELOG.md', 'utf8')

test('the current document keeps what docs/versioning.md promises to clients of the last release', () => {
  assert.deepEqual(violations({ released: released(), current: current(), deliberate: DELIBERATE, changelog }), [])
})

for (const entry of DELIBERATE)
  test(`deliberate: ${entry[0]}`, () => {
    const others = DELIBERATE.filter((each) => each !== entry)
    assert.notDeepEqual(
      breakingChanges(applied(released(), others), current()),
      [],
      'no longer needed: remove the entry',
    )
  })

const list = ({ paths }: Document) => paths['/pets']!['get']!
const create = ({ paths }: Document) => paths['/pets']!['post']!
const deprecations = ({ paths }: Document) => paths['/deprecations']!['get']!
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

// --- The rules of docs/versioning.md, each on the document of a release 1.4.0 that has something beta.

const BETA = { 'x-stability': 'beta' }
const DROPPED: Deliberate = ['`GET /v1/deprecations` is gone.', ({ paths }) => delete paths['/deprecations']]
const CHANGELOG =
  '## Unreleased\n\n- `GET /v1/deprecations`\n  is gone.\n\n## 1.4.0 - 2027-01-01\n\n- `a` is required.\n'

function release(version: string, ...changes: Change[]) {
  const document = current()
  document.info.version = version
  Object.assign(deprecations(document), BETA)
  schema(document, 'Pet').properties!['colour'] = { type: 'string', ...BETA }
  list(document).parameters!.push({ name: 'colour', in: 'query', schema: { type: 'string' }, ...BETA })
  for (const change of changes) change(document)
  return document
}

interface Next {
  version?: string
  changes: Change[]
  deliberate?: Deliberate[]
  today?: string
}

const next = ({ version = '1.5.0-dev', changes, deliberate = [], today = '2027-02-01' }: Next) =>
  violations({
    released: release('1.4.0'),
    current: release(version, ...changes),
    deliberate,
    changelog: CHANGELOG,
    today,
  }).join('\n')

const leaveBeta: Change = (document) => delete deprecations(document)['x-stability']
const dropField: Change = (document) => delete schema(document, 'Pet').properties!['name']
const dropGetPet: Change = ({ paths }) => delete paths['/pets/{petId}']!['get']

test('a breaking change is one of something beta only if it is beta before and after', () => {
  const { colour: _, ...properties } = schema(release('1.4.0'), 'Pet').properties!
  const changes: [Change, boolean][] = [
    [({ paths }) => delete paths['/deprecations'], true],
    [(document) => delete deprecations(document).responses['401'], true],
    [(document) => (schema(document, 'Pet').properties = properties), true],
    [(document) => list(document).parameters!.pop(), true],
    [(document) => delete list(document).responses['200']!.headers!['Petstore-Mode'], true],
    [(document) => delete list(document).responses['200']!.headers!['Link'], false],
    [(document) => (list(document).parameters!.at(-1)!.required = true), false],
    [dropField, false],
    [dropGetPet, false],
  ]
  for (const [change, expected] of changes) {
    const found = breakingChanges(release('1.4.0'), release('1.5.0', change))
    assert.ok(found.length > 0, String(change))
    assert.deepEqual([...new Set(found.map(isOfBeta))], [expected], found.join('\n'))
  }
})

test('what webhooks receive is compared too', () => {
  const dropHeader: Change = ({ webhooks }) => webhooks!['event']!['post']!.parameters!.shift()
  const dropVersion: Change = (document) => delete schema(document, 'Event').properties!['id']
  const found = (change: Change) => breakingChanges(release('1.4.0'), release('1.5.0', change)).join('\n')
  assert.match(found(dropHeader), /^webhook event: header webhook-id removed$/)
  assert.match(found(dropVersion), /^webhook event: body\.id: field removed$/m)
  assert.match(
    found((document) => delete document.webhooks),
    /^webhook event: removed$/,
  )
})

test('a breaking change of something stable or deprecated needs a new major version', () => {
  const drop: Deliberate = ['`GET /v1/deprecations` is gone.', dropField]
  assert.match(next({ changes: [dropField], deliberate: [drop] }), /name: field removed: needs a new major version/)
  assert.equal(next({ version: '2.0.0-dev', changes: [dropField], deliberate: [drop] }), '')
  assert.match(next({ version: '2.0.0-dev', changes: [dropField] }), /name: field removed: breaks clients/)
  const raise: Change = (document) => (get(document)['x-sunset'] = '2029-01-01')
  assert.match(next({ changes: [raise] }), /sunset moved up.*: needs a new major version/)
})

test('an operation is removed only after its sunset', () => {
  const removal = {
    version: '2.0.0-dev',
    changes: [dropGetPet],
    deliberate: [[DROPPED[0], dropGetPet]] satisfies Deliberate[],
  }
  assert.equal(next({ ...removal, today: '2030-12-04' }), 'GET /pets/{petId}: removed before its sunset')
  assert.equal(next({ ...removal, today: '2030-12-05' }), '')
  const dropCreate: Change = ({ paths }) => delete paths['/pets']!['post']
  const undeprecated = {
    ...removal,
    changes: [dropCreate],
    deliberate: [[DROPPED[0], dropCreate]] satisfies Deliberate[],
  }
  assert.equal(next({ ...undeprecated, today: '2030-12-05' }), 'POST /pets: removed before its sunset')
})

test('a breaking change of something beta is listed, with its line in CHANGELOG.md', () => {
  const changes = [DROPPED[1]]
  assert.equal(next({ changes }), 'GET /deprecations: removed (beta): breaks clients')
  assert.equal(next({ changes, deliberate: [DROPPED] }), '')
  const unwritten: Deliberate = ['`a` is required.', DROPPED[1]]
  assert.equal(next({ changes, deliberate: [unwritten] }), '`a` is required.: is not in CHANGELOG.md under Unreleased')
})

test('something stable never becomes beta again, not even in a new major version', () => {
  const changes: [Change, string][] = [
    [(document) => Object.assign(get(document), BETA), 'GET /pets/{petId}: was stable, and is beta'],
    [
      (document) => Object.assign(parameter(document, 'limit'), BETA),
      'GET /pets: parameter limit: was stable, and is beta',
    ],
    [
      (document) => Object.assign(schema(document, 'NewPet').properties!['name']!, BETA),
      'POST /pets: body.name: was stable, and is beta',
    ],
    [
      ({ components }) => Object.assign(components.headers['NextLink']!, BETA),
      'GET /pets: status 200: header Link: was stable, and is beta',
    ],
  ]
  for (const version of ['1.5.0-dev', '2.0.0-dev'])
    for (const [change, found] of changes) assert.ok(next({ version, changes: [change] }).includes(found), found)
})

test('something becomes stable only in a new minor version, and with all that it was as beta', () => {
  assert.equal(next({ changes: [leaveBeta] }), '')
  assert.match(
    next({ version: '1.4.1-dev', changes: [leaveBeta] }),
    /^GET \/deprecations: becomes stable, which needs a new minor version$/m,
  )
  const add: Change = (document) => (document.paths['/shops'] = { get: list(document) })
  assert.match(next({ version: '1.4.1-dev', changes: [add] }), /^GET \/shops: becomes stable/m)
  const drop: Change = (document) => delete deprecations(document).responses['401']
  const deliberate: Deliberate[] = [[DROPPED[0], drop]]
  assert.equal(next({ changes: [drop], deliberate }), '')
  assert.equal(
    next({ changes: [leaveBeta, drop], deliberate }),
    'GET /deprecations: status 401 removed: needs a new major version',
  )
})
