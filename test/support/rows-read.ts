import assert from 'node:assert/strict'
import pg from 'pg'
import type { Statement } from '../../src/storage/postgres/statement.ts'

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: Plan[]
}

/** How many rows of a table a statement reads, which it must do through indexes. On a connection with the settings of the service. */
export async function rowsReadBy(client: pg.Client, statement: Statement, table = 'pets') {
  return rowsOf(await planOf(client, statement), table)
}

/** How many pages PostgreSQL reads for a statement, and how many rows of some tables, which it must find through indexes. */
export async function readingOf(client: pg.Client, statement: Statement, tables: readonly string[]) {
  const plan = await planOf(client, statement)
  const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = plan
  return { buffers: hit + read, rows: tables.map((table) => rowsOf(plan, table)) }
}

async function planOf(client: pg.Client, statement: Statement) {
  await client.query(statement)
  const values = (statement.values ?? []).map((value) => pg.escapeLiteral(arrayText(value))).join(', ')
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, buffers, format json) execute "${statement.name!}"${values && `(${values})`}`,
  )
  return rows[0]!['QUERY PLAN'][0].Plan
}

/** Texts are quoted; other values are array literals already. */
function arrayText(value: unknown) {
  return Array.isArray(value) ? JSON.stringify(value).replace(/^\[(.*)\]$/su, '{$1}') : String(value)
}

function rowsOf(plan: Plan, table: string) {
  const scans = nodes(plan).filter((node) => node['Relation Name'] === table)
  assert.ok(scans.length > 0 && scans.every((node) => node['Index Name']), JSON.stringify(plan, null, 1))
  return scans.reduce((sum, node) => sum + rowsRead(node), 0)
}

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)]
}

/** What a scan has read, whether it passed it on or threw it away. PostgreSQL reports an average of its loops, rounded in 15. */
function rowsRead(node: Plan) {
  const thrownAway = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return (node['Actual Rows'] + thrownAway) * node['Actual Loops']
}
