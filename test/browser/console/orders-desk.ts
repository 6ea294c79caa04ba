import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { patchJson } from '../../support/app.ts'
import { assertAccessible, assertFits, loseResponse, startConsole } from '../../support/console-browser.ts'
import { partsOf, petsOf } from '../../support/console-pets.ts'
import { makeDue, orderCalls, orderOf, orderRow } from '../../support/orders.ts'

// Orders as they are worked with at a desk: found by what a customer says, sold, released and taken back.

const store = await startConsole()
const pets = petsOf(store)
const calls = orderCalls(store.call)
const staff = await store.createKey({
  name: 'Till 2',
  scopes: ['pets:read', 'pets:edit', 'orders:read', 'orders:write', 'events:read'],
})

async function placeOrder(name: string, more: object = {}) {
  return orderOf(await calls.place(await pets.add(name, { status: 'available' }), more))
}

for (const width of [1440, 390])
  for (const colorScheme of ['light', 'dark'] as const)
    test(`task 8, ${width} wide, ${colorScheme}: which order of web-4309 is it, and release it, in 4 clicks and fields`, async () => {
      const reference = `web-4309-${width}-${colorScheme}`
      // The customer had another one, which ended long ago.
      const before = await placeOrder('Ziggy', { reference })
      await calls.cancel(before.id)
      const order = orderOf(await calls.place(before.petId, { reference }))
      await using tab = await store.open('/', { key: staff, width, colorScheme, isLive: true })
      const { page } = tab
      let steps = 0
      const click = async (target: Locator) => {
        steps++
        await target.click()
      }
      await click(page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: /^Orders/ }))
      steps++
      await page.getByRole('textbox', { name: 'Reference or order id' }).fill(reference)
      await page.keyboard.press('Enter')
      const pane = page.getByRole('complementary', { name: 'Order' })
      await pane.getByRole('heading', { name: 'Ziggy' }).waitFor()
      await pane.getByText(order.id).waitFor()
      await assertFits(page)
      await assertAccessible(page)
      await click(pane.getByRole('button', { name: 'Release' }))
      await click(page.getByRole('dialog').getByRole('button', { name: 'Release pet' }))
      await page.getByText('Ziggy is available again.').waitFor()
      await pane.locator('.summary').getByText('Released').waitFor()
      assert.ok(steps <= 4, `${steps} steps`)
      assert.equal(orderOf(await calls.get(order.id)).status, 'cancelled')
      assert.equal((await pets.read(order.petId))?.status, 'available')
    })

test('a reference finds all of its orders, an id finds one, and nothing found is explained', async () => {
  const orders = [await placeOrder('Ada', { reference: 'shared' }), await placeOrder('Bob', { reference: 'shared' })]
  await using tab = await store.open('/orders')
  const { page } = tab
  const field = page.getByRole('textbox', { name: 'Reference or order id' })
  await orderRow(page, orders[0]!.id).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('shared')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/orders?find=shared')
  for (const { id } of orders) await orderRow(page, id).waitFor()
  assert.equal(await page.locator('tbody tr').count(), 2)
  await field.fill(orders[1]!.id)
  await field.press('Enter')
  await page.getByRole('complementary').getByRole('heading', { name: 'Bob' }).waitFor()
  assert.equal(await page.locator('tbody tr').count(), 1)
  await field.fill('ord_none')
  await field.press('Enter')
  await page.getByRole('heading', { name: 'No order for “ord_none”' }).waitFor()
  await field.fill('')
  await page.waitForURL('**/console/orders')
  await orderRow(page, orders[0]!.id).waitFor()
})

test('a reference is looked for as one types, after a pause, and Enter opens its only order', async () => {
  const order = await placeOrder('Cleo', { reference: 'web-77' })
  await using tab = await store.open('/orders')
  const { page } = tab
  const field = page.getByRole('textbox', { name: 'Reference or order id' })
  await orderRow(page, order.id).waitFor()
  await field.pressSequentially('web-77')
  await page.waitForURL('**/orders?find=web-77')
  await orderRow(page, order.id).waitFor()
  assert.equal(await page.getByRole('complementary').count(), 0)
  assert.equal(await field.evaluate((one) => one === document.activeElement), true, 'the focus stays')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary').getByRole('heading', { name: 'Cleo' }).waitFor()
})

test('a row says for which pet, for whom, by whom and until when; the soonest end is first, and marked', async () => {
  const own = await startConsole({}, store.browser)
  const key = await own.createKey({ name: 'Ben (weekend)' })
  const other = orderCalls((path, init = {}) =>
    own.call(path, { ...init, headers: { ...(init.headers as object), authorization: `Bearer ${key}` } }),
  )
  const add = (name: string) => petsOf(own).add(name, { status: 'available' })
  const late = orderOf(await other.place(await add('Late'), { reference: 'Dr. Sánchez', expiresIn: 3_600 }))
  const soon = orderOf(await other.place(await add('Soon'), { expiresIn: 120 }))
  await using tab = await own.open('/orders', { isLive: true })
  const { page } = tab
  await page.getByText('2 open · 1 under 5 minutes').waitFor()
  await assertAccessible(page)
  const texts = await page.locator('tbody tr').allInnerTexts()
  assert.match(texts[0] ?? '', /^Soon\s+\d+\s+No reference\s+BW\s+Ben \(weekend\)\s+\d\d:\d\d\s+(?:1:\d\d|2:00)\s+\S+/)
  assert.match(texts[1] ?? '', /^Late\s+\d+\s+Dr\. Sánchez\s+BW\s+Ben \(weekend\)\s+\d\d:\d\d\s+59 min\s+/)
  const [first] = await page.locator('tbody tr .left.soon').all()
  assert.ok(first && (await page.locator('tbody tr .left.soon').count()) === 1)
  const short = orderRow(page, soon.id).getByRole('button')
  assert.equal((await short.innerText()).trim(), soon.id.slice(-6))
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await short.click()
  await page.getByText('Copied').waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), soon.id)
  assert.equal(await page.getByRole('complementary').count(), 0)
  // Another name of the pet is seen in its row, which does not move.
  await own.call(`/v1/pets/${late.petId}`, patchJson({ name: 'Later' }))
  await page.locator('tbody tr.changed').filter({ hasText: 'Later' }).waitFor()
})

test('an order of an earlier version does not say who placed it', async () => {
  const { id, petId } = await placeOrder('Elder')
  await store.pool.query('update orders set placed_by = null where pet_id = $1', [petId])
  await using tab = await store.open(`/orders?order=${id}`)
  const { page } = tab
  const pane = page.getByRole('complementary', { name: 'Order' })
  await pane.getByText('Time left').waitFor()
  assert.equal(await pane.getByText('Placed by').count(), 0)
  await pane.getByRole('button', { name: 'Close' }).click()
  await orderRow(page, id).waitFor()
  assert.equal(await orderRow(page, id).getByText('Petstore').count(), 0)
})

test('a completed sale is taken back: the pet is available, and the order stays completed', async () => {
  const order = await placeOrder('Momo')
  await using tab = await store.open(`/orders?order=${order.id}`, { key: staff, isLive: true })
  const { page } = tab
  const { toast } = partsOf(page)
  const pane = page.getByRole('complementary', { name: 'Order' })
  await pane.getByRole('button', { name: 'Complete sale' }).dblclick()
  await toast.getByText('Taking the sale back makes the pet available again; the order stays completed.').waitFor()
  await pane.locator('.summary').getByText('Sold').waitFor()
  const sold = await pets.read(order.petId)
  await toast.getByRole('button', { name: 'Take the sale back' }).click()
  await toast.getByText('Momo is available again. The order stays completed.').waitFor()
  await pane.getByRole('definition').getByText('Available').waitFor()
  await pane.locator('.summary').getByText('Sold').waitFor()
  const pet = await pets.read(order.petId)
  assert.deepEqual([pet?.status, pet?.version], ['available', sold!.version + 1n])
  assert.equal(orderOf(await calls.get(order.id)).status, 'completed')
})

test('a sale that was taken back once is not taken back twice, although no response said so', async () => {
  const order = await placeOrder('Lost')
  await using tab = await store.open(`/orders?order=${order.id}`, { key: staff, isLive: true })
  const { page } = tab
  const pane = page.getByRole('complementary', { name: 'Order' })
  await pane.getByRole('button', { name: 'Complete sale' }).click()
  const undo = page.getByRole('button', { name: 'Take the sale back' })
  await undo.waitFor()
  const { version } = (await pets.read(order.petId))!
  await page.route('**/v1/pets/*', loseResponse)
  await undo.click()
  await pane.getByText('The connection was lost for a moment. What you see now is what is stored.').waitFor()
  await pane.getByRole('definition').getByText('Available').waitFor()
  assert.equal((await pets.read(order.petId))?.version, version + 1n)
})

test('a key that reads no pets completes an order, and one that changes none is not offered to take it back', async () => {
  for (const scopes of [
    ['orders:read', 'orders:write'],
    ['orders:read', 'orders:write', 'pets:read'],
  ] as const) {
    const order = await placeOrder('Quiet')
    const key = await store.createKey({ scopes: [...scopes] })
    await using tab = await store.open(`/orders?order=${order.id}`, { key })
    const { page } = tab
    const name = scopes.length === 2 ? `Pet ${order.petId}` : 'Quiet'
    await page.getByRole('complementary').getByRole('heading', { name }).waitFor()
    await page.getByRole('button', { name: 'Complete sale' }).click()
    await page.locator('.toast').getByText(`${name} is sold.`, { exact: true }).waitFor()
    await page.locator('.summary').getByText('Sold').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Take the sale back' }).count(), 0)
    assert.equal(await page.getByRole('alert').filter({ hasText: /\w/ }).count(), 0)
  }
})

test('the other tabs have a count, by day too, and who ended what', async () => {
  const own = await startConsole({}, store.browser)
  const ownCalls = orderCalls(own.call)
  const add = async () => orderOf(await ownCalls.place(await petsOf(own).add('Sold', { status: 'available' })))
  for (let n = 0; n < 2; n++) await ownCalls.complete((await add()).id)
  await makeDue(own.pool, [(await add()).id])
  await using tab = await own.open('/orders?status=completed', { isLive: true })
  const { page } = tab
  await page.getByText('2 sold', { exact: true }).waitFor()
  await ownCalls.complete((await add()).id)
  await page.getByText('3 sold', { exact: true }).waitFor()
  await page.getByRole('columnheader', { name: 'Sold by' }).waitFor()
  await assertAccessible(page)
  await page.getByLabel('Day').fill('2020-02-29')
  await page.waitForURL('**/orders?status=completed&day=2020-02-29')
  await page.getByText('0 sold', { exact: true }).waitFor()
  await page.getByLabel('Day').fill('')
  await page.waitForURL('**/orders?status=completed')
  await page.getByRole('link', { name: 'Expired', exact: true }).click()
  await page.getByRole('columnheader', { name: 'Placed by' }).waitFor()
})

test('an empty list says of which orders there are none', async () => {
  const own = await startConsole({}, store.browser)
  await using tab = await own.open('/orders?status=all')
  const { page } = tab
  const says = (title: string) => page.getByRole('heading', { name: title, exact: true }).waitFor()
  const to = (query: string) => page.goto(`${own.address}/console/orders?${query}`)
  await says('No orders')
  await to('status=completed&day=2020-02-29')
  await says('No sold orders on this day')
  await page.getByRole('link', { name: 'Show all days' }).click()
  await page.waitForURL('**/orders?status=completed')
  await says('No sold orders')
  // Of another status there may be some.
  await to('find=web-1&status=expired')
  await says('No expired orders for “web-1”')
  await to('pet=7')
  await says('No orders for this pet')
})

test('the number of open orders is beside its tab, unless the tab has those of one customer only', async () => {
  await placeOrder('Counted', { reference: 'one of many' })
  await using tab = await store.open('/orders')
  const { page } = tab
  await page.getByRole('link', { name: /^Open \d+$/ }).waitFor()
  await page.goto(`${store.address}/console/orders?find=one+of+many`)
  await page.locator('tbody tr').first().waitFor()
  await page.getByRole('link', { name: 'Open', exact: true }).waitFor()
})

test('on a phone the tab that is chosen is seen, and long references stay in their rows, beside their pets', async () => {
  const long = await placeOrder('Long', { reference: 'R'.repeat(100) })
  const turned = await placeOrder('Turned', { reference: 'كتاب 12' })
  await using tab = await store.open('/orders?status=all', { width: 390, height: 844, isPseudo: true })
  const { page } = tab
  await orderRow(page, long.id).waitFor()
  const chosen = await page.locator('.tabs [aria-current]').boundingBox()
  assert.ok(chosen && chosen.x >= 0 && chosen.x + chosen.width <= 390, JSON.stringify(chosen))
  assert.ok(((await orderRow(page, long.id).boundingBox())?.height ?? 0) < 90)
  await assertFits(page)
  // It begins where the others do, not at the other end of its column.
  const leftOf = async (id: string) =>
    orderRow(page, id)
      .locator('.whom')
      .evaluate((whom) => {
        const range = document.createRange()
        range.selectNodeContents(whom)
        return range.getBoundingClientRect().left
      })
  assert.ok(Math.abs((await leftOf(turned.id)) - (await leftOf(long.id))) < 2)
})
