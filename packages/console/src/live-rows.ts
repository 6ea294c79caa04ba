import { batch, signal } from '@preact/signals'
import { oneAtATime } from './one-at-a-time.ts'
import {
  append,
  begin,
  type Change,
  exclude,
  include,
  type Page,
  type RowKind,
  type Rows,
  receive,
  reconcile,
  release,
} from './rows.ts'

export interface RowSource<Row, Event> extends RowKind<Row> {
  /** The page of the list; in a log, the newest page, or the one at the cursor. */
  read: (signal: AbortSignal, cursor?: string) => Promise<Page<Row>>
  /** Rows that are shown and no longer on their page, as they are now; not those that are gone or can't have changed. */
  reread?: (rows: readonly Row[], signal: AbortSignal) => Promise<readonly Row[]>
  /** What an event changes. One that comes during a read is applied twice: at once, and to the rows that were read. */
  apply: (event: Event) => Change<Row> | undefined
  /** Called just before the rows of a page are shown; `isAll`: in place of all others. */
  keep?: (rows: readonly Row[], isAll: boolean) => void
  /** Whether a page can't be read because its cursor leads nowhere (any more). */
  isExpired?: (error: unknown) => boolean
}

/** What a screen has of its list. */
export type LiveRows<Row, Event> = ReturnType<typeof createRows<Row, Event>>

/** So many pages of a log are read to find a row: one without a row has only passed over some of the others. */
const MAX_READ = 10

/**
 * A list that is read once and then kept up to date by events, without moving its rows: what is new waits until the person asks for it.
 * Where events may have been missed, it is read again.
 */
export function createRows<Row, Event>(source: RowSource<Row, Event>) {
  const data = signal<Rows<Row> | undefined>(undefined)
  /** Why the last read failed; the rows of an earlier one stay. */
  const error = signal<unknown>(undefined)
  const isPaused = signal(false)
  const isReadingOlder = signal(false)
  const ending = new AbortController()
  /** The next read replaces the rows. */
  let isRestarting = false
  /** A log has missed events since its last read. */
  let hasMissed = false
  /** The events since the running read began; undefined if no read is running. */
  let arrived: Event[] | undefined
  /** What `retry` tries again. */
  let failed = () => read()

  const fail = (thrown: unknown, by: typeof failed) => {
    if (!ending.signal.aborted) error.value = thrown
    failed = by
  }

  const read = oneAtATime(async () => {
    const [isAgain, missed] = [isRestarting, hasMissed]
    isRestarting = hasMissed = false
    arrived = []
    try {
      const shown = data.value?.shown ?? []
      // An empty page has no row that could move.
      const isAll = isAgain || !data.value || (!source.isLog && shown.length === 0)
      const page = isAll ? await readOn() : await source.read(ending.signal)
      const found = new Set(page.rows.map(source.idOf))
      const gone = isAll ? [] : shown.filter((row) => !found.has(source.idOf(row)))
      const others = gone.length > 0 ? await source.reread?.(gone, ending.signal) : []
      batch(() => {
        source.keep?.(page.rows, isAll)
        // The rows as they are now: the person may have added or removed one meanwhile.
        const now = isAll ? undefined : data.value
        const more = { others: others ?? [], hasMissed: missed, isPaused: isPaused.value }
        data.value = now ? reconcile(source, now, page, more) : begin(page)
        error.value = undefined
        // What was read may be older than what has happened meanwhile.
        take(arrived ?? [])
      })
    } catch (thrown) {
      hasMissed ||= missed
      fail(thrown, read)
    } finally {
      arrived = undefined
    }
  })

  const readOn = async (cursor?: string) => {
    let page = await source.read(ending.signal, cursor)
    for (let n = 1; source.isLog && n < MAX_READ && page.rows.length === 0 && page.next !== undefined; n++)
      page = await source.read(ending.signal, page.next)
    return page
  }

  const refresh = (missed = false) => {
    hasMissed ||= missed
    return read()
  }

  /** Shows the page as it is now. */
  const restart = () => {
    isRestarting = true
    return read()
  }

  /** Shows what waits. */
  const show = async () => {
    if (source.isLog && data.value && !data.value.hasGap) data.value = release(source, data.value)
    else await restart()
  }

  const readOlder = oneAtATime(async () => {
    const cursor = data.value?.next
    // They were dropped since that failed.
    if (cursor === undefined) return read()
    isReadingOlder.value = true
    try {
      const page = await readOn(cursor)
      // Unless the rows that it follows were dropped meanwhile.
      if (data.value?.next === cursor) data.value = append(source, data.value, page)
      error.value = undefined
    } catch (thrown) {
      if (source.isExpired?.(thrown)) await restart()
      else fail(thrown, readOlder)
    }
    isReadingOlder.value = false
  })

  const take = (events: readonly Event[]) => {
    const changes = events.map(source.apply).filter((change) => change !== undefined)
    if (!data.value) return
    data.value = receive(source, data.value, changes, isPaused.value)
    const { shown, waiting } = data.value
    if (!source.isLog && shown.length === 0 && waiting.length > 0) void restart()
  }

  return {
    data,
    error,
    isPaused,
    isReadingOlder,
    /** The rows stay where they are. `missed`: events in between will not come. */
    refresh,
    /** What could not be read. */
    retry: () => failed(),
    restart,
    show,
    readOlder,
    receive: (events: readonly Event[]) => {
      arrived?.push(...events)
      take(events)
    },
    include: (row: Row) => {
      if (data.value) data.value = include(source, data.value, row)
    },
    exclude: (id: unknown) => {
      if (data.value) data.value = exclude(source, data.value, id)
    },
    pause: (paused: boolean) => {
      isPaused.value = paused
      if (!paused) void show()
    },
    stop: () => ending.abort(),
  }
}
