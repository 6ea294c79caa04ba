/** The database of the live store. */
export const LIVE_DATABASE = 'live'

/**
 * The variables with the URLs of both stores. The database that PostgreSQL has anyway is the sandbox: before there were stores it was the
 * only one, with the pets of the test key, and its ids begin at 1, as the documentation shows them.
 */
export function storeVariables(postgresUrl: string) {
  const live = new URL(postgresUrl)
  live.pathname = LIVE_DATABASE
  return { DATABASE_URL: live.href, SANDBOX_DATABASE_URL: postgresUrl }
}
