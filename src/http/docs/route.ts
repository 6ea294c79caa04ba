import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { documentationUrl } from '../wire/deprecation.ts'
import { documentationPage } from './page.ts'

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
    page = documentationPage(app.describe(), baseUrl)
  })
  serve(app, '/docs', 'text/html; charset=utf-8', () => page)
  const style = asset('style.css')
  serve(app, '/docs/style.css', 'text/css; charset=utf-8', () => style)
  const script = asset('script.js')
  serve(app, '/docs/script.js', 'text/javascript; charset=utf-8', () => script)
  // A proxy may serve all of this under a path of its own, which only PUBLIC_BASE_URL states.
  const location = new URL(documentationUrl(baseUrl), 'http://unused').pathname
  for (const url of ['/', '/docs/']) redirect(app, url, location)
}

function serve(app: FastifyInstance, url: string, type: string, text: () => string) {
  app.get(url, {
    handler: (_request, reply) => reply.respond(200, text(), PAGE_HEADERS, type),
  })
}

/**
 * For a person who types the host only, or one slash too many. 302, not 301 or 308: browsers keep a permanent redirect, and `/` may
 * serve a page of its own one day. Since only GET and HEAD get here, 302 and 307 mean the same.
 */
function redirect(app: FastifyInstance, url: string, location: string) {
  app.get(url, {
    handler: ({ raw: { url: target = '' } }, reply) => {
      const query = target.includes('?') ? target.slice(target.indexOf('?')) : ''
      reply.respond(302, undefined, ['location', location + query, 'content-length', '0'])
    },
  })
}
