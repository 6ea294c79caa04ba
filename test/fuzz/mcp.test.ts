import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_RESULT_BYTES } from '../../src/http/mcp/results.ts'
import { startApp } from '../support/app.ts'
import { insertPets } from '../support/factories.ts'
import { LEGACY, MODERN, modern, type RpcResponse, readResult, request } from '../support/mcp.ts'
import { COSTLY_NAMES } from '../support/worst-requests.ts'

// Any body at all gets a response of the protocol, or one of the documented errors; never a failure of the service. A step of CI
// sends 20,000.
const BODIES = Number(process.env['MCP_BODIES'] ?? 300)
const AT_ONCE = 10
// The message around the items, with an id as long as the fuzzer makes them.
const ENVELOPE_BYTES = 2_000
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u

const app = await startApp()
await insertPets(app.pool, ['available', 'pending', 'sold', null])
// Names that are as long as text becomes when it is escaped, in more pets and events than one result may have.
await app.pool.query('insert into pets (name, category_id) select $1, 1 from generate_series(1, 100)', [
  COSTLY_NAMES[0],
])
await app.pool.query(
  `insert into events (pet_id, version, type, name, category_id, changed, key_id)
   select 1000000 + i, 1, 'pet.updated', $1, 1, 'name', 'key_1a2b3c4d5e6f' from generate_series(1, 100) as i`,
  [COSTLY_NAMES[1]],
)

const TOOLS = ['find_pets', 'add_pet', 'change_pet', 'find_orders', 'order_pet', 'close_order', 'read_events', 'nope']
const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'server/discover',
  'notifications/initialized',
  '',
  'x',
]
const NAMES = ['petId', 'petID', 'orderId', 'wait', 'view', '__proto__', 'constructor', 'toString']
/** Calls that are carried out, and change something or find nothing. */
const PLAUSIBLE: [name: string, args: Record<string, unknown>][] = [
  [
    'find_pets',
    {
      id: ['1', '9223372036854775807'],
      status: 'sold',
      categoryId: '1',
      limit: 1,
      sort: 'newest',
      cursor: 'AQAAAAAAAAAC',
    },
  ],
  ['add_pet', { name: 'Rex', categoryId: '-9223372036854775808', status: 'available', idempotencyKey: 'a' }],
  ['change_pet', { petId: '1', version: '1', name: 'Rex', categoryId: '1', status: null }],
  ['find_orders', { status: 'placed', petId: '1', limit: 1, reference: 'a' }],
  ['order_pet', { petId: '1', expiresIn: 1, reference: 'a' }],
  ['close_order', { orderId: 'ord_AAAAAAAAATQ8diTHYBJn', action: 'cancel' }],
  ['read_events', { limit: 1, from: 'now', petId: '1', type: ['pet.created'] }],
  ['add_pet', { name: COSTLY_NAMES[2], categoryId: '1' }],
  ['find_pets', { limit: 100 }],
  ['read_events', { limit: 100 }],
]

const word = fc.constantFrom(
  '1',
  '7',
  '-1',
  '9223372036854775807',
  '9223372036854775808',
  'sold',
  'complete',
  'cancel',
  'now',
  '',
)
const scalar = fc.oneof(word, fc.string({ unit: 'binary' }), fc.integer(), fc.double(), fc.boolean(), fc.constant(null))
const value = fc.oneof(
  { weight: 3, arbitrary: scalar },
  fc.array(scalar, { maxLength: 4 }),
  fc.jsonValue({ maxDepth: 3 }),
)
const args = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 4, noNullPrototype: true })
/** Some of the arguments of a tool, of which one has another value, or which has one more. */
const nearCall = fc
  .tuple(
    fc.constantFrom(...PLAUSIBLE),
    fc.nat(),
    fc.option(fc.tuple(fc.nat(), value), { freq: 2 }),
    fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, args),
  )
  .map(([[name, plausible], kept, change, more]) => {
    const entries = Object.entries(plausible).filter((_, i) => (kept >> i) % 4 > 0)
    const place = change === null ? -1 : change[0] % (entries.length + 1)
    const given = entries.map(([key, one], i) => [key, i === place ? change?.[1] : one] as const)
    return { name, arguments: { ...Object.fromEntries(given), ...more } }
  })
const anyCall = fc.record({
  name: fc.constantFrom(...TOOLS),
  arguments: fc.oneof({ weight: 4, arbitrary: args }, value),
})
const call = fc.oneof({ weight: 3, arbitrary: nearCall }, anyCall)
const params = fc.oneof({ weight: 6, arbitrary: call }, value)
const message = fc.oneof(
  { weight: 5, arbitrary: call.map((one) => request('tools/call', one)) },
  fc.record(
    {
      jsonrpc: fc.constantFrom('2.0', '2.0', '1.0', 2),
      id: value,
      method: fc.oneof(fc.constantFrom(...METHODS), value),
      params,
    },
    { requiredKeys: [] },
  ),
  fc.constantFrom(...METHODS).map((method) => ({ jsonrpc: '2.0', method })),
  fc.jsonValue(),
)
/** Cut short, or with another character somewhere. */
const damage = fc.tuple(fc.nat(), fc.string({ maxLength: 2 }))
function damaged(json: string, [at, other]: [number, string]) {
  const place = at % (json.length + 1)
  return json.slice(0, place) + other + (other === '' ? '' : json.slice(place + 1))
}
const text = fc.oneof(
  { weight: 8, arbitrary: message.map((one) => JSON.stringify(one)) },
  fc.tuple(message, damage).map(([one, how]) => damaged(JSON.stringify(one), how)),
  fc.string({ unit: 'binary' }),
)
const bytes = fc.oneof(
  { weight: 20, arbitrary: text.map((one) => Buffer.from(one)) },
  fc.uint8Array().map((one) => Buffer.from(one)),
)
const anyHeaders = fc.record(
  {
    'mcp-protocol-version': fc.constantFrom(MODERN, LEGACY, '2024-11-05', 'x'),
    'mcp-method': fc.constantFrom(...METHODS.filter((method) => method !== '')),
    'mcp-name': fc.constantFrom(...TOOLS, '=?base64?ZmluZF9wZXRz?=', '=?base64?////?='),
  },
  { requiredKeys: [] },
)
const headers = fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, anyHeaders)

interface Sent {
  body: Buffer
  headers: Record<string, string>
}

const anyRequest: fc.Arbitrary<Sent> = fc.record({ body: bytes, headers })
/** A body of the current revision with the headers that go with it, of which one may be another, or with a damaged body. */
const modernRequest: fc.Arbitrary<Sent> = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: fc.constant('tools/call') }, fc.constantFrom(...METHODS)),
    call,
    fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, anyHeaders),
    fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, damage),
  )
  .map(([method, one, others, how]) => {
    const { body, headers: own } = modern(method, one)
    const json = JSON.stringify(body)
    return { body: Buffer.from(how ? damaged(json, how) : json), headers: { ...own, ...others } }
  })

test(`${BODIES} bodies of all kinds: none is a failure of the service`, { timeout: 600_000 }, async (t) => {
  const kinds: Record<string, number> = {}
  const count = (kind: string) => {
    kinds[kind] = (kinds[kind] ?? 0) + 1
  }
  const send = async ({ body, headers: sent }: Sent) => {
    const type = { 'content-type': 'application/json' }
    const response = await app.call('/v1/mcp', {
      method: 'POST',
      body: new Uint8Array(body),
      headers: { ...type, ...sent },
    })
    count(String(response.status))
    assert.ok([200, 202, 400, 404].includes(response.status), response.text)
    if (response.status === 202) return assert.equal(response.text, '')
    const { jsonrpc, result, error } = JSON.parse(response.text) as RpcResponse
    assert.equal(jsonrpc, '2.0')
    const revision = sent['mcp-protocol-version'] === MODERN ? 'modern' : 'legacy'
    if (error) count(`${revision} fault ${error.code}`)
    if (!result?.content) return
    const length = Buffer.byteLength(response.text)
    assert.ok(length <= MAX_RESULT_BYTES + ENVELOPE_BYTES, `${length} bytes`)
    assert.doesNotMatch(JSON.stringify(result), INVISIBLE)
    // An error of a tool is a result, so that its status is not that of the response.
    const { status } = readResult(result)
    count(`${revision} tool ${result.isError ? Number(status) : 'success'}`)
    assert.ok(!result.isError || Number(status) < 500, response.text)
    assert.equal(result['resultType'], revision === 'modern' ? 'complete' : undefined)
  }
  const one = fc.oneof({ weight: 2, arbitrary: anyRequest }, modernRequest)
  const several = fc.array(one, { minLength: AT_ONCE, maxLength: AT_ONCE })
  const property = fc.asyncProperty(several, async (requests) => {
    await Promise.all(requests.map(send))
  })
  await fc.assert(property, { numRuns: BODIES / AT_ONCE, endOnFailure: true })
  t.diagnostic(JSON.stringify(kinds))
  // Only a service that is still there has withstood it.
  assert.equal((await app.call('/readyz')).status, 200)
  // Few bodies at random may miss a kind.
  if (BODIES < 4_000) return
  for (const kind of ['200', '202', '400', '404']) assert.ok(kinds[kind], kind)
  // What is rejected for its arguments, and what the store rejects.
  for (const revision of ['modern', 'legacy'])
    for (const kind of [/success/, /400/, /404|409|412|422/])
      assert.ok(
        Object.keys(kinds).some((each) => each.startsWith(`${revision} tool`) && kind.test(each)),
        `${revision} tool ${kind}`,
      )
  for (const code of [-32_700, -32_602, -32_601, -32_020])
    assert.ok(kinds[`modern fault ${code}`], `modern fault ${code}`)
})
