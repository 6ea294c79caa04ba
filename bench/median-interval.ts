export interface Interval {
  median: number
  low: number
  high: number
  /** In per cent. */
  confidence: number
}

/**
 * The median, and the interval that contains the true median, from order statistics: it assumes nothing about how the values are distributed.
 * Cuts off as many values at each end as leave a confidence of at least 95 %; below six values it is the whole range, with less.
 */
export function medianInterval(values: number[]): Interval {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? Number.NaN
  const median = (at((sorted.length - 1) >> 1) + at(sorted.length >> 1)) / 2
  let cut = 0
  while (confidenceWithout(cut + 1, sorted.length) >= 0.95) cut++
  return {
    median,
    low: at(cut),
    high: at(sorted.length - 1 - cut),
    confidence: Math.floor(confidenceWithout(cut, sorted.length) * 1_000) / 10,
  }
}

/** The probability that the median is between the values left when `cut` are removed at each end: binomial, p = 0.5. */
function confidenceWithout(cut: number, count: number) {
  let [outside, ways] = [0, 1]
  for (let i = 0; i <= cut; i++) {
    outside += ways
    ways = (ways * (count - i)) / (i + 1)
  }
  return 1 - outside / 2 ** (count - 1)
}
