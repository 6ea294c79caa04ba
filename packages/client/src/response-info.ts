/** The facts that the headers of a response state. */
export interface ResponseInfo {
  method: string
  /** The path below the base URL, without the query. */
  path: string
  status: number
  requestId: string | undefined
  /** The rate limit of the key; undefined if it has none. */
  rateLimit: RateLimit | undefined
  /** Set on responses of a deprecated operation: since when it is deprecated, and when it is removed. */
  deprecation: { since: Date; sunset: Date | undefined } | undefined
  /** When the key expires; set in its last 14 days. */
  keyExpiresAt: Date | undefined
}

export interface RateLimit {
  /** How many requests each window allows. */
  quota: number
  windowSeconds: number
  /** How many requests are left in this window. */
  remaining: number
  /** In how many seconds the next window starts. */
  resetSeconds: number
}

export function readResponseInfo(method: string, path: string, status: number, headers: Headers): ResponseInfo {
  const deprecated = /^@(\d+)$/.exec(headers.get('deprecation') ?? '')?.[1]
  return {
    method,
    path: path.replace(/\?.*/, ''),
    status,
    requestId: headers.get('request-id') ?? undefined,
    rateLimit: readRateLimit(headers),
    deprecation:
      deprecated === undefined
        ? undefined
        : { since: new Date(Number(deprecated) * 1_000), sunset: readDate(headers.get('sunset')) },
    keyExpiresAt: readDate(headers.get('petstore-key-expires')),
  }
}

/** `RateLimit-Policy: "default";q=100;w=1` and `RateLimit: "default";r=99;t=1`. */
function readRateLimit(headers: Headers): RateLimit | undefined {
  const text = `${headers.get('ratelimit-policy')},${headers.get('ratelimit')}`
  const [quota, windowSeconds, remaining, resetSeconds] = ['q', 'w', 'r', 't'].map((name) =>
    Number(new RegExp(`;\\s*${name}=(\\d+)`).exec(text)?.[1]),
  ) as [number, number, number, number]
  const rateLimit = { quota, windowSeconds, remaining, resetSeconds }
  return Object.values(rateLimit).some(Number.isNaN) ? undefined : rateLimit
}

function readDate(text: string | null) {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? undefined : new Date(time)
}
