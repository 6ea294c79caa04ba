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
  return ({ params }: FastifyRequest) => {
    const url = baseUrl + fill(successor, params as Record<string, string | bigint>)
    return [...dates, 'link', `${docs}, <${url}>; rel="successor-version"`]
  }
}

/** Fills in the path parameters. They are text until they have been validated; without a valid one, the query is dropped. */
function fill(template: string, params: Record<string, string | bigint>) {
  let isValid = true
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = params[name] ?? ''
    isValid &&= typeof id === 'bigint' || parseInt64(id) !== undefined
    return String(id)
  })
  return isValid ? filled : template.replace(/\?.*/, '')
}
