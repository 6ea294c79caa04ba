import { parseArgs } from 'node:util'
import { expireKey, limitKey, limitOpenOrders, revokeKey } from '../../domain/key-changes.ts'
import { stateOf } from '../../domain/keys.ts'
import type { ApiKey } from '../../domain/types/key.ts'
import { pauseWebhooksOf } from '../../domain/webhooks.ts'
import { CommandError, UsageError } from '../failure.ts'
import { type Io, print, printJson } from '../io.ts'
import { formatMinute } from '../time.ts'
import { readKey } from './find.ts'
import { expiry, mostOpen, operator, readExpiry, readLimit, readNamed, unknownKey } from './key.ts'
import { type KeyStores, storeOf } from './stores.ts'

// Changes of an existing key. Every process applies them within a second.

const json = { type: 'boolean', default: false } as const

export async function revoke(io: Io, stores: KeyStores, args: string[]) {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { json } })
  const [named] = readNamed(positionals, 'revoke ID')
  const { db, id } = named === '-' ? await readKey(io, stores) : { db: await storeOf(stores, named), id: named }
  const revoked = (await revokeKey({ db }, operator(), id)) ?? unknownKey(id)
  const webhooks = await pauseWebhooksOf({ db }, revoked)
  if (values.json) return printJson(io, { ...revoked, webhooks })
  print(io, `Revoked the key ${revoked.id} (${revoked.name}). Every process rejects it within a second.`)
  for (const { id: webhook, url, state, reason, changedBy, isOwn } of webhooks) {
    if (isOwn && reason !== null) print(io, `Paused its webhook ${webhook} (${url}).`)
    const why = isOwn ? 'another key of its rotation is valid' : `${changedBy} changed it last`
    if (state === 'active')
      print(
        io,
        `Its webhook ${webhook} (${url}) still delivers: ${why}. To stop it: petstore webhooks pause ${webhook}`,
      )
  }
}

export async function expire(io: Io, stores: KeyStores, args: string[]) {
  const options = { in: { type: 'string', default: '' }, json } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [id] = readNamed(positionals, 'expire ID --in 7d')
  const expiresAt = readExpiry(values.in, '--in')
  const db = await storeOf(stores, id)
  const key = requireUnrevoked(await expireKey({ db }, operator(), id, expiresAt), id)
  if (stateOf(key) === 'expired')
    throw new CommandError(
      `The key ${key.id} (${key.name}) expired at ${formatMinute(key.expiresAt)} UTC, and an expired key stays expired. Create a new one: petstore keys create --name NAME`,
    )
  if (values.json) return printJson(io, key)
  print(io, `The key ${key.id} (${key.name}) ${expiry(key)}. To end it now: petstore keys revoke ${key.id}`)
}

export async function limit(io: Io, stores: KeyStores, args: string[]) {
  const options = { 'open-orders': { type: 'string' }, json } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const open = values['open-orders']
  const usage = 'limit ID 100/s|none, or petstore keys limit ID --open-orders 5000|default'
  // The rate may be left out where the other limit is set.
  const [id, text] = readNamed(positionals, usage, open === undefined ? 1 : Math.min(1, positionals.length - 1))
  const rate = text === undefined ? undefined : readLimit(text, 'limit')
  const openOrders = open === undefined ? undefined : readOpenOrders(open)
  const db = await storeOf(stores, id)
  let key: ApiKey | undefined
  if (rate !== undefined) key = requireUnrevoked(await limitKey({ db }, operator(), id, rate), id)
  if (openOrders !== undefined) key = requireUnrevoked(await limitOpenOrders({ db }, operator(), id, openOrders), id)
  if (!key) return unknownKey(id)
  if (values.json) return printJson(io, key)
  const limits: string[] = []
  if (rate !== undefined) limits.push(rate ? `is limited to ${text}` : 'has no limit of its own')
  if (openOrders !== undefined) limits.push(`may have ${mostOpen(key)} open orders`)
  print(io, `The key ${key.id} (${key.name}) ${limits.join(' and ')}, on every process within a second.`)
}

// Counting them takes some milliseconds, now and then.
const MAX_OPEN_ORDERS = 100_000

function readOpenOrders(text: string) {
  if (text === 'default') return null
  const value = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : Number.NaN
  if (value <= MAX_OPEN_ORDERS) return value
  throw new UsageError('--open-orders takes a number from 1 to 100000, or default.')
}

/** Revoking is final, so a revoked key can't be changed. */
function requireUnrevoked(key: ApiKey | undefined, id: string) {
  if (!key) return unknownKey(id)
  if (!key.revokedAt) return key
  throw new CommandError(
    `The key ${key.id} (${key.name}) was revoked, and stays revoked. Create a new one: petstore keys create --name NAME`,
  )
}
