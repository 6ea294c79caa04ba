import pg from 'pg'
import { DEFAULT_STORE, type StoreAddress, URL_VARIABLES } from '../../lib/ids/store-address.ts'
import type { Statement } from './statement.ts'

/** The database did not respond, or not in time. The caller may try again later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** The server is reachable, but this process can't use it. The message says why. */
export class DatabaseRejects extends DatabaseUnavailable {
  override name = 'DatabaseRejects'
}

/** The database was lost during a write that must not be repeated: it may have been committed, or not. */
export class OutcomeUnknown extends DatabaseUnavailable {
  override name = 'OutcomeUnknown'
}

/** The database rejected one of the values of the statement. Nothing was done. */
export class ValueRejected extends Error {
  override name = 'ValueRejected'
}

/** A table or column is missing: migrations of this version were not applied. Nothing was done. */
export class SchemaOutdated extends Error {
  override name = 'SchemaOutdated'
}

/** Nothing was done: every connection of this process stayed busy with other statements. */
export class DatabaseBusy extends Error {
  override name: string = 'DatabaseBusy'
}

/** Nothing was done: other transactions kept the row locked, or too many requests wait for it. */
export class RowBusy extends DatabaseBusy {
  override name = 'RowBusy'
}

/** For failures after the work has begun. `DatabaseBusy` would claim that it has not. */
export function afterBeginning(error: unknown) {
  return error instanceof DatabaseBusy ? new DatabaseUnavailable(error.message, { cause: error }) : error
}

// SQLSTATE classes and codes of a server that can't serve now; any other code is a fault in a statement of ours.
const UNAVAILABLE = /^(?:08|28|3D|53|57|58|25006|42501)/
const UNDEFINED_TABLE_OR_COLUMN = /^(?:42P01|42703)$/

// Why a server that is reachable can't serve, and what to do. PostgreSQL's own message, which follows in the log, may say neither.
const REASONS: Record<string, string> = {
  '28000':
    'the database server rejects the role in DATABASE_URL: it does not exist, may not log in, or is not allowed by pg_hba.conf; create it with deploy/postgres/roles.sql, or allow it there',
  '28P01':
    'the database server rejects the user or the password in DATABASE_URL; correct them, with special characters percent-encoded (% as %25, @ as %40)',
  '3D000': 'the database named in DATABASE_URL does not exist; create it, or correct the name',
  '42501': 'the role in DATABASE_URL lacks a right; run deploy/postgres/grants.sql as the owner of the tables',
  '53100': "the database server's disk is full; free space on it, or enlarge it",
  '53200': 'the database server is out of memory; add memory, or lower its work_mem or the number of connections',
  '53300':
    'the database server has no connection slots left; raise max_connections (or the connection limit of the role or the database), or lower WORKERS or DATABASE_CONNECTIONS',
}

/** Translates an error of the driver, none of which leaves storage. */
export function meaningOf(error: unknown, { name, text }: Statement, address?: StoreAddress) {
  if (isUnavailable(error)) return unavailable(error, address)
  const message = `the statement ${name ?? text} failed`
  if (UNDEFINED_TABLE_OR_COLUMN.test(sqlStateOf(error))) return new SchemaOutdated(message, { cause: error })
  return isFaultOfValue(error) ? new ValueRejected(message, { cause: error }) : new Error(message, { cause: error })
}

export function unavailable(cause: unknown, address: StoreAddress = DEFAULT_STORE) {
  if (cause instanceof DatabaseRejects) return cause
  const reason = REASONS[sqlStateOf(cause)]
  return reason === undefined
    ? new DatabaseUnavailable('the database is unavailable', { cause })
    : new DatabaseRejects(address === DEFAULT_STORE ? reason : ofSandbox(reason), { cause })
}

/** No variable changes how many connections a sandbox has. */
function ofSandbox(reason: string) {
  return reason.replace('DATABASE_URL', URL_VARIABLES.test).replace(' or DATABASE_CONNECTIONS', '')
}

/** Whether the SQLSTATE is that of a data exception or of a violated constraint. */
function isFaultOfValue(error: unknown) {
  return /^2[23]/.test(sqlStateOf(error))
}

/** The SQLSTATE; empty if the error did not come from the server. */
export function sqlStateOf(error: unknown) {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : ''
}

function isUnavailable(error: unknown) {
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(sqlStateOf(error))
  // All other errors of the driver come from the connection: refused, reset, timed out, ended. A TypeError is a bug of ours.
  return !(error instanceof TypeError)
}
