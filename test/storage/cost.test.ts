import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { findStatement, listStatement } from '../../src/storage/pets/pets.ts'
import { connectionSettings } from '../../src/storage/postgres/connection.ts'
import type { Statement } from '../../src/storage/postgres/statement.ts'
import { createDatabase } from '../support/database.ts'

const PETS = 1_000_000
const RARE = 60

const { url, pool } = await createDatabase()
const client = new pg.Client(connectionSettings(url))

// Sold is rare, and stands at the end: the worst case for a plan that walks the table and filters.
await pool.query(
  `insert into pets (name, category_id, status)
   select 'pet ' || i, i % 1000,
          case when i > $1::int - $2::int then 'sold' when i % 3 = 0 then 'available' when i % 3 = 1 then 'pending' end
   from generate_series(1, $1::int) as i`,
  [PETS, RARE],
)
await pool.query('vacuum analyze pets')
await client.connect()

const PAGES: [name: string, after: bigint][] = [
  ['the first page', 0n],
  ['a page in the middle', BigInt(PETS / 2)],
  ['the last page', BigInt(PETS - RARE)],
]
const STATUSES = [undefined, 'available', 'pending', 'sold'] as const // and sold is rare

for (const [page, after] of PAGES) {
  for (const status of STATUSES) {
    for (const limit of [1, 20, 100]) {
      test(`${page} of ${limit} with status ${status} reads at most limit + 1 rows, through an index`, async () => {
        const read = await rowsReadBy(listStatement(status, [{ after, limit }]))
        assert.ok(read <= limit + 1, `${read} rows read`)
      })
    }
  }
}

for (const status of STATUSES) {
  test(`thirty pages with status ${status} at once read no more than one after the other`, async () => {
    const pages = Array.from({ length: 30 }, (_, i) => ({ after: BigInt(i * 30_000), limit: 20 }))
    const read = await rowsReadBy(listStatement(status, pages))
    assert.ok(read <= 30 * 21, `${read} rows read`)
  })
}

for (const count of [1, 100, 200]) {
  test(`${count} pets by their ids read as many rows, through an index`, async () => {
    const ids = Array.from({ length: count }, (_, i) => BigInt((i + 1) * 5_000))
    assert.equal(await rowsReadBy(findStatement(ids)), count)
  })
}

test('done', async () => client.end())

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

/** How many rows of the table a statement reads, which it must do through indexes. */
async function rowsReadBy(statement: Statement) {
  // Ten executions: after five, PostgreSQL may change to a plan that knows no values.
  for (let i = 0; i < 10; i++) await client.query(statement)
  const values = statement.values!.map((array) => `'{${String(array)}}'`).join(', ')
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, buffers, format json) execute "${statement.name!}"(${values})`,
  )
  const scans = nodes(rows[0]!['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] === 'pets')
  const plan = JSON.stringify(rows[0], null, 1)
  assert.ok(scans.length > 0 && scans.every((node) => node['Index Name']), plan)
  return scans.reduce((sum, node) => sum + rowsRead(node), 0)
}

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)]
}

/** What a scan has read, whether it passed it on or threw it away. */
function rowsRead(node: Plan) {
  const thrownAway = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return (node['Actual Rows'] + thrownAway) * node['Actual Loops']
}
