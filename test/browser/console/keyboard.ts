import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { categoryCalls } from '../../support/categories.ts'
import { startConsole } from '../../support/console-browser.ts'
import { newCategory, partsOf, petsOf } from '../../support/console-pets.ts'
import { settle } from '../../support/console-screens.ts'
import type { Order } from '../../support/orders.ts'

// What staff do all day, from Home, without a mouse.

const store = await startConsole()
const pets = petsOf(store)
const KEY = await store.createKey({
  name: 'Staff',
  scopes: ['pets:read', 'pets:edit', 'orders:read', 'orders:write', 'events:read'],
})

/** The name of what has the focus. */
const focused = (page: Page) =>
  page.evaluate<string>(`(() => {
    const { activeElement: at } = document
    return at.labels?.[0]?.textContent || at.ariaLabel || at.textContent
  })()`)

/** Presses Tab until what is named has the focus, as often as a person would put up with. */
async function tabTo(page: Page, name: string, most: number) {
  const passed: string[] = []
  while ((await focused(page)) !== name) {
    assert.ok(passed.length < most, `${name} is not among ${passed.join(', ')}`)
    await page.keyboard.press('Tab')
    passed.push(await focused(page))
  }
}

/** By its name, in the search. */
async function find(page: Page, name: string) {
  await settle(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type(name)
  await page.getByRole('option', { name, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await partsOf(page).panel.getByRole('heading', { name, exact: true, level: 2 }).and(page.locator(':focus')).waitFor()
}

for (const width of [1440, 390]) {
  test(`a pet is found, sold and taken back with the keyboard only, ${width} wide`, async () => {
    const name = `Seller ${width}`
    const id = await pets.add(name, { status: 'available' })
    await using tab = await store.open('/', { key: KEY, width, height: 844 })
    const { page } = tab
    const { toast, panel, state } = partsOf(page)
    await find(page, name)
    await tabTo(page, 'Sell', 4)
    await page.keyboard.press('Enter')
    assert.equal(await focused(page), 'Reference, if you have one')
    await page.keyboard.type('till 2')
    await page.keyboard.press('Enter')
    await toast.getByText(`${name} is sold.`).waitFor()
    await panel.locator('h2:focus').waitFor()
    const { body } = await store.call(`/v1/store/orders?petId=${id}`)
    assert.deepEqual(
      (body as Order[]).map(({ status, reference }) => [status, reference]),
      [['completed', 'till 2']],
    )
    // The next stop, although the form that it came from is gone.
    await tabTo(page, 'Take the sale back', 1)
    await page.keyboard.press('Enter')
    await toast.getByText(`${name} is available again. The order stays completed.`).waitFor()
    await state('Available').waitFor()
    await panel.locator('h2:focus').waitFor()
    assert.equal((await pets.read(id))?.status, 'available')
  })

  test(`who renamed a pet, when and from what is read with the keyboard only, ${width} wide`, async () => {
    const name = `Renamed ${width}`
    const id = await pets.add('Before', { status: 'available' })
    await pets.change(id, { name })
    await using tab = await store.open('/', { key: KEY, width, height: 844 })
    const { page } = tab
    await find(page, name)
    const entry = partsOf(page)
      .panel.getByRole('listitem')
      .filter({ hasText: `test renamed Before to ${name}` })
    await entry.waitFor()
    assert.match(await entry.innerText(), /\d\d:\d\d$/)
    await page.keyboard.press('Escape')
    await partsOf(page).panel.waitFor({ state: 'detached' })
  })

  test(`a category is corrected and taken back with the keyboard only, ${width} wide`, async () => {
    const name = `Sorted ${width}`
    const [from, to] = [newCategory(), newCategory()]
    assert.ok((await categoryCalls(store.call).put(to, `Hamsters ${width}`)).status < 300)
    const id = await pets.add(name, { categoryId: from, status: 'available' })
    await using tab = await store.open('/', { key: KEY, width, height: 844 })
    const { page } = tab
    const { toast } = partsOf(page)
    await find(page, name)
    await tabTo(page, 'Category', 8)
    await page.keyboard.type(`hamsters ${width}`)
    await page.getByRole('option', { name: `Hamsters ${width}`, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await toast.getByText(`${name} is now in Hamsters ${width}.`).waitFor()
    assert.equal((await pets.read(id))?.categoryId, to)
    assert.equal(await focused(page), 'Category')
    await page.keyboard.press('Control+z')
    await toast.getByText(`${name} is as it was.`).waitFor()
    assert.equal((await pets.read(id))?.categoryId, from)
  })
}
