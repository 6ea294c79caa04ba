import { signal } from '@preact/signals'

export type LaterParts = typeof import('./later.tsx') & typeof import('./manage.tsx')

/** What is in the scripts that are loaded after the first screen; undefined until they are. */
export const later = signal<LaterParts | undefined>(undefined)
/** Why they could not be loaded. */
export const laterError = signal<unknown>(undefined)

/** Before a person opens one of their screens, if there is time, and again when one is opened without them. */
export async function loadLater() {
  if (later.value) return
  try {
    const [parts, screens] = await Promise.all([import('./later.tsx'), import('./manage.tsx')])
    later.value = { ...parts, ...screens }
    laterError.value = undefined
  } catch (error) {
    laterError.value = error
  }
}
