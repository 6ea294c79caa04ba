import { parseArgs } from 'node:util'
import { exportCategories, exportPets } from '../domain/export.ts'
import { countLines } from '../lib/lines.ts'
import { connectToStore, findStore, takeStore } from './database-url.ts'
import { CommandError, UsageError } from './failure.ts'
import { formatOf, ONLY_NDJSON, writeTarget } from './import/pet-file.ts'
import { type Io, stopRequested } from './io.ts'
import { count, duration, many, showProgress } from './progress.ts'

export const USAGE = `petstore export [FILE] [--format ndjson|csv] [--force] [--store live|test]
petstore export --categories [FILE] [--force] [--store live|test]
    Writes all pets to a file or to standard output. A file whose name ends with .gz is compressed.

    --format       the format, if the file name does not show it
    --force        replace a file that exists
    --categories   write the names of categories instead, as NDJSON
    --store        the store; test is the sandbox (default: live; of petstore dev, test)
`

export async function exportCommand(io: Io, allArgs: string[]) {
  const { named, args } = takeStore(allArgs)
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      format: { type: 'string' },
      force: { type: 'boolean', default: false },
      categories: { type: 'boolean', default: false },
    },
  })
  const [file, ...rest] = positionals
  if (rest.length > 0) throw new UsageError('Name one file at most: petstore export pets.ndjson')
  const format = formatOf(file, values.format)
  const { categories } = values
  if (categories && format === 'csv') throw new UsageError(ONLY_NDJSON)

  const stop = new AbortController()
  void stopRequested(io).then(() => stop.abort(new CommandError('Stopped: the export is incomplete.')))
  const { db } = await connectToStore(await findStore(io, named))
  await using _connection = db
  const { expected, bytes } = categories ? exportCategories({ db }) : await exportPets({ db }, format)

  const began = performance.now()
  let lines = format === 'csv' ? -1 : 0 // the header is not a pet
  async function* counted() {
    for await (const piece of bytes) {
      lines += countLines(piece)
      yield piece
    }
  }
  // The number of pets is an estimate, so the share stays below 100 % until the end.
  const share = () => (expected > 0 ? Math.min(lines / expected, 0.99) : undefined)
  const isMixed = file === undefined && io.stdout.isTTY
  const isSilent = () => isMixed || lines < 0
  const progress = showProgress(io.stderr, () => (isSilent() ? undefined : { lines, rejected: 0, share: share() }))
  try {
    const isComplete = await writeTarget(file ?? io.stdout, counted(), { signal: stop.signal, force: values.force })
    if (!isComplete) return 0
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error
  } finally {
    progress.end()
  }
  const seconds = (performance.now() - began) / 1_000
  io.stderr.write(
    `Wrote ${categories ? `the names of ${many(lines, 'category', 'categories')}` : many(lines, 'pet')} (${duration(seconds)}, ${count(lines / seconds)} lines/s).\n`,
  )
  return 0
}
