import type { Caller } from '../lib/batch.ts'
import { hashKey } from '../lib/ids/key-format.ts'
import * as keys from '../storage/keys/keys.ts'
import type { KeyPageRequest } from '../storage/keys/pages.ts'
import type { KeyUses } from '../storage/keys/uses.ts'
import { DomainError } from './errors.ts'
import { DEFAULT_OPEN_ORDERS } from './orders.ts'
import type { Principal, Scope } from './principal.ts'
import type { Store } from './store.ts'
import type { ApiKey } from './types/key.ts'

const TOUCH_INTERVAL_MS = 60_000
/** How long before its expiry the responses to a key announce it, and operators are warned. */
export const EXPIRY_NOTICE_MS = 14 * 86_400_000

// One for each row, which the cache keeps for some seconds, so that a request allocates nothing.
const principals = new WeakMap<ApiKey, Principal>()

/** Synchronous for a cached key; only the first request with a key waits for the database. */
export function authenticate(
  store: Pick<Store, 'keys' | 'keyUses'>,
  token: string,
  caller?: Caller,
): Principal | Promise<Principal> {
  const key = store.keys.find(token, caller)
  return key instanceof Promise ? key.then((row) => principalOf(store, row)) : principalOf(store, key)
}

/** The client that this key stands for. Throws what is wrong with the key. */
export function principalOf({ keyUses }: Pick<Store, 'keyUses'>, key: ApiKey | undefined): Principal {
  if (!key)
    throw new DomainError('invalid_credentials', 'The API key is not valid. Check that it was copied completely.')
  if (key.revokedAt)
    throw new DomainError('revoked_credentials', 'The API key was revoked. Ask the operator for a new one.')
  const now = Date.now()
  if (key.expiresAt && key.expiresAt.getTime() <= now)
    throw new DomainError('expired_credentials', 'The API key has expired. Ask the operator for a new one.')

  if (now - (key.lastUsedAt?.getTime() ?? 0) >= TOUCH_INTERVAL_MS) recordUse(keyUses, key, now)
  return principals.get(key) ?? makePrincipal(key, now)
}

function makePrincipal(key: ApiKey, now: number) {
  const { id: keyId, firstId: chainId, scopes, rateLimit, expiresAt } = key
  const isExpiring = expiresAt !== null && expiresAt.getTime() - now <= EXPIRY_NOTICE_MS
  const expiresSoon = isExpiring ? expiresAt : undefined
  const principal: Principal = { key, keyId, chainId, scopes, rateLimit: rateLimit ?? undefined, expiresSoon }
  principals.set(key, principal)
  return principal
}

function recordUse(keyUses: KeyUses, key: ApiKey, now: number) {
  // In the cached row too, so that this process writes at most once a minute.
  key.lastUsedAt = new Date(now)
  keyUses.note(key.id)
}

export function requireScope(principal: Principal, scope: Scope) {
  if (!principal.scopes.includes(scope)) throw insufficientScope(scope)
}

export function insufficientScope(scope: Scope) {
  return new DomainError(
    'insufficient_scope',
    `This request needs a key with the scope ${scope}. Ask the operator for one.`,
  )
}

export async function listKeys({ db }: Pick<Store, 'db'>) {
  return keys.list(db)
}

/** A page of all keys, newest first, and the id of its last key if there are more. */
export async function listKeyPage(
  { keyLists }: Pick<Store, 'keyLists'>,
  { after, limit }: KeyPageRequest,
  caller?: Caller,
) {
  // One more tells whether there is a next page.
  const rows = await keyLists.page({ after, limit: limit + 1 }, caller)
  const page = rows.slice(0, limit)
  const found = page.map((key) => ({
    ...key,
    state: stateOf(key),
    openOrderLimit: key.openOrders ?? DEFAULT_OPEN_ORDERS,
  }))
  return { keys: found, next: rows.length > limit ? page.at(-1)?.id : undefined }
}

/** The names of the newest keys, newest first. */
export async function listKeyNames({ keyLists }: Pick<Store, 'keyLists'>, caller?: Caller) {
  return keyLists.names(caller)
}

export async function findKey({ db }: Pick<Store, 'db'>, id: string) {
  return keys.findById(db, id)
}

/** The key with this text, if there is one. */
export async function findKeyByText({ db }: Pick<Store, 'db'>, text: string) {
  const [found] = await keys.idsOf(db, [hashKey(text)])
  return found && keys.findById(db, found.id)
}

export type KeyState = 'active' | 'replaced' | 'expired' | 'revoked'

/** `replaced`: it still works, but not for long. */
export function stateOf({ revokedAt, expiresAt, replacedBy }: ApiKey): KeyState {
  if (revokedAt) return 'revoked'
  if (expiresAt && expiresAt.getTime() <= Date.now()) return 'expired'
  return replacedBy === null ? 'active' : 'replaced'
}
