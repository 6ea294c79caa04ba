import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** A strong entity tag: equal contents have equal tags, in every process and version. */
export function tagOf(content: string) {
  return `"${hash('sha256', content, 'base64url')}"`
}

/**
 * Whether the client has this content already. The tag has its quotes, which no other tag of a list can contain; weak ones count too (RFC
 * 9110, 13.1.2). What is malformed names no content, so the client gets it.
 */
export function isUnchanged({ headers }: Pick<IncomingMessage, 'headers'>, tag: string) {
  const known = headers['if-none-match']
  return known !== undefined && (known === '*' || known.includes(tag))
}
