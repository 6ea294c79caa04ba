import type { Page } from 'playwright-core'
import type { Call } from './app.ts'
import type { Tab } from './console-browser.ts'
import { addPet } from './events.ts'

/** Offline begins with the next request, so the one that waits for events gets one. */
export async function goOffline({ context }: Tab, call: Call) {
  await context.setOffline(true)
  await addPet(call)
}

/** As the browser does when a tab is put behind another, or comes back. */
export const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(
    `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
     document.dispatchEvent(new Event('visibilitychange'))`,
  )
