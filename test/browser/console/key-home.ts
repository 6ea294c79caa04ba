import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startConsole } from '../../support/console-browser.ts'
import { MASTER_SECRET } from '../../support/deliveries.ts'
import { addPet } from '../../support/events.ts'
import { createTestKey, rotateTestKey } from '../../support/factories.ts'
import { orderCalls, orderOf } from '../../support/orders.ts'
import { until } from '../../support/until.ts'
import { insertWebhook, webhookCalls } from '../../support/webhooks.ts'

const store = await startConsole({ webhookMasterSecret: MASTER_SECRET })
const DAY = 86_400_000

test('your key shows its name, id, scopes, creation and expiry', async () => {
  const expiresAt = new Date(Date.now() + 100 * DAY)
  const { key, id } = await createTestKey(store.pool, { name: 'shop floor', scopes: ['pets:read'], expiresAt })
  await using tab = await store.open('/key', { key })
  const main = tab.page.getByRole('main')
  await main.getByText('shop floor').waitFor()
  await main.getByText(id, { exact: true }).waitFor()
  await main.getByText('pets:read').waitFor()
  assert.equal(await main.getByText('pets:write').count(), 0)
  await main.getByText('in 100 days').waitFor()
  assert.doesNotMatch(await tab.page.content(), /petk_/)
})

test('a key without a limit and without an end says so', async () => {
  const key = await store.createKey({ expiresAt: null })
  await using tab = await store.open('/key', { key })
  await tab.page.getByText('No limit: all requests are allowed.').waitFor()
  await tab.page.getByText('Never', { exact: true }).waitFor()
  assert.equal(await tab.page.getByText('Requests left').count(), 0)
  await tab.page.getByText('Not replaced').waitFor()
})

test('a key with a limit shows it and how many requests are left', async () => {
  const key = await store.createKey({ rateLimit: { quota: 500, windowSeconds: 60 } })
  await using tab = await store.open('/key', { key })
  await tab.page.getByText('500 requests per 60 seconds').waitFor()
  const left = await tab.page.getByText(/^\d+ in this window$/).textContent()
  const n = Number.parseInt(left ?? '', 10)
  assert.ok(n > 0 && n < 500, `${n} are left`)
})

test('a key that was rotated names its successor', async () => {
  const old = await createTestKey(store.pool)
  const successor = await rotateTestKey(store.pool, old)
  await using tab = await store.open('/key', { key: old.key })
  await tab.page.getByText(successor.id).waitFor()
  await tab.page.getByText('get its successor from the operator.').waitFor()
})

test('deprecated requests of this key are listed with what replaces them', async () => {
  const key = await store.createKey({})
  await store.call(`/v1/pets/${await addPet(store.call)}`, { key })
  await until(async () => (await store.call('/v1/deprecations', { key })).text !== '[]')
  await using tab = await store.open('/key', { key })
  const row = tab.page.getByRole('row', { name: /GET \/v1\/pets\/\{petId\}/ })
  await row.getByText('/v1/pets?id={petId}').waitFor()
  await row.getByText('Removed on 5 Dec 2030').waitFor()
})

test('the screen says that keys are managed on the command line', async () => {
  await using tab = await store.open('/key')
  await tab.page.getByText('Keys are not managed here').waitFor()
  await tab.page.getByText('npx petstore keys').waitFor()
})

test('dates have years, and whom to ask is the contact of the store', async () => {
  const other = await startConsole({ securityContact: 'mailto:it@shop.example' }, store.browser)
  await using tab = await other.open('/key')
  const { page } = tab
  await page.getByRole('link', { name: 'it@shop.example' }).waitFor()
  const created = page.getByRole('definition').getByText(new RegExp(`^\\d+ \\w+ ${new Date().getFullYear()}, `))
  await created.first().waitFor()
  await using signedOut = await other.open('/', { key: null })
  await signedOut.page.getByText('If you have no key, ask it@shop.example.').waitFor()
})

test('markup in the name of a key stays text', async () => {
  const key = await store.createKey({ name: '<b>shop</b>' })
  await using tab = await store.open('/key', { key })
  await tab.page.getByRole('main').getByText('<b>shop</b>').waitFor()
  await tab.page.goto(`${store.address}/console`)
  await tab.page.getByRole('main').getByText('<b>shop</b>').waitFor()
})

test('home counts open orders, shows those that end first, and follows changes', async () => {
  const other = await startConsole()
  const calls = orderCalls(other.call)
  const late = orderOf(await calls.place(await addPet(other.call, 'available'), { reference: 'late', expiresIn: 900 }))
  await calls.place(await addPet(other.call, 'available'), { reference: 'soon', expiresIn: 300 })
  await using tab = await other.open('/', { isLive: true })
  const { page } = tab
  await page.getByRole('link', { name: '2 open orders' }).waitFor()
  const names = await page.locator('.card').first().locator('li a').allTextContents()
  assert.deepEqual(names, ['soon', 'late'])
  await calls.complete(late.id)
  await page.getByRole('link', { name: '1 open order' }).click()
  await page.waitForURL('**/console/orders?status=placed')
})

test('more than fifty open orders are not counted, and none is said to end first', async () => {
  const other = await startConsole()
  const calls = orderCalls(other.call)
  await Promise.all(
    Array.from({ length: 51 }, async () => calls.place(await addPet(other.call, 'available'), { expiresIn: 900 })),
  )
  await using tab = await other.open('/')
  await tab.page.getByRole('link', { name: '50+ open orders' }).waitFor()
  assert.equal(await tab.page.locator('.card').first().locator('li').count(), 0)
})

test('home names the webhooks that fail, and leads to them', async () => {
  await using tab = await store.open('/')
  await tab.page.getByRole('link', { name: 'No webhook is failing' }).waitFor()
  const [id, url] = ['wh_0a1B2c3D4e5F6g7H8i9J', 'https://failing.example/hooks']
  const since = new Date().toISOString()
  await insertWebhook(store.pool, {
    id,
    url,
    types: null,
    state: 'active',
    createdAt: since,
    sequence: '0000000000000001',
    failingSince: since,
    attempts: 3n,
    nextAttemptAt: since,
  })
  await tab.page.reload()
  await tab.page.getByRole('link', { name: '1 webhook is failing' }).waitFor()
  await tab.page.getByRole('link', { name: url }).click()
  await tab.page.getByText('3 failed attempts').waitFor()
  await webhookCalls(store.call).remove(id)
})

test('home does not read the webhooks again with each event of the store', async () => {
  await using tab = await store.open('/', { isLive: true, hasClock: true })
  const { page } = tab
  await page.getByRole('link', { name: 'No webhook is failing' }).waitFor()
  let reads = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/webhooks')) reads++
  })
  for (let n = 0; n < 5; n++) {
    // It asks for the next events when it has these.
    const heard = page.waitForRequest((request) => request.url().includes('/v1/events?'))
    await addPet(store.call)
    await heard
    // Longer than events are gathered for.
    await page.clock.runFor(300)
  }
  assert.ok(reads < 3, `${reads} reads`)
})

test('home says when the key expires', async () => {
  const key = await store.createKey({ expiresAt: new Date(Date.now() + 30 * DAY) })
  await using tab = await store.open('/', { key })
  await tab.page.getByText('Expires in 30 days').waitFor()
})

test('home leads to filtered lists', async () => {
  await using tab = await store.open('/')
  await tab.page.getByRole('link', { name: 'Pets: Available' }).click()
  await tab.page.waitForURL('**/console/pets?status=available')
  await tab.page.goBack()
  await tab.page.getByRole('link', { name: 'Orders: Expired' }).click()
  await tab.page.waitForURL('**/console/orders?status=expired')
})

test('home reads one page of orders and no table', async () => {
  await using tab = await store.open('/key')
  await tab.page.getByText('Keys are not managed here').waitFor()
  const asked: string[] = []
  tab.page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/v1/') && pathname !== '/v1/events') asked.push(pathname + search)
  })
  await tab.page.getByRole('link', { name: 'Home' }).click()
  await tab.page.getByRole('link', { name: /open orders?$/ }).waitFor()
  assert.deepEqual([...new Set(asked)].toSorted(), ['/v1/store/orders?limit=50&status=placed', '/v1/webhooks'])
})

test('home explains what the key has no scope for', async () => {
  const key = await store.createKey({ scopes: ['pets:read'] })
  await using tab = await store.open('/', { key })
  await tab.page.getByText('Your key does not have the scope orders:read.').waitFor()
  await tab.page.getByText('Your key does not have the scope webhooks:manage.').waitFor()
})
