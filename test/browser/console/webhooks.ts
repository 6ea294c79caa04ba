import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { readConfig } from '../../../src/config.ts'
import { loseResponse, startConsole } from '../../support/console-browser.ts'
import { MASTER_SECRET, secretOf, startDelivering, untilWebhook } from '../../support/deliveries.ts'
import { addPet, endOfFeed } from '../../support/events.ts'
import { createTestKey } from '../../support/factories.ts'
import { startReceiver } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'
import { webhookCalls, webhookOf } from '../../support/webhooks.ts'

const settings = readConfig({ DATABASE_URL: 'postgres://x/y', WEBHOOK_NETWORKS: '127.0.0.0/8' })
const store = await startConsole({
  webhookMasterSecret: MASTER_SECRET,
  webhookNetworks: settings.webhookNetworks,
})
await startDelivering(store.url)
const calls = webhookCalls(store.call)

/** A webhook that is removed after its test: there can be twenty. */
async function create(url: string, types: string[] | null = null) {
  // Events of other tests come before it.
  await endOfFeed(store)
  const webhook = webhookOf(await calls.create({ url, types }))
  return { ...webhook, [Symbol.asyncDispose]: async () => void (await calls.remove(webhook.id)) }
}

/** The fields for times have whole seconds: what has happened is before it, and what happens next is not. */
async function nextSecond() {
  const moment = new Date(Math.ceil((Date.now() + 1) / 1_000) * 1_000)
  await until(() => Date.now() >= moment.getTime())
  return moment
}

async function choose(page: Page, item: string) {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

const loseCreated = (page: Page, path: string) =>
  page.route(path, (route) => (route.request().method() === 'POST' ? loseResponse(route) : route.fallback()))

test('a webhook that is added shows its secret once, and then never again', async () => {
  await using tab = await store.open('/webhooks')
  const { page } = tab
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const receiver = await startReceiver()
  await page.getByLabel('URL').fill(receiver.url)
  await page.getByRole('checkbox', { name: 'Order placed' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('heading', { name: 'Store this secret now' }).waitFor()
  const [webhook] = (await calls.list()).filter(({ url }) => url === receiver.url)
  assert.ok(webhook)
  assert.deepEqual(webhook.types, ['order.placed'])
  const secret = secretOf(webhook.id)
  await page.getByText(secret, { exact: true }).waitFor()
  // Neither Escape nor a click beside it takes it away by accident.
  await page.keyboard.press('Escape')
  await page.getByText(secret, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('complementary').getByText(webhook.id).waitFor()
  assert.equal((await page.content()).includes(secret), false)
  await calls.remove(webhook.id)
})

test('a webhook whose response was lost is created once, and adding it again shows its secret', async () => {
  const receiver = await startReceiver()
  await using tab = await store.open('/webhooks?new=1')
  const { page } = tab
  await loseCreated(page, '**/v1/webhooks')
  const url = page.getByLabel('URL')
  const add = page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true })
  await url.fill(receiver.url)
  await add.click()
  await page.getByText('The service could not be reached.').waitFor()
  await page.unroute('**/v1/webhooks')
  // Another one than was created.
  await url.fill(`${receiver.url}/other`)
  await add.click()
  await page.getByText('A webhook was already added, with what you sent first.').waitFor()
  await url.fill(receiver.url)
  await add.click()
  await page.getByRole('heading', { name: 'Store this secret now' }).waitFor()
  const created = (await calls.list()).filter((webhook) => webhook.url.startsWith(receiver.url))
  assert.equal(created.length, 1)
  for (const { id } of created) {
    await page.getByText(secretOf(id), { exact: true }).waitFor()
    await calls.remove(id)
  }
})

test('a new secret whose response was lost may have been created: the pane says when the old one ends', async () => {
  const receiver = await startReceiver()
  await using webhook = await create(receiver.url)
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`)
  const { page } = tab
  await loseCreated(page, `**/v1/webhooks/${webhook.id}/rotate`)
  await choose(page, 'New secret…')
  await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
  await page.getByText('The secret may have been changed. See when the old secret ends').waitFor()
  await page.getByRole('complementary').getByText('Old secret ends').waitFor()
})

test('opening a webhook reads its attempts once, and each further attempt once more', async () => {
  const receiver = await startReceiver(() => 204)
  await using webhook = await create(receiver.url)
  await calls.ping(webhook.id)
  await receiver.until(1)
  await until(async () => (await calls.list()).find(({ id }) => id === webhook.id)?.lastAttempt)
  // With the feed under way: the page reads all again when it begins.
  await using tab = await store.open('/webhooks', { isLive: true })
  const { page } = tab
  let reads = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/attempts')) reads++
  })
  await page.getByRole('link', { name: webhook.url }).click()
  await page.getByRole('complementary').getByText('204').first().waitFor()
  assert.equal(reads, 1)
  await calls.ping(webhook.id)
  await page.locator('.attempts tbody tr').nth(1).waitFor()
  assert.equal(reads, 2)
})

test('while the session has ended nothing is asked, and afterwards the list goes on', async () => {
  const receiver = await startReceiver(() => 204)
  await using tab = await store.open('/webhooks', { isLive: true, hasClock: true })
  const { page } = tab
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
  const begun = page.waitForResponse((response) => /\/v1\/events\?.*from=now/.test(response.url()))
  await page.reload()
  await page.clock.runFor(20)
  await begun
  // The time of the page stands still: the read that follows the beginning of the feed is due when the session has ended.
  await tab.context.clearCookies()
  await addPet(store.call)
  await page.getByText('Your session has ended.').waitFor()
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/v1/')) sent.push(request.url())
  })
  // Several rounds of its polling would be sent in this time, too.
  for (let seconds = 0; seconds < 10; seconds++) await page.clock.runFor(1_000)
  assert.deepEqual(sent, [])
  await using webhook = await create(receiver.url)
  await page.getByLabel('API key').fill(store.key)
  await page.getByLabel('API key').press('Enter')
  await page.getByRole('row', { name: new RegExp(webhook.url) }).waitFor()
})

test('a URL that is not allowed is explained, and what was typed stays', async () => {
  await using tab = await store.open('/webhooks?new=1')
  await tab.page.getByLabel('URL').fill('http://shop.example/')
  await tab.page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  await tab.page.getByText('`url` must begin with https://.').waitFor()
  assert.equal(await tab.page.getByLabel('URL').inputValue(), 'http://shop.example/')
})

test('the list shows state, how far behind and the last attempt', async () => {
  const receiver = await startReceiver(() => 500)
  await using webhook = await create(receiver.url)
  await addPet(store.call)
  await receiver.until(1)
  await using tab = await store.open('/webhooks')
  const row = tab.page.getByRole('row', { name: new RegExp(webhook.url) })
  await row.getByText('Failing').waitFor()
  await row.getByText(/^\d+ events?$/).waitFor()
  await row.getByText(/500 · /).waitFor()
})

test('Send test is received, and appears among the attempts with status and duration', async () => {
  const receiver = await startReceiver(() => 204)
  await using webhook = await create(receiver.url)
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`)
  await choose(tab.page, 'Send test')
  const [ping] = await receiver.until(1)
  assert.equal(ping?.event.type, 'webhook.ping')
  const row = tab.page.locator('.attempts tbody tr').first()
  await row.getByText('Test event').waitFor()
  assert.match((await row.textContent()) ?? '', /204\d+ ms$/)
})

test('a failing webhook shows why, since when and the next attempt', async () => {
  const receiver = await startReceiver(() => 503)
  await using webhook = await create(receiver.url)
  await addPet(store.call)
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`)
  const pane = tab.page.getByRole('complementary')
  await pane.getByText('Next attempt').waitFor()
  await pane.getByText('Failing since').waitFor()
  await pane
    .getByText(/503 · /)
    .first()
    .waitFor()
})

/** A webhook that fails, with a response that says why; it was accepted once, so that the response is kept. */
async function createFailing(name: string) {
  const receiver = await startReceiver(() => 204)
  const webhook = await create(receiver.url)
  await calls.patch(webhook.id, { name })
  await calls.ping(webhook.id)
  await receiver.until(1)
  await until(async () => (await calls.list()).find(({ id }) => id === webhook.id)?.lastAttempt)
  receiver.respond = (_, response) => {
    response.writeHead(507, { 'content-type': 'text/html' }).end('<b>disk full</b>')
    return undefined
  }
  const pet = await addPet(store.call)
  await until(async () => webhookOf(await calls.get(webhook.id)).failingSince)
  return { receiver, webhook, pet }
}

for (const { width, colorScheme, way } of [
  { width: 1440, colorScheme: 'light', way: ['Webhooks', 'Warehouse'] },
  { width: 390, colorScheme: 'dark', way: ['Webhook Warehouse is failing'] },
] as const)
  test(`task 9: which webhook fails, why, and try it now, at ${width} px`, async () => {
    const { receiver, webhook, pet } = await createFailing('Warehouse')
    await using _ = webhook
    await using tab = await store.open('/', { width, colorScheme })
    const { page } = tab
    // With Try now, at most three clicks.
    for (const name of way) await page.getByRole('link', { name }).first().click()
    if (width === 1440) {
      const row = page.getByRole('row', { name: /Warehouse/ })
      await row.getByText('Failing').waitFor()
      await row.getByText('The status was 507.').waitFor()
    }
    const pane = page.getByRole('complementary')
    // As text.
    await pane.getByText('<b>disk full</b>').first().waitFor()
    await pane.getByText('Nothing is lost: 1 event waits').waitFor()
    receiver.respond = () => 204
    await pane.getByRole('button', { name: 'Try now' }).click()
    await pane.getByText('Up to date').waitFor()
    assert.equal(receiver.received.at(-1)?.event.subject, `pets/${pet}`)
    await pane
      .getByRole('link', { name: /^Event …/ })
      .first()
      .click()
    await page.waitForURL(new RegExp(`/activity\\?event=evt_[^&]+&pet=${pet}$`))
    await page.locator('.events [aria-current=true]').waitFor()
  })

test('why a webhook fails stays when a test succeeds, and when the service has stopped it', async () => {
  const { receiver, webhook } = await createFailing('Bookkeeping')
  await using _ = webhook
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`)
  const { page } = tab
  const cause = page.getByRole('complementary').locator('.cause')
  await cause.getByText('<b>disk full</b>').waitFor()
  receiver.respond = () => 204
  await choose(page, 'Send test')
  await page.locator('.attempts tbody tr').first().getByText('204', { exact: true }).waitFor()
  await store.pool.query("update webhooks set state = 'disabled' where id = $1", [webhook.id])
  await page.getByRole('complementary').getByText('Disabled', { exact: true }).waitFor()
  await cause.getByText('The status was 507.').waitFor()
  assert.equal(await cause.getByText('Nothing is lost').count(), 0)
})

test('on a phone a press anywhere in its row opens a webhook, and what is in its pane is large enough for a thumb', async () => {
  const { webhook } = await createFailing('Thumb')
  await using _ = webhook
  await using tab = await store.open('/webhooks', { width: 390, height: 844 })
  const { page } = tab
  const state = await page.getByRole('row', { name: /Thumb/ }).getByText('Failing').boundingBox()
  assert.ok(state)
  await page.mouse.click(state.x + 5, state.y + 5)
  await page.waitForURL(/webhook=/)
  await page.locator('.attempts summary').first().waitFor()
  for (const target of await page.locator('.pane').locator('a, button, summary').all()) {
    const box = await target.boundingBox()
    assert.ok(box && box.height >= 44, `${await target.innerText()} is ${box?.height} high`)
  }
})

test('a name cannot turn or widen the sentences that it is in', async () => {
  await using webhook = await create('https://shop.example/named')
  const name = `\u202E${'W'.repeat(99)}`
  await calls.patch(webhook.id, { name })
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`, { width: 390, height: 844 })
  const { page } = tab
  await choose(page, 'Delete…')
  const text = page
    .getByRole('dialog')
    .getByText(`No more events are sent to \u2068${name}\u2069. This cannot be undone.`)
  await text.waitFor()
  assert.ok(await text.evaluate((element) => element.scrollWidth <= element.clientWidth))
})

test('the replay of a webhook that fails begins with the event that failed, and skips nothing', async () => {
  const { receiver, webhook } = await createFailing('Accounting')
  await using _ = webhook
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`)
  const { page } = tab
  await page.getByRole('button', { name: 'Replay…' }).click()
  const dialog = page.getByRole('dialog')
  assert.ok(await dialog.getByRole('radio', { name: 'What waits since it began to fail' }).isChecked())
  await dialog.getByRole('radio', { name: 'The first event since a date and time' }).check()
  // Before the event that failed.
  await dialog.getByRole('button', { name: /^Replay \d+ events?$/ }).waitFor()
  await dialog.getByRole('radio', { name: 'What waits since it began to fail' }).check()
  receiver.respond = () => 204
  const before = webhookOf(await calls.get(webhook.id)).sequence
  await dialog.getByRole('button', { name: 'Try now' }).click()
  await page.getByRole('complementary').getByText('Up to date').waitFor()
  assert.ok(webhookOf(await calls.get(webhook.id)).sequence > before)
})

test('a webhook gets a name and loses it', async () => {
  const receiver = await startReceiver()
  await using webhook = await create(receiver.url)
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`)
  const { page } = tab
  const pane = page.getByRole('complementary')
  await choose(page, 'Name…')
  await page.getByRole('textbox', { name: 'Name' }).fill('<i>Books</i>')
  await page.keyboard.press('Enter')
  await pane.getByRole('heading', { name: '<i>Books</i>' }).waitFor()
  await page.getByRole('link', { name: '<i>Books</i>' }).waitFor()
  await choose(page, 'Name…')
  await page.getByRole('textbox', { name: 'Name' }).fill('')
  await page.keyboard.press('Enter')
  await pane.getByRole('heading', { name: 'Webhook', exact: true }).waitFor()
  await page.getByRole('link', { name: receiver.url }).waitFor()
})

test('Enter that is held down saves a name once, and presses nothing after that', async () => {
  const receiver = await startReceiver()
  await using webhook = await create(receiver.url)
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`)
  const { page } = tab
  await choose(page, 'Name…')
  await page.getByRole('textbox', { name: 'Name' }).fill('Books')
  // From the second on, as a key that is held down.
  await page.keyboard.down('Enter')
  await page.getByText('Name saved.').waitFor()
  // It would open the menu, which has the focus again, send a test event, and open it again.
  for (let n = 0; n < 3; n++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  assert.equal(await page.getByRole('menu').count(), 0)
  assert.deepEqual(
    tab.sent.filter((url) => url.endsWith('/ping')),
    [],
  )
})

test('Pause stops deliveries, and Resume sends what happened meanwhile', async () => {
  const receiver = await startReceiver()
  await using webhook = await create(receiver.url)
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`)
  const { page } = tab
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('complementary').getByText('Paused', { exact: true }).waitFor()
  assert.equal(webhookOf(await calls.get(webhook.id)).state, 'paused')
  await untilWebhook(store.pool, webhook.id, ({ leased_until: end }) => end === null || end < new Date())
  const pet = await addPet(store.call)
  await page.getByRole('complementary').getByText('1 event', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  const [received] = await receiver.until(1)
  assert.equal(received?.event.subject, `pets/${pet}`)
  await page.getByRole('complementary').getByText('Up to date').waitFor()
})

test('a toast is at the bottom where nothing has the focus', async () => {
  await using webhook = await create('https://shop.example/unfocused')
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`)
  const { page } = tab
  await page.getByRole('button', { name: 'Pause' }).evaluate((button) => {
    const { activeElement } = document
    if (activeElement instanceof HTMLElement) activeElement.blur()
    ;(button as HTMLElement).click()
  })
  await page.locator('.toast').waitFor()
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  assert.ok(((await page.locator('.toast').boundingBox())?.y ?? 0) > 450)
})

test('a replay from the oldest event says how many there are, and sends the oldest too', async () => {
  await addPet(store.call)
  await endOfFeed(store)
  const receiver = await startReceiver()
  await using webhook = await create(receiver.url)
  const { body } = await store.call('/v1/events?limit=1')
  const [oldest] = body as { id: string; sequence: string }[]
  assert.ok(oldest)
  const count = Number(webhook.sequence) - Number(oldest.sequence) + 1
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`)
  const { page } = tab
  await page.getByRole('button', { name: 'Replay…' }).click()
  const words = `${count.toLocaleString('en')} event${count === 1 ? '' : 's'}`
  await page.getByRole('dialog').getByText(`${words} of all types.`).waitFor()
  assert.equal(receiver.received.length, 0, 'nothing is sent before it is confirmed')
  await page.getByRole('button', { name: `Replay ${words}` }).click()
  const received = await receiver.until(count)
  assert.ok(received.some(({ event }) => event.id === oldest.id))
  await page.getByRole('complementary').getByText('Up to date').waitFor()
})

test('a replay of a webhook that is paused says that nothing is sent yet', async () => {
  await addPet(store.call)
  await using webhook = await create('https://shop.example/paused')
  await calls.patch(webhook.id, { state: 'paused' })
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`)
  const { page } = tab
  await page.getByRole('button', { name: 'Replay…' }).click()
  await page.getByRole('button', { name: /^Replay [\d,]+ events?$/ }).click()
  await page.getByText(/^[\d,]+ events? (is|are) sent when you resume it\.$/).waitFor()
})

test('a replay from a moment counts and sends only the events since then', async () => {
  await addPet(store.call)
  await endOfFeed(store)
  const moment = await nextSecond()
  const pets = [await addPet(store.call), await addPet(store.call)]
  await endOfFeed(store)
  const receiver = await startReceiver()
  await using webhook = await create(receiver.url)
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`, { timezoneId: 'UTC' })
  const { page } = tab
  await page.getByRole('button', { name: 'Replay…' }).click()
  await page.getByRole('radio', { name: 'The first event since a date and time' }).check()
  await page.getByText('Choose a date and time.').waitFor()
  await page.locator('input[type=datetime-local]').fill(moment.toISOString().slice(0, 19))
  await page.getByRole('button', { name: 'Replay 2 events' }).click()
  const received = await receiver.until(2)
  assert.deepEqual(
    received.map(({ event }) => event.subject),
    pets.map((pet) => `pets/${pet}`),
  )
})

test('a replay from the future has nothing to send', async () => {
  const receiver = await startReceiver()
  await using webhook = await create(receiver.url)
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`)
  await tab.page.getByRole('button', { name: 'Replay…' }).click()
  await tab.page.getByRole('radio', { name: 'The first event since a date and time' }).check()
  await tab.page.locator('input[type=datetime-local]').fill('2099-01-01T00:00:00')
  await tab.page.getByText('There is no event since then.').waitFor()
  assert.ok(await tab.page.getByRole('button', { name: 'Replay', exact: true }).isDisabled())
})

test('a replay never skips what was not delivered yet', async () => {
  const receiver = await startReceiver()
  await using webhook = await create(receiver.url)
  await calls.patch(webhook.id, { state: 'paused' })
  await addPet(store.call)
  await endOfFeed(store)
  const moment = await nextSecond()
  await addPet(store.call)
  await endOfFeed(store)
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`, { timezoneId: 'UTC' })
  await tab.page.getByRole('button', { name: 'Replay…' }).click()
  await tab.page.getByRole('radio', { name: 'The first event since a date and time' }).check()
  await tab.page.locator('input[type=datetime-local]').fill(moment.toISOString().slice(0, 19))
  await tab.page.getByText('would be skipped').waitFor()
  assert.ok(await tab.page.getByRole('button', { name: 'Replay', exact: true }).isDisabled())
})

test('Delete asks with the URL, and then the webhook is gone', async () => {
  const receiver = await startReceiver()
  const webhook = await create(receiver.url)
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`)
  await choose(tab.page, 'Delete…')
  await tab.page.getByRole('dialog').getByText(`No more events are sent to ${receiver.url}.`).waitFor()
  await tab.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await tab.page.getByText(`There is no webhook ${webhook.id}.`).waitFor()
  assert.equal((await calls.get(webhook.id)).status, 404)
})

test('New secret shows one that differs, once', async () => {
  const receiver = await startReceiver()
  await using webhook = await create(receiver.url)
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`)
  await choose(tab.page, 'New secret…')
  await tab.page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
  await tab.page.getByText(secretOf(webhook.id, 2), { exact: true }).waitFor()
  await tab.page.getByRole('button', { name: 'I have stored it' }).click()
  await tab.page.getByText('Old secret ends').waitFor()
})

test('without webhooks there is a way to add the first', async () => {
  const empty = await startConsole()
  await using tab = await empty.open('/webhooks')
  await tab.page.getByRole('heading', { name: 'No webhooks' }).waitFor()
  await tab.page.getByRole('button', { name: 'Add webhook' }).click()
  await tab.page.getByLabel('URL').fill('https://shop.example/hooks')
  await tab.page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  // This one has no secret to sign with.
  await tab.page.getByText('Its operator must set WEBHOOK_MASTER_SECRET.').waitFor()
})

test('a key that cannot manage webhooks sees why; one that cannot read events, why it cannot change them', async () => {
  const receiver = await startReceiver()
  await using webhook = await create(receiver.url)
  const none = await store.createKey({ scopes: ['pets:read', 'events:read'] })
  await using tab = await store.open('/webhooks', { key: none })
  await tab.page.getByText('Your key does not have the scope webhooks:manage.').waitFor()
  const some = await store.createKey({ scopes: ['webhooks:manage'] })
  await using other = await store.open(`/webhooks?webhook=${webhook.id}`, { key: some })
  await other.page.getByText('Your key does not have the scope events:read.').waitFor()
  for (const name of ['Replay…', 'Pause', 'Add webhook'])
    assert.ok(await other.page.getByRole('button', { name }).isDisabled(), name)
  await other.page.getByRole('button', { name: 'More actions' }).click()
  assert.deepEqual(await other.page.getByRole('menuitem').allInnerTexts(), ['Send test', 'Delete…'])
  await other.page.goto(`${store.address}/console/webhooks?new=1`)
  await other.page.getByRole('dialog').getByText('Your key does not have the scope events:read.').waitFor()
})

test('a webhook shows its keys, and one that was paused with its key why, until it is resumed for the key of the session', async () => {
  const receiver = await startReceiver()
  const owner = await createTestKey(store.pool, { name: 'Ben (weekend)' })
  await using webhook = await create(receiver.url)
  await store.pool.query('update webhooks set created_by = $2, changed_by = $2 where id = $1', [webhook.id, owner.id])
  await store.pool.query('update api_keys set revoked_at = now() where id = $1', [owner.id])
  await untilWebhook(store.pool, webhook.id, ({ reason }) => reason === 'key_revoked')
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`)
  const pane = tab.page.getByRole('complementary')
  await pane.getByText('its key was revoked').waitFor()
  await pane.getByText('Ben (weekend)').nth(1).waitFor()
  await pane.getByText('If you change it, it delivers for your key instead.').waitFor()
  let changes = 0
  tab.page.on('request', (request) => {
    if (request.method() === 'PATCH') changes++
  })
  await choose(tab.page, 'Name…')
  // The same name is no change, which would make it deliver for another key.
  await tab.page.keyboard.press('Enter')
  await tab.page.getByRole('dialog').waitFor({ state: 'detached' })
  await pane.getByRole('button', { name: 'Resume' }).click()
  await pane.getByText('Active', { exact: true }).waitFor()
  const { createdBy, changedBy } = webhookOf(await calls.get(webhook.id))
  assert.equal(createdBy, owner.id)
  assert.notEqual(changedBy, owner.id)
  await pane.getByText('You', { exact: true }).waitFor()
  assert.equal(await pane.getByText('If you change it').count(), 0)
  assert.equal(changes, 1)
})

test('markup in a URL stays text', async () => {
  const url = 'https://shop.example/<img/src=x>'
  await using webhook = await create(url)
  assert.equal(webhook.url, url)
  await using tab = await store.open(`/webhooks?webhook=${webhook.id}`)
  await tab.page.getByRole('link', { name: url }).waitFor()
  await tab.page.getByRole('complementary').getByText(url, { exact: true }).waitFor()
  assert.equal(await tab.page.locator('main img').count(), 0)
})
