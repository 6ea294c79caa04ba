import type { IdRange } from '../../domain/types/event.ts'
import type { PetFormat } from '../../domain/types/import.ts'
import type { NewPet } from '../../domain/types/pet.ts'
import type { BulkConnection, BulkTransaction } from '../postgres/bulk.ts'
import type { Queryable } from '../postgres/statement.ts'

const SPECIAL = /[\\\t\n\r]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A pet as one line of what `copyIn` takes. Its words are made later, from the range of ids that the import adds. */
export function copyLine({ name, categoryId, status }: NewPet) {
  const text = SPECIAL.test(name) ? name.replaceAll(/./gs, (char) => ESCAPES[char] ?? char) : name
  return `${text}\t${categoryId}\t${status ?? '\\N'}\tt\n`
}

/**
 * Adds the pets whose lines these are; they get their ids in this order. Returns the range of these ids; those that others have drawn
 * meanwhile are in it too.
 */
export async function copyIn(transaction: BulkTransaction, lines: Buffer): Promise<IdRange | undefined> {
  if (lines.length === 0) return undefined
  const before = await lastId(transaction)
  await transaction.copyIn('copy pets (name, category_id, status, worded) from stdin', lines)
  return { first: before + 1n, last: await lastId(transaction) }
}

/** The last id that anyone has drawn. */
async function lastId(db: Queryable) {
  const [row] = await db.query<{ id: bigint }>({
    text: `select coalesce(pg_sequence_last_value('pets_id_seq'), 0) as id`,
  })
  return row?.id ?? 0n
}

/**
 * Updates the planner's statistics. Connections keep their plans, and one made when there were few pets stays in use
 * until the statistics of the table change; autovacuum would take a minute to come by.
 */
export async function analyze(db: Queryable) {
  await db.query({ text: 'analyze pets' })
}

// Put together by hand, this takes a third of the time that PostgreSQL's functions for JSON objects take.
const JSON_LINE = `'{"id":' || id || ',"name":' || to_json(name) || ',"categoryId":' || category_id
  || coalesce(',"status":"' || status || '"', '') || '}'`

const COPY_OUT: Record<PetFormat, string> = {
  // JSON holds no control character: with two of them for delimiter and quote, its text leaves as it is.
  ndjson: `copy (select ${JSON_LINE} from pets order by id) to stdout (format csv, delimiter e'\\x01', quote e'\\x02')`,
  csv: `copy (select id, name, category_id as "categoryId", status from pets order by id) to stdout (format csv, header)`,
}

/** Every pet, as of one moment, a line for each. */
export function copyOut(db: BulkConnection, format: PetFormat) {
  return db.copyOut(COPY_OUT[format])
}

/** About how many pets there are, as PostgreSQL keeps count of them; 0 where it does not know. */
export async function estimate(db: Queryable) {
  const [row] = await db.query<{ pets: number }>({
    text: `select n_live_tup::float8 as pets from pg_stat_user_tables where relid = 'pets'::regclass`,
  })
  return row?.pets ?? 0
}
