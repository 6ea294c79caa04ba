import { listImports } from '../../domain/import.ts'
import type { connectForBulk } from '../../service.ts'
import { type Io, print, printJson } from '../io.ts'
import { count } from '../progress.ts'
import { table } from '../table.ts'
import { formatMinute } from '../time.ts'
import { recordsIn } from './report.ts'

type Db = Awaited<ReturnType<typeof connectForBulk>>['db']

/** Lists the imports that were begun, finished or not, latest first. */
export async function printStatus(io: Io, db: Db, json: boolean) {
  const imports = (await listImports({ db })).map((known) => ({
    file: known.name,
    state: known.finishedAt ? 'finished' : 'unfinished',
    lines: recordsIn(known),
    added: known.added,
    rejected: known.rejected,
    startedAt: known.startedAt,
    updatedAt: known.finishedAt ?? known.updatedAt,
  }))
  if (json) return printJson(io, imports)
  if (imports.length === 0) return print(io, 'No import was begun yet: petstore import pets.ndjson')
  print(
    io,
    table(
      ['FILE', 'STATE', 'LINES', 'ADDED', 'REJECTED', 'STARTED', 'UPDATED'],
      imports.map(({ file, state, lines, added, rejected, startedAt, updatedAt }) => [
        file ?? '(standard input)',
        state,
        count(lines),
        count(added),
        count(rejected),
        formatMinute(startedAt),
        formatMinute(updatedAt),
      ]),
    ),
  )
}
