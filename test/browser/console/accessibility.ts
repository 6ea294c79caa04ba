import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertFits, startConsole } from '../../support/console-browser.ts'
import { addLongNamed, fillStore } from '../../support/console-data.ts'
import { DETAILS, onEach, SECTIONS, type Shown, STATES, settle, show } from '../../support/console-screens.ts'

const store = await startConsole()
const empty = await startConsole({}, store.browser)
await fillStore(store.pool, 'key_000000000001')
await addLongNamed(store.pool)
const ordersOnly = await store.createKey({ scopes: ['orders:read'] })
const readOnly = await store.createKey({ scopes: ['pets:read', 'orders:read'] })

const WIDTHS = [1440, 390]

/** What is shown, wide and narrow, in both themes. */
async function assertAccessibleEverywhere(page: Page) {
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

async function showEach(page: Page, address: string, screens: readonly Shown[]) {
  await onEach(screens, async (screen) => {
    await show(page, address, screen)
    await assertAccessibleEverywhere(page)
  })
}

for (const [what, screens] of [
  ['the sections', SECTIONS],
  ['the panels, dialogs and filters', DETAILS],
  ['the faults and rejected changes', STATES],
] as const)
  test(`axe-core finds nothing in ${what} of a full store`, async () => {
    await using tab = await store.open('/')
    await showEach(tab.page, store.address, screens)
  })

test('axe-core finds nothing in an empty store', async () => {
  await using tab = await empty.open('/')
  await showEach(tab.page, empty.address, SECTIONS)
})

test('axe-core finds nothing where the service does not respond', async () => {
  await using tab = await store.open('/')
  const { page } = tab
  await page.route('**/v1/**', (route) => route.abort())
  await onEach(SECTIONS, async (screen) => {
    await show(page, store.address, screen)
    await page.getByText('The service could not be reached').first().waitFor()
    await assertAccessibleEverywhere(page)
  })
})

test('axe-core finds nothing while nobody is signed in', async () => {
  await using tab = await store.open('/pets', { key: null })
  await tab.page.getByLabel('API key').fill('petk_')
  await tab.page.keyboard.press('Enter')
  await tab.page.getByText('This is not an API key.').waitFor()
  await assertAccessibleEverywhere(tab.page)
  await using other = await store.open('/pets', { isLive: true })
  await settle(other.page)
  await other.context.clearCookies()
  await other.page.getByText('Your session has ended').waitFor()
  await assertAccessibleEverywhere(other.page)
})

test('axe-core finds nothing where the key lacks the scopes', async () => {
  await using reader = await store.open('/', { key: readOnly })
  const changed = [...SECTIONS, ...DETAILS.filter(({ name }) => /^(pet|add-pet|order|webhook)$/.test(name))]
  await showEach(reader.page, store.address, changed)
  await using other = await store.open('/', { key: ordersOnly })
  await showEach(other.page, store.address, SECTIONS)
})
