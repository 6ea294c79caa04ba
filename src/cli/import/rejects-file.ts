import { closeSync, renameSync, writeSync } from 'node:fs'
import { errorMessage } from '../../lib/errors.ts'
import { CommandError } from '../failure.ts'
import { openPart, rejectExisting, removePart } from '../part-file.ts'

const PIECE_BYTES = 65_536
const LINE_END = Buffer.from('\n')

/** Collects the rejected lines of an import, unchanged, in a file that appears when it is complete. No file if there are none. */
export class RejectsFile implements Disposable {
  readonly path: string
  readonly #part: { path: string; fd: number }
  #header: Buffer | undefined
  #pending: Buffer[] = []
  #pendingBytes = 0
  #lines = 0
  #isOpen = true

  private constructor(path: string, part: { path: string; fd: number }) {
    this.path = path
    this.#part = part
  }

  static async open(path: string) {
    await rejectExisting(path)
    return new RejectsFile(path, openPart(path))
  }

  /** The line that names the columns, and so comes first in this file too. */
  setHeader(header: Buffer) {
    this.#header = Buffer.from(header)
  }

  /** Writes in chunks, synchronously: there may be millions of lines. */
  add(line: Buffer) {
    if (this.#lines++ === 0 && this.#header) this.#push(this.#header)
    this.#push(line)
    if (this.#pendingBytes >= PIECE_BYTES) this.#write()
  }

  /** Returns how many lines are in the file now. */
  finish() {
    this.#write()
    this.#close()
    if (this.#lines > 0) renameSync(this.#part.path, this.path)
    else removePart(this.#part.path)
    return this.#lines
  }

  [Symbol.dispose]() {
    if (!this.#isOpen) return
    this.#close()
    removePart(this.#part.path)
  }

  #push(line: Buffer) {
    this.#pending.push(Buffer.concat([line, LINE_END]))
    this.#pendingBytes += line.length + 1
  }

  #write() {
    const bytes = Buffer.concat(this.#pending)
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#part.fd, bytes, at)
    } catch (error) {
      throw new CommandError(`Can't write ${this.path}: ${errorMessage(error)}`)
    }
    this.#pending = []
    this.#pendingBytes = 0
  }

  #close() {
    this.#isOpen = false
    closeSync(this.#part.fd)
  }
}
