import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startConsole } from '../../support/console-browser.ts'
import { fillStore, OPEN_ORDER } from '../../support/console-data.ts'
import { DETAILS, SECTIONS, settle } from '../../support/console-screens.ts'

// A place is shown by its address alone: after a reload, in another tab, and on the way back.
const store = await startConsole()
await fillStore(store.pool, 'key_000000000001')

const VIEWS = [
  ...SECTIONS,
  ...DETAILS.filter(({ act }) => !act),
  { name: 'pets of a category', path: '/pets?category=-9223372036854775808' },
  { name: 'a pet in a filter', path: '/pets?status=pending&pet=1056' },
  { name: 'orders that were cancelled', path: '/orders?status=cancelled' },
  { name: 'activity of a type', path: '/activity?type=order.placed' },
  { name: 'activity of a pet', path: `/activity?pet=${OPEN_ORDER.petId}` },
]

/** What a person reads, without what changes by itself. */
async function shown(page: Page) {
  await settle(page)
  const text = (await page.evaluate('document.body.innerText')) as string
  const checked = (await page.evaluate(
    `[...document.querySelectorAll('input, select')].map((e) => e.type === 'checkbox' || e.type === 'radio' ? String(e.checked) : e.value).join('|')`,
  )) as string
  const title = await page.title()
  return [
    title,
    text
      .replaceAll(/^(?:Live|Connecting…?)$/gm, '…')
      .replaceAll(/\d+:\d\d(:\d\d)?|\b\d+ (?:seconds?|minutes?) ago|\bnow\b/g, '…'),
    checked,
  ]
}

const addressOf = (page: Page) => page.url().replace(store.address, '')

for (const { name, path } of VIEWS)
  test(`${name}: ${path} shows the same after a reload, in a second tab and on the way back`, async () => {
    await using tab = await store.open(path)
    const { page } = tab
    const first = await steady(page)
    const address = addressOf(page)
    await page.reload()
    assert.deepEqual(await steady(page), first, 'after a reload')
    {
      await using second = await store.open(address.replace(/^\/console/, '') || '/', { beside: tab })
      assert.deepEqual(await steady(second.page), first, 'in a second tab')
    }
    await page.bringToFront()
    // A dialog keeps everything else away.
    if (name === 'add-pet') return
    const elsewhere = name === 'key' ? 'Orders' : 'Your key'
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or go to…' }).fill(elsewhere)
    await page.getByRole('option', { name: `Go to ${elsewhere}`, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: elsewhere }).waitFor()
    await page.goBack()
    assert.equal(addressOf(page), address)
    assert.deepEqual(await steady(page), first, 'on the way back')
    await page.goForward()
    await page.getByRole('heading', { level: 1, name: elsewhere }).waitFor()
  })

test('filters, a page, ids and the panel are all in the address', async () => {
  await using tab = await store.open('/pets')
  const { page } = tab
  await settle(page)
  await page.locator('.tabs').getByRole('link', { name: 'Sold' }).click()
  assert.match(addressOf(page), /^\/console\/pets\?status=sold$/)
  await page.locator('.tabs').getByRole('link', { name: 'All', exact: false }).first().click()
  await settle(page)
  await page
    .getByRole('button', { name: 'Next' })
    .or(page.getByRole('link', { name: 'Next' }))
    .first()
    .click()
  await page.waitForURL(/after=/)
  const second = await steady(page)
  await page.reload()
  assert.deepEqual(await steady(page), second)
  await page.goBack()
  assert.doesNotMatch(addressOf(page), /after=/)
})

/** Reads until two reads in a row are the same: the first of the feed may come in between. */
async function steady(page: Page) {
  let last = await shown(page)
  for (let tries = 0; tries < 20; tries++) {
    await page.evaluate('new Promise((done) => setTimeout(done, 250))')
    const next = await shown(page)
    if (JSON.stringify(next) === JSON.stringify(last)) return next
    last = next
  }
  return last
}
