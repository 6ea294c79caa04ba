import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { categoryCalls } from '../../support/categories.ts'
import { loseResponse, startConsole } from '../../support/console-browser.ts'
import { insertPets, newCategory, partsOf, petsOf } from '../../support/console-pets.ts'
import { settle } from '../../support/console-screens.ts'

// What staff do all day, each with at most so many clicks and fields, from Home, on a desk and on a phone.
const store = await startConsole()
const pets = petsOf(store)
const KEY = await store.createKey({
  scopes: ['pets:read', 'pets:edit', 'orders:read', 'orders:write', 'events:read'],
})
const DOGS = newCategory()
const CATS = newCategory()
for (const [id, name] of [
  [DOGS, 'Dogs'],
  [CATS, 'Cats'],
] as const)
  assert.ok((await categoryCalls(store.call).put(id, name)).status < 300)
await insertPets(store.pool, 300, newCategory())
await insertPets(store.pool, 12, DOGS)
const MOMO = await pets.add('Momo', { categoryId: DOGS, status: 'available' })
await pets.add('Momo the First', { categoryId: DOGS, status: 'sold' })

/** A time zone in which it is about noon: hours before a shop closes. */
function noon() {
  const behind = new Date().getUTCHours() - 12
  return behind === 0 ? 'UTC' : `Etc/GMT${behind > 0 ? '+' : ''}${behind}`
}

/** A person, who counts. */
function personAt(page: Page) {
  let steps = 0
  return {
    click: async (what: Locator) => {
      steps++
      await what.click()
    },
    fill: async (what: Locator, text: string) => {
      steps++
      await what.pressSequentially(text)
    },
    assertSteps: (most: number) => assert.ok(steps <= most, `${steps} steps`),
    section: (name: string) => page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name }),
  }
}

for (const [where, options] of [
  ['at a desk', { width: 1440, colorScheme: 'light' }],
  ['on a phone', { width: 390, height: 844, colorScheme: 'dark' }],
] as const) {
  test(`Momo is found and opened, ${where}`, async () => {
    await using tab = await store.open('/', { ...options, key: KEY })
    const { page } = tab
    await settle(page)
    const person = personAt(page)
    await person.click(page.getByRole('button', { name: /^Search/ }))
    await person.fill(page.getByRole('combobox', { name: 'Search' }), 'momo')
    await page.keyboard.press('Enter')
    await partsOf(page).panel.getByRole('heading', { name: 'Momo', exact: true }).waitFor()
    assert.equal(new URL(page.url()).search, `?pet=${MOMO}`)
    person.assertSteps(2)
  })

  test(`the available dogs are shown, and how many, ${where}`, async () => {
    await using tab = await store.open('/', { ...options, key: KEY })
    const { page } = tab
    await settle(page)
    const person = personAt(page)
    await person.click(person.section('Pets'))
    await settle(page)
    await person.fill(page.getByRole('combobox', { name: 'Category' }), 'dog')
    await page.getByRole('option', { name: 'Dogs', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await person.click(partsOf(page).tab('Available'))
    await partsOf(page).tab('Available').getByText('13', { exact: true }).waitFor()
    await partsOf(page).row('Momo').waitFor()
    assert.equal(await partsOf(page).rows.count(), 13)
    person.assertSteps(3)
  })

  test(`three cats are reserved for one person until closing, ${where}`, async () => {
    const cats = where === 'at a desk' ? ['Tom', 'Kitty', 'Félix'] : ['Tommy', 'Kit', 'Felicia']
    for (const name of cats) await pets.add(name, { categoryId: CATS, status: 'available' })
    await using tab = await store.open('/', { ...options, key: KEY, timezoneId: noon() })
    const { page } = tab
    await settle(page)
    const person = personAt(page)
    await person.click(person.section('Pets'))
    await settle(page)
    await person.fill(page.getByRole('combobox', { name: 'Category' }), 'cat')
    await page.getByRole('option', { name: 'Cats', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    const { row, bulk, toast } = partsOf(page)
    await row(cats[0]!).waitFor()
    for (const name of cats) await person.click(row(name).getByRole('checkbox'))
    await person.click(bulk.getByRole('button', { name: 'Reserve…' }))
    const form = page.getByRole('dialog', { name: 'Reserve 3 pets' })
    await person.fill(form.getByLabel('For whom'), 'Mrs. Sánchez')
    await person.click(form.getByRole('radio', { name: 'Until closing' }))
    const sent: { key: string | undefined; body: string | null }[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST')
        sent.push({ key: request.headers()['idempotency-key'], body: request.postData() })
    })
    await page.keyboard.press('Enter')
    await toast.getByText('3 reserved for Mrs. Sánchez until 18:00').waitFor()
    assert.equal(new Set(sent.map(({ key }) => key)).size, 3, 'each is an order of its own')
    for (const { body } of sent) assert.match(body ?? '', /"reference":"Mrs. Sánchez"/)
    assert.deepEqual(
      (await pets.list(CATS)).filter(({ orderId }) => orderId !== undefined).length,
      where === 'at a desk' ? 3 : 6,
    )
    await row(cats[0]!).getByText('Mrs. Sánchez').waitFor()
    person.assertSteps(8)
  })
}

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
