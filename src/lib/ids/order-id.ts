// The id of an order is unique for its pet: the milliseconds since 1970 at which it was placed, then random bits. As text it carries
// the id of its pet, which leads to the order without an index over all of them.
const RANDOM_BITS = 21n
const PREFIX = 'ord_'
const PET_ID_BYTES = 7
// A multiple of three, so that every text of 20 characters is the only spelling of its bytes.
const LENGTH = 15
const TEXT = /^ord_[\w-]{20}$/

export interface OrderKey {
  petId: bigint
  id: bigint
}

/** SQL that draws an id. After a restore the clock has moved on: an id that was lost never names another order. */
export const NEXT_ORDER_ID = `(floor(extract(epoch from clock_timestamp()) * 1000)::bigint << ${RANDOM_BITS}) + floor(random() * ${2n ** RANDOM_BITS})::bigint`

/** SQL for when the order with this `id` was placed, in milliseconds since 1970. */
export const PLACED_AT_MS = `(id >> ${RANDOM_BITS})`

export function orderIdText({ petId, id }: OrderKey) {
  const bytes = Buffer.alloc(LENGTH)
  bytes.writeBigUInt64BE(petId << 8n, 0)
  bytes.writeBigUInt64BE(id, PET_ID_BYTES)
  return PREFIX + bytes.toString('base64url')
}

/** Undefined for text that is not the id of an order. */
export function parseOrderId(text: string): OrderKey | undefined {
  if (!TEXT.test(text)) return undefined
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url')
  const petId = bytes.readBigUInt64BE(0) >> 8n
  const id = bytes.readBigInt64BE(PET_ID_BYTES)
  return id < 0n ? undefined : { petId, id }
}

export function placedAtOf(id: bigint) {
  return new Date(Number(id >> RANDOM_BITS))
}
