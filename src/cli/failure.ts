import { ConfigError } from '../config.ts'
import { didYouMean } from '../lib/did-you-mean.ts'
import { errorCode } from '../lib/errors.ts'
import { withoutKeys } from '../lib/ids/key-format.ts'

export const USAGE_EXIT_CODE = 2

/** The command line was not understood. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command can't do what was asked; the message says what to do next. */
export class CommandError extends Error {
  override name = 'CommandError'
}

const OUTDATED = 'The database schema is outdated. Run `petstore migrate`.'
const UNTRUSTED =
  "PostgreSQL's certificate is not signed by a trusted authority. Set sslrootcert in DATABASE_URL to the file with the certificate of its authority."

/** Hints for errors of the system and of PostgreSQL, by code. */
const HINTS: Record<string, string | ((error: Details) => string)> = {
  EADDRINUSE: (error) =>
    `The port is taken: ${at(error)} is in use by another process. Stop it, or choose another port with PORT (ADMIN_PORT for metrics).`,
  EADDRNOTAVAIL: (error) =>
    `${at(error)} is not an address of this machine. Set HOST (ADMIN_HOST for metrics) to one that is.`,
  EACCES: (error) =>
    error.syscall === 'listen'
      ? `No permission to listen on ${at(error)}. Choose a port of 1024 or above with PORT.`
      : `No permission to read or write ${error.path ?? error.address}.`,
  ENOENT: (error) =>
    error.syscall === 'connect'
      ? `PostgreSQL does not listen on the socket ${error.address}. Is it running, and is host in DATABASE_URL the directory of its socket?`
      : `There is no file ${error.path}.`,
  ECONNREFUSED: 'PostgreSQL does not accept connections at the host and port in DATABASE_URL. Is it running there?',
  ENOTFOUND: (error) => `The host name ${error.hostname} does not resolve. Check DATABASE_URL and HOST.`,
  EAI_AGAIN: (error) => `The host name ${error.hostname} can't be resolved right now: the DNS server does not respond.`,
  ENOTSUP: 'This system cannot share one port among several processes. Set WORKERS to 1.',
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_HAS_EXPIRED: "PostgreSQL's certificate has expired. Renew it.",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "PostgreSQL's certificate is not for the host in DATABASE_URL. Use the name in the certificate, or issue one for this host.",
  '28P01':
    'PostgreSQL rejected the user or password in DATABASE_URL. Write a % in them as %25, and other special characters in the same way.',
  '28000':
    'PostgreSQL rejected the connection: the role in DATABASE_URL does not exist, may not log in, or is not allowed by pg_hba.conf. Create it with deploy/postgres/roles.sql, or allow it there.',
  '42501': 'The role in DATABASE_URL lacks a permission that this command needs. deploy/postgres has the roles.',
  '42703': OUTDATED,
  '42P01': OUTDATED,
  '3D000': 'The database named in DATABASE_URL does not exist. Create it first.',
  '53100': "The database server's disk is full. Free space on it, or enlarge it.",
  '53200': 'The database server is out of memory. Add memory, or lower its work_mem or the number of connections.',
  '53300':
    'PostgreSQL has no connection slots left. Raise max_connections (or the connection limit of the role or the database), or stop other clients.',
}

/** The fields that Node adds to system errors. */
interface Details extends NodeJS.ErrnoException {
  address?: string
  port?: number
  hostname?: string
}

function at({ address = '', port }: Details) {
  const host = address.includes(':') ? `[${address}]` : address
  return port === undefined || port === 0 ? host : `${host}:${port}`
}

// The driver has no code for it.
const NO_TLS = 'The server does not support SSL connections'
const NO_TLS_HINT =
  'PostgreSQL does not offer TLS, which sslmode in DATABASE_URL asks for. Turn on ssl in postgresql.conf, or leave sslmode out on a network that you trust.'

/** The message for the user, and the exit code. `usage` is the help of the command. */
export function explain(error: unknown, usage = '') {
  const { message, exitCode } = explanationOf(error, usage)
  // An argument in the wrong place may be a key, and parseArgs repeats what it does not understand.
  return { message: withoutKeys(message), exitCode }
}

function explanationOf(error: unknown, usage: string): { message: string; exitCode: number } {
  // The first failure explains more than a resource that could not be closed after it.
  if (error instanceof SuppressedError) return explanationOf(error.suppressed, usage)
  if (error instanceof UsageError) return { message: error.message, exitCode: USAGE_EXIT_CODE }
  if (error instanceof ConfigError || error instanceof CommandError) return { message: error.message, exitCode: 1 }
  const origin = rootOf(error)
  const { message } = origin
  const code = errorCode(origin)
  if (code.startsWith('ERR_PARSE_ARGS')) return { message: argumentSentence(message, usage), exitCode: USAGE_EXIT_CODE }
  if (message === NO_TLS) return { message: NO_TLS_HINT, exitCode: 1 }
  const hint = HINTS[code]
  if (hint === undefined) {
    const outer = error instanceof Error && error !== origin ? `${error.message}: ` : ''
    return { message: `${outer}${message || String(origin)}`, exitCode: 1 }
  }
  if (typeof hint === 'function') return { message: `${hint(origin)} (${code})`, exitCode: 1 }
  // The message names the role, the table, the host or the permission.
  return { message: `${hint} (${message.includes(code) ? message : `${code}: ${message}`})`, exitCode: 1 }
}

/** The message of parseArgs, on one line, with its advice on arguments that begin with a dash only where it applies. */
function argumentSentence(message: string, usage: string) {
  const ambiguous = /^Option '(?<option>[^']+)' argument is ambiguous/.exec(message)?.groups?.['option']
  if (ambiguous !== undefined)
    return `Option '${ambiguous}' needs a value. One that begins with a dash is written ${ambiguous}=VALUE.`
  const option = /^Unknown option '(?<option>[^']+)'/.exec(message)?.groups?.['option']
  if (option === undefined) return `${message}.`
  return `Unknown option '${option}'.${suggestion(option, usage.match(/--[a-z-]+/g))}`
}

/** A hint for a word that is not known, with a space before it, or nothing. */
export function suggestion(word: string, known: readonly string[] | null) {
  const meant = didYouMean(word, known ?? [])
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

/** The innermost cause. */
function rootOf(error: unknown): Details {
  if (!(error instanceof Error)) return new Error(String(error))
  return error.cause instanceof Error ? rootOf(error.cause) : error
}
