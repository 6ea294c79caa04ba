/** `quota` requests in each window of `windowSeconds`. */
export interface RateLimit {
  quota: number
  windowSeconds: number
}

/** The quota after one use. */
export interface Usage {
  limit: RateLimit
  /** This use was beyond the limit. */
  isOver: boolean
  /** How many more there may be in this window. */
  remaining: number
  /** The time until the window ends. */
  msLeft: number
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600 }

/** Parses `100/s`, `6000/m` or `50000/h`; undefined for any other text. */
export function parseRateLimit(text: string): RateLimit | undefined {
  const { quota, unit = '' } = /^(?<quota>[1-9][0-9]{0,8})\/(?<unit>[smh])$/.exec(text)?.groups ?? {}
  const windowSeconds = SECONDS[unit]
  return windowSeconds === undefined ? undefined : { quota: Number(quota), windowSeconds }
}

/** The inverse of `parseRateLimit`. */
export function formatRateLimit({ quota, windowSeconds }: RateLimit) {
  const unit = Object.entries(SECONDS).find(([, seconds]) => seconds === windowSeconds)?.[0]
  return `${quota}/${unit}`
}
