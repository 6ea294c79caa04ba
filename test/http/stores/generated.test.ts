import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../support/app.ts'
import { fromPage } from '../../support/console.ts'
import {
  type Declared,
  type Given,
  type Input,
  nextOf,
  readOperations,
  readOutcome,
  readTools,
  type Sent,
} from '../../support/declared.ts'
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
import { startStores } from '../../support/stores.ts'
import { MASTER_SECRET } from '../../support/webhooks.ts'

// Every operation and tool that the service declares, with each of its inputs and examples, and each kind of id and cursor of either store,
// by key and by session, in both stores. What is of one store has its mark, and must never be in a response to the other. A new operation
// must show the store that it works on, and a new kind of id needs its values here, or it fails.

const both = await startStores({ webhookMasterSecret: MASTER_SECRET })
const { call } = both
const stores = await markStores(both)
const all = [...(await readOperations(call)), ...(await readTools(call, stores.live.key))]

let checks = 0
const check = (isTrue: boolean, what: () => string) => {
  checks++
  assert.ok(isTrue, what())
}

/** What an input has in a store; else its example. */
const VALUES: Record<string, (store: Marked, side: Side, id: string) => string[]> = {
  petId: (_store, _side, id) => [{ deletePet: '6', change_pet: '7', order_pet: '8' }[id] ?? '1'],
  categoryId: (_store, _side, id) => [['putCategory', 'deleteCategory'].includes(id) ? '8' : '7'],
  category: (_store, side) => [`${MARKS[side]} category`],
  orderId: ({ orderIds: [first = '', second = '', third = ''] }, _side, id) => [
    { cancelOrder: second, close_order: third }[id] ?? first,
  ],
  webhookId: ({ webhookIds: [first = '', failing = ''] }, _side, id) => [id === 'retryWebhook' ? failing : first],
  keyId: ({ keyId }) => [keyId],
  cursor: (_store, side) => [...cursors[side].values()],
  name: (_store, side) => [MARKS[side]],
  reference: (_store, side) => [`${MARKS[side]}-2`],
  'If-Match': () => ['"1"', '*'],
  // Of what no test has changed.
  version: () => ['1'],
  from: () => ['oldest', '2026-01-01T00:00:00Z'],
  wait: () => ['1'],
  boundaries: () => [[-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString()).join()],
}
const IS_OF_STORE = /(?:Id|[Cc]ursor)$/

const HISTORIES = [{ petId: '2' }, { petId: '2', sort: 'newest' }]
/** Combinations that show more than each input by itself. */
const CASES: Record<string, Given[]> = {
  listPets: [
    { view: 'full', sort: 'newest' },
    { view: 'full', id: '1' },
  ],
  listOrders: [
    { status: 'placed', sort: 'expiring' },
    { status: 'completed', sort: 'closed' },
  ],
  listEvents: HISTORIES,
  read_events: HISTORIES,
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

/** Issued by each store: one of each kind, which the first byte says. */
const cursors: Record<Side, Map<number | undefined, string>> = { live: new Map(), sandbox: new Map() }
/** Of each list, what leads to them. */
const nextPages = new Map<string, Record<Side, Given[]>>()

const lists = all.filter(({ inputs }) => inputs.some(({ name, in: place }) => name === 'cursor' && place !== 'body'))
for (const list of lists)
  nextPages.set(list.id, { live: await followPages(list, 'live'), sandbox: await followPages(list, 'sandbox') })

/** Follows each walk of a list in a store to its second page, by pages of one item. */
async function followPages({ id, inputs, toRequest }: Declared, side: Side) {
  const pages: Given[] = []
  const others = inputs.filter(({ name }) => name !== 'cursor' && name !== 'wait')
  for (const given of givenOf(others, side, id).map((each) => ({ ...each, limit: 1 }))) {
    const { path, init } = toRequest(given)
    const next = nextOf(await call(path, { ...init, key: stores[side].key }), given)
    if (!next) continue
    const cursor = String(next['cursor'])
    cursors[side].set(Buffer.from(cursor, 'base64url')[0], cursor)
    pages.push(next)
  }
  return pages
}

/**
 * All that is required, of each store; beside that of the store itself, each value of each other input, of both stores; and what leads to
 * the next pages of the other.
 */
function givenOf(inputs: Input[], side: Side, id: string): Given[] {
  const valuesIn = (owner: Side, input: Input) => valuesOf(input, input.isStored ? side : owner, id)
  const required = (owner: Side) =>
    Object.fromEntries(inputs.filter((each) => each.required).map((each) => [each.name, valuesIn(owner, each)[0]]))
  const owners = [side, otherThan(side)]
  const single = owners.flatMap((owner) =>
    inputs.flatMap((each) => valuesIn(owner, each).map((value) => ({ [each.name]: value }))),
  )
  return [
    ...owners.map(required),
    ...[...single, ...(CASES[id] ?? [])].map((more) => ({ ...required(side), ...more })),
    ...(nextPages.get(id)?.[otherThan(side)] ?? []),
  ]
}

function valuesOf({ name, in: place, example }: Input, side: Side, id: string): Given[string][] {
  const isOfStore = IS_OF_STORE.test(name)
  // The examples of bodies have all else.
  if (place === 'body' && !isOfStore) return []
  const values = VALUES[name]?.(stores[side], side, id)
  assert.ok(values || !isOfStore, `${id} takes ${name}: give it the values of each store here`)
  const typed = { number: Number, bigint: BigInt }[typeof example as string] ?? String
  return values?.map((value) => typed(value)) ?? [example]
}

const modeOf = ({ headers }: Answer) => headers.get('petstore-mode')
const withoutOrigin = (text: string) => text.replaceAll(/"requestId":"[^"]*"/g, '')

/** Of a response to a store, whatever it is: it has nothing of the other. */
function checkOf(side: Side, what: string, sent: Sent, answer: Answer) {
  const { status, headers, text } = answer
  check(status < 500, () => `${what}: ${text}`)
  check(modeOf(answer) === (side === 'sandbox' ? 'test' : null), () => `${what}: Petstore-Mode is ${modeOf(answer)}`)
  const { isError, isEmpty } = readOutcome(answer, sent)
  const [inText, inHeaders] = [text.toLowerCase(), [...headers.values()].join(' ').toLowerCase()]
  const asked = `${sent.path} ${sent.init.body ?? ''}`.toLowerCase()
  const words = stores[otherThan(side)].words.map((word) => word.toLowerCase())
  for (const word of words) {
    // What was sent may be in an error, and in the link to the next page.
    const isAsked = asked.includes(word)
    check((isError && isAsked) || !inText.includes(word), () => `${what} shows ${word}: ${text}`)
    check(isAsked || !inHeaders.includes(word), () => `${what} shows ${word}: ${inHeaders}`)
  }
  if (words.some((word) => asked.includes(word)))
    check(isError || isEmpty, () => `${what} found what is of the other store: ${text}`)
}

/** Sends the requests of a store by key and by session. Returns what showed it: the texts of what succeeded, and whether rows changed. */
async function play(side: Side, what: string, requests: Sent[]) {
  const [own, other] = [stores[side], stores[otherThan(side)]]
  const before = { own: await contentOf(own), other: await contentOf(other) }
  const texts: string[] = []
  for (const sent of requests) {
    const { path, init } = sent
    for (const by of [{ ...init, key: own.key }, fromPage(own.cookie, init)]) {
      const answer = await call(path, by)
      checkOf(side, `${what} ${side} ${path} ${init.body ?? ''}`, sent, answer)
      if (!readOutcome(answer, sent).isError) texts.push(withoutOrigin(answer.text))
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
  return { texts, shows: isChanged || texts.some((text) => text.includes(MARKS[side])) }
}

/** Credentials of one store with the name of the other are of neither. */
async function checkCrossed(what: string, { path, init }: Sent) {
  for (const cookie of crossedCookies(stores)) {
    const { status } = await call(path, fromPage(cookie, init))
    check(status === 401, () => `${what} by ${cookie}: ${status}`)
  }
  for (const [side, key] of [
    ['live', stores.live.key.replace('petk_live_', 'petk_test_')],
    ['sandbox', stores.sandbox.key.replace('petk_test_', 'petk_live_')],
  ] as const) {
    const answer = await call(path, { ...init, key })
    check(
      answer.status === 401 && modeOf(answer) === null,
      () => `${what} by the renamed key of ${side}: ${answer.status}`,
    )
  }
}

for (const { id, isTool, inputs, bodies, toRequest } of all)
  test(`${isTool ? 'the tool ' : ''}${id} shows and changes nothing but the store of its key`, async () => {
    const texts: string[][] = []
    for (const side of SIDES) {
      const given = givenOf(inputs, side, id)
      const requests = [
        ...given.map((each) => toRequest(each)),
        ...bodies.slice(1).map((body) => toRequest(given[0]!, body)),
      ]
      const played = await play(side, id, requests)
      texts.push(played.texts)
      assert.ok(
        played.shows || NUMBERS.includes(id),
        `no request of ${id} has shown or changed anything of ${side}: give it a case here`,
      )
      const pages = nextPages.get(id)?.[side].map((each) => toRequest(each))
      assert.ok(
        !pages || (await play(side, id, pages)).shows,
        `no next page of ${id} has shown anything of ${side}: give it more items`,
      )
      await checkCrossed(id, requests[0]!)
    }
    if (NUMBERS.includes(id)) assert.notDeepEqual(texts[0], texts[1])
  })

test('these were thousands of checks', (t) => {
  t.diagnostic(`${checks} checks`)
  assert.ok(checks >= 4_000, `${checks} checks`)
})
