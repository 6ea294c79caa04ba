import type { Page } from 'playwright-core'
import { assertAccessible, assertFits } from './console-browser.ts'
import { onEach, type Shown, settle, show } from './console-screens.ts'

const WIDTHS = [1440, 390]

/** What is shown, wide and narrow, in both themes, each without loading it again. */
export async function assertAccessibleEverywhere(page: Page) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await settle(page)
    await assertFits(page)
    await assertAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await assertAccessible(page, { onlyColours: true })
    await page.emulateMedia({ colorScheme: 'light' })
  }
}

/** Each screen in one document, which has axe-core already; after one with an act, which may have opened something, in another. */
export async function showEach(
  page: Page,
  address: string,
  screens: readonly Shown[],
  isShown: (page: Page) => Promise<unknown> = settle,
) {
  let isClean = false
  await onEach(screens, async (screen) => {
    if (isClean) await turnTo(page, screen)
    else await show(page, address, screen)
    isClean = screen.act === undefined
    await isShown(page)
    await assertAccessibleEverywhere(page)
  })
}

/** As a link of the page does. */
async function turnTo(page: Page, { path, act }: Shown) {
  await page.evaluate(`(async () => {
    history.pushState(null, '', '/console${path === '/' ? '' : path}')
    dispatchEvent(new PopStateEvent('popstate'))
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  })()`)
  await settle(page)
  await act?.(page)
}
