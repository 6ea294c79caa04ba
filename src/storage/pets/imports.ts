import type { IdRange } from '../../domain/types/event.ts'
import type { ImportState } from '../../domain/types/import.ts'
import type { Queryable } from '../postgres/statement.ts'

export interface StoredImport extends ImportState {
  startedAt: Date
  updatedAt: Date
  finishedAt: Date | null
  /** Another one after each write. */
  version: string
}

const COLUMNS = `head, name, bytes::float8, sha256, lines::float8, added::float8, refused::float8 as rejected,
  started_at as "startedAt", updated_at as "updatedAt",
  finished_at as "finishedAt", version`

const MAX_LISTED = 500

/** The latest imports, latest first. */
export async function list(db: Queryable): Promise<StoredImport[]> {
  return db.query<StoredImport & Record<string, unknown>>({
    text: `select ${COLUMNS} from imports order by updated_at desc limit ${MAX_LISTED}`,
  })
}

/** The import of this input; else one that a file of this name began and did not finish. */
export async function find(db: Queryable, head: string, name: string | null): Promise<StoredImport | undefined> {
  // Waits for a process that is writing the row: one that was killed may have sent its commit already.
  const [row] = await db.query<StoredImport>({
    text: `
      select ${COLUMNS} from imports where head = $1 or (name = $2 and finished_at is null)
      order by head = $1 desc limit 1 for update`,
    values: [head, name],
  })
  return row
}

/**
 * Records an import that has not begun. Returns its version; or `undefined` if another process began it, once that is committed: of two
 * processes that import the same, the second waits here for the first.
 */
export async function begin(db: Queryable, state: ImportState, finished: boolean) {
  const [row] = await db.query<{ version: string }>({
    name: 'imports.begin',
    text: `
      insert into imports (head, name, bytes, sha256, lines, added, refused, finished_at)
      values ($1, $2, $3, $4, $5, $6, $7, case when $8::boolean then now() end)
      on conflict (head) do nothing
      returning version`,
    values: valuesOf(state, finished),
  })
  return row?.version
}

/**
 * Writes how far the import has come, and returns its new version; or `undefined` if it is no longer at `version`, since
 * another process has written or removed it. Where it stands could not tell that: run again, it comes to the same end.
 */
export async function advance(db: Queryable, state: ImportState, finished: boolean, version: string) {
  const [row] = await db.query<{ version: string }>({
    name: 'imports.advance',
    text: `
      update imports
      set name = $2, bytes = $3, sha256 = $4, lines = $5, added = $6, refused = $7,
          version = gen_random_uuid(), updated_at = now(), finished_at = case when $8::boolean then now() end,
          started_at = case when finished_at is null then started_at else now() end
      where head = $1 and version = $9
      returning version`,
    values: [...valuesOf(state, finished), version],
  })
  return row?.version
}

/** Forgets an import, and says whether it did: not if another process has written it meanwhile. */
export async function remove(db: Queryable, head: string, version: string | undefined) {
  const rows = await db.query({
    text: 'delete from imports where head = $1 and version = $2 returning head',
    values: [head, version],
  })
  return rows.length === 1
}

/** Stores which ids a part of an import has drawn, for so many pets, until the import has finished or is given up. */
export async function addRange(db: Queryable, head: string, { first, last }: IdRange, added: number) {
  await db.query({
    name: 'imports.addRange',
    text: `insert into import_ranges (head, ids, added) values ($1, int8range($2, $3, '[]'), $4)`,
    values: [head, first, last, added],
  })
}

/**
 * Deletes the ranges of an import that has added this many pets and adds no more, and returns them in ascending order. Undefined if they
 * lack some of its pets: an earlier version, which stores no ranges, has added those.
 */
export async function takeRanges(db: Queryable, head: string, added: number): Promise<IdRange[] | undefined> {
  const rows = await db.query<{ first: bigint; last: bigint; added: number }>({
    text: `
      with taken as (delete from import_ranges where head = $1 returning ids, added)
      select lower(ids) as first, upper(ids) - 1 as last, added::float8 from taken order by ids`,
    values: [head],
  })
  return rows.reduce((sum, row) => sum + row.added, 0) === added ? rows : undefined
}

function valuesOf(state: ImportState, finished: boolean) {
  const { head, name, bytes, sha256, lines, added, rejected } = state
  return [head, name, bytes, sha256, lines, added, rejected, finished]
}
