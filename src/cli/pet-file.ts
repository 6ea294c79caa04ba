import { createReadStream, createWriteStream } from 'node:fs'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import * as promises from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { PetFormat } from '../domain/export.ts'
import { CommandError, UsageError } from './failure.ts'

const PIECE_BYTES = 65_536
const ENDINGS = /\.(?:(?<ndjson>ndjson|jsonl)|(?<csv>csv))(?:\.gz)?$/i

/** What `--format` says, else what the name says; what has no name is NDJSON. */
export function formatOf(file: string | undefined, given: string | undefined): PetFormat {
  if (given === 'ndjson' || given === 'csv') return given
  if (given !== undefined) throw new UsageError('--format takes ndjson or csv.')
  if (file === undefined) return 'ndjson'
  const { ndjson, csv } = ENDINGS.exec(file)?.groups ?? {}
  if (ndjson) return 'ndjson'
  if (csv) return 'csv'
  throw new UsageError(
    `What is in ${JSON.stringify(file)}? Let its name end with .ndjson, .jsonl or .csv (and .gz behind it), or say --format ndjson or --format csv.`,
  )
}

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

export async function openSource(file: string | undefined, signal: AbortSignal): Promise<Source> {
  if (file === undefined) return toSource(null, process.stdin, undefined, () => 0, signal)
  try {
    const handle = await open(file)
    const stats = await handle.stat()
    const raw = createReadStream('', { fd: handle, highWaterMark: PIECE_BYTES })
    const bytes = isGzip(file) ? pipeline(raw, createGunzip({ chunkSize: PIECE_BYTES }), () => {}) : raw
    return toSource(await realpath(file), bytes, stats.isFile() ? stats.size : undefined, () => raw.bytesRead, signal)
  } catch (error) {
    throw new CommandError(`Can't read ${file}: ${(error as Error).message}`)
  }
}

function toSource(
  name: string | null,
  bytes: Readable,
  size: number | undefined,
  bytesRead: () => number,
  signal: AbortSignal,
): Source {
  signal.addEventListener('abort', () => bytes.destroy(signal.reason as Error), { once: true })
  return {
    name,
    pieces: bytes[Symbol.asyncIterator](),
    size,
    bytesRead,
    async [Symbol.asyncDispose]() {
      bytes.destroy()
    },
  }
}

/**
 * Writes to a file, or to standard output where none is named. A file appears under its name only when it is whole.
 * Says whether all of it was taken: who reads from a pipe may have seen enough, as `head` has.
 */
export async function writeTarget(file: string | undefined, pieces: AsyncIterable<Buffer>, signal: AbortSignal) {
  if (file === undefined) return writeStdout(pieces, signal)
  const existing = await stat(file).catch(() => undefined)
  // A pipe or a device has no other name to write to first.
  const target = existing && !existing.isFile() ? file : `${file}.part`
  try {
    const packed = isGzip(file) ? createGzip() : new PassThrough()
    await promises.pipeline(pieces, packed, createWriteStream(target, { flush: target !== file }), { signal })
    if (target !== file) await rename(target, file)
    return true
  } catch (error) {
    if (target !== file) await rm(target, { force: true })
    if (!(error as NodeJS.ErrnoException).syscall) throw error
    throw new CommandError(`Can't write ${file}: ${(error as Error).message}`)
  }
}

async function writeStdout(pieces: AsyncIterable<Buffer>, signal: AbortSignal) {
  try {
    await promises.pipeline(pieces, process.stdout, { signal })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return false
    throw error
  }
}
