import fc from 'fast-check'
import type { Violation } from './properties.ts'

export interface Found<T> {
  value: T
  violation: Violation
}

/** Where a generated value came from, so that it can be made again. */
export interface Origin {
  seed: number
  index: number
}

export type Generated<T> = Generator<Origin & { value: T }, never>

const BATCH = 200
const TIME_LIMIT_MS = 30_000

/** Values of an arbitrary without end, always the same for the same seed. */
export function* generate<T>(arbitrary: fc.Arbitrary<T>, seed: number): Generated<T> {
  for (let batch = 0; ; batch++) {
    const batchSeed = (seed + Math.imul(batch, 0x9e3779b1)) | 0
    const values = fc.sample(arbitrary, { seed: batchSeed, numRuns: BATCH })
    for (const [index, value] of values.entries()) yield { value, seed: batchSeed, index }
  }
}

/** The smallest value that still fails; undefined when the first one does not fail any more, by itself. */
export async function shrink<T>(
  arbitrary: fc.Arbitrary<T>,
  { seed, index }: Origin,
  attempt: (value: T) => Promise<Violation | undefined>,
): Promise<Found<T> | undefined> {
  let smallest: Found<T> | undefined
  const property = fc.asyncProperty(arbitrary, async (value) => {
    const violation = await attempt(value)
    if (violation) smallest = { value, violation }
    return violation === undefined
  })
  await fc.check(property, { seed, path: String(index), numRuns: 1, interruptAfterTimeLimit: TIME_LIMIT_MS })
  return smallest
}
