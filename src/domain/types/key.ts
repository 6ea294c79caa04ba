import type { KeyMode } from '../../lib/ids/key-format.ts'
import type { RateLimit } from '../../lib/rate-limit.ts'

export interface ApiKey {
  id: string
  name: string
  mode: KeyMode
  scopes: string[]
  rateLimit: RateLimit | null
  /** How many orders its chain may have open; null for the default. */
  openOrders: number | null
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
  /** The id of the key that a rotation has made in its place. */
  replacedBy: string | null
  /** The first key of the rotations that led to this one: itself, if there were none. */
  firstId: string
}

/** A key in the list of all, with what it does. */
export interface ListedKey extends ApiKey {
  /** How often it has called deprecated operations, of those that it called lately. */
  deprecatedCalls: bigint
  /** How many webhooks deliver for its chain. */
  webhooks: number
  /** How many open orders its chain has, as far as they are counted. */
  placedOrders: number
}
