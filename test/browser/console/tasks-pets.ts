import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertCategories } from '../../support/categories.ts'
import { startConsole } from '../../support/console-browser.ts'
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
  await page.getByText('2 sold. Taking the sales back').waitFor()
  await page.getByRole('alert').getByRole('link', { name: 'Pet 1' }).waitFor()
  await row('Pet 3').getByText('Sold').waitFor()
  await page.getByRole('button', { name: 'Take the sales back' }).click()
  await row('Pet 3').getByText('Available').waitFor()
  await row('Pet 2').getByText('Available').waitFor()
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
