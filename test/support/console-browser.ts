import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
  type Route,
} from 'playwright-core'
import type { Config } from '../../src/config.ts'
import type { NewKey } from '../../src/domain/key-changes.ts'
import { startApp } from './app.ts'
import { opened } from './cleanup.ts'
import { createTestKey } from './factories.ts'

// The console in a real Chromium, served by the real service on a database of its own. Each test opens tabs of its own:
//
//   const store = await startConsole()
//   test('…', async () => {
//     await using tab = await store.open('/pets')
//     await tab.page.getByRole('link', { name: 'Sold' }).click()
//   })

const CHROMIUM = '/usr/bin/chromium'
/** The same browser without its windows: a tab takes half as much of the processor. */
const SHELL = '/usr/bin/chromium-headless-shell'
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A name that is not this machine's, for which the browser allows less.
  '--host-resolver-rules=MAP *.example 127.0.0.1',
]
const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')
/** What the browser reports of responses that a test provokes, and of what the policy keeps a test from doing. */
const EXPECTED = /Failed to load resource|Trusted ?(?:Type|HTML|Script)|ERR_INTERNET_DISCONNECTED/i

export interface TabOptions extends BrowserContextOptions {
  /** The API key to sign in with; null for nobody. By default one with every scope. */
  key?: string | null
  width?: number
  height?: number
  /** In the context of another tab, with which it shares the session. */
  beside?: Tab
  /** Texts that are accented and 40 % longer. */
  isPseudo?: boolean
  /** The feed begins at once, not a second after the page, and has begun when the tab is returned. */
  isLive?: boolean
  /** The feed begins ten seconds after the page: nothing is read again for it while the first rows are looked at. */
  isBeforeFeed?: boolean
  /** The time of the page can be moved with `page.clock`. */
  hasClock?: boolean
}

export interface Tab extends AsyncDisposable {
  page: Page
  context: BrowserContext
  /** The URLs that the page has asked for. */
  sent: string[]
}

/** Starts the service and a browser, unless there is one, both closed when the test file has run. */
export async function startConsole(overrides: Partial<Config> = {}, running?: Browser) {
  return consoleOf(await startApp(overrides), running)
}

/** The same of a service that runs. */
export async function consoleOf<App extends Awaited<ReturnType<typeof startApp>>>(app: App, running?: Browser) {
  const browser = running ?? (await launchShell())
  return {
    ...app,
    browser,
    /** A key of which the test says what it may do. */
    createKey: async (key: Partial<NewKey>) => (await createTestKey(app.pool, key)).key,
    /** A tab at a path below /console; signed in, unless `key` is null. */
    open: (path = '/', options: TabOptions = {}) => openTab(browser, app, path, options),
  }
}

/** For tests that take no pictures. */
export function launchShell() {
  const isWanted = process.env['CHROMIUM'] === undefined && existsSync(SHELL)
  return launchBrowser(isWanted ? { executablePath: SHELL } : {})
}

export async function launchBrowser({ args = [], ...options }: LaunchOptions = {}) {
  const executablePath = process.env['CHROMIUM'] ?? CHROMIUM
  const browser = await chromium.launch({ executablePath, ...options, args: [...FLAGS, ...args] })
  opened.defer(() => browser.close())
  return browser
}

async function openTab(browser: Browser, app: { address: string; key: string }, path: string, options: TabOptions) {
  const {
    key = app.key,
    width = 1440,
    height = 900,
    beside,
    isPseudo,
    isLive,
    isBeforeFeed,
    hasClock,
    ...rest
  } = options
  const context =
    beside?.context ?? (await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce', ...rest }))
  const page = await context.newPage()
  const complaints: string[] = []
  const sent: string[] = []
  page.on('request', (request) => {
    sent.push(request.url())
    if (!request.url().startsWith(`${app.address}/`) && !request.url().startsWith('data:'))
      complaints.push(`request off origin: ${request.url()}`)
  })
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !EXPECTED.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message))
  if (isPseudo) await page.addInitScript(() => localStorage.setItem('petstore.locale', 'pseudo'))
  if (isLive) await page.addInitScript(() => localStorage.setItem('petstore.feed-start-ms', '0'))
  if (isBeforeFeed) await page.addInitScript(() => localStorage.setItem('petstore.feed-start-ms', '9999'))
  if (hasClock) await page.clock.install()
  if (key !== null && !beside) await signIn(context, app.address, key)
  const begun = isLive && page.waitForResponse((response) => /\/v1\/events\?.*from=now/.test(response.url()))
  await page.goto(`${app.address}/console${path === '/' ? '' : path}`)
  await begun
  return {
    page,
    context,
    sent,
    async [Symbol.asyncDispose]() {
      await (beside ? page : context).close()
      assert.deepEqual(complaints, [])
    },
  } satisfies Tab
}

/** As the console signs in, without its form. */
async function signIn(context: BrowserContext, address: string, key: string) {
  const headers = { authorization: `Bearer ${key}`, 'sec-fetch-site': 'same-origin' }
  const response = await fetch(`${address}/console/session`, { method: 'POST', headers })
  assert.equal(response.status, 201, await response.text())
  const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(response.headers.getSetCookie()[0] ?? '') ?? []
  const { hostname: domain } = new URL(address)
  await context.addCookies([{ name, value, domain, path: '/', secure: true, httpOnly: true, sameSite: 'Strict' }])
}

/** In the menu of the person who is signed in. */
export async function chooseInMenu(page: Page, item: string | RegExp) {
  await page.getByRole('banner').locator('[aria-haspopup=menu]').click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** The service does what the page asks for, and its response never arrives. */
export async function loseResponse(route: Route) {
  // The browser adds this one only to what it sends itself.
  const response = await route.fetch({ headers: { ...route.request().headers(), 'sec-fetch-site': 'same-origin' } })
  if (!response.ok()) assert.fail(await response.text())
  // The test may be over by then, and its tab closed.
  await route.abort().catch(() => {})
}

const RULES = "runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']"
/** What another theme can change. */
const COLOUR_RULES = "runOnly: ['color-contrast', 'link-in-text-block']"

/** Fails with what axe-core finds in the page, or in a part of it. */
export async function assertAccessible(page: Page, { part = 'html', onlyColours = false } = {}) {
  // Not `addScriptTag`, which the policy of the page forbids.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE)
  // What has no fault is not described, which takes long in a large page.
  const options = `{ ${onlyColours ? COLOUR_RULES : RULES}, resultTypes: ['violations'] }`
  const run = `axe.run('${part}', ${options}).then(({ violations }) => violations)`
  const violations = await page.evaluate<{ id: string; nodes: { html: string; failureSummary: string }[] }[]>(run)
  assert.deepEqual(
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`)),
    [],
  )
}

/** Fails if something makes the page wider than its window. */
export async function assertFits(page: Page) {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  assert.equal(overflow, 0, 'nothing sticks out at the right')
}
