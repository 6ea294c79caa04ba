import { createHash, type Hash } from 'node:crypto'
import { firstLine, lineCutter, wholeLines } from '../lib/lines.ts'
import type { ImportState } from '../storage/imports.ts'
import { copyLine } from '../storage/pet-copy.ts'
import type { NewPet } from '../storage/pets.ts'
import { ImportConflict } from './import-progress.ts'

/** The pet that a line spells, or the sentence that says why it spells none. */
export type LineReader = (line: Buffer) => NewPet | string

export interface LineFormat {
  maxLineBytes: number
  hasHeader: boolean
  reader: (firstLine: Buffer) => LineReader
}

export type Pieces = AsyncIterableIterator<Buffer, undefined>

/** What one transaction stores. */
export interface Chunk {
  /** How far the input is read with this chunk, always up to the end of a line. */
  reached: ImportState
  /** The pets, as COPY takes them. */
  rows: Buffer
  isLast: boolean
}

// Enough that a commit costs little beside it, and little enough to be read twice.
const CHUNK_BYTES = 4 * 1_024 * 1_024

/** The first pieces together, `least` bytes of them or all there are. */
export async function readBeginning(pieces: Pieces, least: number) {
  const read: Buffer[] = []
  for (let bytes = 0; bytes < least; ) {
    const { done, value } = await pieces.next()
    if (done) break
    read.push(value)
    bytes += value.length
  }
  return Buffer.concat(read)
}

export interface ReadingEvents {
  onRefused: (line: number, reason: string) => void
  /** So far the input was read; it is not yet stored. */
  onRead: (state: ImportState) => void
}

/** Reads on behind what is done, line by line, and gives out what is to be stored together. */
export async function* chunksOf(
  beginning: Buffer,
  pieces: Pieces,
  format: LineFormat,
  done: ImportState,
  { onRefused, onRead }: ReadingEvents,
): AsyncGenerator<Chunk> {
  const readLine = format.reader(firstLine(beginning))
  const state = { ...done }
  const sha = createHash('sha256')
  let rows = ''
  const lines = lineCutter(format.maxLineBytes, (line) => {
    state.lines++
    if (format.hasHeader && state.lines === 1) return
    const pet = readLine(line)
    if (typeof pet === 'string') {
      state.refused++
      onRefused(state.lines, pet)
    } else {
      state.added++
      rows += copyLine(pet)
    }
  })
  let chunkBytes = 0
  for await (const piece of behind(beginning, pieces, done, sha)) {
    lines.push(piece)
    chunkBytes += piece.length
    const whole = wholeLines(piece)
    sha.update(piece.subarray(0, whole))
    if (chunkBytes >= CHUNK_BYTES && whole > 0) {
      const reached = { ...state, bytes: state.bytes + whole, sha256: sha.copy().digest('hex') }
      yield { reached, rows: Buffer.from(rows), isLast: false }
      chunkBytes = 0
      rows = ''
    }
    sha.update(piece.subarray(whole))
    state.bytes += piece.length
    onRead(state)
  }
  lines.end()
  yield { reached: { ...state, sha256: sha.digest('hex') }, rows: Buffer.from(rows), isLast: true }
}

/** What stands behind the part that is done, which goes into the hash only, and must be the same as it was then. */
async function* behind(beginning: Buffer, pieces: Pieces, done: ImportState, sha: Hash): AsyncGenerator<Buffer> {
  let left = done.bytes
  const skip = (piece: Buffer) => {
    if (left === 0) return piece
    const skipped = piece.subarray(0, left)
    sha.update(skipped)
    left -= skipped.length
    if (left === 0 && sha.copy().digest('hex') !== done.sha256) throw new ImportConflict('differs', done)
    return piece.subarray(skipped.length)
  }
  yield skip(beginning)
  for await (const piece of pieces) yield skip(piece)
  if (left > 0) throw new ImportConflict('differs', done)
}
