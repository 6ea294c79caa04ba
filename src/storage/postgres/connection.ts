import pg from 'pg'

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
