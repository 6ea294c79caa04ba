import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderIdText } from '../../src/lib/order-id.ts'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'

// What the beta parameters of listPets promise: `categoryId`, `sort` and `view`.
const { call, pool } = await startApp()
const PETS = 240
const HELD = (1_794_821_400_123n << 21n) + 5n
const CATEGORIES = [7n, -7n, 0n, 9223372036854775807n, -9223372036854775808n]

interface Row {
  id: bigint
  category: bigint
  status: string | null
  version: bigint
  heldBy: bigint | null
}

// Every category has every status and none; a tenth has changed, and half of the pending ones are held by an order.
await pool.query(
  `insert into pets (name, category_id, status, version, held_by)
   select 'Pet ' || i, ($2::bigint[])[1 + (i * 7) % 5], status, 1 + (i % 10 = 0)::int * i,
          case when status = 'pending' and i % 2 = 0 then $3::bigint end
   from generate_series(1, $1::int) as i,
   lateral (values ((array['available', 'pending', 'sold', null])[1 + (i / 5) % 4])) as its (status)
   order by i`,
  [PETS, CATEGORIES, HELD],
)
const { rows: texts } = await pool.query<Record<string, string | null>>(
  'select id, category_id, status, version, held_by from pets order by id',
)
const rows = texts.map(
  (row): Row => ({
    id: BigInt(row['id']!),
    category: BigInt(row['category_id']!),
    status: row['status'] ?? null,
    version: BigInt(row['version']!),
    heldBy: row['held_by'] ? BigInt(row['held_by']) : null,
  }),
)
const STATUSES = [undefined, 'available', 'pending', 'sold'] as const

type Item = Record<string, unknown> & { id: bigint }

async function walk(query: string, limit: number) {
  const [items, links]: [Item[], number[]] = [[], []]
  let next: string | undefined = `/v1/pets?limit=${limit}${query && `&${query}`}`
  while (next) {
    const { status, body, headers, text } = await call(next)
    assert.equal(status, 200, text)
    items.push(...(body as Item[]))
    next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    links.push((body as Item[]).length)
  }
  return { items, links }
}

const idsOf = (items: { id: bigint }[]) => items.map(({ id }) => id)

for (const category of [undefined, ...CATEGORIES, 8n])
  for (const status of STATUSES)
    test(`category ${category} with status ${status}: F1 each once, in order; F3 newest is the exact reverse; P3 in both views`, async () => {
      const query = [category !== undefined && `categoryId=${category}`, status && `status=${status}`]
      const filter = query.filter(Boolean).join('&')
      const expected = rows.filter(
        (row) => (category === undefined || row.category === category) && (!status || row.status === status),
      )
      for (const limit of [3, 20, 100]) {
        const oldest = await walk(filter, limit)
        const newest = await walk(`${filter}&sort=newest`, limit)
        assert.deepEqual(idsOf(oldest.items), idsOf(expected))
        assert.deepEqual(newest.items, oldest.items.toReversed())
        assert.deepEqual(newest.links, oldest.links)
        assert.deepEqual(await walk(`${filter}&sort=oldest&view=basic`, limit), oldest)
        for (const [sort, basic] of Object.entries({ oldest, newest })) {
          const full = await walk(`${filter}&sort=${sort}&view=full`, limit)
          assert.deepEqual(full.links, basic.links)
          assert.deepEqual(full.items.map(withoutRecord), basic.items)
        }
      }
    })

function withoutRecord(item: Item) {
  return Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'version' && name !== 'orderId'))
}

test('P3 view=full adds the version, and the order that holds a pet', async () => {
  const { items } = await walk('view=full', 100)
  assert.ok(rows.some(({ heldBy }) => heldBy) && rows.some(({ version }) => version > 1n))
  for (const [i, { id, version, heldBy }] of rows.entries()) {
    assert.equal(items[i]!['version'], version)
    assert.equal(items[i]!['orderId'], heldBy ? orderIdText({ petId: id, id: heldBy }) : undefined)
  }
  const byIds = await walk(`view=full&id=${idsOf(rows.slice(0, 100)).join(',')}`, 100)
  assert.deepEqual(byIds.items, items.slice(0, 100))
})

test('P3 view=basic and sort=oldest are byte for byte what no view and no sort are', async () => {
  for (const query of ['', 'status=sold', 'limit=5', `id=${idsOf(rows.slice(0, 30)).join(',')}`]) {
    const plain = await call(`/v1/pets?${query}`)
    for (const more of ['view=basic', 'sort=oldest', 'view=basic&sort=oldest']) {
      const other = await call(`/v1/pets?${query}&${more}`)
      assert.equal(other.text, plain.text)
      const link = other.headers.get('link')?.replace(/(?:sort=oldest&)?(?=cursor=)/, '') ?? null
      assert.equal(link, plain.headers.get('link'))
    }
  }
})

test('a list of ids is filtered, sorted and shown like every other', async () => {
  const some = rows.filter(({ id }) => id % 3n === 0n).slice(0, 70)
  const ids = idsOf(some).toReversed().join(',')
  const ofCategory = some.filter(({ category }) => category === -7n)
  assert.deepEqual(idsOf((await walk(`id=${ids}&categoryId=-7`, 4)).items), idsOf(ofCategory))
  assert.deepEqual(idsOf((await walk(`id=${ids}&categoryId=-7&sort=newest`, 4)).items), idsOf(ofCategory).toReversed())
  const sold = ofCategory.filter(({ status }) => status === 'sold')
  const { items } = await walk(`id=${ids}&categoryId=-7&status=sold&view=full&sort=newest`, 2)
  assert.deepEqual(
    items.map(({ id, version }) => ({ id, version })),
    sold.toReversed().map(({ id, version }) => ({ id, version })),
  )
})

test('Link repeats the new parameters as they were sent', async () => {
  const { headers } = await call('/v1/pets?view=full&sort=newest&categoryId=-9223372036854775808&limit=2&status=sold')
  assert.match(
    headers.get('link')!,
    /^<\/v1\/pets\?limit=2&status=sold&categoryId=-9223372036854775808&sort=newest&view=full&cursor=[\w-]{12}>; rel="next"$/,
  )
})

test('F4 a cursor of one direction is rejected in the other; one of another filter or view continues', async () => {
  const cursorOf = async (query: string) =>
    /cursor=([\w-]+)/.exec((await call(`/v1/pets?${query}`)).headers.get('link')!)![1]!
  const [oldest, newest] = [await cursorOf('limit=3'), await cursorOf('limit=3&sort=newest&categoryId=7')]
  for (const query of [`cursor=${newest}`, `cursor=${newest}&sort=oldest`, `cursor=${oldest}&sort=newest`]) {
    for (const more of ['', '&categoryId=7', '&id=1', '&view=full&status=sold']) {
      const answer = await call(`/v1/pets?${query}${more}`)
      assertError(answer, 400, 'invalid_cursor')
      assert.match(String((answer.body as Item)['message']), /continues a walk in the opposite direction/)
    }
  }
  const later = await call(`/v1/pets?categoryId=0&view=full&limit=2&cursor=${oldest}`)
  const expected = rows.filter(({ id, category }) => category === 0n && id > rows[2]!.id).slice(0, 2)
  assert.deepEqual(idsOf(later.body as Item[]), idsOf(expected))
})

const BAD: [query: string, message: RegExp][] = [
  ...['', '1,2', '01', '+7', '-0', '1.0', '7e0', '%207', 'dog', '9223372036854775808', '-9223372036854775809'].map(
    (value): [string, RegExp] => [
      `categoryId=${value}`,
      /^`categoryId` must be an integer from -9223372036854775808 to 9223372036854775807; got "/,
    ],
  ),
  ['categoryId=7&categoryId=7', /^`categoryId` must be given only once\.$/],
  ['sort=', /^`sort` must be one of oldest, newest; got ""/],
  ['sort=Newest', /did you mean newest\?$/],
  ['sort=-id', /^`sort` must be one of oldest, newest/],
  ['sort=newest&sort=newest', /^`sort` must be given only once\.$/],
  ['view=', /^`view` must be one of basic, full; got ""/],
  ['view=FULL', /did you mean full\?$/],
  ['view=full,basic', /^`view` must be one of basic, full/],
  ['view=full&view=full', /^`view` must be given only once\.$/],
]
for (const [query, message] of BAD)
  test(`GET /v1/pets?${query} is rejected`, async () => {
    const answer = await call(`/v1/pets?${query}`)
    assertError(answer, 400, 'invalid_parameter')
    assert.match(String((answer.body as Item)['message']), message)
  })

test('pages of different categories, statuses, views and directions that are read together are not mixed up', async () => {
  const queries = CATEGORIES.flatMap((category) =>
    STATUSES.flatMap((status) =>
      ['', '&sort=newest', '&view=full', '&sort=newest&view=full'].map(
        (more) => `limit=4&categoryId=${category}${status ? `&status=${status}` : ''}${more}`,
      ),
    ),
  )
  const together = await Promise.all(queries.map((query) => call(`/v1/pets?${query}`)))
  for (const [i, query] of queries.entries())
    assert.equal(together[i]!.text, (await call(`/v1/pets?${query}`)).text, query)
})
