import type { ApiKey } from '../../domain/types/key.ts'
import type { RateLimit } from '../../lib/rate-limit.ts'

/** What a client may know of its key. */
export function keyBody(key: ApiKey, rateLimit: RateLimit | undefined) {
  const { id, name, mode, scopes, createdAt, expiresAt, replacedBy } = key
  return {
    id,
    name,
    mode,
    scopes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    ...(rateLimit && { rateLimit }),
    ...(replacedBy && { replacedBy }),
  }
}
