import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { patchJson } from '../../support/app.ts'
import { assertFits, startConsole } from '../../support/console-browser.ts'
import { setHidden } from '../../support/console-feed.ts'
import { insertPets, newCategory, petsOf } from '../../support/console-pets.ts'
import { MASTER_SECRET } from '../../support/deliveries.ts'
import { addPet, endOfFeed } from '../../support/events.ts'
import { createTestKey } from '../../support/factories.ts'
import { makeDue, orderCalls, orderOf } from '../../support/orders.ts'
import { insertWebhook, webhookCalls } from '../../support/webhooks.ts'

const store = await startConsole({ webhookMasterSecret: MASTER_SECRET })
const pets = petsOf(store)
await pets.add('Somebody')

/** A card by its heading. */
const card = (page: Page, title: string) =>
  page.locator('.card').filter({ has: page.getByRole('heading', { name: title }) })
const sold = (page: Page) => card(page, 'Sold today')
const soonest = (page: Page) => card(page, 'Open orders, ending soonest')
const changes = (page: Page) => card(page, 'Last changes')
const health = (page: Page) => page.locator('.health')

/** Sells a pet, as if at a time. */
async function sellAt({ call, pool }: Pick<typeof store, 'call' | 'pool'>, time: string) {
  const calls = orderCalls(call)
  const pet = await addPet(call, 'available')
  await calls.complete(orderOf(await calls.place(pet)).id)
  await pool.query('update orders set closed_at = $2 where pet_id = $1', [pet, time])
}

test('what sold today, yesterday and on each of 14 days is there without a click, also where the clock has changed', async () => {
  const other = await startConsole()
  // The day before the last one had 23 hours in Berlin.
  for (const time of ['27T22:59', '27T23:30', '28T21:30', '28T22:30', '29T07:00', '29T22:30'])
    await sellAt(other, `2027-03-${time}:00Z`)
  for (const width of [1440, 390]) {
    await using tab = await other.open('/nowhere', { timezoneId: 'Europe/Berlin', width })
    const { page } = tab
    await page.clock.setFixedTime(new Date('2027-03-29T08:00:00Z'))
    await page.goto(`${other.address}/console`)
    await sold(page).getByText('Yesterday 2').waitFor()
    assert.match(await sold(page).locator('.figure').innerText(), /^2\s+Yesterday 2$/)
    const name = (await sold(page).getByRole('img').getAttribute('aria-label')) ?? ''
    assert.match(
      name,
      /^Sold each day: Tuesday 16 March 0, .*Saturday 27 March 1, Sunday 28 March 2, Monday 29 March 2$/,
    )
    const bars = await sold(page).locator('rect').all()
    assert.equal(bars.length, 14)
    assert.equal(await sold(page).locator('text').count(), 28)
    const heights = await Promise.all(bars.slice(-4).map(async (bar) => Number(await bar.getAttribute('height'))))
    assert.deepEqual(heights, [2, 48, 96, 96])
    await assertFits(page)
  }
})

test('a sale is counted as it happens', async () => {
  await using tab = await store.open('/', { isLive: true })
  const figure = sold(tab.page).locator('.figure')
  await figure.waitFor()
  const before = Number.parseInt(await figure.innerText(), 10)
  const calls = orderCalls(store.call)
  await calls.complete(orderOf(await calls.place(await addPet(store.call, 'available'))).id)
  await figure.getByText(new RegExp(`^${before + 1}\\b`)).waitFor()
})

test('another day begins at midnight', async () => {
  await using tab = await store.open('/nowhere', { timezoneId: 'UTC' })
  const { page } = tab
  await page.clock.install({ time: new Date('2027-06-01T23:59:00Z') })
  await page.goto(`${store.address}/console`)
  await page.getByText('Tuesday 1 June', { exact: true }).waitFor()
  await sold(page)
    .getByRole('img', { name: /Tuesday 1 June \d+$/ })
    .waitFor()
  await page.clock.runFor(61_000)
  await page.getByText('Wednesday 2 June', { exact: true }).waitFor()
  await sold(page)
    .getByRole('img', { name: /Wednesday 2 June \d+$/ })
    .waitFor()
})

test('after a night asleep it is another day as soon as somebody looks', async () => {
  await using tab = await store.open('/nowhere', { timezoneId: 'UTC' })
  const { page } = tab
  await page.clock.install({ time: new Date('2027-06-01T18:00:00Z') })
  await page.goto(`${store.address}/console`)
  await page.getByText('Tuesday 1 June', { exact: true }).waitFor()
  await setHidden(page, true)
  // Timers do not run while the computer sleeps.
  await page.clock.setSystemTime(new Date('2027-06-02T08:00:00Z'))
  await setHidden(page, false)
  await page.getByText('Wednesday 2 June', { exact: true }).waitFor()
  await sold(page)
    .getByRole('img', { name: /Wednesday 2 June \d+$/ })
    .waitFor()
})

test('without events, what sold today is read every few seconds', async () => {
  const key = await store.createKey({ scopes: ['orders:read'] })
  await using tab = await store.open('/', { key, hasClock: true })
  const figure = sold(tab.page).locator('.figure')
  await figure.waitFor()
  const before = Number.parseInt(await figure.innerText(), 10)
  const calls = orderCalls(store.call)
  await calls.complete(orderOf(await calls.place(await addPet(store.call, 'available'))).id)
  const after = figure.getByText(new RegExp(`^${before + 1}\\b`))
  for (let polls = 0; polls < 20 && (await after.count()) === 0; polls++) await tab.page.clock.runFor(5_000)
  await after.waitFor()
})

test('open orders that end first are first, with the pet, for whom, by whom and the time left', async () => {
  const other = await startConsole()
  const { key } = await createTestKey(other.pool, { name: 'Ben (weekend)' })
  const late = await petsOf(other).add('Late', { status: 'available' })
  const early = await petsOf(other).add('Early', { status: 'available' })
  const calls = orderCalls((path, init) => other.call(path, { ...init, key }))
  const order = orderOf(await calls.place(late, { reference: 'Mrs. Okafor', expiresIn: 900 }))
  await calls.place(early, { expiresIn: 200 })
  await using tab = await other.open('/', { isLive: true })
  const { page } = tab
  const rows = soonest(page).getByRole('listitem')
  await rows.first().getByText('Early').waitFor()
  await rows.last().getByText('Ben (weekend)').waitFor()
  assert.match(
    (await rows.last().innerText()).replaceAll('\n', ' '),
    new RegExp(`^Late ${late} Mrs. Okafor .*1[45] min$`),
  )
  await rows.first().getByText('No reference').waitFor()
  await rows.first().locator('.soon').waitFor()
  await petsOf(other).change(late, { name: 'Later' })
  await rows.last().getByText('Later').waitFor()
  await rows.last().click()
  await page.waitForURL(`**/console/orders?order=${order.id}`)
  await page.goBack()
  await calls.complete(order.id)
  await rows.nth(1).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'All open orders' }).click()
  await page.waitForURL('**/console/orders?status=placed')
})

test('pets are counted by status up to 1,000, with a link to each list', async () => {
  const other = await startConsole()
  await insertPets(other.pool, 1_000, newCategory())
  await other.pool.query('analyze pets')
  await addPet(other.call, 'sold')
  await addPet(other.call)
  await using tab = await other.open('/', { isLive: true })
  const { page } = tab
  const link = (name: string) => card(page, 'Pets').getByRole('link', { name, exact: true })
  await link('Available 1,000+').waitFor()
  await link('Pending 0').waitFor()
  await link('All pets 1,000+').waitFor()
  // How many have none would be a guess.
  assert.equal(await card(page, 'Pets').getByText('No status').count(), 0)
  await addPet(other.call, 'sold')
  await link('Sold 2').click()
  await page.waitForURL('**/console/pets?status=sold')
})

test('task 5: who renamed a pet, when and from what is said without a click, and in its history with two', async () => {
  const { key } = await createTestKey(store.pool, { name: 'Mira (manager)' })
  const pet = await pets.add('Moe')
  await store.call(`/v1/pets/${pet}`, { ...patchJson({ name: 'Big Moe' }), key })
  await endOfFeed(store)
  await using tab = await store.open('/')
  const { page } = tab
  const line = changes(page).getByRole('listitem').filter({ hasText: 'Mira (manager) renamed Moe to Big Moe' })
  await line.waitFor()
  assert.match(await line.locator('time').innerText(), /^\d\d:\d\d$/)
  // Later, others are above it.
  await page.getByRole('link', { name: 'All activity' }).click()
  await page.getByLabel('Pet', { exact: true }).fill('big moe')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/console/activity?pet=${pet}`)
  await page
    .locator('.event')
    .filter({ hasText: `Mira (manager) renamed Moe ${pet} to Big Moe` })
    .waitFor()
  assert.equal(await page.locator('.event').count(), 2)
  // Oneself is "You".
  await using own = await store.open('/', { key })
  await changes(own.page).getByText('You renamed Moe to Big Moe').waitFor()
})

test('changes appear as they happen, without another read', async () => {
  await using tab = await store.open('/', { isLive: true, hasClock: true })
  const { page } = tab
  await changes(page).getByRole('listitem').first().waitFor()
  // Nor are orders read again after a change of a pet that none holds.
  const reads = () => tab.sent.filter((url) => /sort=newest|\/store\/orders\?/.test(url))
  // What happened before the feed began is read once more.
  while (reads().length < 4) await page.clock.runFor(100)
  const pet = await pets.add('Brand new')
  await pets.change(pet, { name: 'Not so new' })
  await changes(page).getByRole('listitem').first().getByText('renamed Brand new to Not so new').waitFor()
  // Longer than events are gathered for.
  await page.clock.runFor(1_000)
  assert.equal(reads().length, 4)
})

test('one line says that everything works, or which webhook fails since when, and leads to it', async () => {
  await using tab = await store.open('/')
  const { page } = tab
  await health(page).getByText('Everything works').waitFor()
  const id = 'wh_0a1B2c3D4e5F6g7H8i9J'
  const since = new Date().toISOString()
  const failing = { types: null, state: 'active', createdAt: since, sequence: '0000000000000001', failingSince: since }
  await insertWebhook(store.pool, {
    ...failing,
    id,
    name: 'Warehouse',
    url: 'https://failing.example/hooks',
    attempts: 3n,
    nextAttemptAt: since,
  })
  await page.reload()
  await health(page)
    .getByRole('link', { name: /^Webhook Warehouse is failing since \d\d:\d\d$/ })
    .click()
  await page.getByText('3 failed attempts').waitFor()
  await webhookCalls(store.call).remove(id)
})

test('a status that is not ok is the health, with a link; one that can’t be read is not "works"', async () => {
  await using tab = await store.open('/nowhere')
  const { page } = tab
  await page.route('**/v1/status', async (route) => {
    const response = await route.fetch({ headers: { ...route.request().headers(), 'sec-fetch-site': 'same-origin' } })
    const status = (await response.json()) as object
    await route.fulfill({ response, json: { ...status, database: { state: 'stalled' } } })
  })
  await page.goto(`${store.address}/console`)
  await health(page).getByRole('link', { name: 'The database has a problem' }).click()
  await page.waitForURL('**/console/status')
  await page.route('**/v1/status', (route) => route.fulfill({ status: 400, json: { code: 'x', message: 'No.' } }))
  await page.goto(`${store.address}/console`)
  await health(page).getByText('Not known whether everything works').waitFor()
})

test('health is not read again with each event of the store', async () => {
  await using tab = await store.open('/', { isLive: true, hasClock: true })
  const { page } = tab
  await health(page).getByText('Everything works').waitFor()
  let reads = 0
  page.on('request', (request) => {
    if (/\/v1\/(?:webhooks|status)$/.test(request.url())) reads++
  })
  for (let n = 0; n < 5; n++) {
    // It asks for the next events when it has these.
    const heard = page.waitForRequest((request) => request.url().includes('/v1/events?'))
    await addPet(store.call)
    await heard
    // Longer than events are gathered for.
    await page.clock.runFor(300)
  }
  assert.ok(reads < 5, `${reads} reads`)
})

test('the longer a page is idle, the less often health is read, and soon again after input', async () => {
  await using tab = await store.open('/', { isLive: true, hasClock: true })
  const { page } = tab
  await health(page).getByText('Everything works').waitFor()
  await page.clock.fastForward('20:00')
  const reads = () => tab.sent.filter((url) => url.endsWith('/v1/status')).length
  const before = reads()
  for (let round = 0; round < 9; round++) await page.clock.runFor(31_000)
  assert.ok(reads() - before <= 2, `${reads() - before} reads`)
  await page.keyboard.press('Shift')
  const read = page.waitForRequest((request) => request.url().endsWith('/v1/status'))
  for (let round = 0; round < 2; round++) await page.clock.runFor(31_000)
  await read
})

test('health is read when a tab is seen again, not while it is hidden', async () => {
  await using tab = await store.open('/', { isLive: true, hasClock: true })
  const { page } = tab
  await health(page).getByText('Everything works').waitFor()
  await setHidden(page, true)
  const before = tab.sent.length
  for (let seconds = 0; seconds < 60; seconds += 5) await page.clock.runFor(5_000)
  assert.deepEqual(tab.sent.slice(before), [])
  const read = page.waitForRequest((request) => request.url().endsWith('/v1/status'))
  await setHidden(page, false)
  await read
})

test('that everything works is said only to a key that may read everything', async () => {
  for (const scope of ['status:read', 'webhooks:manage'] as const) {
    const key = await store.createKey({ scopes: [scope, 'pets:read'] })
    await using tab = await store.open('/', { key })
    await health(tab.page).getByText('Your key sees no problem', { exact: true }).waitFor()
  }
})

test('the first rows take at most 6 requests', async () => {
  await orderCalls(store.call).place(await addPet(store.call, 'available'))
  await using tab = await store.open('/nowhere', { isBeforeFeed: true })
  const { page } = tab
  // What the former page reads is not counted.
  await page.goto(`${store.address}/livez`)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/v1/') && !search.includes('from=now')) asked.push(pathname + search)
  })
  let before: string[] = []
  await page.route('**/v1/pets?*', async (route) => {
    // The names of the pets of the first rows are the last that they need.
    before = [...asked]
    await route.continue()
  })
  await page.goto(`${store.address}/console`)
  await soonest(page).getByRole('listitem').first().waitFor()
  assert.ok(before.length > 0 && before.length <= 6, before.join('\n'))
})

test('what can’t be read says why, in its card, and the others are there', async () => {
  await using tab = await store.open('/nowhere')
  const { page } = tab
  const fail = { status: 400, json: { code: 'bad_request', message: 'Not this time.' } }
  await page.route('**/v1/store/orders/counts*', (route) => route.fulfill(fail))
  await page.route('**/v1/events?*sort=newest*', (route) => route.fulfill(fail))
  await page.goto(`${store.address}/console`)
  await sold(page).getByText('Not this time.').waitFor()
  await changes(page).getByText('Not this time.').waitFor()
  await card(page, 'Pets')
    .getByRole('link', { name: /^Available/ })
    .waitFor()
  await page.unrouteAll()
  // With the button, or when the feed begins.
  await sold(page).getByRole('img').waitFor()
})

test('home shows only what the key may see', async () => {
  const titles = async (scopes: Parameters<typeof store.createKey>[0]['scopes']) => {
    const key = await store.createKey({ scopes: scopes! })
    await using tab = await store.open('/', { key })
    const { page } = tab
    await page.locator('.card, .empty').first().waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('alert').filter({ hasText: /./ }).count(), 0)
    assert.equal(await health(page).count(), 0)
    return await page.locator('.card h2, .empty h2').allInnerTexts()
  }
  assert.deepEqual(await titles(['pets:read']), ['Pets'])
  assert.deepEqual(await titles(['orders:read']), ['Sold today', 'Open orders, ending soonest'])
  assert.deepEqual(await titles(['events:read']), ['Last changes'])
  assert.deepEqual(await titles(['pets:write']), ['Your key shows nothing here'])
})

test('an empty store offers to add a pet and to import a list, and says what is here later', async () => {
  const other = await startConsole()
  await using tab = await other.open('/', { isLive: true })
  const { page } = tab
  await page.getByText('Here you see what sold today').waitFor()
  await page.getByRole('heading', { name: 'Import a list' }).waitFor()
  assert.equal(await page.locator('.card').count(), 0)
  await page.getByRole('button', { name: 'Add pet' }).click()
  await page.getByRole('dialog', { name: 'Add pet' }).waitFor()
  await page.keyboard.press('Escape')
  await addPet(other.call)
  await card(page, 'Pets').getByRole('link', { name: 'All pets 1' }).waitFor()
})

test('an empty store says to a key that adds no pets that there are none', async () => {
  const other = await startConsole({}, store.browser)
  const key = await other.createKey({ scopes: ['pets:read'] })
  await using tab = await other.open('/', { key })
  await tab.page.getByText('There are no pets yet.').waitFor()
  assert.equal(await tab.page.getByText('Add the first pet').count(), 0)
})

test('an order that expires leaves the list, and the row of one changes where it is, by themselves', async () => {
  const other = await startConsole({}, store.browser)
  const calls = orderCalls(other.call)
  const order = orderOf(await calls.place(await petsOf(other).add('Overdue', { status: 'available' })))
  await using tab = await other.open('/', { isLive: true })
  await soonest(tab.page).getByText('Overdue').waitFor()
  await using list = await other.open('/orders', { isLive: true })
  const row = list.page.locator('tbody tr').filter({ hasText: 'Overdue' })
  await row.locator('.left').waitFor()
  await makeDue(other.pool, [order.id])
  await soonest(tab.page).getByText('No open orders').waitFor()
  await row.getByText('Expired').waitFor()
})
