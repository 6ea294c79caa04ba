// A cursor holds one byte of version and eight bytes of the last id returned.
const VERSION = 1
const LENGTH = 9

export function encodeCursor(lastId: bigint) {
  const bytes = Buffer.alloc(LENGTH)
  bytes.writeUInt8(VERSION, 0)
  bytes.writeBigInt64BE(lastId, 1)
  return bytes.toString('base64url')
}

/** The last id returned before this cursor; undefined if `encodeCursor` did not make it. */
export function decodeCursor(cursor: string): bigint | undefined {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length !== LENGTH || bytes.readUInt8(0) !== VERSION) return undefined
  // Node's decoder skips characters that are not base64url; only the canonical spelling is valid.
  if (bytes.toString('base64url') !== cursor) return undefined
  return bytes.readBigInt64BE(1)
}
