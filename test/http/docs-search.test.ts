import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { renderDocs } from '../../src/http/docs/render.ts'

interface Words {
  title: string[]
  place: string[]
  text: string[]
}
interface Matching {
  wordsOf: (text: string) => string[]
  matcher: (query: string) => (entry: Words) => number | undefined
}

// A script of browsers, which has no types.
const path = '../../src/http/docs/matching.js'
const { wordsOf, matcher } = (await import(path)) as Matching

const site = { baseUrl: '/v1', hasConsole: true, hasMcp: true }
const { page, script } = renderDocs(readFileSync('openapi.json', 'utf8'), site)
const main = page.slice(page.indexOf('<main'), page.indexOf('<dialog'))
const plain = (html = '') =>
  html
    .replaceAll(/<a class="anchor"[\s\S]*?<\/a>|<span class="(?:badge|type|method|limits)[\s\S]*?<\/span>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')

/** What script/search.js reads from the page, read here from its text. */
const sections = main.split(/(?=<section id=")/).slice(1)
const entries = sections.flatMap((section) => {
  const title = plain(/<h[23][\s\S]*?<\/h[23]>/.exec(section)?.[0])
  const parts = section.split(/(?=<(?:h3|h4|tr) id=")/)
  const [, own = ''] = /^<section id="([^"]+)"/.exec(section) ?? []
  const inside = parts.slice(1).map((part) => {
    const [, id = ''] = / id="([^"]+)"/.exec(part) ?? []
    const heading = /<(h3|h4|th)[\s\S]*?<\/\1>/.exec(part)?.[0]
    return { id, isPart: true, title: plain(heading), place: title, text: plain(part) }
  })
  return [{ id: own, isPart: false, title, place: '', text: plain(parts[0]) }, ...inside]
})
// Sections first, as on the page.
const index = entries
  .toSorted((a, b) => Number(a.isPart) - Number(b.isPart))
  .map(({ id, title, place, text }) => ({
    id,
    words: { title: wordsOf(title), place: wordsOf(place), text: wordsOf(text) },
  }))

function find(query: string) {
  const costOf = matcher(query)
  return index
    .map(({ id, words }) => ({ id, cost: costOf(words) }))
    .filter(({ cost }) => cost !== undefined)
    .toSorted((a, b) => a.cost! - b.cost!)
    .map(({ id }) => id)
}

for (const [query, first, among] of [
  ['sell', 'selling', ['placeOrder', 'completeOrder']],
  ['refund', 'selling-payment', []],
  ['paging', 'pagination', []],
  ['pag', 'pagination', []],
  ['auth', 'keys', []],
  ['verify signature', 'receiving-verify-the-signature', []],
  ['signature verify', 'receiving-verify-the-signature', []],
  ['429', 'limits', ['errors-rate_limited']],
  ['rate limit', 'limits', ['errors-rate_limited']],
  ['version_mismatch', 'errors-version_mismatch', []],
  ['order.expired', 'events-order.expired', []],
  ['place an order', 'placeOrder', []],
  ['order place', 'placeOrder', []],
  ['expiresIn', 'placeOrder-body-expiresIn', []],
  ['Idempotency-Key', 'createPet-Idempotency-Key', ['idempotency']],
  ['idempotency', 'idempotency', []],
  ['etag', 'versions', []],
] as const)
  test(`search for "${query}" finds ${first} first`, () => {
    const found = find(query)
    assert.equal(found[0], first, found.slice(0, 8).join())
    for (const id of among) assert.ok(found.slice(0, 30).includes(id), `${id} is not among ${found.join()}`)
  })

test('what is nowhere is not found, and nothing is found without a word', () => {
  for (const query of ['giraffe', 'order giraffe', 'constructor giraffe', '', ' ', '—'])
    assert.deepEqual(find(query), [])
})

test('the script of the page has what is tested here, and no module syntax', () => {
  assert.match(script, /^function matcher\(query\)/m)
  assert.doesNotMatch(script, /^(?:import|export) /m)
})
