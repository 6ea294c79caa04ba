import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { clausesOf } from '../../acceptance/run.ts'
import { petstore } from '../support/process.ts'

const KEYS = { PETSTORE_KEY: 'key-with-all-scopes', PETSTORE_PETS_KEY: 'key-for-pets' }

interface Result {
  total: number
  failed: number
  store: { total: number; failed: number }
  clauses: { id: string; profile: string; passed: boolean; detail?: string }[]
}

const store = clausesOf('store', { readKey: 'r', petsKey: 'p' }).filter(({ profile }) => profile === 'store')
const numberOf = (text: string) => /^([POFSEW]\d+): /.exec(text)?.[1]

test('the profile store adds its clauses to those of full, which has none of them', () => {
  const full = clausesOf('full', { readKey: 'r', petsKey: 'p' })
  assert.ok(full.every(({ profile }) => profile !== 'store'))
  assert.deepEqual(
    clausesOf('store', { readKey: 'r', petsKey: 'p' }).filter(({ profile }) => profile !== 'store'),
    full,
  )
  assert.ok(store.length >= 500, `${store.length} clauses`)
})

test('a clause about a numbered promise has the number in its sentence and in its id', () => {
  for (const { id, sentence } of store) {
    const inId = /\.([pofsew]\d+)(?:\.|$)/.exec(id)?.[1]?.toUpperCase()
    assert.equal(numberOf(sentence), inId, id)
  }
})

test('every promise of the store has clauses, or docs/verify.md says why it can’t', () => {
  const names = (letter: string, last: number) => Array.from({ length: last }, (_, i) => `${letter}${i + 1}`)
  const last = { P: 22, O: 22, F: 5, S: 2, E: 15, W: 11 }
  const promises = Object.entries(last).flatMap(([letter, count]) => names(letter, count))
  const tried = new Set(store.map(({ sentence }) => numberOf(sentence)))
  const reasons = /\n\| promise \|[^\n]*\n\|---\|---\|\n((?:\|[^\n]*\n)+)/.exec(
    readFileSync('docs/verify.md', 'utf8'),
  )![1]!
  const untried = reasons.split('\n').flatMap((row) => row.split('|')[1]?.match(/[POFSEW]\d+/g) ?? [])
  assert.deepEqual(promises.filter((name) => !tried.has(name)).toSorted(), untried.toSorted())
})

test('the clauses about the scopes of the store are part of a run that has a key without them', () => {
  const count = (keys: { petsKey?: string }) =>
    clausesOf('store', keys).filter(({ needs }) => needs === 'petsKey').length
  assert.equal(count({}), 0)
  assert.ok(count({ petsKey: 'p' }) >= 20)
})

/** A service that returns this for whatever is asked. */
async function startCareless(status: number, body: string) {
  const server = createServer({ headersTimeout: 500, requestTimeout: 500, connectionsCheckingInterval: 100 })
  server.on('request', (request, response) => {
    const { method, headers } = request
    // So that the first look finds nothing to complain about.
    if (method === 'GET' && !headers['if-match'] && request.url === '/v1/pets') response.statusCode = 200
    else response.statusCode = status
    response.setHeader('content-type', 'application/json')
    request.resume().once('end', () => response.end(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

// Without the clauses that are slow clients.
const GROUPS = ['update', 'conditions', 'races', 'delete', 'view', 'find', 'orders'].flatMap((name) => ['--only', name])

const CARELESS: [status: number, body: string][] = [
  [200, '[]'],
  [201, '{"id":1,"name":"verify store","categoryId":1,"status":"available","version":1}'],
  [404, '{"code":"pet_not_found","message":"There is no such pet.","status":404}'],
]
for (const [status, body] of CARELESS) {
  test(`a service that returns ${status} for everything fails nearly every clause of the store`, async () => {
    const run = await petstore(
      ['verify', '--base-url', await startCareless(status, body), '--profile', 'store', '--json', ...GROUPS],
      KEYS,
    )
    const result = JSON.parse(run.stdout) as Result
    assert.equal(run.code, 1)
    const { total, failed } = result.store
    assert.ok(total > 450 && failed > 0.9 * total, `${failed} of ${total}`)
    for (const { detail, passed } of result.clauses.filter(({ profile }) => profile === 'store'))
      if (!passed) assert.match(detail!, /^request .*\nexpected .*\nresponse .*\nrepeat .*(?:curl|telnet)/s)
    for (const key of Object.values(KEYS)) assert.ok(!run.stdout.includes(key))
  })
}
