import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startConsole } from '../../support/console-browser.ts'
import { newCategory, partsOf, petsOf } from '../../support/console-pets.ts'
import { settle } from '../../support/console-screens.ts'
import { until } from '../../support/until.ts'

const store = await startConsole()
const stored = petsOf(store)

test('rows stay when they can’t be read again', async () => {
  const { categoryId } = await stored.addMany(3)
  // Without events:read the list is read again every five seconds, and this clock is ours.
  const key = await store.createKey({ scopes: ['pets:read'] })
  await using tab = await store.open(`/pets?category=${categoryId}`, { key, hasClock: true })
  const { page } = tab
  await page.locator('[data-row]').nth(2).waitFor()
  await page.route('**/v1/**', (route) => route.abort())
  const notice = page.getByText('What you see may be out of date')
  for (let tries = 0; tries < 20 && (await notice.count()) === 0; tries++) await page.clock.runFor(5_000)
  await notice.waitFor()
  assert.equal(await page.locator('[data-row]').count(), 3)
})

test('a bulk change leaves a pet alone that was changed after it was shown', async () => {
  const { categoryId, ids } = await stored.addMany(2)
  // The list of this key is read again only after five seconds.
  const key = await store.createKey({ scopes: ['pets:read', 'pets:edit'] })
  await using tab = await store.open(`/pets?category=${categoryId}`, { key })
  const { page } = tab
  await page.locator('[data-row]').nth(1).waitFor()
  await page.getByRole('checkbox', { name: 'Select all pets on this page' }).click()
  await stored.change(ids[0]!, { status: 'sold' })
  await partsOf(page).markSelected('pending')
  await page.getByText('1 changed; 1 rejected:').waitFor()
  assert.equal((await stored.read(ids[0]!))?.status, 'sold')
})

test('after 412 the pet is read again before anything is said, also where no event brings it', async () => {
  const id = await stored.add('Nougat', { status: 'available' })
  const key = await store.createKey({ scopes: ['pets:read', 'pets:edit'] })
  await using tab = await store.open(`/pets?pet=${id}`, { key })
  const { page } = tab
  const panel = page.locator('.panel')
  const { mark, state } = partsOf(page)
  await state('Available').waitFor()
  await stored.change(id, { name: 'Renamed' })
  await mark('Sold')
  await panel.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
  assert.equal(await panel.locator('h2').innerText(), 'Renamed')
})

test('a second tab never asks for events while the first listens', async () => {
  await using tab = await store.open('/pets', { isLive: true })
  await tab.page.getByText('Live', { exact: true }).waitFor()
  let asked = 0
  tab.context.on('request', (request) => {
    if (request.url().includes('/v1/events') && request.frame().page() !== tab.page) asked++
  })
  await using second = await store.open('/pets', { beside: tab })
  await settle(second.page)
  // Until the second waits for the first to end, or listens too.
  const locks = await until(() =>
    second.page.evaluate(async () => {
      const { held = [], pending = [] } = await navigator.locks.query()
      return held.length + pending.length > 1 && [held.length, pending.length]
    }),
  )
  assert.deepEqual(locks, [1, 1])
  assert.equal(asked, 0)
})

test('an error stays until it is dismissed, however long that takes', async () => {
  const id = await stored.add('Nougat', { status: 'available' })
  await using tab = await store.open(`/pets?pet=${id}`, { hasClock: true })
  const { page } = tab
  const { mark, state } = partsOf(page)
  await state('Available').waitFor()
  // The panel is closed before the refusal comes, so the refusal is a toast.
  const asked = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  await page.route(`**/v1/pets/${id}`, async (route) => {
    asked.resolve()
    await closed.promise
    await route.fulfill({ status: 409, json: { code: 'pet_held', message: 'An order holds this pet.' } })
  })
  await mark('Sold')
  await asked.promise
  await page.locator('.panel').getByRole('button', { name: 'Close' }).click()
  await page.locator('.panel').waitFor({ state: 'detached' })
  closed.resolve()
  const toast = page.locator('.toast.error')
  await toast.waitFor()
  for (let minutes = 0; minutes < 5; minutes++) await page.clock.runFor(60_000)
  assert.equal(await toast.count(), 1)
  await toast.getByRole('button', { name: 'Dismiss' }).click()
  assert.equal(await toast.count(), 0)
})

test('the letters of shortcuts are text where text is typed', async () => {
  const { categoryId, ids } = await stored.addMany(2)
  await using tab = await store.open(`/pets?category=${categoryId}&pet=${ids[0]}`)
  const { page } = tab
  await settle(page)
  const field = page.locator('.panel').getByLabel('Name')
  await field.fill('')
  await field.pressSequentially('jackxnp?/')
  assert.equal(await field.inputValue(), 'jackxnp?/')
  assert.equal(await page.locator('dialog[open]').count(), 0)
  assert.equal(await page.locator('[data-row]').count(), 2)
  assert.equal(await page.locator('tbody input:checked').count(), 0)
})

test('an export has at most 10,000 pets, and says that there are more', async () => {
  const categoryId = newCategory()
  await store.pool.query(
    `insert into pets (name, category_id, status) select 'Pet ' || n, $1, 'available' from generate_series(1, 10050) as n`,
    [categoryId],
  )
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const { page } = tab
  await settle(page)
  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'NDJSON' }).click()
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split('\n')
  assert.equal(lines.length, 10_000)
  await page.locator('.toast').filter({ hasText: '10,000' }).waitFor()
})
