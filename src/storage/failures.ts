import pg from 'pg'
import type { Statement } from './statement.ts'

/** The database did not answer, or not in time: the caller may try again later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** The database was lost while it was writing: perhaps it has, perhaps not. */
export class OutcomeUnknown extends DatabaseUnavailable {
  override name = 'OutcomeUnknown'
}

/** The database refused one of the values that the statement brought. Nothing was done. */
export class ValueRefused extends Error {
  override name = 'ValueRefused'
}

/** Every connection of this process is busy with other statements, and stayed so. */
export class DatabaseBusy extends Error {
  override name = 'DatabaseBusy'
}

// SQLSTATE classes and codes of a server that can't serve now; any other code is a fault in a statement of ours.
const UNAVAILABLE = /^(?:08|28|3D|53|57|58|25006)/

/** No error of the driver leaves storage as it is. */
export function meaningOf(error: unknown, { name, text }: Statement) {
  if (isUnavailable(error)) return unavailable(error)
  const message = `the statement ${name ?? text} failed`
  return isFaultOfValue(error) ? new ValueRefused(message, { cause: error }) : new Error(message, { cause: error })
}

export function unavailable(cause: unknown) {
  return new DatabaseUnavailable('the database is unavailable', { cause })
}

/** The SQLSTATE classes of data exceptions and of violated constraints. */
function isFaultOfValue(error: unknown) {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')
}

function isUnavailable(error: unknown) {
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(error.code ?? '')
  // Whatever else the driver throws tells of a connection: refused, reset, timed out, ended. A fault of ours does not.
  return !(error instanceof TypeError)
}
