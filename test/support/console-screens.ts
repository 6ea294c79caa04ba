import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { FAILING_WEBHOOK, LONG_NAMED, OPEN_ORDER } from './console-data.ts'

export interface Shown {
  name: string
  path: string
  /** What a person does there first; resolves when it is shown. */
  act?: (page: Page) => Promise<void>
}

const pressFor = (key: string) => async (page: Page) => {
  await page.keyboard.press(key)
  await page.locator('dialog[open]').waitFor()
}

/** One for each section. */
export const SECTIONS: readonly Shown[] = [
  { name: 'home', path: '/' },
  { name: 'pets', path: '/pets' },
  { name: 'orders', path: '/orders' },
  { name: 'activity', path: '/activity' },
  { name: 'categories', path: '/categories' },
  { name: 'webhooks', path: '/webhooks' },
  { name: 'people', path: '/people' },
  { name: 'status', path: '/status' },
  { name: 'key', path: '/key' },
]

/** What else a full store shows: panels, dialogs, filters that match nothing. */
export const DETAILS: readonly Shown[] = [
  { name: 'pet', path: `/pets?pet=${OPEN_ORDER.petId}` },
  { name: 'pet-missing', path: '/pets?pet=999' },
  { name: 'pets-none', path: '/pets?status=available&category=999' },
  { name: 'pets-called', path: '/pets?name=b' },
  { name: 'pets-none-called', path: '/pets?name=nobody' },
  { name: 'pets-by-id', path: '/pets?id=1001,1002,999' },
  { name: 'add-pet', path: '/pets?add=1' },
  { name: 'orders-placed', path: '/orders?status=placed' },
  { name: 'order', path: `/orders?order=${OPEN_ORDER.id}` },
  { name: 'webhook', path: `/webhooks?webhook=${FAILING_WEBHOOK}` },
  { name: 'palette', path: '/pets', act: pressFor('Control+k') },
  { name: 'shortcuts', path: '/key', act: pressFor('?') },
  { name: 'not-found', path: '/nowhere' },
]

/** What is shown after something was done: faults, rejected changes, what is not saved. */
export const STATES: readonly Shown[] = [
  {
    name: 'pets-rejected',
    path: '/pets?status=pending',
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all pets on this page' }).click()
      await page.getByRole('button', { name: 'Change status' }).click()
      await page.getByRole('menuitem', { name: 'Mark as available' }).click()
      await page.getByText('rejected:').waitFor()
    },
  },
  {
    name: 'pet-not-saved',
    path: `/pets?pet=${LONG_NAMED}`,
    act: async (page) => {
      await page.getByRole('complementary').getByLabel('Name').fill('Typed')
      await page.getByText('Not saved').waitFor()
    },
  },
  {
    name: 'add-pet-faults',
    path: '/pets?add=1',
    act: async (page) => {
      await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
      await page.getByText('Choose a category').waitFor()
    },
  },
  {
    name: 'activity-json',
    path: `/activity?pet=${OPEN_ORDER.petId}`,
    act: async (page) => {
      await page.getByRole('button', { name: /^JSON/ }).first().click()
      await page.locator('pre').waitFor()
    },
  },
  {
    name: 'replay',
    path: `/webhooks?webhook=${FAILING_WEBHOOK}`,
    act: async (page) => {
      await page.getByRole('button', { name: 'Replay…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Try now' }).waitFor()
    },
  },
  {
    name: 'category-add',
    path: '/categories',
    act: async (page) => {
      await page.getByRole('button', { name: 'Add category' }).click()
      await page.getByRole('textbox', { name: 'Number' }).waitFor()
    },
  },
]

/** Goes to a screen and waits until it shows what it has to show. */
export async function show(page: Page, address: string, { path, act }: Shown) {
  await page.goto(`${address}/console${path === '/' ? '' : path}`)
  await settle(page)
  await act?.(page)
}

/** Every fault of every screen, not only the first. */
export async function onEach(screens: readonly Shown[], check: (screen: Shown) => Promise<void>) {
  const faults: string[] = []
  for (const screen of screens)
    await check(screen).catch((error: unknown) => faults.push(`${screen.path}: ${String(error)}`))
  assert.deepEqual(faults, [])
}

export async function settle(page: Page) {
  // On a phone a panel covers it.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.locator('.skeleton, [aria-busy=true]').first().waitFor({ state: 'detached' })
  // Effects of what was rendered last, such as a move of the focus.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))')
}

interface Stop {
  what: string
  /** A field for a date has several stops: the day, the month, the year and its calendar. */
  isSame: boolean
  isLost: boolean
  isVisible: boolean
  isLast: boolean
}

// As text: it runs in the page.
const LIST_STOPS = `(() => {
  const root = document.querySelector('dialog:modal') ?? document
  const all = [...root.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
  const usable = all.filter((element) => element.tabIndex >= 0 && !element.disabled && element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert]'))
  const groups = new Set()
  window.stops = usable.filter((element) => {
    if (element.type !== 'radio') return true
    const isNew = !groups.has(element.name)
    groups.add(element.name)
    return isNew
  })
  window.unvisited = new Set(window.stops.map((element) => element.type === 'radio' ? element.name : element))
  return window.stops.length
})()`

const CURRENT_STOP = `(async () => {
  const element = document.activeElement
  const isSame = element === window.lastStop && element !== document.body
  window.lastStop = element
  window.unvisited.delete(element.type === 'radio' ? element.name : element)
  const owned = [element, ...(element.labels ?? [])]
  const isInView = () => [...element.getClientRects()]
    .filter((b) => b.width > 0 && b.height > 0)
    .flatMap((b) => [[b.x + b.width / 2, b.y + b.height / 2], [b.x + 3, b.y + b.height / 2], [b.right - 3, b.y + b.height / 2]])
    .some(([x, y]) => {
      const hit = document.elementFromPoint(x, y)
      return hit !== null && owned.some((own) => own.contains(hit) || hit.contains(own) && hit.tagName === 'LABEL')
    })
  // What is out of view is scrolled to.
  if (!isInView()) await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const isVisible = isInView()
  return { what: element.outerHTML.slice(0, 120), isSame, isLost: element === document.body, isVisible, isLast: window.stops.at(-1) === element || (element.type === 'radio' && window.stops.at(-1).name === element.name) }
})()`

const UNVISITED =
  'window.stops.filter((e) => window.unvisited.has(e.type === "radio" ? e.name : e)).map((e) => e.outerHTML.slice(0, 120))'

/** Of a field for a date and a time, with room to spare. */
const MOST_PRESSES = 10

/**
 * Presses Tab through the whole page, or the dialog that is open, from where the focus is: every control is reached, and each is in view
 * when it is. Only after the last one, where the browser's own controls come, nothing has the focus.
 */
export async function walkTab(page: Page, name: string) {
  const count = (await page.evaluate(LIST_STOPS)) as number
  assert.ok(count > 0, `${name}: nothing can have the focus`)
  let isAfterLast = true
  let stops = 0
  for (let press = 0; stops < count + 2; press++) {
    assert.ok(press < MOST_PRESSES * count, `${name}: the focus does not move on`)
    await page.keyboard.press('Tab')
    const stop = (await page.evaluate(CURRENT_STOP)) as Stop
    if (!stop.isSame) stops++
    assert.ok(!stop.isLost || isAfterLast, `${name}: the focus is lost after ${stops} of ${count} stops`)
    assert.ok(stop.isLost || stop.isVisible, `${name}: out of view when it has the focus: ${stop.what}`)
    isAfterLast = stop.isLast
  }
  assert.deepEqual(await page.evaluate(UNVISITED), [], `${name}: not reached by Tab`)
}
