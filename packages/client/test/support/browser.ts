import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { chromium } from 'playwright-core'

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync']

const PAGE = `<!doctype html><meta charset="utf-8"><title>A caller</title><link rel="icon" href="data:,">
<script type="importmap">{ "imports": { "@petstore/client": "/node_modules/@petstore/client/dist/index.js" } }</script>`

/** Serves a page from which the modules of a project can be imported, without any bundler. */
export async function startPage(directory: string) {
  const server = createServer((request, response) => {
    if (request.url === '/') response.setHeader('content-type', 'text/html').end(PAGE)
    else
      createReadStream(join(directory, request.url ?? '')).pipe(response.setHeader('content-type', 'text/javascript'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What an expression evaluates to on a page, in a Chromium of its own. */
export async function evaluateInChromium(page: string, expression: string): Promise<unknown> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: [...FLAGS, ...QUIET] })
  try {
    const tab = await browser.newPage()
    await tab.goto(page)
    return await tab.evaluate(expression)
  } finally {
    await browser.close()
  }
}
