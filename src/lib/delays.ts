interface SlowRequest {
  /** When it arrived, by `performance.now()`. */
  readonly begun: number
  readonly socket: object
}

/** What a request waited for. */
interface Delay {
  /** The name of a batch, or what else it was. */
  name: string
  /** Until the batch was sent. */
  waitMs: number
  /** From then on, until its result. */
  statementMs: number
}

/** Of a request that took a second, at least one of a few statements took this long. */
export const NOTABLE_MS = 250

const MAX_DELAYS = 10

// By connection, which carries one request at a time. Only slow requests are in it, so that others pay nothing.
const delays = new WeakMap<object, { endedAt: number; delay: Delay }[]>()

/** For what took as long as `NOTABLE_MS`. */
export function noteDelay({ socket, begun }: SlowRequest, delay: Delay) {
  const earlier = (delays.get(socket) ?? []).filter(({ endedAt }) => endedAt >= begun)
  delays.set(socket, [...earlier, { endedAt: performance.now(), delay }].slice(-MAX_DELAYS))
}

/** What a request waited for, as far as it took long. */
export function delaysOf({ socket, begun }: SlowRequest): Delay[] {
  const all = delays.get(socket) ?? []
  return all.filter(({ endedAt }) => endedAt >= begun).map(({ delay }) => delay)
}
