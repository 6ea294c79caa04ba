import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { postJson } from '../../support/app.ts'
import { showEach } from '../../support/console-axe.ts'
import { assertFits, consoleOf } from '../../support/console-browser.ts'
import { setHidden } from '../../support/console-feed.ts'
import { SECTIONS, settle } from '../../support/console-screens.ts'
import { startStores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'

const stores = await startStores()
const { live, sandbox } = stores
const store = await consoleOf(stores)
for (const [name, { call }] of Object.entries({ 'Of live': live, 'Of the sandbox': sandbox })) {
  const { status, text } = await call('/v1/pets', postJson({ name, categoryId: 1, status: 'available' }))
  assert.equal(status, 201, text)
}

const badge = (page: Page) => page.getByText('Sandbox', { exact: true })
const row = (page: Page, name: string) => page.getByRole('row', { name })
const tone = (page: Page) => page.getByRole('banner').evaluate((bar) => getComputedStyle(bar).backgroundColor)

for (const width of [1440, 390, 320])
  test(`with a width of ${width}, a sandbox has its word and its tone, and the live store has neither`, async () => {
    await using testing = await store.open('/pets', { key: sandbox.key, width })
    await row(testing.page, 'Of the sandbox').waitFor()
    assert.ok(await badge(testing.page).isVisible())
    await testing.page.getByText('Up to date', { exact: true }).waitFor()
    assert.equal(await testing.page.getByText('Live', { exact: true }).count(), 0)
    await assertFits(testing.page)
    assert.equal(await testing.page.title(), 'Pets — Sandbox — Petstore console')
    assert.equal(await testing.page.getByText('Test key', { exact: true }).count(), 0)
    await using working = await store.open('/pets', { key: live.key, width })
    await row(working.page, 'Of live').waitFor()
    assert.equal(await badge(working.page).count(), 0)
    assert.equal(await working.page.title(), 'Pets — Petstore console')
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const { page } of [testing, working]) await page.emulateMedia({ colorScheme })
      assert.notEqual(await tone(testing.page), await tone(working.page))
    }
  })

test('the page of the key says what it works on', async () => {
  await using tab = await store.open('/key', { key: sandbox.key })
  await tab.page.getByText('Test (works in the sandbox, on nothing of the live store)').waitFor()
})

test('axe-core finds nothing in the sections of a sandbox', async () => {
  await using tab = await store.open('/', { key: sandbox.key })
  await showEach(tab.page, store.address, SECTIONS, async (page) => {
    await settle(page)
    await badge(page).waitFor()
  })
})

/** As the form does, which then shows what the key may see. */
const signInAs = (page: Page, key: string) =>
  page.evaluate(async (text) => {
    const { status } = await fetch('/console/session', { method: 'POST', headers: { authorization: `Bearer ${text}` } })
    if (status !== 201) throw new Error(`${status}`)
  }, key)

/** Resolves when the feed has begun. */
async function reload(page: Page) {
  const begun = page.waitForResponse((response) => /\/v1\/events\?.*from=now/.test(response.url()))
  await page.reload()
  await begun
}

for (const [what, from, to] of [
  ['the sandbox', { ...sandbox, name: 'Of the sandbox' }, { ...live, name: 'Of live' }],
  ['the live store', { ...live, name: 'Of live' }, { ...sandbox, name: 'Of the sandbox' }],
] as const)
  test(`a tab that still shows ${what} hears and shows nothing of the other store`, async () => {
    await using earlier = await store.open('/pets', { key: from.key, isLive: true })
    const { page } = earlier
    // It learns nothing from the other tab, and nothing from the service before the end.
    await page.addInitScript(`addEventListener('storage', (event) => event.stopImmediatePropagation())`)
    await reload(page)
    await row(page, from.name).first().waitFor()
    const released = Promise.withResolvers<void>()
    let asked = 0
    await page.route('**/console/session', async (route) => {
      asked++
      await released.promise
      await route.fallback()
    })
    await setHidden(page, true)

    await using later = await store.open('/pets', { beside: earlier })
    await signInAs(later.page, to.key)
    await reload(later.page)
    await row(later.page, to.name).first().waitFor()
    const added = await to.call('/v1/pets', postJson({ name: `New: ${to.name}`, categoryId: 1, status: 'available' }))
    assert.equal(added.status, 201, added.text)
    await later.page.getByRole('button', { name: '1 newer pet — show' }).waitFor()

    // Seen again, it reads with the cookie of the other store.
    const read = page.waitForResponse((response) => response.url().includes('/v1/pets?'))
    await setHidden(page, false)
    await read
    await until(() => asked > 0)
    assert.ok(await row(page, from.name).first().isVisible())
    for (const text of [to.name, 'newer pet']) assert.equal(await page.getByText(text).count(), 0, text)

    released.resolve()
    await row(page, to.name).first().waitFor()
    assert.equal(await badge(page).count(), to.name === 'Of live' ? 0 : 1)
  })
