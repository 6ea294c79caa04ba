import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startConsole } from '../../support/console-browser.ts'
import { petsOf } from '../../support/console-pets.ts'
import { fillShop } from '../../support/console-shop.ts'
import { load, type Rows, untilRows } from '../../support/console-speed.ts'
import { createTestKey } from '../../support/factories.ts'
import { ORDERS, type Order, orderCalls, orderRow } from '../../support/orders.ts'

// A store of 100,000 pets, 50,000 orders and 100,000 events is as quick to open and to follow as a small one.

const MAX_REQUESTS = 6
const MAX_FAST_MS = 1_000
const MAX_SLOW_MS = 3_000
const MAX_LIVE_MS = 1_000
/** The best of so many counts: what the machine does besides takes time too. */
const ROUNDS = 3

const store = await startConsole()
const pets = petsOf(store)
const orders = orderCalls(store.call)
const { id: keyId } = await createTestKey(store.pool, { name: 'Ben (weekend)' })
await fillShop(store.pool, { pets: 100_000, orders: 50_000, open: 400, days: 365, keyId })
const MOMO = await pets.add('Momo', { status: 'available' })

interface Shown {
  name: string
  path: string
  rows: Rows
  /** The last read that the rows need, where others of the screen come after it. */
  last?: RegExp
}

const table = (count: number): Rows => ({ selector: 'table tbody tr', count })
const HOME: Shown = { name: 'Home', path: '', rows: { selector: '.open-orders li', count: 8 }, last: /\/v1\/pets\?/ }
const PETS: Shown = { name: 'Pets', path: '/pets', rows: table(50) }
const PET: Shown = { name: 'a pet', path: `/pets?pet=${MOMO}`, rows: { selector: '.panel .summary', count: 1 } }
const OPEN: Shown = { name: 'Orders', path: '/orders', rows: table(50) }
const ACTIVITY: Shown = { name: 'Activity', path: '/activity', rows: { selector: '.event', count: 50 } }
const SEARCH: Shown = { name: 'a search', path: '/pets?name=bel', rows: table(20) }
const SCREENS = [HOME, PETS, PET, OPEN, ACTIVITY, SEARCH]

/** Measures until one is within the limit. */
async function best(most: number, measure: () => Promise<number>) {
  const all: number[] = []
  do all.push(await measure())
  while (all.length < ROUNDS && Math.min(...all) > most)
  return Math.min(...all)
}

/** What is read of the store; the page, its files and the check of the session come before. */
const isRead = (url: string) => url.includes('/v1/')

async function assertOpens(t: TestContext, { path, rows, last = /./ }: Shown, most: number, isSlow: boolean) {
  let asked: string[] = []
  const ms = await best(most, async () => {
    const { requests, rowsMs } = await load(store, path, rows, { isSlow })
    const reads = requests.filter(isRead)
    asked = reads.slice(0, reads.findLastIndex((url) => last.test(url)) + 1)
    return rowsMs
  })
  t.diagnostic(`rows after ${ms.toFixed(0)} ms and ${asked.length} requests`)
  assert.ok(asked.length > 0 && asked.length <= MAX_REQUESTS, asked.join('\n'))
  assert.ok(ms <= most, `${ms} ms`)
}

for (const screen of SCREENS) {
  test(`${screen.name}: the first rows take 6 requests at most, and a second`, (t) =>
    assertOpens(t, screen, MAX_FAST_MS, false))

  test(`${screen.name}: on a slow phone and network the first rows take 3 seconds`, (t) =>
    assertOpens(t, screen, MAX_SLOW_MS, true))
}

test('what changes is shown within a second', async (t) => {
  await using tab = await store.open('/nowhere', { isLive: true })
  const { page } = tab
  let changes = 0
  const rename = async () => {
    const name = `Momo ${++changes}`
    await pets.change(MOMO, { name })
    return name
  }
  const shows = async (screen: Shown, change: (page: Page) => Promise<void>) => {
    const begun = page.waitForRequest(/\/v1\/events\?.*\bwait=/)
    await page.goto(`${store.address}/console${screen.path}`)
    await untilRows(page, screen.rows)
    await begun
    const ms = await best(MAX_LIVE_MS, async () => {
      const from = performance.now()
      await change(page)
      return performance.now() - from
    })
    t.diagnostic(`${screen.name}: ${ms.toFixed(0)} ms`)
    assert.ok(ms <= MAX_LIVE_MS, `${screen.name}: ${ms} ms`)
  }
  const first = (selector: string) => async () => {
    const name = await rename()
    await page.locator(selector).getByText(name, { exact: true }).first().waitFor()
  }
  await shows(HOME, first('.card li'))
  await shows(PETS, first('tbody'))
  await shows(PET, first('.panel h2'))
  await shows(ACTIVITY, first('.event'))
  await shows({ ...SEARCH, path: '/pets?name=momo', rows: table(1) }, first('tbody'))
  await shows(OPEN, async () => {
    const { body } = await store.call(`${ORDERS}?status=placed&sort=expiring&limit=1`)
    const [order] = body as Order[]
    assert.ok(order)
    await orders.complete(order.id)
    await orderRow(page, order.id).getByText('Sold').waitFor()
  })
})
