import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { categoryCalls, insertCategories } from '../../support/categories.ts'
import { assertAccessible, assertFits, loseResponse, startConsole } from '../../support/console-browser.ts'
import { settle } from '../../support/console-screens.ts'
import { addPet } from '../../support/events.ts'
import { createTestKey } from '../../support/factories.ts'
import { until } from '../../support/until.ts'
import { insertWebhook, webhookCalls } from '../../support/webhooks.ts'

const store = await startConsole()
const calls = categoryCalls(store.call)
const DAY = 86_400_000

const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })

async function choose(page: Page, category: string, item: string) {
  await page.getByRole('button', { name: `Actions for ${category}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** A key that has just called a deprecated operation. */
async function createOldClient(name: string) {
  const { key } = await createTestKey(store.pool, { name, scopes: ['pets:read', 'orders:read', 'orders:write'] })
  await store.call(`/v1/pets/${await addPet(store.call)}`, { key })
  await until(async () => (await store.call('/v1/deprecations', { key })).text !== '[]')
}

for (const { width, colorScheme, way } of [
  { width: 1440, colorScheme: 'light', way: ['People', 'Uses deprecated operations'] },
  { width: 390, colorScheme: 'dark', way: ['More', 'People'] },
] as const)
  test(`task 10: who still calls deprecated operations, at ${width} px`, async () => {
    await createOldClient(`Web shop ${width}`)
    await using tab = await store.open('/', { width, colorScheme })
    const { page } = tab
    for (const name of way) await page.locator('a, button').filter({ hasText: name }).first().click()
    await row(page, new RegExp(`Web shop ${width} Shop .* 1$`)).waitFor()
    assert.equal(await row(page, /^\w* ?test/).count(), width === 390 ? 1 : 0)
    await settle(page)
    await assertFits(page)
    await assertAccessible(page)
  })

test('people are listed by name, with what their keys may do; those that work come first', async () => {
  const gone = await createTestKey(store.pool, { name: 'Anna <b>' })
  await store.pool.query('update api_keys set revoked_at = now() where id = $1', [gone.id])
  const expiresAt = new Date(Date.now() + 400 * DAY)
  await createTestKey(store.pool, { name: 'Zoe', scopes: ['pets:read', 'pets:edit', 'orders:read'], expiresAt })
  await using tab = await store.open('/people')
  const { page } = tab
  await row(page, /Zoe pets: read, edit · orders: read Active Never/)
    .locator('time')
    .getByText(String(expiresAt.getFullYear()))
    .waitFor()
  await row(page, /Anna <b> Manager Revoked/).waitFor()
  const names = await page.locator('.people .name').allInnerTexts()
  assert.ok(names.indexOf('Zoe') < names.indexOf('Anna <b>'))
  await page.getByText('Keys are not managed here').waitFor()
})

test('how many orders and webhooks a key has is there on a phone too; 50 orders stand for 50 or more', async () => {
  await using tab = await store.open('/nowhere', { width: 390, height: 844 })
  const { page } = tab
  const key = { id: 'key_AAAAAAAAAAAAAAAA', mode: 'live', scopes: ['pets:read'], createdAt: new Date().toISOString() }
  const limits = { rateLimit: null, openOrderLimit: 1_000, deprecatedCalls: 0, lastUsedAt: null, state: 'active' }
  const expiresAt = new Date(Date.now() + 20 * DAY).toISOString()
  const rows = [
    { ...key, ...limits, name: 'Till', expiresAt, openOrders: 50, webhooks: 1 },
    { ...key, ...limits, id: 'key_BBBBBBBBBBBBBBBB', name: 'Web', expiresAt: null, openOrders: 49, webhooks: 0 },
  ]
  await page.route('**/v1/keys?*', (route) => route.fulfill({ json: rows }))
  await page.route('**/v1/keys', (route) => route.fulfill({ json: rows }))
  await page.goto(`${store.address}/console/people`)
  await row(page, /pets: read · expires \d+ \w+( \d+)? · 50\+ open orders · 1 webhook /).waitFor()
  await row(page, /pets: read · 49 open orders /).waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
  await row(page, /pets: read Active Never .* 50\+ 1 0$/).waitFor()
  assert.equal(await page.locator('.people td.old-calls').count(), 1, 'the end that is near is marked')
})

test('a key without keys:read has no people', async () => {
  const key = await store.createKey({ scopes: ['pets:read'] })
  await using tab = await store.open('/people', { key })
  await tab.page.getByText('Your key does not have the scope keys:read.').waitFor()
  assert.equal(await tab.page.getByRole('link', { name: 'People' }).count(), 0)
})

test('the status says that everything works, or what does not and what to do', async () => {
  await using tab = await store.open('/status')
  const { page } = tab
  await page.getByText('Everything works').waitFor()
  await page.getByText('Every pet can be found by its name.').waitFor()
  await page.route('**/v1/status', async (route) => {
    // The browser adds this one only to what it sends itself.
    const response = await route.fetch({ headers: { ...route.request().headers(), 'sec-fetch-site': 'same-origin' } })
    const body = (await response.json()) as object
    const json = {
      ...body,
      database: { state: 'read_only' },
      feed: { lagMs: 4_700 },
      webhooks: { active: 1, paused: 0, disabled: 1, undelivered: 0, behind: 12 },
      expiringKeys: 2,
    }
    await route.fulfill({ response, json })
  })
  await page.reload()
  await page.getByText('4 things need attention').waitFor()
  await page.getByText('Takes no changes.').waitFor()
  await page.getByText('Changes appear 4,700 ms late').waitFor()
  await page.getByText('2 expire within 30 days.').waitFor()
  await page.getByText('The slowest one is 12 events behind.').waitFor()
  await assertAccessible(page)
  await page.getByRole('link', { name: 'See which' }).click()
  await page.waitForURL('**/console/people')
})

test('the status says that a webhook fails, and leads to it', async () => {
  // An empty store has no health on Home.
  await addPet(store.call)
  const at = new Date().toISOString()
  const webhook = { types: null, state: 'active', createdAt: at, sequence: '0000000000000001' }
  const id = 'wh_0a1B2c3D4e5F6g7H8i9J'
  await insertWebhook(store.pool, { ...webhook, id, url: 'https://failing.example/', failingSince: at })
  await using tab = await store.open('/status')
  const { page } = tab
  await page.getByText('1 thing needs attention').waitFor()
  await page.getByText('1 is failing.').waitFor()
  await page.getByRole('link', { name: 'See why' }).click()
  await page.waitForURL(`**/console/webhooks?webhook=${id}`)
  await store.pool.query("update webhooks set state = 'paused', reason = 'key_expired', failing_since = null")
  await page.goBack()
  await page.getByText('1 paused because its key does not work.').waitFor()
  await page.goto(`${store.address}/console`)
  await page.getByRole('link', { name: 'Webhook failing.example is paused: its key does not work' }).waitFor()
  await webhookCalls(store.call).remove(id)
})

test('a key that cannot see the webhooks does not read that everything works', async () => {
  const key = await store.createKey({ scopes: ['pets:read', 'status:read'] })
  await using tab = await store.open('/status', { key })
  const { page } = tab
  await page.getByText('Your key sees no problem').waitFor()
  assert.equal(await page.getByText('Everything works').count(), 0)
  await page.goto(`${store.address}/console`)
  await page.getByText('Your key sees no problem').waitFor()
})

test('a category is added, renamed and removed; its pets keep their number', async () => {
  await using tab = await store.open('/categories')
  const { page } = tab
  await page.getByRole('heading', { name: 'No categories have a name yet' }).waitFor()
  await page.getByRole('button', { name: 'Add category' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Dogs')
  assert.equal(await page.getByLabel('Number').inputValue(), '1')
  await page.keyboard.press('Enter')
  await page.getByText('Dogs added.').waitFor()
  await row(page, /^Dogs No\. 1/).waitFor()
  await choose(page, 'Dogs', 'Rename…')
  await page.getByRole('textbox', { name: 'Name' }).fill('Hounds')
  await page.keyboard.press('Enter')
  await row(page, /^Hounds No\. 1/).waitFor()
  await choose(page, 'Hounds', 'Remove…')
  await page
    .getByRole('dialog')
    .getByText('are not changed: they keep the number, and their category is shown as No. 1.')
    .waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Remove name' }).click()
  await page.getByRole('heading', { name: 'No categories have a name yet' }).waitFor()
  assert.equal((await calls.list()).text, '[]')
})

test('a category that another person changes meanwhile is named, and nothing is lost', async () => {
  await calls.put(7n, 'Rabbits')
  await using tab = await store.open('/categories')
  const { page } = tab
  await choose(page, 'Rabbits', 'Rename…')
  await calls.put(7n, 'Bunnies')
  await page.getByRole('textbox', { name: 'Name' }).fill('Hares')
  await page.keyboard.press('Enter')
  await page.getByText('It was renamed to Bunnies meanwhile.').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Hares')
  await page.keyboard.press('Enter')
  await row(page, /^Hares No\. 7/).waitFor()
  await page.getByRole('button', { name: 'Add category' }).click()
  await page.getByLabel('Number').fill('7')
  await page.getByRole('textbox', { name: 'Name' }).fill('Mice')
  await page.keyboard.press('Enter')
  await page.getByText('No. 7 is already called Hares.').waitFor()
  await page.keyboard.press('Escape')
  await choose(page, 'Hares', 'Remove…')
  await calls.put(7n, 'Rabbits')
  await page.getByRole('button', { name: 'Remove name' }).click()
  await page.getByText('Hares was renamed or removed meanwhile. Nothing was changed.').waitFor()
  await row(page, /^Rabbits No\. 7/).waitFor()
  await calls.remove(7n)
})

test('of two people who name one number at once, the second reads the name that the first gave', async () => {
  await using tab = await store.open('/categories')
  const { page } = tab
  await page.getByRole('button', { name: 'Add category' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Parrots')
  await page.getByLabel('Number').fill('70')
  // After this one has looked whether the number is free.
  await page.route('**/v1/categories/70', async (route) => {
    await calls.put(70n, 'Ferrets')
    await route.continue()
  })
  await page.keyboard.press('Enter')
  await page.getByText('No. 70 is already called Ferrets.').waitFor()
  const { text } = await calls.list()
  assert.match(text, /Ferrets/)
  assert.doesNotMatch(text, /Parrots/)
  await calls.remove(70n)
})

test('a category whose every response is lost is added once, and found when it is sent again', async () => {
  await using tab = await store.open('/categories')
  const { page } = tab
  await page.getByRole('button', { name: 'Add category' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Otters')
  await page.getByLabel('Number').fill('40')
  let sent = 0
  await page.route('**/v1/categories/40', async (route) => {
    sent++
    await loseResponse(route)
  })
  // Nor can it be looked up.
  await page.route('**/v1/categories?*', (route) => (sent > 0 ? route.abort() : route.continue()))
  await page.keyboard.press('Enter')
  await page.getByText('The service could not be reached.').first().waitFor()
  await page.unroute('**/v1/categories?*')
  // Neither another number nor the same one makes a second category.
  await page.getByLabel('Number').fill('41')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Otters is already No. 40. Choose another name.').waitFor()
  await page.getByLabel('Number').fill('40')
  const before = sent
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Otters added.').waitFor()
  await row(page, /^Otters No\. 40/).waitFor()
  assert.equal(sent, before)
  await calls.remove(40n)
})

test('a category that was renamed or removed, although the response was lost, is looked up', async () => {
  await calls.put(50n, 'Stoats')
  await using tab = await store.open('/categories')
  const { page } = tab
  await choose(page, 'Stoats', 'Rename…')
  await page.getByRole('textbox', { name: 'Name' }).fill('Weasels')
  await page.route('**/v1/categories/50', loseResponse)
  await page.keyboard.press('Enter')
  await page.getByText('Renamed to Weasels.').waitFor()
  await choose(page, 'Weasels', 'Remove…')
  await page.getByRole('button', { name: 'Remove name' }).click()
  await page.getByText('The name Weasels was removed.').waitFor()
})

test('a category with a name of 100 characters fits, in its list, its dialogs and the filter of pets', async () => {
  const name = 'W'.repeat(100)
  await calls.put(60n, name)
  await using tab = await store.open('/categories', { width: 390, height: 844 })
  const { page } = tab
  await row(page, /^W+ No\. 60/).waitFor()
  await assertFits(page)
  for (const item of ['Rename…', 'Remove…']) {
    await choose(page, name, item)
    await page.getByRole('dialog').waitFor()
    await assertFits(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await page.goto(page.url().replace('categories', 'pets'))
  await page.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option', { name }).getByText('No. 60', { exact: true }).waitFor()
  await assertFits(page)
  await calls.remove(60n)
})

test('categories show how many pets they have, and lead to them; without categories:write they only show', async () => {
  const other = await startConsole({}, store.browser)
  await insertCategories(other.pool, ['Dogs', '<i>Cats</i>'])
  await other.pool.query(
    "insert into pets (name, category_id, status) select 'pet', 1, 'available' from generate_series(1, 120)",
  )
  const key = await other.createKey({ scopes: ['pets:read'] })
  await using tab = await other.open('/categories', { key, width: 390, height: 844 })
  const { page } = tab
  await row(page, /^Dogs No\. 1 1\d\d\+? 1\d\d\+?$/).waitFor()
  await row(page, /^<i>Cats<\/i> No\. 2 0 0$/).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add category' }).count(), 0)
  await assertFits(page)
  await assertAccessible(page)
  await page.getByRole('link', { name: 'Dogs' }).click()
  await page.waitForURL('**/console/pets?category=1')
})
