import { listImports } from '../../domain/import.ts'
import type { connectForBulk } from '../../service.ts'
import { minute } from '../keys/key.ts'
import { count } from '../progress.ts'
import { table } from '../table.ts'

type Db = Awaited<ReturnType<typeof connectForBulk>>['db']

/** Which imports were begun, and which of them are finished. */
export async function printStatus(db: Db) {
  const all = await listImports({ db })
  if (all.length === 0) return console.log('No import was begun yet: petstore import pets.ndjson')
  console.log(
    table(
      ['FILE', 'STATE', 'LINES', 'ADDED', 'REJECTED', 'STARTED', 'UPDATED'],
      all.map((known) => [
        known.name ?? '(standard input)',
        known.finishedAt ? 'finished' : 'unfinished',
        count(known.lines),
        count(known.added),
        count(known.refused),
        minute(known.startedAt),
        minute(known.finishedAt ?? known.updatedAt),
      ]),
    ),
  )
}
