import type { RateLimit } from '../lib/rate-limit.ts'
import type { ApiKey } from './types/key.ts'

export const SCOPES = [
  'pets:read',
  'pets:write', // creating only: keys from before the scopes below must not gain the power to change or delete
  'pets:edit',
  'pets:delete',
  'orders:read',
  'orders:write',
  'events:read',
  'webhooks:manage',
  'categories:write',
  'keys:read',
  'status:read',
] as const

/** What a key may do if the operator names nothing. It never grows. */
export const DEFAULT_SCOPES: readonly Scope[] = ['pets:read', 'pets:write']

export type Scope = (typeof SCOPES)[number]

const READER = ['pets:read', 'orders:read', 'events:read'] as const
const STAFF = [...READER, 'orders:write', 'pets:write', 'pets:edit'] as const

/**
 * Presets of scopes for keys that people and shops get. Only the scopes are stored, so a key never gains those that its role gets later:
 * a new scope belongs to a role only if it is added here.
 */
export const ROLES = {
  staff: STAFF,
  manager: [...STAFF, 'pets:delete', 'webhooks:manage', 'categories:write', 'keys:read', 'status:read'],
  shop: ['pets:read', 'orders:read', 'orders:write'],
  reader: READER,
} as const satisfies Record<string, readonly Scope[]>

/** The authenticated client, and its permissions. */
export interface Principal {
  key: ApiKey
  keyId: string
  /** The id that requests are counted under: a rotated key and its successors share a quota. */
  chainId: string
  scopes: readonly string[]
  /** The limit of this key; undefined if the default applies. */
  rateLimit?: RateLimit | undefined
  /** When the key expires, if that is soon. */
  expiresSoon?: Date | undefined
}
