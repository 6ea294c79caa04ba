import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parseExact } from '../../support/app.ts'
import { categoryCalls } from '../../support/categories.ts'
import { assertFits, startConsole } from '../../support/console-browser.ts'
import { goOffline } from '../../support/console-feed.ts'
import { newCategory, partsOf, petsOf } from '../../support/console-pets.ts'

const store = await startConsole()
const pets = petsOf(store)
const READER = await store.createKey({ scopes: ['pets:read', 'events:read'] })

test('status tabs are links, and each view has its own address', async () => {
  const categoryId = newCategory()
  await pets.add('Sold one', { categoryId, status: 'sold' })
  await pets.add('Pending one', { categoryId, status: 'pending' })
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const { row } = partsOf(tab.page)
  await row('Pending one').waitFor()
  await partsOf(tab.page).tab('Sold').click()
  await row('Sold one').waitFor()
  assert.equal(await row('Pending one').count(), 0)
  assert.equal(new URL(tab.page.url()).search, `?category=${categoryId}&status=sold`)
  await using second = await store.open(`/pets${new URL(tab.page.url()).search}`, { beside: tab })
  await partsOf(second.page).row('Sold one').waitFor()
  assert.equal(await partsOf(second.page).rows.count(), 1)
})

test('for whom pets are held is read a hundred open orders at a time, and none by itself', async () => {
  const { categoryId, ids } = await pets.addMany(8)
  for (const id of ids) await pets.reserve(id, { expiresIn: 90_000, reference: `For ${id}` })
  const { ids: others } = await pets.addMany(101)
  for (const id of others) await pets.reserve(id, { expiresIn: 80_000 })
  await using tab = await store.open(`/pets?category=${categoryId}`)
  for (const id of ids) await tab.page.getByText(`For ${id}`, { exact: true }).waitFor()
  const read = tab.sent.filter((url) => /\/store\/orders[/?](?!count)/.test(url))
  assert.equal(read.length, 2, read.join())
})

test('back, forward and reload show the view of their address', async () => {
  const categoryId = newCategory()
  await pets.add('Old sale', { categoryId, status: 'sold' })
  await pets.add('On offer', { categoryId, status: 'available' })
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const { row, panel } = partsOf(tab.page)
  await partsOf(tab.page).tab('Sold').click()
  await row('On offer').waitFor({ state: 'detached' })
  await row('Old sale').getByRole('link', { name: 'Old sale' }).click()
  await panel.getByRole('heading', { name: 'Old sale' }).waitFor()
  await tab.page.reload()
  await panel.getByRole('heading', { name: 'Old sale' }).waitFor()
  await tab.page.goBack()
  await panel.waitFor({ state: 'detached' })
  await tab.page.goBack()
  await row('On offer').waitFor()
  await tab.page.goForward()
  await row('On offer').waitFor({ state: 'detached' })
})

test('pets are listed newest first', async () => {
  const { categoryId, ids } = await pets.addMany(3)
  await using tab = await store.open(`/pets?category=${categoryId}`)
  await partsOf(tab.page).row('Pet 3').waitFor()
  const shown = await partsOf(tab.page).shownIds()
  assert.deepEqual(shown, ids.toReversed().map(String))
})

test('/ finds pets by ids that are separated by commas or line breaks', async () => {
  const { ids } = await pets.addMany(4)
  await using tab = await store.open('/pets')
  const { rows } = partsOf(tab.page)
  await rows.first().waitFor()
  await tab.page.keyboard.press('/')
  // As pasted: an input would join the lines, and look for another id.
  await tab.page.keyboard.insertText(`${ids[0]}, ${ids[1]}\n${ids[2]},${ids[3]}`)
  await tab.page.keyboard.press('Enter')
  await tab.page.waitForURL((url) => url.searchParams.get('id') === ids.join())
  await tab.page.locator('tbody tr:nth-child(4):last-child').waitFor()
  assert.deepEqual(await partsOf(tab.page).shownIds(), ids.toReversed().map(String))
})

test('ids keep all their digits, negatives too, and those that no pet has are named', async () => {
  const id = await pets.add('Found')
  await using tab = await store.open('/pets')
  const { rows, row } = partsOf(tab.page)
  await rows.first().waitFor()
  const asked: string[] = []
  tab.page.on('request', (request) => asked.push(new URL(request.url()).searchParams.get('id') ?? ''))
  await tab.page.getByLabel('Name or id').fill(`${id}, 9223372036854775807, -9223372036854775808`)
  await tab.page.keyboard.press('Enter')
  await row('Found').waitFor()
  await tab.page.getByText('Not found: 9223372036854775807, -9223372036854775808').waitFor()
  assert.ok(asked.includes(`${id},9223372036854775807,-9223372036854775808`))
})

test('ids that no pet has are named on each of several pages', async () => {
  const { ids } = await pets.addMany(54)
  // One between the pages, and one at the beginning.
  const missing = [ids[2]!, ids[53]!]
  for (const id of missing) await pets.remove(id)
  await using tab = await store.open(`/pets?id=${ids.join()}`)
  const notice = tab.page.getByText(`Not found: ${missing.join(', ')}`)
  await notice.waitFor()
  await tab.page.getByRole('button', { name: 'Next' }).click()
  await tab.page.waitForURL(/after=/)
  await partsOf(tab.page).row('Pet 1').waitFor()
  await notice.waitFor()
})

test('an id beyond 64 bits, or more than 100 of them, is caught before anything is sent', async () => {
  await pets.add('Any')
  await using tab = await store.open('/pets')
  await partsOf(tab.page).rows.first().waitFor()
  const field = tab.page.getByLabel('Name or id')
  for (const [text, message] of [
    ['9223372036854775808', 'outside the range of 64 bits'],
    [Array.from({ length: 101 }, (_, n) => n + 1).join(), '101 ids: at most 100'],
  ] as const) {
    await field.fill(text)
    await field.press('Enter')
    await tab.page.getByText(message).waitFor()
    assert.equal(new URL(tab.page.url()).search, '')
  }
  await field.fill(Array.from({ length: 100 }, (_, n) => n + 1).join())
  await field.press('Enter')
  await tab.page.waitForURL(/id=1,2,.*,100$/)
})

test('a category is chosen by its name, with the number of its pets, and by its number', async () => {
  const categoryId = newCategory()
  for (const name of ['Sphynx', 'Manx']) await pets.add(name, { categoryId })
  const named = await categoryCalls(store.call).put(categoryId, 'Hairless cats')
  assert.ok(named.status < 300, named.text)
  await using tab = await store.open('/pets')
  const { page, sent } = tab
  const field = page.getByRole('combobox', { name: 'Category' })
  await field.click()
  const options = page.getByRole('listbox', { name: 'Category' }).getByRole('option')
  await options.filter({ hasText: 'Hairless cats' }).getByText('2', { exact: true }).waitFor()
  assert.equal(await options.first().innerText(), 'All categories')
  await field.pressSequentially('hair')
  assert.equal(await options.count(), 1)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.search === `?category=${categoryId}`)
  assert.equal(await field.inputValue(), 'Hairless cats')
  await partsOf(page).row('Manx').waitFor()
  await partsOf(page).tab('All').getByText('2', { exact: true }).waitFor()
  const counts = sent.filter((url) => url.includes('/pets/count') && url.includes(`categoryId=${categoryId}`))
  assert.ok(counts.length > 0 && counts.every((url) => url.includes('/counts?')), 'one request for all statuses')
  // Escape closes the list, and nothing else; what was typed and can't be meant goes.
  await field.fill('1.5')
  assert.equal(await options.count(), 0)
  await page.keyboard.press('Escape')
  assert.equal(await field.inputValue(), 'Hairless cats')
  await field.fill('all')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.search === '')
  // A number that no list has, as one leaves the field.
  await field.fill('9223372036854775806')
  await page.keyboard.press('Tab')
  await page.waitForURL((url) => url.search === '?category=9223372036854775806')
  assert.equal(await field.inputValue(), 'No. 9223372036854775806')
  assert.equal(sent.filter((url) => url.includes('counts=true')).length, 1, 'opened again at once, it counts no more')
})

test('a category narrows the list, with all 64 bits', async () => {
  // As a double, both are the same.
  const [lowest, categoryId] = [-9_223_372_036_854_775_808n, -9_223_372_036_854_775_807n]
  await pets.add('Lowest', { categoryId: lowest })
  await pets.add('Nearly lowest', { categoryId })
  await using tab = await store.open('/pets')
  const { row } = partsOf(tab.page)
  await row('Lowest').waitFor()
  await tab.page.getByRole('combobox', { name: 'Category' }).fill(String(categoryId))
  await tab.page.keyboard.press('Enter')
  await row('Lowest').waitFor({ state: 'detached' })
  assert.equal(await row('Nearly lowest').locator('td.category').innerText(), `No. ${categoryId}`)
  assert.equal(new URL(tab.page.url()).search, `?category=${categoryId}`)
})

test('pages of 50: Next is a cursor in the address, Previous goes back, and every pet comes once', async () => {
  const { categoryId, ids } = await pets.addMany(60)
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const { row } = partsOf(tab.page)
  await row('Pet 60').waitFor()
  const first = await partsOf(tab.page).shownIds()
  assert.equal(first.length, 50)
  await tab.page.getByRole('button', { name: 'Next' }).click()
  await row('Pet 10').waitFor()
  assert.ok(new URL(tab.page.url()).searchParams.get('after'))
  const second = await partsOf(tab.page).shownIds()
  assert.deepEqual([...first, ...second], ids.toReversed().map(String))
  await tab.page.getByRole('button', { name: 'Previous' }).click()
  await row('Pet 60').waitFor()
  assert.equal(new URL(tab.page.url()).searchParams.get('after'), null)
})

test('a pet that was opened and closed is no step on the way to the previous page', async () => {
  const { categoryId } = await pets.addMany(52)
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const { row, link, panel } = partsOf(tab.page)
  await row('Pet 52').waitFor()
  await tab.page.keyboard.press('n')
  await link('Pet 2').click()
  await panel.getByRole('heading', { name: 'Pet 2' }).waitFor()
  await link('Pet 1').click()
  await panel.getByRole('heading', { name: 'Pet 1' }).waitFor()
  await panel.getByRole('button', { name: 'Close' }).click()
  await panel.waitFor({ state: 'detached' })
  await tab.page.keyboard.press('p')
  await row('Pet 52').waitFor()
})

test('what others change is shown in place, without a reload', async () => {
  const { categoryId, ids } = await pets.addMany(3)
  await using tab = await store.open(`/pets?category=${categoryId}&status=available`, { isLive: true })
  const { row, live } = partsOf(tab.page)
  await row('Pet 2').waitFor()
  await live()
  await pets.change(ids[1]!, { status: 'sold', name: 'Pet two' })
  await row('Pet two').getByText('Sold').waitFor()
  // It matches no longer, and yet nothing moves under the mouse.
  assert.deepEqual(await partsOf(tab.page).shownIds(), ids.toReversed().map(String))
  await pets.remove(ids[0]!)
  await tab.page.getByRole('cell', { name: 'Deleted' }).waitFor()
})

test('newer pets wait behind a button, and move nothing until it is pressed', async () => {
  const { categoryId, ids } = await pets.addMany(2)
  await using tab = await store.open(`/pets?category=${categoryId}`, { isLive: true })
  const { row, rows, live } = partsOf(tab.page)
  await row('Pet 2').waitFor()
  await live()
  await pets.addMany(3, categoryId)
  const button = tab.page.getByRole('button', { name: '3 newer pets — show' })
  await button.waitFor()
  assert.deepEqual(await partsOf(tab.page).shownIds(), ids.toReversed().map(String))
  await button.click()
  await row('Pet 3').waitFor()
  assert.equal(await rows.count(), 5)
  assert.equal(await button.count(), 0)
})

test('offline, the rows stay with a notice; back online, everything continues', async () => {
  const { categoryId, ids } = await pets.addMany(2)
  await using tab = await store.open(`/pets?category=${categoryId}`, { isLive: true })
  const { row, live } = partsOf(tab.page)
  await row('Pet 2').waitFor()
  await live()
  await goOffline(tab, store.call)
  const notice = tab.page.getByText('What you see may be out of date: The service could not be reached.')
  await notice.waitFor()
  await row('Pet 2').waitFor()
  await pets.change(ids[0]!, { status: 'sold' })
  await tab.context.setOffline(false)
  await row('Pet 1').getByText('Sold').waitFor()
  await notice.waitFor({ state: 'detached' })
})

test('a list that can’t be read says why, and Try again reads it', async () => {
  const { categoryId } = await pets.addMany(1)
  await using tab = await store.open('/key')
  await tab.page.route('**/v1/pets?**', (route) => route.fulfill({ status: 500, json: FAILURE }))
  await tab.page.getByRole('link', { name: 'Pets', exact: true }).click()
  await tab.page.getByText('Everything is broken.').waitFor()
  await tab.page.unroute('**/v1/pets?**')
  await tab.page.getByRole('button', { name: 'Try again' }).click()
  await partsOf(tab.page).rows.first().waitFor()
  assert.ok(categoryId)
})
const FAILURE = { code: 'internal_error', message: 'Everything is broken.' }

test('a cursor that leads nowhere offers the first page', async () => {
  const { categoryId } = await pets.addMany(1)
  await using tab = await store.open(`/pets?category=${categoryId}&after=nonsense`)
  await tab.page.getByRole('link', { name: 'Show the first page' }).click()
  await partsOf(tab.page).row('Pet 1').waitFor()
})

test('grey bars stand where rows will be', async () => {
  const { categoryId } = await pets.addMany(1)
  await using tab = await store.open('/key')
  const answered = Promise.withResolvers<void>()
  await tab.page.route('**/v1/pets?**', async (route) => {
    await answered.promise
    await route.continue()
  })
  await tab.page.getByRole('link', { name: 'Pets', exact: true }).click()
  await tab.page.getByRole('status', { name: 'Loading' }).waitFor()
  answered.resolve()
  await partsOf(tab.page).rows.first().waitFor()
  await tab.page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
  assert.ok(categoryId)
})

test('an empty store says how to import pets, and shows the first that comes', async () => {
  const other = await startConsole()
  await using tab = await other.open('/pets', { isLive: true })
  await tab.page.getByRole('heading', { name: 'No pets yet' }).waitFor()
  await tab.page.getByText('petstore import pets.csv', { exact: true }).waitFor()
  await partsOf(tab.page).live()
  await petsOf(other).add('The first')
  await partsOf(tab.page).row('The first').waitFor()
})

test('a filter that nothing matches leads back to all pets', async () => {
  await pets.add('Somebody')
  await using tab = await store.open(`/pets?category=${newCategory()}`)
  await tab.page.getByRole('heading', { name: 'No pets match' }).waitFor()
  await tab.page.getByRole('link', { name: 'Show all pets' }).click()
  await partsOf(tab.page).row('Somebody').first().waitFor()
})

test('j, k and the arrows walk the rows, Enter opens, and Esc gives the focus back to the row', async () => {
  const { categoryId } = await pets.addMany(3)
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const { row, panel, focused } = partsOf(tab.page)
  const { keyboard } = tab.page
  await row('Pet 3').waitFor()
  await keyboard.press('j')
  assert.equal(await focused(), 'Pet 3')
  await keyboard.press('ArrowDown')
  await keyboard.press('j')
  assert.equal(await focused(), 'Pet 1')
  await keyboard.press('k')
  assert.equal(await focused(), 'Pet 2')
  await keyboard.press('ArrowUp')
  assert.equal(await focused(), 'Pet 3')
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await panel.getByRole('heading', { name: 'Pet 2' }).waitFor()
  assert.equal(await focused(), 'Pet 2')
  assert.equal(await tab.page.evaluate('document.activeElement.tagName'), 'H2')
  await keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  assert.equal(await tab.page.evaluate('document.activeElement.closest("tr").innerText.includes("Pet 2")'), true)
})

test('n and p turn the pages by keyboard alone', async () => {
  const { categoryId } = await pets.addMany(51)
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const { row, rows } = partsOf(tab.page)
  await row('Pet 51').waitFor()
  await tab.page.keyboard.press('n')
  await row('Pet 51').waitFor({ state: 'detached' })
  await rows.first().waitFor()
  assert.equal(await rows.count(), 1)
  await tab.page.keyboard.press('p')
  await row('Pet 51').waitFor()
})

test('x selects rows, and a bulk change reports each outcome', async () => {
  const { categoryId, ids } = await pets.addMany(3)
  const orderId = await pets.reserve(ids[0]!)
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const { row, bulk, toast } = partsOf(tab.page)
  await row('Pet 3').waitFor()
  for (let n = 0; n < 3; n++) {
    await tab.page.keyboard.press('j')
    await tab.page.keyboard.press('x')
  }
  await bulk.getByText('3 selected').waitFor()
  await partsOf(tab.page).markSelected('pending')
  await tab.page.getByText('2 changed; 1 rejected:').waitFor()
  await tab.page.getByText(`The order ${orderId} holds the pet ${ids[0]}`).waitFor()
  assert.deepEqual(
    (await pets.list(categoryId)).map(({ status }) => status),
    ['pending', 'pending', 'pending'],
  )
  // What was refused stays selected.
  await bulk.getByText('1 selected').waitFor()
  await row('Pet 1').getByText('Held').waitFor()
  // What was changed can be undone.
  await tab.page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
  await toast.getByText('Undone for 2 pets').waitFor()
  await tab.page.getByText('rejected:').waitFor({ state: 'detached' })
  assert.deepEqual(
    (await pets.list(categoryId)).map(({ status }) => status),
    ['pending', 'available', 'available'],
  )
})

test('a bulk change of all can be undone', async () => {
  const { categoryId } = await pets.addMany(2)
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const { rows, toast } = partsOf(tab.page)
  await rows.first().waitFor()
  await tab.page.getByRole('checkbox', { name: 'Select all pets on this page' }).click()
  await partsOf(tab.page).markSelected('pending')
  await toast.getByText('2 changed').waitFor()
  await toast.getByRole('button', { name: 'Undo' }).click()
  await tab.page.locator('tbody .status.available').nth(1).waitFor()
  await toast.getByText('Undone for 2 pets').waitFor()
  assert.deepEqual(
    (await pets.list(categoryId)).map(({ status, version }) => [status, version]),
    [
      ['available', 3n],
      ['available', 3n],
    ],
  )
})

test('a bulk change sends the version of each pet, and overwrites nobody', async () => {
  const { categoryId, ids } = await pets.addMany(2)
  await using tab = await store.open(`/pets?category=${categoryId}`, { key: await store.createKey({ name: 'Ann' }) })
  const { rows } = partsOf(tab.page)
  await rows.first().waitFor()
  await tab.page.getByRole('checkbox', { name: 'Select all pets on this page' }).click()
  // Before the console can hear of it.
  await tab.page.route('**/v1/pets/*', async (route) => {
    if (route.request().url().endsWith(`/${ids[0]}`)) await pets.change(ids[0]!, { status: 'sold' })
    await route.continue()
  })
  await partsOf(tab.page).markSelected('pending')
  await tab.page.getByText('1 changed; 1 rejected:').waitFor()
  await tab.page.getByText('test changed this pet first. Your change was not saved').waitFor()
  assert.equal((await pets.read(ids[0]!))?.status, 'sold')
  // Nor does taking it back: in words of a shop.
  await tab.page.unroute('**/v1/pets/*')
  await pets.change(ids[1]!, { name: 'Renamed meanwhile' })
  await tab.page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
  await tab.page.getByText('Not undone: test changed the pet after that.').waitFor()
})

test('what a bulk change could not change is said by a toast if another page is shown by then', async () => {
  const { categoryId, ids } = await pets.addMany(2)
  const orderId = await pets.reserve(ids[0]!)
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const { rows, bulk, toast, focused } = partsOf(tab.page)
  await rows.first().waitFor()
  await tab.page.getByRole('checkbox', { name: 'Select all pets on this page' }).click()
  const held = Promise.withResolvers<void>()
  await tab.page.route('**/v1/pets/*', async (route) => {
    await held.promise
    await route.continue()
  })
  await partsOf(tab.page).markSelected('pending')
  await partsOf(tab.page).tab('Sold').click()
  await bulk.waitFor({ state: 'detached' })
  held.resolve()
  await toast.getByText(`1 changed; 1 rejected: Pet 1: The order ${orderId} holds the pet`).waitFor()
  assert.match(await focused(), /^Sold/, 'the focus stays')
})

test('the selection is cleared when the filter or the page changes', async () => {
  const { categoryId } = await pets.addMany(51)
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const { row, rows, bulk } = partsOf(tab.page)
  await row('Pet 51').waitFor()
  const all = tab.page.getByRole('checkbox', { name: 'Select all pets on this page' })
  await all.click()
  await bulk.getByText('50 selected').waitFor()
  await partsOf(tab.page).tab('Available').click()
  await rows.first().waitFor()
  assert.equal(await bulk.count(), 0)
  await all.click()
  await bulk.waitFor()
  await tab.page.keyboard.press('n')
  await row('Pet 51').waitFor({ state: 'detached' })
  await row('Pet 1').waitFor()
  assert.equal(await bulk.count(), 0)
  await tab.page.keyboard.press('p')
  await row('Pet 51').waitFor()
  assert.equal(await bulk.count(), 0, 'nor does it come back')
})

test('a read-only key sees no checkbox and no Add, and its keys do nothing', async () => {
  const { categoryId } = await pets.addMany(1)
  await using tab = await store.open(`/pets?category=${categoryId}`, { key: READER })
  const { row } = partsOf(tab.page)
  await row('Pet 1').waitFor()
  assert.equal(await tab.page.getByRole('checkbox').count(), 0)
  assert.equal(await tab.page.getByRole('button', { name: 'Add pet' }).count(), 0)
  await tab.page.keyboard.press('j')
  await tab.page.keyboard.press('x')
  await tab.page.keyboard.press('c')
  assert.equal(await partsOf(tab.page).bulk.count(), 0)
  assert.equal(await tab.page.getByRole('dialog').count(), 0)
})

test('a key that cannot read pets sees why, without an error', async () => {
  const key = await store.createKey({ scopes: ['orders:read'] })
  await using tab = await store.open('/pets', { key })
  await tab.page.getByText('Your key does not have the scope pets:read.').waitFor()
})

test('exports the filter, all its pages, as NDJSON and as CSV', async () => {
  const categoryId = newCategory()
  const odd = ['=cmd()', 'O"Malley, the cat', 'ネコ 🐈‍⬛', '<b>Bella</b>']
  for (const name of odd) await pets.add(name, { categoryId, status: 'sold' })
  await pets.addMany(101, categoryId)
  await using tab = await store.open(`/pets?category=${categoryId}`)
  const save = async (format: string) => {
    await tab.page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      tab.page.waitForEvent('download'),
      tab.page.getByRole('button', { name: `Download ${format}` }).click(),
    ])
    assert.equal(download.suggestedFilename(), `pets.${format.toLowerCase()}`)
    await tab.page.getByText('105 pets exported.').last().waitFor()
    return (await readFile(await download.path(), 'utf8')).trimEnd().split('\n')
  }
  const stored = await pets.list(categoryId)
  const lines = (await save('NDJSON')).map((line) => parseExact(line) as { id: bigint; name: string })
  assert.equal(lines.length, 105)
  assert.deepEqual(
    lines.slice(-4).map(({ id, name }) => [id, name]),
    stored
      .slice(0, 4)
      .map(({ id, name }) => [id, name])
      .toReversed(),
  )
  const [head, ...rows] = await save('CSV')
  assert.equal(head, 'id,name,categoryId,status')
  assert.equal(rows.length, 105)
  const [cmd, quoted] = [rows.at(-1), rows.at(-2)]
  assert.equal(cmd, `${stored[0]?.id},'=cmd(),${categoryId},sold`)
  assert.equal(quoted, `${stored[1]?.id},"O""Malley, the cat",${categoryId},sold`)
})

test('names with markup, of any script and length are text, and fit', async () => {
  const categoryId = newCategory()
  const names = ['<img src=x onerror=alert(1)>', '犬の太郎'.repeat(12), '👨‍👩‍👧‍👦 family', 'W'.repeat(255)]
  for (const name of names) await pets.add(name, { categoryId, status: 'available' })
  for (const width of [1440, 900, 390]) {
    await using tab = await store.open(`/pets?category=${categoryId}`, { width })
    await partsOf(tab.page).rows.first().waitFor()
    assert.deepEqual(await tab.page.locator('td.name a').allInnerTexts(), names.toReversed())
    assert.equal(await tab.page.locator('td img').count(), 0)
    await assertFits(tab.page)
  }
})
