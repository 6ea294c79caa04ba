// A cursor holds one byte that says which walk it belongs to, and the ids of the last item returned, eight bytes each.
const WALKS = {
  oldest: 1,
  newest: 2,
  orders: 3,
  feed: 4,
  history: 5,
  newestEvents: 6,
  newestHistory: 7,
  keys: 15,
} as const

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
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length !== 1 + 8 * ids || bytes.readUInt8(0) !== WALKS[walk]) return undefined
  // Node's decoder skips characters that are not base64url; only the canonical spelling is valid.
  if (bytes.toString('base64url') !== cursor) return undefined
  return Array.from({ length: ids }, (_, i) => bytes.readBigInt64BE(1 + 8 * i))
}
