import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { CommitInDoubt, classOf, FailedAttempt, Retries } from '../../src/storage/postgres/retry.ts'

function coded(code: string) {
  return Object.assign(new pg.DatabaseError('failed', 6, 'error'), { code })
}

const CODES: Record<string, string[]> = {
  'never executed': ['57P03', '53300', '08001', '08004'],
  'wrong role': ['25006'],
  'rolled back': ['40001', '40P01', '55P03', '57014'],
  ambiguous: ['57P01', '57P02', '08006', '08000'],
  permanent: ['22021', '23505', '42P01', '28P01', '53100', 'XX000'],
}

test('each failure of a statement has the class that says whether it may be sent again', () => {
  for (const [failureClass, codes] of Object.entries(CODES))
    for (const code of codes) assert.equal(classOf(coded(code), true), failureClass, code)
  for (const message of ['read ECONNRESET', 'Connection terminated unexpectedly', 'Query read timeout'])
    assert.equal(classOf(new Error(message), true), 'ambiguous', message)
  assert.equal(classOf(new CommitInDoubt(), true), 'ambiguous')
  assert.equal(classOf(new TypeError('ours'), true), 'permanent')
  const known = 'Client has encountered a connection error and is not queryable'
  assert.equal(classOf(new Error(known), true), 'never executed')
})

test('what fails before there is a session was never executed, unless it never will be', () => {
  for (const error of [new Error('connect ECONNREFUSED'), coded('57P01'), coded('08006'), coded('57P03')])
    assert.equal(classOf(error, false), 'never executed')
  assert.equal(classOf(coded('28P01'), false), 'permanent')
})

test('a primary is lost when it is gone, not when it is full or has rolled something back', () => {
  const isLoss = (error: Error, wasSent: boolean) => new FailedAttempt(error, wasSent).loss !== undefined
  for (const code of ['57P01', '57P02', '57P03', '25006']) assert.ok(isLoss(coded(code), true), code)
  assert.ok(isLoss(new Error('connect ECONNREFUSED'), false))
  assert.equal(new FailedAttempt(new Error('Query read timeout'), true).loss, 'silence')
  assert.equal(
    new FailedAttempt(new Error('Query read timeout'), true, true).loss,
    undefined,
    'the caller was in a hurry',
  )
  for (const code of ['53300', '40001', '57014', '23505']) assert.ok(!isLoss(coded(code), true), code)
  assert.ok(!isLoss(new CommitInDoubt(), true))
})

test('at most three attempts, a tenth of the work, and never again what may have been done and must not be twice', () => {
  const retries = new Retries()
  assert.ok(!retries.take('permanent', 1, true))
  assert.ok(!retries.take('ambiguous', 1, false))
  assert.ok(!retries.take('never executed', 3, true))
  assert.deepEqual(new Set(Object.values(retries.counts)), new Set([0]))
  for (let i = 0; i < 20; i++) assert.ok(retries.take('ambiguous', 1, true))
  assert.ok(!retries.take('rolled back', 1, false), 'the reserve is used up')
  for (let i = 0; i < 11; i++) retries.earn()
  assert.ok(retries.take('rolled back', 2, false))
  assert.ok(!retries.take('rolled back', 2, false))
  assert.deepEqual(retries.counts, { 'never executed': 0, 'wrong role': 0, 'rolled back': 1, ambiguous: 20 })
})
