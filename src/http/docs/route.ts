import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { closePath } from '../gate.ts'
import { documentationPage } from './page.ts'
import type { Document } from './reference.ts'

// The page may load and call its own origin, and nothing else.
const SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_HEADERS = ['content-security-policy', SECURITY_POLICY, 'referrer-policy', 'no-referrer']

const asset = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')

/** The documentation for people, without a key. */
export function docsRoutes(app: FastifyInstance, baseUrl: string) {
  let page = ''
  app.addHook('onReady', async () => {
    page = documentationPage(app.swagger() as unknown as Document, baseUrl)
  })
  serve(app, '/docs', 'text/html; charset=utf-8', () => page)
  const style = asset('style.css')
  serve(app, '/docs/style.css', 'text/css; charset=utf-8', () => style)
  const script = asset('script.js')
  serve(app, '/docs/script.js', 'text/javascript; charset=utf-8', () => script)
}

function serve(app: FastifyInstance, url: string, type: string, text: () => string) {
  app.get(url, {
    schema: { hide: true },
    handler: (_request, reply) => reply.answer(200, text(), PAGE_HEADERS, type),
  })
  closePath(app, url, 'GET', 'HEAD')
}
