import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { COOKIE_NAME } from '../../support/console.ts'
import { chooseInMenu, startConsole, type Tab } from '../../support/console-browser.ts'
import { newCategory, partsOf, petsOf } from '../../support/console-pets.ts'

const store = await startConsole()
const pets = petsOf(store)
const MARKUP = '<img src=x onerror="window.ran=1"><script>window.ran=1</script><b>bold</b>'

const field = (page: Page) => page.getByLabel('API key')
const ended = (page: Page) => page.getByText('Your session has ended.')

/** A page of somebody else: on this machine's address and another port, or under another name. */
const foreign = createServer((_request, response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Elsewhere</title>'),
).listen(0)
await once(foreign, 'listening')
after(() => foreign.close())
const { port } = foreign.address() as AddressInfo

async function sessionCookie({ context }: Tab) {
  const cookies = await context.cookies()
  return cookies.find(({ name }) => name === COOKIE_NAME)?.value ?? ''
}

/** Ends the session of a tab, which can't ask for it: it finds out with its next request. The returned function lets it ask. */
async function endUnnoticed({ page, context }: Tab) {
  const released = Promise.withResolvers<void>()
  await page.route('**/console/session', async (route) => {
    await released.promise
    await route.fallback()
  })
  await context.clearCookies()
  return released.resolve
}

const statusWith = async (token: string, site?: string) => {
  const headers = { cookie: `${COOKIE_NAME}=${token}`, ...(site === undefined ? {} : { 'sec-fetch-site': site }) }
  return (await fetch(`${store.address}/v1/pets?limit=1`, { headers })).status
}

for (const [where, host] of [
  ['another port', '127.0.0.1'],
  ['another host', 'localhost'],
] as const)
  test(`a page on ${where} can do nothing with the session`, async () => {
    const categoryId = newCategory()
    const id = await pets.add('Untouched', { categoryId, status: 'available' })
    await using tab = await store.open('/key')
    const page = await tab.context.newPage()
    await page.goto(`http://${host}:${port}/`)
    const before = store.logs.length
    const outcomes = await page.evaluate(
      async ([address, petId, category]) => {
        const attempt = (path: string, init: RequestInit) =>
          fetch(`${address}${path}`, { credentials: 'include', ...init }).then(
            (response) => (response.type === 'opaque' ? 'opaque' : 'read'),
            () => 'failed',
          )
        const pet = `{"name":"Forged","categoryId":${category}}`
        const json = { 'content-type': 'application/json' }
        return [
          await attempt('/v1/pets?limit=1', {}),
          await attempt('/v1/pets', { method: 'POST', mode: 'no-cors', body: pet }),
          await attempt('/v1/pets', { method: 'POST', headers: json, body: pet }),
          await attempt(`/v1/pets/${petId}`, { method: 'DELETE' }),
          await attempt('/console/session', { method: 'DELETE' }),
          await attempt('/console/session', { method: 'POST', mode: 'no-cors' }),
        ]
      },
      [store.address, String(id), String(categoryId)] as const,
    )
    assert.ok(!outcomes.includes('read'), outcomes.join())
    // The others ended with their preflight.
    const rejected = store.logs.slice(before).filter((line) => line.includes('"code"'))
    assert.deepEqual(
      rejected.map((line) => /"method":"(\w+)","path":"([^"]+)".*"code":"(\w+)"/.exec(line)?.slice(1)),
      [
        ['GET', '/v1/pets', 'missing_credentials'],
        ['POST', '/v1/pets', 'missing_credentials'],
        ['POST', '/console/session', 'cross_site_request'],
      ],
    )
    // A form, which needs no permission of anybody.
    await page.evaluate(
      ([address, petId]) => {
        const form = document.createElement('form')
        form.method = 'post'
        form.action = `${address}/v1/pets/${petId}`
        document.body.append(form)
        form.submit()
      },
      [store.address, String(id)] as const,
    )
    await page.waitForURL(`${store.address}/**`)
    assert.deepEqual(
      (await pets.list(categoryId)).map(({ name, version }) => [name, version]),
      [['Untouched', 1n]],
    )
    await tab.page.reload()
    await tab.page.getByRole('heading', { level: 1, name: 'Your key' }).waitFor()
  })

test('the cookie alone is worth nothing: only a page of this origin can use it', async () => {
  await using tab = await store.open('/key')
  const token = await sessionCookie(tab)
  assert.equal(await statusWith(token, 'same-origin'), 200)
  for (const site of [undefined, 'none', 'same-site', 'cross-site', 'same-origin, same-origin'])
    assert.equal(await statusWith(token, site), 401, String(site))
})

test('the console can’t be framed', async () => {
  await using tab = await store.open('/key')
  for (const host of ['127.0.0.1', 'localhost']) {
    const page = await tab.context.newPage()
    await page.goto(`http://${host}:${port}/`)
    await page.evaluate((address) => {
      const frame = document.createElement('iframe')
      frame.src = `${address}/console/key`
      document.body.append(frame)
      return new Promise((resolve) => frame.addEventListener('load', resolve))
    }, store.address)
    assert.deepEqual(
      page.frames().map((frame) => new URL(frame.url()).protocol),
      ['http:', 'chrome-error:'],
    )
  }
})

test('text can’t become markup or code: the browser throws', async () => {
  await using tab = await store.open('/key')
  const outcomes = await tab.page.evaluate(() => {
    const outcome = (run: () => void) => {
      try {
        run()
        return 'ran'
      } catch (error) {
        return (error as Error).name
      }
    }
    return [
      outcome(() => (document.body.innerHTML += '<p>x</p>')),
      outcome(() => document.body.insertAdjacentHTML('beforeend', '<p>x</p>')),
      outcome(() => document.write('<p>x</p>')),
      outcome(() => (document.createElement('script').src = '/console/x.js')),
      outcome(() => (document.createElement('script').textContent = 'window.ran = 1')),
      outcome(() => (document.createElement('iframe').srcdoc = '<p>x</p>')),
    ]
  })
  assert.deepEqual(new Set(outcomes), new Set(['TypeError']))
})

test('neither cookies that scripts see, nor storages, nor markup, nor history hold the key', async () => {
  await using tab = await store.open('/key', { key: null })
  const { page } = tab
  await field(page).fill(store.key)
  await field(page).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Your key' }).waitFor()
  const seen = await page.evaluate(async () =>
    JSON.stringify([
      document.cookie,
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      await indexedDB.databases(),
      await caches.keys(),
      document.documentElement.outerHTML,
      history.state as unknown,
      location.href,
      performance.getEntries().map(({ name }) => name),
      Array.from(document.querySelectorAll('input'), ({ value }) => value),
    ]),
  )
  assert.ok(seen.includes('Your key'))
  assert.doesNotMatch(seen, /petk_/)
  assert.equal(await page.evaluate(() => document.cookie), '')
})

test('over plain http under another name the page explains that HTTPS is needed, and has no form', async () => {
  const context = await store.browser.newContext()
  const page = await context.newPage()
  await page.goto(`${store.address.replace('127.0.0.1', 'pets.example')}/console/pets`)
  await page.getByRole('heading', { level: 1, name: 'HTTPS is required' }).waitFor()
  await page.getByText('Open this page over HTTPS.').waitFor()
  assert.equal(await page.locator('form, input').count(), 0)
  await context.close()
})

test('markup in a name stays text wherever it is shown', async () => {
  const categoryId = newCategory()
  const id = await pets.add(MARKUP, { categoryId, status: 'available' })
  const key = await store.createKey({ name: MARKUP })
  await using tab = await store.open(`/pets?category=${categoryId}&pet=${id}`, { key })
  const { page } = tab
  const { panel, row, toast, mark } = partsOf(page)
  await row(MARKUP).waitFor()
  await panel.getByRole('heading', { name: MARKUP }).waitFor()
  await page.getByRole('banner').getByText(MARKUP).waitFor()
  await mark('Sold')
  // As much of it as a sentence shows.
  await toast.filter({ hasText: MARKUP.slice(0, 50) }).waitFor()
  assert.equal(await page.locator('#app :is(img, script, :not(.sentence) > b)').count(), 0)
  assert.equal(await page.evaluate(() => 'ran' in window), false)
})

test('a token that somebody else has put into the browser never becomes a session', async () => {
  await using tab = await store.open('/key', { key: null })
  const { page, context } = tab
  const planted = randomBytes(32).toString('base64url')
  const cookie = { name: COOKIE_NAME, value: planted, domain: '127.0.0.1', path: '/', secure: true, httpOnly: true }
  await context.addCookies([{ ...cookie, sameSite: 'Strict' }])
  await page.reload()
  await field(page).fill(store.key)
  await field(page).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Your key' }).waitFor()
  assert.notEqual(await sessionCookie(tab), planted)
  assert.equal(await statusWith(planted, 'same-origin'), 401)
  assert.equal(await statusWith(await sessionCookie(tab), 'same-origin'), 200)
})

test('after signing out the token is worth nothing at the service either', async () => {
  await using tab = await store.open('/key')
  const token = await sessionCookie(tab)
  await chooseInMenu(tab.page, 'Sign out')
  await field(tab.page).waitFor()
  assert.equal(await statusWith(token, 'same-origin'), 401)
})

test('who signs in after somebody else has signed out finds nothing of theirs, and can undo nothing', async () => {
  const categoryId = newCategory()
  const id = await pets.add('Sold by the first', { categoryId, status: 'available' })
  const other = await store.createKey({ name: 'The second' })
  await using tab = await store.open(`/pets?category=${categoryId}&pet=${id}`)
  const { page } = tab
  const { row, toast, mark } = partsOf(page)
  await mark('Sold')
  await toast.getByRole('button', { name: 'Undo' }).waitFor()
  await chooseInMenu(page, 'Sign out')
  await field(page).fill(other)
  await field(page).press('Enter')
  await page.getByRole('banner').getByText('The second').waitFor()
  await row('Sold by the first').waitFor()
  assert.equal(await toast.count(), 0)
})

for (const [what, end] of [
  ['twelve hours after the sign-in', `ends_at = now() - interval '1 second'`],
  ['after an hour without use', `last_seen_at = now() - interval '61 minutes'`],
] as const)
  test(`a session that ends ${what} asks again in place: what was typed stays, and the work continues`, async () => {
    const key = await store.createKey({ name: 'Interrupted' })
    const categoryId = newCategory()
    await using tab = await store.open(`/pets?category=${categoryId}&add=1`, { key, isLive: true })
    const { page } = tab
    const dialog = page.getByRole('dialog', { name: 'Add pet' })
    await dialog.getByLabel('Name').fill('Typed before the end')
    await dialog.getByRole('combobox', { name: 'Category' }).fill(String(categoryId))
    await store.pool.query(
      `update console_sessions set ${end} where key_id = (select id from api_keys where name = 'Interrupted' order by created_at desc limit 1)`,
    )
    await ended(page).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    assert.ok(await ended(page).isVisible(), 'it can’t be dismissed')
    await field(page).fill(key)
    await field(page).press('Enter')
    await ended(page).waitFor({ state: 'detached' })
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Typed before the end')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await partsOf(page).toast.filter({ hasText: 'Typed before the end was added' }).waitFor()
  })

test('a request that finds the session ended is sent when the person has signed in again', async () => {
  const categoryId = newCategory()
  await using tab = await store.open(`/pets?category=${categoryId}&add=1`, { isLive: true })
  const { page } = tab
  const dialog = page.getByRole('dialog', { name: 'Add pet' })
  await dialog.getByLabel('Name').fill('Sent again')
  await dialog.getByRole('combobox', { name: 'Category' }).fill(String(categoryId))
  const letAsk = await endUnnoticed(tab)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  letAsk()
  await ended(page).waitFor()
  await field(page).fill(store.key)
  await field(page).press('Enter')
  await partsOf(page).toast.filter({ hasText: 'Sent again was added' }).waitFor()
  assert.equal((await pets.list(categoryId)).length, 1)
})

for (const where of ['here', 'in another tab'])
  test(`what waits for a session is never sent with the key of somebody else who signs in ${where}`, async () => {
    const categoryId = newCategory()
    const id = await pets.add('Not theirs', { categoryId })
    const other = await store.createKey({ name: 'Somebody else' })
    await using tab = await store.open(`/pets?category=${categoryId}&pet=${id}`, { isLive: true })
    const { page } = tab
    const { row, choose } = partsOf(page)
    await using beside = await store.open('/key', { beside: tab })
    const place = where === 'here' ? page : beside.page
    await choose('Delete pet…')
    const letAsk = await endUnnoticed(tab)
    const rejected = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    assert.equal((await rejected).status(), 401)
    letAsk()
    await ended(page).waitFor()
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'DELETE') sent.push(request.url())
    })
    const reloaded = page.waitForEvent('load')
    await field(place).fill(other)
    await field(place).press('Enter')
    await reloaded
    await page.getByRole('banner').getByText('Somebody else').waitFor()
    await beside.page.getByRole('banner').getByText('Somebody else').waitFor()
    await row('Not theirs').waitFor()
    assert.deepEqual(sent, [])
    assert.ok(await pets.read(id))
  })

test('an idle page that cannot end its session at once tries again until it has', async () => {
  await using tab = await store.open('/key', { isLive: true })
  const { page } = tab
  await page.getByRole('heading', { level: 1, name: 'Your key' }).waitFor()
  let attempts = 0
  const tried = Promise.withResolvers<void>()
  await page.route('**/console/session', (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback()
    if (++attempts === 3) tried.resolve()
    return attempts === 1 ? route.fulfill({ status: 503 }) : route.abort()
  })
  await page.evaluate(() => localStorage.setItem('petstore.last-input', String(Date.now() - 61 * 60_000)))
  await tried.promise
  assert.ok(!(await ended(page).isVisible()))
  await page.unroute('**/console/session')
  await ended(page).waitFor()
})

test('a page that nobody touches for an hour ends its session by itself', async () => {
  await using tab = await store.open('/key', { isLive: true })
  const { page } = tab
  const token = await sessionCookie(tab)
  await page.getByRole('heading', { level: 1, name: 'Your key' }).waitFor()
  await page.evaluate(() => localStorage.setItem('petstore.last-input', String(Date.now() - 61 * 60_000)))
  await ended(page).waitFor()
  assert.equal(await statusWith(token, 'same-origin'), 401)
})

test('a revoked key is signed out within two seconds, and another key continues', async () => {
  const key = await store.createKey({ name: 'Revoked' })
  const { body } = await store.call('/v1/keys/self', { key })
  await using tab = await store.open('/pets', { key, isLive: true })
  const { page } = tab
  await partsOf(page).live()
  const began = performance.now()
  await store.pool.query(
    `with gone as (update api_keys set revoked_at = now() where id = $1) select pg_notify('api_keys_changed', $1)`,
    [(body as { id: string }).id],
  )
  await ended(page).waitFor()
  const tookMs = Math.round(performance.now() - began)
  assert.ok(tookMs <= 2_000, `${tookMs} ms`)
  await field(page).fill(store.key)
  await field(page).press('Enter')
  await ended(page).waitFor({ state: 'detached' })
  await partsOf(page).live()
})
