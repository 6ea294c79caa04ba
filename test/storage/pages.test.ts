import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listPets, type PageOptions, type PetFilter } from '../../src/domain/pets.ts'
import { openPets } from '../../src/storage/pets/pets.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import type { Statement, Writable } from '../../src/storage/postgres/statement.ts'
import { createDatabase } from '../support/database.ts'
import { insertPets } from '../support/factories.ts'

/** What listPets sent to PostgreSQL before it had a parameter for category, order and view. */
const frozen = (condition: string) => `
      select pets.*
      from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
      lateral (
        select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status"
        from (
          select * from pets
          where id > page.after${condition}
          order by id limit page.count) as pets) as pets
      order by page.position`
const FIND = `select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status" from pets where id = any($1::bigint[])`

const { url, pool } = await createDatabase()
const [first, second] = await insertPets(pool, ['sold', 'available'])

/** What one call sends, and how it is batched. */
async function sentBy(filter: PetFilter, options: PageOptions) {
  await using db = new Database(url, () => {})
  const sent: Statement[] = []
  const batches: string[] = []
  const recording: Writable = {
    query: (statement, deadline) => {
      sent.push(statement)
      return db.query(statement, deadline)
    },
    write: (statement, deadline) => db.write(statement, deadline),
    writeOnce: (statement, deadline) => db.writeOnce(statement, deadline),
  }
  const pets = openPets(recording, (batch) => batches.push(batch))
  const page = await listPets({ pets }, filter, options)
  return { page, sent, batches }
}

for (const status of [undefined, 'available', 'pending', 'sold'] as const)
  test(`F5 without a new parameter the statement for status ${status} is what it always was`, async () => {
    const name = `pets.list.${status ?? 'all'}`
    const text = frozen(status ? ` and status = '${status}'` : '')
    for (const options of [{ limit: 5 }, { limit: 5, sort: 'oldest', view: 'basic' }] as const) {
      const { sent, batches } = await sentBy({ status }, options)
      assert.deepEqual(sent, [{ name, text, values: ['{0}', '{6}'] }])
      assert.deepEqual(batches, [name])
    }
  })

test('F5 without a new parameter the statement for ids is what it always was', async () => {
  const { page, sent, batches } = await sentBy({ ids: [second!, first!], status: 'sold' }, { limit: 5 })
  assert.deepEqual(sent, [{ name: 'pets.find', text: FIND, values: [`{${first},${second}}`] }])
  assert.deepEqual(batches, ['pets.findAll'])
  assert.deepEqual(page, { pets: [{ id: String(first), name: 'pet 1', categoryId: '1', status: 'sold' }] })
})

test('every other listing has a statement of its own', async () => {
  const names = new Map<string, string>()
  for (const status of [undefined, 'available', 'pending', 'sold'] as const)
    for (const categoryId of [undefined, 1n])
      for (const sort of ['oldest', 'newest'] as const)
        for (const view of ['basic', 'full'] as const) {
          const { sent, batches } = await sentBy({ status, categoryId }, { limit: 5, sort, view })
          const { name = '', text } = sent[0]!
          assert.deepEqual(batches, [name])
          assert.equal(names.get(name) ?? text, text, `${name} is one statement`)
          names.set(name, text)
        }
  assert.equal(names.size, 20)
  assert.equal(new Set(names.values()).size, 20)
})
