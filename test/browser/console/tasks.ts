import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { readConfig } from '../../../src/config.ts'
import { ROLES } from '../../../src/domain/principal.ts'
import { startConsole, type TabOptions } from '../../support/console-browser.ts'
import { partsOf, petsOf } from '../../support/console-pets.ts'
import { settle } from '../../support/console-screens.ts'
import { DOGS, fillShop } from '../../support/console-shop.ts'
import { MASTER_SECRET, startDelivering } from '../../support/deliveries.ts'
import { endOfFeed } from '../../support/events.ts'
import { createTestKey } from '../../support/factories.ts'
import { orderCalls, orderOf } from '../../support/orders.ts'
import { startReceiver } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'
import { webhookCalls, webhookOf } from '../../support/webhooks.ts'

// Ten tasks of a day in a shop, as a person does them who reads the screen, each from Home with at most so many clicks and fields.

const settings = readConfig({ DATABASE_URL: 'postgres://x/y', WEBHOOK_NETWORKS: '127.0.0.0/8' })
const store = await startConsole({ webhookMasterSecret: MASTER_SECRET, webhookNetworks: settings.webhookNetworks })
await startDelivering(store.url)
const { call, pool } = store
const pets = petsOf(store)
const orders = orderCalls(call)
const hooks = webhookCalls(call)

const manager = await createTestKey(pool, { name: 'Mira (manager)', scopes: [...ROLES.manager] })
const staff = await createTestKey(pool, { name: 'Ben (weekend)', scopes: [...ROLES.staff] })
for (const name of ['Till 1', 'Till 2', 'Anna', 'Warehouse', 'Accounting', 'Reports', 'Website'])
  await createTestKey(pool, { name, scopes: [...ROLES.reader] })
const oldClient = await createTestKey(pool, { name: 'Old shop', scopes: [...ROLES.shop] })
await fillShop(pool, { pets: 2_000, orders: 320, open: 37, days: 30, keyId: staff.id })
// One of the three fails now and then; what it accepted once makes its later responses worth keeping.
const receivers = await Promise.all(['Till', 'Accounting', 'Warehouse'].map(() => startReceiver(() => 204)))
const warehouse = receivers.at(-1)!
await endOfFeed(store)
for (const [n, name] of ['Till', 'Accounting', 'Warehouse'].entries()) {
  const { id } = webhookOf(await hooks.create({ url: receivers[n]!.url, name, types: ['pet.deleted'] }))
  await hooks.ping(id)
  await receivers[n]!.until(1)
}
await call('/v1/pets/1', { key: oldClient.key })
await until(async () => (await call('/v1/deprecations', { key: oldClient.key })).text !== '[]')

/** A time zone in which it is about noon: hours before a shop closes, and hours after midnight. */
const BEHIND = new Date().getUTCHours() - 12
const timezoneId = BEHIND === 0 ? 'UTC' : `Etc/GMT${BEHIND > 0 ? '+' : ''}${BEHIND}`
const HOUR = 3_600_000
const midnight = () => Math.floor((Date.now() - BEHIND * HOUR) / (24 * HOUR)) * 24 * HOUR + BEHIND * HOUR

/** A person, who counts: each click, and each field that is typed in. Enter and other keys are not counted. */
function personAt(page: Page) {
  let steps = 0
  return {
    page,
    ...partsOf(page),
    count: () => steps,
    click: async (what: Locator) => {
      steps++
      await what.click()
    },
    type: async (what: Locator, text: string) => {
      steps++
      await what.pressSequentially(text)
    },
    press: (key: string) => page.keyboard.press(key),
    button: (name: string | RegExp) => page.getByRole('button', { name }),
    section: (name: string | RegExp) => page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name }),
  }
}
type Person = ReturnType<typeof personAt>

/** What a person looks for: a different pet for each, so that no test changes the pet of another. */
interface Wanted {
  pet: string
  reference: string
  isWide: boolean
}

async function find({ click, type, press, button, panel, page }: Person, name: string) {
  await click(button(/^Search/))
  await type(page.getByRole('combobox', { name: 'Search' }), name.toLowerCase())
  await press('Enter')
  await panel.getByRole('heading', { name, exact: true }).waitFor()
}

const add = (name: string, status = 'available') => pets.add(name, { categoryId: DOGS, status })

interface Task {
  what: string
  /** Undefined where the keyboard is all that is used. */
  most: number | undefined
  /** Staff need not be able to. */
  isOfManager?: boolean
  run: (person: Person, wanted: Wanted) => Promise<void>
}

const TASKS: readonly Task[] = [
  {
    what: 'find Momo and open it',
    most: 2,
    isOfManager: true,
    run: async (person, { pet }) => {
      await find(person, pet)
      assert.match(new URL(person.page.url()).search, /^\?pet=\d+$/)
    },
  },
  {
    what: 'show the available dogs, and how many',
    most: 3,
    isOfManager: true,
    run: async ({ click, type, press, section, page, tab, rows }) => {
      const { rows: stored } = await pool.query<{ count: number }>(
        `select count(*)::int from pets where category_id = ${DOGS} and status = 'available'`,
      )
      await click(section('Pets'))
      await type(page.getByRole('combobox', { name: 'Category' }), 'dog')
      await page.getByRole('option', { name: 'Dogs', selected: true }).waitFor()
      await press('Enter')
      await click(tab('Available'))
      await tab('Available').getByText(String(stored[0]?.count), { exact: true }).waitFor()
      await rows.nth(49).waitFor()
      assert.equal(await rows.filter({ hasText: /Cats|Birds|Sold/ }).count(), 0)
    },
  },
  {
    what: 'sell Momo over the counter',
    most: 4,
    run: async (person, { pet }) => {
      await find(person, pet)
      await person.click(person.panel.getByRole('button', { name: 'Sell', exact: true }))
      await person.click(person.button(`Sell ${pet}`))
      await person.toast.getByText(`${pet} is sold.`).waitFor()
      await person.state('Sold').waitFor()
    },
  },
  {
    what: 'reserve three cats for "Mrs. Sánchez" until closing',
    most: 8,
    run: async ({ click, type, press, section, page, row, bulk, toast }, { pet }) => {
      const cats = ['Tom', 'Kitty', 'Félix'].map((name) => `${name} ${pet}`)
      for (const name of cats) await pets.add(name, { categoryId: DOGS + 1n, status: 'available' })
      await click(section('Pets'))
      await type(page.getByRole('combobox', { name: 'Category' }), 'cat')
      await page.getByRole('option', { name: 'Cats', selected: true }).waitFor()
      await press('Enter')
      for (const name of cats) await click(row(name).getByRole('checkbox'))
      await click(bulk.getByRole('button', { name: 'Reserve…' }))
      const form = page.getByRole('dialog', { name: 'Reserve 3 pets' })
      await type(form.getByLabel('For whom'), 'Mrs. Sánchez')
      await click(form.getByRole('radio', { name: 'Until closing' }))
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(request.headers()['idempotency-key'] ?? '')
      })
      await press('Enter')
      await toast.getByText('3 reserved for Mrs. Sánchez until 18:00').waitFor()
      for (const name of cats) await row(name).getByText('Mrs. Sánchez').waitFor()
      assert.equal(new Set(sent).size, 3, 'each is an order of its own')
    },
  },
  {
    what: 'who renamed this pet, when, from what',
    most: 2,
    run: async (person, { pet }) => {
      const id = await add(`Old ${pet}`)
      const patch = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } }
      await call(`/v1/pets/${id}`, { ...patch, body: JSON.stringify({ name: `New ${pet}` }), key: manager.key })
      await endOfFeed(store)
      await find(person, `New ${pet}`)
      const who = await person.panel.getByRole('listitem').filter({ hasText: 'renamed' }).innerText()
      assert.match(who, new RegExp(`(Mira \\(manager\\)|You) renamed Old ${pet} to New ${pet}`))
      assert.match(who, /\d\d:\d\d|ago|now/)
    },
  },
  {
    what: 'what sold today, and yesterday',
    most: 0,
    run: async ({ page }) => {
      const { rows } = await pool.query<{ today: number; yesterday: number }>(
        `select count(*) filter (where closed_at >= to_timestamp($1))::int as today,
                count(*) filter (where closed_at < to_timestamp($1))::int as yesterday
         from orders where status = 'completed' and closed_at >= to_timestamp($1) - interval '1 day'`,
        [midnight() / 1_000],
      )
      const { today, yesterday } = rows[0]!
      assert.ok(today > 0 && yesterday > 0)
      const card = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Sold today' }) })
      await card.getByText(`Yesterday ${yesterday}`).waitFor()
      assert.match(await card.locator('.figure').innerText(), new RegExp(`^${today}\\s`))
    },
  },
  {
    what: 'correct a category and take it back, keyboard only',
    most: undefined,
    run: async ({ press, page, panel, toast, focused }, { pet }) => {
      const id = await add(`Wrong ${pet}`)
      await press('Control+k')
      await page.keyboard.type(`wrong ${pet.toLowerCase()}`)
      await press('Enter')
      await panel.getByRole('heading', { name: `Wrong ${pet}` }).waitFor()
      const isField = () => page.evaluate(`document.activeElement.matches('.panel [role=combobox]')`)
      for (let n = 0; n < 12 && !(await isField()); n++) await press('Tab')
      await page.keyboard.type('hamst')
      await press('Enter')
      await toast.getByText(`Wrong ${pet} is now in Hamsters.`).waitFor()
      assert.equal((await pets.read(id))?.categoryId, 5n)
      await press('Control+z')
      await toast.getByText(`Wrong ${pet} is as it was.`).waitFor()
      assert.equal((await pets.read(id))?.categoryId, DOGS)
      // A field.
      assert.equal(await focused(), '')
    },
  },
  {
    what: 'which order of "web-4309" is it, and release it',
    most: 4,
    run: async ({ click, type, press, section, page, button }, { pet, reference }) => {
      const id = await add(`Held ${pet}`)
      // The customer had another one, which ended long ago.
      const before = orderOf(await orders.place(id, { reference }))
      await orders.cancel(before.id)
      const order = orderOf(await orders.place(id, { reference }))
      await click(section(/^Orders/))
      await type(page.getByRole('textbox', { name: 'Reference or order id' }), reference)
      await press('Enter')
      const pane = page.getByRole('complementary', { name: 'Order' })
      await pane.getByText(order.id).waitFor()
      await pane.getByRole('heading', { name: `Held ${pet}` }).waitFor()
      await click(pane.getByRole('button', { name: 'Release' }))
      await click(button('Release pet'))
      await page.getByText(`Held ${pet} is available again.`).waitFor()
      assert.equal(orderOf(await orders.get(order.id)).status, 'cancelled')
    },
  },
  {
    what: 'which webhook fails, why, try now',
    most: 3,
    isOfManager: true,
    run: async ({ click, page, button }, { pet }) => {
      const pane = page.getByRole('complementary')
      warehouse.respond = (_, response) => {
        response.writeHead(507, { 'content-type': 'text/plain' }).end(`disk full at ${pet}`)
        return undefined
      }
      const id = await add(`Gone ${pet}`)
      await pets.remove(id)
      await until(async () => (await hooks.list()).find(({ name }) => name === 'Warehouse')?.failingSince)
      // Home says so by itself, some seconds later.
      await page.reload()
      await click(page.getByRole('link', { name: /Warehouse is failing since/ }))
      await pane.getByRole('heading', { name: 'Warehouse' }).waitFor()
      await pane.getByText(/507/).first().waitFor()
      await pane.getByText(`disk full at ${pet}`).first().waitFor()
      warehouse.respond = () => 204
      await click(button('Try now'))
      await pane.getByText('Up to date').waitFor()
      assert.equal(warehouse.received.at(-1)?.event.subject, `pets/${id}`)
    },
  },
  {
    what: 'who still calls deprecated operations',
    most: 2,
    isOfManager: true,
    run: async ({ click, page, button, section }, { isWide }) => {
      if (isWide) {
        await click(section('People'))
        await click(page.getByRole('link', { name: /^Uses deprecated operations/ }))
        await page.getByRole('row').nth(1).waitFor()
        assert.equal(await page.getByRole('row').count(), 2)
      } else {
        await click(button('More'))
        await click(page.getByRole('dialog').getByRole('link', { name: 'People' }))
      }
      await page.getByRole('row', { name: /Old shop.* 1$/ }).waitFor()
    },
  },
]

const PETS = ['Momo', 'Nala', 'Otis', 'Pepper', 'Quincy', 'Rocky', 'Simba', 'Tilly']

for (const [who, { key }] of Object.entries({ staff, manager }))
  for (const width of [1440, 390])
    for (const colorScheme of ['light', 'dark'] as const) {
      const pet = PETS.pop()!
      const wanted = { pet, reference: `web-43${PETS.length}9`, isWide: width > 1000 }
      test(`${who}, ${width} px, ${colorScheme}: each of the ten tasks takes as many clicks and fields as it may`, (t) =>
        doAll(t, who === 'manager', wanted, { key, width, height: 844, colorScheme, timezoneId }))
    }

async function doAll(t: TestContext, isManager: boolean, wanted: Wanted, options: TabOptions) {
  await add(wanted.pet)
  await using tab = await store.open('/nowhere', options)
  const { page } = tab
  const counted: string[] = []
  for (const [n, { what, most, isOfManager = false, run }] of TASKS.entries())
    if (isManager || !isOfManager)
      await t.test(`${n + 1}: ${what}`, async () => {
        await page.goto(`${store.address}/console`)
        await settle(page)
        const person = personAt(page)
        await run(person, wanted)
        counted.push(`${n + 1}: ${person.count()} of ${most ?? 'keyboard'}`)
        assert.ok(person.count() <= (most ?? 0), `${person.count()} clicks and fields`)
      })
  t.diagnostic(counted.join(' | '))
}
