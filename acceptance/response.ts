import { STATUS_CODES } from 'node:http'
import { show } from './shell.ts'

/** What was sent, for a person, and a command line that sends it again. */
export interface Sent {
  shown: string
  curl: string
}

export interface Response {
  status: number
  headers: ReadonlyMap<string, string>
  text: string
  request: Sent
}

/** The service broke a clause: what was sent, what the contract says to it, and what came. */
export class Violation extends Error {
  override name = 'Violation'
  readonly expected: string
  readonly request: Sent
  readonly response: string
  /** What came, in a few words: clauses that expected the same and saw the same fail for the same cause. */
  readonly seen: string

  constructor(expected: string, request: Sent, response: string, seen = response) {
    super(`expected ${expected}, but got ${response}`)
    this.expected = expected
    this.request = request
    this.response = response
    this.seen = seen
  }
}

export const CLOSED = 'the connection closed without one'

/** No response came: the connection could not be made, or the server closed it. Perhaps it has stopped. */
export class Lost extends Violation {
  override name = 'Lost'
  /** What else had no response at that moment, this request included. */
  readonly inFlight: Sent[]
  readonly code: string

  constructor(request: Sent, reason: string, code: string, inFlight: Sent[]) {
    super('a response', request, reason)
    this.inFlight = inFlight
    this.code = code
  }
}

export function showResponse(response: Response) {
  const { headers, text } = response
  const lines = [...headers].filter(([name]) => name !== 'date').map(([name, value]) => `${name}: ${value}`)
  return [statusLine(response), ...lines, ...(text ? ['', show(text, 600)] : [])].join('\n')
}

/** The status, and the code of an Error body. */
export function outline(response: Response) {
  const code = /^\s*\{[^{}]*"code"\s*:\s*"([^"\\]{1,64})"/.exec(response.text)?.[1]
  return code === undefined ? statusLine(response) : `${statusLine(response)} with the code ${code}`
}

function statusLine({ status }: Response) {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim()
}
