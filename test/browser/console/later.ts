import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import { startConsole } from '../../support/console-browser.ts'
import { newCategory, partsOf, petsOf } from '../../support/console-pets.ts'
import { settle } from '../../support/console-screens.ts'
import { until } from '../../support/until.ts'

// The screens and dialogs that are in scripts of their own.

const SCRIPT = /\/assets\/(later|manage)-/
const FAILED = 'This page could not be loaded. Check your connection, or reload the page.'

const store = await startConsole()
const pets = petsOf(store)

/** A tab in which nothing has asked for the scripts yet, whoever else uses the machine, at a path whose requests for them are handled. */
async function openWith(path: string, handle: (route: Route) => Promise<void>) {
  const tab = await store.open('/nowhere', { isBeforeFeed: true })
  await tab.page.route(SCRIPT, handle)
  await tab.page.goto(`${store.address}/console${path}`)
  return tab
}

const isLater = (url: string) => SCRIPT.test(url)

test('the later scripts are loaded once, when the feed has begun, and then their screens need no other request for them', async () => {
  await using tab = await store.open('/pets')
  const { page, sent } = tab
  const loaded = `performance.getEntriesByType('resource').filter(({ name }) => ${SCRIPT}.test(name)).length`
  await until(async () => (await page.evaluate(loaded)) === 2)
  const first = (isWanted: (url: string) => boolean) => sent.findIndex(isWanted)
  assert.ok(first((url) => url.includes('/v1/pets?')) < first(isLater), 'not before the first screen')
  await page.route('**/assets/**', (route) => route.abort())
  for (const section of ['Activity', 'Webhooks', 'People', 'Status', 'Categories']) {
    await page.getByRole('link', { name: section, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: section }).waitFor()
    await settle(page)
    assert.equal(await page.getByText(FAILED).count(), 0)
  }
  assert.equal(sent.filter(isLater).length, 2)
})

test('a section whose script can’t be loaded says so, and shows it when it is tried again', async () => {
  await using tab = await store.open('/key', { key: null })
  const { page } = tab
  await page.route(SCRIPT, (route) => route.abort())
  await page.getByLabel('API key').fill(store.key)
  await page.keyboard.press('Enter')
  await page.getByText(FAILED).waitFor()
  assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Your key')
  await page.unroute(SCRIPT)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('all scopes').or(page.locator('.facts')).first().waitFor()
  assert.equal(await page.getByText(FAILED).count(), 0)
})

test('the heading keeps the focus while the script of a section is loaded', async () => {
  const asked = Promise.withResolvers<void>()
  const wanted = Promise.withResolvers<void>()
  await using tab = await openWith('/pets', async (route) => {
    asked.resolve()
    await wanted.promise
    await route.continue()
  })
  const { page } = tab
  await settle(page)
  await page.getByRole('link', { name: 'Status', exact: true }).click()
  await asked.promise
  await page.locator('.skeleton').waitFor()
  assert.equal(await partsOf(page).focused(), 'Status')
  wanted.resolve()
  await page.locator('.skeleton').waitFor({ state: 'detached' })
  assert.equal(await partsOf(page).focused(), 'Status')
})

test('a dialog and the bar of selected pets that can’t be loaded say so, and come when they can', async () => {
  const { categoryId } = await pets.addMany(1, newCategory())
  await using tab = await openWith(`/pets?category=${categoryId}`, (route) => route.abort())
  const { page } = tab
  const { row, bulk, toast } = partsOf(page)
  await row('Pet 1').waitFor()
  await page.keyboard.press('?')
  await toast.getByText(FAILED).waitFor()
  await toast.getByRole('button', { name: 'Dismiss' }).click()
  // Not `check`, which fails if it is unchecked again that soon.
  await row('Pet 1').getByRole('checkbox').click()
  await toast.getByText(FAILED).waitFor()
  assert.equal(await row('Pet 1').getByRole('checkbox').isChecked(), false)
  await page.unroute(SCRIPT)
  await row('Pet 1').getByRole('checkbox').check()
  await bulk.getByText('1 selected').waitFor()
})
