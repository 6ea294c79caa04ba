import { test } from 'node:test'
import { assertAccessibleEverywhere, showEach } from '../../support/console-axe.ts'
import { startConsole } from '../../support/console-browser.ts'
import { addLongNamed, fillStore } from '../../support/console-data.ts'
import { DETAILS, SECTIONS, settle } from '../../support/console-screens.ts'

// Without pets, a service, a session or scopes.

const store = await startConsole()
const empty = await startConsole({}, store.browser)
await fillStore(store.pool, 'key_000000000001')
await addLongNamed(store.pool)
const ordersOnly = await store.createKey({ scopes: ['orders:read'] })
const readOnly = await store.createKey({ scopes: ['pets:read', 'orders:read'] })

test('axe-core finds nothing in an empty store', async () => {
  await using tab = await empty.open('/')
  await showEach(tab.page, empty.address, SECTIONS)
})

test('axe-core finds nothing where the service does not respond', async () => {
  await using tab = await store.open('/')
  const { page } = tab
  await page.route('**/v1/**', (route) => route.abort())
  await showEach(page, store.address, SECTIONS, () =>
    page.getByText('The service could not be reached').first().waitFor(),
  )
})

test('axe-core finds nothing while signed out', async () => {
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
