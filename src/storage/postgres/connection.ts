import pg from 'pg'
import type { Statement } from './statement.ts'

export const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === pg.types.builtins.INT8 && format !== 'binary') return BigInt
    const parser: unknown = pg.types.getTypeParser(oid, format)
    return parser
  },
}

// The driver treats these as `verify-full`, but prints a warning about a later version that will not.
const SAME_AS_VERIFY_FULL = /(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/g

function withoutAliases(url: string) {
  return url.includes('uselibpqcompat') ? url : url.replace(SAME_AS_VERIFY_FULL, 'verify-full')
}

/** What every connection of ours has in common. */
export function connectionSettings(url: string) {
  return {
    connectionString: withoutAliases(url),
    application_name: 'petstore',
    keepAlive: true,
    // The planner can't know how long the lists in our batches are: it takes them for large ones, and would plan each of
    // them again and compile it, which is more work than carrying it out.
    options: '-c jit=off -c plan_cache_mode=force_generic_plan',
  } satisfies pg.ClientConfig
}

/** A connection that is not open yet. One that breaks fails its next statement; unheard, the event would end the process. */
export function newClient(url: string, settings: pg.ClientConfig = {}) {
  const client = new pg.Client({ ...connectionSettings(url), ...settings })
  client.on('error', () => {})
  return client
}

export async function rowsOf<Row extends pg.QueryResultRow>(client: pg.ClientBase, statement: Statement) {
  const { rows } = await client.query<Row>(statement)
  return rows
}
