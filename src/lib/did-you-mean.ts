const MAX_DISTANCE = 2

/** The allowed word that `text` was most likely meant to be, if any is near enough to be worth a hint. */
export function didYouMean(text: string, allowed: readonly string[]): string | undefined {
  const word = text.trim().toLowerCase()
  const near = allowed
    .filter((candidate) => Math.abs(candidate.length - word.length) <= MAX_DISTANCE)
    .map((candidate) => ({ candidate, edits: distance(word, candidate) }))
    .filter(({ edits }) => edits <= MAX_DISTANCE)
  return near.toSorted((a, b) => a.edits - b.edits)[0]?.candidate
}

/** How many single letters must be added, removed or replaced to turn one word into the other. */
function distance(a: string, b: string) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
