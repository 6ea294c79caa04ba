/**
 * One HTTP request, described. Text is latin1: each character is one byte on the wire, so that any bytes can be said.
 * `{{key}}`, `{{pet7}}`, `{{cursor7}}` and `{{new}}` stand for what only a run knows; see `fill`.
 */
export interface Request {
  method: string
  target: string
  version: '1.0' | '1.1'
  headers: [name: string, value: string][]
  body?: string
  /** Sends the body in chunks of these sizes, and the rest in one more; else with a Content-Length. */
  chunks?: number[]
}

/** The bytes of a request. The headers that frame its body come last. */
export function encode(request: Request) {
  const { method, target, version, headers, body, chunks } = request
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  if (body !== undefined) lines.push(chunks ? 'Transfer-Encoding: chunked\r\n' : `Content-Length: ${body.length}\r\n`)
  return {
    head: `${method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n`,
    body: body === undefined ? '' : chunks ? inChunks(body, chunks) : body,
  }
}

function inChunks(body: string, sizes: number[]) {
  let text = ''
  let at = 0
  for (const size of [...sizes, body.length]) {
    const chunk = body.slice(at, at + size)
    at += chunk.length
    if (chunk !== '') text += `${chunk.length.toString(16)}\r\n${chunk}\r\n`
  }
  return `${text}0\r\n\r\n`
}

/** The values of placeholders, which only a run knows. */
export interface Known {
  key: string
  petId: (index: number) => bigint
  cursor: (index: number) => string
  unique: () => string
}

export function fill(request: Request, known: Known): Request {
  const { body } = request
  return {
    ...request,
    target: fillText(request.target, known),
    headers: request.headers.map(([name, value]) => [name, fillText(value, known)]),
    ...(body === undefined ? {} : { body: fillText(body, known) }),
  }
}

export function fillText(text: string, known: Known) {
  if (!text.includes('{{')) return text
  return text.replaceAll(/\{\{(key|pet|cursor|new)(\d*)\}\}/g, (_, name: string, index: string) => {
    if (name === 'key') return known.key
    if (name === 'new') return known.unique()
    return name === 'pet' ? String(known.petId(Number(index))) : known.cursor(Number(index))
  })
}
