import { createReadStream, createWriteStream, fchmodSync } from 'node:fs'
import { open, realpath, rename, stat } from 'node:fs/promises'
import { PassThrough, pipeline, type Readable, type Writable } from 'node:stream'
import * as promises from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { PetFormat } from '../../domain/types/import.ts'
import { errorCode, errorMessage, isSystemError } from '../../lib/errors.ts'
import { CommandError, UsageError } from '../failure.ts'
import { openPart, rejectExisting, removePart } from '../part-file.ts'

const PIECE_BYTES = 65_536
const PERMISSIONS = 0o777
const ENDINGS = /\.(?:(?<ndjson>ndjson|jsonl)|(?<csv>csv))(?:\.gz)?$/i

/** The format that `--format` gives, else the one that the file name ends with; NDJSON for standard input. */
export function formatOf(file: string | undefined, given: string | undefined): PetFormat {
  if (given === 'ndjson' || given === 'csv') return given
  if (given !== undefined) throw new UsageError('--format takes ndjson or csv.')
  if (file === undefined) return 'ndjson'
  const { ndjson, csv } = ENDINGS.exec(file)?.groups ?? {}
  if (ndjson) return 'ndjson'
  if (csv) return 'csv'
  throw new UsageError(
    `The format of ${JSON.stringify(file)} is not clear. Use a name that ends with .ndjson, .jsonl or .csv (optionally followed by .gz), or add --format ndjson or --format csv.`,
  )
}

export const ONLY_NDJSON = '--categories reads and writes NDJSON: use a name that ends with .ndjson or .jsonl.'

function isGzip(file: string) {
  return /\.gz$/i.test(file)
}

/** A file as it is read. */
export interface Source extends AsyncDisposable {
  /** Its full path, or `null` for standard input. */
  name: string | null
  /** What is read from it, uncompressed. */
  pieces: AsyncIterableIterator<Buffer, undefined>
  /** How large it is on disk, if that can be known, and how much of that was read. */
  size: number | undefined
  bytesRead: () => number
}

export async function openSource(file: string | Readable, signal: AbortSignal): Promise<Source> {
  if (typeof file !== 'string')
    return toSource({ name: null, bytes: file, size: undefined, bytesRead: () => 0 }, signal)
  try {
    const handle = await open(file)
    const stats = await handle.stat()
    const raw = createReadStream('', { fd: handle, highWaterMark: PIECE_BYTES })
    const read = { name: await realpath(file), bytes: unpacked(file, raw), bytesRead: () => raw.bytesRead }
    return toSource({ ...read, size: stats.isFile() ? stats.size : undefined }, signal)
  } catch (error) {
    throw new CommandError(`Can't read ${file}: ${errorMessage(error)}`)
  }
}

function unpacked(file: string, raw: Readable): Readable {
  return isGzip(file) ? pipeline(raw, createGunzip({ chunkSize: PIECE_BYTES }), () => {}) : raw
}

function toSource(
  { bytes, ...facts }: Pick<Source, 'name' | 'size' | 'bytesRead'> & { bytes: Readable },
  signal: AbortSignal,
): Source {
  const stop = (reason: unknown) => bytes.destroy(reason instanceof Error ? reason : undefined)
  signal.addEventListener('abort', () => stop(signal.reason), { once: true })
  return {
    ...facts,
    pieces: bytes[Symbol.asyncIterator](),
    async [Symbol.asyncDispose]() {
      bytes.destroy()
    },
  }
}

/**
 * Writes to a file or to standard output. A file appears under its name only when it is complete.
 * Returns whether everything was written: the reader of a pipe may close it early, as `head` does.
 */
export async function writeTarget(
  file: string | Writable,
  pieces: AsyncIterable<Buffer>,
  { signal, force }: { signal: AbortSignal; force: boolean },
) {
  if (typeof file !== 'string') return writeStdout(file, pieces, signal)
  const existing = await stat(file).catch(() => undefined)
  const packed = isGzip(file) ? createGzip() : new PassThrough()
  // A pipe or a device can't be replaced by renaming.
  if (existing && !existing.isFile())
    return namingFile(file, () => promises.pipeline(pieces, packed, createWriteStream(file), { signal }))
  if (!force) await rejectExisting(file, 'Choose another name, or replace it with --force.')

  const part = openPart(file)
  return namingFile(file, async () => {
    try {
      // The new file keeps the permissions of the one that it replaces.
      if (existing) fchmodSync(part.fd, existing.mode & PERMISSIONS)
      await promises.pipeline(pieces, packed, createWriteStream('', { fd: part.fd, flush: true }), { signal })
      await rename(part.path, file)
    } catch (error) {
      removePart(part.path)
      throw error
    }
  })
}

/** Adds the name of the file to system errors. */
async function namingFile(file: string, work: () => Promise<void>) {
  try {
    await work()
    return true
  } catch (error) {
    throw isSystemError(error) ? new CommandError(`Can't write ${file}: ${error.message}`) : error
  }
}

async function writeStdout(stdout: Writable, pieces: AsyncIterable<Buffer>, signal: AbortSignal) {
  try {
    await promises.pipeline(pieces, stdout, { signal })
    return true
  } catch (error) {
    if (errorCode(error) === 'EPIPE') return false
    throw error
  }
}
