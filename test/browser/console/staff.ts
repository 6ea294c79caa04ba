import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { loseResponse, startConsole } from '../../support/console-browser.ts'
import { newCategory, partsOf, petsOf, readOf } from '../../support/console-pets.ts'
import { addPet } from '../../support/events.ts'
import { orderCalls, orderOf, orderRow } from '../../support/orders.ts'
import { until } from '../../support/until.ts'

// What gets in the way of those who work with the console all day.

const store = await startConsole()
const pets = petsOf(store)

const LIMITED = {
  status: 429,
  headers: { 'retry-after': '23' },
  json: { code: 'rate_limited', message: 'Try again after `Retry-After` seconds.' },
}

const unreachable = (page: Page) => partsOf(page).panel.getByText('The service could not be reached.').first()

/** The numbers of the rows whose box is checked. */
const picked = (page: Page) =>
  page
    .locator('tbody input[type=checkbox]')
    .evaluateAll((boxes) => boxes.flatMap((box, row) => ((box as HTMLInputElement).checked ? [row] : [])))

test('a panel that could not be read is read as soon as the network is back', async () => {
  const { categoryId } = await pets.addMany(1)
  await using tab = await store.open(`/pets?category=${categoryId}`, { isLive: true })
  const { page } = tab
  const { panel, link, live } = partsOf(page)
  await live()
  await tab.context.setOffline(true)
  await link('Pet 1').click()
  await unreachable(page).waitFor()
  await tab.context.setOffline(false)
  await unreachable(page).waitFor({ state: 'detached' })
  await panel.getByRole('region', { name: 'History' }).getByText('added it').waitFor()
})

test('a panel that could not be read is tried again by itself, although the browser has not noticed that it was offline', async () => {
  const { categoryId, ids } = await pets.addMany(1)
  await using tab = await store.open(`/pets?category=${categoryId}`, { isLive: true, hasClock: true })
  const { page } = tab
  const { link, live } = partsOf(page)
  await live()
  const path = readOf(ids[0]!)
  await page.route(path, (route) => route.abort())
  await link('Pet 1').click()
  await unreachable(page).waitFor()
  await page.unroute(path)
  await page.clock.runFor(5_000)
  await unreachable(page).waitFor({ state: 'detached' })
})

test('a change that failed offline says so only until the network is back', async () => {
  const id = await pets.add('Lonely', { status: 'available' })
  await using tab = await store.open(`/pets?id=${id}&pet=${id}`, { isLive: true })
  const { page } = tab
  const { live, mark, state } = partsOf(page)
  await live()
  await tab.context.setOffline(true)
  await mark('Sold')
  await unreachable(page).waitFor()
  // As soon as the pet can't be read either.
  await partsOf(page).panel.getByRole('button', { name: 'Try again' }).first().waitFor()
  await tab.context.setOffline(false)
  await unreachable(page).waitFor({ state: 'detached' })
  await state('Available').waitFor()
})

test('a key that can do the work of a shop reads nothing about what it can’t do, and has no Delete', async () => {
  const id = await pets.add('Kept', { status: 'available' })
  const key = await store.createKey({ scopes: ['pets:read', 'pets:edit', 'orders:write', 'events:read'] })
  await using tab = await store.open(`/pets?id=${id}&pet=${id}`, { key })
  const { panel, toast, mark } = partsOf(tab.page)
  await panel.getByRole('button', { name: 'Reserve…' }).waitFor()
  assert.equal(await panel.getByText('Your key can’t').count(), 0)
  await panel.locator('[aria-haspopup=menu]').click()
  assert.deepEqual(await tab.page.getByRole('menuitem').allInnerTexts(), [
    'Copy link',
    'Copy as curl',
    'Correct the status…',
  ])
  await tab.page.keyboard.press('Escape')
  await mark('Pending')
  await toast.getByText('Kept is now pending.').waitFor()
})

test('a key that is limited reads when the service is asked again, and then it is', async () => {
  const { categoryId } = await pets.addMany(1)
  await using tab = await store.open(`/pets?category=${categoryId}`, { isLive: true, hasClock: true })
  const { page } = tab
  const { live, row, rows } = partsOf(page)
  await live()
  await page.route('**/v1/**', (route) => route.fulfill(LIMITED))
  await partsOf(page).tab('Available').click()
  const notice = page.getByRole('alert').getByRole('timer')
  await notice.waitFor()
  const seconds = async () =>
    Number(/^Too many requests\. Trying again in (\d+) s$/.exec(await notice.innerText())?.[1])
  const before = await seconds()
  assert.ok(before > 15 && before <= 23, `${before} s`)
  await page.clock.runFor(5_000)
  assert.ok((await seconds()) <= before - 5, 'it counts down')
  // The request that waits for an event gets one, and the next is rejected.
  await pets.add('Elsewhere')
  const fresh = page.locator('.fresh')
  await fresh.getByText('Too many requests. Trying again in').waitFor()
  assert.equal(await page.getByText('Offline').count(), 0)
  assert.equal(await rows.count(), 0)
  await page.unroute('**/v1/**')
  await page.clock.runFor(24_000)
  await row('Pet 1').waitFor()
  await live()
  assert.equal(await page.getByText('Too many requests').count(), 0)
})

test('a change and a sign-in that are limited say in how many seconds to try again', async () => {
  const id = await pets.add('Busy', { status: 'available' })
  await using tab = await store.open(`/pets?id=${id}&pet=${id}`)
  const { panel, mark, state } = partsOf(tab.page)
  await state('Available').waitFor()
  await tab.page.route('**/v1/pets/*', (route) => route.fulfill(LIMITED))
  await mark('Sold')
  await panel.getByText('Too many requests. Try again in 23 s.').waitFor()
  await using other = await store.open('/', { key: null })
  await other.page.route('**/console/session', (route) =>
    route.request().method() === 'POST' ? route.fulfill(LIMITED) : route.continue(),
  )
  await other.page.getByLabel('API key').fill(store.key)
  await other.page.getByLabel('API key').press('Enter')
  await other.page.getByText('Too many requests. Try again in 23 s.').waitFor()
})

test('the dates of a key have their year', async () => {
  const expiresAt = new Date(Date.now() + 365 * 86_400_000)
  const key = await store.createKey({ expiresAt })
  await using tab = await store.open('/key', { key })
  const fact = (name: string) =>
    tab.page
      .locator('.facts > div')
      .filter({ has: tab.page.locator('dt', { hasText: name }) })
      .locator('time')
      .first()
  assert.match(
    await fact('Expires').innerText(),
    new RegExp(`^\\d+ \\w+ ${expiresAt.getFullYear()}, \\d\\d:\\d\\d:\\d\\d$`),
  )
  assert.match(await fact('Created').innerText(), /^\d+ \w+ \d{4}, \d\d:\d\d:\d\d$/)
})

test('an order that is completed while it is listed has no time left, but its status', async () => {
  const calls = orderCalls(store.call)
  const petId = await addPet(store.call, 'available')
  const order = orderOf(await calls.place(petId))
  await using tab = await store.open('/orders', { isLive: true })
  const row = orderRow(tab.page, order.id)
  await row.locator('.left').waitFor()
  await calls.complete(order.id)
  await row.getByText('Sold', { exact: true }).waitFor()
  assert.equal(await row.locator('.left').count(), 0)
})

test('Ctrl Z undoes the last change while its message is shown, but not what is typed', async () => {
  const id = await pets.add('Undone', { status: 'available' })
  await using tab = await store.open(`/pets?id=${id}&pet=${id}`)
  const { panel, toast, mark } = partsOf(tab.page)
  await mark('Pending')
  await toast.getByText('Undone is now pending.').waitFor()
  const name = panel.getByLabel('Name')
  await name.focus()
  await name.press('End')
  await name.pressSequentially(' twice')
  assert.equal(await name.inputValue(), 'Undone twice')
  await name.press('Control+z')
  assert.equal(await name.inputValue(), 'Undone', 'what was typed is undone')
  await mark('Sold')
  await toast.getByText('Undone is now sold.').waitFor()
  assert.equal((await pets.read(id))?.version, 3n, 'nothing was undone in the field')
  const menu = panel.locator('[aria-haspopup=menu]')
  await menu.press('Control+Shift+z')
  await menu.press('Control+z')
  await toast.getByText('Undone is as it was.').waitFor()
  const pet = await pets.read(id)
  assert.deepEqual([pet?.status, pet?.version], ['pending', 4n])
})

test('Ctrl Z takes back what was typed in a field, also if the field has its saved text again', async () => {
  const id = await pets.add('Undone', { status: 'available' })
  await using tab = await store.open(`/pets?id=${id}&pet=${id}`)
  const { panel, toast, mark } = partsOf(tab.page)
  await mark('Pending')
  await toast.getByText('Undone is now pending.').waitFor()
  const name = panel.getByLabel('Name')
  await name.press('End')
  await name.pressSequentially('!')
  await panel.getByText('Not saved').waitFor()
  await name.press('Backspace')
  await panel.getByText('Not saved').waitFor({ state: 'detached' })
  await name.press('Control+z')
  await panel.getByText('Not saved').waitFor()
  assert.equal(await name.inputValue(), 'Undone!')
  assert.equal((await pets.read(id))?.version, 2n, 'the status is not taken back')
})

test('Ctrl Z undoes a new name and a new category, although the focus is still in the field', async () => {
  const id = await pets.add('Before', { status: 'available' })
  await using tab = await store.open(`/pets?id=${id}&pet=${id}`)
  const { panel, toast } = partsOf(tab.page)
  const name = panel.getByLabel('Name')
  await name.fill('After')
  await name.press('Enter')
  await toast.getByText('Before is now called After.').waitFor()
  await name.press('Control+z')
  await toast.getByText('Before is as it was.').waitFor()
  assert.equal(await name.inputValue(), 'Before')
  const category = panel.getByRole('combobox', { name: 'Category' })
  const { categoryId } = (await pets.read(id))!
  await category.fill('7')
  await category.press('Enter')
  await toast.getByText('Before is now in No. 7.').waitFor()
  await category.press('Control+z')
  await toast.getByText('Before is now in No. 7.').waitFor({ state: 'detached' })
  await panel.getByText('Not saved').waitFor({ state: 'detached' })
  const pet = await until(async () => {
    const now = await pets.read(id)
    return now?.version === 5n && now
  })
  assert.deepEqual([pet.name, pet.categoryId], ['Before', categoryId])
})

test('Ctrl Z undoes the last of several changes, also a bulk change of which a part was rejected', async () => {
  const { categoryId, ids } = await pets.addMany(4)
  await pets.reserve(ids[0]!)
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const { page } = tab
  const { toast, row } = partsOf(page)
  const mark = async (status: string, names: readonly string[]) => {
    for (const name of names) await row(name).getByRole('checkbox').check()
    await partsOf(page).markSelected(status)
  }
  const statuses = async () =>
    (await pets.list(categoryId)).toSorted((a, b) => Number(a.id - b.id)).map(({ status }) => status)
  await mark('pending', ['Pet 4'])
  await toast.getByText('1 changed').waitFor()
  await mark('pending', ['Pet 1', 'Pet 2', 'Pet 3'])
  await page.getByText('2 changed; 1 rejected:').waitFor()
  assert.equal(await toast.count(), 1, 'it is not shown twice')
  await page.keyboard.press('Control+z')
  await toast.getByText('Undone for 2 pets').waitFor()
  assert.deepEqual(await statuses(), ['pending', 'available', 'available', 'pending'])
  await page.getByText('rejected:').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await toast.getByText('Undone for 1 pet', { exact: true }).waitFor()
  assert.deepEqual(await statuses(), ['pending', 'available', 'available', 'available'])
})

test('a change whose response was lost says what the panel shows', async () => {
  const id = await pets.add('Dropped', { status: 'available' })
  await using tab = await store.open(`/pets?id=${id}&pet=${id}`)
  const { panel, mark, state } = partsOf(tab.page)
  await state('Available').waitFor()
  await tab.page.route(`**/v1/pets/${id}`, loseResponse)
  await mark('Sold')
  await panel.getByText('The connection was lost for a moment. What you see now is what is stored.').waitFor()
  await state('Sold').waitFor()
  assert.equal(await unreachable(tab.page).count(), 0)
})

test('a click with Shift selects or clears all rows from the last one, and so does x', async () => {
  const { categoryId } = await pets.addMany(6)
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const { page } = tab
  const boxes = page.locator('tbody input[type=checkbox]')
  await boxes.nth(4).click()
  await boxes.nth(1).click({ modifiers: ['Shift'] })
  await page.getByText('4 selected').waitFor()
  assert.deepEqual(await picked(page), [1, 2, 3, 4])
  await boxes.nth(2).click({ modifiers: ['Shift'] })
  await page.getByText('2 selected').waitFor()
  assert.deepEqual(await picked(page), [3, 4])
  await page.locator('[data-row]').nth(5).focus()
  await page.keyboard.press('x')
  await page.locator('[data-row]').nth(0).focus()
  await page.keyboard.press('Shift+x')
  await page.getByText('6 selected').waitFor()
  assert.equal(await page.evaluate<boolean>('getSelection().isCollapsed'), true)
  // Another list begins anew.
  await partsOf(page).tab('Available').click()
  await page.getByText('6 selected').waitFor({ state: 'detached' })
  await boxes.nth(3).click({ modifiers: ['Shift'] })
  await page.getByText('1 selected').waitFor()
})

test('the longest name takes two lines of a list on a phone', async () => {
  const name = 'A name of many words '.repeat(12).trim()
  const categoryId = newCategory()
  await pets.add(name, { categoryId })
  await pets.add('Short', { categoryId })
  await using tab = await store.open(`/pets?category=${categoryId}`, { width: 390, height: 844 })
  const { page } = tab
  const heightOf = async (text: string) => (await partsOf(page).link(text).boundingBox())?.height ?? 0
  await partsOf(page).link('Short').waitFor()
  const [long, short] = [await heightOf(name), await heightOf('Short')]
  assert.ok(long > short * 1.5 && long < short * 2.5, `${long} and ${short} pixels`)
  await page.goto(`${store.address}/console/activity`)
  const event = page.locator('.event').filter({ hasText: name })
  assert.ok(((await event.boundingBox())?.height ?? 0) < 170)
})
