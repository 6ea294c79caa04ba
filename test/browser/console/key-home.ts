import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startConsole } from '../../support/console-browser.ts'
import { addPet } from '../../support/events.ts'
import { createTestKey, rotateTestKey } from '../../support/factories.ts'
import { until } from '../../support/until.ts'

const store = await startConsole()
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
  await tab.page.getByText('petstore keys', { exact: true }).waitFor()
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
  // On every screen, as the name of who is signed in.
  await tab.page.getByRole('banner').getByText('<b>shop</b>').waitFor()
})
