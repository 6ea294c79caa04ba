// As UTF-8, one unit of a string takes no more than this.
const MAX_BYTES_PER_UNIT = 3

/** Gathers lines, and passes them on in pieces of whole lines. A string that grew line by line would be copied again and again. */
export class LineGatherer {
  readonly #passOn: (piece: Buffer) => void
  #piece: Buffer
  #filled = 0

  /** No piece is longer than `most` bytes, unless a single line is. */
  constructor(most: number, passOn: (piece: Buffer) => void) {
    this.#passOn = passOn
    this.#piece = Buffer.allocUnsafe(most)
  }

  write(line: string) {
    const bytesAtMost = line.length * MAX_BYTES_PER_UNIT
    if (this.#filled + bytesAtMost > this.#piece.length) this.flush()
    if (bytesAtMost > this.#piece.length) this.#passOn(Buffer.from(line))
    else this.#filled += this.#piece.write(line, this.#filled)
  }

  flush() {
    if (this.#filled > 0) this.#passOn(this.take())
  }

  /** What would be passed on now. */
  take() {
    const piece = Buffer.from(this.#piece.subarray(0, this.#filled))
    this.#filled = 0
    return piece
  }
}
