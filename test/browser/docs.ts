import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { chromium, type Page } from 'playwright-core'
import { postJson, startApp } from '../support/app.ts'

// In a real Chromium, which `npm test` does not ask a developer to have: `npm run test:browser`.
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const LARGEST = '9223372036854775807'

const { address, key, call } = await startApp()
await call('/v1/pets', postJson(`{"name":"Shelly","categoryId":${LARGEST}}`))

const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: FLAGS })
after(() => browser.close())

/** The page, with every request off its origin and every complaint of the browser noted. */
async function open(colorScheme: 'light' | 'dark', width: number) {
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
  await page.goto(`${address}/docs`)
  return { page, strays, complaints }
}

async function tryOperation(page: Page, operation: string) {
  const form = page.locator(`form[aria-label="Try ${operation}"]`)
  await form.getByRole('button', { name: 'Send' }).click()
  const output = form.locator('output')
  await output.filter({ hasText: /^\d{3} / }).waitFor()
  return output.innerText()
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`the page stays on its origin and fits, ${colorScheme}, ${width} wide`, async () => {
      const { page, strays, complaints } = await open(colorScheme, width)
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
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      assert.equal(overflow, 0, 'nothing sticks out')
      const shots = process.env['SCREENSHOTS']
      if (shots) await page.screenshot({ path: `${shots}/docs-${colorScheme}-${width}.png`, fullPage: false })
      assert.deepEqual([strays, complaints], [[], []])
      await page.close()
    })
  }
}

test('a request sent from the page works, and keeps every digit', async () => {
  const { page, strays, complaints } = await open('light', 1280)
  assert.ok((await page.locator('#int64').innerText()).includes(LARGEST))
  await page.locator('.key input').fill(key)
  const listed = await tryOperation(page, 'listPets')
  assert.match(listed, /^200 OK\n/)
  assert.ok(listed.includes(`"categoryId": ${LARGEST}`), listed)
  const created = await tryOperation(page, 'createPet')
  assert.match(created, /^201 Created\n/)
  assert.ok(created.includes(`"categoryId": ${LARGEST}`), created)
  assert.match(await tryOperation(page, 'getPet'), /deprecation: @1794614400/)
  assert.deepEqual([strays, complaints], [[], []])
  await page.close()
})

test('without a key the page shows the 401, and nothing keeps the key', async () => {
  const { page } = await open('light', 1280)
  assert.match(await tryOperation(page, 'listPets'), /^401 /)
  await page.locator('.key input').fill(key)
  assert.equal(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'), 0)
  await page.close()
})

test('code can be copied', async () => {
  const { page } = await open('light', 1280)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.locator('[data-copy]').first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  assert.match(
    String(await page.evaluate('navigator.clipboard.readText()')),
    /^curl -H "Authorization: Bearer \$PETSTORE_KEY" "http:\/\/127\.0\.0\.1:\d+\/v1\/pets\?limit=5"$/,
  )
  await page.close()
})
