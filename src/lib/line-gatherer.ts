// As UTF-8, one unit of a string takes no more than this.
const MAX_BYTES_PER_UNIT = 3

/** Buffers lines and emits them in chunks of complete lines. Appending to a string would copy it again for each line. */
export class LineGatherer {
  readonly #emit: (piece: Buffer) => void
  #piece: Buffer
  #filled = 0

  /** No piece is longer than `maxBytes`, unless a single line is. */
  constructor(maxBytes: number, emit: (piece: Buffer) => void) {
    this.#emit = emit
    this.#piece = Buffer.allocUnsafe(maxBytes)
  }

  write(line: string) {
    const bytesAtMost = line.length * MAX_BYTES_PER_UNIT
    if (this.#filled + bytesAtMost > this.#piece.length) this.flush()
    if (bytesAtMost > this.#piece.length) this.#emit(Buffer.from(line))
    else this.#filled += this.#piece.write(line, this.#filled)
  }

  flush() {
    if (this.#filled > 0) this.#emit(this.take())
  }

  /** Removes and returns what is buffered. */
  take() {
    const piece = Buffer.from(this.#piece.subarray(0, this.#filled))
    this.#filled = 0
    return piece
  }
}
