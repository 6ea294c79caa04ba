import type { RateLimit } from '../lib/rate-limit.ts'
import type { KeyRow } from '../storage/keys/keys.ts'

export const SCOPES = ['pets:read', 'pets:write'] as const

export type Scope = (typeof SCOPES)[number]

/** The authenticated client, and its permissions. */
export interface Principal {
  key: KeyRow
  keyId: string
  /** The id that requests are counted under: a rotated key and its successors share a quota. */
  chainId: string
  scopes: readonly string[]
  /** The limit of this key; undefined if the default applies. */
  rateLimit?: RateLimit | undefined
  /** When the key expires, if that is soon. */
  expiresSoon?: Date | undefined
}
