import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { patchJson, postJson } from '../../support/app.ts'
import { startConsole } from '../../support/console-browser.ts'
import { goOffline, setHidden } from '../../support/console-feed.ts'
import { insertPets, newCategory } from '../../support/console-pets.ts'
import { addPet, endOfFeed } from '../../support/events.ts'
import { createTestKey } from '../../support/factories.ts'
import { orderCalls, orderOf } from '../../support/orders.ts'

const store = await startConsole()
const calls = orderCalls(store.call)

/** The lines of the events of a pet that say something; its id may be part of other digits. */
const lineOf = (page: Page, pet: bigint, words: string) =>
  page
    .locator('.events > li')
    .filter({ has: page.locator('.sentence .id').getByText(String(pet), { exact: true }) })
    .filter({ hasText: words })

const choose = async (page: Page, filter: string, name: string) => {
  await page.getByRole('combobox', { name: filter }).click()
  await page.getByRole('option', { name, exact: true }).click()
}

test('events that happened before are there, the newest first', async () => {
  const pet = await addPet(store.call, 'available')
  await store.call(`/v1/pets/${pet}`, patchJson({ name: 'Newer' }))
  await endOfFeed(store)
  await using tab = await store.open('/activity')
  await lineOf(tab.page, pet, 'added').waitFor()
  const texts = await lineOf(tab.page, pet, '').allTextContents()
  assert.match(texts[0] ?? '', /You renamed .* to Newer/)
  assert.match(texts[1] ?? '', /You added/)
})

test('an event appears as it happens, above the others, with links to its pet and order', async () => {
  const pet = await addPet(store.call, 'available')
  await using tab = await store.open('/activity', { isLive: true })
  await tab.page.getByText('Live', { exact: true }).waitFor()
  const order = orderOf(await calls.place(pet))
  const line = tab.page
    .locator('.events > li')
    .first()
    .filter({ hasText: `You reserved Rex ${pet}` })
  await line.getByRole('link', { name: 'Rex', exact: true }).waitFor()
  await line.getByRole('button', { name: /^JSON/ }).click()
  await line.locator('pre').getByText(order.id).waitFor()
  await line.getByRole('link', { name: 'Open order' }).click()
  await tab.page.getByRole('button', { name: 'Complete' }).waitFor()
})

test('events that are found late are below those that happened after them', async () => {
  await using tab = await store.open('/key', { isLive: true })
  const { page } = tab
  await page.getByText('Keys are not managed here').waitFor()
  const [begins, catchesUp] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isLoaded = false
  await page.route('**/v1/events?*', async (route) => {
    const { searchParams } = new URL(route.request().url())
    if (searchParams.get('from') === 'now') await begins.promise
    else if (isLoaded && !searchParams.has('wait')) await catchesUp.promise
    await route.fallback()
  })
  const before = await addPet(store.call)
  await endOfFeed(store)
  await page.goto(`${store.address}/console/activity`)
  await lineOf(page, before, 'added').waitFor()
  isLoaded = true
  const older = await addPet(store.call)
  await endOfFeed(store)
  begins.resolve()
  await page.getByText('Live', { exact: true }).waitFor()
  const newer = await addPet(store.call)
  await lineOf(page, newer, 'added').waitFor()
  assert.equal(await lineOf(page, older, 'added').count(), 0)
  catchesUp.resolve()
  await lineOf(page, older, 'added').waitFor()
  const [first, second] = await page.locator('.events > li').allTextContents()
  assert.match(first ?? '', new RegExp(` ${newer}$`))
  assert.match(second ?? '', new RegExp(` ${older}$`))
})

test('the type is a filter in the URL, for what has happened and what happens', async () => {
  const pet = await addPet(store.call, 'available')
  await endOfFeed(store)
  await using tab = await store.open('/activity', { isLive: true })
  const { page } = tab
  await lineOf(page, pet, 'added').waitFor()
  await choose(page, 'Kind', 'Order placed')
  await page.waitForURL(/type=order\.placed/)
  await page.getByText('Live', { exact: true }).waitFor()
  await lineOf(page, pet, 'added').waitFor({ state: 'detached' })
  orderOf(await calls.place(pet))
  await lineOf(page, pet, 'reserved').waitFor()
  await addPet(store.call)
  await page.reload()
  await lineOf(page, pet, 'reserved').waitFor()
  assert.equal(await page.locator('.sentence').getByText(' added ').count(), 0)
})

test('the pet is a filter in the URL, and shows its whole history', async () => {
  const [pet, other] = [await addPet(store.call), await addPet(store.call)]
  await store.call(`/v1/pets/${pet}`, patchJson({ name: 'Renamed' }))
  await using tab = await store.open('/activity')
  const { page } = tab
  await page.getByLabel('Pet', { exact: true }).fill(String(pet))
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`pet=${pet}`))
  await lineOf(page, pet, 'renamed').waitFor()
  await lineOf(page, pet, 'added').waitFor()
  assert.equal(await lineOf(page, other, 'added').count(), 0)
  await store.call(`/v1/pets/${pet}`, patchJson({ name: 'Renamed again' }))
  await page.getByText('Renamed again').waitFor()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await lineOf(page, other, 'added').waitFor()
})

test('a pet is found by its name; of several of that name, one is chosen', async () => {
  const [one, two] = [await addPet(store.call), await addPet(store.call)]
  for (const id of [one, two]) await store.call(`/v1/pets/${id}`, patchJson({ name: 'Twin of Gloucester' }))
  await using tab = await store.open('/activity')
  const { page } = tab
  const field = page.getByLabel('Pet', { exact: true })
  await field.fill('nobody at all')
  await page.keyboard.press('Enter')
  await page.getByText('No pet is called “nobody at all”.').waitFor()
  assert.doesNotMatch(page.url(), /pet=/)
  await field.fill('twin gl')
  await page.keyboard.press('Enter')
  const offered = page.getByRole('list', { name: 'Which pet?' })
  await offered.getByRole('link').nth(1).waitFor()
  assert.equal(await offered.getByRole('link').count(), 2)
  await offered.getByRole('link', { name: `Twin of Gloucester ${one}` }).click()
  await page.waitForURL(new RegExp(`pet=${one}$`))
  await lineOf(page, one, 'renamed').waitFor()
  assert.equal(await lineOf(page, two, '').count(), 0)
})

test('what is found late for a name that was typed before is not shown, and a search that is not complete says so', async () => {
  const id = await addPet(store.call)
  await store.call(`/v1/pets/${id}`, patchJson({ name: 'Slowpoke' }))
  await using tab = await store.open('/activity')
  const { page } = tab
  const field = page.getByLabel('Pet', { exact: true })
  const held = Promise.withResolvers<void>()
  await page.route(/\/v1\/pets\?.*name=slowpoke/, async (route) => {
    await held.promise
    await route.continue().catch(() => {})
  })
  const asked = page.waitForRequest(/name=slowpoke/)
  await field.fill('slowpoke')
  await page.keyboard.press('Enter')
  await asked
  await page.route(/\/v1\/pets\?.*name=other/, (route) =>
    route.fulfill({ json: [], headers: { 'petstore-search-incomplete': '50' } }),
  )
  await field.fill('other')
  held.resolve()
  await page.keyboard.press('Enter')
  await page.getByText('Not every pet can be found by its name yet.').waitFor()
  assert.equal(await page.getByText('No pet is called').count(), 0)
  assert.doesNotMatch(page.url(), /pet=/)
  assert.equal(await field.inputValue(), 'other')
})

test('a person is a filter in the URL, oneself first, and a key that is unknown by its id', async () => {
  const { key, id } = await createTestKey(store.pool, { name: 'Ben (weekend)' })
  const pet = await addPet(store.call)
  await store.call(`/v1/pets/${pet}`, { ...patchJson({ name: 'Of Ben' }), key })
  await endOfFeed(store)
  await using tab = await store.open('/activity', { isLive: true })
  const { page } = tab
  await page.getByRole('combobox', { name: 'Person' }).click()
  const options = page.getByRole('option')
  await options.getByText('Ben (weekend)').waitFor()
  assert.deepEqual((await options.allInnerTexts()).slice(0, 2), ['Anyone', 'You'])
  await options.getByText('Ben (weekend)').click()
  await page.waitForURL(new RegExp(`who=${id}`))
  await lineOf(page, pet, 'Ben (weekend) renamed').waitFor()
  await lineOf(page, pet, 'added').waitFor({ state: 'detached' })
  await addPet(store.call)
  await store.call(`/v1/pets/${pet}`, { ...patchJson({ name: 'Of Ben again' }), key })
  await page.getByText('Of Ben again').waitFor()
  assert.equal(await page.locator('.sentence').getByText(' added ').count(), 0)
  await page.goto(`${store.address}/console/activity?who=${id}&pet=${pet}`)
  await lineOf(page, pet, 'Of Ben again').waitFor()
  assert.equal(await page.locator('.event').count(), 2)
  await page.goto(`${store.address}/console/activity?who=key_0a1B2c3D4e5F6g7H`)
  await page.getByText('No key has the id key_0a1B2c3D4e5F6g7H.').waitFor()
  assert.equal(await page.getByRole('combobox', { name: 'Person' }).inputValue(), 'key_0a1B…')
})

test('a day is a filter in the URL: that of this browser, also where the clock changes', async () => {
  const other = await startConsole()
  const ids: bigint[] = []
  // 25 October has 25 hours in Berlin: it ends at 23:00 UTC.
  for (const time of ['24T21:50', '24T22:10', '25T22:50', '25T23:10', '27T10:00']) {
    ids.push(await addPet(other.call))
    await endOfFeed(other)
    await other.pool.query('update events set at = $2 where pet_id = $1', [ids.at(-1), `2026-10-${time}:00Z`])
  }
  const [before, first, last, after, today] = ids as [bigint, bigint, bigint, bigint, bigint]
  await using tab = await other.open('/nowhere', { timezoneId: 'Europe/Berlin' })
  const { page } = tab
  await page.clock.setFixedTime(new Date('2026-10-27T12:00:00Z'))
  await page.goto(`${other.address}/console/activity`)
  await lineOf(page, before, 'added').waitFor()
  assert.deepEqual(await page.locator('.day h2').allInnerTexts(), [
    'Today',
    'Yesterday',
    'Sunday 25 October',
    'Saturday 24 October',
  ])
  const shown = async () => (await page.locator('.sentence .id').allInnerTexts()).map((text) => text.trim())
  await page.getByLabel('Day', { exact: true }).fill('2026-10-25')
  await page.waitForURL(/day=2026-10-25/)
  await lineOf(page, before, '').waitFor({ state: 'detached' })
  await lineOf(page, last, 'added').waitFor()
  // From its beginning: the way back to a day has no end.
  await page.getByText('Earliest first').waitFor()
  assert.deepEqual(await shown(), [String(first), String(last)])
  await page.goto(`${other.address}/console/activity?day=2026-10-27`)
  await lineOf(page, today, 'added').waitFor()
  assert.deepEqual(await shown(), [String(today)])
  await page.goto(`${other.address}/console/activity?day=2026-10-26&pet=${after}`)
  await lineOf(page, after, 'added').waitFor()
  await page.goto(`${other.address}/console/activity?day=2026-10-23`)
  await page.getByRole('heading', { name: 'No events' }).waitFor()
})

test('a day that is over takes one request a page, and leads to later ones', async () => {
  const other = await startConsole()
  await insertPets(other.pool, 150, newCategory())
  await endOfFeed(other)
  await other.pool.query(`update events set at = '2026-10-25T10:00Z'`)
  await using tab = await other.open('/nowhere', { timezoneId: 'UTC' })
  const { page } = tab
  await page.clock.setFixedTime(new Date('2026-10-27T12:00:00Z'))
  const requests: string[] = []
  page.on('request', (request) => {
    if (/\/v1\/events\?(?!.*(?:from=now|wait=))/.test(request.url())) requests.push(request.url())
  })
  await holdFeed(page)
  await page.goto(`${other.address}/console/activity?day=2026-10-25`)
  await page.locator('.event').nth(99).waitFor()
  assert.equal(await page.locator('.event').count(), 100)
  assert.equal(requests.length, 1, requests.join('\n'))
  await page.getByRole('button', { name: 'Show later events' }).click()
  await page.locator('.event').nth(149).waitFor()
  assert.equal(requests.length, 2, requests.join('\n'))
})

test('the later pages of a day that is over stay after a long absence', async () => {
  const other = await startConsole({}, store.browser)
  await insertPets(other.pool, 150, newCategory())
  await endOfFeed(other)
  await other.pool.query(`update events set at = '2026-10-25T10:00Z'`)
  await using tab = await other.open('/activity?day=2026-10-25', { timezoneId: 'UTC', isLive: true, hasClock: true })
  const { page } = tab
  const lines = page.locator('.event')
  await lines.nth(99).waitFor()
  await page.getByRole('button', { name: 'Show later events' }).click()
  await lines.nth(149).waitFor()
  await setHidden(page, true)
  await page.clock.fastForward('10:00')
  const read = page.waitForResponse((response) => response.url().includes('from=2026-10-25'))
  await setHidden(page, false)
  await read
  await page.clock.runFor(1_000)
  assert.equal(await lines.count(), 150)
})

test('names are isolated in a sentence, also that of who did it', async () => {
  const { key } = await createTestKey(store.pool, { name: 'بن 1' })
  const pet = await addPet(store.call)
  await store.call(`/v1/pets/${pet}`, { ...patchJson({ name: 'لولو 2' }), key })
  await endOfFeed(store)
  await using tab = await store.open('/activity')
  const sentence = lineOf(tab.page, pet, 'renamed').locator('.sentence')
  await sentence.getByText('بن 1').waitFor()
  const isolated = await sentence
    .locator(':scope > :not(.id)')
    .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).unicodeBidi))
  assert.deepEqual(new Set(isolated), new Set(['isolate']))
  assert.equal(isolated.length, 3)
})

test('Pause holds new events back and counts them; Resume shows them', async () => {
  await using tab = await store.open('/activity', { isLive: true })
  const { page } = tab
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  const pet = await addPet(store.call)
  await page.getByText('Paused · 1 new event').waitFor()
  assert.equal(await lineOf(page, pet, 'added').count(), 0)
  await page.getByRole('button', { name: 'Resume' }).click()
  await lineOf(page, pet, 'added').waitFor()
})

test('the JSON of an event is shown digit for digit', async () => {
  const body = { name: 'Long', categoryId: 9223372036854775807n }
  const { id } = (await store.call('/v1/pets', postJson(body))).body as { id: bigint }
  await endOfFeed(store)
  await using tab = await store.open('/activity')
  const line = lineOf(tab.page, id, 'added')
  await line.getByRole('button', { name: /^JSON/ }).click()
  const text = (await line.locator('pre').textContent()) ?? ''
  assert.match(text, /"categoryId": 9223372036854775807,/)
  const { text: feed } = await store.call(`/v1/events?petId=${id}`)
  // But for the number of its place, which a history does not have.
  const compact = text
    .replace(/\n\s*/g, '')
    .replaceAll('": ', '":')
    .replace(/"sequence":"\d+",/, '')
  assert.equal(`[${compact}]`, feed)
})

test('offline is reported, and what happened meanwhile is there afterwards', async () => {
  await using tab = await store.open('/activity', { isLive: true })
  const { page } = tab
  await page.getByText('Live', { exact: true }).waitFor()
  await goOffline(tab, store.call)
  await page.getByText('Offline').waitFor()
  const pet = await addPet(store.call)
  await tab.context.setOffline(false)
  await lineOf(page, pet, 'added').waitFor()
})

test('after events that the feed no longer has, the newest are read again, and older ones can be', async () => {
  const other = await startConsole()
  const first = await addPet(other.call)
  await endOfFeed(other)
  await using tab = await other.open('/activity', { isLive: true })
  const { page } = tab
  await page.getByText('Live', { exact: true }).waitFor()
  await lineOf(page, first, 'added').waitFor()
  await goOffline(tab, other.call)
  await page.getByText('Offline').waitFor()
  await addPet(other.call)
  await endOfFeed(other)
  const last = await addPet(other.call)
  await endOfFeed(other)
  // As if they had become too old meanwhile.
  await other.pool.query('delete from feed_pages where first < (select max(first) from feed_pages)')
  await tab.context.setOffline(false)
  await lineOf(page, last, 'added').waitFor()
  await lineOf(page, first, 'added').waitFor({ state: 'detached' })
  assert.equal(await page.locator('.events > li').count(), 1)
})

/** The feed begins only when what this returns is called. */
async function holdFeed(page: Page) {
  const begun = Promise.withResolvers<void>()
  await page.route('**/v1/events?*from=now*', (route) => begun.promise.then(() => route.continue()))
  return begun.resolve
}

test('after more events than a page has, the list begins again with the newest, and leads to all older ones', async () => {
  const other = await startConsole()
  const first = await addPet(other.call)
  await endOfFeed(other)
  await using tab = await other.open('/key')
  const { page } = tab
  const begin = await holdFeed(page)
  await page.goto(`${other.address}/console/activity`)
  await lineOf(page, first, 'added').waitFor()
  await insertPets(other.pool, 250, newCategory())
  const last = await addPet(other.call)
  await endOfFeed(other)
  begin()
  await lineOf(page, last, 'added').waitFor()
  const lines = page.locator('.events > li')
  const older = page.getByRole('button', { name: 'Show older events' })
  while ((await older.count()) > 0) {
    const before = await lines.count()
    await older.click()
    await lines.nth(before).waitFor()
  }
  assert.equal(await lines.count(), 252)
  const ids = (await lines.allInnerTexts()).map((text) => / (\d+)$/m.exec(text)?.[1])
  assert.equal(new Set(ids).size, 252)
  assert.equal(ids.at(-1), String(first))
})

test('events that could not be read are read again by themselves', async () => {
  const pet = await addPet(store.call)
  await endOfFeed(store)
  await using tab = await store.open('/key', { hasClock: true })
  const { page } = tab
  const path = '**/v1/events?*sort=newest*'
  await page.route(path, (route) => route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Not now.' } }))
  await page.getByRole('link', { name: 'Activity' }).click()
  const notice = page.getByRole('alert').getByText('Not now.')
  // The client has tried more than once until then.
  for (let seconds = 0; seconds < 20 && (await notice.count()) === 0; seconds++) await page.clock.runFor(1_000)
  await notice.waitFor()
  assert.equal(await page.getByRole('heading', { name: 'No events' }).count(), 0)
  await page.unroute(path)
  await page.clock.runFor(5_000)
  await lineOf(page, pet, 'added').waitFor()
  await notice.waitFor({ state: 'detached' })
})

test('the newest events take one request, however many are older; each page of older ones takes one more', async () => {
  const other = await startConsole()
  const category = newCategory()
  await insertPets(other.pool, 1_300, category)
  const last = await addPet(other.call)
  await endOfFeed(other)
  await using tab = await other.open('/key')
  const { page } = tab
  await holdFeed(page)
  const requests: string[] = []
  page.on('request', (request) => {
    if (/\/v1\/events\?(?!.*from=now)/.test(request.url())) requests.push(request.url())
  })
  await page.goto(`${other.address}/console/activity`)
  await lineOf(page, last, 'added').first().waitFor()
  assert.match((await page.locator('.events > li').first().textContent()) ?? '', new RegExp(` ${last}$`))
  assert.equal(await page.locator('.events > li').count(), 100)
  assert.equal(requests.length, 1, requests.join('\n'))
  await page.getByRole('button', { name: 'Show older events' }).click()
  await page.locator('.events > li').nth(199).waitFor()
  assert.equal(requests.length, 2, requests.join('\n'))
  await choose(page, 'Kind', 'Pet deleted')
  await page.getByRole('heading', { name: 'No events' }).waitFor()
  await page.getByText('New events appear here as they happen.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Show older events' }).count(), 0)
})

test('after ten pages without an event of the type, which are not the last, it says so, and leads to older ones', async () => {
  const pet = await addPet(store.call, 'available')
  orderOf(await calls.place(pet))
  await endOfFeed(store)
  await using tab = await store.open('/key')
  const { page } = tab
  let [pages, most] = [0, 0]
  let isOlder = false
  await page.route('**/v1/events?*sort=newest*', (route) => {
    const url = route.request().url()
    // On a busy machine the list may be read once more when the feed begins.
    pages = url.includes('cursor=') ? pages + 1 : 1
    most = Math.max(most, pages)
    return isOlder
      ? route.continue({ url: url.replace('&cursor=older', '') })
      : route.fulfill({ json: [], headers: { link: '</v1/events?cursor=older>; rel="next"' } })
  })
  await page.goto(`${store.address}/console/activity?type=order.placed`)
  await page.getByText('None found so far.').waitFor()
  assert.equal(most, 10)
  isOlder = true
  await page.getByRole('button', { name: 'Show older events' }).click()
  await lineOf(page, pet, 'reserved').waitFor()
})

test('not connected does not look like live', async () => {
  await using tab = await store.open('/activity', { isLive: true })
  const { page } = tab
  const looks = (text: string) =>
    page.getByText(text, { exact: true }).evaluate((element) => getComputedStyle(element, '::before').backgroundColor)
  await page.getByText('Live', { exact: true }).waitFor()
  assert.notEqual(await looks('Live'), 'rgba(0, 0, 0, 0)')
  await goOffline(tab, store.call)
  await page.getByText('Offline').waitFor()
  assert.equal(await looks('Offline'), 'rgba(0, 0, 0, 0)')
})

test('a key that cannot read events sees why, without an error', async () => {
  const key = await store.createKey({ scopes: ['pets:read'] })
  await using tab = await store.open('/activity', { key })
  await tab.page.getByText('Your key does not have the scope events:read.').waitFor()
})

test('markup in a name stays text, in the line and in the JSON', async () => {
  const markup = '<script>alert(1)</script>'
  const { id } = (await store.call('/v1/pets', postJson({ name: markup, categoryId: 1 }))).body as { id: bigint }
  await using tab = await store.open(`/activity?pet=${id}`)
  const line = lineOf(tab.page, id, 'added')
  await line.getByRole('link', { name: markup }).waitFor()
  await line.getByRole('button', { name: /^JSON/ }).click()
  await line.locator('pre').filter({ hasText: markup }).waitFor()
  assert.equal(await tab.page.locator('main script').count(), 0)
})
