import { parseArgs } from 'node:util'
import { expireKey, limitKey, revokeKey } from '../../domain/key-changes.ts'
import type { ApiKey } from '../../domain/keys.ts'
import { CommandError } from '../failure.ts'
import { type Db, expiry, operator, print, readExpiry, readLimit, readNamed, unknownKey } from './key.ts'

// What changes a key that is there. Every process goes by it within a second.

const json = { type: 'boolean', default: false } as const

export async function revoke(db: Db, args: string[]) {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { json } })
  const [id] = readNamed(positionals, 'revoke ID')
  const revoked = (await revokeKey({ db }, operator(), id)) ?? unknownKey(id)
  if (values.json) return print(revoked)
  console.log(`Revoked the key ${revoked.id} (${revoked.name}). Every process refuses it within a second.`)
}

export async function expire(db: Db, args: string[]) {
  const options = { in: { type: 'string', default: '' }, json } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [id] = readNamed(positionals, 'expire ID --in 7d')
  const key = still(await expireKey({ db }, operator(), id, readExpiry(values.in, '--in')), id)
  if (values.json) return print(key)
  console.log(`The key ${key.id} (${key.name}) works ${expiry(key)}. To end it at once: petstore keys revoke ${key.id}`)
}

export async function limit(db: Db, args: string[]) {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { json } })
  const [id, text = ''] = readNamed(positionals, 'limit ID 100/s|none', 1)
  const key = still(await limitKey({ db }, operator(), id, readLimit(text, 'limit')), id)
  if (values.json) return print(key)
  const limited = key.rateLimit ? `is limited to ${text}` : 'has no limit of its own'
  console.log(`The key ${key.id} (${key.name}) ${limited}, on every process within a second.`)
}

/** There, and not revoked: that is for ever. */
function still(key: ApiKey | undefined, id: string) {
  if (!key) return unknownKey(id)
  if (!key.revokedAt) return key
  throw new CommandError(
    `The key ${key.id} (${key.name}) was revoked, and stays so. Make a new one: petstore keys create --name NAME`,
  )
}
