const SIZE = 256

/**
 * A bounded sample of many texts: those with the smallest hashes. Which texts these are depends on the texts alone, not on
 * their order or number, so a sample of one set can be looked for in another.
 */
export class Sample {
  readonly #hashes: Set<number>
  #largest: number

  constructor(hashes: readonly number[] = []) {
    this.#hashes = new Set(hashes)
    this.#largest = hashes.length < SIZE ? Number.POSITIVE_INFINITY : Math.max(...hashes)
  }

  /** Once it is full, most texts cost one comparison. */
  add(hash: number) {
    if (hash >= this.#largest) return
    this.#hashes.add(hash)
    if (this.#hashes.size > SIZE) this.#hashes.delete(this.#largest)
    if (this.#hashes.size === SIZE) this.#largest = Math.max(...this.#hashes)
  }

  get hashes(): number[] {
    return [...this.#hashes]
  }
}

/** The share of texts that is in the sample: it holds every hash up to its largest. */
export function densityOf(hashes: readonly number[]) {
  return hashes.length < SIZE ? 1 : Math.max(...hashes) / 2 ** 53
}

/** 53 bits, evenly spread. Not for input that an attacker chooses. */
export function hashText(text: string) {
  let low = 0x2545f491
  let high = 0x5851f42d
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high + unit, 0x9e3779b1) ^ (high >>> 15)
  }
  return (mix(high ^ mix(low)) >>> 11) * 2 ** 32 + (mix(low ^ text.length) >>> 0)
}

/** Every bit of the input changes about half of the output's. */
function mix(bits: number) {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return mixed ^ (mixed >>> 16)
}
