import { computed, signal } from '@preact/signals'

const BASE = '/console'
const url = signal(location.href)

/** Where the console is: the path below /console, and the query. All that a screen shows follows from it. */
export const place = computed(() => {
  const { pathname, searchParams } = new URL(url.value)
  return { path: pathname.slice(BASE.length).replace(/\/+$/, '') || '/', query: searchParams }
})

/** The address of a place, for links. A plain click on it stays in this document. */
export const href = (path: string) => (path === '/' ? BASE : BASE + path)

/** The state of a history entry that `go` has made: the place before it, and how many of our entries come before it. */
const entry = () => history.state as { from?: string; depth?: number } | null
const depth = () => entry()?.depth ?? 0

/** Whether the previous entry of the history is this place. */
export const cameFrom = (path: string) => entry()?.from === path

export function go(path: string, { replace = false } = {}) {
  const target = href(path)
  if (target === location.pathname + location.search) return
  if (replace) history.replaceState(history.state, '', target)
  else history.pushState({ from: withQuery({}), depth: depth() + 1 }, '', target)
  url.value = location.href
}

/** This place with other parameters; those that are empty are removed. */
export function withQuery(changes: Record<string, string | undefined>) {
  const { path, query } = place.value
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  // Lists of ids stay readable.
  const search = next.toString().replaceAll('%2C', ',')
  return search === '' ? path : `${path}?${search}`
}

/** Goes to a place that comes before this one: back, if this one was reached from there. */
export function leave(path: string) {
  if (cameFrom(path)) history.back()
  else go(path)
}

/** Goes back if the entries of the history before this one are ours, else to `fallback`. */
export function back(steps: number, fallback: string) {
  if (depth() >= steps) history.go(-steps)
  else go(fallback, { replace: true })
}

addEventListener('popstate', () => {
  url.value = location.href
})

// A new tab, a download or another button is the browser's.
addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || event.defaultPrevented || event.button !== 0) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target !== '' || link.download !== '')
    return
  if (link.origin !== location.origin || !/^\/console(?:\/|$)/.test(link.pathname) || link.hash !== '') return
  event.preventDefault()
  go(link.pathname.slice(BASE.length) + link.search, { replace: link.dataset['replace'] !== undefined })
})
