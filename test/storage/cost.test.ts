import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { listStatement, type PetFilter } from '../../src/storage/pets.ts'
import { createDatabase } from '../support/database.ts'

const PETS = 1_000_000
const RARE = 60

const { url, pool } = await createDatabase()
const client = new pg.Client(url)

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
const everyTenThousandth = Array.from({ length: 100 }, (_, i) => BigInt((i + 1) * 10_000))
const sold = Array.from({ length: 50 }, (_, i) => BigInt(PETS - i))
const FILTERS: [name: string, filter: PetFilter][] = [
  ['no filter', {}],
  ['available', { status: 'available' }],
  ['pending', { status: 'pending' }],
  ['sold, which is rare', { status: 'sold' }],
  ['100 ids', { ids: everyTenThousandth }],
  ['100 ids that are pending', { ids: everyTenThousandth, status: 'pending' }],
  ['100 ids, of which 50 are sold', { ids: [...everyTenThousandth.slice(0, 50), ...sold], status: 'sold' }],
  ['one id', { ids: [BigInt(PETS / 2)] }],
]

for (const [page, after] of PAGES) {
  for (const [filter, given] of FILTERS) {
    for (const limit of [1, 20, 100]) {
      test(`${page} of ${limit} with ${filter} reads at most limit + 1 rows, through an index`, async () => {
        const statement = listStatement(given, after, limit + 1)
        // Ten executions: after five, PostgreSQL may change to a plan that knows no values.
        for (let i = 0; i < 10; i++) await client.query(statement)
        const values = statement.values!.map(literal).join(', ')
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `explain (analyze, buffers, format json) execute "${statement.name!}"(${values})`,
        )
        const scans = nodes(rows[0]!['QUERY PLAN'][0].Plan).filter((node) => node['Node Type'].includes('Scan'))
        const read = scans.reduce((sum, node) => sum + rowsRead(node), 0)
        const plan = JSON.stringify(rows[0], null, 1)
        assert.ok(scans.length > 0 && scans.every((node) => node['Index Name']), plan)
        assert.ok(read <= limit + 1, `${read} rows read\n${plan}`)
      })
    }
  }
}

test('done', async () => client.end())

interface Plan {
  'Node Type': string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)]
}

/** What a scan has read, whether it passed it on or threw it away. */
function rowsRead(node: Plan) {
  const thrownAway = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return (node['Actual Rows'] + thrownAway) * node['Actual Loops']
}

function literal(value: unknown) {
  return Array.isArray(value) ? `'{${value.join(',')}}'` : String(value)
}
