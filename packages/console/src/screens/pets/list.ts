import type { PetstoreEvent } from '@petstore/client'
import { signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { pets } from '../../api.ts'
import { feedState, onFeed } from '../../feed.ts'
import { oneAtATime } from '../../one-at-a-time.ts'
import { currentPet } from './place.ts'
import { added, learn, learnEvents, learnOnly } from './records.ts'
import { matches, type View } from './view.ts'

const PAGE = 50
/** Of the pets that wait, no more are counted. */
export const MOST_WAITING = 1_000

export interface Page {
  /** In the order in which they are shown, which only the person changes. */
  ids: readonly bigint[]
  next: string | undefined
}

export type PetList = ReturnType<typeof createList>

/** The pets that a view lists. Rows change in place; pets that would move them wait until they are asked for. */
export function usePetList(view: View): PetList {
  const list = useMemo(() => createList(view), [view.key])
  useEffect(() => {
    void list.show()
    const stop = onFeed({ events: list.receive, resync: () => void list.refresh() })
    return () => {
      stop()
      list.stop()
    }
  }, [list])
  useEffect(() => {
    if (added.value) list.include(added.value.id)
  }, [list, added.value])
  // The feed has continued by itself; so does the list.
  useEffect(() => {
    if (feedState.value === 'live' && list.error.peek() !== undefined) void list.refresh()
  }, [list, feedState.value])
  return list
}

function createList(view: View) {
  const page = signal<Page | undefined>(undefined)
  const waiting = signal<readonly bigint[]>([])
  const error = signal<unknown>(undefined)
  const ending = new AbortController()
  const filter = { status: view.status, categoryId: view.category, view: 'full', signal: ending.signal } as const
  /** The next read replaces the rows. */
  let isReplacing = true
  /** Events since the read began that is running; undefined if none is. */
  let arrived: PetstoreEvent[] | undefined

  const read = oneAtATime(async () => {
    const isReplaced = isReplacing
    isReplacing = false
    arrived = []
    try {
      const found = await pets.list({ ...filter, ids: view.ids, sort: 'newest', limit: PAGE }).page(view.after)
      const shown = isReplaced ? undefined : page.value
      const gone = shown?.ids.filter((id) => !found.pets.some((pet) => pet.id === id)) ?? []
      // They match no longer, or were pushed to the next page, or were deleted.
      const others = gone.length === 0 ? [] : await readAll(gone)
      error.value = undefined
      const ids = found.pets.map(({ id }) => id)
      if (shown) {
        learn(
          [...found.pets, ...others],
          gone.filter((id) => !others.some((pet) => pet.id === id)),
        )
        // Of those that wait, the read says nothing about what comes after its last.
        const last = found.next === undefined ? undefined : ids.at(-1)
        offer([...ids, ...waiting.value.filter((id) => last !== undefined && id < last)])
      } else {
        learnOnly(found.pets, currentPet())
        page.value = { ids, next: found.next }
        waiting.value = []
      }
      // What was read may be older than what has happened meanwhile.
      receive(arrived.splice(0))
    } catch (thrown) {
      if (!ending.signal.aborted) error.value = thrown
    } finally {
      arrived = undefined
    }
  })

  /** Reads the page as it is now. */
  const show = () => {
    isReplacing = true
    return read()
  }

  const readAll = async (ids: readonly bigint[]) => {
    const found = await pets.list({ ids, view: 'full', limit: 100, signal: ending.signal }).page()
    return found.pets
  }

  /** What belongs on this page and is not on it, is offered; on an empty page it is shown. */
  const offer = (ids: readonly bigint[]) => {
    const shown = page.value
    if (!shown) return
    waiting.value = [...new Set(ids)].filter((id) => isOfPage(id, shown)).slice(0, MOST_WAITING)
    if (shown.ids.length === 0 && waiting.value.length > 0) void show()
  }

  const isOfPage = (id: bigint, { ids, next }: Page) => {
    const [first, last] = [ids[0], ids.at(-1)]
    if (first === undefined || last === undefined) return true
    return !ids.includes(id) && (next === undefined || id > last) && (view.after === undefined || id < first)
  }

  const receive = (events: readonly PetstoreEvent[]) => {
    arrived?.push(...events)
    learnEvents(events)
    const waits = new Set(waiting.value)
    for (const { type, data } of events) {
      if (!data.pet) continue
      if (type !== 'pet.deleted' && matches(view, data.pet)) waits.add(data.pet.id)
      else waits.delete(data.pet.id)
    }
    offer([...waits])
    if (events.some(({ type }) => type === 'pets.imported')) void read()
  }

  /** Shows a pet of which the person knows that it is new. */
  const include = (id: bigint) => {
    const { value: pet } = added
    if (!page.value || !pet || view.after !== undefined || !matches(view, pet) || page.value.ids.includes(id)) return
    learn([pet])
    page.value = { ...page.value, ids: [id, ...page.value.ids] }
    waiting.value = waiting.value.filter((other) => other !== id)
  }

  /** Takes away a row of which the person knows that it is deleted. */
  const exclude = (id: bigint) => {
    if (page.value) page.value = { ...page.value, ids: page.value.ids.filter((other) => other !== id) }
  }

  return {
    data: page,
    waiting,
    error,
    /** The rows stay where they are. */
    refresh: read,
    show,
    receive,
    include,
    exclude,
    stop: () => ending.abort(),
  }
}
