import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, postJson } from '../../support/app.ts'
import { fromPage } from '../../support/console.ts'
import {
  contentOf,
  crossedCookies,
  MARKS,
  type Marked,
  markStores,
  otherThan,
  SIDES,
  type Side,
} from '../../support/marked-stores.ts'
import { request, toolCall } from '../../support/mcp.ts'
import { startStores } from '../../support/stores.ts'
import { MASTER_SECRET } from '../../support/webhooks.ts'

// Every operation and tool that the service declares, with each of its parameters and examples, by key and by session, in both stores. What
// is of one store has its mark, and must never be in a response to the other. A new operation must show the store that it works on, or it fails.

const both = await startStores({ webhookMasterSecret: MASTER_SECRET })
const { call } = both
const stores = await markStores(both)

let checks = 0
const check = (isTrue: boolean, what: () => string) => {
  checks++
  assert.ok(isTrue, what())
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  example: unknown
}
interface Declared {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { examples?: Record<string, { value: object }> }> }
}
interface Operation extends Declared {
  method: string
  template: string
}

const READS_FIRST = ['get', 'patch', 'put', 'post', 'delete']
const { paths } = (await call('/openapi.json')).body as { paths: Record<string, Record<string, Declared>> }
const operations: Operation[] = Object.entries(paths)
  .flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, declared]) => ({ ...declared, method, template })),
  )
  .toSorted((a, b) => READS_FIRST.indexOf(a.method) - READS_FIRST.indexOf(b.method))

/** What a parameter is called with in a store; else with its example. */
const VALUES: Record<string, (store: Marked, side: Side, id: string) => string[]> = {
  petId: (_store, _side, id) => [{ deletePet: '6', change_pet: '7', order_pet: '8' }[id] ?? '1'],
  categoryId: (_store, _side, id) => [['putCategory', 'deleteCategory'].includes(id) ? '8' : '7'],
  orderId: ({ orderIds: [first = '', second = '', third = ''] }, _side, id) => [
    { cancelOrder: second, close_order: third }[id] ?? first,
  ],
  webhookId: ({ webhookIds: [first = '', failing = ''] }, _side, id) => [id === 'retryWebhook' ? failing : first],
  keyId: ({ keyId }) => [keyId],
  name: (_store, side) => [MARKS[side]],
  reference: (_store, side) => [`${MARKS[side]}-2`],
  'If-Match': () => ['"1"', '*'],
  from: () => ['oldest', '2026-01-01T00:00:00Z'],
  wait: () => ['1'],
  boundaries: () => [[-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString()).join()],
}

/** Whose responses are numbers, or nothing: what they show must differ between the stores. */
const NUMBERS = [
  'countPets',
  'countPetsByStatus',
  'countOrders',
  'countOrdersByPeriod',
  'getStatus',
  'listDeprecations',
]

const valuesOf = ({ name, example }: Parameter, side: Side, id: string) =>
  VALUES[name]?.(stores[side], side, id) ?? [String(example)]

interface Sent {
  path: string
  init: RequestInit & { method: string }
  /** Whether it names something that only the other store has. */
  isOfOther: boolean
}

/** The requests of an operation to a store: one with all that it requires, and one with each parameter, value and example beside that. */
function requestsOf({ operationId, method, template, parameters = [], requestBody }: Operation, side: Side): Sent[] {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const bodies = Object.values(content?.examples ?? {}).map(({ value }) => value)
  const sent = (owner: Side, more: [Parameter, string][], body: object | undefined = bodies[0]): Sent => {
    const given = new Map(
      parameters.filter(({ required }) => required).map((each) => [each, valuesOf(each, owner, operationId)[0]!]),
    )
    for (const [parameter, value] of more) given.set(parameter, value)
    let path = `/v1${template}`
    const [query, headers]: [URLSearchParams, Record<string, string>] = [new URLSearchParams(), {}]
    for (const [parameter, value] of given) {
      if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, value)
      else if (parameter.in === 'query') query.append(parameter.name, value)
      else headers[parameter.name] = value
    }
    assert.doesNotMatch(path, /[{}]/)
    const init = body && postJson(body, { ...headers, 'content-type': type! })
    const isOfOther = owner !== side && stores[owner].words.some((word) => path.includes(word))
    return {
      path: query.size > 0 ? `${path}?${query.toString()}` : path,
      init: { headers, ...init, method: method.toUpperCase() },
      isOfOther,
    }
  }
  const optional = parameters.filter(({ in: place }) => place !== 'path')
  return [
    sent(side, []),
    sent(otherThan(side), []),
    ...optional.flatMap((each) => valuesOf(each, side, operationId).map((value) => sent(side, [[each, value]]))),
    ...optional.flatMap((each) =>
      valuesOf(each, otherThan(side), operationId).map((value) => sent(side, [[each, value]])),
    ),
    ...bodies.slice(1).map((body) => sent(side, [], body)),
    ...(CASES[operationId] ?? []).map((values) =>
      sent(
        side,
        parameters.filter(({ name }) => name in values).map((each) => [each, values[each.name]!]),
      ),
    ),
  ]
}
/** Combinations that show more than each parameter by itself. */
const CASES: Record<string, Record<string, string>[]> = {
  listPets: [
    { view: 'full', sort: 'newest' },
    { view: 'full', id: '1' },
  ],
  listOrders: [
    { status: 'placed', sort: 'expiring' },
    { status: 'completed', sort: 'closed' },
  ],
  listEvents: [{ petId: '1', sort: 'newest' }],
}

const modeOf = ({ headers }: Answer) => headers.get('petstore-mode')
const withoutOrigin = (text: string) => text.replaceAll(/"requestId":"[^"]*"/g, '')

/** Of a response to a store, whatever it is: it has nothing of the other. */
function checkOf(side: Side, what: string, answer: Answer, asked: string) {
  const other = stores[otherThan(side)]
  check(answer.status < 500, () => `${what}: ${answer.text}`)
  check(modeOf(answer) === (side === 'sandbox' ? 'test' : null), () => `${what}: Petstore-Mode is ${modeOf(answer)}`)
  const shown = `${answer.text} ${[...answer.headers.values()].join(' ')}`.toLowerCase()
  // What was sent may be in an error.
  const foreign = other.words.filter((word) => !asked.toLowerCase().includes(word.toLowerCase()))
  for (const word of foreign) check(!shown.includes(word.toLowerCase()), () => `${what} shows ${word}: ${answer.text}`)
}

/** Sends the requests of a store by key and by session. Returns what showed it: the texts of what succeeded, and whether rows changed. */
async function play(side: Side, what: string, requests: Sent[]) {
  const [own, other] = [stores[side], stores[otherThan(side)]]
  const before = { own: await contentOf(own), other: await contentOf(other) }
  const texts: string[] = []
  for (const { path, init, isOfOther } of requests) {
    const headers = init.headers as Record<string, string>
    for (const by of [{ ...init, key: own.key }, fromPage(own.cookie, { ...init, headers })]) {
      const answer = await call(path, by)
      checkOf(side, `${what} ${side} ${path}`, answer, `${path} ${typeof init.body === 'string' ? init.body : ''}`)
      if (isOfOther) check(answer.status >= 400, () => `${what} ${side} ${path} found what is of the other store`)
      if (answer.status < 300) texts.push(withoutOrigin(answer.text))
    }
  }
  const afterwards = { own: await contentOf(own), other: await contentOf(other) }
  for (const [table, content] of Object.entries(before.other))
    check(
      afterwards.other[table] === content,
      () => `${what} by a key of ${side} has changed ${table} of the other store`,
    )
  const { console_sessions: _, ...changeable } = before.own
  const isChanged = Object.entries(changeable).some(([table, content]) => afterwards.own[table] !== content)
  return { texts, isChanged, shows: isChanged || texts.some((text) => text.includes(MARKS[side])) }
}

for (const operation of operations) {
  const { operationId } = operation
  test(`${operationId} shows and changes nothing but the store of its key`, async () => {
    const played = new Map<Side, Awaited<ReturnType<typeof play>>>()
    for (const side of SIDES) played.set(side, await play(side, operationId, requestsOf(operation, side)))
    if (NUMBERS.includes(operationId)) assert.notDeepEqual(played.get('live')!.texts, played.get('sandbox')!.texts)
    else
      for (const [side, { shows }] of played)
        assert.ok(shows, `no request of ${operationId} has shown or changed anything of ${side}: give it a case here`)
    // Credentials of one store with the name of the other are of neither.
    const [first] = requestsOf(operation, 'live')
    const { path, init } = first!
    for (const cookie of crossedCookies(stores)) {
      const { status } = await call(
        path,
        fromPage(cookie, { ...init, headers: init.headers as Record<string, string> }),
      )
      check(status === 401, () => `${operationId} by ${cookie}: ${status}`)
    }
    for (const [side, key] of [
      ['live', stores.live.key.replace('petk_live_', 'petk_test_')],
      ['sandbox', stores.sandbox.key.replace('petk_test_', 'petk_live_')],
    ] as const) {
      const answer = await call(path, { ...init, key })
      check(
        answer.status === 401 && modeOf(answer) === null,
        () => `${operationId} by the renamed key of ${side}: ${answer.status}`,
      )
    }
  })
}

interface ListedTool {
  name: string
  inputSchema: { properties: Record<string, { examples?: unknown[]; enum?: unknown[] }>; required?: string[] }
}
const listed = await call('/v1/mcp', { ...postJson(request('tools/list')), key: stores.live.key })
const { tools } = (JSON.parse(listed.text) as { result: { tools: ListedTool[] } }).result

for (const { name, inputSchema } of tools)
  test(`the tool ${name} shows and changes nothing but the store of its key`, async () => {
    const { properties, required = [] } = inputSchema
    const argumentOf = (argument: string, side: Side): unknown => {
      const { examples, enum: values } = properties[argument]!
      const example = (examples ?? values)?.[0]
      // Versions of what no test has changed.
      if (argument === 'version') return '1'
      return VALUES[argument] && !Array.isArray(example) ? VALUES[argument](stores[side], side, name)[0] : example
    }
    for (const side of SIDES) {
      const argumentsOf = (owner: Side, more: string[]) =>
        Object.fromEntries([...required, ...more].map((each) => [each, argumentOf(each, owner)]))
      const all = [
        argumentsOf(side, []),
        argumentsOf(otherThan(side), []),
        ...Object.keys(properties).map((each) => argumentsOf(side, [each])),
        ...Object.keys(properties).map((each) =>
          argumentsOf(
            side,
            ['name', each].filter((given) => given in properties),
          ),
        ),
      ]
      const requests = all.map((args) => ({
        path: '/v1/mcp',
        init: { ...postJson(toolCall(name, args)), method: 'POST' },
        isOfOther: false,
      }))
      const { shows } = await play(side, name, requests)
      assert.ok(shows, `no call of ${name} has shown or changed anything of ${side}: give it a case here`)
    }
  })

test('these were thousands of checks', (t) => {
  t.diagnostic(`${checks} checks`)
  assert.ok(checks >= 4_000, `${checks} checks`)
})
