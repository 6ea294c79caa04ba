import { IDLE_MS } from './service-times.ts'

/** When the person last did something: the page reads by itself, so the service can't tell. Shared by all tabs. */
const STORED = 'petstore.last-input'
const EVERY_MS = 10_000

let notedAt = 0

export function watchInput() {
  const note = () => {
    if (Date.now() - notedAt < EVERY_MS) return
    notedAt = Date.now()
    localStorage.setItem(STORED, String(notedAt))
  }
  note()
  for (const type of ['keydown', 'pointerdown', 'wheel', 'touchmove']) addEventListener(type, note, { passive: true })
}

export const isIdle = () => Date.now() - Number(localStorage.getItem(STORED)) > IDLE_MS
