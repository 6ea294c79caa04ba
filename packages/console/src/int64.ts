const MIN = -(2n ** 63n)
const MAX = 2n ** 63n - 1n

/** Why text is not a 64-bit integer; `texts.ts` has a sentence for each. */
export type Int64Fault = 'missing' | 'malformed' | 'outOfRange'

/** The 64-bit integer that a person typed, or what is wrong with it. Never by way of a double. */
export function readInt64(text: string): bigint | Int64Fault {
  // Only white space is dropped: without its point, 1.5 would become 15.
  const digits = text.replaceAll(/\s/g, '').replace(/^[\u2212\u2013]/, '-')
  if (digits === '') return 'missing'
  if (!/^[-+]?\d{1,40}$/.test(digits)) return 'malformed'
  const value = BigInt(digits.replace(/^\+/, ''))
  return value < MIN || value > MAX ? 'outOfRange' : value
}

/** The ids of pets in a list separated by commas, spaces or line breaks, or what is wrong with the first that is wrong. */
export function readIds(text: string): bigint[] | Int64Fault {
  const ids: bigint[] = []
  for (const part of text.split(/[\s,;]+/).filter((word) => word !== '')) {
    const id = readInt64(part)
    if (typeof id === 'string') return id
    if (!ids.includes(id)) ids.push(id)
  }
  return ids.length === 0 ? 'missing' : ids
}
