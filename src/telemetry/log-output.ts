import { fstatSync, write, writeSync } from 'node:fs'
import { errorCode } from '../lib/errors.ts'
import { LineGatherer } from '../lib/line-gatherer.ts'
import { countLines } from '../lib/lines.ts'
import { unblockStdout } from '../node/stdout.ts'

const STDOUT = 1
const FLUSH_MS = 100
// How much of the log is kept in memory while it can't be written.
const MAX_QUEUED_BYTES = 16_777_216
const RETRY_MS = 20
const EXIT_MS = 250
const LINE_END = Buffer.from('\n')

/**
 * The log on standard output. It never stops the process: with a full disk, a closed pipe or a stalled reader, lines are
 * dropped and counted. Lines are gathered for up to a tenth of a second, since one write per line would cost more than
 * everything else about logging.
 */
export class LogOutput {
  /** Log lines that were lost, by reason. */
  readonly lost = { write_failed: 0, queue_full: 0 }
  /** Called with the first success after lines were lost. */
  onRecovered: (lost: number) => void = () => {}
  readonly #format: ((line: string) => string) | undefined
  readonly #isFile = isFile()
  readonly #lines: LineGatherer
  readonly #queue: Buffer[] = []
  #queuedBytes = 0
  /** Set while the first piece is being written, or waits for its next attempt. */
  #isBusy = false
  /** How much of the first piece is written. */
  #done = 0
  /** The last line was only partly written. */
  #isCut = false
  #lostSinceSuccess = 0

  /** `format` is applied to each line before it is written. */
  constructor(format?: (line: string) => string) {
    this.#format = format
    // A write to a file takes a trip to another thread, so pieces are large. In a pipe the kernel keeps up to 4 KiB together:
    // longer pieces of several processes would mix.
    this.#lines = new LineGatherer(this.#isFile ? 262_144 : 4_096, (piece) => this.#add(piece))
    setInterval(() => this.#flush(), FLUSH_MS).unref()
    process.on('exit', () => this.#writeAtExit())
  }

  write(line: string) {
    this.#lines.write(this.#format ? this.#format(line) : line)
  }

  #flush() {
    // Pieces that have to wait can be full ones.
    if (!this.#isBusy) this.#lines.flush()
  }

  #add(piece: Buffer) {
    if (this.#queuedBytes + piece.length > MAX_QUEUED_BYTES) return this.#lose('queue_full', piece)
    this.#queue.push(piece)
    this.#queuedBytes += piece.length
    if (this.#isBusy) return
    if (this.#isFile) this.#writeToFile()
    else this.#writeNow()
  }

  /** In another thread, since a disk may be slow. */
  #writeToFile() {
    const bytes = this.#next()
    if (!bytes) return
    write(STDOUT, bytes, (error, written) => {
      this.#note(error, written)
      this.#writeToFile()
    })
  }

  /** Not in another thread: a thread that is blocked in a write keeps the process from exiting. */
  #writeNow() {
    for (let bytes = this.#next(); bytes; bytes = this.#next())
      try {
        unblockStdout()
        this.#note(null, writeSync(STDOUT, bytes))
      } catch (error) {
        if (isFull(error)) {
          setTimeout(() => this.#writeNow(), RETRY_MS).unref()
          break
        }
        this.#note(error, 0)
      }
  }

  /** The bytes to write next. A line that was cut off is terminated first, so that it does not merge with the next one. */
  #next() {
    const [piece] = this.#queue
    this.#isBusy = piece !== undefined
    return this.#isCut ? piece && LINE_END : piece?.subarray(this.#done)
  }

  #note(error: unknown, written: number) {
    const [piece] = this.#queue
    if (!piece) return
    if (!error && this.#isCut) {
      this.#isCut = false
      return
    }
    this.#done += written
    if (!error && this.#done < piece.length) return
    this.#queue.shift()
    this.#queuedBytes -= piece.length
    if (error) {
      this.#isCut ||= this.#done > 0
      this.#lose('write_failed', piece.subarray(this.#done))
    } else this.#recover()
    this.#done = 0
  }

  #recover() {
    const lost = this.#lostSinceSuccess
    this.#lostSinceSuccess = 0
    if (lost > 0) this.onRecovered(lost)
  }

  #lose(reason: keyof typeof this.lost, piece: Buffer) {
    const lines = countLines(piece)
    this.lost[reason] += lines
    this.#lostSinceSuccess += lines
  }

  /** Synchronous, and bounded: a slow reader gets a moment, and a failed write is not repeated. */
  #writeAtExit() {
    const [first, ...rest] = this.#queue
    // The write to a file that is in progress completes before the process ends.
    const begun = first && !this.#isFile ? [first.subarray(this.#done)] : []
    const left = [...begun, ...rest, this.#lines.take()]
    const deadline = performance.now() + EXIT_MS
    try {
      for (const piece of left) writeUntil(deadline, piece)
    } catch {
      // Nothing is left to report it to.
    }
  }
}

/** Files and devices accept a write or fail it. Pipes, sockets and terminals may wait for a reader. */
function isFile() {
  const stat = fstatSync(STDOUT)
  return stat.isFile() || (stat.isCharacterDevice() && !process.stdout.isTTY)
}

function isFull(error: unknown) {
  return errorCode(error) === 'EAGAIN'
}

function writeUntil(deadline: number, piece: Buffer) {
  for (let done = 0; done < piece.length; ) {
    try {
      unblockStdout()
      done += writeSync(STDOUT, piece, done)
    } catch (error) {
      if (!isFull(error) || performance.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}
