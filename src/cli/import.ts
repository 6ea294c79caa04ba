import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { type ImportOptions, type ImportState, importPets } from '../domain/import.ts'
import { connectForBulk } from '../service.ts'
import { CommandError, UsageError } from './failure.ts'
import { whyImportStopped } from './import-failure.ts'
import { formatOf, openSource, type Source } from './pet-file.ts'
import { count, duration, many, showProgress } from './progress.ts'
import { stopRequested } from './signals.ts'

// Everything was read, but not everything was taken.
const SOME_REFUSED = 3

export async function importCommand(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      format: { type: 'string' },
      strict: { type: 'boolean', default: false },
      again: { type: 'boolean', default: false },
    },
  })
  const [given, ...rest] = positionals
  if (given === undefined || rest.length > 0)
    throw new UsageError('Name one file, or - for standard input: petstore import pets.ndjson')
  const file = given === '-' ? undefined : given
  const format = formatOf(file, values.format)
  const { databaseUrl } = readConfig()

  const stop = new AbortController()
  void stopRequested().then(() => stop.abort(new CommandError('Stopped.')))
  await using source = await openSource(file, stop.signal)
  const { db, lineFormats } = await connectForBulk(databaseUrl)
  await using _connection = db
  const run = (options: ImportOptions) =>
    importPets({ db }, { name: source.name, format: lineFormats[format], pieces: source.pieces }, options)

  const state = await withProgress(source, values, run)
  return state.refused > 0 ? SOME_REFUSED : 0
}

/** Tells a person how it goes, and at the end, however that comes, how far it has come. */
async function withProgress(
  source: Source,
  { again, strict }: Pick<ImportOptions, 'again' | 'strict'>,
  run: (options: ImportOptions) => Promise<ImportState>,
) {
  const began = performance.now()
  let before = 0
  let read: ImportState | undefined
  let stored: ImportState | undefined
  const progress = showProgress(process.stderr, () => read && { ...read, share: shareOf(source) })
  try {
    const state = await run({
      again,
      strict,
      onResumed: (done) => {
        stored = done
        before = done.added + done.refused
        progress.say(`Going on behind line ${count(done.lines)}: what stands before it is imported already.`)
      },
      // A terminal obeys control characters, and a reason may repeat some.
      onRefused: (line, reason) => progress.say(`line ${line}: ${reason.replaceAll(/\p{Cc}/gu, '?')}`),
      onRead: (reached) => (read = reached),
      onStored: (reached) => (stored = reached),
    })
    progress.end()
    console.log(summary(state, before, (performance.now() - began) / 1_000))
    return state
  } catch (error) {
    throw new CommandError(whyImportStopped(error, source.name ?? 'standard input', stored), { cause: error })
  } finally {
    progress.end()
  }
}

function shareOf({ size, bytesRead }: Source) {
  return size ? bytesRead() / size : undefined
}

function summary({ added, refused }: ImportState, before: number, seconds: number) {
  const read = added + refused
  const speed = `${duration(seconds)}, ${count((read - before) / seconds)} lines/s`
  const earlier = before > 0 ? `; ${many(before, 'line')} had been done before` : ''
  return `Read ${many(read, 'line')}: added ${many(added, 'pet')}, refused ${count(refused)} (${speed}${earlier}).`
}
