import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { startConsole } from '../../support/console-browser.ts'
import { partsOf, petsOf } from '../../support/console-pets.ts'
import { MASTER_SECRET } from '../../support/deliveries.ts'
import { addPet } from '../../support/events.ts'
import { orderCalls, orderOf, orderRow } from '../../support/orders.ts'
import { webhookCalls, webhookOf } from '../../support/webhooks.ts'

// After each action by keyboard something that is still there has the focus.

const store = await startConsole({ webhookMasterSecret: MASTER_SECRET })
const pets = petsOf(store)
const calls = orderCalls(store.call)

const placeOrder = async () => orderOf(await calls.place(await addPet(store.call, 'available')))

async function press(button: Locator) {
  await button.focus()
  await button.press('Enter')
}

/** Waits until an element has the focus: what is on its way may move it. */
const hasFocus = (locator: Locator) => locator.and(locator.page().locator(':focus')).waitFor()
const title = (page: Page) => page.getByRole('heading', { level: 1 })

for (const [name, sentence] of [
  ['Complete sale', 'Rex is sold.'],
  ['Release', 'Rex is available again.'],
] as const)
  test(`${name} leaves the focus on the heading of the order`, async () => {
    const order = await placeOrder()
    await using tab = await store.open(`/orders?order=${order.id}`)
    const { page } = tab
    await press(page.getByRole('button', { name }))
    if (name === 'Release') await press(page.getByRole('dialog').getByRole('button', { name: 'Release pet' }))
    await page.getByText(sentence).waitFor()
    await page.getByRole('button', { name }).waitFor({ state: 'detached' })
    await hasFocus(page.getByRole('heading', { name: 'Rex' }))
  })

test('while it is sent, and after it was rejected, Complete keeps the focus', async () => {
  const order = await placeOrder()
  await using tab = await store.open(`/orders?order=${order.id}`)
  const { page } = tab
  const button = page.getByRole('button', { name: 'Complete' })
  const held = Promise.withResolvers<void>()
  await page.route('**/complete', async (route) => {
    await held.promise
    await route.fulfill({ status: 422, json: { code: 'order_ended', message: 'It can’t be completed.' } })
  })
  await press(button)
  await page.locator('[aria-disabled=true]', { hasText: 'Complete' }).waitFor()
  await hasFocus(button)
  held.resolve()
  await page.getByText('It can’t be completed.').waitFor()
  await hasFocus(button)
})

test('Reserve and Release leave the focus on the name of the pet', async () => {
  const id = await pets.add('Wanted', { status: 'available' })
  await using tab = await store.open(`/pets?id=${id}&pet=${id}`)
  const { panel, toast } = partsOf(tab.page)
  const heading = panel.getByRole('heading', { name: 'Wanted' })
  await press(panel.getByRole('button', { name: 'Reserve…' }))
  await hasFocus(panel.getByLabel('For whom'))
  await tab.page.keyboard.press('Escape')
  await hasFocus(panel.getByRole('button', { name: 'Reserve…' }))
  await tab.page.keyboard.press('Enter')
  await panel.getByLabel('For whom').press('Enter')
  await toast.getByText('Wanted is reserved until').waitFor()
  await hasFocus(heading)
  await press(panel.getByRole('button', { name: 'Release' }))
  await press(tab.page.getByRole('dialog').getByRole('button', { name: 'Release pet' }))
  await toast.getByText('Wanted is available again.').waitFor()
  await hasFocus(heading)
})

test('Save and Cancel of a field leave the focus in the field', async () => {
  const id = await pets.add('Typed', { status: 'available' })
  await using tab = await store.open(`/pets?id=${id}&pet=${id}`)
  const { panel, toast } = partsOf(tab.page)
  const field = panel.getByLabel('Name')
  await field.fill('Never saved')
  await press(panel.getByRole('button', { name: 'Cancel' }))
  await panel.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' })
  await hasFocus(field)
  await field.fill('Saved')
  await press(panel.getByRole('button', { name: 'Save' }))
  await toast.getByText('Typed is now called Saved.').waitFor()
  await hasFocus(field)
})

test('Undo and Dismiss of a toast give the focus back', async () => {
  const id = await pets.add('Undone', { status: 'available' })
  await using tab = await store.open(`/pets?id=${id}&pet=${id}`)
  const { panel, toast, mark } = partsOf(tab.page)
  const menu = panel.locator('[aria-haspopup=menu]')
  await mark('Pending')
  await press(toast.getByRole('button', { name: 'Undo' }))
  await toast.getByText('Undone is as it was.').waitFor()
  await hasFocus(menu)
  await press(toast.getByRole('button', { name: 'Dismiss' }))
  await toast.waitFor({ state: 'detached' })
  await hasFocus(menu)
  // What had it before is gone.
  await mark('Sold')
  await toast.getByRole('button', { name: 'Dismiss' }).focus()
  await panel.getByRole('button', { name: 'Close' }).evaluate((button) => (button as HTMLElement).click())
  await panel.waitFor({ state: 'detached' })
  await press(toast.getByRole('button', { name: 'Dismiss' }))
  await toast.waitFor({ state: 'detached' })
  await tab.page.locator('a[data-row]:focus').waitFor()
})

test('Try again leaves the focus on the heading of the screen or of the pane', async () => {
  const order = await placeOrder()
  // When the feed begins, what has failed is read again.
  await using tab = await store.open('/key', { isLive: true })
  const { page } = tab
  const failure = { status: 500, json: { code: 'internal_error', message: 'Everything is broken.' } }
  await page.route('**/v1/store/orders**', (route) => route.fulfill(failure))
  await page.getByRole('link', { name: /^Orders/ }).click()
  await page.getByText('Everything is broken.').waitFor()
  await page.unroute('**/v1/store/orders**')
  await press(page.getByRole('button', { name: 'Try again' }))
  await orderRow(page, order.id).waitFor()
  await hasFocus(title(page))
  await page.route('**/v1/store/orders/*', (route) => route.fulfill(failure))
  await press(orderRow(page, order.id).getByRole('link'))
  await page.getByText('Everything is broken.').waitFor()
  await page.unroute('**/v1/store/orders/*')
  await press(page.getByRole('button', { name: 'Try again' }))
  await page.getByRole('button', { name: 'Complete' }).waitFor()
  await hasFocus(page.getByRole('heading', { name: 'Rex' }))
})

test('“newer orders” leaves the focus on the heading of the screen', async () => {
  const first = await placeOrder()
  await using tab = await store.open('/orders', { isLive: true })
  const { page } = tab
  await orderRow(page, first.id).waitFor()
  const second = await placeOrder()
  await press(page.getByRole('button', { name: 'newer order' }))
  await orderRow(page, second.id).waitFor()
  await hasFocus(title(page))
})

test('Next and Previous of the orders leave the focus on the heading of the screen', async () => {
  const pet = await addPet(store.call, 'available')
  for (let i = 0; i < 51; i++) await calls.cancel(orderOf(await calls.place(pet)).id)
  await using tab = await store.open(`/orders?pet=${pet}`)
  const { page } = tab
  const rows = page.locator('tbody tr')
  await press(page.getByRole('button', { name: 'Next' }))
  await page.waitForURL(/after=/)
  await rows.nth(1).waitFor({ state: 'detached' })
  await rows.first().waitFor()
  await hasFocus(title(page))
  // On the last page Next can have it, and does nothing.
  await press(page.getByRole('button', { name: 'Next' }))
  await hasFocus(page.getByRole('button', { name: 'Next' }))
  await press(page.getByRole('button', { name: 'Previous' }))
  await rows.nth(49).waitFor()
  await hasFocus(title(page))
})

test('a pane whose row is not listed gives the focus to the heading of the screen', async () => {
  const order = await placeOrder()
  await calls.cancel(order.id)
  await using tab = await store.open(`/orders?order=${order.id}`)
  const { page } = tab
  await hasFocus(page.getByRole('heading', { name: 'Rex' }))
  await page.keyboard.press('Escape')
  await page.getByRole('complementary').waitFor({ state: 'detached' })
  await hasFocus(title(page))
})

test('a webhook that is deleted leaves the focus on the heading of its pane', async () => {
  const { id } = webhookOf(await webhookCalls(store.call).create({ url: 'https://shop.example/hook', types: null }))
  await using tab = await store.open(`/webhooks?webhook=${id}`)
  const { page } = tab
  await press(page.getByRole('button', { name: 'More actions' }))
  await press(page.getByRole('menuitem', { name: 'Delete…' }))
  await press(page.getByRole('dialog').getByRole('button', { name: 'Delete' }))
  await page.getByText(`There is no webhook ${id}.`).waitFor()
  await hasFocus(page.getByRole('heading', { name: 'Webhook', exact: true }))
})

test('a person who has clicked beside everything gets no focus when something goes', async () => {
  const order = await placeOrder()
  await using tab = await store.open(`/orders?order=${order.id}`, { isLive: true })
  const { page } = tab
  await page.getByRole('button', { name: 'Complete' }).focus()
  // Between the sections and the person.
  await page.mouse.click(40, 700)
  await calls.complete(order.id)
  await page.getByRole('button', { name: 'Complete' }).waitFor({ state: 'detached' })
  assert.equal(await page.evaluate('document.activeElement === document.body'), true)
})

test('a pet that is opened from another section has the focus, not the list behind it', async () => {
  const id = await pets.add('Opened elsewhere')
  for (const width of [1440, 390]) {
    await using tab = await store.open('/', { width })
    const { page } = tab
    await title(page).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type(String(id))
    await page.keyboard.press('Enter')
    await hasFocus(page.getByRole('heading', { level: 2, name: 'Opened elsewhere' }))
  }
})
