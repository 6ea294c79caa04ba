import type pg from 'pg'
import { createKey, type NewKey, rotateKey } from '../../src/domain/key-changes.ts'
import { SCOPES } from '../../src/domain/principal.ts'
import type { ApiKey } from '../../src/domain/types/key.ts'
import type { Statement } from '../../src/storage/postgres/statement.ts'

/** A key with every scope and no end, but for what the test says. */
export async function createTestKey(pool: pg.Pool, overrides: Partial<NewKey> = {}) {
  return createKey({ db: databaseOf(pool) }, 'tester@test', {
    name: 'test',
    mode: 'test',
    scopes: [...SCOPES],
    expiresAt: null,
    ...overrides,
  })
}

/** The successor of a key; both work for an hour. */
export async function rotateTestKey(pool: pg.Pool, old: ApiKey) {
  const made = await rotateKey({ db: databaseOf(pool) }, 'tester@test', old, 3_600_000)
  if (!made) throw new Error('The key was rotated before.')
  return made
}

function databaseOf(pool: pg.Pool) {
  const query = async <Row extends pg.QueryResultRow>(statement: Statement) => (await pool.query<Row>(statement)).rows
  return { query, write: query, writeOnce: query }
}

/** A pet that an order holds, straight into the table. */
export async function insertHeldPet(pool: pg.Pool, order: bigint) {
  const [id] = await insertPets(pool, ['pending'])
  await pool.query('update pets set held_by = $2 where id = $1', [id, order])
  return id!
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
