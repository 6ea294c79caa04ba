import { readJson } from './oracle/json.ts'

/**
 * One HTTP request, described. Text is latin1: each character is one byte on the wire, so that any bytes can be said.
 * `{{key}}`, `{{pet7}}`, `{{cursor7}}`, `{{new}}` and others stand for what only a run knows; see `fill`.
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

/** The values of all headers of this name. */
export function headers(request: Request, name: string) {
  return request.headers.filter(([header]) => header.toLowerCase() === name).map(([, value]) => value)
}

/** The JSON that a request carries. */
export function sentIn({ body }: Request) {
  return body === undefined ? undefined : readJson(Buffer.from(body, 'latin1'))
}

/** The bytes of a request. The headers that frame its body come last. */
export function encode(request: Request) {
  const { method, target, version, headers: given, body, chunks } = request
  const lines = given.map(([name, value]) => `${name}: ${value}\r\n`)
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

/** What is sent in one go on one connection, and what it is due. */
export interface Sent {
  bytes: string
  /** The method of each request in it: as many responses are due, and the one to HEAD has no body. */
  methods: string[]
  /** Where to part the bytes, so that they arrive in pieces. */
  cuts?: number[]
  /** Closes the sending half after the bytes. */
  end?: boolean
  /** On a connection of its own, watched until the server closes it. */
  alone?: boolean
}

/** The values of placeholders, which only a run knows. */
export interface Known {
  key: string
  /** A key with fewer scopes. */
  earlier: string
  unique: () => string
  petId: (index: number) => bigint
  /** The version of that pet. */
  version: (index: number) => bigint
  availableId: (index: number) => bigint
  orderId: (index: number) => string
  openOrderId: (index: number) => string
  closedAt: (index: number) => string
  cursor: (index: number) => string
  feedCursor: (index: number) => string
  newestCursor: (index: number) => string
  historyCursor: (index: number) => string
  webhookId: (index: number) => string
}

const PLACEHOLDERS: Record<string, (known: Known, index: number) => string | bigint> = {
  key: ({ key }) => key,
  earlier: ({ earlier }) => earlier,
  new: (known) => known.unique(),
  pet: (known, index) => known.petId(index),
  version: (known, index) => known.version(index),
  available: (known, index) => known.availableId(index),
  order: (known, index) => known.orderId(index),
  /** The id of an order without its prefix. */
  tail: (known, index) => known.orderId(index).slice(4),
  open: (known, index) => known.openOrderId(index),
  closed: (known, index) => known.closedAt(index),
  cursor: (known, index) => known.cursor(index),
  feed: (known, index) => known.feedCursor(index),
  newest: (known, index) => known.newestCursor(index),
  history: (known, index) => known.historyCursor(index),
  webhook: (known, index) => known.webhookId(index),
  /** A cursor of the feed with another character. */
  altered: (known, index) => {
    const cursor = known.feedCursor(index)
    const at = cursor.length - 3 - (index % 9)
    return `${cursor.slice(0, at)}${cursor[at] === 'Q' ? 'R' : 'Q'}${cursor.slice(at + 1)}`
  },
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
  return text.replaceAll(/\{\{([a-z]+)(\d*)\}\}/g, (whole, name: string, index: string) =>
    String(PLACEHOLDERS[name]?.(known, Number(index)) ?? whole),
  )
}

/** A request with a good key and nothing odd about it. */
export function plainRequest(method: string, target: string, more: Request['headers'] = [], body?: string): Request {
  return {
    method,
    target,
    version: '1.1',
    headers: [['Host', 'x'], ['Authorization', 'Bearer {{key}}'], ...more],
    ...(body === undefined ? {} : { body }),
  }
}
