const MILLISECONDS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses `90d`, `12h`, `30m` or `45s` into milliseconds; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const { count, unit = '' } = /^(?<count>[1-9][0-9]{0,5})(?<unit>[smhd])$/.exec(text)?.groups ?? {}
  const milliseconds = MILLISECONDS[unit]
  return milliseconds === undefined ? undefined : Number(count) * milliseconds
}
