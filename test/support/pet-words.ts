import type pg from 'pg'
import { wordsOf } from '../../src/lib/words.ts'

/** How the index differs from the names of the pets: what can't be found, and what no longer leads to a pet. */
export async function compareWords(pool: pg.Pool) {
  const { rows: pets } = await pool.query<{ id: string; name: string }>('select id, name from pets')
  const { rows: entries } = await pool.query<{ entry: string }>(`select pet_id || ' ' || word as entry from pet_words`)
  const wanted = new Set(pets.flatMap(({ id, name }) => wordsOf(name).map((word) => `${id} ${word}`)))
  const stored = new Set(entries.map(({ entry }) => entry))
  return { missing: [...wanted.difference(stored)], stale: [...stored.difference(wanted)] }
}

export const NOTHING = { missing: [], stale: [] }
