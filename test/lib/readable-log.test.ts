import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readable } from '../../src/lib/readable-log.ts'

const BASE = { level: 40, time: Date.UTC(2026, 10, 16, 9, 5, 3, 7), pid: 1, hostname: 'pets' }

test('a line has its time, level, message and fields', () => {
  const line = readable(JSON.stringify({ ...BASE, lost: 3, reason: 'no room', msg: 'lines were lost' }))
  assert.equal(line, '09:05:03.007 WARN  lines were lost lost=3 reason=no room\n')
})

test('the stack of an error follows, and no control character reaches the terminal', () => {
  const err = { message: 'no', stack: 'Error: no\u001b[2J\n    at a.ts:1' }
  const line = readable(JSON.stringify({ ...BASE, level: 50, err, msg: 'it\r\nfailed' }))
  assert.equal(line, '09:05:03.007 ERROR it??failed\n    Error: no?[2J\n        at a.ts:1\n')
})
