import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { chooseInMenu, startConsole } from '../../support/console-browser.ts'
import { partsOf, petsOf } from '../../support/console-pets.ts'

const store = await startConsole()
const pets = petsOf(store)
const SECTIONS = ['Home', 'Pets', 'Orders', 'Activity', 'Categories', 'Webhooks', 'People', 'Status']
const DAY_MS = 24 * 3_600_000

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const sections = (page: Page) => page.getByRole('navigation', { name: 'Sections' })
const palette = (page: Page) => page.getByRole('combobox', { name: 'Search' })
const options = (page: Page) => page.getByRole('dialog').getByRole('option')
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

async function search(page: Page, text: string) {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await palette(page).fill(text)
}

test('a change of section moves the title and the focus to it, and there is one h1', async () => {
  await using tab = await store.open('/')
  const { page } = tab
  for (const name of [...SECTIONS.slice(1), 'Home']) {
    await sections(page).getByRole('link', { name }).click()
    await title(page, name).waitFor()
    await page.locator('h1:focus').waitFor()
    assert.equal(await page.title(), `${name} — Petstore console`)
    assert.equal(await page.locator('h1').count(), 1)
    assert.equal(await sections(page).locator('[aria-current=page]').innerText(), name)
  }
})

test('every section has its own address: reload, back, forward and a second tab show the same', async () => {
  await using tab = await store.open('/pets')
  const { page } = tab
  await sections(page).getByRole('link', { name: 'Activity' }).click()
  await sections(page).getByRole('link', { name: 'Status' }).click()
  await title(page, 'Status').waitFor()
  await page.goBack()
  await title(page, 'Activity').waitFor()
  await page.reload()
  await title(page, 'Activity').waitFor()
  await page.goForward()
  await title(page, 'Status').waitFor()
  const opening = tab.context.waitForEvent('page')
  await sections(page)
    .getByRole('link', { name: 'Webhooks' })
    .click({ modifiers: ['Control'] })
  const second = await opening
  await title(second, 'Webhooks').waitFor()
  assert.ok(await title(page, 'Status').isVisible(), 'Ctrl+click leaves this tab where it is')
})

test('sections are at the left, and in a row at the bottom below 56rem', async () => {
  for (const [width, isRow] of [
    [897, false],
    [896, true],
  ] as const) {
    await using tab = await store.open('/', { width })
    const first = await sections(tab.page).getByRole('link', { name: 'Home' }).boundingBox()
    const second = await sections(tab.page).getByRole('link', { name: 'Pets' }).boundingBox()
    assert.equal(first?.y === second?.y, isRow)
    assert.equal(first?.x === second?.x, !isRow)
  }
})

test('on a phone four sections are at the bottom, and the others in a sheet, all large enough for a thumb', async () => {
  await using tab = await store.open('/', { width: 390, height: 844 })
  const { page } = tab
  const bar = sections(page)
  assert.deepEqual(await bar.getByRole('link').allInnerTexts(), SECTIONS.slice(0, 4))
  for (const place of await bar.locator('a, button').all()) {
    const box = await place.boundingBox()
    assert.ok(box && box.height >= 56 && box.width >= 44 && box.y + box.height <= 844, JSON.stringify(box))
  }
  const more = bar.getByRole('button', { name: 'More' })
  const sheet = page.getByRole('dialog', { name: /^Signed in as / })
  for (const name of [...SECTIONS.slice(4), 'Your key']) {
    await more.click()
    const link = sheet.getByRole('link', { name })
    assert.ok(((await link.boundingBox())?.height ?? 0) >= 44, name)
    await link.click()
    await title(page, name).waitFor()
    await page.locator('h1:focus').waitFor()
    assert.equal(await more.getAttribute('aria-current'), 'page')
  }
  await more.click()
  await sheet.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
})

test('on a phone the longest name of a key leaves the sheet usable', async () => {
  const key = await store.createKey({ name: `\u202E${'W'.repeat(99)}`, scopes: ['pets:read'] })
  await using tab = await store.open('/', { key, width: 390, height: 844 })
  await sections(tab.page).getByRole('button', { name: 'More' }).click()
  const sheet = tab.page.getByRole('dialog', { name: 'Signed in as' })
  const box = await sheet.getByRole('button', { name: 'Sign out' }).boundingBox()
  assert.ok(box && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box))
  const heading = sheet.getByRole('heading')
  assert.ok(await heading.evaluate((element) => element.getBoundingClientRect().left >= 0))
})

test('a key sees who it is, at every width, and only the sections that it can open', async () => {
  const key = await store.createKey({ name: 'Ben (weekend)', scopes: ['pets:read'] })
  await using tab = await store.open('/orders', { key })
  const { page } = tab
  await page.getByText('Your key does not have the scope orders:read.').waitFor()
  assert.deepEqual(await sections(page).getByRole('link').allInnerTexts(), [
    'Home',
    'Pets',
    'Categories',
    'Documentation',
  ])
  await page.getByRole('banner').getByText('Ben (weekend)').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await sections(page).getByRole('button', { name: 'More' }).waitFor()
  await page.getByRole('banner').getByText('Ben (weekend)').waitFor()
  assert.deepEqual(await sections(page).getByRole('link').allInnerTexts(), ['Home', 'Pets', 'Categories', 'Your key'])
})

test('Orders has the number of open orders, which follows what others do', async () => {
  const id = await pets.add('Reserved elsewhere', { status: 'available' })
  await using tab = await store.open('/', { isLive: true })
  const link = sections(tab.page).getByRole('link', { name: 'Orders' })
  await title(tab.page, 'Home').waitFor()
  const { body } = await store.call('/v1/store/orders/count?status=placed')
  const before = Number((body as { count: number | bigint }).count)
  await pets.reserve(id)
  await link.getByText(`${before + 1} open`).waitFor()
})

test('the menu of the person works with the arrow keys, and Escape gives the focus back', async () => {
  await using tab = await store.open('/pets')
  const { page } = tab
  const button = page.getByRole('banner').locator('[aria-haspopup=menu]')
  await button.focus()
  await page.keyboard.press('Enter')
  const current = () => page.evaluate(() => document.activeElement?.textContent)
  await page.getByRole('menu').waitFor()
  assert.equal(await current(), 'Your key')
  await page.keyboard.press('ArrowUp')
  assert.equal(await current(), 'Sign out')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  assert.match((await current()) ?? '', /^Theme: /)
  await page.keyboard.press('End')
  assert.equal(await current(), 'Sign out')
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  assert.ok(await button.evaluate((element) => element === document.activeElement))
  await button.click()
  await page.getByRole('menuitem', { name: 'Your key' }).click()
  await title(page, 'Your key').waitFor()
  await page.locator('h1:focus').waitFor()
})

test('the first Tab reaches the skip link, which leads past the sections', async () => {
  await using tab = await store.open('/pets')
  const { page } = tab
  await title(page, 'Pets').waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'Skip to content')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'main')
  assert.ok(await title(page, 'Pets').isVisible())
})

test('an unknown address says so', async () => {
  await using tab = await store.open('/nothing/here')
  await title(tab.page, 'Page not found').waitFor()
  await tab.page.getByRole('link', { name: 'Go to Home' }).click()
  await title(tab.page, 'Home').waitFor()
})

test('the palette leads to every section and view, by keyboard alone', async () => {
  await using tab = await store.open('/')
  const { page } = tab
  await title(page, 'Home').waitFor()
  for (const [text, address] of [
    ['your key', '/key'],
    ['pets sold', '/pets?status=sold'],
    ['orders expired', '/orders?status=expired'],
    ['go act', '/activity'],
  ] as const) {
    await search(page, text)
    await page.keyboard.press('Enter')
    await palette(page).waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).href.split('/console')[1], address)
  }
  await page.keyboard.press('Meta+k')
  await page.keyboard.press('ArrowUp')
  const selected = page.getByRole('dialog').getByRole('option', { selected: true })
  assert.equal(await selected.innerText(), 'Sign out')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  assert.equal(await selected.innerText(), 'Go to Pets')
  assert.equal(await palette(page).getAttribute('aria-activedescendant'), await selected.getAttribute('id'))
  await page.keyboard.press('Escape')
  await palette(page).waitFor({ state: 'detached' })
})

test('the palette opens the documentation in another tab', async () => {
  await using tab = await store.open('/key')
  const { page } = tab
  await search(page, 'documentation')
  const opening = tab.context.waitForEvent('page')
  await page.keyboard.press('Enter')
  await (await opening).waitForURL('**/docs')
  assert.ok(await title(page, 'Your key').isVisible())
})

test('what is typed right after Ctrl+K is typed in the palette', async () => {
  await using tab = await store.open('/')
  const { page } = tab
  await title(page, 'Home').waitFor()
  // No frame is drawn between the two keys.
  const role = await page.evaluate(async () => {
    dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))
    for (let i = 0; i < 20; i++) await Promise.resolve()
    return document.activeElement?.getAttribute('role')
  })
  assert.equal(role, 'combobox')
})

test('digits in the palette open a pet, and the id of an order that order', async () => {
  await using tab = await store.open('/')
  const { page } = tab
  await title(page, 'Home').waitFor()
  for (const [text, label, query] of [
    ['9007199254740993', 'Open pet 9007199254740993', 'pet=9007199254740993'],
    ['ord_AAAAAAAAAAh-_3cyZZ0-', 'Open order ord_AAAAAAAAAAh-_3cyZZ0-', 'order=ord_AAAAAAAAAAh-_3cyZZ0-'],
  ] as const) {
    await search(page, text)
    assert.equal(await options(page).first().innerText(), label)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.search === `?${query}`)
  }
  await page.keyboard.press('Control+k')
  await palette(page).fill('no such thing')
  await options(page).getByText('Add a pet called no such thing').waitFor()
  assert.deepEqual(await options(page).allInnerTexts(), ['Add a pet called no such thing'])
})

test('the palette adds a pet, changes the theme and signs out; a key that only reads is not offered Add pet', async () => {
  const reader = await store.createKey({ scopes: ['pets:read'] })
  await using tab = await store.open('/', { key: reader })
  const { page } = tab
  await search(page, 'add pet')
  await page.getByText('No match.').waitFor()
  assert.equal(await options(page).count(), 0)
  await page.keyboard.press('Escape') // with the next key right behind it
  await search(page, 'dark')
  await page.keyboard.press('Enter')
  await palette(page).waitFor({ state: 'detached' })
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'dark')
  await search(page, 'sign out')
  await page.keyboard.press('Enter')
  await title(page, 'Sign in').waitFor()

  await using writing = await store.open('/key')
  await search(writing.page, 'add pet')
  await writing.page.keyboard.press('Enter')
  await writing.page.waitForURL(/\/console\/pets\?add=1$/)
})

test('? lists the shortcuts, and its switch turns single keys off and on', async () => {
  await using tab = await store.open('/')
  const { page } = tab
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await title(page, 'Home').waitFor()
  await page.keyboard.press('?')
  await help.getByRole('checkbox', { name: 'Use single-key shortcuts' }).uncheck()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await palette(page).waitFor()
  assert.equal(await help.count(), 0, 'Ctrl K still works')
  await page.keyboard.press('Escape')
  await page.reload()
  await chooseInMenu(page, 'Keyboard shortcuts')
  await help.getByRole('checkbox').check()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await help.waitFor()
})

test('a dialog gives the focus back to what opened it, and keeps it inside while open', async () => {
  await using tab = await store.open('/')
  const { page } = tab
  const opener = page.getByRole('button', { name: 'Search' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press('Tab')
    const isOutside = await page.evaluate(
      () => document.activeElement !== document.body && !document.activeElement?.closest('dialog'),
    )
    assert.equal(isOutside, false)
  }
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.ok(await opener.evaluate((button) => button === document.activeElement))
})

test('the theme is system, light or dark, and is remembered', async () => {
  await using tab = await store.open('/', { colorScheme: 'dark' })
  const { page } = tab
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const item = (name: string | RegExp) => page.getByRole('menuitem', { name })
  const open = () => page.getByRole('banner').locator('[aria-haspopup=menu]').click()
  await open()
  await item('Theme: system').waitFor()
  const dark = await ground()
  await item(/^Theme: /).click()
  await item('Theme: light').waitFor()
  const light = await ground()
  assert.notEqual(light, dark)
  await page.reload()
  await open()
  await item('Theme: light').waitFor()
  assert.equal(await ground(), light)
  await item(/^Theme: /).click()
  assert.equal(await ground(), dark)
})

test('without a sandbox, a test key has a badge that says what it works on, a live key none', async () => {
  const live = await store.createKey({ mode: 'live' })
  await using testing = await store.open('/')
  const badge = testing.page.getByText('Test key', { exact: true })
  await badge.waitFor()
  assert.match(
    (await badge.getAttribute('title')) ?? '',
    /There is no sandbox, so it works on the same pets as a live key/,
  )
  assert.equal(await testing.page.locator('.sandbox').count(), 0)
  await using working = await store.open('/', { key: live })
  await title(working.page, 'Home').waitFor()
  assert.equal(await working.page.getByText('Test key', { exact: true }).count(), 0)
})

test('a banner announces the end of a key in its last 14 days', async () => {
  const soon = await store.createKey({ expiresAt: new Date(Date.now() + 13.9 * DAY_MS) })
  const later = await store.createKey({ expiresAt: new Date(Date.now() + 14.1 * DAY_MS) })
  await using tab = await store.open('/pets', { key: soon })
  await tab.page.getByText('Your key expires in 14 days. To have it replaced, ask the operator.').waitFor()
  await using other = await store.open('/pets', { key: later })
  await title(other.page, 'Pets').waitFor()
  assert.equal(await other.page.getByText('Your key expires').count(), 0)
})

test('a toast is announced by one live region, and goes after 10 s, but not while it is hovered or focused', async () => {
  const id = await pets.add('Toasted', { status: 'available' })
  await using tab = await store.open(`/pets?id=${id}&pet=${id}`, { hasClock: true })
  const { page } = tab
  const { toast, mark } = partsOf(page)
  await mark('Pending')
  await toast.waitFor()
  // From here the time of the page stands still, unless it is moved.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 500)
  assert.equal(await toast.evaluate((box) => box.parentElement?.getAttribute('role')), 'status')
  assert.equal(await page.locator('.toasts').count(), 1)
  await page.mouse.move(0, 0)
  await page.clock.runFor(9_000)
  assert.equal(await toast.count(), 1)
  await toast.hover()
  await page.clock.runFor(11_000)
  assert.equal(await toast.count(), 1, 'hovered')
  await toast.getByRole('button', { name: 'Undo' }).focus()
  await page.mouse.move(0, 0)
  await page.clock.runFor(11_000)
  assert.equal(await toast.count(), 1, 'focused')
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await page.clock.runFor(11_000)
  await toast.waitFor({ state: 'detached' })
})

test('an error stays however many successes come after it', async () => {
  const id = await pets.add('Busy', { status: 'available' })
  await using tab = await store.open(`/pets?id=${id}&pet=${id}`)
  const { toast, choose, mark } = partsOf(tab.page)
  await tab.page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('No.', 'NotAllowedError'))
  })
  await choose('Copy link')
  const error = toast.getByText('The browser did not allow copying to the clipboard.')
  await error.waitFor()
  await choose('Copy link')
  for (const status of ['Pending', 'Sold', 'Available', 'Pending']) {
    await mark(status)
    await toast.last().getByText(`Busy is now ${status.toLowerCase()}.`).waitFor()
  }
  assert.equal(await error.count(), 1)
  assert.equal(await toast.count(), 3)
})
