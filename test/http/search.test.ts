import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { LOCKS } from '../../src/storage/postgres/locks.ts'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { toolCaller } from '../support/mcp.ts'
import { until } from '../support/until.ts'

// What a client cannot provoke from outside; the rest is in acceptance/clauses/store/search.ts.
const ORIGIN = 'https://shop.example'
const { call, pool, service } = await startApp({ corsOrigins: [ORIGIN], adminPort: await freePort() })
const tool = toolCaller(call)

/** Pets with these names, straight into the tables; each word of theirs is ASCII. Returns their ids. */
async function insertNamed(names: string[], categoryId: number) {
  const { rows } = await pool.query<{ id: string }>(
    `with new as (
       insert into pets (name, category_id, worded) select name, $2, true from unnest($1::text[]) as name returning id, name),
     worded as (insert into pet_words select word, id from new, unnest(string_to_array(lower(name), ' ')) as word)
     select id from new order by id`,
    [names, categoryId],
  )
  return rows.map(({ id }) => BigInt(id))
}

const many = (count: number, name: string) => Array.from({ length: count }, () => name)

async function pagesOf(first: string, between?: () => Promise<unknown>) {
  const pages: bigint[][] = []
  for (let next: string | undefined = first; next; ) {
    const { status, body, headers, text } = await call(next)
    assert.equal(status, 200, text)
    pages.push((body as { id: bigint }[]).map(({ id }) => id))
    next = /<([^>]*)>/.exec(headers.get('link') ?? '')?.[1]
    await between?.()
  }
  return pages
}

async function counted(name: string) {
  const text = await (await fetch(`${service.adminAddress}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
}

test('a page looks at 1,000 words at most, and leads to the next one even if it is empty', async () => {
  const [first] = await insertNamed(many(1, 'Short Max'), 1)
  await insertNamed(many(2_500, 'Max'), 2)
  await insertNamed(many(1_500, 'Other'), 1)
  const [last] = await insertNamed(many(1, 'Short Max'), 1)
  assert.deepEqual(await pagesOf('/v1/pets?name=max&categoryId=1'), [[first], [], [last]])
  assert.equal(await counted('petstore_search_short_pages_total'), 2)
})

test('a walk through a category goes on when the category has become too large to be read whole', async () => {
  const ids = await insertNamed(['Grow a', 'Grow b', 'Grow c', 'Grow d'], 3)
  let isLarge = false
  const pages = await pagesOf('/v1/pets?name=grow&categoryId=3&limit=1', async () => {
    if (!isLarge) await insertNamed(many(1_500, 'Else'), 3)
    isLarge = true
  })
  assert.deepEqual(
    pages,
    ids.map((id) => [id]),
  )
})

test('words of pets that are deleted or renamed are passed over, and counted', async () => {
  const [gone, renamed, kept] = await insertNamed(many(3, 'Stale'), 4)
  await pool.query('delete from pets where id = $1', [gone])
  await pool.query(`update pets set name = 'Fresh' where id = $1`, [renamed])
  assert.deepEqual(await pagesOf('/v1/pets?name=stale'), [[kept]])
  assert.equal(await counted('petstore_search_stale_entries_total'), 2)
})

test('while words are being made, a search says so, also to pages of other origins', async () => {
  const search = (path: string) => call(path, { headers: { origin: ORIGIN } })
  // The range is that of an import whose transaction is not over, so that no job takes it.
  const transaction = await pool.connect()
  const complete = await search('/v1/pets?name=max')
  assert.equal(complete.headers.get('petstore-search-incomplete'), null)
  try {
    await transaction.query('select pg_advisory_lock($1)', [LOCKS.words])
    await pool.query(
      `insert into word_ranges (last_id, reached) select last_value, ceil(last_value / 2.0) from pets_id_seq`,
    )
    // The very next search says so: the one before may have been a moment ago.
    const { headers } = await search('/v1/pets?name=max')
    assert.equal(headers.get('petstore-search-incomplete'), '50')
    assert.match(headers.get('access-control-expose-headers') ?? '', /, Petstore-Search-Incomplete$/)
    for (const [args, expected] of [
      [{ name: 'max' }, 50],
      [{}, undefined],
    ] as const) {
      const { value, text } = await tool('find_pets', args)
      assert.equal(value['searchIncomplete'], expected, text)
    }
    const list = await search('/v1/pets')
    assert.equal(list.headers.get('petstore-search-incomplete'), null)
    assert.ok(!list.headers.get('access-control-expose-headers')?.includes('Search'))
  } finally {
    await transaction.query('select pg_advisory_unlock($1)', [LOCKS.words])
    transaction.release()
  }
  await until(async () => !(await search('/v1/pets?name=max')).headers.has('petstore-search-incomplete'))
})

test('text that no name can have finds nothing', async () => {
  for (const name of ['%00', '%00%20']) assertError(await call(`/v1/pets?name=${name}`), 400, 'invalid_parameter')
  assert.equal((await call('/v1/pets?name=max%00zzz')).text, '[]')
  for (const name of ['\ud800', 'max \udc00']) {
    const { value, isError } = await tool('find_pets', { name })
    assert.deepEqual([isError ?? false, value], [false, { pets: [] }])
  }
})

test('a tool finds what its operation does', async () => {
  const ids = await insertNamed(['Tool', 'Toolbox'], 5)
  const { value } = await tool('find_pets', { name: 'TOOL', limit: 1 })
  const { value: next } = await tool('find_pets', { name: 'TOOL', limit: 1, cursor: value['nextCursor'] })
  const found = [value, next].flatMap(({ pets }) => pets as { id: string }[])
  assert.deepEqual(
    found.map(({ id }) => BigInt(id)),
    ids,
  )
  const { value: other } = await tool('find_pets', { name: 'Max', cursor: value['nextCursor'] })
  assert.equal(other['code'], 'invalid_cursor')
  assert.match(String(other['message']), /search for another `name`\. Send `nextCursor`/)
})
