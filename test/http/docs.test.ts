import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseExact } from '../../src/http/docs/exact-json.ts'
import { highlight } from '../../src/http/docs/highlight.ts'
import { fencesOf, renderMarkdown } from '../../src/http/docs/markdown.ts'
import { referenceOf } from '../../src/http/docs/reference.ts'
import { callOf } from '../../src/http/docs/samples/call.ts'
import { samplesOf } from '../../src/http/docs/samples/languages.ts'
import { TOOLS } from '../../src/http/mcp/tools.ts'
import type { Document, SchemaObject } from '../../src/http/openapi/types.ts'
import { ERROR_CODES } from '../../src/http/wire/error-codes.ts'
import { startApp } from '../support/app.ts'

const { address, call } = await startApp()
const read = async (path: string) => (await call(path, { key: null })).text
const page = await read('/docs')
const markdown = await read('/docs.md')
const document = parseExact(await read('/openapi.json')) as Document
const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
const ids = new Set(Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id!))

/** The names of all fields of a schema, at any depth. */
function namesIn(schema: SchemaObject): string[] {
  const { $ref, items, properties = {} } = schema
  if ($ref) return namesIn(document.components.schemas[$ref.split('/').at(-1)!]!)
  if (items) return namesIn(items)
  return Object.entries(properties).flatMap(([name, inner]) => [
    name,
    ...namesIn(inner).map((each) => `${name}.${each}`),
  ])
}

test('every operation of the document is on the page, with each parameter and each field of its bodies', () => {
  assert.ok(operations.length > 20)
  for (const { operationId, summary, parameters = [], requestBody, responses } of operations) {
    assert.ok(ids.has(operationId), operationId)
    assert.ok(page.includes(summary) && markdown.includes(`### ${summary}`), summary)
    for (const { name } of parameters) assert.ok(ids.has(`${operationId}-${name}`), `${operationId} ${name}`)
    for (const { schema } of Object.values(requestBody?.content ?? {}))
      for (const name of namesIn(schema)) assert.ok(ids.has(`${operationId}-body-${name}`), `${operationId} ${name}`)
    const [status] = Object.keys(responses).filter((each) => each.startsWith('2'))
    for (const { schema } of Object.values(responses[status!]!.content ?? {}))
      for (const name of namesIn(schema))
        assert.ok(ids.has(`${operationId}-response-${name}`), `${operationId} ${name}`)
  }
})

test('every field of every schema is on the page and in docs.md', () => {
  for (const [schema, value] of Object.entries(document.components.schemas)) {
    for (const name of namesIn(value)) {
      assert.ok(page.includes(`${name}</code>`), `${schema}.${name}`)
      assert.ok(markdown.includes(`${name}\``), `${schema}.${name} in docs.md`)
    }
  }
})

test('what is beta says so: an operation, a parameter, a field and a header of one that is stable', () => {
  const badge = ' <span class="badge beta">beta</span>'
  for (const text of ['Count orders', '<code>keyId</code>', '<code>data.previous</code>', '<code>responseBody</code>'])
    assert.ok(page.includes(text + badge), text)
  assert.ok(page.includes(`<code>Petstore-Search-Incomplete</code>${badge}`))
  for (const text of ['Place an order', 'Delivery of an event', '<code>data.pet</code>', '<code>view</code>'])
    assert.ok(!page.includes(text + badge), text)
  for (const text of ['### Count orders (beta)\n', '| `data.previous` (beta) |', '| `Petstore-Mode` (beta) |'])
    assert.ok(markdown.includes(text), text)
  assert.ok(markdown.includes('### Place an order\n'))
})

test('every error code and every type of event has an anchor', () => {
  for (const code of ERROR_CODES) {
    assert.ok(ids.has(`errors-${code}`), code)
    assert.ok(markdown.includes(`| \`${code}\``), code)
  }
  const { schema } = operations
    .find(({ operationId }) => operationId === 'listEvents')!
    .parameters!.find(({ name }) => name === 'type')!
  const types = schema.items?.enum ?? []
  assert.ok(types.length >= 8)
  for (const type of types) assert.ok(ids.has(`events-${type}`), String(type))
})

test('the changelog names each error code that the last release did not have', () => {
  const codesOf = ({ components }: Document) => components.schemas['Error']!.properties!['code']!.examples ?? []
  const released = codesOf(parseExact(readFileSync('released/openapi.json', 'utf8')) as Document)
  assert.ok(released.length > 20)
  const changelog = readFileSync('src/http/docs/guides/changelog.md', 'utf8')
  const [unreleased] = changelog.split(/^## Unreleased$/m)[1]!.split(/^## /m)
  const [list = ''] = /^- New error codes:[^.]*\./m.exec(unreleased!) ?? []
  assert.deepEqual(
    Array.from(list.matchAll(/`(\w+)`/g), ([, code]) => code!).toSorted(),
    ERROR_CODES.filter((code) => !released.includes(code)).toSorted(),
  )
})

test('a copy of all pets is kept right also after an import without ranges', () => {
  assert.match(markdown, /On `pets\.imported`, .*;\n *without `idRanges`, do step 2 again\./)
})

test('the keys that share something are those it was rotated from, and those it was rotated to', () => {
  assert.match(markdown, /rotated from and to/)
  assert.doesNotMatch(markdown, /rotated from(?! (?:and|or) to)/)
})

test('what the service sends to webhooks is on the page, with each header and field', () => {
  const deliveries = Object.values(document.webhooks ?? {})
  assert.equal(deliveries.length, 1)
  for (const { post } of deliveries) {
    for (const { name } of post.parameters) assert.ok(ids.has(`${post.operationId}-${name}`), name)
    for (const { schema } of Object.values(post.requestBody.content))
      for (const name of namesIn(schema)) assert.ok(ids.has(`${post.operationId}-body-${name}`), name)
  }
})

test('ids are unique, and every link of the page leads somewhere', () => {
  assert.equal(Array.from(page.matchAll(/ id="([^"]+)"/g)).length, ids.size)
  for (const [, target = ''] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.has(target), target)
})

test('every heading has an anchor', () => {
  const headings = Array.from(page.matchAll(/<h[234][\s\S]*?<\/h[234]>/g), ([heading]) => heading)
  assert.ok(headings.length > 100)
  for (const heading of headings) assert.match(heading, /<a class="anchor" href="#/)
})

test('every operation has a sample in five languages, with every digit', () => {
  for (const entry of referenceOf(document).entries) {
    const samples = samplesOf(callOf(entry, 'https://pets.example/v1'), 'https://pets.example/v1')
    assert.deepEqual(
      samples.map(({ id }) => id),
      ['curl', 'typescript', 'python', 'go', 'fetch'],
      entry.id,
    )
    for (const { id, code } of samples) {
      assert.ok(code.includes('https://pets.example/v1'), `${entry.id} ${id}`)
      if (entry.id === 'createPet') assert.ok(code.includes('9223372036854775807'), id)
    }
  }
})

test('the request and the response of each operation agree', () => {
  for (const entry of referenceOf(document).entries) {
    const { id, operation, body, success } = entry
    const [shown] = success.examples ?? []
    if (shown === undefined) continue
    const items = [shown].flat() as Record<string, unknown>[]
    const { url, values, headers } = callOf(entry, 'https://pets.example/v1')
    const query = new URL(url).searchParams
    const limit = query.get('limit')
    if (limit !== null) assert.ok(items.length <= Number(limit), `${id}: limit`)
    for (const [name, value] of query)
      if (name !== 'limit')
        for (const item of items)
          if ('id' in item) assert.equal(String(item[name]), value, `${id}: ${name} of the query`)
    for (const { name, in: place } of operation.parameters ?? [])
      if (place === 'path')
        for (const item of items)
          if ('id' in item) assert.equal(String(item['id']), String(values[name]), `${id}: ${name} of the path`)
    for (const [name, value] of Object.entries((body?.examples[0] ?? {}) as Record<string, unknown>))
      for (const item of items)
        if (name in item || value === null) assert.deepEqual(item[name] ?? null, value, `${id}: ${name} of the body`)
    const condition = headers.find(([name]) => name === 'If-Match')?.[1]
    if (condition) assert.equal(`"${Number(items[0]!['version']) - 1}"`, condition, `${id}: If-Match`)
  }
})

test('the samples in TypeScript say how the client is installed', () => {
  const [entry] = referenceOf(document).entries
  const [, sample] = samplesOf(callOf(entry!, '/v1'), '/v1')
  assert.match(sample!.code, /^\/\/ npm install @petstore\/client\n/)
  assert.ok(markdown.includes('npm install @petstore/client'))
})

test('llms.txt links to docs.md, openapi.json, every operation and the tools, in its format', async () => {
  const text = await read('/llms.txt')
  assert.match(text, /^# Petstore API\n\n> /)
  for (const path of ['/docs.md', '/openapi.json', ...operations.map(({ operationId }) => `/docs.md#${operationId}`)])
    assert.ok(text.includes(`(${path})`), path)
  // The format allows text before the first section only, and sections with nothing but links.
  const [intro = '', ...sections] = text.split(/^## /m)
  assert.equal(sections.length, 2)
  for (const section of sections) assert.match(section, /^\w+\n\n(?:- \[[^\]]+\]\([^)]+\)(?:: .+)?\n)+\n?$/)
  assert.ok(intro.includes('`/v1/mcp`'))
  const off = await startApp({ hasMcp: false })
  assert.ok(!(await off.call('/llms.txt', { key: null })).text.includes('/v1/mcp'))
})

test('the ten mistakes are on the page, in docs.md and in llms.txt, there with links that lead to docs.md', async () => {
  const text = await read('/llms.txt')
  for (const file of [page, markdown, text])
    for (const word of [
      '64 bits',
      'Idempotency-Key',
      'If-Match',
      'pet_reserved',
      'cursor_expired',
      'Retry-After',
      'sandbox',
    ])
      assert.ok(file.includes(word), word)
  const list = text.slice(0, text.indexOf('## Guides'))
  assert.equal(list.match(/^\d+\. \*\*/gm)?.length, 10)
  assert.doesNotMatch(list, /\]\(#/)
})

test('the tools of agents on the page are those that there are', () => {
  const guide = markdown.slice(markdown.indexOf('## Agents\n'), markdown.indexOf('## Deprecations'))
  assert.deepEqual(
    guide.match(/(?<=^\| `)\w+/gm),
    TOOLS.map(({ name }) => name),
  )
})

test('the page links to the console where there is one', async () => {
  assert.match(page, /href="console"/)
  const { call: callOther } = await startApp({ consoleDirectory: undefined })
  assert.doesNotMatch((await callOther('/docs', { key: null })).text, /href="console"/)
})

test('the page has the font of the console, whose names have hashes, where there is one', async () => {
  const style = await (await fetch(`${address}/docs/style.css`)).text()
  const fonts = Array.from(style.matchAll(/url\("?\.\.(\/console\/assets\/[\w.-]+\.woff2)"?\)/g), ([, path]) => path!)
  assert.ok(fonts.length >= 4, style.slice(0, 300))
  for (const path of fonts) {
    const { status, headers } = await fetch(`${address}${path}`, { method: 'HEAD' })
    assert.equal(status, 200, path)
    assert.equal(headers.get('content-type'), 'font/woff2')
    assert.match(headers.get('cache-control') ?? '', /immutable/)
  }
  const [, preloaded] = /<link rel="preload" as="font" type="font\/woff2" href="([^"]+)" crossorigin>/.exec(page) ?? []
  assert.equal(fonts.filter((path) => path === `/${preloaded}`).length, 1)
  const { call: callOther } = await startApp({ consoleDirectory: undefined })
  assert.doesNotMatch((await callOther('/docs', { key: null })).text, /as="font"/)
  assert.doesNotMatch((await callOther('/docs/style.css', { key: null })).text, /@font-face/)
})

test('each file is sent compressed if the client accepts that, and its type says what it is', async () => {
  for (const [path, type] of [
    ['/docs', 'text/html'],
    ['/docs/style.css', 'text/css'],
    ['/docs/script.js', 'text/javascript'],
    ['/docs.md', 'text/markdown'],
    ['/llms.txt', 'text/plain'],
  ] as const) {
    const encodingFor = async (accepted: string) => {
      const { headers } = await fetch(address + path, { headers: { 'accept-encoding': accepted }, method: 'HEAD' })
      assert.equal(headers.get('content-type'), `${type}; charset=utf-8`)
      assert.equal(headers.get('vary'), 'accept-encoding')
      return headers.get('content-encoding')
    }
    assert.equal(await encodingFor('identity'), null)
    assert.equal(await encodingFor('gzip, deflate'), 'gzip')
    assert.equal(await encodingFor('gzip, br'), 'br')
    assert.equal(await encodingFor('br;q=0, gzip;q=0'), null)
    const texts = ['br', 'gzip', 'identity'].map(async (encoding) =>
      (await fetch(address + path, { headers: { 'accept-encoding': encoding } })).text(),
    )
    assert.equal(new Set(await Promise.all(texts)).size, 1)
  }
})

test('the page and its files are small', async () => {
  const sizes = await Promise.all(
    ['/docs', '/docs/style.css', '/docs/script.js'].map(async (path) => {
      const { headers } = await fetch(address + path, { headers: { 'accept-encoding': 'gzip' }, method: 'HEAD' })
      return Number(headers.get('content-length'))
    }),
  )
  const total = sizes.reduce((sum, size) => sum + size)
  assert.ok(total > 10_000 && total < 75_000, `${sizes.join(' + ')} bytes`)
})

test('markup in Markdown and in code stays text', () => {
  const [row] = renderMarkdown('x', 'A <b>bold</b> `<i>` word\n\n```json\n{"a": "<script>"}\n```')
  assert.ok(row)
  assert.doesNotMatch(row.text, /<b>|<i>|<script>/)
  assert.doesNotMatch(highlight('"<img src=x>"', 'typescript').text, /<img/)
  assert.deepEqual(fencesOf('```bash\ncurl x\n```\n\ntext'), [{ language: 'bash', code: 'curl x' }])
})

test('highlighting adds colours and changes no character', () => {
  for (const [, code = ''] of page.matchAll(/<pre><code>([\s\S]*?)<\/code>/g)) assert.doesNotMatch(code, /<(?!\/?span)/)
  const text = highlight('const a = "b" // 1', 'typescript').text
  assert.equal(text.replaceAll(/<[^>]+>/g, '').replaceAll('&quot;', '"'), 'const a = "b" // 1')
  assert.match(text, /<span class="keyword">const<\/span>/)
})
