import type pg from 'pg'
import { type Call, postJson } from './app.ts'

export const CATEGORIES = '/v1/categories'

/** What can be done with the records of categories, by their operations. */
export function categoryCalls(call: Call) {
  return {
    list: (query = '') => call(`${CATEGORIES}${query}`),
    put: (id: bigint | string, name: unknown, headers: Record<string, string> = {}) =>
      call(`${CATEGORIES}/${id}`, { ...postJson({ name }, headers), method: 'PUT' }),
    remove: (id: bigint | string, headers: Record<string, string> = {}) =>
      call(`${CATEGORIES}/${id}`, { method: 'DELETE', headers }),
  }
}

/** Records straight into the table, with ids from 1. */
export async function insertCategories(pool: pg.Pool, names: string[]) {
  await pool.query(
    'insert into categories (id, name) select place, name from unnest($1::text[]) with ordinality as given (name, place)',
    [names],
  )
}
