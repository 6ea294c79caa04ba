import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { postJson, startApp } from '../support/app.ts'
import { LONG } from '../support/long.ts'

const MIN = -(2n ** 63n)
const MAX = 2n ** 63n - 1n
const VALUES = LONG ? 10_000 : 500

const { call, pool } = await startApp()

// Around every power of two and of ten, where doubles begin to round; the rest over the whole range.
const edges = Array.from({ length: 64 }, (_, bit) => 2n ** BigInt(bit))
  .concat(Array.from({ length: 19 }, (_, digits) => 10n ** BigInt(digits)))
  .flatMap((power) => [power - 1n, power, power + 1n, -power - 1n, -power, -power + 1n])
  .filter((value) => value >= MIN && value <= MAX)
const random = fc.sample(fc.bigInt({ min: MIN, max: MAX }), VALUES - edges.length)
const values = [...edges, ...random]

test(`${VALUES} values over the whole range keep every digit from create to get to list`, async () => {
  const expected = new Map<string, string>()
  await inParallel(values, async (value, place) => {
    const created = await call('/v1/pets', postJson(`{"categoryId":${value},"name":"${place}"}`))
    assert.equal(created.status, 201)
    const [, id] = /^\{"id":(\d+),/.exec(created.text)!
    assert.equal(created.text, `{"id":${id},"name":"${place}","categoryId":${value}}`)
    assert.equal((await call(`/v1/pets/${id}`)).text, created.text)
    expected.set(id!, created.text)
  })

  let next: string | undefined = '/v1/pets?limit=100'
  while (next) {
    const { text, headers } = await call(next)
    for (const pet of text.slice(1, -1).split(/(?<=\}),/)) {
      const [, id] = /^\{"id":(\d+),/.exec(pet)!
      assert.equal(pet, expected.get(id!))
      expected.delete(id!)
    }
    next = /<([^>]*)>/.exec(headers.get('link') ?? '')?.[1]
  }
  assert.equal(expected.size, 0)

  const { rows } = await pool.query<{ name: string; category: string }>(
    'select name, category_id::text as category from pets',
  )
  for (const { name, category } of rows) assert.equal(category, String(values[Number(name)]))
})

test('an id keeps every digit in a path, in a filter and in a link', async () => {
  const largest = 2n ** 53n - 1n
  await pool.query(`insert into pets (id, name, category_id) values ($1, 'last', 0)`, [largest])
  assert.equal((await call(`/v1/pets/${largest}`)).status, 200)
  assert.equal((await call(`/v1/pets?id=${largest}`)).text, `[{"id":${largest},"name":"last","categoryId":0}]`)
  await inParallel([largest + 1n, largest + 2n, ...edges, ...random.slice(0, VALUES / 20)], async (value) => {
    if (value > 0n && value <= BigInt(VALUES)) return
    if (value === largest) return
    const { status, headers } = await call(`/v1/pets/${value}`)
    assert.equal(status, 404, String(value))
    assert.ok(headers.get('link')!.includes(`</v1/pets?id=${value}>; rel="successor-version"`))
    assert.equal((await call(`/v1/pets?id=${value}`)).text, '[]')
  })
  const { headers } = await call(`/v1/pets?limit=1&id=1,2,${MIN},${MAX}`)
  assert.ok(decodeURIComponent(headers.get('link')!).includes(`id=1,2,${MIN},${MAX}&`))
})

test('ids start at 1, grow, and stay below 2^53', async () => {
  const { rows } = await pool.query<{ start: string; max: string }>(
    `select start_value as start, max_value as max from pg_sequences where sequencename = 'pets_id_seq'`,
  )
  assert.deepEqual(rows, [{ start: '1', max: String(2n ** 53n - 1n) }])
})

/** Thirty-two at a time. */
async function inParallel<T>(items: T[], work: (item: T, place: number) => Promise<void>) {
  const entries = items.entries()
  const worker = async () => {
    for (const [place, item] of entries) await work(item, place)
  }
  await Promise.all(Array.from({ length: 32 }, worker))
}
