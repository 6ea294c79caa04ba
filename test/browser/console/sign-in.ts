import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { chooseInMenu, startConsole } from '../../support/console-browser.ts'

const store = await startConsole()

const field = (page: Page) => page.getByLabel('API key')
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** The requests that a page sends from now on. */
function watchRequests(page: Page, method: string) {
  const urls: string[] = []
  page.on('request', (request) => {
    if (request.method() === method) urls.push(new URL(request.url()).pathname)
  })
  return urls
}

test('signing in with the keyboard alone leads to the address that was asked for', async () => {
  await using tab = await store.open('/orders?status=placed', { key: null })
  const { page } = tab
  await heading(page, 'Sign in').waitFor()
  assert.equal(await page.title(), 'Sign in — Petstore console')
  assert.ok(await field(page).evaluate((input) => input === document.activeElement), 'the field has the focus')
  await page.keyboard.type(store.key)
  await page.keyboard.press('Enter')
  await heading(page, 'Orders').waitFor()
  assert.ok(page.url().endsWith('/console/orders?status=placed'))
  await page.reload()
  await heading(page, 'Orders').waitFor()
})

test('paste works, white space around a key does not matter, and password managers recognize the field', async () => {
  await using tab = await store.open('/', { key: null, permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = tab
  await field(page).focus()
  assert.equal(await page.locator('form input').count(), 1)
  assert.deepEqual(await field(page).evaluate((input: HTMLInputElement) => [input.type, input.autocomplete]), [
    'password',
    'current-password',
  ])
  await page.evaluate((text) => navigator.clipboard.writeText(text), ` ${store.key} \n`)
  await page.keyboard.press('Control+v')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await heading(page, 'Home').waitFor()
})

test('on a phone the field and the button are large enough for a thumb', async () => {
  await using tab = await store.open('/', { key: null, width: 390, height: 844 })
  for (const part of [tab.page.getByLabel('API key'), tab.page.getByRole('button', { name: 'Sign in' })])
    assert.ok(((await part.boundingBox())?.height ?? 0) >= 44)
})

test('a malformed key is caught before anything is sent', async () => {
  await using tab = await store.open('/', { key: null })
  const { page } = tab
  await field(page).waitFor()
  const sent = watchRequests(page, 'POST')
  for (const [text, fault] of [
    ['', 'Enter your API key.'],
    ['secret', 'This is not an API key.'],
    [`${store.key}x`, 'This is not an API key.'],
    [`Bearer ${store.key}`, 'This is not an API key.'],
  ] as const) {
    await field(page).fill(text)
    await field(page).press('Enter')
    await page.getByRole('alert').filter({ hasText: fault }).waitFor()
    assert.equal(await field(page).getAttribute('aria-invalid'), 'true')
    assert.equal(await field(page).inputValue(), text, 'what was typed can be corrected')
  }
  assert.deepEqual(sent, [])
})

test('a rejected key shows the message of the service and empties the field', async () => {
  const expired = await store.createKey({ expiresAt: new Date(Date.now() - 1_000) })
  await using tab = await store.open('/pets', { key: null })
  const { page } = tab
  const response = page.waitForResponse((each) => each.request().method() === 'POST')
  await field(page).fill(expired)
  await field(page).press('Enter')
  const { message } = (await (await response).json()) as { message: string }
  await page.getByRole('alert').filter({ hasText: message }).waitFor()
  assert.equal(await field(page).inputValue(), '')
  assert.ok(await field(page).evaluate((input) => input === document.activeElement))
  await field(page).fill(store.key)
  await field(page).press('Enter')
  await heading(page, 'Pets').waitFor()
})

test('without a connection the form says so', async () => {
  await using tab = await store.open('/', { key: null })
  const { page } = tab
  await field(page).waitFor()
  await tab.context.setOffline(true)
  await field(page).fill(store.key)
  await field(page).press('Enter')
  await page.getByRole('alert').filter({ hasText: 'The service could not be reached.' }).waitFor()
  await tab.context.setOffline(false)
  await field(page).fill(store.key)
  await field(page).press('Enter')
  await heading(page, 'Home').waitFor()
})

test('signing out ends the session in all tabs', async () => {
  await using tab = await store.open('/pets')
  await using other = await store.open('/key', { beside: tab })
  await heading(other.page, 'Your key').waitFor()
  await chooseInMenu(tab.page, 'Sign out')
  await heading(tab.page, 'Sign in').waitFor()
  await heading(other.page, 'Sign in').waitFor()
  assert.equal(await heading(other.page, 'Your key').count(), 0, 'what was shown is gone')
  assert.deepEqual(await tab.context.cookies(), [])
})

test('a tab that opens after the session has ended leaves what was typed in another', async () => {
  await using tab = await store.open('/pets?add=1')
  const name = tab.page.getByRole('dialog', { name: 'Add pet' }).getByLabel('Name')
  await name.fill('Typed before the end')
  await tab.context.clearCookies()
  await field(tab.page).waitFor()
  await using other = await store.open('/key', { beside: tab })
  await heading(other.page, 'Sign in').waitFor()
  await field(other.page).fill(store.key)
  await field(other.page).press('Enter')
  await field(tab.page).waitFor({ state: 'detached' })
  assert.equal(await name.inputValue(), 'Typed before the end')
})

test('signing out while the service cannot end the session leaves the person signed in, and says so', async () => {
  await using tab = await store.open('/key')
  const { page } = tab
  await heading(page, 'Your key').waitFor()
  const toast = page.locator('.toast').filter({ hasText: 'You are still signed in' })
  // It is overloaded, limits the rate, or cannot be reached.
  for (const status of [503, 429, undefined]) {
    await page.route('**/console/session', (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback()
      return status === undefined ? route.abort() : route.fulfill({ status, json: { code: 'x', message: 'x' } })
    })
    await chooseInMenu(page, 'Sign out')
    await toast.getByRole('button', { name: 'Dismiss' }).click()
    await toast.waitFor({ state: 'detached' })
    assert.ok(await heading(page, 'Your key').isVisible())
    assert.equal((await tab.context.cookies()).length, 1)
    await page.unroute('**/console/session')
  }
  await chooseInMenu(page, 'Sign out')
  await heading(page, 'Sign in').waitFor()
  assert.deepEqual(await tab.context.cookies(), [])
})

test('what is stored in the browser may be damaged', async () => {
  await using tab = await store.open('/key')
  await heading(tab.page, 'Your key').waitFor()
  for (const text of ['{"key":', 'null', '{"key":{"id":"key_1"},"endsAt":"2999-01-01T00:00:00Z"}']) {
    await tab.page.evaluate((damaged) => localStorage.setItem('petstore.session', damaged), text)
    await tab.page.reload()
    await heading(tab.page, 'Your key').waitFor()
  }
})

test('signing in again in one tab continues the others', async () => {
  await using tab = await store.open('/pets')
  await using other = await store.open('/key', { beside: tab })
  await heading(other.page, 'Your key').waitFor()
  await tab.context.clearCookies()
  await field(tab.page).fill(store.key)
  await field(tab.page).press('Enter')
  await heading(tab.page, 'Pets').waitFor()
  await field(other.page).waitFor({ state: 'detached' })
  assert.ok(await heading(other.page, 'Your key').isVisible())
})
