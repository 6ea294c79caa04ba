import type { Call } from './app.ts'
import type { Tab } from './console-browser.ts'
import { addPet } from './events.ts'

/** Offline begins with the next request, so the one that waits for events gets one. */
export async function goOffline({ context }: Tab, call: Call) {
  await context.setOffline(true)
  await addPet(call)
}
