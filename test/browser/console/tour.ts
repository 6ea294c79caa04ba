import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parseExact, postJson } from '../../support/app.ts'
import { startConsole } from '../../support/console-browser.ts'
import type { FeedEvent } from '../../support/events.ts'

// The tour of README.md, with its own commands, in a terminal and a browser at the same time.

const store = await startConsole()
const folder = mkdtempSync(join(tmpdir(), 'petstore-tour-'))
after(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, '.petstore'))
writeFileSync(join(folder, '.petstore/key'), store.key)

const [, section = ''] = /^## Tour\n(.*?)^## /ms.exec(readFileSync('README.md', 'utf8')) ?? []
const commands = Array.from(section.matchAll(/^```sh\n(.*?)^```$/gms), ([, command = '']) =>
  command.replaceAll('http://127.0.0.1:8080', store.address),
)

/** Runs a command of the tour in a terminal; resolves with what it prints. */
function run(command: string | undefined) {
  assert.ok(command, 'the tour has this command')
  const terminal = spawn('bash', ['-euo', 'pipefail', '-c', command], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  return new Promise<string>((resolve, reject) => {
    terminal.once('error', reject)
    terminal.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${command} ended with ${code}`)),
    )
  })
}

test('a pet is reserved in the console, the event arrives in a terminal, and the order is completed', async () => {
  const { body } = await store.call('/v1/pets', postJson({ name: 'Rex', categoryId: 1, status: 'available' }))
  const { id } = body as { id: bigint }
  const [printKey, getEnd, wait] = commands
  const key = (await run(printKey)).trim()
  await using tab = await store.open('/', { key: null })
  const { page } = tab
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await run(getEnd)
  // `petstore dev` knows its own URL; this service has not been given one, and its links are paths.
  const link = readFileSync(join(folder, '.petstore/tour'), 'utf8')
  writeFileSync(join(folder, '.petstore/tour'), new URL(link, store.address).href)
  await page.getByRole('link', { name: 'Pets', exact: true }).click()
  await page
    .getByRole('link', { name: 'Rex' })
    .or(page.getByRole('button', { name: 'Rex' }))
    .first()
    .click()
  const reserve = page.getByRole('button', { name: 'Reserve…', exact: true })
  await reserve.waitFor()
  const waiting = run(wait)
  await reserve.click()
  await page.getByRole('button', { name: 'Reserve until' }).click()
  const [event] = parseExact(await waiting) as FeedEvent[]
  assert.equal(event?.type, 'order.placed')
  assert.equal(event.data.pet?.id, id)
  assert.equal(event.data.pet.status, 'pending')
  const orderId = event.data.order?.id ?? ''
  await page.getByRole('link', { name: 'Activity', exact: true }).first().click()
  await page
    .locator('.event')
    .filter({ hasText: `reserved ${event.data.pet.name} ${id}` })
    .waitFor()
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.locator('.open-orders').getByRole('link').click()
  await page.waitForURL(`**/orders?order=${orderId}`)
  await page.getByRole('button', { name: 'Complete sale', exact: true }).click()
  await page.getByText(`${event.data.pet.name} is sold.`).waitFor()
})
