const PREFIX = 'evt_'
// Multiples of three in all, so that the text needs no padding.
const LENGTH = 21

/** The change that an event describes. */
export interface EventKey {
  petId: bigint
  version: bigint
  /** In microseconds since 1970: after a restore the same version of a pet may come about again, but not at the same time. */
  at: bigint
}

/** Seven bytes of the pet, six of its version, eight of the time. */
export function eventIdText({ petId, version, at }: EventKey) {
  const bytes = Buffer.alloc(LENGTH)
  bytes.writeBigUInt64BE(petId << 8n, 0)
  bytes.writeUIntBE(Number(version), 7, 6)
  bytes.writeBigUInt64BE(at, 13)
  return PREFIX + bytes.toString('base64url')
}
