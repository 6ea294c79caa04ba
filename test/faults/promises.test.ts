import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brokenRejections } from '../../faults/promises.ts'
import { until } from '../../faults/rig/until.ts'

const failed = (...codes: string[]) => codes.map((code, i) => ({ name: `kill ${i}`, code, begun: 0, at: 1 }))

test('a request may be rejected or given up, and fail in no other way', () => {
  const refused = failed(
    'unavailable',
    'overloaded',
    'idempotency_in_progress',
    'deadline_exceeded',
    'connection_failed',
  )
  assert.deepEqual(brokenRejections({ failed: refused, withoutRetryAfter: () => 0 }), [])
  assert.deepEqual(brokenRejections({ failed: failed('unavailable', 'internal_error'), withoutRetryAfter: () => 2 }), [
    '1 requests failed in an unexpected way, like "kill 1": internal_error',
    '2 responses with 503 had no Retry-After',
  ])
})

test('a condition is checked again until it holds, and reported if it never does', async () => {
  let asked = 0
  const answer = await until('it answers', 5_000, async () => {
    if (++asked < 3) throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    return 'here'
  })
  assert.equal(answer, 'here')
  const inVain = until('it answers', 0, () => Promise.reject(new Error('nobody there')))
  await assert.rejects(inVain, { message: 'waited 0 s in vain until it answers; the last time: Error: nobody there' })
})
