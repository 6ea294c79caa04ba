import type { Interval } from './median-interval.ts'

/**
 * The typical ratio of two rates that were measured together several times, and its interval of at least 95 %, from the signed-rank
 * test. Unlike the interval of a median it assumes that chance favours both alike, which holds where each is as often the first; for
 * that it is a fifth narrower. Below six ratios it is the whole range, with less confidence.
 */
export function ratioInterval(ratios: number[]): Interval {
  const means = ratios.flatMap((a, i) => ratios.slice(i).map((b) => Math.sqrt(a * b))).toSorted((a, b) => a - b)
  const sums = rankSums(ratios.length)
  let cut = 0
  while (confidenceWithout(cut + 1, sums) >= 0.95) cut++
  const at = (index: number) => (means.some(Number.isNaN) ? Number.NaN : (means[index] ?? Number.NaN))
  return {
    median: Math.sqrt(at((means.length - 1) >> 1) * at(means.length >> 1)),
    low: at(cut),
    high: at(means.length - 1 - cut),
    confidence: Math.floor(confidenceWithout(cut, sums) * 1_000) / 10,
  }
}

function confidenceWithout(cut: number, sums: number[]) {
  const all = sums.reduce((sum, ways) => sum + ways, 0)
  return 1 - (2 * sums.slice(0, cut + 1).reduce((sum, ways) => sum + ways, 0)) / all
}

/** How many subsets of the ranks 1 to `count` have each sum. */
function rankSums(count: number) {
  const sums = [1]
  for (let rank = 1; rank <= count; rank++) {
    const without = [...sums]
    for (const [sum, ways] of without.entries()) sums[sum + rank] = (without[sum + rank] ?? 0) + ways
    for (let i = 0; i < sums.length; i++) sums[i] ??= 0
  }
  return sums
}
