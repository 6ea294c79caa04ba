import type pg from 'pg'
import { createKey, type NewKey } from '../../src/domain/key-changes.ts'
import type { Statement } from '../../src/storage/postgres/statement.ts'

/** A key with every scope and no end, but for what the test says. */
export async function createTestKey(pool: pg.Pool, overrides: Partial<NewKey> = {}) {
  const query = async <Row extends pg.QueryResultRow>(statement: Statement) => (await pool.query<Row>(statement)).rows
  const db = { query, write: query, writeOnce: query }
  return createKey({ db }, 'tester@test', {
    name: 'test',
    mode: 'test',
    scopes: ['pets:read', 'pets:write'],
    expiresAt: null,
    ...overrides,
  })
}

/** Pets straight into the table, as many as are named. Returns their ids, in order. */
export async function insertPets(pool: pg.Pool, statuses: (string | null)[]) {
  const { rows } = await pool.query<{ id: string }>(
    `insert into pets (name, category_id, status)
     select 'pet ' || place, place, status from unnest($1::text[]) with ordinality as given (status, place)
     order by place returning id`,
    [statuses],
  )
  return rows.map(({ id }) => BigInt(id)).toSorted((a, b) => Number(a - b))
}
