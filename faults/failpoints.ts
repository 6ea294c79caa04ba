/** Where a process can end on the way of a write, in the order of that way: one statement makes all of the change. */
const OF_WRITES = ['before it is sent', 'it is sent', 'it is answered', 'after the answer'] as const
/** And of a keyed one that is sent again: what its key has stored is read in a transaction. */
const OF_REPLAYS = ['replay: after begin', 'replay: before commit', 'replay: after commit'] as const
/** And of the expiry of orders: its statement is in a transaction, and no request waits for it. */
const OF_JOBS = ['before it is sent', 'it is sent', 'it is answered', 'before commit', 'after commit'] as const

export const POINTS = { write: OF_WRITES, replay: OF_REPLAYS, job: OF_JOBS }

/** Of a keyed create and its replay. */
export const FAILPOINTS = [...OF_WRITES, ...OF_REPLAYS]
export type Failpoint = (typeof FAILPOINTS)[number]
export type AnyFailpoint = (typeof POINTS)[keyof typeof POINTS][number]

export function isOfReplays(point: AnyFailpoint) {
  return (OF_REPLAYS as readonly AnyFailpoint[]).includes(point)
}

/** Where a process ends, as environment variables that failpoint.ts reads. */
export interface Crash {
  point: AnyFailpoint
  /** The name of the statement. */
  statement: string
  /** The method of the requests that it belongs to; without one the process ends also before any request. */
  method?: string | undefined
}

const MODULE = new URL('failpoint.ts', import.meta.url)

export function environmentOf({ point, statement, method = '' }: Crash): NodeJS.ProcessEnv {
  return {
    NODE_OPTIONS: `--import=${MODULE.href}`,
    FAILPOINT: point,
    FAILPOINT_STATEMENT: statement,
    FAILPOINT_METHOD: method,
  }
}
