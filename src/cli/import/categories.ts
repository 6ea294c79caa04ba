import type { StoreConfig } from '../../config.ts'
import { importCategories } from '../../domain/import-categories.ts'
import { connectToStore } from '../database-url.ts'
import { CommandError } from '../failure.ts'
import { type Io, print, printError } from '../io.ts'
import { count, duration } from '../progress.ts'
import { why } from './failure.ts'
import type { Source } from './pet-file.ts'
import { reportRejected } from './report.ts'

/** Gives categories their names, a line for each. Returns how many lines were rejected. */
export async function importCategoryFile(io: Io, store: StoreConfig, { name, pieces }: Source) {
  const { db, lineFormats, readCategory } = await connectToStore(store)
  await using _connection = db
  const { maxLineBytes } = lineFormats.ndjson
  const began = performance.now()
  const report = reportRejected((text) => printError(io, text))
  try {
    const { lines, added, changed, rejected } = await importCategories(
      { db },
      { pieces, readLine: readCategory, maxLineBytes },
      (line, reason) => report.add(line, reason),
    )
    report.end()
    const seconds = duration((performance.now() - began) / 1_000)
    print(
      io,
      `Read ${count(lines)} ${lines === 1 ? 'line' : 'lines'}: named ${count(added)}, renamed ${count(changed)}, rejected ${count(rejected)} (${seconds}).`,
    )
    if (rejected > 0)
      printError(io, 'Fix the rejected lines, and import the file again: lines that are stored change nothing.')
    return rejected
  } catch (error) {
    const hint = 'Run the same command again: lines that are stored change nothing.'
    throw new CommandError(`${why(error, name ?? 'standard input')}\n${hint}`, { cause: error })
  }
}
