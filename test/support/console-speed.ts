import type { Page } from 'playwright-core'
import type { startConsole, TabOptions } from './console-browser.ts'

/** A phone on a slow network. */
const SLOW_CPU = 4
const SLOW_NETWORK = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 }

/** What a screen shows when it shows what it is for: so many of these. */
export interface Rows {
  selector: string
  count: number
}

interface Seen {
  /** When they were there, since the page was asked for. */
  rows: number
  /** What had been asked for by then. */
  requests: string[]
  shift: number
}

/** Runs before the page: notes when the rows are there, and everything that moved. */
const observe = ({ selector, count }: Rows) => `(() => {
  const seen = (window.seen = { rows: 0, requests: [], shift: 0 })
  new MutationObserver(() => {
    if (seen.rows || document.querySelectorAll('${selector}').length < ${count}) return
    seen.rows = performance.now()
    seen.requests = performance.getEntries().filter((entry) => /resource|navigation/.test(entry.entryType)).map((entry) => entry.name)
  }).observe(document, { childList: true, subtree: true, attributes: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
})()`

type Store = Pick<Awaited<ReturnType<typeof startConsole>>, 'open' | 'address'>
interface LoadOptions extends TabOptions {
  isSlow?: boolean
}

/** Opens a screen with nothing in the cache, in a browser whose person is signed in. */
export async function load(store: Store, path: string, rows: Rows, { isSlow = false, ...options }: LoadOptions = {}) {
  await using tab = await store.open('/nowhere', options)
  const { page, context } = tab
  await page.locator('h1').waitFor()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await page.goto('about:blank')
  await page.addInitScript(observe(rows))
  if (isSlow) {
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_CPU })
    await session.send('Network.emulateNetworkConditions', SLOW_NETWORK)
  }
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.goto(`${store.address}/console${path}`)
  await untilRows(page, rows)
  // What is loaded after them is no part of it.
  const cold = bytes
  const { metrics } = await session.send('Performance.getMetrics')
  const scriptMs = (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1_000
  await page.evaluate('new Promise((done) => setTimeout(done, 300))')
  const { rows: rowsMs, requests, shift } = (await page.evaluate('window.seen')) as Seen
  return { requests, bytes: cold, scriptMs, rowsMs, shift }
}

export async function untilRows(page: Page, { selector, count }: Rows) {
  await page
    .locator(selector)
    .nth(count - 1)
    .waitFor()
}
