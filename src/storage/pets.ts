import type { Queryable, Statement } from './database.ts'

export type PetStatus = 'available' | 'pending' | 'sold'

export interface NewPet {
  name: string
  categoryId: bigint
  status?: PetStatus | undefined
}

export interface Pet extends NewPet {
  id: bigint
}

export interface PetFilter {
  status?: PetStatus | undefined
  ids?: bigint[] | undefined
}

interface PetRow {
  id: bigint
  name: string
  categoryId: bigint
  status: PetStatus | null
}

const COLUMNS = `id, name, category_id as "categoryId", status`

/** Adds a pet; when this returns, the pet is committed and flushed. */
export async function insert(db: Queryable, pet: NewPet): Promise<Pet> {
  // The id is drawn before the insert, so that the answer does not hang on what `returning` gives back: the same form
  // carries many rows, and holds on a sharded PostgreSQL.
  const [row] = await db.query<{ id: bigint }>({
    name: 'pets.insert',
    text: `
      with input as materialized (select nextval('pets_id_seq') as id),
      inserted as (insert into pets (id, name, category_id, status) select id, $1, $2, $3 from input)
      select id from input`,
    values: [pet.name, pet.categoryId, pet.status ?? null],
  })
  if (!row) throw new Error('pets.insert returned no id')
  return { ...pet, id: row.id }
}

export async function find(db: Queryable, id: bigint): Promise<Pet | undefined> {
  const [row] = await db.query<PetRow>({
    name: 'pets.find',
    text: `select ${COLUMNS} from pets where id = $1`,
    values: [id],
  })
  return row && toPet(row)
}

/** Up to `count` matching pets behind the id `after`, in the order of the walk. */
export async function listAfter(db: Queryable, filter: PetFilter, after: bigint, count: number): Promise<Pet[]> {
  const rows = await db.query<PetRow>(listStatement(filter, after, count))
  return rows.map(toPet)
}

/**
 * Each status has a statement of its own with the value written in it, so that the planner can use that status's partial
 * index; and the limit is a parameter. With `status = $1` it settles on a plan that walks the whole table for a rare status.
 */
export function listStatement({ status, ids }: PetFilter, after: bigint, count: number): Statement {
  const ofStatus = status ? ` and status = '${status}'` : ''
  return {
    name: `pets.list${status ? `.${status}` : ''}${ids ? '.ids' : ''}`,
    text: `select ${COLUMNS} from pets where id > $1${ofStatus}${ids ? ' and id = any($3::bigint[])' : ''} order by id limit $2`,
    values: ids ? [after, count, ids] : [after, count],
  }
}

function toPet({ status, ...pet }: PetRow): Pet {
  return status === null ? pet : { ...pet, status }
}
