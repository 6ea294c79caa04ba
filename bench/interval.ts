export interface Interval {
  median: number
  lower: number
  upper: number
}

/**
 * The median, and a 95 % confidence interval for it that assumes nothing about how the values are spread: from the k-th
 * smallest to the k-th greatest, since each value is above the true median as often as a coin shows heads. With fewer than six
 * values no k is enough, and the interval has no end.
 */
export function medianInterval(values: number[]): Interval {
  const sorted = values.toSorted((a, b) => a - b)
  const count = sorted.length
  const at = (index: number) => sorted[index] ?? Number.NaN
  const median = (at((count - 1) >> 1) + at(count >> 1)) / 2
  if (Number.isNaN(median)) return { median, lower: Number.NaN, upper: Number.NaN }
  // How likely it is that fewer than `rank` of all values are on one side, on either side.
  let [rank, outside, term] = [0, 0, 2 * 0.5 ** count]
  while (outside + term <= 0.05) {
    outside += term
    rank++
    term *= (count - rank + 1) / rank
  }
  if (rank === 0) return { median, lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY }
  return { median, lower: at(rank - 1), upper: at(count - rank) }
}
