import { generateKey, hashKey, type KeyMode, randomBase62 } from '../lib/ids/key-format.ts'
import { formatRateLimit, type RateLimit } from '../lib/rate-limit.ts'
import * as changes from '../storage/keys/changes.ts'
import { findById } from '../storage/keys/keys.ts'
import type { Writable } from '../storage/postgres/statement.ts'
import type { Scope } from './principal.ts'
import type { ApiKey } from './types/key.ts'

type Db = { db: Writable }

export interface NewKey {
  name: string
  mode: KeyMode
  scopes: Scope[]
  expiresAt: Date | null
  rateLimit?: RateLimit | null
}

// Every change is recorded with the operator who made it.

/** Creates a key. The text of the key is known only here; only its hash is stored. */
export async function createKey({ db }: Db, who: string, newKey: NewKey) {
  const { name, mode, scopes, expiresAt, rateLimit = null } = newKey
  const key = generateKey(mode)
  const row = { id: newId(), name, mode, hash: hashKey(key), scopes, expiresAt, rateLimit }
  const detail = [scopes.join(' '), endOf(expiresAt), ...(rateLimit ? [formatRateLimit(rateLimit)] : [])].join('; ')
  return { ...(await changes.insert(db, row, { detail, who })), key }
}

/**
 * Creates a key with the scopes and lifetime of the old one, which works until the overlap ends. Returns the new key;
 * undefined if the old one was revoked, has expired or was replaced already.
 */
export async function rotateKey({ db }: Db, who: string, old: ApiKey, overlapMs: number) {
  const key = generateKey(old.mode)
  const overlapEnd = new Date(Date.now() + overlapMs)
  const rotation = { id: old.id, newId: newId(), newHash: hashKey(key), overlapEnd }
  const detail = `replaced by ${rotation.newId}; works until ${overlapEnd.toISOString()} at most`
  const made = await changes.rotate(db, rotation, { detail, who })
  // After a lost connection the statement is sent again, and finds that it has replaced the old key already: the new one exists.
  const row = made ?? (await findById(db, rotation.newId))
  return row && { ...row, key }
}

/** Returns the revoked key, or undefined when there is none with this id. Every process rejects it within a second. */
export async function revokeKey({ db }: Db, who: string, id: string) {
  return (await changes.revoke(db, id, who)) ?? findById(db, id)
}

/** Returns the key after the change; a revoked or expired key does not change. Undefined if there is no key with this id. */
export async function expireKey({ db }: Db, who: string, id: string, expiresAt: Date | null) {
  return (await changes.setExpiry(db, id, expiresAt, { detail: endOf(expiresAt), who })) ?? findById(db, id)
}

/** Returns the key after the change; a revoked key does not change. Undefined if there is no key with this id. */
export async function limitKey({ db }: Db, who: string, id: string, limit: RateLimit | null) {
  const detail = limit ? formatRateLimit(limit) : 'none'
  return (await changes.setRateLimit(db, id, limit, { detail, who })) ?? findById(db, id)
}

/** The same for how many orders it may have open, together with all keys of its chain; null for the default. */
export async function limitOpenOrders({ db }: Db, who: string, id: string, openOrders: number | null) {
  const detail = `open orders: ${openOrders ?? 'default'}`
  return (await changes.setOpenOrders(db, id, openOrders, { detail, who })) ?? findById(db, id)
}

/** The history of a key, oldest first. */
export async function listKeyChanges({ db }: Db, id: string) {
  return changes.listChanges(db, id)
}

function newId() {
  return `key_${randomBase62(16)}`
}

function endOf(expiresAt: Date | null) {
  return expiresAt ? `until ${expiresAt.toISOString()}` : 'without end'
}
