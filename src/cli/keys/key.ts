import { hostname, userInfo } from 'node:os'
import { findKey } from '../../domain/keys.ts'
import { DEFAULT_OPEN_ORDERS } from '../../domain/orders.ts'
import type { ApiKey } from '../../domain/types/key.ts'
import { parseDuration } from '../../lib/duration.ts'
import { LOOKS_LIKE_KEY } from '../../lib/ids/key-format.ts'
import { parseRateLimit } from '../../lib/rate-limit.ts'
import type { connect } from '../../service.ts'
import { CommandError, UsageError } from '../failure.ts'
import { count } from '../progress.ts'
import { formatMinute } from '../time.ts'

/** People expect test keys to have test data. */
export const TEST_KEY_NOTE = 'There is no sandbox, so it reads and writes the same pets as live keys.'

export type Db = ReturnType<typeof connect>

/** The user and host for the history of a key, as the system reports them: no variable or option can change them. */
export function operator() {
  const printable = (text: string, maxLength: number) => text.replaceAll(/\p{Cc}/gu, '?').slice(0, maxLength)
  return `${printable(userName(), 64)}@${printable(hostname(), 190)}`
}

function userName() {
  try {
    return userInfo().username
  } catch {
    // In a container the user id need not have a name.
    return `uid ${process.getuid?.()}`
  }
}

/** The id of a key, followed by as many values as the command takes. */
export function readNamed(positionals: string[], usage: string, values = 0): [id: string, ...values: string[]] {
  const [id, ...rest] = positionals
  if (id === undefined || rest.length !== values) throw new UsageError(`Name one key: petstore keys ${usage}`)
  return [id, ...rest]
}

export async function requireKey(db: Db, id: string) {
  return (await findKey({ db }, id)) ?? unknownKey(id)
}

export function unknownKey(id: string): never {
  if (LOOKS_LIKE_KEY.test(id))
    throw new CommandError(
      'This is an API key, not the id of one (key_…). On a command line others can read it, so treat it as leaked. `petstore keys find -` and `petstore keys revoke -` read a key from standard input.',
    )
  throw new CommandError(`There is no key ${JSON.stringify(id)}. See \`petstore keys list\`.`)
}

/** The time at which a key expires; null for never. */
export function readExpiry(text: string, option: string) {
  if (text === 'never') return null
  const duration = parseDuration(text)
  if (duration === undefined) throw new UsageError(`${option} takes 90d, 12h, 30m, 45s, or never.`)
  return new Date(Date.now() + duration)
}

export function readLimit(text: string, where: string) {
  if (text === 'none') return null
  const limit = parseRateLimit(text)
  if (limit === undefined) throw new UsageError(`${where} takes 100/s, 6000/m, 50000/h, or none.`)
  return limit
}

export function expiry({ expiresAt }: ApiKey) {
  return expiresAt ? `expires ${formatMinute(expiresAt)} UTC` : 'never expires'
}

/** How many open orders it may have. */
export function mostOpen({ openOrders }: ApiKey) {
  return count(openOrders ?? DEFAULT_OPEN_ORDERS)
}
