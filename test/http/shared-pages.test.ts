import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { caller, patchJson, postJson, startApp } from '../support/app.ts'
import { categoryCalls } from '../support/categories.ts'
import { cursorOf, endOfFeed } from '../support/events.ts'
import { createTestKey } from '../support/factories.ts'
import { type Order, orderCalls, orderOf } from '../support/orders.ts'

// Requests that wait for the same page share one: by `keyOf` of its batch, which has to name every parameter. If it lacks one, a client
// gets the page of another, but only while both wait. So requests that differ in nothing but one parameter are sent at once here, and
// each must get what it gets alone: for every parameter of every list in openapi.json.

/** Values of a parameter that make a difference, if the document has no `enum`. A new parameter needs some here. */
const VALUES: Record<string, readonly string[]> = {
  limit: ['1', '2', '3'],
  name: ['mo', 'max', 'do', 'ca'],
  id: ['1,2', '2,3,4'],
  categoryId: ['1', '2'],
  counts: ['true', 'false'],
  petId: ['1', '2'],
  reference: ['basket-1', 'basket-2'],
  type: ['pet.created', 'pet.updated', 'order.placed'],
  wait: ['0', '1'],
  boundaries: ['2026-11-01T00:00:00Z,2026-12-01T00:00:00Z', '2026-12-01T00:00:00Z,2026-12-02T00:00:00Z'],
}
/** What other parameters a request has: a list has several walks, with a batch for each. Those that a list rejects are passed over. */
const CONTEXTS: Record<string, readonly string[]> = {
  listPets: [
    '',
    'status=available',
    'categoryId=1',
    'categoryId=1&sort=newest&view=full',
    'categoryId=1&status=available',
    'name=mo',
    'name=mo&categoryId=1',
    'name=mo&status=available',
    'id=1,2,3,4,5',
    'sort=newest',
    'view=full',
  ],
  countPets: ['', 'categoryId=1', 'status=available'],
  countPetsByStatus: [''],
  listCategories: ['', 'counts=true', 'name=do'],
  listOrders: [
    '',
    'status=placed',
    'status=completed',
    'petId=1',
    'reference=basket-1',
    'status=completed&sort=closed',
    'status=placed&sort=expiring',
  ],
  countOrders: ['', 'status=completed'],
  countOrdersByPeriod: ['boundaries=2026-11-01T00:00:00Z,2026-12-01T00:00:00Z', 'status=completed'],
  listEvents: ['', 'from=oldest', 'sort=newest', 'petId=1', 'petId=1&sort=newest', 'from=oldest&type=pet.created'],
  listKeys: [''],
}
/** Parameters that change no page. */
const WITHOUT_EFFECT = ['listEvents wait']
const AT_ONCE = 4

interface Parameter {
  name: string
  in: string
  schema: { enum?: string[] }
}
interface Document {
  paths: Record<string, { get?: { operationId: string; parameters?: Parameter[] } }>
}

const app = await startApp()
const { call, pool } = app
const other = caller(app.address, (await createTestKey(pool, { name: 'other' })).key)
await fill()

async function fill() {
  for (const [name, categoryId, status] of [
    ['Momo', 1, 'available'],
    ['Big Moe', 1, 'available'],
    ['Max', 2, 'available'],
    ['Momo Max', 2, 'sold'],
    ['Moritz', 1, 'pending'],
    ['Max Moe', 1, undefined],
    ['Other', 2, 'available'],
    ['Mo', 1, 'available'],
    ['Mona', 1, 'available'],
  ] as const)
    await (name.length > 4 ? call : other)('/v1/pets', postJson({ name, categoryId, status }))
  for (const name of ['Momo b', 'Momo c']) await other('/v1/pets/1', patchJson({ name }))
  const { put } = categoryCalls(call)
  for (const [id, name] of ['Dog', 'Cat', 'Dormouse', 'Donkey'].entries()) await put(BigInt(id + 1), name)
  const { place, complete, cancel } = orderCalls(call)
  const orders: Order[] = []
  for (const [i, petId] of [1n, 1n, 2n, 2n, 3n, 7n, 8n, 9n].entries()) {
    const order = orderOf(await place(petId, { reference: `basket-${1 + (i % 2)}` }))
    orders.push(order)
    // The pet of two orders is free again, and others stay reserved.
    if (i === 0 || i === 2) await cancel(order.id)
  }
  for (const order of orders.slice(4, 7)) await complete(order.id)
  await pool.query(`
    update orders set closed_at = day
    from (select id, timestamptz '2026-11-01' + interval '1 day' * row_number() over (order by id) as day
          from orders where closed_at is not null) as days
    where orders.id = days.id`)
  await endOfFeed(app)
}

const { rows: keys } = await pool.query<{ id: string }>('select id from api_keys order by id')
const { rows: moments } = await pool.query<{ at: Date }>('select at from events order by at offset 5 limit 1')
const FURTHER_VALUES: Record<string, readonly string[]> = {
  keyId: keys.map(({ id }) => id),
  'listEvents from': ['oldest', 'now', moments[0]!.at.toISOString()],
  from: ['2026-11-04T12:00:00Z', '2026-11-05T12:00:00Z'],
  to: ['2026-11-04T12:00:00Z', '2026-11-05T12:00:00Z'],
}

/** The cursors of the first pages. */
async function cursorsOf(path: string) {
  const cursors: string[] = []
  for (let next: string | undefined = `${path}&limit=1`; next && cursors.length < 3; ) {
    const { headers } = await call(next)
    next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    if (next) cursors.push(cursorOf(next))
  }
  return cursors
}

/** What a client can tell apart. */
async function responseTo(path: string) {
  const { status, text, headers } = await call(path)
  return { status, text, link: headers.get('link') }
}

const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document
const lists = Object.entries(paths).flatMap(([path, { get }]) => {
  const parameters = (get?.parameters ?? []).filter((parameter) => parameter.in === 'query')
  return get && parameters.length > 0 ? [{ path: `/v1${path}`, id: get.operationId, parameters }] : []
})

test('every list of the document is tried', () => {
  assert.deepEqual(lists.map(({ id }) => id).toSorted(), Object.keys(CONTEXTS).toSorted())
})

for (const { path, id, parameters } of lists)
  for (const parameter of parameters) {
    const { name, schema } = parameter
    test(`${id}: requests at once that differ only in \`${name}\` each get their own page`, async () => {
      let differing = 0
      for (const context of CONTEXTS[id] ?? []) {
        if (new URLSearchParams(context).has(name)) continue
        const values = schema.enum ?? FURTHER_VALUES[`${id} ${name}`] ?? FURTHER_VALUES[name] ?? VALUES[name]
        const tried = name === 'cursor' ? await cursorsOf(`${path}?${context}`) : values
        assert.ok(tried, `VALUES has values for ${name}`)
        const urls = [`${path}?${context}`, ...tried.map((value) => `${path}?${context}&${name}=${value}`)]
        const alone = new Map<string, Awaited<ReturnType<typeof responseTo>>>()
        for (const url of urls) {
          const response = await responseTo(url)
          if (response.status === 200) alone.set(url, response)
        }
        if (new Set(alone.values().map(({ text }) => text)).size < 2) continue
        differing++
        const sent = Array.from({ length: AT_ONCE }, () => [...alone.keys()]).flat()
        const responses = await Promise.all(sent.map(responseTo))
        for (const [i, url] of sent.entries()) assert.deepEqual(responses[i], alone.get(url), url)
      }
      assert.equal(differing > 0, !WITHOUT_EFFECT.includes(`${id} ${name}`), `${differing} walks with differing pages`)
    })
  }
