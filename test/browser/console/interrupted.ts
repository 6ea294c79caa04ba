import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { loseResponse, startConsole } from '../../support/console-browser.ts'
import { newCategory, partsOf, petsOf, readOf } from '../../support/console-pets.ts'
import { type Order, orderOf } from '../../support/orders.ts'
import { until } from '../../support/until.ts'

// Each change of a pet, with what can come between it and its response: nothing is lost, nothing is done twice, and what is said is true.

const store = await startConsole()
const pets = petsOf(store)

const LOST = 'The connection was lost for a moment. What you see now is what is stored.'
const UNREACHABLE = 'The service could not be reached.'
const PLACE = /\/v1\/store\/orders$/
const COMPLETE = /\/v1\/store\/orders\/[^/]+\/complete$/
const CANCEL = /\/v1\/store\/orders\/[^/]+\/cancel$/
const PET = /\/v1\/pets\/\d+$/
const LIMITED = {
  status: 429,
  headers: { 'retry-after': '23' },
  json: { code: 'rate_limited', message: 'Try again after `Retry-After` seconds.' },
}

interface Write {
  what: string
  isHeld?: boolean
  /** What it sends, at the end. */
  url: RegExp
  act: (page: Page) => Promise<void>
  /** In the store, once and only once: the pet after it, and the states of its orders. */
  after: { name?: string; categoryId?: bigint; status?: string; version: bigint } | undefined
  orders: string[]
}

const sell = async (page: Page) => {
  const { panel } = partsOf(page)
  const form = panel.getByRole('button', { name: /^Sell ./ })
  if (!(await form.isVisible())) await panel.getByRole('button', { name: 'Sell', exact: true }).click()
  await form.click()
}

const WRITES: Write[] = [
  {
    what: 'a new name',
    url: PET,
    act: async (page) => {
      const field = partsOf(page).panel.getByLabel('Name')
      await field.fill('Rexina')
      await field.press('Enter')
    },
    after: { name: 'Rexina', version: 2n },
    orders: [],
  },
  {
    what: 'a new category',
    url: PET,
    act: async (page) => {
      const field = partsOf(page).panel.getByRole('combobox', { name: 'Category' })
      await field.fill('7')
      await field.press('Enter')
    },
    after: { categoryId: 7n, version: 2n },
    orders: [],
  },
  {
    what: 'a status that is corrected',
    url: PET,
    act: (page) => partsOf(page).mark('Sold'),
    after: { status: 'sold', version: 2n },
    orders: [],
  },
  {
    what: 'a deletion',
    url: PET,
    act: async (page) => {
      await partsOf(page).choose('Delete pet…')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    },
    after: undefined,
    orders: [],
  },
  { what: 'the order of a sale', url: PLACE, act: sell, after: { status: 'sold', version: 3n }, orders: ['completed'] },
  {
    what: 'the completion of a sale',
    url: COMPLETE,
    act: sell,
    after: { status: 'sold', version: 3n },
    orders: ['completed'],
  },
  {
    what: 'a reservation',
    url: PLACE,
    act: async (page) => {
      const { panel } = partsOf(page)
      const form = panel.getByRole('button', { name: 'Reserve until' })
      if (!(await form.isVisible())) await panel.getByRole('button', { name: 'Reserve…' }).click()
      await form.click()
    },
    after: { status: 'pending', version: 2n },
    orders: ['placed'],
  },
  {
    what: 'the sale of a held pet',
    isHeld: true,
    url: COMPLETE,
    act: (page) => partsOf(page).panel.getByRole('button', { name: 'Complete sale' }).click(),
    after: { status: 'sold', version: 3n },
    orders: ['completed'],
  },
  {
    what: 'a release',
    isHeld: true,
    url: CANCEL,
    act: async (page) => {
      await partsOf(page).panel.getByRole('button', { name: 'Release' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Release pet' }).click()
    },
    after: { status: 'available', version: 3n },
    orders: ['cancelled'],
  },
]

async function stored({ isHeld }: Pick<Write, 'isHeld'> = {}) {
  const categoryId = newCategory()
  const id = await pets.add('Rex', { categoryId, status: 'available' })
  if (isHeld) await pets.reserve(id, { reference: 'Mrs. Okafor' })
  return { id, path: `/pets?category=${categoryId}&pet=${id}` }
}

const ordersOf = async (id: bigint) => (await store.call(`/v1/store/orders?petId=${id}`)).body as Order[]

/** Waits until the write is done, and fails if it was done twice. */
async function assertDone(id: bigint, { after, orders }: Pick<Write, 'after' | 'orders'>) {
  const pet = await until(async () => {
    const now = await pets.read(id)
    return (now?.version ?? 0n) >= (after?.version ?? 0n) && { now }
  })
  assert.deepEqual(pet.now && { ...pet.now, ...after }, pet.now)
  assert.equal(pet.now === undefined, after === undefined)
  assert.deepEqual(
    (await ordersOf(id)).map(({ status }) => status),
    orders,
  )
}

async function signInAgain(page: Page, key: string) {
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  await dialog.getByText('Your session has ended.').waitFor()
  await dialog.getByLabel('API key').fill(key)
  await dialog.getByLabel('API key').press('Enter')
}

const note = (page: Page, text: string) => partsOf(page).panel.getByRole('alert').filter({ hasText: text })

for (const write of WRITES) {
  test(`${write.what}: its response is lost and the network goes, and when it is back the panel shows what is stored`, async () => {
    const { id, path } = await stored(write)
    await using tab = await store.open(path, { isLive: true })
    const { page } = tab
    const { panel, state, live, toast } = partsOf(page)
    await live()
    await page.route(
      write.url,
      async (route) => {
        await tab.context.setOffline(true)
        await loseResponse(route)
      },
      { times: 1 },
    )
    await write.act(page)
    // The request that was waiting for events may still get one, which says what the response does not.
    await panel.getByText(UNREACHABLE).or(toast).or(note(page, LOST)).first().waitFor()
    await tab.context.setOffline(false)
    // Only half of the sale is done, and that is seen.
    if (write.what === 'the order of a sale') {
      await note(page, LOST).waitFor()
      await panel.getByRole('button', { name: 'Complete sale' }).click()
    }
    await assertDone(id, write)
    if (write.after === undefined) await panel.getByText('This pet does not exist.').or(toast).waitFor()
    else {
      const status = write.after.status ?? 'available'
      await state(write.orders[0] === 'placed' ? 'Held' : status[0]!.toUpperCase() + status.slice(1)).waitFor()
      await panel.getByRole('heading', { name: write.after.name ?? 'Rex', exact: true }).waitFor()
    }
    await panel.getByText(UNREACHABLE).first().waitFor({ state: 'detached' })
    await panel.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    assert.equal(await panel.getByText('not known yet').count(), 0)
    assert.equal(await panel.locator('.float form').count(), 0)
  })

  test(`${write.what}: the session has ended, and it is done once after signing in again`, async () => {
    const { id, path } = await stored(write)
    await using tab = await store.open(path)
    const { page } = tab
    await partsOf(page).panel.getByText('added it').waitFor()
    await page.route(
      write.url,
      async (route) => {
        await page.evaluate(async () => void (await fetch('/console/session', { method: 'DELETE' })))
        await route.continue()
      },
      { times: 1 },
    )
    await write.act(page)
    await signInAgain(page, store.key)
    await partsOf(page).toast.first().waitFor()
    await assertDone(id, write)
    assert.equal(await page.getByRole('dialog', { name: 'Sign in' }).count(), 0)
  })

  test(`${write.what}: too many requests say when to try again, ask for nothing more, and nothing is done twice`, async () => {
    const { id, path } = await stored(write)
    // No events: what is read is asked for.
    const key = await store.createKey({
      scopes: ['pets:read', 'pets:edit', 'pets:delete', 'orders:read', 'orders:write'],
    })
    await using tab = await store.open(path, { key })
    const { page } = tab
    const { panel } = partsOf(page)
    await panel.getByLabel('Name').waitFor()
    const reads = () => tab.sent.filter((url) => readOf(id).test(url)).length
    let before = 0
    await page.route(write.url, (route) => {
      before = reads()
      return route.fulfill(LIMITED)
    })
    await write.act(page)
    const limited = panel.getByText('Too many requests. Try again in 23 s.')
    await limited.waitFor()
    assert.equal(reads(), before)
    await page.unroute(write.url)
    await write.act(page)
    await partsOf(page).toast.first().waitFor()
    await assertDone(id, write)
    await limited.waitFor({ state: 'detached' })
  })
}

for (const write of WRITES.filter(({ url }) => url === PET))
  test(`${write.what}: only its response is lost, and the panel says what it shows`, async () => {
    const { id, path } = await stored()
    await using tab = await store.open(path)
    const { page } = tab
    const { panel, toast } = partsOf(page)
    await panel.getByText('added it').waitFor()
    await page.route(write.url, loseResponse)
    await write.act(page)
    if (write.after) await note(page, LOST).waitFor()
    else await toast.getByText('Rex was deleted.').waitFor()
    await assertDone(id, write)
    await panel.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
  })

test('an undo whose response is lost is done once, and the panel says what it shows', async () => {
  const { id, path } = await stored()
  await using tab = await store.open(path)
  const { page } = tab
  const { toast, mark, state } = partsOf(page)
  await mark('Sold')
  await toast.getByText('Rex is now sold.').waitFor()
  await page.route(PET, loseResponse)
  await page.keyboard.press('Control+z')
  await note(page, LOST).waitFor()
  await state('Available').waitFor()
  await page.keyboard.press('Control+z')
  await assertDone(id, { after: { status: 'available', version: 3n }, orders: [] })
})

test('a form that is changed after its order was placed without a response shows that order, and places no other', async () => {
  const { id, path } = await stored()
  const key = await store.createKey({ scopes: ['pets:read', 'orders:read', 'orders:write'] })
  await using tab = await store.open(path, { key })
  const { page } = tab
  const { panel, state } = partsOf(page)
  await panel.getByRole('button', { name: 'Reserve…' }).click()
  await panel.getByLabel('For whom').fill('Ann')
  await page.route(PLACE, loseResponse)
  // As if the network was gone for longer.
  await page.route(readOf(id), (route) => route.abort())
  await panel.getByRole('button', { name: 'Reserve until' }).click()
  await panel.locator('.float').getByText(UNREACHABLE).waitFor()
  await page.unroute(PLACE)
  await page.unroute(readOf(id))
  if (await panel.getByLabel('For whom').isVisible()) {
    await panel.getByLabel('For whom').fill('Bob')
    await panel.getByRole('button', { name: 'Reserve until' }).click()
  }
  await note(page, LOST).waitFor()
  await state('Held').waitFor()
  await panel.getByRole('link', { name: 'Ann' }).waitFor()
  const [order, ...others] = await ordersOf(id)
  assert.deepEqual([order?.reference, others.length], ['Ann', 0])
})

test('a key that is revoked in the middle of a sale leaves the order to the next person, who completes it', async () => {
  const { id, path } = await stored()
  const key = await store.createKey({ name: 'Gone' })
  await using tab = await store.open(path, { key, isLive: true })
  const { page } = tab
  const { panel, toast, state } = partsOf(page)
  await state('Available').waitFor()
  const revoke = `with gone as (update api_keys set revoked_at = now() where name = 'Gone' returning id)
    select pg_notify('api_keys_changed', id) from gone`
  await page.route(
    COMPLETE,
    async (route) => {
      await store.pool.query(revoke)
      const headers = { authorization: `Bearer ${key}` }
      await until(async () => (await fetch(`${store.address}/v1/pets`, { headers })).status === 401)
      await route.continue()
    },
    { times: 1 },
  )
  await sell(page)
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  await signInAgain(page, key)
  await dialog.getByRole('alert').filter({ hasText: 'revoked' }).waitFor()
  assert.deepEqual(
    (await ordersOf(id)).map(({ status }) => status),
    ['placed'],
  )
  await signInAgain(page, store.key)
  await state('Held').waitFor()
  // Nothing that the one began is done with the key of the other.
  await panel.locator('.hold-box .who').getByText('Gone').waitFor()
  await panel.getByRole('button', { name: 'Complete sale' }).click()
  await toast.getByText('Rex is sold.').waitFor()
  await assertDone(id, { after: { status: 'sold', version: 3n }, orders: ['completed'] })
  const [order] = await ordersOf(id)
  assert.notEqual(order?.placedBy, orderOf({ body: order } as never).closedBy)
})
