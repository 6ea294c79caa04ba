import { ConfigError } from '../config.ts'

/** The command line was not understood. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command can't do what was asked; the message says what to do next. */
export class CommandError extends Error {
  override name = 'CommandError'
}

const HINTS: Record<string, string> = {
  EADDRINUSE: 'The port is taken: choose another with PORT (or ADMIN_PORT for metrics).',
  EACCES: 'No permission to listen there: choose a PORT of 1024 or above.',
  ECONNREFUSED: 'PostgreSQL does not answer at the address in DATABASE_URL.',
  ENOTFOUND: 'A host name has no address: look at DATABASE_URL and HOST.',
  ENOTSUP: 'This system does not spread one port over several processes: leave WORKERS at 1.',
  '28P01': 'PostgreSQL refused the user or password in DATABASE_URL.',
  '42703': 'The database is not at the version of this program: run `petstore migrate`.',
  '42P01': 'The database is not at the version of this program: run `petstore migrate`.',
  '3D000': 'The database named in DATABASE_URL does not exist: create it first.',
}

/** What a person is told about a failure, and the exit code that goes with it. */
export function explain(error: unknown): { message: string; exitCode: number } {
  // What failed first says more than what then could not be closed.
  if (error instanceof SuppressedError) return explain(error.suppressed)
  if (error instanceof UsageError) return { message: error.message, exitCode: 2 }
  if (error instanceof ConfigError || error instanceof CommandError) return { message: error.message, exitCode: 1 }
  const origin = rootOf(error)
  const { code = '', message } = origin as NodeJS.ErrnoException
  // parseArgs speaks for itself.
  if (code.startsWith('ERR_PARSE_ARGS')) return { message, exitCode: 2 }
  const hint = HINTS[code]
  const outer = error === origin ? '' : `${(error as Error).message}: `
  return { message: hint ? `${hint} (${code})` : `${outer}${message || String(origin)}`, exitCode: 1 }
}

/** What went wrong first. */
function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : error
}
