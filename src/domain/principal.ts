import type { RateLimit } from '../lib/rate-limit.ts'
import type { KeyRow } from '../storage/keys/keys.ts'

export const SCOPES = ['pets:read', 'pets:write'] as const

export type Scope = (typeof SCOPES)[number]

/** Who is calling, and what they may do. */
export interface Principal {
  key: KeyRow
  keyId: string
  /** What its calls are counted under: a rotated key and its successors share a quota. */
  quotaId: string
  scopes: readonly string[]
  /** Of this key alone; one without has whatever limit all keys have. */
  rateLimit?: RateLimit | undefined
  /** When the key ends, once that is near. */
  expiresSoon?: Date | undefined
}
