import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertCategories } from '../../support/categories.ts'
import { assertFits, startConsole } from '../../support/console-browser.ts'
import { fillStore } from '../../support/console-data.ts'
import { DETAILS, onEach, SECTIONS, settle, show, walkTab } from '../../support/console-screens.ts'

const store = await startConsole()
await fillStore(store.pool, 'key_000000000001')
const EVERYWHERE = [...SECTIONS, ...DETAILS]

for (const width of [1440, 390])
  test(`Tab reaches every control of every screen and never loses the focus, ${width} wide`, async () => {
    await using tab = await store.open('/', { width })
    await onEach(EVERYWHERE, async (screen) => {
      await show(tab.page, store.address, screen)
      await walkTab(tab.page, screen.name)
    })
  })

// 1440 and 1280 pixels at 200 %, 1280 at 400 %.
test('nothing is cut off at the side when zoomed until 720, 640 or 320 pixels are left', async () => {
  await using tab = await store.open('/', { deviceScaleFactor: 2 })
  const { page } = tab
  await onEach(EVERYWHERE, async (screen) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await show(page, store.address, screen)
    for (const width of [720, 640, 320]) {
      await page.setViewportSize({ width, height: 450 })
      await settle(page)
      await assertFits(page)
    }
  })
})

test('texts that are 40 % longer fit, wide and narrow, and none is outside of texts.ts', async () => {
  await using tab = await store.open('/', { isPseudo: true })
  const { page } = tab
  await onEach(EVERYWHERE, async (screen) => {
    await show(page, store.address, screen)
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await settle(page)
      await assertFits(page)
      assert.deepEqual(await page.evaluate(CUT), [], 'cut off')
      assert.deepEqual(await page.evaluate(UNTRANSLATED), [], 'not in texts.ts')
    }
  })
})

test('on a phone the panes of orders and webhooks clip nothing', async () => {
  await using tab = await store.open('/', { width: 390, height: 844 })
  const { page } = tab
  await onEach(
    DETAILS.filter(({ name }) => name === 'order' || name === 'webhook'),
    async (screen) => {
      await show(page, store.address, screen)
      assert.deepEqual(await page.evaluate(CLIPPED), [])
    },
  )
})

const CLIPPED = `(() => {
  const pane = document.querySelector('.pane')
  const clips = (e) => { const { overflow, textOverflow, webkitLineClamp } = getComputedStyle(e); return overflow !== 'visible' && textOverflow !== 'ellipsis' && webkitLineClamp === 'none' }
  const isOutside = (e) => e.getBoundingClientRect().left < 0 || e.getBoundingClientRect().right > innerWidth
  return [...pane.querySelectorAll('*')].filter((e) => clips(e) && e.localName !== 'svg' || isOutside(e)).map((e) => e.outerHTML.slice(0, 160))
})()`

const CUT = `[...document.querySelectorAll('button, a, th, label, legend, dt, h1, h2, h3')]
  .filter((e) => e.checkVisibility() && e.closest('.skip') === null && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && getComputedStyle(e).textOverflow !== 'ellipsis')
  .map((e) => e.outerHTML.slice(0, 160))`
// Names of pets and orders, ids and key names are data.
const UNTRANSLATED = `[...document.querySelectorAll('button, th, label, legend, dt, h1')]
  .filter((e) => e.checkVisibility() && /[a-z]{3}/i.test(e.innerText) && !e.innerText.includes('[') && e.querySelector('kbd, .number, bdi, code') === null && !e.matches('.number, .number *, bdi *, code *'))
  .map((e) => e.outerHTML.slice(0, 160))`

test('with forced colours every status, the current tab and the focus can still be distinguished', async () => {
  await using tab = await store.open('/pets')
  const { page } = tab
  await page.emulateMedia({ forcedColors: 'active' })
  for (const paths of [['/pets'], ['/orders?status=all']]) {
    const shapes = new Map<string, string>()
    for (const path of paths) {
      await show(page, store.address, { name: path, path })
      for (const status of await page.locator('td .status').all()) {
        const name = (await status.innerText()).trim()
        if (!shapes.has(name)) shapes.set(name, (await status.locator('svg').screenshot()).toString('base64'))
      }
    }
    assert.equal(shapes.size, 4, `statuses: ${[...shapes.keys()].join(', ')}`)
    assert.equal(new Set(shapes.values()).size, 4, 'each has a shape of its own')
  }
  await show(page, store.address, { name: '', path: '/pets?status=sold' })
  const styles = (await page.evaluate(
    `[...document.querySelectorAll('.tabs a')].map((a) => { const s = getComputedStyle(a); return [a.getAttribute('aria-current') ?? '', [s.color, s.backgroundColor, s.borderBottomColor, s.borderBottomWidth, s.borderBottomStyle, s.fontWeight, s.textDecorationLine].join()] })`,
  )) as [string, string][]
  const current = styles.find(([is]) => is === 'page')?.[1]
  assert.ok(current !== undefined && !styles.some(([is, style]) => is === '' && style === current), 'the current tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const outline = (await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')) as string
  assert.notEqual(outline, 'none', 'the focus has an outline')
})

test('a list of categories is seen as a whole, in the filter, in a panel and for several pets', async () => {
  await insertCategories(store.pool, ['Birds', 'Cats', 'Dogs', 'Fish', 'Geckos', 'Hamsters', 'Rabbits', 'Turtles'])
  await using tab = await store.open('/')
  const { page } = tab
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const [name, path] of [
      ['Category', '/pets'],
      ['Category', '/pets?pet=1001'],
      ['Change category', '/pets'],
    ] as const) {
      await show(page, store.address, { name, path })
      if (name !== 'Category') await page.getByRole('checkbox').nth(3).check({ force: true })
      const part = path === '/pets' ? page : page.getByRole('complementary')
      await part.getByRole('combobox', { name }).click()
      await part.locator('[role=option]').first().waitFor()
      assert.deepEqual(await page.evaluate(UNSEEN), [], `${name} at ${path}, ${width} wide`)
    }
  }
})

/** The corners of the list that is open which something covers, or the edge of the window or of what it is in. */
const UNSEEN = `(() => {
  const list = document.querySelector('[role=listbox]:not([hidden])')
  const { left, right, top, bottom } = list.getBoundingClientRect()
  return [[left + 8, top + 8], [right - 8, top + 8], [left + 8, bottom - 8], [right - 8, bottom - 8]]
    .filter(([x, y]) => !list.contains(document.elementFromPoint(x, y)))
})()`
