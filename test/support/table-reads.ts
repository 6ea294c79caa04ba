import assert from 'node:assert/strict'
import type pg from 'pg'
import type { Statement } from '../../src/storage/postgres/statement.ts'

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

/**
 * How many rows of each table a statement reads, whether it passes them on or not, which it must do through indexes. On
 * a connection with the settings of the service. Those that are always `small` it may scan. What it writes is rolled back.
 */
export async function tableReads(client: pg.Client, statement: Statement, small: readonly string[] = []) {
  const plan = await planOf(client, statement)
  const reads: Record<string, number> = {}
  for (const node of nodes(plan)) {
    const table = node['Relation Name']
    if (table === undefined || !node['Node Type'].endsWith('Scan')) continue
    if (!small.includes(table)) assert.notEqual(node['Node Type'], 'Seq Scan', JSON.stringify(plan, null, 1))
    const thrownAway = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    reads[table] = (reads[table] ?? 0) + (node['Actual Rows'] + thrownAway) * node['Actual Loops']
  }
  return reads
}

/** How many blocks of tables and indexes a statement reads, without those that planning it takes. */
export async function blocksRead(client: pg.Client, statement: Statement) {
  const plan = await planOf(client, statement)
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

async function planOf(client: pg.Client, statement: Statement) {
  const { name = '', values = [] } = statement
  await client.query('begin')
  await client.query(statement)
  await client.query('rollback')
  await client.query('begin')
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, buffers, format json) execute "${name}"${values.length > 0 ? `(${values.map(literalOf).join(', ')})` : ''}`,
  )
  await client.query('rollback')
  return rows[0]!['QUERY PLAN'][0].Plan
}

/** An array of texts, as PostgreSQL writes it; other values are text or numbers already. */
function literalOf(value: unknown) {
  const items: unknown[] | undefined = Array.isArray(value) ? value : undefined
  const text = items
    ? `{${items.map((item) => (item === null ? 'NULL' : JSON.stringify(item))).join(',')}}`
    : String(value)
  return `'${text.replaceAll("'", "''")}'`
}

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)]
}
