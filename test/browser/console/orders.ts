import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import { patchJson } from '../../support/app.ts'
import { loseResponse, startConsole } from '../../support/console-browser.ts'
import { addPet } from '../../support/events.ts'
import { makeDue, orderCalls, orderOf, orderRow } from '../../support/orders.ts'

const store = await startConsole()
const calls = orderCalls(store.call)

/** A pet of its own, and an open order for it. */
async function placeOrder(more: object = {}, { call } = store) {
  return orderOf(await orderCalls(call).place(await addPet(call, 'available'), more))
}

test('the tabs are links, each with the orders of one status', async () => {
  const [placed, completed, cancelled] = [await placeOrder(), await placeOrder(), await placeOrder()]
  await calls.complete(completed.id)
  await calls.cancel(cancelled.id)
  await using tab = await store.open('/orders')
  const { page } = tab
  await orderRow(page, placed.id).waitFor()
  assert.equal(await orderRow(page, completed.id).count(), 0)
  await page.getByRole('link', { name: 'Sold', exact: true }).click()
  await orderRow(page, completed.id).waitFor()
  assert.match(page.url(), /status=completed/)
  assert.equal(await orderRow(page, placed.id).count(), 0)
  await page.getByRole('link', { name: 'Released', exact: true }).click()
  await orderRow(page, cancelled.id).waitFor()
  await page.goBack()
  await orderRow(page, completed.id).waitFor()
})

test('an empty tab says so, and how an order is placed', async () => {
  await using tab = await store.open('/orders?pet=123456')
  await tab.page.getByRole('heading', { name: 'No orders for this pet' }).waitFor()
})

test('an order has an address, shows its pet by name, and closes with Escape, which gives the focus back', async () => {
  const order = await placeOrder({ reference: 'basket-4711' })
  await using tab = await store.open('/orders')
  const { page } = tab
  await orderRow(page, order.id).getByRole('link').click()
  const pane = page.getByRole('complementary', { name: 'Order' })
  await pane.getByText('basket-4711').waitFor()
  await pane.getByRole('link', { name: 'Rex', exact: true }).waitFor()
  assert.match(page.url(), new RegExp(`order=${order.id}`))
  await page.keyboard.press('Escape')
  await pane.waitFor({ state: 'detached' })
  await orderRow(page, order.id).locator(':focus').waitFor()
  await page.goto(`${store.address}/console/orders?order=${order.id}`)
  await pane.getByText('basket-4711').waitFor()
})

test('an open order is read again after its own events and those of its pet, and after no others', async () => {
  const order = await placeOrder()
  const other = await addPet(store.call)
  await using tab = await store.open(`/orders?order=${order.id}`, { isLive: true, hasClock: true })
  const { page } = tab
  const pane = page.getByRole('complementary', { name: 'Order' })
  await pane.getByRole('link', { name: 'Rex', exact: true }).waitFor()
  const reads = () => tab.sent.filter((url) => url.endsWith(`/v1/store/orders/${order.id}`)).length
  // What happened before the feed began is read once more.
  while (reads() < 2) await page.clock.runFor(100)
  const heard = page.waitForRequest((request) => request.url().includes('/v1/events?'))
  await store.call(`/v1/pets/${other}`, patchJson({ name: 'Somebody else’s' }))
  await heard
  await page.clock.runFor(500)
  assert.equal(reads(), 2)
  await store.call(`/v1/pets/${order.petId}`, patchJson({ name: 'Renamed' }))
  await pane.getByRole('link', { name: 'Renamed', exact: true }).waitFor()
  assert.equal(orderOf(await calls.complete(order.id)).status, 'completed')
  await pane.locator('.summary').getByText('Sold').waitFor()
})

test('completing an order offline says so only until the network is back', async () => {
  const order = await placeOrder()
  await using tab = await store.open(`/orders?order=${order.id}`)
  const pane = tab.page.getByRole('complementary', { name: 'Order' })
  await pane.getByRole('link', { name: 'Rex', exact: true }).waitFor()
  const unreachable = pane.getByText('The service could not be reached.').first()
  await tab.context.setOffline(true)
  await pane.getByRole('button', { name: 'Complete' }).click()
  await unreachable.waitFor()
  await pane.getByRole('button', { name: 'Try again' }).waitFor()
  await tab.context.setOffline(false)
  await unreachable.waitFor({ state: 'detached' })
  await pane.getByRole('button', { name: 'Complete' }).waitFor()
})

test('an order whose completion was not answered is sold, and one whose release was not answered says what is stored', async () => {
  const [order, other] = [await placeOrder(), await placeOrder()]
  await using tab = await store.open(`/orders?order=${order.id}`)
  const pane = tab.page.getByRole('complementary', { name: 'Order' })
  await tab.page.route(/\/(?:complete|cancel)$/, loseResponse)
  await pane.getByRole('button', { name: 'Complete' }).click()
  await tab.page.getByRole('button', { name: 'Take the sale back' }).waitFor()
  await pane.locator('.summary').getByText('Sold').waitFor()
  await orderRow(tab.page, other.id).getByRole('link').click()
  await pane.getByRole('button', { name: 'Release' }).click()
  await tab.page.getByRole('dialog').getByRole('button', { name: 'Release pet' }).click()
  await pane.getByText('The connection was lost for a moment. What you see now is what is stored.').waitFor()
  await pane.locator('.summary').getByText('Released').waitFor()
  assert.equal(await pane.getByText('The service could not be reached.').count(), 0)
})

test('orders that never stop coming don’t keep the list from being read', async () => {
  await using tab = await store.open('/orders', { isLive: true })
  const { page } = tab
  // A read takes as long as 25 orders: they come faster than events are gathered for.
  const waiting: { route: Route; until: number }[] = []
  await page.route('**/v1/store/orders?*', (route) => void waiting.push({ route, until: placed + 25 }))
  const newer = page.getByRole('button', { name: /newer orders?/ })
  let placed = 0
  while (!(await newer.isVisible())) {
    assert.ok(placed++ < 200, 'no read gets to its end')
    await placeOrder()
    if (placed >= (waiting[0]?.until ?? Infinity)) await waiting.shift()?.route.fallback()
  }
})

test('the pet of an order leads to the pet panel', async () => {
  const order = await placeOrder()
  await using tab = await store.open(`/orders?order=${order.id}`)
  await tab.page.getByRole('complementary').getByRole('link', { name: 'Rex', exact: true }).click()
  await tab.page.waitForURL(`**/console/pets?pet=${order.petId}`)
})

test('Complete sells the pet without a question', async () => {
  const order = await placeOrder()
  await using tab = await store.open(`/orders?order=${order.id}`)
  const { page } = tab
  await page.getByRole('button', { name: 'Complete' }).click()
  await page.getByText('Rex is sold.').waitFor()
  await page.getByRole('button', { name: 'Complete' }).waitFor({ state: 'detached' })
  assert.equal(orderOf(await calls.get(order.id)).status, 'completed')
})

test('Release asks first, and keeping the order changes nothing', async () => {
  const order = await placeOrder()
  await using tab = await store.open(`/orders?order=${order.id}`)
  const { page } = tab
  const question = page.getByRole('dialog', { name: 'Release Rex?' })
  await page.getByRole('button', { name: 'Release' }).click()
  await question.getByText('Rex becomes available to everyone, and the order ends.').waitFor()
  await question.getByRole('button', { name: 'Keep order' }).click()
  await question.waitFor({ state: 'detached' })
  assert.equal(orderOf(await calls.get(order.id)).status, 'placed')
  await page.getByRole('button', { name: 'Release' }).click()
  await question.getByRole('button', { name: 'Release pet' }).click()
  await page.getByText('Rex is available again.').waitFor()
  assert.equal(orderOf(await calls.get(order.id)).status, 'cancelled')
})

test('the time left counts down', async () => {
  const order = await placeOrder({ expiresIn: 299 })
  await using tab = await store.open(`/orders?order=${order.id}`)
  const left = tab.page.getByRole('complementary').locator('.left')
  const first = await left.textContent()
  assert.match(first ?? '', /^4:\d\d$/)
  await left.filter({ hasNotText: first ?? '' }).waitFor()
})

test('an order that expires while it is open changes in place', async () => {
  const order = await placeOrder()
  await using tab = await store.open(`/orders?order=${order.id}`)
  const pane = tab.page.getByRole('complementary')
  await pane.locator('.summary').getByText('Open').waitFor()
  await makeDue(store.pool, [order.id])
  await pane.locator('.summary').getByText('Expired').waitFor()
  assert.equal(await pane.getByRole('button', { name: 'Complete' }).count(), 0)
})

test('of two browsers that race for an order, the loser reads how it ended', async () => {
  const order = await placeOrder()
  await using one = await store.open(`/orders?order=${order.id}`)
  await using other = await store.open(`/orders?order=${order.id}`)
  await one.page.getByRole('button', { name: 'Complete' }).waitFor()
  // Neither hears of the other before it has clicked.
  await other.page.getByRole('button', { name: 'Release' }).click()
  await Promise.all([
    one.page.getByRole('button', { name: 'Complete' }).click(),
    other.page.getByRole('dialog').getByRole('button', { name: 'Release pet' }).click(),
  ])
  const lost = [one, other].map(({ page }) =>
    page
      .getByText(new RegExp(`The order ${order.id} cannot be (?:completed|cancelled): it was (?:completed|cancelled)`))
      .waitFor()
      .then(() => page),
  )
  const loser = await Promise.any(lost)
  const { status } = orderOf(await calls.get(order.id))
  await loser
    .getByRole('complementary')
    .locator('.summary')
    .getByText(status === 'completed' ? 'Sold' : 'Released')
    .waitFor()
  await loser.getByText(/Request-Id/).waitFor()
})

test('a closed order says which order holds its pet now', async () => {
  const first = await placeOrder()
  await calls.cancel(first.id)
  const second = orderOf(await calls.place(first.petId))
  await using tab = await store.open(`/orders?order=${first.id}`)
  await tab.page.getByText('Now reserved by order').getByRole('link', { name: second.id }).click()
  await tab.page.getByRole('button', { name: 'Complete' }).waitFor()
})

test('new orders wait until they are asked for, and a closed one stays where it is', async () => {
  const order = await placeOrder()
  await using tab = await store.open('/orders', { isLive: true })
  const { page } = tab
  const row = orderRow(page, order.id)
  await row.waitFor()
  const next = await placeOrder()
  await page.getByRole('button', { name: '1 newer order — show' }).waitFor()
  assert.equal(await orderRow(page, next.id).count(), 0)
  await calls.complete(order.id)
  await row.getByText('Sold').waitFor()
  await page.getByRole('button', { name: '1 newer order — show' }).click()
  await orderRow(page, next.id).waitFor()
})

test('the last row changes in place too when its order ends', async () => {
  const other = await startConsole({}, store.browser)
  const otherCalls = orderCalls(other.call)
  const [last, first] = [await placeOrder({}, other), await placeOrder({}, other)]
  await using tab = await other.open('/orders')
  const row = (id: string) => orderRow(tab.page, id)
  await row(last.id).waitFor()
  await otherCalls.complete(last.id)
  await row(last.id).getByText('Sold').waitFor()
  await row(first.id).locator('.left').waitFor()
})

test('an older order that moves up to the page is not a newer one', async () => {
  const other = await startConsole({}, store.browser)
  const otherCalls = orderCalls(other.call)
  for (let i = 0; i < 51; i++) await placeOrder({}, other)
  // The soonest end is first.
  const first = await placeOrder({ expiresIn: 600 }, other)
  await using tab = await other.open('/orders')
  const { page } = tab
  const row = orderRow(page, first.id)
  await row.waitFor()
  await otherCalls.complete(first.id)
  await row.getByText('Sold').waitFor()
  assert.equal(await page.getByRole('button', { name: /newer/ }).count(), 0)
  await placeOrder({ expiresIn: 600 }, other)
  await page.getByRole('button', { name: '1 newer order — show' }).waitFor()
})

test('an order that ends is offered below the others too, if that is its place', async () => {
  const other = await startConsole({}, store.browser)
  const otherCalls = orderCalls(other.call)
  const [last, first] = [await placeOrder({}, other), await placeOrder({}, other)]
  await otherCalls.complete(first.id)
  await using tab = await other.open('/orders?status=completed')
  const { page } = tab
  await orderRow(page, first.id).waitFor()
  await otherCalls.complete(last.id)
  await page.getByRole('button', { name: '1 newer order — show' }).click()
  await orderRow(page, last.id).waitFor()
})

test('fifty orders are a page, and Next leads to the others', async () => {
  const pet = await addPet(store.call, 'available')
  for (let i = 0; i < 52; i++) await calls.cancel(orderOf(await calls.place(pet)).id)
  await using tab = await store.open(`/orders?pet=${pet}`)
  const { page } = tab
  await page.getByRole('button', { name: 'Next' }).click()
  await page.waitForURL(/after=/)
  await page.locator('tbody tr').nth(1).and(page.locator(':last-child')).waitFor()
  await page.getByRole('button', { name: 'Previous' }).click()
  await page.locator('tbody tr').nth(49).waitFor()
})

test('an order that was opened is no step on the way to the previous page', async () => {
  const pet = await addPet(store.call, 'available')
  for (let i = 0; i < 52; i++) await calls.cancel(orderOf(await calls.place(pet)).id)
  await using tab = await store.open(`/orders?pet=${pet}`)
  const { page } = tab
  const pane = page.getByRole('complementary')
  const rows = page.locator('tbody tr')
  const open = async (n: number) => {
    const id = (await rows.nth(n).locator('button').getAttribute('title')) ?? ''
    await rows.nth(n).getByRole('link').click()
    await pane.getByText(id).waitFor()
  }
  const toSecondPage = async () => {
    await page.getByRole('button', { name: 'Next' }).click()
    await page.waitForURL(/after=/)
    await rows.nth(2).waitFor({ state: 'detached' })
    await rows.nth(1).waitFor()
  }
  const toFirstPage = async () => {
    await page.getByRole('button', { name: 'Previous' }).click()
    await rows.nth(49).waitFor()
    assert.equal(new URL(page.url()).search, `?pet=${pet}`)
  }
  await toSecondPage()
  await open(0)
  await open(1)
  await page.keyboard.press('Escape')
  await pane.waitFor({ state: 'detached' })
  await toFirstPage()
  await toSecondPage()
  await open(0)
  // Nor after a reload, with the order still open.
  await page.reload()
  await open(1)
  await toFirstPage()
  assert.equal(await pane.count(), 0)
})

test('on a page that was pasted, Previous with an open order leads to the first page', async () => {
  const pet = await addPet(store.call, 'available')
  for (let i = 0; i < 51; i++) await calls.cancel(orderOf(await calls.place(pet)).id)
  const { headers } = await store.call(`/v1/store/orders?petId=${pet}&limit=50`)
  const after = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1]
  await using tab = await store.open(`/orders?pet=${pet}&after=${after}`)
  const { page } = tab
  await page.locator('tbody a').click()
  await page.getByRole('complementary').waitFor()
  await page.getByRole('button', { name: 'Previous' }).click()
  await page.locator('tbody tr').nth(49).waitFor()
  assert.equal(new URL(page.url()).search, `?pet=${pet}`)
})

test('an id that no order has is explained', async () => {
  await using tab = await store.open('/orders?order=ord_AAAAAAAAATQ8diTHYBJn')
  await tab.page.getByText('There is no order with this id.').waitFor()
})

test('a read-only key reads why it can neither complete nor release', async () => {
  const order = await placeOrder()
  const key = await store.createKey({ scopes: ['pets:read', 'orders:read'] })
  await using tab = await store.open(`/orders?order=${order.id}`, { key })
  const pane = tab.page.getByRole('complementary', { name: 'Order' })
  await pane.getByText('Your key does not have the scope orders:write.').waitFor()
  assert.equal(await pane.getByRole('button', { name: /Complete|Release/ }).count(), 0)
})

test('a key that cannot read orders sees why, without an error', async () => {
  const key = await store.createKey({ scopes: ['pets:read'] })
  await using tab = await store.open('/orders', { key })
  await tab.page.getByText('Your key does not have the scope orders:read.').waitFor()
})

test('markup in a reference and in the name of a pet stays text', async () => {
  const markup = '<img src=x onerror=alert(1)>'
  const pet = await addPet(store.call, 'available')
  await store.call(`/v1/pets/${pet}`, patchJson({ name: markup }))
  const order = orderOf(await calls.place(pet, { reference: markup }))
  await using tab = await store.open(`/orders?order=${order.id}`)
  const pane = tab.page.getByRole('complementary', { name: 'Order' })
  await pane.getByRole('definition').getByText(markup, { exact: true }).first().waitFor()
  await pane.getByRole('heading', { name: markup }).waitFor()
  await pane.getByRole('link', { name: markup, exact: true }).waitFor()
  assert.equal(await tab.page.locator('main img').count(), 0)
})
