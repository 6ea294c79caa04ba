import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { categoryCalls } from '../../support/categories.ts'
import {
  assertAccessible,
  assertFits,
  loseResponse,
  startConsole,
  type TabOptions,
} from '../../support/console-browser.ts'
import { newCategory, partsOf, petsOf, readOf } from '../../support/console-pets.ts'
import { endOfFeed } from '../../support/events.ts'
import { makeDue, type Order, orderCalls, orderOf } from '../../support/orders.ts'

// What a shop does with a pet: sell it, reserve it, and take both back.

const store = await startConsole()
const pets = petsOf(store)
const calls = orderCalls(store.call)
const PLACE = '**/v1/store/orders'
const COMPLETE = '**/v1/store/orders/*/complete'
const HALF = 'The order is placed and holds'

async function stored(name: string, status: string | undefined = 'available') {
  const categoryId = newCategory()
  const id = await pets.add(name, { categoryId, ...(status && { status }) })
  return { id, categoryId, path: `/pets?category=${categoryId}&pet=${id}` }
}

const ordersOf = async (id: bigint) => (await store.call(`/v1/store/orders?petId=${id}`)).body as Order[]

function dealOf(page: Page) {
  const { panel } = partsOf(page)
  const button = (name: string | RegExp) => panel.getByRole('button', { name })
  return {
    openSell: () => panel.getByRole('button', { name: 'Sell', exact: true }).click(),
    openReserve: () => button('Reserve…').click(),
    sell: button(/^Sell ./),
    reserve: button('Reserve until'),
    complete: button('Complete sale'),
    release: button('Release'),
    whom: panel.getByLabel('For whom'),
    reference: panel.getByLabel('Reference, if you have one'),
    form: panel.locator('.float form'),
  }
}

/** At another time than it is. A page that is open would take it for hours without use, and end the session. */
async function openAt(moment: Date, path: string, options: TabOptions = {}) {
  const tab = await store.open('/key', { timezoneId: 'UTC', ...options })
  await tab.page.clock.setFixedTime(moment)
  await tab.page.goto(`${store.address}/console${path}`)
  return tab
}

/** The Idempotency-Keys of the orders that a page places. */
function keysOf(page: Page) {
  const keys: (string | undefined)[] = []
  page.on('request', (request: Request) => {
    if (request.method() === 'POST' && request.url().endsWith('/store/orders'))
      keys.push(request.headers()['idempotency-key'])
  })
  return keys
}

test('Sell places an order and completes it, and taking the sale back leaves the order completed', async () => {
  const { id, path } = await stored('Momo')
  await using tab = await store.open(path, { isLive: true })
  const { panel, toast, state, live } = partsOf(tab.page)
  const { openSell, sell, reference } = dealOf(tab.page)
  await live()
  await openSell()
  await reference.fill('  till 2  ')
  await sell.click()
  await toast.getByText('Taking the sale back makes the pet available again; the order stays completed.').waitFor()
  await state('Sold').waitFor()
  await panel.getByText('This pet is sold, so it can’t be sold or reserved.').waitFor()
  const [order, ...others] = await ordersOf(id)
  assert.deepEqual([order?.status, order?.reference, others.length], ['completed', 'till 2', 0])
  const sold = await pets.read(id)
  await toast.getByRole('button', { name: 'Take the sale back' }).click()
  await toast.getByText('Momo is available again. The order stays completed.').waitFor()
  await state('Available').waitFor()
  const pet = await pets.read(id)
  assert.deepEqual([pet?.status, pet?.version], ['available', sold!.version + 1n])
  assert.equal(orderOf(await calls.get(order!.id)).status, 'completed')
})

test('a sale that somebody has changed since is not taken back', async () => {
  const { id, path } = await stored('Corrected')
  await using tab = await store.open(path, { isLive: true, key: await store.createKey({ name: 'Ann' }) })
  const { panel, toast, live } = partsOf(tab.page)
  const { openSell, sell } = dealOf(tab.page)
  await live()
  await openSell()
  await sell.click()
  const undo = toast.getByRole('button', { name: 'Take the sale back' })
  await undo.waitFor()
  await pets.change(id, { name: 'Corrected twice' })
  await undo.click()
  await panel.getByText('Not undone: test changed the pet after that.').waitFor()
  assert.equal((await pets.read(id))?.status, 'sold')
})

for (const [how, options] of [
  ['with the feed', { isLive: true }],
  ['without it', {}],
] as const)
  test(`Sell and Reserve that are pressed twice place one order, ${how}`, async () => {
    const scopes = ['pets:read', 'orders:read', 'orders:write'] as const
    const key = options.isLive ? store.key : await store.createKey({ scopes: [...scopes] })
    for (const kind of ['sell', 'reserve'] as const) {
      const { id, path } = await stored('Wanted')
      await using tab = await store.open(path, { ...options, key })
      const { state } = partsOf(tab.page)
      const deal = dealOf(tab.page)
      await (kind === 'sell' ? deal.openSell() : deal.openReserve())
      await deal[kind].dblclick()
      await state(kind === 'sell' ? 'Sold' : 'Held').waitFor()
      await deal.form.waitFor({ state: 'detached' })
      assert.equal((await ordersOf(id)).length, 1)
    }
  })

test('a reservation whose response is lost is one order, however often it is sent', async () => {
  const { id, path } = await stored('Lost once')
  await using tab = await store.open(path, { isLive: true })
  const keys = keysOf(tab.page)
  const { toast, state } = partsOf(tab.page)
  const { openReserve, reserve } = dealOf(tab.page)
  await openReserve()
  await tab.page.route(PLACE, loseResponse, { times: 1 })
  await reserve.click()
  await toast.getByText('Lost once is reserved until').waitFor()
  await state('Held').waitFor()
  assert.equal((await ordersOf(id)).length, 1)
  assert.equal(keys.length, 2)
  assert.equal(new Set(keys).size, 1)
})

test('a sale of which every response to the order is lost says so, and can be completed', async () => {
  const { id, path } = await stored('Lost order')
  await using tab = await store.open(path, { isLive: true })
  const { panel, state } = partsOf(tab.page)
  const { openSell, sell, complete } = dealOf(tab.page)
  await openSell()
  await tab.page.route(PLACE, loseResponse)
  await sell.click()
  await panel.getByText('The connection was lost for a moment. What you see now is what is stored.').waitFor()
  await state('Held').waitFor()
  await complete.click()
  await state('Sold').waitFor()
  const all = await ordersOf(id)
  assert.deepEqual(
    all.map(({ status }) => status),
    ['completed'],
  )
})

test('a sale that fails before its order is stored is sent again with the same key', async () => {
  const { id, path } = await stored('Not placed')
  await using tab = await store.open(path)
  const keys = keysOf(tab.page)
  const { state } = partsOf(tab.page)
  const { openSell, sell, reference, form } = dealOf(tab.page)
  await openSell()
  await reference.fill('web-1')
  await tab.page.route('**/v1/**', (route) => route.abort())
  await sell.click()
  await form.getByText('The service could not be reached.').waitFor()
  assert.equal(await reference.inputValue(), 'web-1')
  await tab.page.unroute('**/v1/**')
  await sell.click()
  await state('Sold').waitFor()
  assert.equal(new Set(keys).size, 1)
  const [order, ...others] = await ordersOf(id)
  assert.deepEqual([order?.reference, order?.status, others.length], ['web-1', 'completed', 0])
})

test('a sale that can’t be completed leaves its order, and says so', async () => {
  const { id, path } = await stored('Half')
  await using tab = await store.open(path, { isLive: true })
  const { panel, state, toast } = partsOf(tab.page)
  const { openSell, sell, complete, form } = dealOf(tab.page)
  await openSell()
  await tab.page.route(COMPLETE, (route) =>
    route.fulfill({ status: 500, json: { code: 'internal_error', message: 'It failed.' } }),
  )
  await sell.click()
  await panel.getByText(`${HALF} Half, but the sale is not complete. It failed.`).waitFor()
  await state('Held').waitFor()
  assert.equal(await form.count(), 0)
  assert.equal(await toast.count(), 0)
  assert.equal((await pets.read(id))?.status, 'pending')
  await tab.page.unroute(COMPLETE)
  await complete.click()
  await toast.getByText('Half is sold.').waitFor()
  assert.deepEqual(
    (await ordersOf(id)).map(({ status }) => status),
    ['completed'],
  )
})

test('a sale whose order was cancelled in between says so, and is a new one when it is sent again', async () => {
  const { id, path } = await stored('Crossed')
  await using tab = await store.open(path, { isLive: true })
  const { state } = partsOf(tab.page)
  const { openSell, sell, form } = dealOf(tab.page)
  await openSell()
  await tab.page.route(
    COMPLETE,
    async (route) => {
      await calls.cancel((await ordersOf(id))[0]?.id ?? '')
      await route.continue()
    },
    { times: 1 },
  )
  await sell.click()
  await form.getByText('cancelled').waitFor()
  assert.equal(await form.getByText(HALF).count(), 0)
  await sell.click()
  await state('Sold').waitFor()
  assert.deepEqual((await ordersOf(id)).map(({ status }) => status).toSorted(), ['cancelled', 'completed'])
})

test('a sale whose order is placed when the network goes is completed by the same form', async () => {
  const { id, path } = await stored('Cut off')
  const key = await store.createKey({ scopes: ['pets:read', 'orders:read', 'orders:write'] })
  await using tab = await store.open(path, { key })
  const { state } = partsOf(tab.page)
  const { openSell, sell, form } = dealOf(tab.page)
  await openSell()
  await tab.page.route(COMPLETE, (route) => route.abort())
  await tab.page.route('**/v1/pets?*', (route) => route.abort())
  await sell.click()
  await form.getByText('Whether the sale is complete is not known yet. The service could not be reached.').waitFor()
  await tab.page.unroute(COMPLETE)
  await tab.page.unroute('**/v1/pets?*')
  await sell.click()
  await state('Sold').waitFor()
  assert.deepEqual(
    (await ordersOf(id)).map(({ status }) => status),
    ['completed'],
  )
})

for (const from of ['Sell', 'Complete sale'] as const)
  test(`${from}: a completion whose every response is lost is a sale`, async () => {
    const { id, path } = await stored('Done')
    if (from === 'Complete sale') await pets.reserve(id)
    await using tab = await store.open(path, { isLive: true })
    const { toast, state } = partsOf(tab.page)
    const { openSell, sell, complete } = dealOf(tab.page)
    await tab.page.route(COMPLETE, loseResponse)
    if (from === 'Sell') await openSell()
    await (from === 'Sell' ? sell : complete).click()
    await toast.getByText('Done is sold.').waitFor()
    await toast.getByRole('button', { name: 'Take the sale back' }).waitFor()
    await state('Sold').waitFor()
    assert.deepEqual(
      (await ordersOf(id)).map(({ status }) => status),
      ['completed'],
    )
  })

test('a reservation shows the pet as its event brings it, and does not read it again', async () => {
  const { id, path } = await stored('Brought')
  await using tab = await store.open(path, { isLive: true, hasClock: true })
  const { live, state } = partsOf(tab.page)
  const { openReserve, reserve } = dealOf(tab.page)
  await live()
  const reads = () => tab.sent.filter((url) => readOf(id).test(url)).length
  // What happened before the feed began is read once more.
  while (reads() < 2) await tab.page.clock.runFor(100)
  await openReserve()
  await reserve.click()
  await state('Held').waitFor()
  assert.equal(reads(), 2)
})

test('a reservation is made, also if the pet can’t be read after it', async () => {
  const { id, path } = await stored('Unread')
  // With no events that would bring it.
  await using tab = await store.open(path, { key: await store.createKey({ scopes: ['pets:read', 'orders:write'] }) })
  const { panel, toast } = partsOf(tab.page)
  const { openReserve, reserve } = dealOf(tab.page)
  await openReserve()
  await tab.page.route(readOf(id), (route) =>
    route.fulfill({ status: 500, json: { code: 'internal_error', message: 'It failed.', status: 500 } }),
  )
  await reserve.click()
  await toast.getByText('Unread is reserved until').waitFor()
  await panel.getByText('The pet could not be read again').waitFor()
  assert.ok((await pets.read(id))?.orderId)
})

test('the loser of a race for a pet sees for whom and by whom it is held', async () => {
  const { id, path } = await stored('Only one')
  await using tab = await store.open(path, { key: await store.createKey({ name: 'Ann' }) })
  const { panel } = partsOf(tab.page)
  const { openSell, sell } = dealOf(tab.page)
  await openSell()
  await tab.page.route(PLACE, async (route) => {
    await pets.reserve(id, { reference: 'Mrs. Okafor' })
    await route.continue()
  })
  await sell.click()
  await panel.getByText('An order already holds Only one.').waitFor()
  await panel.getByRole('link', { name: 'Mrs. Okafor' }).waitFor()
  await panel.locator('.hold-box .who').getByText('test').waitFor()
})

test('Reserve holds for 15 minutes, an hour, until closing or any other time, and its button says until when', async () => {
  const { id, path } = await stored('Held')
  await using tab = await openAt(new Date('2030-03-15T15:30:10Z'), path)
  const { page } = tab
  const { openReserve, reserve, whom, form } = dealOf(page)
  await openReserve()
  const says = (until: string) => form.getByRole('button', { name: `Reserve until ${until}`, exact: true }).waitFor()
  await says('15:45')
  await page.getByRole('radio', { name: '1 hour' }).check()
  await says('16:30')
  await page.getByRole('radio', { name: 'Other…' }).check()
  await says('16 Mar, 18:00')
  await form.getByLabel('Until', { exact: true }).fill('2031-01-01T10:00')
  await reserve.click()
  await form.getByText('Choose a time in the next 30 days.').waitFor()
  await form.getByLabel('Until', { exact: true }).fill('2030-03-20T10:00')
  await says('20 Mar, 10:00')
  await page.getByRole('radio', { name: 'Until closing' }).check()
  await says('18:00')
  await whom.fill('Mrs. Sánchez')
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await reserve.click()
  const { reference, expiresIn } = JSON.parse((await sent).postData() ?? '') as Record<string, unknown>
  assert.deepEqual([reference, expiresIn], ['Mrs. Sánchez', 2 * 3600 + 29 * 60 + 50])
  await partsOf(page).state('Held').waitFor()
  assert.equal((await ordersOf(id)).length, 1)
})

test('the shop closes when its session says so, and then nothing is held until closing', async () => {
  const { path } = await stored('Late')
  await using tab = await openAt(new Date('2030-03-15T20:00:00Z'), '/key')
  const { page } = tab
  await page.route('**/console/session', async (route) => {
    const response = await route.fetch({ headers: { ...route.request().headers(), 'sec-fetch-site': 'same-origin' } })
    await route.fulfill({ response, json: { ...((await response.json()) as object), closingTime: '20:15' } })
  })
  await page.goto(`${store.address}/console${path}`)
  const { openReserve, form } = dealOf(page)
  await openReserve()
  await page.getByRole('radio', { name: 'Until closing' }).check()
  await form.getByRole('button', { name: 'Reserve until 20:15' }).waitFor()
  await page.keyboard.press('Escape')
  await page.clock.setFixedTime(new Date('2030-03-15T20:15:00Z'))
  await openReserve()
  await form.getByRole('radio').first().waitFor()
  assert.equal(await page.getByRole('radio', { name: 'Until closing' }).count(), 0)
})

test('a held pet says for whom, by whom and how long, and is released after a question', async () => {
  const { id, path } = await stored('Kept')
  await pets.reserve(id, { reference: 'Mrs. Sánchez', expiresIn: 9_000 })
  await using tab = await store.open(path, { isLive: true, key: await store.createKey({ name: 'Ann' }) })
  const { page } = tab
  const { panel, toast, state } = partsOf(page)
  const { release, openSell } = dealOf(page)
  const box = panel.locator('.hold-box')
  await box.getByRole('link', { name: 'Mrs. Sánchez' }).waitFor()
  await box.getByText(/^2 h (29|30) min$/).waitFor()
  await box.locator('.who').getByText('test').waitFor()
  await release.click()
  const dialog = page.getByRole('dialog', { name: 'Release Kept?' })
  await dialog.getByRole('button', { name: 'Keep order' }).click()
  assert.equal((await ordersOf(id))[0]?.status, 'placed')
  await release.click()
  await dialog.getByRole('button', { name: 'Release pet' }).click()
  await toast.getByText('Kept is available again.').waitFor()
  await state('Available').waitFor()
  assert.equal((await ordersOf(id))[0]?.status, 'cancelled')
  await panel.getByText('You released it, held for Mrs. Sánchez').waitFor()
  await openSell()
})

test('what was asked about one order is not done to the next one of the pet', async () => {
  const { id, path } = await stored('Passed on')
  const first = await pets.reserve(id)
  await using tab = await store.open(path, { isLive: true })
  const { page } = tab
  const { panel, live } = partsOf(page)
  await live()
  await dealOf(page).release.click()
  const dialog = page.getByRole('dialog', { name: 'Release Passed on?' })
  await dialog.waitFor()
  // What happens while no request waits for it comes in one response.
  const waited = page.waitForRequest(/\/v1\/events\?.*wait=/)
  const released = Promise.withResolvers<void>()
  await page.route(/\/v1\/events\?.*wait=/, async (route) => {
    await released.promise
    await route.continue()
  })
  await pets.add('Ends the request that waits')
  await waited
  await calls.cancel(first)
  const second = await pets.reserve(id, { reference: 'Mrs. Okafor' })
  await endOfFeed(store)
  released.resolve()
  await panel.getByRole('link', { name: 'Mrs. Okafor' }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(orderOf(await calls.get(second)).status, 'placed')
})

test('Enter that is held down opens the form of a sale, and sells nothing', async () => {
  const { id, path } = await stored('Leaned on')
  await using tab = await store.open(path, { isLive: true })
  const { page } = tab
  const { panel, live, toast } = partsOf(page)
  const { form, reference } = dealOf(page)
  await live()
  await panel.getByRole('button', { name: 'Sell', exact: true }).focus()
  await page.keyboard.down('Enter')
  await form.waitFor()
  await reference.and(page.locator(':focus')).waitFor()
  for (let n = 0; n < 5; n++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await form.waitFor()
  assert.deepEqual(await ordersOf(id), [])
  await page.keyboard.press('Enter')
  await toast.getByText('Leaned on is sold.').waitFor()
  // Nor does a key that is held take back more than the last change.
  await panel.getByLabel('Name').fill('Renamed')
  await page.keyboard.press('Enter')
  await toast.getByText('Leaned on is now called Renamed.').waitFor()
  await panel.getByRole('heading').first().focus()
  await page.keyboard.down('Control')
  for (let n = 0; n < 5; n++) await page.keyboard.down('z')
  await page.keyboard.up('z')
  await page.keyboard.up('Control')
  await toast.getByText('Leaned on is as it was.').waitFor()
  assert.equal((await pets.read(id))?.status, 'sold')
})

test('what the buttons of a sale do is said before they are pressed', async () => {
  const { id, path } = await stored('Said')
  await using tab = await store.open(path, { isLive: true })
  const { panel, live } = partsOf(tab.page)
  const { openSell, form } = dealOf(tab.page)
  await live()
  const described = (name: string, description: string) =>
    panel.getByRole('button', { name, exact: true, description }).waitFor()
  await described('Sell', 'Places an order and completes it: the pet is sold.')
  await described('Reserve…', 'Holds the pet for a customer until a time that you choose.')
  await openSell()
  await form.getByText('Places an order and completes it: the pet is sold.').waitFor()
  await pets.reserve(id)
  await described('Complete sale', 'Completes the order: the pet is sold.')
  await described('Release', 'Ends the order: the pet becomes available. Asks first.')
})

test('a reservation counts down, and when its time is up the pet can be sold again', async () => {
  const { id, path } = await stored('Expiring')
  const order = await pets.reserve(id, { expiresIn: 200 })
  await using tab = await store.open(path, { isLive: true })
  const { panel, state, live } = partsOf(tab.page)
  const { complete, openSell } = dealOf(tab.page)
  await live()
  const left = panel.locator('.left.soon')
  await left.waitFor()
  const first = await left.innerText()
  assert.match(first, /^3:\d\d$/)
  await left.filter({ hasNotText: first }).waitFor()
  await complete.focus()
  await makeDue(store.pool, [order])
  await state('Available').waitFor()
  await panel.getByText('The reservation of it ended').waitFor()
  await panel.locator('h2:focus').waitFor()
  await openSell()
})

test('a form that is open closes when another person takes the pet', async () => {
  const { id, path } = await stored('Taken')
  await using tab = await store.open(path, { isLive: true })
  const { live, state } = partsOf(tab.page)
  const { openReserve, form } = dealOf(tab.page)
  await live()
  await openReserve()
  const order = await pets.reserve(id)
  await state('Held').waitFor()
  await form.waitFor({ state: 'detached' })
  await calls.cancel(order)
  await state('Available').waitFor()
  assert.equal(await form.count(), 0, 'and does not open by itself')
})

for (const [status, why] of [
  ['', 'This pet has no status'],
  ['pending', 'This pet is pending without an order'],
] as const)
  test(`a pet that is ${status || 'without a status'} says why it can’t be sold, and can be made available`, async () => {
    const { id, path } = await stored('Aside', status)
    await using tab = await store.open(path)
    const { panel, toast, state } = partsOf(tab.page)
    await panel.getByText(why).waitFor()
    await panel.getByRole('button', { name: 'Make available' }).click()
    await toast.getByText('Aside is now available.').waitFor()
    await state('Available').waitFor()
    assert.equal((await pets.read(id))?.status, 'available')
  })

test('the forms and the menu have no faults of accessibility, and targets for a thumb', async () => {
  const { path } = await stored('Thumb')
  const { id, path: heldPath } = await stored('Thumb too')
  await pets.reserve(id, { reference: 'web-4309' })
  for (const width of [1440, 390]) {
    await using tab = await store.open(path, { width, height: 844, isLive: true })
    const { page } = tab
    const { panel } = partsOf(page)
    const { openSell, openReserve, form } = dealOf(page)
    const check = async () => {
      await assertAccessible(page)
      await assertFits(page)
      if (width > 390) return
      const all = '.panel :is(button, input:not([type=radio]), a, .lengths label, [role=menuitem])'
      const small = await page
        .locator(all)
        .evaluateAll((elements) =>
          elements
            .filter(
              (one) => one.checkVisibility() && !one.closest('.history') && one.getBoundingClientRect().height < 44,
            )
            .map((one) => one.outerHTML),
        )
      assert.deepEqual(small, [])
    }
    await openSell()
    await check()
    await page.keyboard.press('Escape')
    await openReserve()
    await page.getByRole('radio', { name: 'Other…' }).check()
    await form.getByLabel('Until', { exact: true }).waitFor()
    await check()
    await page.goto(`${store.address}/console${heldPath}`)
    await panel.getByRole('link', { name: 'web-4309' }).waitFor()
    await panel.locator('[aria-haspopup=menu]').click()
    await page.getByRole('menuitem', { name: 'Show order' }).waitFor()
    await check()
  }
})

/** Clicks and fields, as a person needs them. */
function counted(page: Page) {
  let steps = 0
  return {
    click: async (name: string | RegExp, role: 'button' | 'link' | 'radio' = 'button') => {
      steps++
      await page
        .getByRole(role, { name, exact: typeof name === 'string' })
        .first()
        .click()
    },
    type: async (field: string, text: string) => {
      steps++
      await page.getByLabel(field).first().fill(text)
    },
    steps: () => steps,
  }
}

for (const width of [1440, 390])
  test(`at ${width} pixels, staff sell a pet in 4 steps, reserve one until closing in 5, and read who renamed it in 2`, async () => {
    const key = await store.createKey({
      name: 'Staff',
      scopes: ['pets:read', 'pets:edit', 'orders:read', 'orders:write', 'events:read'],
    })
    const { id, categoryId } = await stored('Mo')
    await pets.change(id, { name: 'Momo' })
    const cat = await pets.add('Tiger', { categoryId, status: 'available' })
    const list = `/pets?category=${categoryId}`
    const options = { key, width, height: 844, isLive: true }
    {
      await using tab = await store.open(list, options)
      const { click, steps } = counted(tab.page)
      const { panel, toast } = partsOf(tab.page)
      await click('Momo', 'link')
      await panel.getByText('test renamed Mo to Momo').waitFor()
      assert.equal(steps(), 1)
      await click('Sell')
      await click('Sell Momo')
      await toast.getByText('Momo is sold.').waitFor()
      assert.equal(steps(), 3)
    }
    await using tab = await openAt(new Date('2030-03-15T12:00:00Z'), list, options)
    const { click, type, steps } = counted(tab.page)
    const { panel } = partsOf(tab.page)
    await click('Tiger', 'link')
    await click('Reserve…')
    await type('For whom', 'Mrs. Sánchez')
    await click('Until closing', 'radio')
    await click('Reserve until 18:00')
    await panel.getByRole('link', { name: 'Mrs. Sánchez' }).waitFor()
    assert.equal(steps(), 5)
    const [order] = await ordersOf(cat)
    const seconds = (Date.parse(order?.expiresAt ?? '') - Date.parse(order?.placedAt ?? '')) / 1_000
    assert.deepEqual([order?.reference, seconds], ['Mrs. Sánchez', 6 * 3_600])
  })

test('a category is corrected and taken back with the keyboard only', async () => {
  const { id, categoryId } = await stored('Keyboard')
  await categoryCalls(store.call).put(8n, 'Hamsters')
  await using tab = await store.open(`/pets?category=${categoryId}`, { isLive: true })
  const { page } = tab
  const { panel, toast, focused } = partsOf(page)
  await partsOf(page).link('Keyboard').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await panel.getByRole('heading', { name: 'Keyboard' }).waitFor()
  const hasFocus = () => page.evaluate(`document.activeElement.matches('.panel [role=combobox]')`)
  for (let n = 0; n < 10 && !(await hasFocus()); n++) await page.keyboard.press('Tab')
  await page.keyboard.type('ham')
  await page.keyboard.press('Enter')
  await toast.getByText('Keyboard is now in Hamsters.').waitFor()
  assert.equal((await pets.read(id))?.categoryId, 8n)
  await page.keyboard.press('Control+z')
  await toast.getByText('Keyboard is as it was.').waitFor()
  assert.equal((await pets.read(id))?.categoryId, categoryId)
  assert.equal(await focused(), '')
})
