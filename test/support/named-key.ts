import { crc32 } from 'node:zlib'

export const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A key as a later version may make it: with the name of a store, which its checksum includes. */
export function namedKey(name: string) {
  const secret = 'x'.repeat(30)
  let value = crc32(`${name}_${secret}`)
  let checksum = ''
  for (let i = 0; i < 6; i++) {
    checksum = ALPHABET.charAt(value % 62) + checksum
    value = Math.floor(value / 62)
  }
  return `petk_live_${name}_${secret}${checksum}`
}
