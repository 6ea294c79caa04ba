import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Availability } from '../../src/storage/postgres/availability.ts'
import { DatabaseRejects } from '../../src/storage/postgres/failures.ts'

test('a reason that an operator must act on is reported once, also if an attempt in between took too long', async () => {
  const rejects = () => new DatabaseRejects('it does not exist')
  const failures = [rejects(), new Error('timeout expired'), rejects(), new DatabaseRejects('no slots left'), rejects()]
  const reported: string[] = []
  const { promise: found, resolve: onRecovered } = Promise.withResolvers<void>()
  using availability = new Availability({
    probe: async () => {
      const failure = failures.shift()
      if (failure) throw failure
    },
    holdMs: 0,
    probeIntervalMs: 1,
    onLost: ({ message }) => reported.push(message),
    onRecovered,
  })
  availability.lose(new Error('connection reset'), 0)
  await found
  assert.deepEqual(reported, ['connection reset', 'it does not exist', 'no slots left', 'it does not exist'])
})
