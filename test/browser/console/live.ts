import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { prunePages } from '../../../src/storage/events/pruner.ts'
import { Database } from '../../../src/storage/postgres/database.ts'
import { startConsole } from '../../support/console-browser.ts'
import { goOffline, setHidden } from '../../support/console-feed.ts'
import { insertPets, partsOf, petsOf } from '../../support/console-pets.ts'
import { endOfFeed } from '../../support/events.ts'
import { until } from '../../support/until.ts'

const store = await startConsole()
const pets = petsOf(store)

/** The long polls that a page sends from now on. */
function watchFeed(page: Page) {
  const urls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/v1/events')) urls.push(request.url())
  })
  return urls
}

/** `heard`, in the page, becomes the number of events that another tab has passed on. */
const countHeard = (page: Page) =>
  page.evaluate(`heard = 0
    const { key } = JSON.parse(localStorage.getItem('petstore.session'))
    new BroadcastChannel('petstore.feed.' + key.id).onmessage = ({ data }) => { heard += data.events?.length ?? 0 }`)

test('what happens while a list is read is not lost, although the read does not know of it', async () => {
  const { categoryId, ids } = await pets.addMany(2)
  await using tab = await store.open(`/pets?category=${categoryId}`, { isLive: true })
  const { page } = tab
  const { row, live } = partsOf(page)
  await live()
  await row('Pet 1').waitFor()
  const [read, happened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/v1/pets?*', async (route) => {
    const { pathname, search } = new URL(route.request().url())
    const { text } = await store.call(pathname + search)
    read.resolve()
    await happened.promise
    await route.fulfill({ contentType: 'application/json', body: text })
  })
  await partsOf(page).tab('Available').click()
  await read.promise
  const heard = page.waitForResponse(async (response) => (await response.text()).includes('Added meanwhile'))
  await pets.change(ids[0]!, { name: 'Changed meanwhile' })
  await pets.add('Added meanwhile', { categoryId, status: 'available' })
  await heard
  happened.resolve()
  await row('Changed meanwhile').waitFor()
  await page.getByRole('button', { name: '1 newer pet — show' }).waitFor()
})

test('more pets wait than a page has: a read does not forget them, and beyond a thousand they are not counted', async () => {
  const { categoryId } = await pets.addMany(1)
  await using tab = await store.open(`/pets?category=${categoryId}`, { isLive: true })
  const { page } = tab
  await partsOf(page).live()
  await insertPets(store.pool, 60, categoryId)
  const button = (count: string) => page.getByRole('button', { name: `${count} newer pets — show` })
  await button('60').waitFor()
  await goOffline(tab, store.call)
  await page.getByText('Offline', { exact: true }).waitFor()
  const read = page.waitForResponse((response) => response.url().includes('/v1/pets?') && response.ok())
  await tab.context.setOffline(false)
  // The feed is live with the next response, which waits for an event.
  await pets.add('Elsewhere')
  await read
  await partsOf(page).live()
  await button('60').waitFor()
  await insertPets(store.pool, 950, categoryId)
  await button('1,000+').waitFor()
})

test('one tab listens for all, and when it closes another continues without a gap', async () => {
  const { categoryId, ids } = await pets.addMany(1)
  const path = `/pets?category=${categoryId}`
  await using first = await store.open(path, { isLive: true })
  await partsOf(first.page).live()
  const second = await first.context.newPage()
  const heard = watchFeed(second)
  await second.goto(first.page.url())
  // It gets the state at once, not when the next long poll of the other ends.
  await second.getByText('Live', { exact: true }).waitFor({ timeout: 5_000 })
  await pets.change(ids[0]!, { name: 'Heard by both' })
  await partsOf(second).row('Heard by both').waitFor()
  await partsOf(first.page).row('Heard by both').waitFor()
  assert.equal(heard.length, 0)
  await first.page.close()
  await pets.change(ids[0]!, { name: 'After the first' })
  await partsOf(second).row('After the first').waitFor()
  assert.ok(heard.length > 0)
  assert.ok(
    heard.every((url) => url.includes('cursor=')),
    'it continues where the other was',
  )
})

for (const path of ['/pets', '/orders', '/activity', '/'])
  test(`${path}, open and live, sends nothing but the requests of the feed`, async () => {
    await using tab = await store.open('/nowhere', { isLive: true, hasClock: true })
    const { page } = tab
    const running = new Set<unknown>()
    let sent: string[] = []
    page.on('request', (request) => {
      if (/\/v1\/events\?(?!.*sort=)/.test(request.url())) return
      running.add(request)
      sent.push(request.url())
    })
    page.on('requestfinished', (request) => running.delete(request))
    page.on('requestfailed', (request) => running.delete(request))
    const begun = page.waitForResponse((response) => response.url().includes('from=now'))
    await page.goto(`${store.address}/console${path}`)
    await begun
    // What is read again when the feed has begun, and what that leads to.
    do {
      sent = []
      await page.clock.runFor(200)
      await until(() => running.size === 0)
    } while (sent.length > 0)
    // Less than a request of the feed may take.
    for (let seconds = 0; seconds < 9; seconds++) await page.clock.runFor(1_000)
    assert.deepEqual(sent, [])
  })

test('a tab that nobody sees sends nothing, and is up to date when it is seen again', async () => {
  const { categoryId, ids } = await pets.addMany(1)
  await using tab = await store.open(`/pets?category=${categoryId}`, { isLive: true, hasClock: true })
  const { page } = tab
  await partsOf(page).live()
  await setHidden(page, true)
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  await pets.change(ids[0]!, { name: 'Changed unseen' })
  // Several rounds of polling would be sent in this time.
  for (let seconds = 0; seconds < 5; seconds++) await page.clock.runFor(1_000)
  assert.deepEqual(sent, [])
  await setHidden(page, false)
  await partsOf(page).row('Changed unseen').waitFor()
})

test('a hidden tab sends nothing of what another one hears, and shows it when it is seen', async () => {
  const { categoryId, ids } = await pets.addMany(1)
  await using first = await store.open(`/pets?category=${categoryId}`, { isLive: true, hasClock: true })
  await partsOf(first.page).live()
  for (const path of ['/', `/pets?category=${categoryId}`]) {
    await using second = await store.open(path, { beside: first })
    const { page } = second
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    await setHidden(page, true)
    await countHeard(page)
    const before = second.sent.length
    const name = `Seen by one, ${path.length}`
    await pets.change(ids[0]!, { name })
    await until(() => page.evaluate('heard > 0'))
    // Longer than events are gathered for.
    await page.clock.runFor(1_000)
    assert.deepEqual(second.sent.slice(before), [])
    assert.equal(await page.getByText(name).count(), 0)
    await setHidden(page, false)
    await page.getByText(name).first().waitFor()
  }
})

test('more than a hidden tab can keep is read again when it is seen', async () => {
  const { categoryId } = await pets.addMany(1)
  await using first = await store.open('/key', { isLive: true })
  await using second = await store.open(`/pets?category=${categoryId}`, { beside: first })
  const { page } = second
  await partsOf(page).row('Pet 1').waitFor()
  await setHidden(page, true)
  await countHeard(page)
  await insertPets(store.pool, 1_001, categoryId)
  await until(() => page.evaluate('heard > 1_000'))
  const read = page.waitForRequest((request) => request.url().includes('/v1/pets?'))
  await setHidden(page, false)
  await read
})

test('without events:read the page polls, and sends no request for events', async () => {
  const { categoryId, ids } = await pets.addMany(1)
  const key = await store.createKey({ scopes: ['pets:read'] })
  await using tab = await store.open('/key', { key, hasClock: true })
  const { page } = tab
  const heard = watchFeed(page)
  await page.goto(`${store.address}/console/pets?category=${categoryId}`)
  await page.getByText('Updated while in use').waitFor()
  await pets.change(ids[0]!, { name: 'Found by polling' })
  const found = partsOf(page).row('Found by polling')
  for (let polls = 0; polls < 20 && (await found.count()) === 0; polls++) await page.clock.runFor(5_000)
  await found.waitFor()
  assert.deepEqual(heard, [])
})

test('without events:read an idle page polls less often, and one in use at once', async () => {
  const key = await store.createKey({ scopes: ['pets:read'] })
  await using tab = await store.open('/pets', { key, hasClock: true })
  const { page } = tab
  await page.getByText('Updated while in use').waitFor()
  await page.clock.fastForward('20:00')
  const isList = (url: string) => /\/v1\/pets\?/.test(url)
  const reads = () => tab.sent.filter(isList).length
  const before = reads()
  for (let polls = 0; polls < 20; polls++) await page.clock.runFor(5_100)
  assert.ok(reads() - before <= 2, `${reads() - before} reads`)
  await page.keyboard.press('Shift')
  const read = page.waitForRequest((request) => isList(request.url()))
  for (let polls = 0; polls < 3; polls++) await page.clock.runFor(5_100)
  await read
})

test('offline it says so and backs off; back online it catches up by itself', async () => {
  const { categoryId, ids } = await pets.addMany(1)
  await using tab = await store.open(`/pets?category=${categoryId}`, { isLive: true, hasClock: true })
  const { page } = tab
  await partsOf(page).live()
  const heard = watchFeed(page)
  await goOffline(tab, store.call)
  await page.getByText('Offline', { exact: true }).waitFor()
  for (let tenths = 0; tenths < 30; tenths++) await page.clock.runFor(100)
  assert.ok(heard.length < 12, `${heard.length} attempts in three seconds`)
  await pets.change(ids[0]!, { name: 'Changed while offline' })
  await tab.context.setOffline(false)
  await partsOf(page).row('Changed while offline').waitFor()
  await partsOf(page).live()
})

test('what could not be read while the service was away is read when it is back', async () => {
  await using tab = await store.open('/pets', { isLive: true })
  const { page } = tab
  await partsOf(page).live()
  await goOffline(tab, store.call)
  await page.getByText('Offline', { exact: true }).waitFor()
  await page.getByRole('link', { name: /^Orders/ }).click()
  await page.getByRole('link', { name: 'Sold', exact: true }).click()
  // The last attempt of the client.
  await until(() => tab.sent.filter((url) => url.includes('/orders/count?status=completed')).length === 3)
  await page.getByRole('alert').getByText('The service could not be reached.').waitFor()
  await tab.context.setOffline(false)
  await page.getByText('0 sold', { exact: true }).waitFor()
})

test('a session of which nobody knows whether it has ended is not asked for without a pause', async () => {
  await using tab = await store.open('/key')
  const { page } = tab
  const times: number[] = []
  const enough = Promise.withResolvers<void>()
  await page.route('**/v1/events?*', (route) => {
    if (times.push(performance.now()) === 3) enough.resolve()
    return route.fulfill({ status: 401, json: { code: 'expired_credentials', message: 'x' } })
  })
  await page.route('**/console/session', (route) => route.fulfill({ status: 503 }))
  await enough.promise
  const [first = 0, , third = 0] = times
  assert.ok(third - first > 1_900, `three requests within ${third - first} ms`)
})

test('after a long absence the page reads again instead of every event in between', async () => {
  const { categoryId, ids } = await pets.addMany(1)
  await using tab = await store.open(`/pets?category=${categoryId}`, { isLive: true, hasClock: true })
  const { page } = tab
  await partsOf(page).live()
  await setHidden(page, true)
  await pets.change(ids[0]!, { name: 'Long ago' })
  await page.clock.fastForward('10:00')
  const heard = watchFeed(page)
  await setHidden(page, false)
  await partsOf(page).row('Long ago').waitFor()
  assert.match(heard[0] ?? '', /from=now/)
})

test('events that are no longer kept are not waited for: the page reads again, and goes on from now', async () => {
  const { categoryId, ids } = await pets.addMany(1)
  await using tab = await store.open(`/pets?category=${categoryId}`, { isLive: true })
  const { page } = tab
  await partsOf(page).live()
  await setHidden(page, true)
  for (const name of ['Never heard', 'Last']) {
    await pets.change(ids[0]!, { name })
    await endOfFeed(store)
  }
  // All but the last page of the feed, which always stays.
  await store.pool.query(
    `update feed_pages set at = now() - interval '1 year' where first < (select max(first) from feed_pages)`,
  )
  await using db = new Database(store.url, () => {})
  while (await prunePages(db, 3_600_000));
  const expired = page.waitForResponse((response) => response.status() === 410)
  await setHidden(page, false)
  await expired
  await partsOf(page).row('Last').waitFor()
  await partsOf(page).live()
  await pets.change(ids[0]!, { name: 'From now on' })
  await partsOf(page).row('From now on').waitFor()
})
