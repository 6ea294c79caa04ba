import { STATUS_CODES } from 'node:http'
import { show } from './shell.ts'

/** What was sent, for a person, and a command line that sends it again. */
export interface Sent {
  shown: string
  curl: string
}

export interface Answer {
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
  readonly answer: string

  constructor(expected: string, request: Sent, answer: string) {
    super(`expected ${expected}, but got ${answer}`)
    this.expected = expected
    this.request = request
    this.answer = answer
  }
}

export function showAnswer({ status, headers, text }: Answer) {
  const lines = [...headers].filter(([name]) => name !== 'date').map(([name, value]) => `${name}: ${value}`)
  return [`${status} ${STATUS_CODES[status] ?? ''}`.trim(), ...lines, ...(text ? ['', show(text, 600)] : [])].join('\n')
}
