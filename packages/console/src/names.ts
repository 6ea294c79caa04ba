import { signal } from '@preact/signals'
import { keepNewest } from './newest.ts'
import { oneAtATime } from './one-at-a-time.ts'

/** An id that was unknown at the last read causes another at most this often. */
const EVERY_MS = 60_000
/** One that is new, such as that of a person who has just begun, causes one sooner. */
const NEW_MS = 2_000
/** So many ids without a name are remembered. */
const MOST_NAMELESS = 1_000

/**
 * Names by id, of which `read` returns all. They are read when the first is asked for, and again when one is unknown: for an id that is new
 * within seconds, for the others once a minute at most. What can't be known, such as a name that was never given, must not be asked for
 * again and again.
 */
export function createNames<Id>(read: () => Promise<Iterable<readonly [Id, string]>>) {
  const known = signal<ReadonlyMap<Id, string>>(new Map())
  let readAt = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = Number.POSITIVE_INFINITY
  /** Since the last read. */
  const asked = new Set<Id>()
  const nameless = new Set<Id>()

  const refresh = oneAtATime(async () => {
    clearTimeout(timer)
    dueAt = Number.POSITIVE_INFINITY
    readAt = Date.now()
    const wanted = [...asked]
    asked.clear()
    try {
      const found = new Map(await read())
      const was = known.peek()
      // Equal names must not render everything again.
      if (found.size !== was.size || [...found].some(([id, name]) => was.get(id) !== name)) known.value = found
    } catch {
      // Ids are shown as they are; the next that is unknown tries again.
    }
    for (const id of wanted) if (!known.peek().has(id)) nameless.add(id)
    keepNewest(nameless, MOST_NAMELESS)
  })

  const readFor = (id: Id) => {
    asked.add(id)
    const at = Math.max(Date.now(), readAt + (nameless.has(id) ? EVERY_MS : NEW_MS))
    if (at >= dueAt) return
    clearTimeout(timer)
    dueAt = at
    // Not during the rendering that asks.
    timer = setTimeout(() => void refresh(), at - Date.now())
  }

  return {
    /** All names that are known. Also subscribes, as `get` does. */
    all: known,
    /** Undefined while it is unknown. A component that calls it is rendered again when it is known. */
    get: (id: Id) => {
      const name = known.value.get(id)
      if (name === undefined) readFor(id)
      return name
    },
    /** After a change, or where names must be the newest. */
    refresh,
  }
}
