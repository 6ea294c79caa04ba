import type { Page } from 'playwright-core'
import type { Call } from './app.ts'
import type { Tab } from './console-browser.ts'
import { addPet } from './events.ts'

/** Offline begins with the next request, so the one that waits for events gets one. */
export async function goOffline({ context }: Tab, call: Call) {
  await context.setOffline(true)
  await addPet(call)
}

/** The feed as if it had a block more behind each that the page passes over. Each of them begins with the oldest event. */
export async function withoutEnd(page: Page) {
  let blocks = 0
  await page.route('**/v1/events?*', (route) => {
    const url = new URL(route.request().url())
    if (url.searchParams.get('type') === 'pets.imported')
      return route.fulfill({ json: [], headers: { link: `</v1/events?cursor=block-${++blocks}>; rel="next"` } })
    if (url.searchParams.get('cursor')?.startsWith('block-')) url.searchParams.delete('cursor')
    return route.continue({ url: url.href })
  })
}
