import { crc32 } from 'node:zlib'
import type { SearchPlace } from '../../domain/types/pet.ts'

// A cursor holds one byte that says which walk it belongs to, and the ids of the last item returned, eight bytes each.
const WALKS = {
  oldest: 1,
  newest: 2,
  orders: 3,
  feed: 4,
  history: 5,
  newestEvents: 6,
  newestHistory: 7,
  categories: 10,
  expiringOrders: 12,
  closedOrders: 13,
  keys: 15,
} as const
// That of a search also says through the words of which term it goes, and what is searched for; it ends with a word.
const SEARCH_WALKS = { words: 8, filter: 9 }
const SEARCH_HEAD_BYTES = 14

export type Walk = keyof typeof WALKS

/** The walks through the events of one pet, by where they start. */
export const HISTORY_WALKS = { oldest: 'history', newest: 'newestHistory' } as const

export function encodeCursor(walk: Walk, ...lastIds: bigint[]) {
  const bytes = Buffer.alloc(1 + 8 * lastIds.length)
  bytes.writeUInt8(WALKS[walk], 0)
  for (const [i, id] of lastIds.entries()) bytes.writeBigInt64BE(id, 1 + 8 * i)
  return bytes.toString('base64url')
}

/** The ids of the last item before this cursor, as many as `encodeCursor` was given; undefined if it is not a cursor of this walk. */
export function decodeCursor(walk: Walk, cursor: string, ids: number): bigint[] | undefined {
  const bytes = bytesOf(cursor)
  if (bytes?.length !== 1 + 8 * ids || bytes.readUInt8(0) !== WALKS[walk]) return undefined
  return Array.from({ length: ids }, (_, i) => bytes.readBigInt64BE(1 + 8 * i))
}

export function encodePlace({ walk, word, id }: SearchPlace, terms: readonly string[]) {
  const bytes = Buffer.alloc(SEARCH_HEAD_BYTES)
  bytes.writeUInt8(walk === 'filter' ? SEARCH_WALKS.filter : SEARCH_WALKS.words, 0)
  bytes.writeUInt8(walk === 'filter' ? 0 : walk, 1)
  bytes.writeUInt32BE(checksumOf(terms), 2)
  bytes.writeBigInt64BE(id, 6)
  return Buffer.concat([bytes, Buffer.from(word)]).toString('base64url')
}

/** The place before this cursor of a search; `isOther` if it is of a search for other terms. Undefined if it is of no search. */
export function decodePlace(
  cursor: string,
  terms: readonly string[],
): (SearchPlace & { isOther: boolean }) | undefined {
  const bytes = bytesOf(cursor)
  if (!bytes || bytes.length <= SEARCH_HEAD_BYTES) return undefined
  const kind = bytes.readUInt8(0)
  if (kind !== SEARCH_WALKS.words && kind !== SEARCH_WALKS.filter) return undefined
  const number = bytes.readUInt8(1)
  const word = bytes.toString('utf8', SEARCH_HEAD_BYTES)
  // PostgreSQL has no text with a NUL.
  if (word.includes('\0')) return undefined
  const term = terms[number]
  const isOther = bytes.readUInt32BE(2) !== checksumOf(terms) || term === undefined || !word.startsWith(term)
  return { walk: kind === SEARCH_WALKS.filter ? 'filter' : number, id: bytes.readBigInt64BE(6), word, isOther }
}

function checksumOf(terms: readonly string[]) {
  return crc32(terms.join(' '))
}

/** Node's decoder skips characters that are not base64url; only the canonical spelling is valid. */
function bytesOf(cursor: string) {
  const bytes = Buffer.from(cursor, 'base64url')
  return bytes.toString('base64url') === cursor ? bytes : undefined
}
