import type pg from 'pg'
import type { FeedEvent } from './record.ts'

/** The feed after this position, to its end. */
export async function feedAfter(database: pg.Client, sequence: number) {
  const { rows } = await database.query<Record<keyof FeedEvent, string>>(
    `select first + place - 1 as sequence, pet_id as "petId", version, type
     from feed_pages, unnest(pet_ids, versions) with ordinality as numbered (pet_id, version, place)
     join events using (pet_id, version)
     where first + place - 1 > $1 order by 1`,
    [sequence],
  )
  return rows.map(
    (row): FeedEvent => ({
      sequence: Number(row.sequence),
      petId: Number(row.petId),
      version: Number(row.version),
      type: row.type,
    }),
  )
}
