import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { categoryCalls } from '../../support/categories.ts'
import { assertFits, startConsole } from '../../support/console-browser.ts'
import { newCategory, partsOf, petsOf } from '../../support/console-pets.ts'
import { settle } from '../../support/console-screens.ts'

// Pets are found by their names, in the list and from everywhere.
const store = await startConsole()
const pets = petsOf(store)

const field = (page: Page) => page.getByLabel('Name or id')
const palette = (page: Page) => page.getByRole('combobox', { name: 'Search' })
const names = (page: Page) => page.locator('tbody .name a').allInnerTexts()
/** The names that were searched for, each once: the feed has a list read again when it begins. */
const searched = (sent: readonly string[]) => [
  ...new Set(
    sent.filter((url) => url.includes('/v1/pets?')).flatMap((url) => new URL(url).searchParams.getAll('name')),
  ),
]

test('/ finds pets by the beginning of a word, and the address has what was typed', async () => {
  await pets.add('Élodie Quartz', { status: 'sold' })
  for (const name of ['Quill', 'Old Quincy', 'Other']) await pets.add(name)
  await using tab = await store.open('/pets')
  const { page } = tab
  await settle(page)
  await page.keyboard.press('/')
  await page.keyboard.type('QU')
  await page.waitForURL((url) => url.search === '?name=QU')
  await partsOf(page).row('Quill').waitFor()
  assert.deepEqual(await names(page), ['Quill', 'Old Quincy', 'Élodie Quartz'], 'those that are sold come last')
  assert.equal(await field(page).evaluate((one) => one === document.activeElement), true, 'the focus stays')
  await field(page).pressSequentially(' elo')
  await page.waitForURL((url) => url.searchParams.get('name') === 'QU elo')
  await partsOf(page).row('Quill').waitFor({ state: 'detached' })
  await partsOf(page).row('Élodie Quartz').waitFor()
  await page.reload()
  await partsOf(page).row('Élodie Quartz').waitFor()
  assert.equal(await field(page).inputValue(), 'QU elo')
  // However many keys it took, it is one step.
  await page.goBack()
  await page.waitForURL((url) => url.search === '')
  assert.equal(await field(page).inputValue(), '')
})

test('a search begins after the last key, is one at a time, and the last text wins', async () => {
  for (const name of ['Zorro', 'Zora', 'Zoltan']) await pets.add(name)
  await using tab = await store.open('/pets')
  const { page, sent } = tab
  await settle(page)
  const slow = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  await page.route('**/v1/pets?*name=zo&*', async (route) => {
    arrived.resolve()
    await slow.promise
    await route.continue().catch(() => {})
  })
  await field(page).pressSequentially('zo')
  await arrived.promise
  assert.deepEqual(searched(sent), ['zo'], 'none for a part of it')
  const given = page.waitForEvent('requestfailed', (request) => request.url().includes('name=zo&'))
  await field(page).pressSequentially('rr')
  await partsOf(page).row('Zorro').waitFor()
  await given
  slow.resolve()
  await settle(page)
  assert.deepEqual(await names(page), ['Zorro'])
  assert.deepEqual(searched(sent), ['zo', 'zorr'])
})

test('nothing is searched for while a character is composed', async () => {
  await pets.add('犬の太郎')
  await using tab = await store.open('/pets')
  const { page, sent } = tab
  await settle(page)
  await field(page).focus()
  const client = await page.context().newCDPSession(page)
  for (const text of ['k', 'け', 'けn', 'けん'])
    await client.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  await page.waitForTimeout(500)
  assert.deepEqual(searched(sent), [])
  await client.send('Input.insertText', { text: '犬' })
  await page.waitForURL((url) => url.searchParams.get('name') === '犬')
  await partsOf(page).row('犬の太郎').waitFor()
  assert.deepEqual(searched(sent), ['犬'])
  await page.keyboard.press('Control+k')
  await palette(page).waitFor()
  await client.send('Input.imeSetComposition', { text: 'けん', selectionStart: 2, selectionEnd: 2 })
  await page.waitForTimeout(500)
  assert.deepEqual(searched(sent), ['犬'])
})

test('short pages are followed up to five times, then a button goes on', async () => {
  const categoryId = newCategory()
  for (let n = 1; n <= 9; n++) await pets.add(`Vole ${n}`, { categoryId })
  const stored = await pets.list(categoryId)
  await using tab = await store.open('/pets', { isBeforeFeed: true })
  const { page } = tab
  await settle(page)
  let asked = 0
  await page.route('**/v1/pets?*name=vole*', (route) => {
    const at = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
    asked++
    const text = JSON.stringify([stored[at]], (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
    const body = at % 2 === 0 ? text.replaceAll(/"(-?\d+)n"/g, '$1') : '[]'
    const link = at < 8 ? { link: `</v1/pets?cursor=${at + 1}>; rel="next"` } : {}
    return route.fulfill({ body, contentType: 'application/json', headers: link })
  })
  await field(page).fill('vole')
  const on = page.getByRole('button', { name: 'Search on' })
  await on.waitFor()
  assert.equal(asked, 6)
  assert.deepEqual(await names(page), ['Vole 1', 'Vole 3', 'Vole 5'])
  await on.click()
  await partsOf(page).row('Vole 9').waitFor()
  assert.deepEqual(await names(page), ['Vole 1', 'Vole 3', 'Vole 5', 'Vole 7', 'Vole 9'])
  assert.equal(await on.count(), 0)
})

test('a pet that no longer matches stays, marked, until the next search; a new one is offered', async () => {
  const id = await pets.add('Wombat')
  await pets.add('Wombatina')
  await using tab = await store.open('/pets?name=wom', { isLive: true })
  const { page } = tab
  const { row, live } = partsOf(page)
  await row('Wombat').waitFor()
  await live()
  await pets.change(id, { name: 'Koala' })
  await row('Koala').getByText('No longer matches').waitFor()
  assert.deepEqual(await names(page), ['Koala', 'Wombatina'])
  await pets.add('Big Wombat')
  await page.getByRole('button', { name: /^1 (newer|more) pet — show$/ }).click()
  await row('Big Wombat').waitFor()
  await row('Koala').waitFor({ state: 'detached' })
})

test('a name that no pet has can be added, once all pets were searched', async () => {
  await using tab = await store.open('/pets?name=Xerxes&status=sold')
  const { page } = tab
  await page.getByRole('heading', { name: 'No pet here is called “Xerxes”' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add a pet called Xerxes' }).count(), 0)
  await page.getByRole('link', { name: 'Search all pets' }).click()
  await page.getByRole('heading', { name: 'No pet is called “Xerxes”' }).waitFor()
  await page.getByText('Search finds the beginning of any word').waitFor()
  await page.getByRole('button', { name: 'Add a pet called Xerxes' }).click()
  const form = page.getByRole('dialog', { name: 'Add pet' })
  assert.equal(await form.getByLabel('Name').inputValue(), 'Xerxes')
})

test('the palette finds pets, sold ones last, and orders by their reference; Enter waits for the first', async () => {
  await pets.add('Jasper', { status: 'sold' })
  const id = await pets.add('Jasper', { status: 'available' })
  const held = await pets.add('Jasmine', { status: 'available' })
  await categoryCalls(store.call).put((await pets.read(id))!.categoryId, 'Geckos')
  await pets.reserve(held)
  await using tab = await store.open('/')
  const { page } = tab
  await settle(page)
  await page.keyboard.press('Control+k')
  await palette(page).fill('jas')
  const options = page.getByRole('option')
  await options.filter({ hasText: 'Jasmine' }).getByText('Held').waitFor()
  await options.filter({ hasText: 'Geckos' }).waitFor()
  const found = (await options.allInnerTexts()).map((text) => text.split('\n')[0])
  assert.deepEqual(found, ['Jasmine', 'Jasper', 'Jasper', 'Add a pet called jas'])
  assert.match(await options.nth(2).innerText(), /Sold/)
  await palette(page).fill('')
  await palette(page).pressSequentially('jasper')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.search === `?pet=${id}`)
})

test('of more pets than the palette shows, the others are one step away, and a phone shows their categories too', async () => {
  const categoryId = newCategory()
  await categoryCalls(store.call).put(categoryId, 'Otters')
  for (let n = 0; n < 8; n++) await pets.add('Crowded', { categoryId, status: 'available' })
  await using tab = await store.open('/', { width: 390 })
  const { page } = tab
  await settle(page)
  await page.keyboard.press('Control+k')
  await palette(page).fill('crowd')
  const all = page.getByRole('option', { name: 'Show all pets found by “crowd”' })
  await all.waitFor()
  const options = page.getByRole('option').filter({ hasText: 'Otters' })
  assert.equal(await options.count(), 7)
  for (const part of ['Otters', 'Available']) assert.ok(await options.first().getByText(part).isVisible())
  await all.click()
  await partsOf(page).rows.nth(7).waitFor()
  assert.equal(new URL(page.url()).search, '?name=crowd')
})

test('a search from everywhere that fails says so, and offers no pet of that name until it has succeeded', async () => {
  await pets.add('Rosinante')
  await using tab = await store.open('/')
  const { page } = tab
  await settle(page)
  await page.route('**/v1/pets?*name=*', (route) => route.abort())
  await page.keyboard.press('Control+k')
  const add = page.getByRole('option', { name: 'Add a pet called rosin' })
  await palette(page).fill('rosin')
  await page.getByText('Some results may be missing. The service could not be reached.').waitFor()
  assert.equal(await add.count(), 0)
  await page.unroute('**/v1/pets?*name=*')
  const answered = Promise.withResolvers<void>()
  await page.route('**/v1/pets?*name=*', async (route) => {
    await answered.promise
    await route.continue()
  })
  const asked = page.waitForRequest(/name=rosin/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await asked
  assert.equal(await add.count(), 0)
  answered.resolve()
  await page.getByRole('option', { name: /^Rosinante/ }).waitFor()
  await add.waitFor()
  assert.equal(await page.getByText('Some results may be missing').count(), 0)
})

test('while not every pet can be found by its name, the console says so and offers no pet of that name', async () => {
  await using tab = await store.open('/pets')
  const { page } = tab
  await settle(page)
  await page.route('**/v1/pets?*name=*', (route) =>
    route.fulfill({ json: [], headers: { 'petstore-search-incomplete': '40' } }),
  )
  await field(page).fill('Tybalt')
  await page.getByRole('heading', { name: 'No pet called “Tybalt” was found' }).waitFor()
  await page.getByText('Not every pet can be found by its name yet.').waitFor()
  assert.equal(await page.getByRole('button', { name: /^Add a pet called/ }).count(), 0)
  await page.keyboard.press('Control+k')
  await palette(page).fill('Tybalt')
  await page.getByText('Some results may be missing. Not every pet can be found by its name yet.').waitFor()
  assert.equal(await page.getByRole('option', { name: /^Add a pet called/ }).count(), 0)
})

test('a name of 255 characters that no pet has fits, in the list and everywhere, on a phone too', async () => {
  const long = 'W'.repeat(255)
  for (const width of [1440, 390]) {
    await using tab = await store.open(`/pets?name=${long}`, { width, height: 844 })
    const { page } = tab
    await page.getByRole('button', { name: `Add a pet called ${long}` }).waitFor()
    await settle(page)
    await assertFits(page)
    await page.keyboard.press('Control+k')
    await palette(page).fill(long)
    await page.getByRole('option', { name: `Add a pet called ${long}` }).waitFor()
    await assertFits(page)
  }
})

test('a name from right to left, or one that sets a direction, turns nothing but itself in a sentence', async () => {
  const name = `\u202eMomo`
  await using tab = await store.open(`/pets?name=${encodeURIComponent(name)}`)
  const { page } = tab
  await page.getByRole('heading', { name: `No pet is called “\u2068${name}\u2069”` }).waitFor()
  await page.getByRole('button', { name: `Add a pet called \u2068${name}\u2069` }).click()
  const form = page.getByRole('dialog', { name: 'Add pet' })
  assert.equal(await form.getByLabel('Name').inputValue(), name, 'stored as it was typed')
})

test('more words than a name is found by are caught before anything is sent', async () => {
  await using tab = await store.open('/pets')
  const { page, sent } = tab
  await settle(page)
  await field(page).fill('a b c d e f g h i')
  await page.getByText('Type fewer words').waitFor()
  await page.keyboard.press('Control+k')
  await palette(page).fill('a b c d e f g h i')
  await page.getByText('Some results may be missing. Type fewer words').waitFor()
  assert.deepEqual(searched(sent), [])
})

test('the list is sorted by age, newest first unless one wants the oldest', async () => {
  const { categoryId, ids } = await pets.addMany(3)
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const { page } = tab
  await partsOf(page).row('Pet 3').waitFor()
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Oldest first')
  await page.waitForURL(/sort=oldest/)
  await page.locator('tbody tr').first().getByText('Pet 1').waitFor()
  assert.deepEqual(await partsOf(page).shownIds(), ids.map(String))
})

test('Shift+j selects the row and the next one, and so on', async () => {
  const { categoryId } = await pets.addMany(4)
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const { page } = tab
  const { row, bulk, focused } = partsOf(page)
  await row('Pet 4').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Shift+J')
  await page.keyboard.press('Shift+ArrowDown')
  await bulk.getByText('3 selected').waitFor()
  assert.equal(await focused(), 'Pet 2')
})

test('a toast is the next stop of Tab after the row that it is about, and does not cover it', async () => {
  const { categoryId } = await pets.addMany(20)
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const { page } = tab
  const { row, toast, focused, markSelected } = partsOf(page)
  await row('Pet 20').waitFor()
  await row('Pet 2').getByRole('checkbox').check()
  await markSelected('pending')
  await toast.getByText('1 changed').waitFor()
  assert.equal(await focused(), 'Pet 2')
  const [about, over] = [await row('Pet 2').boundingBox(), await toast.boundingBox()]
  assert.ok(about && over && (over.y + over.height <= about.y || over.y >= about.y + about.height))
  await page.keyboard.press('Tab')
  assert.equal(await focused(), 'Undo')
  await page.keyboard.press('Shift+Tab')
  assert.equal(await focused(), 'Pet 2')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await toast.getByText('Undone for 1 pet').waitFor()
})
