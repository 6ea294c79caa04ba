import { IDLE_MS } from './service-times.ts'

/** When the person last did something: the page reads by itself, so the service can't tell. Shared by all tabs. */
const STORED = 'petstore.last-input'
const EVERY_MS = 10_000

let notedAt = 0
/** When the store last changed, or this page was seen again. */
let stirredAt = 0

export function watchInput() {
  const note = () => {
    if (Date.now() - notedAt < EVERY_MS) return
    notedAt = Date.now()
    localStorage.setItem(STORED, String(notedAt))
  }
  note()
  for (const type of ['keydown', 'pointerdown', 'wheel', 'touchmove']) addEventListener(type, note, { passive: true })
}

export const stir = () => {
  stirredAt = Date.now()
}

/** A poll waits for a quarter of the time since anything last happened, but no longer than this. */
const SHARE = 4
const LONGEST_MS = 5 * 60_000

/** Whether what was read then is old enough to be read again by itself: the longer the page is idle, the less often that is. */
export function isDue(readAt: number) {
  const quietMs = Date.now() - Math.max(stirredAt, Number(localStorage.getItem(STORED)))
  return Date.now() - readAt >= Math.min(quietMs / SHARE, LONGEST_MS)
}

export const isIdle = () => Date.now() - Number(localStorage.getItem(STORED)) > IDLE_MS
