import { signal } from '@preact/signals'

/** Unknown ids cause a read at most this often. */
const EVERY_MS = 60_000

/**
 * Names by id, of which `read` returns all. They are read when the first is asked for, and again when one is unknown, once a minute at most:
 * what can't be known, such as a name that was never given, must not be asked for again and again.
 */
export function createNames<Id>(read: () => Promise<Iterable<readonly [Id, string]>>, everyMs = EVERY_MS) {
  const known = signal<ReadonlyMap<Id, string>>(new Map())
  let readAt = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined

  const refresh = async () => {
    clearTimeout(timer)
    timer = undefined
    readAt = Date.now()
    try {
      const found = new Map(await read())
      const was = known.peek()
      // Equal names must not render everything again.
      if (found.size !== was.size || [...found].some(([id, name]) => was.get(id) !== name)) known.value = found
    } catch {
      // Ids are shown as they are; the next that is unknown tries again.
    }
  }

  return {
    /** All names that are known. Also subscribes, as `get` does. */
    all: known,
    /** Undefined while it is unknown. A component that calls it is rendered again when it is known. */
    get: (id: Id) => {
      const name = known.value.get(id)
      // Not during the rendering that asks.
      if (name === undefined) timer ??= setTimeout(() => void refresh(), Math.max(0, readAt + everyMs - Date.now()))
      return name
    },
    /** After a change, or where names must be the newest. */
    refresh,
  }
}
