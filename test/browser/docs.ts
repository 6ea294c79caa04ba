import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { postJson, startApp } from '../support/app.ts'
import { assertAccessible, assertFits, launchShell } from '../support/console-browser.ts'

// In a real Chromium, which `npm test` does not ask a developer to have: `npm run test:browser`.

const LARGEST = '9223372036854775807'

const { address, key, call } = await startApp()
for (const name of ['Shelly', 'Rex']) await call('/v1/pets', postJson(`{"name":"${name}","categoryId":${LARGEST}}`))

const browser = await launchShell()

/** The page, with every request off its origin and every complaint of the browser noted. */
async function open(colorScheme: 'light' | 'dark' = 'light', width = 1280, hash = '') {
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
  const strays: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(`${address}/`) && !request.url().startsWith('data:')) strays.push(request.url())
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${address}/docs${hash}`)
  return { page, strays, complaints, [Symbol.asyncDispose]: () => page.close() }
}

/** The form of an operation, opened. */
async function formOf(page: Page, operation: string) {
  const form = page.locator(`form[aria-label="Try ${operation}"]`)
  if (!(await form.isVisible())) await page.locator(`#${operation} details.try > summary`).click()
  return form
}

async function tryOperation(page: Page, operation: string) {
  const form = await formOf(page, operation)
  await form.getByRole('button', { name: 'Send' }).click()
  const output = form.locator('output')
  await output.filter({ hasText: /^\d{3} / }).waitFor()
  return output.innerText()
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the page stays on its origin and fits, ${colorScheme}, 1440, 1280 and 390 wide`, async () => {
    await using tab = await open(colorScheme)
    const { page, strays, complaints } = tab
    assert.equal(await page.title(), 'Petstore — documentation')
    for (const id of [
      'getting-started',
      'keys',
      'pagination',
      'idempotency',
      'limits',
      'int64',
      'errors',
      'get-pet',
      'listPets',
      'createPet',
      'getPet',
    ])
      assert.equal(await page.locator(`section#${id}`).count(), 1, id)
    for (const width of [1440, 1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await assertFits(page)
      const shots = process.env['SCREENSHOTS']
      if (shots) await page.screenshot({ path: `${shots}/docs-${colorScheme}-${width}.png`, fullPage: false })
    }
    assert.deepEqual([strays, complaints], [[], []])
  })

  test(`axe finds nothing, ${colorScheme}, 1440 and 390 wide, also in a form with its response`, async () => {
    await using tab = await open(colorScheme, 1440)
    const { page } = tab
    // Only colours depend on the theme, and they don't depend on the width, except for the menu.
    const onlyColours = colorScheme === 'dark'
    await tryOperation(page, 'listPets')
    await assertAccessible(page, { onlyColours })
    await page.keyboard.press('/')
    await assertAccessible(page, { part: '.finder', onlyColours })
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 900 })
    if (!onlyColours) await assertAccessible(page)
    await page.getByRole('button', { name: 'Menu' }).click()
    await assertAccessible(page, { part: 'nav', onlyColours })
  })
}

test('no line of code is cut off at the right edge, in any language', async () => {
  await using tab = await open('light', 1440)
  const { page } = tab
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const language of ['curl', 'TypeScript', 'Python', 'Go', 'fetch']) {
      await page.locator('#listPets').getByRole('tab', { name: language, exact: true }).click()
      const cut = await page
        .locator('main pre')
        .evaluateAll((blocks) => blocks.filter((block) => block.scrollWidth > block.clientWidth).length)
      assert.equal(cut, 0, `${language}, ${width} wide`)
    }
  }
})

test('request and response are beside the text on a wide screen, and below it on a narrow one', async () => {
  await using tab = await open()
  for (const [width, isBeside] of [
    [1440, true],
    [1000, false],
    [390, false],
  ] as const) {
    await tab.page.setViewportSize({ width, height: 900 })
    const text = await tab.page.locator('#createPet .text').boundingBox()
    const side = await tab.page.locator('#createPet .side').boundingBox()
    assert.ok(text && side)
    assert.equal(side.x >= text.x + text.width, isBeside, `${width} wide`)
  }
})

test('a request sent from the page works, and keeps every digit', async () => {
  await using tab = await open()
  const { page, strays, complaints } = tab
  assert.ok((await page.locator('#int64').innerText()).includes(LARGEST))
  await (await formOf(page, 'listPets')).getByLabel('API key').fill(key)
  const listed = await tryOperation(page, 'listPets')
  assert.match(listed, /^200 OK\n/)
  assert.ok(listed.includes(`"categoryId": ${LARGEST}`), listed)
  const created = await tryOperation(page, 'createPet')
  assert.match(created, /^201 Created\n/)
  assert.ok(created.includes(`"categoryId": ${LARGEST}`), created)
  assert.match(await tryOperation(page, 'getPet'), /deprecation: @1794614400/)
  assert.deepEqual([strays, complaints], [[], []])
})

test('the form shows the request without the key, its time and size, and leads to the next page', async () => {
  await using tab = await open()
  const { page } = tab
  const form = await formOf(page, 'listPets')
  await form.getByLabel('API key').fill(key)
  await form.getByLabel('limit').fill('1')
  await form.getByLabel('sort').selectOption('newest')
  const first = await tryOperation(page, 'listPets')
  const result = form.locator('.result')
  const sent = await result.locator('pre').innerText()
  assert.match(sent, /^curl 'http:\/\/127\.0\.0\.1:\d+\/v1\/pets\?limit=1&sort=newest' \\\n/)
  assert.match(sent, /-H "Authorization: Bearer \$PETSTORE_KEY"/)
  assert.ok(!(await result.innerText()).includes(key))
  assert.match(await result.innerText(), /Response, \d+ ms, \d+ bytes/)
  await result.getByRole('button', { name: 'Next page' }).click()
  await result.locator('pre').filter({ hasText: 'cursor=' }).waitFor()
  await result.locator('output').filter({ hasText: /^200 / }).waitFor()
  assert.notEqual(await result.locator('output').innerText(), first)
})

test('the next page is asked of this service, whatever its public host is called', async () => {
  await using tab = await open()
  const { page } = tab
  await page.route('**/v1/pets?**', async (route) => {
    const response = await route.fetch()
    const link = response.headers()['link']?.replace('</v1', '<https://v1.example/v1')
    await route.fulfill({ response, headers: { ...response.headers(), ...(link && { link }) } })
  })
  const form = await formOf(page, 'listPets')
  await form.getByLabel('API key').fill(key)
  await form.getByLabel('limit').fill('1')
  assert.match(await tryOperation(page, 'listPets'), /https:\/\/v1\.example\/v1\/pets/)
  await form.getByRole('button', { name: 'Next page' }).click()
  await form.locator('pre').filter({ hasText: 'cursor=' }).waitFor()
  assert.ok((await form.locator('pre').innerText()).startsWith(`curl '${address}/v1/pets?`))
  await form.locator('output').filter({ hasText: /^200 / }).waitFor()
})

test('a parameter with few values is chosen from a list', async () => {
  await using tab = await open()
  const status = (await formOf(tab.page, 'listPets')).getByLabel('status')
  assert.deepEqual(await status.locator('option').allInnerTexts(), ['any', 'available', 'pending', 'sold'])
})

test('without a key the page shows the 401, and nothing keeps the key', async () => {
  await using tab = await open()
  const { page } = tab
  assert.match(await tryOperation(page, 'listPets'), /^401 /)
  await (await formOf(page, 'listPets')).getByLabel('API key').fill(key)
  assert.equal(await (await formOf(page, 'deleteWebhook')).getByLabel('API key').inputValue(), key)
  assert.equal(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'), 0)
  await page.reload()
  assert.equal(await (await formOf(page, 'listPets')).getByLabel('API key').inputValue(), '')
})

test('code can be copied', async () => {
  await using tab = await open()
  const { page } = tab
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = async () => {
    await page.locator('[data-copy]').first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    return String(await page.evaluate('navigator.clipboard.readText()'))
  }
  assert.match(
    await copied(),
    /^curl "http:\/\/127\.0\.0\.1:\d+\/v1\/pets\?limit=5" \\\n {2}-H "Authorization: Bearer \$PETSTORE_KEY"$/,
  )
  await page.locator('#getting-started').getByRole('tab', { name: 'Python' }).first().click()
  assert.match(await copied(), /^import json\n[\s\S]*"http:\/\/127\.0\.0\.1:\d+\/v1\/pets\?limit=5"/)
})

test('a language is chosen for the whole page by mouse or keyboard, and remembered', async () => {
  await using tab = await open('light', 1440, '#updatePet')
  const { page } = tab
  const tabs = page.locator('#updatePet [role="tablist"]')
  const before = await tabs.boundingBox()
  await tabs.getByRole('tab', { name: 'Python' }).click()
  await page.keyboard.press('ArrowRight')
  const selected = async (operation: string) =>
    page.locator(`#${operation} [role="tab"][aria-selected="true"]`).innerText()
  assert.equal(await selected('updatePet'), 'Go')
  assert.equal(await selected('listEvents'), 'Go')
  assert.ok(await page.locator('#listEvents [role="tabpanel"]').filter({ hasText: 'package main' }).isVisible())
  assert.ok(Math.abs((await tabs.boundingBox())!.y - before!.y) < 3, 'what one reads stays in its place')
  await page.reload()
  assert.equal(await selected('updatePet'), 'Go')
  assert.deepEqual(await page.evaluate('Object.keys(localStorage)'), ['petstore.docs.language'])
})

test('search opens with /, finds errors, fields and operations, and leads there by keyboard', async () => {
  await using tab = await open()
  const { page } = tab
  const find = async (text: string) => {
    await page.keyboard.press('/')
    await page.keyboard.type(text)
    await page.locator('#found li').first().waitFor()
    await page.keyboard.press('Enter')
    return new URL(page.url()).hash
  }
  assert.equal(await find('version_mismatch'), '#errors-version_mismatch')
  assert.equal(await find('order.expired'), '#events-order.expired')
  assert.equal(await find('place an order'), '#placeOrder')
  assert.match(await find('expiresIn'), /^#placeOrder-body-expiresIn$/)
  for (const [text, target] of [
    ['sell', '#selling'],
    ['paging', '#pagination'],
    ['auth', '#keys'],
    ['refund', '#selling-payment'],
    ['signature verify', '#receiving-verify-the-signature'],
    ['429', '#limits'],
  ] as const)
    assert.equal(await find(text), target, text)
  await page.keyboard.press('/')
  await page.keyboard.type('order')
  await page.locator('#found li').first().waitFor()
  // Between two results.
  await page.locator('#found').dispatchEvent('click')
  assert.equal(await page.locator('dialog').isVisible(), true)
  await page.locator('#found li').first().click()
  assert.equal(await page.locator('dialog').isVisible(), false)
  assert.deepEqual(tab.complaints, [])
  await page.keyboard.press('/')
  await page.keyboard.type('giraffe')
  await page.getByText('Nothing found for “giraffe”.').waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('dialog').isVisible(), false)
})

test('the contents mark the section that is read, and what is beta or deprecated', async () => {
  await using tab = await open('light', 1280, '#placeOrder')
  const { page } = tab
  const current = page.locator('nav [aria-current]')
  await current.filter({ hasText: 'Place an order' }).waitFor()
  await page.evaluate(`document.getElementById('pagination').scrollIntoView()`)
  await current.filter({ hasText: 'Pagination' }).waitFor()
  const entry = (name: string) => page.locator('nav').getByRole('link', { name })
  assert.match(await entry('Fetch one pet').innerText(), /deprecated/)
  assert.match(await entry('Try what waits now').innerText(), /beta/)
  assert.doesNotMatch(await entry('Place an order').innerText(), /beta/)
})

test('the page is set in Inter, which comes from this service', async () => {
  await using tab = await open()
  const loaded = await tab.page.evaluate(
    `document.fonts.ready.then(() => [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family))`,
  )
  assert.deepEqual([...new Set(loaded as string[])], ['Inter'])
  assert.match(await tab.page.evaluate('getComputedStyle(document.body).fontFamily'), /^Inter, "Inter Fallback"/)
  assert.deepEqual(tab.strays, [])
})

test('no error code is broken into lines where there is room for it', async () => {
  await using tab = await open('light', 1440)
  const broken = await tab.page
    .locator('#errors tbody th code')
    .evaluateAll((codes) => codes.filter((code) => code.getClientRects().length > 1).map((code) => code.textContent))
  assert.deepEqual(broken, [])
})

test('on a phone the contents are a menu, and no table is cut off', async () => {
  await using tab = await open('light', 390)
  const { page } = tab
  const nav = page.getByRole('navigation', { name: 'Contents' })
  assert.equal(await nav.isVisible(), false)
  await page.getByRole('button', { name: 'Menu' }).click()
  assert.ok(((await nav.getByText('Guides', { exact: true }).boundingBox())?.y ?? 0) > 54, 'below the row at the top')
  await nav.getByRole('link', { name: 'Rate limits' }).click()
  assert.equal(await nav.isVisible(), false)
  assert.equal(new URL(page.url()).hash, '#limits')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.keyboard.press('Escape')
  assert.equal(await nav.isVisible(), false)
  const cut = await page.evaluate(
    `[...document.querySelectorAll('td, th')].filter((cell) => cell.getBoundingClientRect().right > innerWidth).length`,
  )
  assert.equal(cut, 0)
})

test('the first paint comes soon, and nothing moves afterwards', async (t) => {
  await using tab = await open('light', 1440)
  const { page } = tab
  const paint = Number(
    await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ??
      new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries()[0].startTime)).observe({ type: 'paint', buffered: true }))`),
  )
  // Entries are reported after the frame that they belong to.
  const shift = Number(
    await page.evaluate(`new Promise((resolve) => {
      let sum = 0
      new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value }).observe({ type: 'layout-shift', buffered: true })
      document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum)))))
    })`),
  )
  t.diagnostic(`first contentful paint after ${Math.round(paint)} ms, layout shift ${shift.toFixed(3)}`)
  assert.ok(paint < 3_000, `${paint} ms`)
  assert.ok(shift <= 0.02, `layout shift ${shift}`)
})
