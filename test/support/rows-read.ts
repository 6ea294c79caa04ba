import assert from 'node:assert/strict'
import type pg from 'pg'
import type { Statement } from '../../src/storage/postgres/statement.ts'

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

/** How many rows of a table a statement reads, which it must do through indexes. On a connection with the settings of the service. */
export async function rowsReadBy(client: pg.Client, statement: Statement, table = 'pets') {
  await client.query(statement)
  const values = (statement.values ?? []).map(
    (value) => `'${Array.isArray(value) ? arrayLiteral(value) : String(value)}'`,
  )
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, buffers, format json) execute "${statement.name!}"${values.length > 0 ? `(${values.join(', ')})` : ''}`,
  )
  const scans = nodes(rows[0]!['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] === table)
  const plan = JSON.stringify(rows[0], null, 1)
  assert.ok(scans.length > 0 && scans.every((node) => node['Index Name']), plan)
  return scans.reduce((sum, node) => sum + rowsRead(node), 0)
}

/** Of words without quotes, which may be empty. */
function arrayLiteral(words: unknown[]) {
  return `{${words.map((word) => `"${String(word)}"`).join()}}`
}

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)]
}

/** What a scan has read, whether it passed it on or threw it away. PostgreSQL reports an average of its loops, rounded in 15. */
function rowsRead(node: Plan) {
  const thrownAway = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return (node['Actual Rows'] + thrownAway) * node['Actual Loops']
}
