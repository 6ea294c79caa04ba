import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExposedKeys } from '../../src/domain/exposed-keys.ts'
import { generateKey } from '../../src/lib/ids/key-format.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import type { Statement } from '../../src/storage/postgres/statement.ts'
import { createDatabase } from '../support/database.ts'
import { createTestKey } from '../support/factories.ts'

const { url, pool } = await createDatabase()

test('however many keys are sent in addresses, the database is asked by one statement at a time, for a hundred at most', async () => {
  await using db = new Database(url, () => {})
  const asked: number[] = []
  const { promise: isHeld, resolve: letGo } = Promise.withResolvers<void>()
  const held = {
    async query<Row extends Record<string, unknown>>({ values, ...statement }: Statement) {
      asked.push((values as [string[]])[0].length)
      await isHeld
      return db.query<Row>({ ...statement, values: values ?? [] })
    },
  }
  const { promise: lastIsTold, resolve: tellLast } = Promise.withResolvers<void>()
  const reported: [keyId: string, requestId: string][] = []
  const [first, second] = [await createTestKey(pool), await createTestKey(pool)]
  const exposed = new ExposedKeys(held, (keyId, requestId) => {
    reported.push([keyId, requestId])
    if (keyId === second.id) tellLast()
  })
  exposed.report([first.key], 'a')
  exposed.report([second.key], 'b')
  for (let i = 0; i < 300; i++) exposed.report([generateKey('live')], 'c')
  assert.deepEqual(asked, [1])
  letGo()
  await lastIsTold
  assert.deepEqual(asked, [1, 100])
  assert.deepEqual(reported, [
    [first.id, 'a'],
    [second.id, 'b'],
  ])
})
