import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { launchBrowser, startConsole } from './support/console-browser.ts'
import { FAILING_WEBHOOK, fillStore, MOMENT, OPEN_ORDER } from './support/console-data.ts'
import { settle } from './support/console-screens.ts'
import { globalSetup, globalTeardown } from './support/global-setup.ts'
import { encodePng, type Pixels } from './support/png.ts'
import { until } from './support/until.ts'

// Takes the pictures of the console and of /docs that the README and the docs show.
//   npx node test/pictures.ts [--check]
// With --check it compares them with those in docs/images, and fails if one differs.

const FOLDER = 'docs/images/console'
/** Of the pixels of a picture, as many may differ. */
const MAX_SHARE = 0.001
/** By so much, of 255, a colour must differ to count. */
const TOLERANCE = 8
const KEY_ID = 'key_4d7a1c9e2b60'
const COLLEAGUE_ID = 'key_9b2e5f7a1c38'

interface Picture {
  name: string
  path: string
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  isSignedOut?: boolean
  act?: (page: Page) => Promise<void>
}

const PHONE = { width: 390, height: 844 }
const PICTURES: readonly Picture[] = [
  { name: 'home', path: '/console' },
  { name: 'home-phone', path: '/console', ...PHONE },
  { name: 'pets', path: '/console/pets' },
  { name: 'pets-phone', path: '/console/pets', ...PHONE },
  { name: 'pet', path: `/console/pets?pet=${OPEN_ORDER.petId - 1}` },
  { name: 'pet-phone', path: `/console/pets?pet=${OPEN_ORDER.petId - 1}`, ...PHONE },
  { name: 'held-dark', path: `/console/pets?pet=${OPEN_ORDER.petId}`, theme: 'dark' },
  { name: 'add-pet', path: '/console/pets?add=1' },
  { name: 'search-dark', path: '/console/pets', theme: 'dark', act: searchFor('wa') },
  { name: 'orders', path: '/console/orders' },
  { name: 'orders-phone', path: '/console/orders', ...PHONE },
  { name: 'activity', path: '/console/activity' },
  { name: 'activity-phone', path: '/console/activity', ...PHONE },
  { name: 'webhooks', path: `/console/webhooks?webhook=${FAILING_WEBHOOK}` },
  { name: 'sign-in', path: '/console', isSignedOut: true },
  { name: 'docs', path: '/docs' },
  { name: 'docs-dark', path: '/docs#createPet', theme: 'dark' },
  { name: 'docs-phone', path: '/docs', ...PHONE },
]

const isCheck = process.argv.includes('--check')
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const pictures = PICTURES.filter(({ name }) => chosen.length === 0 || chosen.includes(name))

await globalSetup()
const browser = await launchBrowser({
  // Fonts that do not depend on the machine's settings, drawn without what depends on its screen.
  env: { ...process.env, FONTCONFIG_FILE: new URL('support/fonts.conf', import.meta.url).pathname },
  args: ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb', '--hide-scrollbars'],
})
const store = await startConsole({ publicBaseUrl: 'https://pets.example/v1' }, browser)
// After the service and its database.
after(globalTeardown)
const key = await store.createKey({ name: 'Front desk', mode: 'live' })
const lifetime = ['2030-01-02T08:00:00Z', '2030-12-31T00:00:00Z']
await store.pool.query(`update api_keys set id = $1, created_at = $2, expires_at = $3 where name = 'Front desk'`, [
  KEY_ID,
  ...lifetime,
])
await fillStore(store.pool, KEY_ID)
await store.createKey({ name: 'Ben (weekend)', mode: 'live' })
await store.pool.query(`
  insert into categories (id, name) values (1, 'Dogs'), (2, 'Cats'), (3, 'Rabbits'), (7, 'Birds'), (42, 'Tortoises');
  update api_keys set id = '${COLLEAGUE_ID}', created_at = '2030-01-05T08:00:00Z' where name = 'Ben (weekend)';
  update events set key_id = '${COLLEAGUE_ID}' where pet_id % 3 = 0;
  update webhooks set name = case id when '${FAILING_WEBHOOK}' then 'Warehouse' else 'Website' end where state = 'active';
  insert into orders (pet_id, id, version, status, expires_at, closed_at)
  select 3000 + day * 10 + n, day * 10 + n, 3, 'completed', day_of, day_of
  from generate_series(2, 13) as day, generate_series(1, 1 + day * 5 % 7) as n,
       lateral (select timestamptz '2030-03-15T11:00:00Z' - day * interval '1 day' as day_of) as moment`)
await until(async () => (await store.pool.query('select from pets where not worded limit 1')).rows.length === 0)
const canvas = await browser.newPage()
mkdirSync(FOLDER, { recursive: true })

for (const picture of pictures)
  test(picture.name, async () => {
    const file = `${FOLDER}/${picture.name}.png`
    const taken = encodePng(await decode(canvas, await take(picture)))
    if (!isCheck) return writeFileSync(file, taken)
    const share = difference(await decode(canvas, readFileSync(file)), await decode(canvas, taken))
    console.log(`${(share * 100).toFixed(3)} % of ${file} differ`)
    if (share > MAX_SHARE)
      assert.fail(`It looks like ${keep(picture.name, taken)}. If that is what you want: npx node test/pictures.ts`)
  })

async function take(picture: Picture) {
  const { path, theme = 'light', width = 1440, height = 900, isSignedOut = false, act } = picture
  const seen = { colorScheme: theme, timezoneId: 'UTC', locale: 'en-GB', deviceScaleFactor: 1 }
  await using tab = await store.open('/nowhere', { ...seen, width, height, key: isSignedOut ? null : key })
  const { page } = tab
  await page.clock.setFixedTime(MOMENT)
  // The first request that waits: the feed has begun, and the page shows that it has.
  const live = path.startsWith('/console') && !isSignedOut && page.waitForRequest(/\/v1\/events\?.*\bwait=/)
  await page.goto(store.address + path)
  await live
  await settle(page)
  await act?.(page)
  await settle(page)
  // Where the mouse is and what has the focus first differ from machine to machine.
  return await page.screenshot({ animations: 'disabled', caret: 'hide' })
}

function searchFor(text: string) {
  return async (page: Page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill(text)
    await page.getByRole('option', { name: 'Waffles' }).first().waitFor()
  }
}

/** As the browser decodes it. */
async function decode(page: Page, png: Buffer): Promise<Pixels> {
  const { width, height, data } = (await page.evaluate(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${png.toString('base64')}'
    await image.decode()
    const { width, height } = image
    const canvas = new OffscreenCanvas(width, height).getContext('2d')
    canvas.drawImage(image, 0, 0)
    return { width, height, data: new Uint8Array(canvas.getImageData(0, 0, width, height).data.buffer).toBase64() }
  })()`)) as { width: number; height: number; data: string }
  return { width, height, data: Buffer.from(data, 'base64') }
}

/** The share of pixels that differ; all of them if the sizes do. */
function difference(stored: Pixels, taken: Pixels) {
  if (stored.width !== taken.width || stored.height !== taken.height) return 1
  let count = 0
  for (let at = 0; at < stored.data.length; at += 4)
    if ([0, 1, 2].some((n) => Math.abs((stored.data[at + n] ?? 0) - (taken.data[at + n] ?? 0)) > TOLERANCE)) count++
  return count / (stored.data.length / 4)
}

let folder: string | undefined
function keep(name: string, taken: Buffer) {
  folder ??= mkdtempSync(join(tmpdir(), 'petstore-pictures-'))
  const file = join(folder, `${name}.png`)
  writeFileSync(file, taken)
  return file
}
