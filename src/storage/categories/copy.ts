import { pgArrayLiteral } from '../postgres/batches.ts'
import type { BulkConnection } from '../postgres/bulk.ts'
import type { Queryable } from '../postgres/statement.ts'
import type { CategoryName } from './changes.ts'

const JSON_LINE = `'{"id":' || id || ',"name":' || to_json(name) || '}'`

/** Every record, as of one moment, a line for each. As in pets/copy.ts, JSON holds neither the delimiter nor the quote. */
export function copyOut(db: BulkConnection) {
  return db.copyOut(
    `copy (select ${JSON_LINE} from categories order by id) to stdout (format csv, delimiter e'\\x01', quote e'\\x02')`,
  )
}

/** Gives each of these categories its name, and returns how many had none, and how many another one. No id twice. */
export async function putAll(db: Queryable, categories: CategoryName[]) {
  const [row] = await db.query<{ added: number; changed: number }>({
    name: 'categories.putAll',
    text: `
      with put as (
        insert into categories (id, name) select * from unnest($1::bigint[], $2::text[]) order by 1 -- so that no two wait for each other
        on conflict (id) do update set name = excluded.name, version = categories.version + 1
        where categories.name <> excluded.name
        returning version)
      select count(*) filter (where version = 1)::float8 as added, count(*) filter (where version > 1)::float8 as changed
      from put`,
    values: [pgArrayLiteral(categories.map(({ id }) => id)), categories.map(({ name }) => name)],
  })
  return row ?? { added: 0, changed: 0 }
}
