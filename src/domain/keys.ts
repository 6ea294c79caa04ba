import { generateKey, hashKey, type KeyMode, randomBase62 } from '../lib/key-format.ts'
import * as keys from '../storage/keys.ts'
import type { Queryable } from '../storage/statement.ts'
import type { Context } from './context.ts'
import { DomainError } from './errors.ts'
import type { Principal, Scope } from './principal.ts'

export type { KeyRow as ApiKey } from '../storage/keys.ts'

export interface NewKey {
  name: string
  mode: KeyMode
  scopes: Scope[]
  expiresAt: Date | null
}

const TOUCH_INTERVAL_MS = 60_000

/** Makes a key. This is the only moment at which its text is known. */
export async function createKey({ db }: Pick<Context, 'db'>, { name, mode, scopes, expiresAt }: NewKey) {
  const key = generateKey(mode)
  const row = await keys.insert(db, {
    id: `key_${randomBase62(16)}`,
    name,
    mode,
    hash: hashKey(key),
    scopes,
    expiresAt,
  })
  return { ...row, key }
}

export async function listKeys({ db }: Pick<Context, 'db'>) {
  return keys.list(db)
}

/** Returns the revoked key, or undefined when there is none with this id. Every process refuses it within a second. */
export async function revokeKey({ db }: Pick<Context, 'db'>, id: string) {
  return keys.revoke(db, id)
}

/** At once for a key in use; only the first call with a key waits for the database. */
export function authenticate(context: Pick<Context, 'db' | 'keys'>, token: string): Principal | Promise<Principal> {
  const key = context.keys.find(token)
  return key instanceof Promise ? key.then((row) => principalOf(context, row)) : principalOf(context, key)
}

function principalOf({ db }: Pick<Context, 'db'>, key: keys.KeyRow | undefined): Principal {
  if (!key) throw new DomainError('invalid_credentials', 'The API key is not valid. Check that it was copied whole.')
  if (key.revokedAt)
    throw new DomainError('revoked_credentials', 'The API key was revoked. Ask the operator for a new one.')
  const now = Date.now()
  if (key.expiresAt && key.expiresAt.getTime() <= now)
    throw new DomainError('expired_credentials', 'The API key has expired. Ask the operator for a new one.')

  if (now - (key.lastUsedAt?.getTime() ?? 0) >= TOUCH_INTERVAL_MS) recordUse(db, key, now)
  return { keyId: key.id, scopes: key.scopes }
}

function recordUse(db: Queryable, key: keys.KeyRow, now: number) {
  // In the cached row too: this process asks the database at most once a minute.
  key.lastUsedAt = new Date(now)
  // A convenience for the operator, never a reason to hold up or refuse a call.
  keys.touch(db, key.id).catch(() => {})
}

export function requireScope(principal: Principal, scope: Scope) {
  if (!principal.scopes.includes(scope))
    throw new DomainError(
      'insufficient_scope',
      `This call needs a key with the scope ${scope}. Ask the operator for one.`,
    )
}
