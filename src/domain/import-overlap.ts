import { densityOf } from '../lib/sample.ts'
import type { StoredImport } from '../storage/pets/imports.ts'

// Fewer common lines are coincidence: many cats are named Momo.
const SHARED_PART = 0.1

/** Counts how many lines of an input are among the sampled lines of earlier imports. */
export class Overlap {
  readonly earlier: readonly StoredImport[]
  readonly #importsWith = new Map<number, StoredImport[]>()
  readonly #found = new Map<StoredImport, Set<number>>()
  #lines = 0

  constructor(earlier: readonly StoredImport[]) {
    this.earlier = earlier
    for (const known of earlier) {
      this.#found.set(known, new Set())
      for (const hash of known.lineHashes) this.#importsWith.set(hash, [...(this.#importsWith.get(hash) ?? []), known])
    }
  }

  note(hash: number) {
    this.#lines++
    for (const known of this.#importsWith.get(hash) ?? []) this.#found.get(known)?.add(hash)
  }

  /** An import of which this input holds a good part, or that holds a good part of this input. */
  get shared(): StoredImport | undefined {
    return this.earlier.find((known) => {
      const found = this.#found.get(known)?.size ?? 0
      // Of the lines of this input, as many as the sample of the import would hold.
      const sampled = this.#lines * densityOf(known.lineHashes)
      const isPartOfInput = found > 0 && found >= SHARED_PART * sampled
      const isPartOfImport = found > 1 && found >= SHARED_PART * known.lineHashes.length
      return isPartOfInput || isPartOfImport
    })
  }
}
