import type { Page } from 'playwright-core'

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
