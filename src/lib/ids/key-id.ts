const LENGTH = 16
const KEY_ID = /^key_[0-9A-Za-z]{16}$/

/** The 16 characters of the id of a key as two numbers, which a cursor can hold. */
export function numbersOfKeyId(id: string) {
  const bytes = Buffer.alloc(LENGTH)
  bytes.write(id.slice('key_'.length), 'latin1')
  return [bytes.readBigInt64BE(0), bytes.readBigInt64BE(LENGTH / 2)] as const
}

/** The id with these characters; undefined if no key can have it. */
export function keyIdOfNumbers(first: bigint, second: bigint) {
  const bytes = Buffer.alloc(LENGTH)
  bytes.writeBigInt64BE(first, 0)
  bytes.writeBigInt64BE(second, LENGTH / 2)
  const id = `key_${bytes.toString('latin1')}`
  return KEY_ID.test(id) ? id : undefined
}

/** Undefined for text that is not the id of a key. */
export function parseKeyId(text: string) {
  return KEY_ID.test(text) ? text : undefined
}
