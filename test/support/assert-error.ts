import assert from 'node:assert/strict'
import type { Answer } from './app.ts'

/** The answer is an error as the contract draws it: exactly three members, the status repeated, JSON, a whole sentence. */
export function assertError(answer: Pick<Answer, 'status' | 'headers' | 'text'>, status: number, code: string) {
  assert.equal(answer.status, status, answer.text)
  assertErrorBody(answer.text, status, code)
  assert.equal(answer.headers.get('content-type'), 'application/json')
}

export function assertErrorBody(text: string, status: number, code: string) {
  const body = JSON.parse(text) as { message: string }
  assert.deepEqual({ ...body, message: '' }, { code, message: '', status }, text)
  assert.match(body.message, /^[`A-Z].{10,}[.?]$/su, 'the message is a sentence')
}
