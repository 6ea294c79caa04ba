/** As the service has it: after this long without input the session ends. The page reads by itself, so only the page can tell. */
const LONGEST_MS = 60 * 60_000
/** Shared by all tabs. */
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

export const isIdle = () => Date.now() - Number(localStorage.getItem(STORED)) > LONGEST_MS
