import { signal } from '@preact/signals'

export type LaterParts = typeof import('./later.tsx')

/** What is in the script that is loaded after the first screen; undefined until it is. */
export const later = signal<LaterParts | undefined>(undefined)
/** Why it could not be loaded. */
export const laterError = signal<unknown>(undefined)

/** Before a person opens one of its screens, if there is time, and again when one is opened without it. */
export async function loadLater() {
  if (later.value) return
  try {
    later.value = await import('./later.tsx')
    laterError.value = undefined
  } catch (error) {
    laterError.value = error
  }
}
