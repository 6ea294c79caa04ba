import type { FastifyRequest } from 'fastify'
import { parseInt64 } from '../../lib/int64.ts'
import type { Deprecation } from './operation.ts'

/** The documentation page, or a section of it. */
export function documentationUrl(baseUrl: string, section?: string) {
  const page = `${baseUrl.replace(/\/v1$/, '')}/docs`
  return section === undefined ? page : `${page}#${section}`
}

/** Returns the headers that announce, on every response of a deprecated operation, its removal and its replacement. */
export function deprecationHeaders(baseUrl: string, { since, sunset, successor, section }: Deprecation) {
  const docs = `<${documentationUrl(baseUrl, section)}>; rel="deprecation"; type="text/html"`
  const dates = ['deprecation', `@${Date.parse(since) / 1_000}`, 'sunset', new Date(sunset).toUTCString()]
  const [path = ''] = successor.split('?')
  const [, start = '', name = ''] = /^(.*)\{(\w+)\}$/.exec(successor) ?? []
  return ({ params }: FastifyRequest) => {
    // Text until it has been validated. Without a valid id, the link has no query.
    const id = (params as Record<string, string | bigint | undefined>)[name]
    const isId = typeof id === 'bigint' || (id !== undefined && parseInt64(id) !== undefined)
    const url = baseUrl + (isId ? `${start}${id}` : path)
    return [...dates, 'link', `${docs}, <${url}>; rel="successor-version"`]
  }
}
