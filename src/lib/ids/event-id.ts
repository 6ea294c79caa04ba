const PREFIX = 'evt_'
// A multiple of three, so that the text needs no padding.
const LENGTH = 21

/** The change that an event describes. */
export interface EventKey {
  petId: bigint
  version: bigint
  /** In microseconds since 1970. After a restore, a pet may get the same version again, but not at the same time. */
  at: bigint
}

/** Encodes seven bytes of the pet, six of its version and eight of the time. */
export function eventIdText({ petId, version, at }: EventKey) {
  const bytes = Buffer.alloc(LENGTH)
  bytes.writeBigUInt64BE(petId << 8n, 0)
  bytes.writeUIntBE(Number(version), 7, 6)
  bytes.writeBigUInt64BE(at, 13)
  return PREFIX + bytes.toString('base64url')
}
