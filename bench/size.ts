import { query, weighPets } from './postgres.ts'
import { markdownTable, whole } from './report.ts'
import { setUpStore } from './rig.ts'
import type { Scenario } from './scenario.ts'

// In parts, with room between them that the next one can use, as autovacuum makes it.
const PARTS = 10

/** What a pet takes on disk: loaded at once, and after each pet was changed. */
export const size: Scenario = async (resources, { quick }) => {
  const pets = quick ? 200_000 : 1_000_000
  const { databaseUrl } = await setUpStore(resources, pets)
  const loaded = await weighPets(databaseUrl)
  for (let part = 0; part < PARTS; part++) {
    await query(
      databaseUrl,
      `update pets set status = 'sold', category_id = (category_id * 7919) % 1000, version = version + 1 where id % ${PARTS} = ${part}`,
    )
    await query(databaseUrl, 'vacuum pets')
  }
  const changed = await weighPets(databaseUrl)
  const rows = Object.entries({ 'loaded at once': loaded, 'each changed once': changed }).map(([name, store]) => [
    name,
    whole(store.pets),
    `${whole(store.bytes / 1e6)} MB`,
    whole(store.bytes / store.pets),
  ])
  return {
    setting: 'names of about ten letters, indexes included',
    figures: markdownTable(['pets', 'counted', 'on disk', 'bytes each'], rows),
    data: { loaded, changed },
    missed: [],
  }
}
