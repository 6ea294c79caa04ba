import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { startConsole } from '../../support/console-browser.ts'
import { fillStore, OPEN_ORDER } from '../../support/console-data.ts'
import { DETAILS, onEach, SECTIONS, type Shown, settle, show } from '../../support/console-screens.ts'

// A place is shown by its address alone: after a reload, in another tab, and on the way back.
const store = await startConsole()
await fillStore(store.pool, 'key_000000000001')

const FILTERS: readonly Shown[] = [
  { name: 'pets of a category', path: '/pets?category=-9223372036854775808' },
  { name: 'pets by name', path: '/pets?name=bi' },
  { name: 'pets in their order', path: '/pets?sort=oldest' },
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

/** Waits until two tabs show the same: the first of the feed may come in between. */
async function assertSame(page: Page, other: Page, when: string) {
  for (let tries = 0; tries < 100; tries++) if (isDeepStrictEqual(await shown(page), await shown(other))) return
  assert.deepEqual(await shown(page), await shown(other), when)
}

for (const [what, views] of [
  ['every section', SECTIONS],
  ['every panel, dialog and filter', DETAILS.filter(({ act }) => !act)],
  ['every filter of a section', FILTERS],
] as const)
  test(`${what} is the same after a reload, in a second tab and on the way back`, async () => {
    await using tab = await store.open('/')
    await using second = await store.open('/', { beside: tab })
    await onEach(views, async (view) => {
      const { page } = tab
      await show(page, store.address, view)
      const address = addressOf(page)
      await second.page.goto(page.url())
      await assertSame(page, second.page, 'in a second tab')
      await page.reload()
      await assertSame(page, second.page, 'after a reload')
      await page.bringToFront()
      // A dialog keeps everything else away.
      if (view.name === 'add-pet') return
      const elsewhere = view.name === 'key' ? 'Orders' : 'Your key'
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search' }).fill(elsewhere)
      await page.getByRole('option', { name: `Go to ${elsewhere}`, selected: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: elsewhere }).waitFor()
      await page.goBack()
      assert.equal(addressOf(page), address)
      await assertSame(page, second.page, 'on the way back')
      await page.goForward()
      await page.getByRole('heading', { level: 1, name: elsewhere }).waitFor()
    })
  })

test('filters, a page, ids and the panel are all in the address', async () => {
  await using tab = await store.open('/pets')
  const { page } = tab
  await settle(page)
  await page.locator('.tabs').getByRole('link', { name: 'Sold' }).click()
  assert.match(addressOf(page), /^\/console\/pets\?status=sold$/)
  await page.locator('.tabs').getByRole('link', { name: /^All/ }).first().click()
  await settle(page)
  await page
    .getByRole('button', { name: 'Next' })
    .or(page.getByRole('link', { name: 'Next' }))
    .first()
    .click()
  await page.waitForURL(/after=/)
  await settle(page)
  const second = await shown(page)
  await page.reload()
  await settle(page)
  assert.deepEqual(await shown(page), second)
  await page.goBack()
  assert.doesNotMatch(addressOf(page), /after=/)
})
