import { parseArgs } from 'node:util'
import { type ImportInput, importPets, tryImport } from '../domain/import.ts'
import type { ImportState, PetFormat } from '../domain/types/import.ts'
import type { StoreAddress } from '../lib/ids/store-address.ts'
import { connectToStore, findStore, takeStore } from './database-url.ts'
import { CommandError, UsageError } from './failure.ts'
import { importCategoryFile } from './import/categories.ts'
import { whyImportStopped } from './import/failure.ts'
import { formatOf, ONLY_NDJSON, openSource, type Source } from './import/pet-file.ts'
import { RejectsFile } from './import/rejects-file.ts'
import { nextStep, recordsIn, reportRejected, summary } from './import/report.ts'
import { printStatus } from './import/status.ts'
import { type Io, print, printError, stopRequested } from './io.ts'
import { count, showProgress } from './progress.ts'

export const USAGE = `petstore import FILE|- [--format ndjson|csv] [--strict] [--again] [--dry-run] [--rejects FILE] [--store live|test]
petstore import --categories FILE|- [--store live|test]
petstore import --status [--json] [--store live|test]
    Adds a pet for each line of a file. A file whose name ends with .gz is decompressed. An interrupted import resumes
    with the same command.

    --format       the format, if the file name does not show it
    --strict       stop at the first line that is rejected
    --again        import the file even if it was imported before
    --dry-run      read and check every line, and store nothing
    --rejects      write the rejected lines to this file: fix them there, and import that file
    --categories   give categories their names instead, as NDJSON: a repeat changes nothing
    --status       list the imports that were begun; with --json for scripts
    --store        the store; test is the sandbox (default: live; of petstore dev, test)
`

// Everything was read, but not every line was accepted.
const SOME_REJECTED = 3

interface Options {
  again: boolean
  strict: boolean
  'dry-run': boolean
  rejects?: string | undefined
}

export async function importCommand(io: Io, allArgs: string[]) {
  const { named, args } = takeStore(allArgs)
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      format: { type: 'string' },
      strict: { type: 'boolean', default: false },
      again: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      rejects: { type: 'string' },
      categories: { type: 'boolean', default: false },
      status: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  if (values.status) return status(io, named, positionals, values.json)
  if (values.json) throw new UsageError('--json needs --status: petstore import --status --json')
  const [given, ...rest] = positionals
  if (given === undefined || rest.length > 0)
    throw new UsageError('Name one file, or - for standard input: petstore import pets.ndjson')
  if (values.rejects?.endsWith('.gz')) throw new UsageError('--rejects writes plain text: leave .gz out of its name.')
  const file = given === '-' ? undefined : given
  const format = formatOf(file, values.format)
  if (values.categories) requireNoOthers(values, format)
  const store = await findStore(io, named)

  const stop = new AbortController()
  void stopRequested(io).then(() => stop.abort(new CommandError('Stopped.')))
  await using source = await openSource(file ?? io.stdin, stop.signal)
  if (values.categories) return (await importCategoryFile(io, store, source)) > 0 ? SOME_REJECTED : 0
  const { db, lineFormats } = await connectToStore(store)
  await using _connection = db
  const input = { name: source.name, format: lineFormats[format], pieces: source.pieces }
  return await withProgress(io, { db, source, input, format }, values)
}

/** These are about imports that add something each time. */
function requireNoOthers(values: Options, format: PetFormat) {
  if (format === 'csv') throw new UsageError(ONLY_NDJSON)
  const { strict, again, 'dry-run': isDryRun, rejects } = values
  const given = Object.entries({ strict, again, 'dry-run': isDryRun, rejects }).find(([, value]) => value)
  if (given) throw new UsageError(`--${given[0]} is for pets: leave it out with --categories.`)
}

async function status(io: Io, named: StoreAddress | undefined, positionals: string[], json: boolean) {
  if (positionals.length > 0) throw new UsageError('--status lists all imports: petstore import --status')
  const { db } = await connectToStore(await findStore(io, named))
  await using _connection = db
  await printStatus(io, db, json)
  return 0
}

interface Work {
  db: Awaited<ReturnType<typeof connectToStore>>['db']
  source: Source
  input: ImportInput
  format: PetFormat
}

/** Runs the import with a progress line, and reports at the end, also after a failure, what is stored and what to do next. */
async function withProgress(io: Io, { db, source, input, format }: Work, options: Options) {
  using rejects = options.rejects === undefined ? undefined : await RejectsFile.open(options.rejects)
  const began = performance.now()
  let before: ImportState | undefined
  let read: ImportState | undefined
  let stored: ImportState | undefined
  const progress = showProgress(io.stderr, () =>
    read ? { lines: recordsIn(read), rejected: read.rejected, share: shareOf(source) } : undefined,
  )
  const rejected = reportRejected(progress.print)
  const events = {
    onHeader: (header: Buffer) => rejects?.setHeader(header),
    onRejected: (line: number, reason: string, bytes: Buffer) => {
      rejected.add(line, reason)
      rejects?.add(bytes)
    },
    onRejectedBefore: rejects && ((bytes: Buffer) => rejects.add(bytes)),
    onRead: (reached: ImportState) => (read = reached),
  }
  const store = async () => {
    const { again, strict } = options
    return importPets({ db }, input, {
      ...events,
      again,
      strict,
      onResumed: (done) => {
        before = stored = done
        progress.print(`Resuming after line ${count(done.lines)}: everything before it is imported already.`)
      },
      onStored: (reached) => (stored = reached),
    })
  }
  try {
    const isDryRun = options['dry-run']
    const { state, conflict } = isDryRun
      ? await tryImport({ db }, input, events)
      : { state: await store(), conflict: undefined }
    progress.end()
    rejected.end()
    const written = rejects?.finish() ?? 0
    const seconds = (performance.now() - began) / 1_000
    print(io, summary(state, { before: before ? recordsIn(before) : 0, seconds, isDryRun }))
    if (state.rejected > 0) {
      const path = written > 0 ? options.rejects : undefined
      const formatOption = needsFormat(path ?? source.name, format) ? ` --format ${format}` : ''
      printError(io, nextStep(state, { source: source.name, isDryRun, rejects: path, formatOption }))
    }
    if (conflict) throw conflict
    return state.rejected > 0 ? SOME_REJECTED : 0
  } catch (error) {
    throw new CommandError(whyImportStopped(error, source.name ?? 'standard input', stored), { cause: error })
  } finally {
    progress.end()
  }
}

function needsFormat(file: string | null | undefined, format: PetFormat) {
  return !file || !new RegExp(`\\.(?:${format === 'csv' ? 'csv' : 'ndjson|jsonl'})(?:\\.gz)?$`, 'i').test(file)
}

function shareOf({ size, bytesRead }: Source) {
  return size ? bytesRead() / size : undefined
}
