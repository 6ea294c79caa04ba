interface SlowRequest {
  /** When it arrived, by `performance.now()`. */
  readonly begun: number
  readonly socket: object
}

/** What a request waited for. */
interface Delay {
  /** The name of a batch, or another reason. */
  name: string
  /** Until the batch was sent. */
  waitMs: number
  /** From then on, until its result. */
  statementMs: number
}

/** At least one of the few statements of a request that took a second has taken this long. */
export const NOTABLE_MS = 250

const MAX_DELAYS = 10

// By connection, which handles one request at a time. Fast requests add nothing.
const delays = new WeakMap<object, { endedAt: number; delay: Delay }[]>()

/** Records a delay of at least `NOTABLE_MS`. */
export function noteDelay({ socket, begun }: SlowRequest, delay: Delay) {
  const earlier = (delays.get(socket) ?? []).filter(({ endedAt }) => endedAt >= begun)
  delays.set(socket, [...earlier, { endedAt: performance.now(), delay }].slice(-MAX_DELAYS))
}

/** The delays of a request that were recorded. */
export function delaysOf({ socket, begun }: SlowRequest): Delay[] {
  const all = delays.get(socket) ?? []
  return all.filter(({ endedAt }) => endedAt >= begun).map(({ delay }) => delay)
}
