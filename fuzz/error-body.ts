import { errorsOf, type Operation, STATUS_OF } from './document.ts'
import type { Known, Request } from './request.ts'
import type { HttpResponse } from './response.ts'

/** No operation declares these: they are about requests that reach none. */
const WITHOUT_OPERATION: Record<string, number> = { route_not_found: 404, method_not_allowed: 405 }

const MAX_ECHOED = 64

/** What is wrong with the body of an error: its shape, a code that is not documented, or what it gives away. */
export function checkError(
  operation: Operation | undefined,
  request: Request,
  { status, body }: HttpResponse,
  { key, earlier }: Pick<Known, 'key' | 'earlier'>,
) {
  const text = body.toString()
  const { code, message, status: repeated, ...more } = read(text)
  if (typeof code !== 'string' || typeof message !== 'string' || Object.keys(more).length > 0)
    return `not an Error: ${text}`
  if (repeated !== status || (STATUS_OF[code] ?? WITHOUT_OPERATION[code]) !== status)
    return `an Error whose code or status is not that of a ${status}: ${text}`
  if (operation && !errorsOf(operation).some((documented) => documented.code === code))
    return `${operation.operationId} does not document the code ${code}: ${text}`
  if (message.includes(key) || message.includes(earlier)) return `a ${status} whose message shows the key`
  return echoesTooMuch(request, message)
    ? `a ${status} that echoes more than ${MAX_ECHOED} characters: ${message}`
    : undefined
}

function read(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

function echoesTooMuch({ target, headers, body = '' }: Request, message: string) {
  const conditions = headers.filter(([name]) => /^if-(none-)?match$/i.test(name)).map(([, value]) => value)
  // What is repeated in quotes has a backslash before each of these, which is no character of the request.
  const characters = Array.from(message.replaceAll(/\\(["\\])/g, '$1'))
  if (characters.length <= MAX_ECHOED) return false
  const given = [decoded(target), ...conditions, Buffer.from(body, 'latin1').toString(), unescaped(body)]
  return characters.some((_, i) => {
    if (i + MAX_ECHOED >= characters.length) return false
    const passage = characters.slice(i, i + MAX_ECHOED + 1).join('')
    // A quote or a space of the sentence's own is no echo, though the input may have one there too.
    if (/^["\s]|["\s]$/.test(passage)) return false
    return given.some((text) => text.includes(passage))
  })
}

function decoded(target: string) {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}

function unescaped(body: string) {
  return body.replaceAll(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
