import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertCategories } from '../../support/categories.ts'
import { loseResponse, startConsole } from '../../support/console-browser.ts'
import { partsOf, petsOf } from '../../support/console-pets.ts'

// What staff do with several pets at once; what they do all day is in tasks.ts.
const store = await startConsole()
const pets = petsOf(store)
await insertCategories(store.pool, ['Dogs', 'Cats'])

test('a bulk sale places and completes an order for each, names what could not be sold, and can be taken back', async () => {
  const { categoryId, ids } = await pets.addMany(3)
  await pets.reserve(ids[0]!)
  await using tab = await store.open(`/pets?category=${categoryId}`, { isLive: true })
  const { page } = tab
  const { row, bulk, live } = partsOf(page)
  await row('Pet 1').waitFor()
  await live()
  await page.getByRole('checkbox', { name: 'Select all pets on this page' }).click()
  await bulk.getByRole('button', { name: 'Sell…' }).click()
  await page.keyboard.press('Enter')
  await page.getByText('2 sold; 1 rejected:').waitFor()
  await page.getByText('Taking the sales back makes the pets available again').waitFor()
  await page.getByRole('alert').getByRole('link', { name: 'Pet 1' }).waitFor()
  await row('Pet 3').getByText('Sold').waitFor()
  await page.getByRole('button', { name: 'Take the sales back' }).click()
  await row('Pet 3').getByText('Available').waitFor()
  await row('Pet 2').getByText('Available').waitFor()
})

test('of several sales, one without a response is named, and sent again it is the same order', async () => {
  const { categoryId, ids } = await pets.addMany(2)
  await using tab = await store.open(`/pets?category=${categoryId}`, { isLive: true })
  const { page } = tab
  const { row, bulk, live, toast } = partsOf(page)
  await row('Pet 1').waitFor()
  await live()
  const keys: (string | undefined)[] = []
  let isLosing = true
  await page.route('**/v1/store/orders', (route) => {
    if (!route.request().postData()?.includes(`"petId":${ids[0]}`)) return route.continue()
    keys.push(route.request().headers()['idempotency-key'])
    return isLosing ? loseResponse(route) : route.continue()
  })
  await page.getByRole('checkbox', { name: 'Select all pets on this page' }).click()
  await bulk.getByRole('button', { name: 'Sell…' }).click()
  await page.keyboard.press('Enter')
  await page.getByText('1 sold; 1 rejected:').waitFor()
  await page
    .getByRole('alert')
    .getByText(/^Pet 1\s*: The connection was lost/)
    .waitFor()
  await row('Pet 1').getByText('Held').waitFor()
  isLosing = false
  await bulk.getByRole('button', { name: 'Sell…' }).click()
  await page.keyboard.press('Enter')
  await toast.getByText('1 sold. Taking the sales back').waitFor()
  assert.ok(keys.length > 1 && new Set(keys).size === 1, keys.join(' '))
  assert.equal((await pets.read(ids[0]!))?.status, 'sold')
  // Sold again after it was taken back, it is another order.
  await toast.getByRole('button', { name: 'Take the sales back' }).click()
  await row('Pet 1').getByText('Available').waitFor()
  await row('Pet 1').getByRole('checkbox').check()
  await bulk.getByRole('button', { name: 'Sell…' }).click()
  await page.keyboard.press('Enter')
  await row('Pet 1').getByText('Sold').waitFor()
  assert.equal(new Set(keys).size, 2)
})

test('of several sales, one whose completion has no response is sold all the same', async () => {
  const { categoryId } = await pets.addMany(2)
  await using tab = await store.open(`/pets?category=${categoryId}`, { isLive: true })
  const { page } = tab
  const { row, bulk, live, toast } = partsOf(page)
  await row('Pet 1').waitFor()
  await live()
  await page.route('**/v1/store/orders/*/complete', loseResponse)
  await page.getByRole('checkbox', { name: 'Select all pets on this page' }).click()
  await bulk.getByRole('button', { name: 'Sell…' }).click()
  await page.keyboard.press('Enter')
  await toast.getByText('2 sold. Taking the sales back').waitFor()
  assert.equal(await bulk.count(), 0)
})

test('the category of several is changed at once, and taken back', async () => {
  const { categoryId } = await pets.addMany(2)
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const { page } = tab
  const { row, bulk, toast } = partsOf(page)
  await row('Pet 1').waitFor()
  await page.getByRole('checkbox', { name: 'Select all pets on this page' }).click()
  await bulk.getByRole('combobox', { name: 'Change category' }).fill('Cats')
  await page.keyboard.press('Enter')
  await toast.getByText('2 changed').waitFor()
  await row('Pet 1').getByText('Cats').waitFor()
  await row('Pet 1').getByText('No longer matches').waitFor()
  await page.keyboard.press('Control+z')
  await toast.getByText('Undone for 2 pets').waitFor()
  assert.equal((await pets.list(categoryId)).length, 2)
})
