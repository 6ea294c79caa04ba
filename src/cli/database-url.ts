import { join } from 'node:path'
import { hasDatabaseUrl, readConfig } from '../config.ts'
import { runningIn } from './dev/embedded-postgres.ts'
import type { Io } from './io.ts'

/** The data directory of `petstore dev`, in the current directory. */
export const DEV_DIRECTORY = '.petstore'

/** `DATABASE_URL`; where that is not set, the database of a `petstore dev` that runs in this folder. */
export async function findDatabaseUrl({ env, stderr, cwd }: Io) {
  const running = hasDatabaseUrl(env) ? undefined : await runningIn(join(cwd(), DEV_DIRECTORY))
  // Reports that DATABASE_URL is required if it is not set.
  if (running === undefined) return readConfig(env).stores[0].databaseUrl
  stderr.write(`DATABASE_URL is not set: using the database of petstore dev in ${DEV_DIRECTORY}/.\n`)
  return running
}
