import type { PetstoreEvent } from '@petstore/client'
import { type ReadonlySignal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { limitedUntil } from './api.ts'
import { feedState, onFeed } from './feed.ts'
import { isDue } from './idle.ts'
import type { LiveRows } from './live-rows.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { seen } from './seen.ts'
import { state } from './session.ts'

/** After an event more may follow at once, as in an import or a bulk change. */
const GATHER_MS = 150

export interface Live<Data> {
  data: ReadonlySignal<Data | undefined>
  /** Why the last read failed; the data of an earlier one stays. */
  error: ReadonlySignal<unknown>
  refresh: () => Promise<void>
}

/** Of data that no event reports: it is read when it is shown, and again by `usePolling` where it must be up to date. */
export const noEvent = () => false

/**
 * Data that is read when `deps` change, after events that affect it, and now and then if the key can't read events.
 */
export function useLive<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  deps: readonly unknown[],
  affects: (event: PetstoreEvent) => boolean = () => true,
): Live<Data> {
  const live = useMemo(() => createLive(load), deps)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const refreshSeen = async () => {
      await seen()
      timer = undefined
      if (!isOver) void live.refresh()
    }
    const soon = () => {
      timer ??= setTimeout(() => void refreshSeen(), GATHER_MS)
    }
    void live.refresh()
    const stop = onFeed({
      events: (events) => events.some(affects) && soon(),
      // What no event reports has missed none.
      resync: () => (affects !== noEvent || live.error.peek() !== undefined) && soon(),
    })
    return () => {
      isOver = true
      stop()
      clearTimeout(timer)
      live.stop()
    }
  }, [live])
  return live
}

/** A list that is created again when `deps` change, and updated by events. */
export function useRows<
  List extends Pick<LiveRows<unknown, PetstoreEvent>, 'error' | 'restart' | 'refresh' | 'receive' | 'stop'>,
>(create: () => List, deps: readonly unknown[]): List {
  const list = useMemo(create, deps)
  useEffect(() => {
    void list.restart()
    const stop = onFeed({ events: list.receive, resync: (missed) => void list.refresh(missed) })
    return () => {
      stop()
      list.stop()
    }
  }, [list])
  // The feed has continued by itself; so does the list.
  useEffect(() => {
    if (feedState.value === 'live' && list.error.peek() !== undefined) void seen().then(() => list.refresh())
  }, [list, feedState.value])
  return list
}

/** For data without events: polls while the page is visible and a person is signed in, and less often while nothing happens. */
export function usePolling({ refresh }: Pick<Live<unknown>, 'refresh'>, everyMs: number) {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    let readAt = Date.now()
    const wait = () => {
      if (!isOver) timer = setTimeout(() => void poll(), everyMs)
    }
    const poll = async () => {
      await seen()
      if (isOver) return
      if (state.value === 'signedIn' && Date.now() >= limitedUntil.value && isDue(readAt)) {
        readAt = Date.now()
        await refresh()
      }
      wait()
    }
    wait()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [refresh])
}

function createLive<Data>(load: (signal: AbortSignal) => Promise<Data>) {
  const data = signal<Data | undefined>(undefined)
  const error = signal<unknown>(undefined)
  const abort = new AbortController()
  const refresh = oneAtATime(async () => {
    try {
      data.value = await load(abort.signal)
      error.value = undefined
    } catch (thrown) {
      if (!abort.signal.aborted) error.value = thrown
    }
  })
  return { data, error, refresh, stop: () => abort.abort() }
}
