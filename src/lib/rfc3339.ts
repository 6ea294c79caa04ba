const RFC_3339 =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** Parses a time of RFC 3339 into milliseconds since 1970, rounded down; undefined for any other text. */
export function parseTime(text: string): number | undefined {
  const { year, month, day } = RFC_3339.exec(text)?.groups ?? {}
  // JavaScript would read February 30 as March 2.
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (day === undefined || date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return undefined
  return Date.parse(text.toUpperCase())
}

/** Such a time in microseconds since 1970, rounded up: what PostgreSQL has stored is before it or not, exactly as it is before the time. */
export function parseMicroseconds(text: string): bigint | undefined {
  const milliseconds = parseTime(text)
  if (milliseconds === undefined) return undefined
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? ''
  const beyond = BigInt(fraction.padEnd(9, '0').slice(3))
  return BigInt(milliseconds) * 1_000n + (beyond + 999n) / 1_000n
}

/** Such a moment as responses have it. */
export function isoOf(milliseconds: bigint) {
  return new Date(Number(milliseconds)).toISOString()
}
