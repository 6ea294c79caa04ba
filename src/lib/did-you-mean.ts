const MAX_HINT_EDITS = 2

/** The allowed word that `text` was most likely meant to be, if any is near enough to be worth a hint. */
export function didYouMean(text: string, allowed: readonly string[]): string | undefined {
  return nearest(text.trim().toLowerCase(), allowed, () => MAX_HINT_EDITS)
}

/**
 * The known name that an unknown one was most likely meant to be. A request is rejected because of it, so the limit is stricter: a third of
 * the letters of the name. Case does not count, nor `[]` or `[0]` at the end, as some clients write lists, nor the `s` of a plural.
 */
export function nameMeant(text: string, known: readonly string[]): string | undefined {
  const name = text.toLowerCase().replace(/\[\d*\]$/, '')
  const singular = known.find((each) => name === `${each.toLowerCase()}s`)
  return singular ?? nearest(name, known, ({ length }) => Math.floor(length / 3))
}

function nearest(word: string, candidates: readonly string[], mostEdits: (candidate: string) => number) {
  let found: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const most = mostEdits(candidate)
    // Cheap, and enough for most: each letter too many or too few is an edit.
    if (Math.abs(candidate.length - word.length) > most) continue
    const edits = distance(word, candidate.toLowerCase())
    if (edits > most || edits >= least) continue
    found = candidate
    least = edits
  }
  return found
}

/** How many letters must be added, removed, replaced, or swapped with the next one, to turn one word into the other. */
function distance(a: string, b: string) {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 0; i < a.length; i++) {
    const row = [i + 1]
    for (let j = 0; j < b.length; j++) {
      const replaced = (last[j] ?? 0) + (a[i] === b[j] ? 0 : 1)
      const isSwap = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j]
      const swapped = isSwap ? (beforeLast[j - 1] ?? 0) + 1 : replaced
      row.push(Math.min(replaced, swapped, (last[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1))
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
