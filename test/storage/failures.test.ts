import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { toDomainError } from '../../src/domain/errors.ts'
import { reasonOf } from '../../src/lib/reason.ts'
import { DatabaseUnavailable, meaningOf, SchemaOutdated } from '../../src/storage/postgres/failures.ts'

function failure(code: string, message: string) {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code })
}

const STATEMENT = { name: 'pets.insert', text: 'insert into pets …' }

test('a full disk is unavailable to the client, and named in the log', () => {
  const error = meaningOf(failure('53100', 'could not extend file "base/1/2"'), STATEMENT)
  assert.ok(error instanceof DatabaseUnavailable)
  assert.equal(
    reasonOf(error),
    `the database server's disk is full; free space on it, or enlarge it: could not extend file "base/1/2"`,
  )
  assert.equal((toDomainError(error) as { code?: string }).code, 'unavailable')
})

test('a missing right is unavailable to the client, and the log says what to run', () => {
  const error = meaningOf(failure('42501', 'permission denied for table pets'), STATEMENT)
  assert.ok(error instanceof DatabaseUnavailable)
  assert.match(
    reasonOf(error),
    /run deploy\/postgres\/grants\.sql as the owner of the tables: permission denied for table pets$/,
  )
  assert.equal((toDomainError(error) as { code?: string }).code, 'unavailable')
})

for (const code of ['42P01', '42703']) {
  test(`SQLSTATE ${code} is an outdated schema, and unavailable to the client`, () => {
    const error = meaningOf(failure(code, 'it does not exist'), STATEMENT)
    assert.ok(error instanceof SchemaOutdated)
    assert.equal((toDomainError(error) as { code?: string }).code, 'unavailable')
  })
}

test('the connections of a sandbox are not lowered by DATABASE_CONNECTIONS', () => {
  const full = failure('53300', 'sorry, too many clients already')
  assert.match(meaningOf(full, STATEMENT).message, /or lower WORKERS or DATABASE_CONNECTIONS$/)
  assert.match(meaningOf(full, STATEMENT, 'test').message, /or lower WORKERS$/)
})
