import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { categoryCalls } from '../../support/categories.ts'
import { loseResponse, startConsole } from '../../support/console-browser.ts'
import { newCategory, partsOf, petsOf } from '../../support/console-pets.ts'

const store = await startConsole()
const pets = petsOf(store)

const form = (page: Page) => page.getByRole('dialog', { name: 'Add pet' })
const categoryIn = (page: Page) => form(page).getByRole('combobox', { name: 'Category' })

async function fill(page: Page, name: string, category: bigint) {
  await form(page).getByLabel('Name').fill(name)
  await categoryIn(page).fill(String(category))
}

test('c opens the form on every screen, and a pet is added by keyboard alone', async () => {
  const categoryId = newCategory()
  await using tab = await store.open('/activity')
  await tab.page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
  const { keyboard } = tab.page
  await keyboard.press('c')
  await form(tab.page).waitFor()
  assert.equal(new URL(tab.page.url()).search, '?add=1')
  await keyboard.type('Typed')
  await keyboard.press('Tab')
  await keyboard.type(String(categoryId))
  // The first chooses what was typed.
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  const { panel, toast } = partsOf(tab.page)
  await panel.getByRole('heading', { name: 'Typed' }).waitFor()
  const [pet] = await pets.list(categoryId)
  assert.deepEqual([pet?.name, pet?.status], ['Typed', 'available'])
  await toast.getByText(`Typed was added as pet ${pet?.id}.`).waitFor()
  assert.equal(new URL(tab.page.url()).pathname + new URL(tab.page.url()).search, `/console/pets?pet=${pet?.id}`)
})

test('text that is selected with the mouse beyond the form does not close it; a click beside it does', async () => {
  await using tab = await store.open('/pets?add=1')
  const { mouse } = tab.page
  await fill(tab.page, 'Selected', 1n)
  const box = await form(tab.page).getByLabel('Name').boundingBox()
  assert.ok(box)
  await mouse.move(box.x + 60, box.y + box.height / 2)
  await mouse.down()
  await mouse.move(20, box.y + box.height / 2, { steps: 5 })
  await mouse.up()
  // The click has been handled by then.
  await tab.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))')
  assert.equal(await form(tab.page).getByLabel('Name').inputValue(), 'Selected')
  await mouse.click(20, 400)
  await form(tab.page).waitFor({ state: 'detached' })
})

test('?add=1 opens the form, and the new pet is in the list at once', async () => {
  const categoryId = newCategory()
  await pets.add('Elder', { categoryId })
  await using tab = await store.open(`/pets?category=${categoryId}&add=1`)
  await partsOf(tab.page).row('Elder').waitFor()
  await fill(tab.page, 'Newcomer', categoryId)
  await form(tab.page).getByRole('radio', { name: 'Sold' }).check({ force: true })
  await form(tab.page).getByRole('button', { name: 'Add' }).click()
  const { row, panel } = partsOf(tab.page)
  await row('Newcomer').getByText('Sold').waitFor()
  await panel.getByRole('heading', { name: 'Newcomer' }).waitFor()
  assert.deepEqual(await tab.page.locator('td.name a').allInnerTexts(), ['Newcomer', 'Elder'])
})

for (const extreme of ['-9223372036854775808', '9223372036854775807'])
  test(`the category ${extreme} is stored exactly`, async () => {
    await using tab = await store.open('/pets?add=1')
    assert.equal(await categoryIn(tab.page).getAttribute('type'), 'text')
    await fill(tab.page, 'Extreme', BigInt(extreme))
    await form(tab.page).getByRole('button', { name: 'Add' }).click()
    await partsOf(tab.page).panel.getByRole('heading', { name: 'Extreme' }).waitFor()
    const found = await pets.list(BigInt(extreme))
    assert.equal(found.at(-1)?.name, 'Extreme')
    assert.equal(
      await partsOf(tab.page).panel.getByRole('combobox', { name: 'Category' }).inputValue(),
      `No. ${extreme}`,
    )
  })

test('faults are caught before anything is sent, and get the focus', async () => {
  await using tab = await store.open('/pets?add=1')
  const sent: string[] = []
  tab.page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  const add = form(tab.page).getByRole('button', { name: 'Add' })
  await add.click()
  await form(tab.page).getByText('Enter a name with at least one visible character.').waitFor()
  assert.equal(await tab.page.evaluate('document.activeElement.name'), 'name')
  await form(tab.page).getByLabel('Name').fill('🐈'.repeat(256))
  await add.click()
  await form(tab.page).getByText('The name has 256 characters; at most 255 are allowed.').waitFor()
  await form(tab.page).getByLabel('Name').fill('Fine')
  // What names no category and is no number is none.
  for (const text of ['', '1.5', '1e3', '9223372036854775808', '-9223372036854775809']) {
    await categoryIn(tab.page).fill(text)
    await add.click()
    await form(tab.page).getByText('Choose a category, or enter its number.').waitFor()
    assert.equal(await tab.page.evaluate('document.activeElement.getAttribute("role")'), 'combobox')
  }
  assert.deepEqual(sent, [])
})

test('a double click makes one pet', async () => {
  const categoryId = newCategory()
  await using tab = await store.open('/pets?add=1')
  await fill(tab.page, 'Once', categoryId)
  await form(tab.page).getByRole('button', { name: 'Add' }).dblclick()
  await partsOf(tab.page).panel.getByRole('heading', { name: 'Once' }).waitFor()
  assert.equal((await pets.list(categoryId)).length, 1)
})

test('a form that is sent again after its response was lost makes one pet', async () => {
  const categoryId = newCategory()
  await using tab = await store.open('/pets?add=1')
  const keys = new Set<string | undefined>()
  let attempts = 0
  await tab.page.route('**/v1/pets', async (route) => {
    keys.add(route.request().headers()['idempotency-key'])
    attempts++
    if (attempts > 3) return route.continue()
    return loseResponse(route)
  })
  await fill(tab.page, 'Persistent', categoryId)
  const add = form(tab.page).getByRole('button', { name: 'Add' })
  await add.click()
  await form(tab.page).getByText('The service could not be reached.').waitFor()
  assert.equal(await form(tab.page).getByLabel('Name').inputValue(), 'Persistent')
  await add.click()
  await partsOf(tab.page).panel.getByRole('heading', { name: 'Persistent' }).waitFor()
  assert.equal((await pets.list(categoryId)).length, 1)
  assert.equal(keys.size, 1)
})

test('a form that is changed after its response was lost says that a pet was added', async () => {
  const categoryId = newCategory()
  await using tab = await store.open('/pets?add=1')
  let attempts = 0
  await tab.page.route('**/v1/pets', async (route) => {
    if (++attempts > 3) return route.continue()
    return loseResponse(route)
  })
  await fill(tab.page, 'First', categoryId)
  const add = form(tab.page).getByRole('button', { name: 'Add' })
  await add.click()
  await form(tab.page).getByText('The service could not be reached.').waitFor()
  await form(tab.page).getByLabel('Name').fill('Second')
  await add.click()
  await form(tab.page).getByText('A pet was already added').waitFor()
  assert.deepEqual(
    (await pets.list(categoryId)).map(({ name }) => name),
    ['First'],
  )
})

test('a form that was closed before its response opens no pet, but says what became of it', async () => {
  const categoryId = newCategory()
  await using tab = await store.open('/pets?add=1')
  const { toast, panel } = partsOf(tab.page)
  const sent = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await tab.page.route('**/v1/pets', async (route) => {
    sent.resolve()
    await released.promise
    await route.continue()
  })
  await fill(tab.page, 'Late', categoryId)
  await form(tab.page).getByRole('button', { name: 'Add' }).click()
  await sent.promise
  await form(tab.page).getByRole('button', { name: 'Cancel' }).click()
  await form(tab.page).waitFor({ state: 'detached' })
  released.resolve()
  await toast.getByText('Late').waitFor()
  assert.equal(await panel.count(), 0)
})

test('a form that is opened again is another pet', async () => {
  const categoryId = newCategory()
  await using tab = await store.open('/pets')
  for (let n = 0; n < 2; n++) {
    await tab.page.getByRole('button', { name: 'Add pet' }).click()
    await fill(tab.page, 'Twin', categoryId)
    await form(tab.page).getByRole('button', { name: 'Add' }).click()
    await form(tab.page).waitFor({ state: 'detached' })
  }
  assert.equal((await pets.list(categoryId)).length, 2)
})

test('names with markup, of any script, are added as they are', async () => {
  for (const name of ['<script>alert(1)</script>', '小さな犬 🐕', 'Ünïcödé ’n’ "quotes"']) {
    const categoryId = newCategory()
    await using tab = await store.open('/pets?add=1')
    await fill(tab.page, name, categoryId)
    await form(tab.page).getByRole('button', { name: 'Add' }).click()
    await partsOf(tab.page).panel.getByRole('heading', { name, exact: true }).waitFor()
    assert.equal((await pets.list(categoryId))[0]?.name, name)
  }
})

test('Esc closes the form, and the focus returns to the button', async () => {
  await using tab = await store.open('/pets')
  await tab.page.getByRole('button', { name: 'Add pet' }).click()
  await form(tab.page).waitFor()
  await tab.page.keyboard.press('Escape')
  await form(tab.page).waitFor({ state: 'detached' })
  assert.equal(await partsOf(tab.page).focused(), 'Add pet')
  assert.equal(new URL(tab.page.url()).search, '')
})

test('without the scope, the form says why it is not there', async () => {
  const key = await store.createKey({ scopes: ['pets:read'] })
  await using tab = await store.open('/pets?add=1', { key })
  await form(tab.page).getByText('Your key does not have the scope pets:write.').waitFor()
  assert.equal(await form(tab.page).getByLabel('Name').count(), 0)
})

test('a pet is not added in an earlier category than the one that was typed last', async () => {
  const categoryId = newCategory()
  await using tab = await store.open('/pets?add=Ignored')
  const sent: string[] = []
  tab.page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await categoryIn(tab.page).fill(String(categoryId))
  await tab.page.keyboard.press('Tab')
  assert.equal(await categoryIn(tab.page).inputValue(), `No. ${categoryId}`)
  await categoryIn(tab.page).fill('Zebras')
  await form(tab.page).getByRole('button', { name: 'Add' }).click()
  await form(tab.page).getByText('Choose a category, or enter its number.').waitFor()
  assert.equal(await categoryIn(tab.page).inputValue(), 'Zebras')
  assert.deepEqual(sent, [])
})

test('a category is chosen by its name', async () => {
  const categoryId = newCategory()
  await pets.add('Elder', { categoryId })
  assert.ok((await categoryCalls(store.call).put(categoryId, 'Alpacas')).status < 300)
  await using tab = await store.open('/pets?add=Ignaz')
  assert.equal(await form(tab.page).getByLabel('Name').inputValue(), 'Ignaz', 'the name that was asked for')
  await categoryIn(tab.page).click()
  await categoryIn(tab.page).pressSequentially('alp')
  await tab.page.keyboard.press('Enter')
  assert.equal(await categoryIn(tab.page).inputValue(), 'Alpacas')
  await form(tab.page).getByRole('button', { name: 'Add' }).click()
  await partsOf(tab.page).panel.getByRole('heading', { name: 'Ignaz' }).waitFor()
  assert.deepEqual(
    (await pets.list(categoryId)).map(({ name }) => name),
    ['Elder', 'Ignaz'],
  )
})
