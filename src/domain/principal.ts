export const SCOPES = ['pets:read', 'pets:write'] as const

export type Scope = (typeof SCOPES)[number]

/** Who is calling, and what they may do. */
export interface Principal {
  keyId: string
  scopes: readonly string[]
}
