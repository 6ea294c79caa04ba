import { Worker } from 'node:worker_threads'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedCoding } from '../wire/accept-encoding.ts'
import { documentationUrl } from '../wire/deprecation.ts'
import type { Site, Texts } from './render.ts'
import type { Encoded } from './worker.ts'

// The page may load and call its own origin, and nothing else.
export const SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_HEADERS = [
  'content-security-policy',
  SECURITY_POLICY,
  'referrer-policy',
  'no-referrer',
  'vary',
  'accept-encoding',
]

type Files = Record<keyof Texts, Encoded>

const FILES: [url: string, file: keyof Texts, type: string][] = [
  ['/docs', 'page', 'text/html'],
  ['/docs/style.css', 'style', 'text/css'],
  ['/docs/script.js', 'script', 'text/javascript'],
  ['/docs.md', 'markdown', 'text/markdown'],
  ['/llms.txt', 'index', 'text/plain'],
]

/** The documentation for people, without a key. */
export function docsRoutes(app: FastifyInstance, openapi: () => string, site: Site) {
  let files: Files | undefined
  let rendering: Promise<Files> | undefined
  const getFiles = async () => {
    rendering ??= render(openapi(), site).finally(() => {
      rendering = undefined
    })
    files = await rendering
    return files
  }
  for (const [url, file, type] of FILES) {
    const send = (request: FastifyRequest, reply: FastifyReply, all: Files) =>
      sendFile(request, reply, all[file], `${type}; charset=utf-8`)
    app.get(url, {
      handler: (request, reply) =>
        files ? send(request, reply, files) : getFiles().then((all) => send(request, reply, all)),
    })
  }
  // A proxy may serve all of this below a path, which only PUBLIC_BASE_URL states.
  const location = new URL(documentationUrl(site.baseUrl), 'http://unused').pathname
  for (const url of ['/', '/docs/']) redirect(app, url, location)
}

/**
 * Renders at the first request, in a thread of its own: it takes longer than a request may, most processes are never asked, and the service
 * must start within a second.
 */
function render(openapi: string, site: Site): Promise<Files> {
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: { openapi, site } })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the documentation was not rendered')))
  })
}

function sendFile({ headers }: FastifyRequest, reply: FastifyReply, file: Encoded, type: string) {
  const encoding = acceptedCoding(headers['accept-encoding'], ['br', 'gzip'] as const)
  if (encoding === undefined) return reply.respond(200, file.identity, PAGE_HEADERS, type)
  return reply.respond(200, file[encoding], [...PAGE_HEADERS, 'content-encoding', encoding], type)
}

/**
 * For a person who types only the host, or one slash too many. 302, not 301 or 308: browsers keep a permanent redirect, and `/` may become
 * a page one day. Only GET and HEAD get here, so 302 and 307 mean the same.
 */
function redirect(app: FastifyInstance, url: string, location: string) {
  app.get(url, {
    handler: ({ raw: { url: target = '' } }, reply) => {
      const query = target.includes('?') ? target.slice(target.indexOf('?')) : ''
      reply.respond(302, undefined, ['location', location + query])
    },
  })
}
