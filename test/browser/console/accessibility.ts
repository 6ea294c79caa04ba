import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertFits, startConsole, type TabOptions } from '../../support/console-browser.ts'
import { fillStore } from '../../support/console-data.ts'
import { DETAILS, SECTIONS, type Shown, settle, show, walkTab } from '../../support/console-screens.ts'

const store = await startConsole()
const empty = await startConsole({}, store.browser)
await fillStore(store.pool, 'key_000000000001')
const ordersOnly = await store.createKey({ scopes: ['orders:read'] })
const readOnly = await store.createKey({ scopes: ['pets:read', 'orders:read', 'events:read'] })
const EVERYWHERE = [...SECTIONS, ...DETAILS]

const WINDOWS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1440, 390].map((width) => ({ colorScheme, width, height: 900 })),
)
const nameOf = ({ colorScheme, width }: TabOptions) => `${colorScheme}, ${width} wide`

/** Every fault of every screen, not only the first. */
async function onEach(screens: readonly Shown[], check: (screen: Shown) => Promise<void>) {
  const faults: string[] = []
  for (const screen of screens)
    await check(screen).catch((error: unknown) => faults.push(`${screen.path}: ${String(error)}`))
  assert.deepEqual(faults, [])
}

async function showEach(page: Page, address: string, screens: readonly Shown[]) {
  await onEach(screens, async (screen) => {
    await show(page, address, screen)
    await assertFits(page)
    await assertAccessible(page)
  })
}

for (const window of WINDOWS) {
  test(`axe-core finds nothing in a full store, ${nameOf(window)}`, async () => {
    await using tab = await store.open('/', window)
    await showEach(tab.page, store.address, EVERYWHERE)
  })

  test(`axe-core finds nothing in an empty store, ${nameOf(window)}`, async () => {
    await using tab = await empty.open('/', window)
    await showEach(tab.page, empty.address, SECTIONS)
  })

  test(`axe-core finds nothing where the service does not respond, ${nameOf(window)}`, async () => {
    await using tab = await store.open('/', window)
    await tab.page.route('**/v1/**', (route) => route.abort())
    await onEach(SECTIONS, async (screen) => {
      await show(tab.page, store.address, screen)
      await tab.page.getByText('The service could not be reached').first().waitFor()
      await assertAccessible(tab.page)
    })
  })

  test(`axe-core finds nothing while nobody is signed in, ${nameOf(window)}`, async () => {
    await using tab = await store.open('/pets', { ...window, key: null })
    await tab.page.getByLabel('API key').fill('petk_')
    await tab.page.keyboard.press('Enter')
    await assertAccessible(tab.page)
    await using other = await store.open('/pets', window)
    await settle(other.page)
    await other.context.clearCookies()
    await other.page.getByText('Your session has ended').waitFor()
    await assertAccessible(other.page)
  })
}

/** Less is shown then, so two of the windows are enough. */
for (const window of [WINDOWS[0], WINDOWS[3]])
  test(`axe-core finds nothing where the key lacks the scopes, ${nameOf(window ?? {})}`, async () => {
    await using reader = await store.open('/', { ...window, key: readOnly })
    const changed = [...SECTIONS, ...DETAILS.filter(({ name }) => /^(pet|add-pet|order|webhook)$/.test(name))]
    await showEach(reader.page, store.address, changed)
    await using other = await store.open('/', { ...window, key: ordersOnly })
    await showEach(other.page, store.address, SECTIONS)
  })

for (const width of [1440, 390])
  test(`Tab reaches every control of every screen and never loses the focus, ${width} wide`, async () => {
    await using tab = await store.open('/', { width })
    await onEach(EVERYWHERE, async (screen) => {
      await show(tab.page, store.address, screen)
      await walkTab(tab.page, screen.name)
    })
  })

// 1440 and 1280 pixels at 200 %, 1280 at 400 %.
for (const width of [720, 640, 320])
  test(`nothing is cut off at the side when zoomed until ${width} pixels are left`, async () => {
    await using tab = await store.open('/', { width, height: 450, deviceScaleFactor: 2 })
    await onEach(EVERYWHERE, async (screen) => {
      await show(tab.page, store.address, screen)
      await assertFits(tab.page)
    })
  })

for (const width of [1440, 390])
  test(`texts that are 40 % longer fit, and none is outside of texts.ts, ${width} wide`, async () => {
    await using tab = await store.open('/', { width, isPseudo: true })
    await onEach(EVERYWHERE, async (screen) => {
      await show(tab.page, store.address, screen)
      await assertFits(tab.page)
      assert.deepEqual(await tab.page.evaluate(CUT), [], 'cut off')
      assert.deepEqual(await tab.page.evaluate(UNTRANSLATED), [], 'not in texts.ts')
    })
  })

const CUT = `[...document.querySelectorAll('button, a, th, label, legend, dt, h1, h2, h3')]
  .filter((e) => e.checkVisibility() && e.closest('.skip') === null && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && getComputedStyle(e).textOverflow !== 'ellipsis')
  .map((e) => e.outerHTML.slice(0, 160))`
// Names of pets and orders, ids and key names are data.
const UNTRANSLATED = `[...document.querySelectorAll('button, th, label, legend, dt, h1')]
  .filter((e) => e.checkVisibility() && /[a-z]{3}/i.test(e.innerText) && !e.innerText.includes('[') && e.querySelector('kbd, .number, bdi, code') === null && !e.matches('.number, .number *, bdi *, code *'))
  .map((e) => e.outerHTML.slice(0, 160))`

test('with forced colours every status, the current tab and the focus can still be distinguished', async () => {
  await using tab = await store.open('/pets')
  const { page } = tab
  await page.emulateMedia({ forcedColors: 'active' })
  const orders = ['placed', 'completed', 'cancelled', 'expired'].map((status) => `/orders?status=${status}`)
  for (const paths of [['/pets'], orders]) {
    const shapes = new Map<string, string>()
    for (const path of paths) {
      await show(page, store.address, { name: path, path })
      for (const status of await page.locator('td .status').all()) {
        const name = (await status.innerText()).trim()
        if (!shapes.has(name)) shapes.set(name, (await status.locator('svg').screenshot()).toString('base64'))
      }
    }
    assert.equal(shapes.size, 4, `statuses: ${[...shapes.keys()].join(', ')}`)
    assert.equal(new Set(shapes.values()).size, 4, 'each has a shape of its own')
  }
  await show(page, store.address, { name: '', path: '/pets?status=sold' })
  const styles = (await page.evaluate(
    `[...document.querySelectorAll('.tabs a')].map((a) => { const s = getComputedStyle(a); return [a.getAttribute('aria-current') ?? '', [s.color, s.backgroundColor, s.borderBottomColor, s.borderBottomWidth, s.borderBottomStyle, s.fontWeight, s.textDecorationLine].join()] })`,
  )) as [string, string][]
  const current = styles.find(([is]) => is === 'page')?.[1]
  assert.ok(current !== undefined && !styles.some(([is, style]) => is === '' && style === current), 'the current tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const outline = (await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')) as string
  assert.notEqual(outline, 'none', 'the focus has an outline')
})
